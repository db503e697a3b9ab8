"""Images in arrays of tokens: spans of negative ids (cells), derived from the hash of the image.

Code that compares, cuts and stores arrays of tokens needs to know no more of images than this: equal cells
are equal images, and no cut may fall into a span of them. Both follow from the ids alone, so they hold for
arrays loaded from a file as well.

Every id of a span is negative. Bit 30 marks its first cell; the others are bits of the hash.
"""

from __future__ import annotations

import hashlib
from typing import Final

import numpy as np
import numpy.typing as npt

from fireside.runner.tokens import Tokens

_SIGN: Final = 0x8000_0000
_FIRST: Final = 0x4000_0000
_LOW: Final = 0x3FFF_FFFF


def span_cells(key: bytes, *, n_tokens: int) -> Tokens:
    """Return the cells of one span.

    Args:
        key: identifies the image and the part of it.
    """
    random_bytes = hashlib.shake_128(key).digest(4 * n_tokens)
    cells = (np.frombuffer(random_bytes, "<u4") & np.uint32(_LOW)) | np.uint32(_SIGN)
    cells[0] |= np.uint32(_FIRST)
    return cells.astype(np.uint32).view(np.int32)


def has_images(tokens: Tokens) -> bool:
    """Whether there is any image in ``tokens``."""
    return bool(len(tokens)) and int(tokens.min()) < 0


def text_only(tokens: Tokens) -> Tokens:
    """Return ``tokens`` without image cells, for samplers."""
    return tokens[tokens >= 0] if has_images(tokens) else tokens


def begins_span(tokens: Tokens, index: int) -> bool:
    """Whether the token at ``index`` is the first cell of an image's span."""
    return bool(_starts(tokens[index : index + 1]).any())


def span_end(tokens: Tokens, start: int) -> int:
    """Return the index behind the span that begins at ``start``."""
    rest = tokens[start + 1 :]
    ends = (rest >= 0) | _starts(rest)
    return start + 1 + (int(ends.argmax()) if ends.any() else len(rest))


def span_start(tokens: Tokens, index: int) -> int:
    """Return the first index of the span that the cell at ``index`` belongs to."""
    starts = np.flatnonzero(_starts(tokens[: index + 1]))
    return int(starts[-1])


def whole_images(tokens: Tokens, n: int) -> int:
    """Return the longest prefix length, at most ``n``, that does not cut an image."""
    if n >= len(tokens) or tokens[n] >= 0 or begins_span(tokens, n):
        return n
    return span_start(tokens, n)


def n_before_image(tokens: Tokens) -> int:
    """Return how many tokens of text come before the first cell of an image; all, if there is none."""
    images = tokens < 0
    return int(images.argmax()) if images.any() else len(tokens)


def _starts(tokens: Tokens) -> npt.NDArray[np.bool_]:
    mark = np.uint32(_SIGN | _FIRST)
    starts: npt.NDArray[np.bool_] = (tokens.view(np.uint32) & mark) == mark
    return starts
