"""HTTP requests and responses as the dialects see them, independent of the protocol."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, TypeVar

import msgspec

from fireside.api.activity import RequestActivity
from fireside.api.http_error import HttpError, invalid
from fireside.settings.api_tokens import Client, Scope

JSON: Final = "application/json"
EVENT_STREAM: Final = "text/event-stream"
NDJSON: Final = "application/x-ndjson"

_OFF_LOOP_BYTES: Final = 256 * 1024
"""A larger body is decoded in a thread, so that streams do not stall."""

_MAX_REPAIRS: Final = 32
_MAY_BE_NO_TEXT: Final = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")
_ESCAPE: Final = re.compile(
    rb"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(?P<no_text>u(?:0000|[dD][89a-fA-F]..))|.)", re.DOTALL
)
"""An escape in JSON: a surrogate pair, one that stands for no character of a text, or any other."""

BodyT = TypeVar("BodyT")


class HttpRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request that passed access control."""

    path: str
    headers: Mapping[str, str]
    """By lower-case name; the last value of a repeated header."""
    body: bytes
    client: Client
    running: RequestActivity
    """Records the progress of the request."""

    async def read(self, kind: type[BodyT]) -> BodyT:
        """Decode the JSON body as ``kind``. Raises ``HttpError`` with the name of the invalid field."""
        if len(self.body) > _OFF_LOOP_BYTES:
            return await asyncio.to_thread(decode_json, self.body, kind)
        return decode_json(self.body, kind)


def _repaired(value: Any, kind: type[BodyT], error: msgspec.ValidationError) -> BodyT:
    """Decode a body without the nulls and fractions .0 that ``error`` and those after it name."""
    for _ in range(_MAX_REPAIRS):
        message, _, location = str(error).partition(" - at `$")
        keys = re.findall(r"\[\.\.\.\]|\[\d+\]|[^.\[\]`]+", location)
        if not keys or not _repair(value, keys, message):
            break
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as exc:
            error = exc
    raise _invalid_field(error) from error


def _invalid_field(error: msgspec.ValidationError) -> HttpError:
    message, _, location = str(error).partition(" - at `$")
    param = location.removesuffix("`").lstrip(".") or None
    return invalid(f"{param}: {message}" if param else message, param=param)


def _as_text(escape: re.Match[bytes]) -> bytes:
    return rb"\ufffd" if escape.lastgroup == "no_text" else escape[0]


def _repair(value: Any, keys: Sequence[str], message: str) -> bool:
    """Mend what stands at ``keys``, of which ``[...]`` is any item. Return whether there was something."""
    key, *deeper = keys
    if key == "[...]":
        items = (
            range(len(value)) if isinstance(value, list) else list(value) if isinstance(value, dict) else ()
        )
    elif key.startswith("["):
        items = [int(key[1:-1])] if isinstance(value, list) and int(key[1:-1]) < len(value) else ()
    else:
        items = [key] if isinstance(value, dict) and key in value else ()
    if deeper:
        return sum(_repair(value[each], deeper, message) for each in items) > 0
    has_mended = False
    for each in items:
        if "got `null`" in message and value[each] is None and isinstance(value, dict):
            del value[each]
            has_mended = True
        elif "got `float`" in message and isinstance(value[each], float) and value[each].is_integer():
            value[each] = int(value[each])
            has_mended = True
    return has_mended


def decode_json(body: bytes, kind: type[BodyT]) -> BodyT:
    """Decode JSON as ``kind``; NaN is rejected. Raises ``HttpError``.

    Clients cannot mend what they once stored, and send it again with each request. So a null where none is
    expected is a field that is not set, 8.0 is a whole number, and what no text may contain, NUL and one half
    of a surrogate pair, becomes U+FFFD.
    """
    if _MAY_BE_NO_TEXT.search(body):
        body = _ESCAPE.sub(_as_text, body)
    try:
        try:
            return msgspec.json.decode(body or b"{}", type=kind)
        except msgspec.ValidationError as exc:
            if "got `null`" not in str(exc) and "got `float`" not in str(exc):
                raise _invalid_field(exc) from exc
            return _repaired(msgspec.json.decode(body), kind, exc)
    except (msgspec.DecodeError, UnicodeDecodeError) as exc:
        raise invalid(f"The body is not valid JSON: {exc}") from exc
    except RecursionError as exc:
        raise invalid("The body is nested too deeply.") from exc


class HttpResponse(msgspec.Struct, frozen=True, kw_only=True):
    """A complete response."""

    body: bytes = b""
    status: int = HTTPStatus.OK
    content_type: str = JSON
    headers: tuple[tuple[str, str], ...] = ()


class StreamingResponse(msgspec.Struct, frozen=True, kw_only=True):
    """A response in chunks. ``error_chunk`` encodes an error after the start as the last chunk."""

    chunks: AsyncIterator[bytes]
    error_chunk: Callable[[HttpError], bytes]
    heartbeat: bytes
    """Sent when there was no chunk for a while; clients ignore it."""
    content_type: str = EVENT_STREAM


Handler = Callable[[HttpRequest], Awaitable["HttpResponse | StreamingResponse"]]


class Dialect(msgspec.Struct, frozen=True, kw_only=True):
    """How errors are sent in one dialect."""

    error: Callable[[HttpError], Any]
    """The body of an error, to be encoded as JSON."""
    busy_status: int = HTTPStatus.SERVICE_UNAVAILABLE


class Route(msgspec.Struct, frozen=True, kw_only=True):
    """The handler of a path. Only ``is_public`` routes need no token."""

    handler: Handler
    scope: Scope = Scope.ANSWER
    is_public: bool = False


def json_response(value: object) -> HttpResponse:
    """Return ``value`` as a JSON response."""
    return HttpResponse(body=msgspec.json.encode(value))


def sse_event(data: object, *, name: str = "") -> bytes:
    """Return one server-sent event."""
    head = f"event: {name}\n".encode() if name else b""
    return b"%sdata: %s\n\n" % (head, msgspec.json.encode(data))


def ndjson_line(data: object) -> bytes:
    """Return one line of an NDJSON stream."""
    return msgspec.json.encode(data) + b"\n"
