"""Who may call: hosts, origins, content types and tokens, decided from a request's head alone. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Final

import msgspec

from fireside.api.refusal import Refusal
from fireside.settings.api_tokens import USUAL_SCOPES, Client, Scope, Tokens

MAX_HEAD_BYTES: Final = 16 * 1024
MAX_HEAD_LINES: Final = 100
_HEAD_LINE_EXTRA: Final = 4
"""A colon, a space and the end of the line."""
_HTTP_PORT: Final = "80"
_OWN_SITES: Final = frozenset({"", "same-origin", "none"})
_CLOSE: Final = (("connection", "close"),)

RawHeaders = Sequence[tuple[bytes, bytes]]


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """Whom the server listens to."""

    hosts: frozenset[str]
    """``name:port`` in lower case, as clients write them in ``Host``."""
    origins: frozenset[str] = frozenset()
    """Web pages that may call, such as ``https://example.org``."""
    needs_token: bool = True


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """What stands before a request's body."""

    method: str
    path: str
    headers: dict[str, str]

    @property
    def origin(self) -> str:
        """The web page that asks; empty for programs."""
        return self.headers.get("origin", "")


def read_head(method: str, path: str, raw: RawHeaders) -> Head:
    """Return a head that is plain: of a sane size, for one host, and with one way to tell its length.

    Raises ``Refusal``.
    """
    if sum(len(name) + len(value) + _HEAD_LINE_EXTRA for name, value in raw) > MAX_HEAD_BYTES:
        raise Refusal(
            HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "The headers are too large.", headers=_CLOSE
        )
    if len(raw) > MAX_HEAD_LINES:
        raise Refusal(
            HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "There are too many headers.", headers=_CLOSE
        )
    names = [name for name, _ in raw]
    if names.count(b"host") != 1:
        raise Refusal(HTTPStatus.BAD_REQUEST, "A request names one Host.", headers=_CLOSE)
    if b"transfer-encoding" in names and b"content-length" in names:
        raise Refusal(HTTPStatus.BAD_REQUEST, "A request has one length, not two.", headers=_CLOSE)
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in raw}
    return Head(method=method, path=path, headers=headers)


def check_site(head: Head, policy: Policy) -> None:
    """Refuse what a web page sends that is not allowed to, and names that lead here by deceit.

    Raises ``Refusal``.
    """
    host = head.headers["host"].lower()
    if host not in policy.hosts:
        raise Refusal(
            HTTPStatus.FORBIDDEN,
            f"Host “{host}” is not allowed. Add it to the setting “api.hosts” to allow it.",
            code="host_not_allowed",
        )
    if head.origin in policy.origins:
        return
    if head.origin or head.headers.get("sec-fetch-site", "").lower() not in _OWN_SITES:
        raise Refusal(
            HTTPStatus.FORBIDDEN,
            f"Origin “{head.origin or 'unknown'}” is not allowed. Add it to the setting “api.origins” to "
            "allow it.",
            code="origin_not_allowed",
        )


def check_content_type(head: Head) -> None:
    """Refuse bodies that a web page can send without being asked first. Raises ``Refusal``."""
    kind = head.headers.get("content-type", "").partition(";")[0].strip().lower()
    is_browser = bool(head.origin) or any(name.startswith("sec-fetch-") for name in head.headers)
    # Programs often name no type, or that of a form; browsers always say who they are.
    if kind != "application/json" and is_browser:
        raise Refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Send the body as application/json.")


def client_of(head: Head, policy: Policy, tokens: Tokens, *, address: str) -> Client:
    """Return who asks. Raises ``Refusal`` where a token is needed and none is right."""
    presented = _presented(head)
    for text in presented:
        client = tokens.owner_of(text)
        if client is not None:
            return client
    if not policy.needs_token:
        return Client(id=address, name=address, scopes=USUAL_SCOPES)
    what = "This token is wrong or revoked." if presented else "A token is needed."
    raise Refusal(
        HTTPStatus.UNAUTHORIZED,
        f"{what} Send “Authorization: Bearer TOKEN”; “fireside api-token add NAME” makes one.",
        code="invalid_api_key",
        headers=(("www-authenticate", "Bearer"),),
    )


def check_scope(client: Client, scope: Scope) -> None:
    """Refuse what the client's token is not for. Raises ``Refusal``."""
    if scope not in client.scopes:
        raise Refusal(
            HTTPStatus.FORBIDDEN,
            f"A token with the scope “{scope}” is needed. “fireside api-token add NAME --scope {scope}” "
            "makes one.",
            code="scope_missing",
        )


def cors_headers(head: Head, policy: Policy) -> tuple[tuple[str, str], ...]:
    """Return what lets a web page read the reply: nothing, unless its origin is listed."""
    if head.origin not in policy.origins:
        return ()
    return (
        ("access-control-allow-origin", head.origin),
        ("access-control-allow-methods", "GET, POST, OPTIONS"),
        ("access-control-allow-headers", head.headers.get("access-control-request-headers", "*")),
        ("access-control-max-age", "600"),
        ("vary", "Origin"),
    )


def host_names(names: Iterable[str], *, port: int) -> frozenset[str]:
    """Return host names as clients write them; one that names a port stays as it is."""
    found = set()
    for name in names:
        plain = name.strip().lower()
        host = f"[{plain}]" if plain.count(":") > 1 and not plain.startswith("[") else plain
        has_port = host.rpartition("]")[2].count(":") == 1
        found.add(host if has_port else f"{host}:{port}")
        if not has_port and str(port) == _HTTP_PORT:
            found.add(host)
    return frozenset(found)


def _presented(head: Head) -> list[str]:
    scheme, _, text = head.headers.get("authorization", "").partition(" ")
    found = [text.strip()] if scheme.lower() == "bearer" else []
    return [each for each in (*found, head.headers.get("x-api-key", "").strip()) if each]
