"""Estimate the tokens of an image from a projector's header, without loading it."""

from __future__ import annotations

from math import ceil, floor, sqrt
from typing import Final

from fireside.gguf.header import GgufHeader

_TYPE_KEYS: Final = ("clip.vision.projector_type", "clip.projector_type")
_SQUARE: Final = {
    "mlp": 1,
    "mlp_norm": 1,
    "janus_pro": 1,
    "ldp": 2,
    "ldpv2": 2,
    "gemma3": 4,
    "internvl": 2,
}
"""Types that scale every image to one square, and how many patches per side make one token."""
_DYNAMIC_SIZE: Final = frozenset({"qwen2vl_merger", "qwen2.5vl_merger", "qwen3vl_merger"})
"""Types that keep the size of an image, within limits."""
_MERGE_SIZE: Final = 2
_MAX_TOKENS: Final = 4096
_MIN_TOKENS: Final = 8


def picture_tokens(header: GgufHeader, *, width: int, height: int) -> int | None:
    """Return the tokens of an image of so many pixels, without the text around it.

    ``None`` if the header does not determine them, or the image is split into tiles. The counts are those of
    llama.cpp's ``clip_n_output_tokens``.
    """
    kind = next((value for key in _TYPE_KEYS if (value := header.text(key))), "")
    patch = header.integer("clip.vision.patch_size") or 0
    edge = header.integer("clip.vision.image_size") or 0
    if (
        patch <= 0
        or edge <= 0
        or width <= 0
        or height <= 0
        or "clip.vision.image_grid_pinpoints" in header.metadata
    ):
        return None
    if kind in _SQUARE:
        side = header.integer("clip.vision.projector.scale_factor") or _SQUARE[kind]
        return (edge // patch // side) ** 2 or None if side > 0 else None
    if kind in _DYNAMIC_SIZE:
        return _dynamic_tokens(
            width,
            height,
            cell=patch * (header.integer("clip.vision.spatial_merge_size") or _MERGE_SIZE),
        )
    return None


def _dynamic_tokens(width: int, height: int, *, cell: int) -> int | None:
    """Return the cells of an image that keeps its size, or is scaled to the maximum or minimum."""
    if cell <= 0:
        return None
    columns, rows = (max(1, round(edge / cell)) for edge in (width, height))
    n_cells = width * height / cell**2
    if columns * rows > _MAX_TOKENS:
        columns, rows = (max(1, floor(edge * sqrt(_MAX_TOKENS / n_cells) / cell)) for edge in (width, height))
    elif columns * rows < _MIN_TOKENS:
        columns, rows = (ceil(edge * sqrt(_MIN_TOKENS / n_cells) / cell) for edge in (width, height))
    return columns * rows
