"""Keep a page's content in the middle, no wider than it reads well, as far from the edges on every page."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from fireside.ui.theme import SPACE_XL
from fireside.ui.widgets.page_scroll import SCROLL_BAR_PX

COLUMN: Final = 900
"""Widest that the content of a page gets."""
PAGE_SIDE: Final = SPACE_XL
"""Pixels that stay free at both sides."""


def centred(
    inner: QVBoxLayout | QHBoxLayout,
    *,
    top: int = 0,
    bottom: int = 0,
    width: int = COLUMN,
    in_page_scroll: bool = False,
) -> QWidget:
    """Return a widget with ``inner`` at most ``width`` wide; ``top`` and ``bottom`` stay free.

    With ``in_page_scroll`` it stands in a ``PageScroll``, whose bar has its room in the margin.
    """
    body = QWidget()
    body.setMaximumWidth(width)
    inner.setContentsMargins(0, 0, 0, 0)
    body.setLayout(inner)
    outer = QWidget()
    row = QHBoxLayout(outer)
    row.setSpacing(0)
    row.setContentsMargins(0, top, 0, bottom)
    row.addSpacing(PAGE_SIDE)  # in place of margins, which would not be mirrored
    row.addStretch(1)
    # Far more stretch than the sides have: the content takes all the room up to its width.
    row.addWidget(body, 1000)
    row.addStretch(1)
    row.addSpacing(PAGE_SIDE - (SCROLL_BAR_PX if in_page_scroll else 0))
    return outer
