"""Centre a page's content, at most as wide as reads well, with the same margins on every page."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from fireside.ui.theme import SPACE_XL
from fireside.ui.widgets.page_scroll import SCROLL_BAR_PX

COLUMN_WIDTH: Final = 900
"""Maximum width of the content of a page, in pixels."""
ASIDE_WIDTH: Final = 168
"""Width of a list of sections beside the content, in pixels at the normal text size."""
_NOTE_PX: Final = 64
"""Pixels below the last card of a page that scrolls, where a toast covers nothing."""
PAGE_SIDE: Final = SPACE_XL
"""Margin at both sides, in pixels."""


def centred(
    inner: QVBoxLayout | QHBoxLayout,
    *,
    top: int = 0,
    bottom: int = 0,
    width: int = COLUMN_WIDTH,
    in_page_scroll: bool = False,
    at_start: bool = False,
) -> QWidget:
    """Return a widget with ``inner`` at most ``width`` wide; ``top`` and ``bottom`` are margins.

    ``in_page_scroll``: the widget is for a ``PageScroll``, whose scroll bar lies within the margin.
    ``at_start``: free space is at the end alone, since something stands before the content.
    """
    body = QWidget()
    body.setMaximumWidth(width)
    inner.setContentsMargins(0, 0, 0, 0)
    body.setLayout(inner)
    outer = QWidget()
    row = QHBoxLayout(outer)
    row.setSpacing(0)
    row.setContentsMargins(0, top, 0, max(bottom, _NOTE_PX) if in_page_scroll else bottom)
    row.addSpacing(PAGE_SIDE)  # in place of margins, which would not be mirrored
    if not at_start:
        row.addStretch(1)
    # Far more stretch than the sides have: the content takes all space up to its maximum width.
    row.addWidget(body, 1000)
    row.addStretch(1)
    row.addSpacing(PAGE_SIDE - (SCROLL_BAR_PX if in_page_scroll else 0))
    return outer
