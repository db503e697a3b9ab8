"""The connection test of the settings: host, account, and a plain message for each failure."""

from __future__ import annotations

from pathlib import Path

import pytest

from fakes.fake_hub import TOKEN, FakeHub, Fault, Where
from fakes.fake_hub_api import USER
from fireside.core.errors import (
    HubAnswerInvalid,
    HubError,
    HubFailed,
    HubRateLimited,
    HubTokenRefused,
    HubUnreachable,
)
from fireside.core.secret_location import SecretLocation
from fireside.hub.hub_session import HubSession
from fireside.services.hub.hub_service import check_connection


def test_a_hub_that_answers_passes(shelf: FakeHub, session: HubSession) -> None:
    moments = iter([10.0, 10.25])
    result = check_connection(session, clock=lambda: next(moments))
    assert result.host == shelf.endpoint.removeprefix("http://")
    assert result.seconds == 0.25
    assert (result.user, result.token_location) == ("", SecretLocation.NONE)


def test_a_hub_without_models_passes(session: HubSession) -> None:
    assert check_connection(session).user == ""


def test_the_account_of_the_token_is_returned(shelf: FakeHub, with_token: HubSession) -> None:
    result = check_connection(with_token, token_location=SecretLocation.KEYRING)
    assert (result.user, result.token_location) == (USER, SecretLocation.KEYRING)
    assert len(shelf.seen) == 1


def test_an_invalid_token_is_reported(hub: FakeHub) -> None:
    session = HubSession(endpoint=hub.endpoint, token=lambda _: "hf_old")
    with pytest.raises(HubTokenRefused):
        check_connection(session)
    session.close()


def test_a_mirror_without_accounts_passes(shelf: FakeHub, with_token: HubSession) -> None:
    shelf.plan(Fault.STATUS, where=Where.API, status=404)
    assert check_connection(with_token).user == ""
    assert len(shelf.seen) == 2


FAULTS = [
    ({"fault": Fault.LOGIN_PAGE}, HubAnswerInvalid, "sign-in"),
    ({"fault": Fault.NONSENSE}, HubAnswerInvalid, "not a Hugging Face endpoint"),
    (
        {"fault": Fault.ANOTHER_ANSWER, "body": b'{"status": "ok"}'},
        HubAnswerInvalid,
        "not a Hugging Face endpoint",
    ),
    (
        {"fault": Fault.ANOTHER_ANSWER, "body": b"[" * 100_000},
        HubAnswerInvalid,
        "not a Hugging Face endpoint",
    ),
    ({"fault": Fault.ENDLESS}, HubAnswerInvalid, "too long"),
    ({"fault": Fault.STATUS, "status": 407}, HubUnreachable, "proxy"),
    ({"fault": Fault.STATUS, "status": 429}, HubRateLimited, "Too many requests"),
    ({"fault": Fault.STATUS, "status": 503}, HubFailed, "503"),
    ({"fault": Fault.DROP}, HubUnreachable, "lost"),
]


@pytest.mark.parametrize(("fault", "error", "message"), FAULTS)
def test_each_failure_has_a_plain_message(
    hub: FakeHub, session: HubSession, fault: dict[str, object], error: type[HubError], message: str
) -> None:
    hub.plan(**fault, where=Where.API)  # type: ignore[arg-type]
    with pytest.raises(error, match=message):
        check_connection(session)


@pytest.mark.parametrize(("fault", "error", "message"), FAULTS)
def test_each_failure_has_the_same_message_with_a_token(
    hub: FakeHub, with_token: HubSession, fault: dict[str, object], error: type[HubError], message: str
) -> None:
    hub.plan(**fault, where=Where.API)  # type: ignore[arg-type]
    with pytest.raises(error, match=message):
        check_connection(with_token)


def test_a_server_that_is_no_hub_is_reported(hub: FakeHub, session: HubSession) -> None:
    hub.plan(Fault.STATUS, where=Where.API, status=404)
    with pytest.raises(HubAnswerInvalid, match="not a Hugging Face endpoint"):
        check_connection(session)


@pytest.mark.parametrize("name", ["", "x" * 500, "a\\u202eb", "a\\nb"])
def test_an_invalid_account_name_is_refused(hub: FakeHub, with_token: HubSession, name: str) -> None:
    hub.plan(Fault.ANOTHER_ANSWER, where=Where.API, body=f'{{"name": "{name}"}}'.encode())
    with pytest.raises(HubAnswerInvalid):
        check_connection(with_token)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"proxy": "nonsense://x"}, "proxy or the certificates"),
        ({"proxy": "http://127.0.0.1:9"}, "connection refused"),
    ],
)
def test_an_invalid_proxy_is_reported(hub: FakeHub, settings: dict[str, str], message: str) -> None:
    session = HubSession(endpoint=hub.endpoint, proxy=settings["proxy"])
    with pytest.raises(HubUnreachable, match=message):
        check_connection(session)
    session.close()


@pytest.mark.parametrize("content", [None, b"no certificate"])
def test_invalid_certificates_are_reported(hub: FakeHub, tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "own-ca.pem"
    if content is not None:
        file.write_bytes(content)
    session = HubSession(endpoint=hub.endpoint, ca_file=str(file))
    with pytest.raises(HubUnreachable, match="certificates"):
        check_connection(session)
    session.close()


def test_a_redirect_to_another_host_carries_no_token(hub: FakeHub, with_token: HubSession) -> None:
    hub.plan(Fault.AWAY, where=Where.API)
    with pytest.raises(HubError):
        check_connection(with_token)
    assert [(seen.server, seen.authorization) for seen in hub.seen] == [
        ("hub", f"Bearer {TOKEN}"),
        ("content", None),
    ]
