"""HTTP requests and responses as the dialects see them, independent of the protocol."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Hashable,
    Iterator,
    Mapping,
    Sequence,
)
from functools import cache
from http import HTTPStatus
from types import UnionType
from typing import Any, Final, TypeVar, get_args

import msgspec

from fireside.api.activity import RequestActivity
from fireside.api.http_error import HttpError, invalid
from fireside.settings.api_tokens import Client, TokenScope

JSON: Final = "application/json"
EVENT_STREAM: Final = "text/event-stream"
NDJSON: Final = "application/x-ndjson"

MAX_BODY_BYTES: Final = 8 * 1024 * 1024
"""Of a body without its files in base64."""
_LEAST_FILE_BYTES: Final = 64 * 1024
_MAX_QUOTES: Final = 2**20
_BASE64: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-"
_DATA_URL: Final = re.compile(rb"data:[^,\"\\]{0,200},")
_CLOSE: Final = (("connection", "close"),)

_OFF_LOOP_BYTES: Final = 64 * 1024
"""A larger body is decoded in a thread, so that streams do not stall."""
_MOST: Final[Mapping[bytes, int]] = {b",": 3 * 2**18, b"[": 2**17, b"{": 2**17, b":": 2**17}
"""How often these may occur in a body, in texts too: so it takes some 50 ms to decode at most. A text with
more of them fits no context."""
_EXTREME: Final = re.compile(rb"[eE][+-]?\d{3}\d*\s*[,\]}]")
_EXTREME_IN_TEXT: Final = re.compile(
    rb"(?:[eE]|\\u00[46]5)(?:[+-]|\\u002[bBdD])?(?:\d|\\u003\d){3,}"
    rb"(?:\s|\\[nrt]|\\u00(?:20|0[9aAdD]))*(?:[,\]}]|\\u00(?:2[cC]|[57][dD]))"
)
"""The same with escapes: the arguments of calls are JSON in a text, and decoded too. Takes longer."""
_MAX_EXTREMES: Final = 1024
"""Numbers with exponents of three digits in a body; near the limits of a double, reading one takes 20 µs."""
IGNORED_HEADER: Final = "x-fireside-ignored"
_MAX_IGNORED: Final = 32
_PLAIN_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")

_MAX_OBJECTS: Final = 2**15
"""More than any conversation has. What each dialect makes of them takes seconds of the loop's time else."""
_PLAIN: Final = frozenset({str, int, float, bool, bytes, type(None)})

_MAX_REPAIRS: Final = 32
_MAY_BE_NO_TEXT: Final = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")
_ESCAPE: Final = re.compile(
    rb"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(?P<no_text>u(?:0000|[dD][89a-fA-F]..))|.)", re.DOTALL
)
"""An escape in JSON: a surrogate pair, one that stands for no character of a text, or any other."""

BodyT = TypeVar("BodyT")
_OBJECT: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_NULL: Final = msgspec.Raw(b"null")


class HttpRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request that passed access control."""

    path: str
    headers: Mapping[str, str]
    """By lower-case name; the last value of a repeated header."""
    body: bytes
    client: Client
    running: RequestActivity
    """Records the progress of the request."""
    decoding: asyncio.Lock
    """Held while a large body is decoded: the decoder keeps the interpreter to itself until it is done."""
    query: Mapping[str, str] = {}
    """What stands behind the “?” of the address; the last value of a repeated name."""
    added_headers: list[tuple[str, str]] = msgspec.field(default_factory=list)
    """Headers of the response, whatever it will be."""

    async def read(self, kind: type[BodyT]) -> BodyT:
        """Decode the JSON body as ``kind``. Raises ``HttpError`` with the name of the invalid field.

        The response names the fields of the body that ``kind`` does not have, so that none is ignored in
        silence.
        """
        if len(self.body) <= _OFF_LOOP_BYTES:
            value, ignored = _read(self.body, kind)
        else:
            async with self.decoding:
                value, ignored = await asyncio.to_thread(_read, self.body, kind)
        if ignored:
            self.added_headers.append((IGNORED_HEADER, ", ".join(ignored)))
        return value


def _read(body: bytes, kind: type[BodyT]) -> tuple[BodyT, list[str]]:
    """Return the decoded body, and the names of the fields in it that ``kind`` does not have."""
    text = body if len(body) <= MAX_BODY_BYTES else _without_files(body)
    if len(text) > _OFF_LOOP_BYTES and any(text.count(sign) > most for sign, most in _MOST.items()):
        raise invalid("The body has too many values or signs of punctuation: no context is as long.")
    extreme = _EXTREME_IN_TEXT if b"\\u00" in text else _EXTREME
    if len(text) > _MAX_EXTREMES * len("e308,") and any(
        itertools.islice(extreme.finditer(text), _MAX_EXTREMES, None)
    ):
        raise invalid(f"The body has more than {_MAX_EXTREMES} numbers with exponents of three digits.")
    value = decode_json(body, kind)
    if len(body) > _OFF_LOOP_BYTES and _has_many_objects(value):
        del value  # else it lives as long as the traceback
        raise invalid(f"The body has more than {_MAX_OBJECTS} messages, parts, tools and the like.")
    try:
        ignored = list(itertools.islice(_unread(body or b"{}", kind), _MAX_IGNORED))
    except msgspec.DecodeError:  # a name that had to be repaired
        ignored = []
    return value, ignored


def _without_files(body: bytes) -> bytes:
    """Return a large body without the files in base64 that it holds: they cost little to read, and hold
    nothing of what else costs much. Raises ``HttpError`` if the rest is too large."""
    if body.count(b'"') > _MAX_QUOTES:
        raise too_large()
    text = b'"'.join(part for part in body.split(b'"') if len(part) < _LEAST_FILE_BYTES or not _is_file(part))
    if len(text) > MAX_BODY_BYTES:
        raise too_large()
    return text


def _is_file(text: bytes) -> bool:
    prefix = _DATA_URL.match(text)
    return not text[prefix.end() if prefix else 0 :].translate(None, _BASE64)


def too_large(most: int = MAX_BODY_BYTES) -> HttpError:
    """Return the error for a body of more than ``most`` bytes."""
    beside = " beside its files in base64" if most == MAX_BODY_BYTES else ""
    message = f"The body is larger than {most // 2**20} MiB{beside}."
    return HttpError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message, headers=_CLOSE)


def _has_many_objects(value: object) -> bool:
    inside, n_objects = [value], 0
    while inside and n_objects <= _MAX_OBJECTS:
        value = inside.pop()
        n_objects += 1
        values: Collection[object] = value if isinstance(value, list | tuple) else ()
        if isinstance(value, msgspec.Struct):
            values = [getattr(value, name) for name in value.__struct_fields__]
        elif isinstance(value, dict):
            values = value.values()
        if not _PLAIN.issuperset(map(type, values)):  # hundreds of thousands of numbers are passed over
            inside += (each for each in values if type(each) not in _PLAIN)
    return n_objects > _MAX_OBJECTS


def _unread(body: bytes, kind: type) -> Iterator[str]:
    """Yield the names of the fields that ``kind`` does not have, of objects in it as ``outer.inner``."""
    fields = _fields_of(kind)
    for name, raw in _OBJECT.decode(body).items():
        inner = fields.get(name)
        if inner is not None and bytes(memoryview(raw)[:1]) == b"{":
            names = _OBJECT.decode(raw).keys() - _fields_of(inner).keys()
            yield from (f"{name}.{each}" for each in sorted(names) if _PLAIN_NAME.fullmatch(each))
        elif name not in fields and _PLAIN_NAME.fullmatch(name) and raw != _NULL:
            yield name


@cache
def _fields_of(kind: Hashable) -> Mapping[str, type | None]:
    """Return the names of a struct's fields, each with the struct that its objects are, if there is one."""
    assert isinstance(kind, type)
    return {
        field.encode_name: next((each for each in _alternatives(field.type) if _is_struct(each)), None)
        for field in msgspec.structs.fields(kind)
    }


def _alternatives(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if isinstance(kind, UnionType) else (kind,)


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


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


class RoutedRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The handler of a path. Only ``is_public`` routes need no token."""

    handler: Handler
    scope: TokenScope = TokenScope.ANSWER
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
