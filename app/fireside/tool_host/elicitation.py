"""Elicitation: requests of a server to the user during a call, as forms or as addresses to open."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from itertools import count
from typing import Any, Final

from mcp import types
from mcp.client.context import ClientRequestContext

from fireside.core.elicitation import (
    Elicitation,
    ElicitationAction,
    ElicitationField,
    ElicitationReply,
    FieldKind,
)
from fireside.tool_host.call_limit import CallLimit

_CALL: ContextVar[int] = ContextVar("call", default=0)
_CANCELLED: Final = ElicitationReply(number=0, action=ElicitationAction.CANCEL)
_MAX_FIELDS: Final = 30
_MAX_OPTIONS: Final = 200
_MAX_LABEL_CHARS: Final = 500
_MAX_MESSAGE_CHARS: Final = 4_000
_MAX_URL_CHARS: Final = 4_000
_SECRET: Final = re.compile(
    r"pass[ _-]?(word|wd|phrase|code|wort)|kennwort|geheim|mot de passe|contrase[nñ]a|senha|wachtwoord|пароль"
    r"|密码|密碼|パスワード|비밀번호|secret|credential|zugangsdaten"
    r"|\btoken\b(?! (limit|count|budget))|\botp\b|\b[mt]?tan\b"
    r"|(api|access|private|auth|zugangs)[ _-]?(key|schl[uü]ssel|code)|(one[ _-]?time|einmal)[ _-]?(code|pass)"
    r"|(recovery|seed|backup|mnemonic)[ _-]?(phrase|words?|code|key)|\bpin(?![a-z])|\bcvv|\bcvc|\biban\b"
    r"|(credit|debit)[ _-]?card|kreditkarte|(card|karten)[ _-]?(number|nummer)",
    re.IGNORECASE,
)
"""What a form must not ask for, in the program's languages and those most spoken."""
_LOOKALIKES: Final = str.maketrans("аеорсухіѕԁɡ", "aeopcyxisdg")
"""Cyrillic letters that look like Latin ones."""
_KINDS: Final = {
    "string": FieldKind.TEXT,
    "number": FieldKind.NUMBER,
    "integer": FieldKind.INTEGER,
    "boolean": FieldKind.SWITCH,
    "array": FieldKind.CHOICES,
}


class ElicitationDeclined(Exception):
    """The request is not shown to the user; the message is the reason."""


class Elicitations:
    """The requests of one server. The user's time does not count as time of the call."""

    def __init__(
        self,
        server: str,
        *,
        ask: Callable[[int, Elicitation], None],
        log: Callable[[bytes], None],
    ) -> None:
        """``ask`` gets the number of the call; ``log`` gets why a request is not shown to the user."""
        self._server = server
        self._ask = ask
        self._log = log
        self._numbers = count(1)
        self._pending: dict[int, tuple[int, asyncio.Future[ElicitationReply]]] = {}
        self._completed: set[str] = set()
        self._has_completed = asyncio.Event()
        self._limits: dict[int, CallLimit] = {}
        """Of the running calls, in the order of their start."""
        self._declined: dict[int, list[str]] = {}

    @contextlib.contextmanager
    def during_call(self, call: int, limit: CallLimit) -> Iterator[None]:
        """Attribute requests in this block to a call, whose limit pauses meanwhile."""
        token = _CALL.set(call)
        self._limits[call] = limit
        try:
            yield
        finally:
            del self._limits[call]
            _CALL.reset(token)
            for of_call, future in tuple(self._pending.values()):
                if of_call == call and not future.done():
                    future.set_result(_CANCELLED)

    def declined(self, call: int) -> str:
        """Return what a call asked that was not shown to the user, as lines for its result; each once."""
        return "".join(f"\n[{line}]" for line in self._declined.pop(call, ()))

    def handle_reply(self, reply: ElicitationReply) -> None:
        """Handle the user's reply; ignored if its elicitation has ended."""
        _, future = self._pending.get(reply.number, (0, None))
        if future is not None and not future.done():
            future.set_result(reply)

    async def handle_request(
        self,
        context: ClientRequestContext,  # noqa: ARG002 - the library's signature
        params: types.ElicitRequestParams,
    ) -> types.ElicitResult:
        """Return the user's reply to an elicitation; decline what must not be shown to the user."""
        return await self._answer(params)

    async def open_pages(self, pages: Iterable[types.ElicitRequestURLParams]) -> bool:
        """Have the user open the pages that a server needs, and wait until the server reports them as
        completed.

        Return whether the user opened all of them.
        """
        for page in pages:
            if (await self._answer(page)).action != "accept":
                return False
            limit = self._limits[_CALL.get()]
            limit.pause()
            while page.elicitation_id not in self._completed:
                await self._has_completed.wait()
                self._has_completed.clear()
            limit.resume()
        return True

    def note_completed(self, elicitation_id: str) -> None:
        """Handle the server's report that the user has completed a page."""
        self._completed.add(elicitation_id)
        self._has_completed.set()

    async def _answer(self, params: types.ElicitRequestParams) -> types.ElicitResult:
        try:
            elicitation = _elicitation(params, number=next(self._numbers), server=self._server)
        except ElicitationDeclined as exc:
            self._log(f"Declined what it asked the user: {exc}.\n".encode())
            call = _CALL.get() or next(reversed(self._limits), 0)
            self._declined.setdefault(call, []).append(
                f"Fireside declined what {self._server} asked you, without showing it: {exc}. "
                "Give secrets to a program only where you set it up."
            )
            return types.ElicitResult(action="decline")
        # Before revision 2026-07-28 a server does not state the call that a request belongs to.
        call = _CALL.get() or next(reversed(self._limits), 0)
        if call not in self._limits:
            self._log(b"Cancelled what it asked the user: it runs no call of a chat.\n")
            return types.ElicitResult(action="cancel")
        reply = await self._wait_for_reply(call, elicitation)
        if reply.action is not ElicitationAction.ACCEPT or elicitation.url:
            return types.ElicitResult(action=reply.action.value)
        content: dict[str, str | int | float | bool | list[str] | None] = {
            name: list(value) if isinstance(value, tuple) else value for name, value in reply.content.items()
        }
        return types.ElicitResult(action="accept", content=content)

    async def _wait_for_reply(self, call: int, elicitation: Elicitation) -> ElicitationReply:
        limit = self._limits[call]
        future: asyncio.Future[ElicitationReply] = asyncio.get_running_loop().create_future()
        self._pending[elicitation.number] = (call, future)
        limit.pause()
        self._ask(call, elicitation)
        try:
            return await future
        finally:
            del self._pending[elicitation.number]
            if call in self._limits:
                limit.resume()


def _elicitation(params: types.ElicitRequestParams, *, number: int, server: str) -> Elicitation:
    """Return the request as it is shown to the user. Raises ``ElicitationDeclined``."""
    message = params.message[:_MAX_MESSAGE_CHARS]
    if isinstance(params, types.ElicitRequestURLParams):
        if not params.url.startswith(("https://", "http://")) or len(params.url) > _MAX_URL_CHARS:
            raise ElicitationDeclined("its address is none of the web")
        return Elicitation(number=number, server=server, message=message, url=params.url)
    properties = params.requested_schema.get("properties")
    if not isinstance(properties, dict) or len(properties) > _MAX_FIELDS:
        raise ElicitationDeclined("its form has no fields, or too many")
    required = params.requested_schema.get("required") or ()
    fields = tuple(_field(name, schema, required=required) for name, schema in properties.items())
    texts = [message, *(f"{field.name} {field.label} {field.description}" for field in fields)]
    for text in texts:
        if _SECRET.search(text) or _SECRET.search(text.translate(_LOOKALIKES)):
            raise ElicitationDeclined(f"its form asks for a secret, {text[:_MAX_LABEL_CHARS]!r}")
    return Elicitation(number=number, server=server, message=message, fields=fields)


def _field(name: str, schema: Any, *, required: Any) -> ElicitationField:
    if not isinstance(schema, dict) or schema.get("type") not in _KINDS:
        raise ElicitationDeclined(f"its form has a field of an unknown type, {name[:_MAX_LABEL_CHARS]!r}")
    kind = _KINDS[schema["type"]]
    options = _options(schema["items"] if kind is FieldKind.CHOICES and "items" in schema else schema)
    if options and kind is FieldKind.TEXT:
        kind = FieldKind.CHOICE
    low, high = ("minLength", "maxLength") if kind is FieldKind.TEXT else ("minimum", "maximum")
    if kind is FieldKind.CHOICES:
        low, high = "minItems", "maxItems"
    return ElicitationField(
        name=name,
        label=str(schema.get("title") or name)[:_MAX_LABEL_CHARS],
        description=str(schema.get("description") or "")[:_MAX_LABEL_CHARS],
        kind=kind,
        is_required=isinstance(required, list) and name in required,
        options=options,
        default=_default(schema.get("default")),
        minimum=_number(schema.get(low)),
        maximum=_number(schema.get(high)),
    )


def _options(schema: Any) -> tuple[tuple[str, str], ...]:
    if not isinstance(schema, dict):
        return ()
    titled = schema.get("oneOf") or schema.get("anyOf")
    if isinstance(titled, list):
        options = [
            (str(option.get("const", "")), str(option.get("title") or option.get("const", "")))
            for option in titled
            if isinstance(option, dict)
        ]
    else:
        values, names = _list(schema.get("enum")), _list(schema.get("enumNames"))
        options = [(str(value), str(name)) for value, name in zip(values, names or values, strict=False)]
    return tuple((value, label[:_MAX_LABEL_CHARS]) for value, label in options[:_MAX_OPTIONS])


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _default(value: Any) -> str | int | float | bool | tuple[str, ...] | None:
    match value:
        case bool() | int() | float() | str():
            return value
        case list():
            return tuple(map(str, value))
        case _:
            return None


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
