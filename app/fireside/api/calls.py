"""One call of a client and what it gets back, without the wire around them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Any, Final, TypeVar

import msgspec

from fireside.api.activity import RunningCall
from fireside.api.refusal import Refusal, invalid
from fireside.settings.api_tokens import Client, Scope

JSON: Final = "application/json"
EVENT_STREAM: Final = "text/event-stream"
NDJSON: Final = "application/x-ndjson"

_OFF_LOOP_BYTES: Final = 256 * 1024
"""A body larger than this is decoded in a thread: the loop has streams to serve."""

BodyT = TypeVar("BodyT")


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """What a client asks for, once it may ask."""

    path: str
    headers: Mapping[str, str]
    """By lower-case name; of a name that comes twice, the last."""
    body: bytes
    client: Client
    running: RunningCall
    """Takes note of what is done for it."""

    async def read(self, kind: type[BodyT]) -> BodyT:
        """Return the body as ``kind``. Raises ``Refusal``, which names the field that is wrong."""
        if len(self.body) > _OFF_LOOP_BYTES:
            return await asyncio.to_thread(decoded, self.body, kind)
        return decoded(self.body, kind)


def decoded(body: bytes, kind: type[BodyT]) -> BodyT:
    """Return JSON as ``kind``: no NaN, no half characters. Raises ``Refusal``."""
    try:
        return msgspec.json.decode(body or b"{}", type=kind)
    except msgspec.ValidationError as exc:
        words, _, place = str(exc).partition(" - at `$")
        param = place.removesuffix("`").lstrip(".") or None
        raise invalid(f"{param}: {words}" if param else words, param=param) from exc
    except (msgspec.DecodeError, UnicodeDecodeError) as exc:
        raise invalid(f"The body is not valid JSON: {exc}") from exc
    except RecursionError as exc:
        raise invalid("The body is nested too deeply.") from exc


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """A whole answer."""

    body: bytes = b""
    status: int = HTTPStatus.OK
    content_type: str = JSON
    headers: tuple[tuple[str, str], ...] = ()


class Stream(msgspec.Struct, frozen=True, kw_only=True):
    """An answer in pieces. An error on the way is one of them: ``failure`` words it."""

    pieces: AsyncIterator[bytes]
    failure: Callable[[Refusal], bytes]
    heartbeat: bytes
    """Sent after a silence; says nothing to any client."""
    content_type: str = EVENT_STREAM


Handler = Callable[[Call], Awaitable["Reply | Stream"]]


class Dialect(msgspec.Struct, frozen=True, kw_only=True):
    """How one family of clients is told what went wrong."""

    error: Callable[[Refusal], Any]
    """The body of an error, to be encoded as JSON."""
    busy_status: int = HTTPStatus.SERVICE_UNAVAILABLE


class Route(msgspec.Struct, frozen=True, kw_only=True):
    """What one path does. Only ``is_open`` ones are for clients without a token."""

    handler: Handler
    scope: Scope = Scope.ANSWER
    is_open: bool = False


def json_reply(value: object) -> Reply:
    """Return ``value`` as a reply."""
    return Reply(body=msgspec.json.encode(value))


def event(data: object, *, name: str = "") -> bytes:
    """Return one server-sent event."""
    head = f"event: {name}\n".encode() if name else b""
    return b"%sdata: %s\n\n" % (head, msgspec.json.encode(data))


def line(data: object) -> bytes:
    """Return one line of a stream of JSON objects."""
    return msgspec.json.encode(data) + b"\n"
