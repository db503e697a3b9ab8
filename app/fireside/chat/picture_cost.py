"""Estimate what a picture takes of the context of a model that is not loaded: from its projector's header."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

from fireside.core.errors import ModelError
from fireside.core.message import ImagePart
from fireside.gguf import read_header
from fireside.gguf.picture_tokens import picture_tokens

USUAL_TOKENS: Final = 800
"""What models in use make of a picture lies between 256 and a few thousand."""
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_JPEG: Final = b"\xff\xd8"
_FRAMES: Final = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""Markers of a JPEG that tell its size."""


def estimate_picture(part: ImagePart, *, projector_path: str | None) -> int:
    """Return a picture's tokens. Blocks on the disk; any thread. Never raises."""
    size = picture_size(part.data)
    if projector_path is None or size is None:
        return USUAL_TOKENS
    try:
        header = read_header(projector_path)
    except (ModelError, OSError):
        return USUAL_TOKENS
    return picture_tokens(header, width=size[0], height=size[1]) or USUAL_TOKENS


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Return width and height as the file's head tells them, in pixels; ``None`` for other formats."""
    if data.startswith(_PNG) and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    if data.startswith(_JPEG):
        return next(_jpeg_sizes(data), None)
    return None


def _jpeg_sizes(data: bytes) -> Iterator[tuple[int, int]]:
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if marker in _FRAMES:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            yield width, height
        at += 2 + max(2, length)
