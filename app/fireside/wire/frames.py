"""Frames: how every process of this program sends messages to another, over pipes and sockets.

A frame is the length of its body in 4 bytes, little-endian, and the body, which is mostly msgpack.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import IO, TypeVar

import msgspec

MAX_FRAME_BYTES = 32 * 1024 * 1024
"""Larger frames are rejected as soon as their length is read. A 10 MB paste fits."""

Message = TypeVar("Message")

_LENGTH = struct.Struct("<I")
_encoder = msgspec.msgpack.Encoder()


class FrameError(Exception):
    """Received bytes are not a valid frame, so the peer cannot be trusted any more; or a message cannot be
    encoded."""


class FrameTooLarge(FrameError):
    """A frame above the limit. ``n_bytes`` and ``limit_bytes`` count its body."""

    def __init__(self, *, n_bytes: int, limit_bytes: int) -> None:
        super().__init__(f"frame of {n_bytes} bytes, at most {limit_bytes} are allowed")
        self.n_bytes = n_bytes
        self.limit_bytes = limit_bytes


class TextNotUnicode(FrameError):
    """A text of the message contains a lone surrogate, which UTF-8 cannot encode."""


def encode_frame(message: msgspec.Struct, *, limit_bytes: int = MAX_FRAME_BYTES) -> bytes:
    """Return ``message`` as one frame.

    Raises:
        FrameTooLarge: the body would be larger than ``limit_bytes``.
        TextNotUnicode: a text contains a lone surrogate.
        FrameError: a number does not fit 64 bits.
    """
    try:
        body = _encoder.encode(message)
    except UnicodeEncodeError as exc:
        raise TextNotUnicode("text with a lone surrogate") from exc
    except OverflowError as exc:
        raise FrameError("a number does not fit 64 bits") from exc
    if len(body) > limit_bytes:
        raise FrameTooLarge(n_bytes=len(body), limit_bytes=limit_bytes)
    return frame_of(body)


def frame_of(body: bytes) -> bytes:
    """Return the frame of a body, however long that is."""
    return _LENGTH.pack(len(body)) + body


def read_frame(stream: IO[bytes], *, limit_bytes: int = MAX_FRAME_BYTES) -> bytes | None:
    """Wait for the next frame of a blocking stream and return its body; ``None`` if the stream ends first.

    Raises ``FrameTooLarge`` as soon as a length above the limit is read.
    """
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (n_bytes,) = _LENGTH.unpack(head)
    if n_bytes > limit_bytes:
        raise FrameTooLarge(n_bytes=n_bytes, limit_bytes=limit_bytes)
    body = stream.read(n_bytes)
    return body if len(body) == n_bytes else None


class FrameSplitter:
    """Splits a byte stream into frame bodies.

    Args:
        limit_bytes: a longer body is rejected as soon as its length is read.
    """

    def __init__(self, *, limit_bytes: int = MAX_FRAME_BYTES) -> None:
        self._buffer = bytearray()
        self._limit_bytes = limit_bytes

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Add ``chunk`` and yield every body that is now complete. Nothing happens until iterated.

        Raises:
            FrameTooLarge: a length above the limit. From then on every call raises it.
        """
        self._buffer += chunk
        while len(self._buffer) >= _LENGTH.size:
            (n_bytes,) = _LENGTH.unpack_from(self._buffer)
            if n_bytes > self._limit_bytes:
                raise FrameTooLarge(n_bytes=n_bytes, limit_bytes=self._limit_bytes)
            end = _LENGTH.size + n_bytes
            if len(self._buffer) < end:
                return
            body = bytes(self._buffer[_LENGTH.size : end])
            del self._buffer[:end]
            yield body


def decode_body(body: bytes, *, decoder: msgspec.msgpack.Decoder[Message]) -> Message:
    """Decode a frame body with ``decoder``. Raises ``FrameError`` if it is invalid."""
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError, RecursionError) as exc:
        raise FrameError(str(exc)) from exc
