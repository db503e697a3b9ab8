"""What the program and the process that reads files tell each other."""

from __future__ import annotations

import struct
import sys
from enum import StrEnum
from typing import Final

import msgspec

from fireside.core.i18n import Translatable

MAX_FILE_BYTES: Final = 50_000_000
MAX_CHARS: Final = 2_000_000
"""Of the text of one file; as many as one message can hold."""
MAX_PAGES: Final = 2_000
MAX_REPLY_BYTES: Final = 16 << 20
"""Every character four bytes, or a picture."""


class ReadRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One file, whole. Its name decides nothing; it is there to be named."""

    name: str
    data: bytes


class SectionKind(StrEnum):
    """What a part of a file is called."""

    PAGE = "page"
    SLIDE = "slide"
    SHEET = "sheet"


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a file that has a number of its own."""

    kind: SectionKind
    number: int
    """From 1."""
    start: int
    """Where it begins in the text, in characters; it ends where the next one begins."""
    name: str = ""
    """Of a sheet."""
    first_row: int = 1
    """Of a sheet: the row that its first line is."""


class ReadReply(msgspec.Struct, frozen=True, kw_only=True):
    """What is in a file, or why that cannot be told.

    ``text`` of a document, or ``picture``: PNG or JPEG, upright and bounded in size.
    """

    media_type: str = ""
    """Of what was found in the file; of a picture: of ``picture``."""
    text: str = ""
    picture: bytes = b""
    n_pages: int | None = None
    sections: tuple[Section, ...] = ()
    """Where its pages, slides or sheets begin, in order; none where it has no such parts."""
    scans: tuple[int, ...] = ()
    """Numbers of the pages that show something and have no text."""
    hidden: tuple[tuple[int, int], ...] = ()
    """Pieces of the text that readers of the file do not see, by their characters."""
    warnings: tuple[Translatable, ...] = ()
    """Sentences: what is missing from the text."""
    problem: Translatable = ""
    """Ends the sentence “The file … cannot be attached: …”; empty if all went well."""


LENGTH: Final = struct.Struct("<I")
"""In front of each message: how many bytes it has; see ``GuardedProcess`` of the engine."""
_REQUEST = msgspec.msgpack.Decoder(ReadRequest)
_REPLY = msgspec.msgpack.Decoder(ReadReply)
_encode = msgspec.msgpack.encode


def encode(message: ReadRequest | ReadReply) -> bytes:
    """Return a request or a reply as it is sent."""
    return _encode(message)


def decode_request(encoded: bytes) -> ReadRequest:
    """Return the request in ``encoded``. Raises ``msgspec.DecodeError``."""
    return _REQUEST.decode(encoded)


def decode_reply(encoded: bytes) -> ReadReply:
    """Raises ``msgspec.DecodeError`` for what is no reply, or one that is larger than agreed."""
    reply = _REPLY.decode(encoded)
    if len(reply.text) > MAX_CHARS:
        raise msgspec.ValidationError("not what was asked for")
    return reply


def reading_command() -> tuple[str, ...]:
    """Return the command that starts such a process of this very program."""
    # -P: modules in the working directory are not imported.
    return (sys.executable, "-P", "-m", "fireside.documents")
