"""What the program and the process that draws pages of PDF files tell each other."""

from __future__ import annotations

import sys
from typing import Final

import msgspec

from fireside.core.collection import PageBox
from fireside.core.i18n import Translatable

MOST_PIXELS: Final = 8_000_000
"""Of one page, as large as it may be drawn."""
MOST_WIDTH: Final = 4_000
MAX_PAGE_REPLY_BYTES: Final = 40 << 20
"""A page of noise as PNG, and its text."""
MOST_CHARS: Final = 200_000
"""Of one page."""


class PageRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One page of a file, which is given whole."""

    data: bytes
    page: int
    """From 1; one that is not there is taken as the nearest one."""
    width: int
    """Wanted pixels."""
    passage: str = ""
    """What is looked for on the page."""


class PageReply(msgspec.Struct, frozen=True, kw_only=True):
    """The page, or why it cannot be drawn."""

    page: int = 0
    n_pages: int = 0
    image: bytes = b""
    """PNG, or JPEG for an image file."""
    text: str = ""
    boxes: tuple[PageBox, ...] = ()
    """Where the passage stands, line by line."""
    problem: Translatable = ""
    """Ends a sentence; empty if all went well."""


_decode_request = msgspec.msgpack.Decoder(PageRequest).decode
_decode_reply = msgspec.msgpack.Decoder(PageReply).decode


def encode(message: PageRequest | PageReply) -> bytes:
    """Return a request or a reply as it is sent."""
    return msgspec.msgpack.encode(message)


def decode_request(encoded: bytes) -> PageRequest:
    """Raises ``msgspec.DecodeError``."""
    return _decode_request(encoded)


def decode_reply(encoded: bytes) -> PageReply:
    """Raises ``msgspec.DecodeError`` for what is no reply, or one that is larger than agreed."""
    reply = _decode_reply(encoded)
    if len(reply.text) > MOST_CHARS:
        raise msgspec.ValidationError("not what was asked for")
    return reply


def rendering_command() -> tuple[str, ...]:
    """Return the command that starts such a process of this very program."""
    return (sys.executable, "-P", "-m", "fireside.documents.page_rendering")
