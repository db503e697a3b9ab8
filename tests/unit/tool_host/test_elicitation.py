"""Which forms of servers are shown to the user at all."""

from __future__ import annotations

import asyncio

import pytest
from mcp import types

from fireside.core.elicitation import Elicitation
from fireside.tool_host.call_limit import CallLimit
from fireside.tool_host.elicitation import ElicitationDeclined, Elicitations, _elicitation


def ask(
    *, message: str = "Please fill this in.", name: str = "value", title: str = "", text: str = ""
) -> None:
    schema = {"type": "string", "title": title, "description": text}
    _elicitation(
        types.ElicitRequestFormParams(
            message=message, requested_schema={"type": "object", "properties": {name: schema}}
        ),
        number=1,
        server="fake",
    )


SECRETS = [
    "Password", "Passwort", "Kennwort", "Mot de passe", "Contraseña", "パスワード", "One-time code", "OTP",
    "TAN", "Recovery phrase", "seed phrase", "Access token", "Token", "IBAN", "Credit card", "PIN", "CVC",
    "API key", "Enter your passwоrd", "Geheimzahl", "Zugangscode", "Private key",
]  # fmt: skip


@pytest.mark.parametrize("secret", SECRETS)
def test_forms_that_ask_for_a_secret_are_declined_wherever_they_say_so(secret: str) -> None:
    with pytest.raises(ElicitationDeclined):
        ask(title=secret)
    with pytest.raises(ElicitationDeclined):
        ask(text=f"Your {secret} please")
    with pytest.raises(ElicitationDeclined):
        ask(message=f"{secret}:")


@pytest.mark.parametrize("name", ["pin_code", "password", "api_key"])
def test_names_of_fields_count_too(name: str) -> None:
    with pytest.raises(ElicitationDeclined):
        ask(name=name, title="Value")


@pytest.mark.parametrize(
    "title",
    ["City", "Max tokens", "Token limit", "Spinning speed", "Opinion", "Shopping list", "Stand", "Passage"],
)
def test_other_forms_are_shown(title: str) -> None:
    ask(title=title, message="A form of the server", text="What it is for")


async def test_what_was_declined_is_said_once_with_its_reason() -> None:
    asked: list[Elicitation] = []
    elicitations = Elicitations("bank", ask=lambda _call, each: asked.append(each), log=lambda _line: None)
    form = types.ElicitRequestFormParams(
        message="Never tell us your PIN.",
        requested_schema={"type": "object", "properties": {"name": {"type": "string"}}},
    )
    async with asyncio.timeout(None) as timeout:
        with elicitations.during_call(7, CallLimit(timeout, limit_s=60.0, cap_s=60.0)):
            reply = await elicitations._answer(form)
    assert (reply.action, asked) == ("decline", [])
    said = elicitations.declined(7)
    assert "declined what bank asked you" in said
    assert "Never tell us your PIN." in said
    assert elicitations.declined(7) == elicitations.declined(8) == ""
