"""HTTP requests and responses as the dialects see them, independent of the protocol."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
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


def decode_json(body: bytes, kind: type[BodyT]) -> BodyT:
    """Decode JSON as ``kind``; NaN and lone surrogates are rejected. Raises ``HttpError``."""
    try:
        return msgspec.json.decode(body or b"{}", type=kind)
    except msgspec.ValidationError as exc:
        message, _, location = str(exc).partition(" - at `$")
        param = location.removesuffix("`").lstrip(".") or None
        raise invalid(f"{param}: {message}" if param else message, param=param) from exc
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
