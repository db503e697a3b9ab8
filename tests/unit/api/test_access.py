"""Who may call: every host, origin, content type and token, decided without a socket."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from fireside.api.access import (
    AccessPolicy,
    RequestHead,
    authenticate,
    check_content_type,
    check_host_and_origin,
    cors_headers,
    host_names,
    parse_head,
)
from fireside.api.http_error import HttpError
from fireside.settings.api_tokens import ApiTokens, TokenScope

PORT = 3473
PAGE = "https://notes.example.org"
POLICY = AccessPolicy(
    hosts=host_names(("localhost", "127.0.0.1", "::1", "Studio.Lan"), port=PORT), origins=frozenset({PAGE})
)
GOOD_HOSTS = ("localhost:3473", "127.0.0.1:3473", "[::1]:3473", "LOCALHOST:3473", "studio.lan:3473")
BAD_HOSTS = (
    "",
    "localhost",
    "localhost:1",
    "localhost:34730",
    "evil.com:3473",
    "127.0.0.1.evil.com:3473",
    "localhost.evil.com:3473",
    "evil.com@localhost:3473",
    "127.0.0.1:3473, evil.com",
    "0.0.0.0:3473",
    "[::]:3473",
    "localhost:3473.",
    "::1:3473",
    " localhost:3473 x",
)
OWN: tuple[dict[str, str], ...] = (
    {},
    {"sec-fetch-site": "same-origin"},
    {"sec-fetch-site": "none"},
    {"sec-fetch-mode": "cors"},
)
FOREIGN = (
    {"origin": "https://evil.com"},
    {"origin": "null"},
    {"origin": "file://"},
    {"origin": "http://localhost:3473.evil.com"},
    {"origin": "http://localhost:3473"},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"origin": PAGE + ".evil.com"},
    {"origin": PAGE.upper()},
)


def head(**headers: str) -> RequestHead:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return RequestHead(method="POST", path="/v1/models", headers={"host": "localhost:3473", **named})


def is_let_in(headers: dict[str, str]) -> bool:
    try:
        check_host_and_origin(RequestHead(method="POST", path="/", headers=headers), POLICY)
    except HttpError as refusal:
        return refusal.status != 403
    return True


@pytest.mark.parametrize("host", GOOD_HOSTS)
def test_a_name_of_this_computer_is_let_in(host: str) -> None:
    assert all(is_let_in({"host": host, **each}) for each in (*OWN, {"origin": PAGE}))


@pytest.mark.parametrize("host", BAD_HOSTS)
def test_any_other_name_is_refused_whatever_else_is_right(host: str) -> None:
    assert not any(is_let_in({"host": host, **each}) for each in (*OWN, *FOREIGN, {"origin": PAGE}))


@pytest.mark.parametrize("site", FOREIGN)
def test_a_foreign_page_is_refused_by_every_name(site: dict[str, str]) -> None:
    assert not any(is_let_in({"host": host, **site}) for host in (*GOOD_HOSTS, *BAD_HOSTS))


def test_a_refusal_names_the_host_and_the_setting() -> None:
    with pytest.raises(HttpError, match=r"evil\.com:3473.*api\.hosts"):
        check_host_and_origin(head(host="evil.com:3473"), POLICY)


def test_only_a_listed_page_may_read_the_reply() -> None:
    assert dict(cors_headers(head(origin=PAGE), POLICY))["access-control-allow-origin"] == PAGE
    assert cors_headers(head(origin="https://evil.com"), POLICY) == ()
    assert cors_headers(head(), POLICY) == ()


SIMPLE_TYPES = ("", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "text/json")
JSON_TYPES = ("application/json", "application/json; charset=utf-8", "Application/JSON")
BROWSERS = ({"origin": PAGE}, {"sec_fetch_site": "same-origin"}, {"sec_fetch_mode": "no-cors"})


@pytest.mark.parametrize(("kind", "browser"), list(product(SIMPLE_TYPES, BROWSERS)))
def test_what_a_form_can_send_is_not_taken_from_a_browser(kind: str, browser: dict[str, str]) -> None:
    with pytest.raises(HttpError) as refused:
        check_content_type(head(content_type=kind, **browser))
    assert refused.value.status == 415


@pytest.mark.parametrize(("kind", "sender"), list(product(JSON_TYPES, (*BROWSERS, {}))))
def test_json_is_taken_from_all(kind: str, sender: dict[str, str]) -> None:
    check_content_type(head(content_type=kind, **sender))


@pytest.mark.parametrize("kind", SIMPLE_TYPES)
def test_programs_need_not_name_the_type(kind: str) -> None:
    check_content_type(head(content_type=kind))


def test_every_way_to_present_a_token(tmp_path: Path) -> None:
    tokens = ApiTokens(tmp_path / "tokens.json")
    text = tokens.add("editor", frozenset({TokenScope.ANSWER})).reveal()
    for headers in (
        {"authorization": f"Bearer {text}"},
        {"authorization": f"bearer  {text}"},
        {"x_api_key": text},
        {"x_api_key": text, "authorization": "Bearer other"},
    ):
        client = authenticate(head(**headers), POLICY, tokens, address="127.0.0.1")
        assert (client.name, client.scopes) == ("editor", frozenset({TokenScope.ANSWER}))
    for headers in (
        {},
        {"authorization": text},
        {"authorization": f"Basic {text}"},
        {"authorization": "Bearer "},
        {"authorization": f"Bearer {text}x"},
        {"x_api_key": text[:-1]},
        {"cookie": f"token={text}"},
        {"api_key": text},
    ):
        with pytest.raises(HttpError) as refused:
            authenticate(head(**headers), POLICY, tokens, address="127.0.0.1")
        assert refused.value.status == 401
        is_presented = headers.get("authorization", "").startswith("Bearer f") or "x_api_key" in headers
        assert ("wrong or revoked" in refused.value.message) == is_presented


def test_where_no_token_is_needed_a_wrong_one_does_no_harm(tmp_path: Path) -> None:
    open_policy = AccessPolicy(hosts=POLICY.hosts, needs_token=False)
    tokens = ApiTokens(tmp_path / "tokens.json")
    client = authenticate(head(authorization="Bearer ollama"), open_policy, tokens, address="127.0.0.1")
    assert client.scopes == {TokenScope.ANSWER, TokenScope.LOAD}


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        ([], 400),
        ([(b"host", b"a"), (b"host", b"a")], 400),
        ([(b"host", b"a"), (b"origin", b"https://evil.example"), (b"origin", b"https://good.example")], 400),
        ([(b"host", b"a"), (b"content-length", b"1"), (b"transfer-encoding", b"chunked")], 400),
        ([(b"host", b"a"), (b"x", b"y" * 16_384)], 431),
        ([(b"host", b"a"), *[(b"x", b"y")] * 100], 431),
    ],
)
def test_a_head_that_two_readers_could_understand_differently(
    raw: list[tuple[bytes, bytes]], status: int
) -> None:
    with pytest.raises(HttpError) as refused:
        parse_head("POST", "/", raw)
    assert refused.value.status == status


def test_names_are_written_as_clients_write_them() -> None:
    assert host_names(("a", "B:1", "::1", "[::2]:9"), port=80) == {
        *("a:80", "a", "b:1", "[::1]:80", "[::1]", "[::2]:9")
    }
