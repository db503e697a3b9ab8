"""The messages between the program and the process that reads files."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Final

import msgspec

from fireside.core.i18n import Translatable, tr_noop
from fireside.core.message import AudioPart, VideoPart

MEDIA_VARIABLE: Final = "FIRESIDE_MEDIA"
"""The environment variable with the folder of the component that reads videos, which may not exist yet."""
MAX_FILE_BYTES: Final = 50_000_000
MAX_MEDIA_BYTES: Final = 250_000_000
"""Of a file with sound or a video: 15 minutes of stereo at 96 kHz."""
MAX_CHARS: Final = 2_000_000
"""Of the text of one file; the limit of one chat message."""
MAX_PAGES: Final = 20_000
MAX_CPU_S: Final = 60.0
"""Processor time for one file; the text of a PDF file gets less, so that what was read of it is kept."""
TOO_SLOW: Final = tr_noop("reading it takes too long. Divide it into smaller files.")
MAX_REQUEST_BYTES: Final = MAX_MEDIA_BYTES + (1 << 20)
"""The file and its name."""
MAX_REPLY_BYTES: Final = 48 << 20
"""The longest sound and the images of a video; or ``MAX_CHARS`` at four bytes each."""


class ReadRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A whole file. The name is for messages; it decides no format, but tells Markdown from other text."""

    name: str
    data: bytes
    takes_media: bool = False
    """Whether sound and videos are decoded rather than refused."""


class SectionKind(StrEnum):
    """What a section of a file is."""

    PAGE = "page"
    SLIDE = "slide"
    SHEET = "sheet"


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """A numbered part of a file."""

    kind: SectionKind
    number: int
    """From 1."""
    start: int
    """Its first character in the text; it ends where the next section starts."""
    name: str = ""
    """Of a sheet."""
    first_row: int = 1
    """Of a sheet: the row of its first line, from 1."""


class Heading(msgspec.Struct, frozen=True, kw_only=True):
    """A heading that the file declares, in its text or as a bookmark: ``text[start:end]``."""

    start: int
    end: int
    """The same as ``start`` where the title itself is not part of the text."""
    level: int
    """From 1."""
    title: str


class ReadReply(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a file, or why it cannot be read.

    A document has ``text``; an image has ``picture``: PNG or JPEG, upright and bounded in size. Sound and
    videos have ``media``.
    """

    media_type: str = ""
    """The detected format of the file; for an image the format of ``picture``."""
    text: str = ""
    picture: bytes = b""
    media: AudioPart | VideoPart | None = None
    n_pages: int | None = None
    sections: tuple[Section, ...] = ()
    """Its pages, slides or sheets in order; empty for other formats."""
    headings: tuple[Heading, ...] = ()
    """In order, none overlapping, each within its section. No other line is a heading, whatever it begins
    with."""
    scans: tuple[int, ...] = ()
    """Numbers of the pages that have content but no text."""
    code: tuple[tuple[int, int], ...] = ()
    """Spans of the text that are code, with their fences, in order."""
    hidden: tuple[tuple[int, int], ...] = ()
    """Spans of the text, start and end in characters, that readers of the file do not see."""
    warnings: tuple[Translatable, ...] = ()
    """Sentences about what is missing from the text."""
    problem: Translatable = ""
    """Ends the sentence “The file … cannot be attached: …”; empty if the file was read."""
    needs_component: bool = False
    """Whether the file had a ``problem`` because the component for media formats is not installed."""
    is_temporary: bool = False
    """Whether another try may succeed where the file had a ``problem``."""


_REQUEST = msgspec.msgpack.Decoder(ReadRequest)
_REPLY = msgspec.msgpack.Decoder(ReadReply)


def encode(message: ReadRequest | ReadReply) -> bytes:
    """Return a request or a reply in msgpack, the body of a frame."""
    return msgspec.msgpack.encode(message)


def decode_request(encoded: bytes) -> ReadRequest:
    """Return a request. Raises ``msgspec.DecodeError``."""
    return _REQUEST.decode(encoded)


def decode_reply(encoded: bytes) -> ReadReply:
    """Return a reply. Raises ``msgspec.DecodeError`` for an invalid one or a text above ``MAX_CHARS``."""
    reply = _REPLY.decode(encoded)
    if len(reply.text) > MAX_CHARS:
        raise msgspec.ValidationError("not what was asked for")
    return reply


def reading_command() -> tuple[str, ...]:
    """Return the command that starts the process."""
    # -P: modules in the working directory are not imported.
    return (sys.executable, "-P", "-m", "fireside.documents")
