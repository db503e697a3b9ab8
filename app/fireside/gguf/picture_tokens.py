"""Estimate the tokens of an image from a projector's header, without loading it."""

from __future__ import annotations

from math import ceil, floor, sqrt
from typing import Final

from fireside.gguf.header import Header

_KINDS: Final = ("clip.vision.projector_type", "clip.projector_type")
_WHOLE: Final = {"mlp": 1, "mlp_norm": 1, "janus_pro": 1, "ldp": 2, "ldpv2": 2, "gemma3": 4, "internvl": 2}
"""Those that scale every picture to one square, and how many patches a side go into one token."""
_AS_LARGE: Final = frozenset({"qwen2vl_merger", "qwen2.5vl_merger", "qwen3vl_merger"})
"""Those that leave a picture as large as it is, within bounds."""
_SIDE: Final = 2
_MOST_TOKENS: Final = 4096
_LEAST_TOKENS: Final = 8


def picture_tokens(header: Header, *, width: int, height: int) -> int | None:
    """Return the tokens of a picture of so many pixels, without what is written around it.

    ``None`` where the header does not tell, or the picture is cut into tiles in a way of its own. The counts
    are those of llama.cpp's ``clip_n_output_tokens``.
    """
    kind = next((found for key in _KINDS if (found := header.text(key))), "")
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
    if kind in _WHOLE:
        side = header.integer("clip.vision.projector.scale_factor") or _WHOLE[kind]
        return (edge // patch // side) ** 2 or None if side > 0 else None
    if kind in _AS_LARGE:
        return _as_large(
            width, height, cell=patch * (header.integer("clip.vision.spatial_merge_size") or _SIDE)
        )
    return None


def _as_large(width: int, height: int, *, cell: int) -> int | None:
    """Return how many cells a picture has that keeps its size, or is scaled to the most or the fewest."""
    if cell <= 0:
        return None
    columns, rows = (max(1, round(edge / cell)) for edge in (width, height))
    n_cells = width * height / cell**2
    if columns * rows > _MOST_TOKENS:
        columns, rows = (
            max(1, floor(edge * sqrt(_MOST_TOKENS / n_cells) / cell)) for edge in (width, height)
        )
    elif columns * rows < _LEAST_TOKENS:
        columns, rows = (ceil(edge * sqrt(_LEAST_TOKENS / n_cells) / cell) for edge in (width, height))
    return columns * rows
