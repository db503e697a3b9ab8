"""The message that a second process sends to the running instance: length-prefixed, bounded, in msgpack."""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from typing import Final

import msgspec

MAX_PATHS: Final = 1000
MAX_PATH_BYTES: Final = 32_767
"""The limit of Windows, the largest of any system."""
MAX_MESSAGE_BYTES: Final = 4 * 1024 * 1024
"""A command line cannot be longer."""
ACKNOWLEDGEMENT: Final = b"taken\n"
"""What the running instance replies."""

_LENGTH = struct.Struct("<I")


class _Message(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    paths: tuple[bytes, ...]
    """As bytes of the file system, since a name need not be valid text."""
    asks: bool = False
    """Whether to open a quick question instead of the window."""


def encode_message(paths: Sequence[str], *, quick_question: bool = False) -> bytes:
    """Return the message that asks to open ``paths``, or a quick question instead of the window.

    Paths are made absolute, since the running instance has another working directory.
    """
    # Not resolve(): it would replace the name of a link, which is what the user chose.
    absolute = tuple(os.fsencode(os.path.abspath(path)) for path in paths)  # noqa: PTH100
    return _framed(msgspec.msgpack.encode(_Message(paths=absolute, asks=quick_question)))


def wants_quick_question(message: bytes) -> bool:
    """Return whether a complete message that ``decode_paths`` accepted asks for a quick question."""
    return msgspec.msgpack.decode(message[_LENGTH.size :], type=_Message).asks


def _framed(content: bytes) -> bytes:
    return _LENGTH.pack(len(content)) + content


def n_bytes_missing(received: bytes) -> int | None:
    """Return how many bytes of a message are missing; ``None`` if ``received`` cannot become a valid one."""
    if len(received) < _LENGTH.size:
        return _LENGTH.size - len(received)
    (n_bytes,) = _LENGTH.unpack_from(received)
    missing: int = _LENGTH.size + n_bytes - len(received)
    return missing if n_bytes <= MAX_MESSAGE_BYTES and missing >= 0 else None


def decode_paths(message: bytes) -> tuple[str, ...] | None:
    """Return the absolute paths in a complete message; ``None`` if it is malformed or over the limits."""
    try:
        decoded = msgspec.msgpack.decode(message[_LENGTH.size :], type=_Message)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return None
    if len(decoded.paths) > MAX_PATHS:
        return None
    paths = tuple(os.fsdecode(path) for path in decoded.paths if len(path) <= MAX_PATH_BYTES)
    are_paths = all("\0" not in path and os.path.isabs(path) for path in paths)  # noqa: PTH117, not a Path yet
    return paths if are_paths and len(paths) == len(decoded.paths) else None
