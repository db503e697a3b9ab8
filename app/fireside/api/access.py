"""Access control by a request's head: host, origin, content type and token. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from http import HTTPStatus
from typing import Final

import msgspec

from fireside.api.http_error import HttpError
from fireside.settings.api_tokens import USUAL_SCOPES, ApiTokens, Client, TokenScope

MAX_HEAD_BYTES: Final = 16 * 1024
MAX_HEAD_LINES: Final = 100
_HEAD_LINE_EXTRA: Final = 4
"""A colon, a space and the end of the line."""
_HTTP_PORT: Final = 80
_OWN_SITES: Final = frozenset({"", "same-origin", "none"})
_CLOSE: Final = (("connection", "close"),)

RawHeaders = Sequence[tuple[bytes, bytes]]


class AccessPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """Who may send requests."""

    hosts: frozenset[str]
    """Allowed values of ``Host``: ``name:port`` in lower case."""
    origins: frozenset[str] = frozenset()
    """Allowed values of ``Origin``, such as ``https://example.org``."""
    needs_token: bool = True
    is_own_host: Callable[[str], bool] = lambda _: False
    """Whether a value of ``Host`` beside ``hosts`` is allowed."""


class RequestHead(msgspec.Struct, frozen=True, kw_only=True):
    """Method, path and headers of a request."""

    method: str
    path: str
    headers: dict[str, str]

    @property
    def origin(self) -> str:
        """The origin of the web page that sends the request; empty for programs."""
        return self.headers.get("origin", "")


def parse_head(method: str, path: str, raw: RawHeaders) -> RequestHead:
    """Parse a request's head: it must be short, and have one ``Host``, at most one ``Origin`` and one kind of
    length.

    Raises ``HttpError``.
    """
    too_large = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
    if sum(len(name) + len(value) + _HEAD_LINE_EXTRA for name, value in raw) > MAX_HEAD_BYTES:
        raise HttpError(too_large, "The headers are too large.", headers=_CLOSE)
    if len(raw) > MAX_HEAD_LINES:
        raise HttpError(too_large, "There are too many headers.", headers=_CLOSE)
    names = [name for name, _ in raw]
    if names.count(b"host") != 1:
        raise HttpError(HTTPStatus.BAD_REQUEST, "A request names one Host.", headers=_CLOSE)
    if names.count(b"origin") > 1:
        raise HttpError(HTTPStatus.BAD_REQUEST, "A request has one Origin.", headers=_CLOSE)
    if b"transfer-encoding" in names and b"content-length" in names:
        raise HttpError(HTTPStatus.BAD_REQUEST, "A request has one length, not two.", headers=_CLOSE)
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in raw}
    return RequestHead(method=method, path=path, headers=headers)


def check_host_and_origin(head: RequestHead, policy: AccessPolicy) -> None:
    """Reject web pages that are not allowed and, against DNS rebinding, unknown host names.

    Raises ``HttpError``.
    """
    host = head.headers["host"].lower()
    if host not in policy.hosts and not policy.is_own_host(host):
        raise HttpError(
            HTTPStatus.FORBIDDEN,
            f"Host “{host}” is not allowed. Add it to the setting “api.hosts” to allow it.",
            code="host_not_allowed",
        )
    if head.origin in policy.origins:
        return
    if head.origin or head.headers.get("sec-fetch-site", "").lower() not in _OWN_SITES:
        raise HttpError(
            HTTPStatus.FORBIDDEN,
            f"Origin “{head.origin or 'unknown'}” is not allowed. Add it to the setting “api.origins” to "
            "allow it.",
            code="origin_not_allowed",
        )


def check_content_type(head: RequestHead) -> None:
    """Reject bodies that a web page can send without a CORS preflight. Raises ``HttpError``."""
    content_type = head.headers.get("content-type", "").partition(";")[0].strip().lower()
    is_browser = bool(head.origin) or any(name.startswith("sec-fetch-") for name in head.headers)
    # Programs often send no content type, or a form's; browsers always send Origin or Sec-Fetch-*.
    if content_type != "application/json" and is_browser:
        raise HttpError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Send the body as application/json.")


def authenticate(
    head: RequestHead, policy: AccessPolicy, tokens: ApiTokens, *, address: str, is_device: bool = False
) -> Client:
    """Return the client by its token, with ``is_device`` by one of another device alone. Raises ``HttpError``
    if a token is needed and none is valid."""
    presented = _presented_tokens(head)
    for token in presented:
        client = tokens.client_of(token, is_device=is_device)
        if client is not None:
            return client
    if not policy.needs_token:
        return Client(id=address, name=address, scopes=USUAL_SCOPES)
    what = "This token is wrong or revoked." if presented else "A token is needed."
    raise HttpError(
        HTTPStatus.UNAUTHORIZED,
        f"{what} Send “Authorization: Bearer TOKEN”; “fireside api-token add NAME” makes one.",
        code="invalid_api_key",
        headers=(("www-authenticate", "Bearer"),),
    )


def check_scope(client: Client, scope: TokenScope) -> None:
    """Reject a client whose token lacks ``scope``. Raises ``HttpError``."""
    if scope not in client.scopes:
        raise HttpError(
            HTTPStatus.FORBIDDEN,
            f"A token with the scope “{scope}” is needed. “fireside api-token add NAME --scope {scope}” "
            "makes one.",
            code="scope_missing",
        )


def cors_headers(head: RequestHead, policy: AccessPolicy) -> tuple[tuple[str, str], ...]:
    """Return the CORS headers of a reply; none, unless the origin is allowed."""
    if head.origin not in policy.origins:
        return ()
    return (
        ("access-control-allow-origin", head.origin),
        ("access-control-allow-methods", "GET, POST, DELETE, OPTIONS"),
        ("access-control-allow-headers", head.headers.get("access-control-request-headers", "*")),
        ("access-control-expose-headers", "*"),
        ("access-control-max-age", "600"),
        ("vary", "Origin"),
    )


def host_names(names: Iterable[str], *, port: int) -> frozenset[str]:
    """Return the values of ``Host`` that clients send for ``names``; a name with a port is kept."""
    hosts = set()
    for name in names:
        plain = name.strip().lower()
        host = f"[{plain}]" if plain.count(":") > 1 and not plain.startswith("[") else plain
        has_port = host.rpartition("]")[2].count(":") == 1
        hosts.add(host if has_port else f"{host}:{port}")
        if not has_port and port == _HTTP_PORT:
            hosts.add(host)
    return frozenset(hosts)


def _presented_tokens(head: RequestHead) -> list[str]:
    scheme, _, credentials = head.headers.get("authorization", "").partition(" ")
    bearer = credentials.strip() if scheme.lower() == "bearer" else ""
    return [token for token in (bearer, head.headers.get("x-api-key", "").strip()) if token]
