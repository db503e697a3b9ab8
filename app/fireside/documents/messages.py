"""What the program and the process that reads files tell each other."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

import msgspec

from fireside.core.i18n import Words

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
    hidden: tuple[tuple[int, int], ...] = ()
    """Pieces of the text that readers of the file do not see, by their characters."""
    warnings: tuple[Words, ...] = ()
    """Sentences: what is missing from the text."""
    problem: Words = ""
    """Ends the sentence “The file … cannot be attached: …”; empty if all went well."""


_REQUESTS = msgspec.msgpack.Decoder(tuple[ReadRequest, ...])
_REPLIES = msgspec.msgpack.Decoder(tuple[ReadReply, ...])
_encode = msgspec.msgpack.encode


def encode(messages: Sequence[ReadRequest] | Sequence[ReadReply]) -> bytes:
    """Return requests or replies as they are sent."""
    return _encode(messages)


def decode_requests(encoded: bytes) -> tuple[ReadRequest, ...]:
    """Return the requests in ``encoded``. Raises ``msgspec.DecodeError``."""
    return _REQUESTS.decode(encoded)


def decode_replies(encoded: bytes, *, n_requests: int) -> tuple[ReadReply, ...]:
    """Raises ``msgspec.DecodeError`` for what is no reply to each, or one that is larger than agreed."""
    replies = _REPLIES.decode(encoded)
    if len(replies) != n_requests or any(len(reply.text) > MAX_CHARS for reply in replies):
        raise msgspec.ValidationError("not what was asked for")
    return replies


def reading_command() -> tuple[str, ...]:
    """Return the command that starts such a process of this very program."""
    # -P: modules in the working directory are not imported.
    return (sys.executable, "-P", "-m", "fireside.documents")
