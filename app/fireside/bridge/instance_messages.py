"""The message that a second process sends to the running instance: one frame, bounded."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from fireside.wire.frames import encode_frame

MAX_PATHS: Final = 1000
MAX_PATH_BYTES: Final = 32_767
"""The limit of Windows, the largest of any system."""
MAX_MESSAGE_BYTES: Final = 4 * 1024 * 1024
"""A command line cannot be longer."""
ACKNOWLEDGEMENT: Final = b"taken\n"
"""What the running instance replies."""


class _Message(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    paths: tuple[bytes, ...]
    """As bytes of the file system, since a name need not be valid text."""
    asks: bool = False
    """Whether to open a quick question instead of the window."""


class InstanceRequest(NamedTuple):
    """What another process asks for: to open ``paths``, which are absolute, or a quick question."""

    paths: tuple[str, ...]
    is_quick_question: bool


def encode_message(paths: Sequence[str], *, quick_question: bool = False) -> bytes:
    """Return the message that asks to open ``paths``, or a quick question instead of the window.

    Paths are made absolute, since the running instance has another working directory.
    """
    # Not resolve(): it would replace the name of a link, which is what the user chose.
    absolute = tuple(os.fsencode(os.path.abspath(path)) for path in paths)  # noqa: PTH100
    return encode_frame(_Message(paths=absolute, asks=quick_question))


def decode_message(body: bytes) -> InstanceRequest | None:
    """Return what a message asks for; ``None`` if it is malformed or over the limits."""
    try:
        decoded = msgspec.msgpack.decode(body, type=_Message)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return None
    if len(decoded.paths) > MAX_PATHS:
        return None
    paths = tuple(os.fsdecode(path) for path in decoded.paths if len(path) <= MAX_PATH_BYTES)
    are_paths = all("\0" not in path and os.path.isabs(path) for path in paths)  # noqa: PTH117, not a Path yet
    if not are_paths or len(paths) != len(decoded.paths):
        return None
    return InstanceRequest(paths, decoded.asks)
