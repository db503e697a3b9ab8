"""The layout of an image in a prompt: runs of the model's own tokens, and spans of image cells."""

from __future__ import annotations

import msgspec

from fireside.runner.tokens import Tokens


class SpanShape(msgspec.Struct, frozen=True, kw_only=True):
    """A part of an image that is encoded as a whole: all of it, a tile, or the overview."""

    n_tokens: int


class TextRun(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens before, between or after the parts of an image."""

    tokens: Tokens


ImageLayout = tuple[SpanShape | TextRun, ...]
"""In order, with at least one span."""
