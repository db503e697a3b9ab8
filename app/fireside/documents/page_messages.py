"""The messages between the program and the process that renders pages of PDF files."""

from __future__ import annotations

import sys
from typing import Final

import msgspec

from fireside.core.collection import PageBox
from fireside.core.i18n import Translatable

MAX_PIXELS: Final = 8_000_000
"""Of a rendered page."""
MAX_WIDTH: Final = 4_000
MAX_PAGE_REPLY_BYTES: Final = 40 << 20
"""A page of noise as PNG, with its text."""
MAX_PAGE_CHARS: Final = 200_000
"""Of the text of a page."""


class PageRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a file, with the whole file."""

    data: bytes
    page: int
    """From 1; clamped to the pages of the file."""
    width: int
    """Of the image, in pixels."""
    passage: str = ""
    """The text to find on the page."""
    sentences: tuple[str, ...] = ()
    """Parts of it that are found apart."""


class PageReply(msgspec.Struct, frozen=True, kw_only=True):
    """The page, or why it cannot be rendered."""

    page: int = 0
    n_pages: int = 0
    image: bytes = b""
    """PNG, or JPEG for an image file."""
    text: str = ""
    boxes: tuple[PageBox, ...] = ()
    """Where the passage is, one box per line."""
    sentence_boxes: tuple[PageBox, ...] = ()
    """Where its sentences are, likewise."""
    problem: Translatable = ""
    """Ends a sentence; empty if the page was rendered."""


_decode_request = msgspec.msgpack.Decoder(PageRequest).decode
_decode_reply = msgspec.msgpack.Decoder(PageReply).decode


def encode(message: PageRequest | PageReply) -> bytes:
    """Return a request or a reply in msgpack."""
    return msgspec.msgpack.encode(message)


def decode_request(encoded: bytes) -> PageRequest:
    """Return a request. Raises ``msgspec.DecodeError``."""
    return _decode_request(encoded)


def decode_reply(encoded: bytes) -> PageReply:
    """Return a reply. Raises ``msgspec.DecodeError`` for an invalid one or a text above the limit."""
    reply = _decode_reply(encoded)
    if len(reply.text) > MAX_PAGE_CHARS:
        raise msgspec.ValidationError("not what was asked for")
    return reply


def rendering_command() -> tuple[str, ...]:
    """Return the command that starts the process."""
    return (sys.executable, "-P", "-m", "fireside.documents.page_rendering")
