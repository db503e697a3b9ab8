"""What a second start tells the first: one bounded message with the files that it was asked to open."""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from typing import Final

import msgspec

MAX_PATHS: Final = 1000
MAX_PATH_BYTES: Final = 32_767
"""No system has longer ones; Windows has these."""
MAX_MESSAGE_BYTES: Final = 4 * 1024 * 1024
"""A command line cannot be longer."""
TAKEN: Final = b"taken\n"
"""What the first start answers."""

_LENGTH = struct.Struct("<I")


class _Message(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    paths: tuple[bytes, ...]
    """As the system has them: a name need not be text."""
    asks: bool = False
    """Whether a quick question is wanted in place of the window."""


def message_of(paths: Sequence[str], *, asks: bool = False) -> bytes:
    """Return the message for ``paths``, made absolute: the first start has another current folder.

    With ``asks`` a quick question is wanted in place of the window.
    """
    # Not resolve(): what a link is called is what the user chose.
    absolute = tuple(os.fsencode(os.path.abspath(path)) for path in paths)  # noqa: PTH100
    return _framed(msgspec.msgpack.encode(_Message(paths=absolute, asks=asks)))


def asks_in(message: bytes) -> bool:
    """Return whether a whole message, of which ``paths_in`` made sense, wants a quick question."""
    return msgspec.msgpack.decode(message[_LENGTH.size :], type=_Message).asks


def _framed(content: bytes) -> bytes:
    return _LENGTH.pack(len(content)) + content


def n_bytes_missing(received: bytes) -> int | None:
    """Return how many bytes of a message are still to come; ``None`` if it can never be one."""
    if len(received) < _LENGTH.size:
        return _LENGTH.size - len(received)
    (n_bytes,) = _LENGTH.unpack_from(received)
    missing: int = _LENGTH.size + n_bytes - len(received)
    return missing if n_bytes <= MAX_MESSAGE_BYTES and missing >= 0 else None


def paths_in(message: bytes) -> tuple[str, ...] | None:
    """Return the absolute paths that a whole message names; ``None`` if it is none that Fireside wrote."""
    try:
        said = msgspec.msgpack.decode(message[_LENGTH.size :], type=_Message)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return None
    if len(said.paths) > MAX_PATHS:
        return None
    paths = tuple(os.fsdecode(path) for path in said.paths if len(path) <= MAX_PATH_BYTES)
    are_paths = all("\0" not in path and os.path.isabs(path) for path in paths)  # noqa: PTH117, not a Path yet
    return paths if are_paths and len(paths) == len(said.paths) else None
