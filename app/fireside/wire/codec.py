"""Turn messages into length-prefixed msgpack frames and back."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import msgspec

from fireside.wire.messages import Command, Report

MAX_FRAME_BYTES = 32 * 1024 * 1024
"""Larger frames are refused before a byte of them is stored. A 10 MB paste fits."""

_LENGTH = struct.Struct(">I")
_encoder = msgspec.msgpack.Encoder()
_command_decoder: msgspec.msgpack.Decoder[Command] = msgspec.msgpack.Decoder(Command)
_report_decoder: msgspec.msgpack.Decoder[Report] = msgspec.msgpack.Decoder(Report)


class FrameError(Exception):
    """Bytes that are no frame of this protocol. The other side cannot be trusted any more."""


def encode_frame(message: Command | Report) -> bytes:
    """Return ``message`` as one frame: 4 bytes of big-endian length, then msgpack.

    Raises:
        FrameError: the frame would be larger than ``MAX_FRAME_BYTES``, or a text holds a lone surrogate.
    """
    try:
        body = _encoder.encode(message)
    except UnicodeEncodeError as exc:
        raise FrameError("text with a lone surrogate") from exc
    if len(body) > MAX_FRAME_BYTES:
        raise FrameError(f"frame of {len(body)} bytes")
    return _LENGTH.pack(len(body)) + body


class FrameSplitter:
    """Collect bytes as they come and give out whole frame bodies."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Add ``chunk`` and yield every body that is now complete.

        Raises:
            FrameError: a length above ``MAX_FRAME_BYTES``.
        """
        self._buffer += chunk
        while len(self._buffer) >= _LENGTH.size:
            (n_bytes,) = _LENGTH.unpack_from(self._buffer)
            if n_bytes > MAX_FRAME_BYTES:
                raise FrameError(f"frame of {n_bytes} bytes")
            end = _LENGTH.size + n_bytes
            if len(self._buffer) < end:
                return
            body = bytes(self._buffer[_LENGTH.size : end])
            del self._buffer[:end]
            yield body


def decode_command(body: bytes) -> Command:
    """Return the command in a frame body. Raises ``FrameError`` for anything else."""
    try:
        return _command_decoder.decode(body)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError, RecursionError) as exc:
        raise FrameError(str(exc)) from exc


def decode_report(body: bytes) -> Report:
    """Return the report in a frame body. Raises ``FrameError`` for anything else."""
    try:
        return _report_decoder.decode(body)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError, RecursionError) as exc:
        raise FrameError(str(exc)) from exc
