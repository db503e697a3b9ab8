"""Every host with every origin, content type and token, sent byte by byte: what is answered and what runs."""

from __future__ import annotations

import asyncio
import json
from itertools import product
from pathlib import Path
from typing import NamedTuple

from fakes.api_harness import ApiHarness, api_harness, until
from fireside.api.options import ApiOptions
from fireside.settings.api_tokens import USUAL_SCOPES, TokenScope

PAGE = "https://notes.example.org"
EVIL = "evil.example"
APPS = ("app://obsidian.md", "tauri://localhost", "vscode-webview://0a1b2c")
OPTIONS = ApiOptions(origins=(PAGE, *APPS), hosts=("studio.lan",))
BODY = json.dumps({"messages": [{"role": "user", "content": "Hi"}]}).encode()
HOSTS = {"127.0.0.1": True, "localhost": True, "studio.lan": True, EVIL: False, f"127.0.0.1.{EVIL}": False}
SITES = {
    "": (True, False),
    f"Origin: {PAGE}": (True, True),
    "Sec-Fetch-Site: same-origin": (True, True),
    **{f"Origin: {app}": (True, True) for app in APPS},
    "Origin: app://another": (False, True),
    f"Origin: https://{EVIL}": (False, True),
    "Origin: null": (False, True),
    "Sec-Fetch-Site: cross-site": (False, True),
}
"""Whether what sends such a header may call, and whether it is a browser."""
TYPES = {"": False, "text/plain": False, "multipart/form-data; boundary=x": False, "application/json": True}
"""Whether a browser asks before it sends such a body."""


class Sent(NamedTuple):
    """One request of the matrix."""

    host: str
    site: str
    kind: str
    token: str


def expected(sent: Sent) -> int:
    may_call, is_browser = SITES[sent.site]
    if not (HOSTS[sent.host] and may_call):
        return 403
    if sent.token in ("none", "wrong", "revoked"):
        return 401
    if sent.token == "other scope":
        return 403
    return 415 if is_browser and not TYPES[sent.kind] else 200


def written(sent: Sent, *, port: int, tokens: dict[str, str]) -> bytes:
    presented = tokens.get(sent.token, "")
    lines = (
        "POST /v1/chat/completions HTTP/1.1",
        f"Host: {sent.host}:{port}",
        "Connection: close",
        f"Content-Length: {len(BODY)}",
        sent.site,
        f"Content-Type: {sent.kind}" if sent.kind else "",
        f"Authorization: Bearer {presented}" if presented else "",
    )
    return "\r\n".join((*filter(None, lines), "", "")).encode() + BODY


def made_tokens(harness: ApiHarness) -> dict[str, str]:
    tokens = {
        "right": harness.tokens.add("right", USUAL_SCOPES).reveal(),
        "other scope": harness.tokens.add(
            "other", frozenset({TokenScope.MANAGE, TokenScope.DOCUMENTS})
        ).reveal(),
        "revoked": harness.tokens.add("revoked", USUAL_SCOPES).reveal(),
        "wrong": "fs-wrong",
        "none": "",
    }
    harness.tokens.revoke(harness.tokens.all()[-1].id)
    return tokens


async def test_the_whole_matrix(tmp_path: Path, starter_model_path: Path) -> None:
    async with api_harness(tmp_path, starter=starter_model_path, options=OPTIONS) as place:
        tokens = made_tokens(place)
        n_right = 0
        for each in product(HOSTS, SITES, TYPES, tokens):
            sent = Sent(*each)
            answer = await place.raw(written(sent, port=place.port, tokens=tokens))
            assert answer.status == expected(sent), sent
            n_right += answer.status == 200
            # What is refused reaches no model, and no page may read the reply but the listed one.
            assert len(place.engine.requests) == n_right
            allowed = answer.headers.get("access-control-allow-origin")
            origin = sent.site.removeprefix("Origin: ")
            is_listed = HOSTS[sent.host] and origin in (PAGE, *APPS)
            assert allowed == (origin if is_listed else None), sent
        assert n_right > 10


async def test_no_request_hides_behind_another(tmp_path: Path, starter_model_path: Path) -> None:
    """Two readers of one connection could take these for different numbers of requests."""
    hidden = b"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n"
    async with api_harness(tmp_path, starter=starter_model_path) as place:
        begun = f"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:{place.port}\r\n".encode()
        for head, body in (
            (b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", b"0\r\n\r\n"),
            (b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", b"0\r\n\r\n"),
            (b"Transfer-Encoding : chunked\r\nContent-Length: 0\r\n", b""),
            (b"Transfer-Encoding: xchunked\r\n", b"0\r\n\r\n"),
            (b"Transfer-Encoding: chunked, identity\r\n", b"0\r\n\r\n"),
            (b"Content-Length: 0\r\nContent-Length: 5\r\n", b""),
            (b"Content-Length: +0\r\n", b""),
            (b"Content-Length: 0x0\r\n", b""),
            (b"Content-Length: 0\x0b\r\n", b""),
            (b"Transfer-Encoding: chunked\r\n", b"-1\r\n\r\n"),
            (b"Transfer-Encoding: chunked\r\n", b"0x0\r\n\r\n"),
            (b"Transfer-Encoding: chunked\r\n", b"1" * 40 + b"\r\n\r\n"),
        ):
            reader, writer = await place.connect()
            writer.write(begun + head + b"\r\n" + body + hidden)
            answered = await asyncio.wait_for(reader.read(), 20)
            writer.close()
            assert answered.count(b"HTTP/1.1 ") <= 1, (head, answered)
            assert b"HTTP/1.1 200" not in answered, (head, answered)
        assert place.engine.requests == []
        await until(lambda: not place.server._open_connections())
