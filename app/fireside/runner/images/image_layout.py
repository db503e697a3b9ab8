"""What an image becomes in a prompt of one model: runs of the model's own tokens, and spans of cells."""

from __future__ import annotations

import msgspec

from fireside.runner.tokens import Tokens


class SpanShape(msgspec.Struct, frozen=True, kw_only=True):
    """One part of an image that is encoded and decoded as a whole: all of it, a tile, or the overview."""

    n_tokens: int


class TextRun(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens that the model wants before, between or behind the parts of an image."""

    tokens: Tokens


ImageLayout = tuple[SpanShape | TextRun, ...]
"""In order. At least one is a span."""
