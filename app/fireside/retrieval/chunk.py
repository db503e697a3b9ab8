"""A piece of a document's text as it is indexed and embedded."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import msgspec

from fireside.core.collection import Location


class Chunk(msgspec.Struct, frozen=True, kw_only=True):
    """``text[char_from:char_to]`` of a document; the chunks in order cover all of it."""

    char_from: int
    char_to: int
    text: str
    headings: tuple[str, ...]
    location: Location
    is_hidden: bool = False


def embedded_text(text: str, *, title: str, headings: Iterable[str]) -> str:
    """Return the text to embed for a chunk: file name and headings, then its text."""
    return f"{' › '.join((title, *headings))}\n{text.strip()}"


def text_hash(text: str, *, headings: Iterable[str]) -> bytes:
    """Return the 16-byte key of a text and its vector, which does not depend on the file's name."""
    written = "\n".join((*headings, text.strip())).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(written, digest_size=16).digest()
