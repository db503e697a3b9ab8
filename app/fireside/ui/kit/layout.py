"""Build rows, columns, forms and cards from widgets, spaced by the theme's scale.

``row(stretch(name), button)`` returns a layout; ``on=widget`` sets it on a widget, ``boxed(layout)`` makes a
widget for it. ``None`` parts are skipped. Parts get their parent when the outermost layout gets its widget:
a part that is shown before becomes a window of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, SPACE_XS
from fireside.ui.widgets.page_scroll import PageScroll
from fireside.ui.widgets.text import Label, WrappedLabel

Margins = int | tuple[int, int] | tuple[int, int, int, int]
"""Pixels: all sides; (left and right, top and bottom); or (left, top, right, bottom)."""


class Placed(NamedTuple):
    """A widget or layout with its stretch and alignment, or free space; made by the functions below."""

    part: QWidget | QLayout | None = None
    stretch: int = 0
    side: Qt.AlignmentFlag = Qt.AlignmentFlag(0)
    px: int = 0


Part = QWidget | QLayout | Placed | None
_Box = TypeVar("_Box", bound=QBoxLayout)


def stretch(part: QWidget | QLayout | None = None, factor: int | None = None) -> Placed:
    """Let ``part`` take the remaining space; ``factor`` is its stretch, by default 1.

    Without a part it is free space, which by default (stretch 0) takes only what no other part takes.
    """
    return Placed(part, factor if factor is not None else 0 if part is None else 1)


def space(px: int) -> Placed:
    """Add ``px`` pixels of free space to the spacing."""
    return Placed(px=px)


def at_left(part: QWidget) -> Placed:
    """Align ``part`` left, at its preferred width."""
    return Placed(part, side=Qt.AlignmentFlag.AlignLeft)


def at_right(part: QWidget) -> Placed:
    """Align ``part`` right, at its preferred width."""
    return Placed(part, side=Qt.AlignmentFlag.AlignRight)


def at_top(part: QWidget) -> Placed:
    """Align ``part`` to the top, at its preferred height."""
    return Placed(part, side=Qt.AlignmentFlag.AlignTop)


def in_middle(part: QWidget) -> Placed:
    """Centre ``part`` vertically in a row, at its preferred height."""
    return Placed(part, side=Qt.AlignmentFlag.AlignVCenter)


def in_centre(part: QWidget) -> Placed:
    """Centre ``part`` horizontally in a column, at its preferred width."""
    return Placed(part, side=Qt.AlignmentFlag.AlignHCenter)


def row(*parts: Part, spacing: int = SPACE_S, margins: Margins = 0, on: QWidget | None = None) -> QHBoxLayout:
    """Return a horizontal layout of ``parts``, set on the widget ``on`` if it is given."""
    return _filled(QHBoxLayout(), parts, spacing=spacing, margins=margins, on=on)


def column(
    *parts: Part, spacing: int = SPACE_S, margins: Margins = 0, on: QWidget | None = None
) -> QVBoxLayout:
    """Return a vertical layout of ``parts``, set on the widget ``on`` if it is given."""
    return _filled(QVBoxLayout(), parts, spacing=spacing, margins=margins, on=on)


def form(
    *lines: tuple[QWidget | str, QWidget],
    spacing: int = SPACE_M,
    horizontal_spacing: int = SPACE_XL,
    margins: Margins = 0,
    on: QWidget | None = None,
) -> QGridLayout:
    """Return a grid of names at the left and fields at the right, which stretch.

    A name that is a text becomes a muted label.
    """
    grid = QGridLayout()
    grid.setContentsMargins(*_sides(margins))
    grid.setHorizontalSpacing(horizontal_spacing)
    grid.setVerticalSpacing(spacing)
    grid.setColumnStretch(1, 1)
    for row_index, (name, field) in enumerate(lines):
        grid.addWidget(Label(name, role="mute") if isinstance(name, str) else name, row_index, 0)
        grid.addWidget(field, row_index, 1)
    if on is not None:
        on.setLayout(grid)
    return grid


def long_form(*lines: tuple[str, QWidget], spacing: int = SPACE_M) -> QBoxLayout:
    """Return fields below their names, which others chose: beside them a long name would leave no room. An
    empty name takes none."""
    fields = [
        column(WrappedLabel(name, role="mute") if name else None, field, spacing=SPACE_XS)
        for name, field in lines
    ]
    return column(*fields, spacing=spacing)


def add(layout: QBoxLayout, *parts: Part) -> None:
    """Append ``parts`` to a row or column."""
    for part in parts:
        match part:
            case None:
                pass
            case QWidget():
                layout.addWidget(part)
            case QLayout():
                layout.addLayout(part)
            case Placed(part=QWidget() as widget):
                layout.addWidget(widget, part.stretch, part.side)
            case Placed(part=QLayout() as inner):
                layout.addLayout(inner, part.stretch)
            case Placed(px=px) if px:
                layout.addSpacing(px)
            case Placed():
                layout.addStretch(part.stretch)


def boxed(layout: QLayout) -> QWidget:
    """Return a plain widget that holds ``layout``."""
    widget = QWidget()
    widget.setLayout(layout)
    return widget


def card(*parts: Part, title: str = "", spacing: int = SPACE_S, margins: Margins | None = None) -> QFrame:
    """Return a card with ``parts`` in a column; ``title`` is its heading and accessible name."""
    frame = QFrame()
    make_card(frame, *parts, title=title, spacing=spacing, margins=margins)
    return frame


def make_card(
    frame: QFrame, *parts: Part, title: str = "", spacing: int = SPACE_S, margins: Margins | None = None
) -> QVBoxLayout:
    """Style ``frame`` as a card, add ``parts`` in a column and return the column."""
    frame.setObjectName("card")
    if title:
        frame.setAccessibleName(title)
    if margins is None:
        margins = (SPACE_L, SPACE_M, SPACE_L, SPACE_L) if title else (SPACE_L, SPACE_M)
    heading = Label(title, role="heading") if title else None
    return column(heading, *parts, spacing=spacing, margins=margins, on=frame)


def scrolled(content: QWidget | QLayout) -> PageScroll:
    """Return a scroll area with ``content`` that scrolls vertically only."""
    area = PageScroll()
    area.setWidget(content if isinstance(content, QWidget) else boxed(content))
    return area


def stacked(*pages: QWidget) -> QStackedWidget:
    """Return a stack of ``pages`` that shows the first."""
    stack = QStackedWidget()
    for page in pages:
        stack.addWidget(page)
    return stack


def clear(layout: QLayout) -> None:
    """Remove and destroy every widget of ``layout``."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            destroy(widget)


def destroy(*widgets: QWidget) -> None:
    """Hide ``widgets`` now and delete them later: one of them may be handling an event."""
    for widget in widgets:
        widget.hide()
        widget.deleteLater()


def _filled(
    layout: _Box, parts: Sequence[Part], *, spacing: int, margins: Margins, on: QWidget | None
) -> _Box:
    layout.setContentsMargins(*_sides(margins))
    layout.setSpacing(spacing)
    add(layout, *parts)
    if on is not None:
        on.setLayout(layout)
    return layout


def _sides(margins: Margins) -> tuple[int, int, int, int]:
    match margins:
        case int():
            return margins, margins, margins, margins
        case (side, end):
            return side, end, side, end
        case _:
            return margins
