"""Put widgets into rows, columns, grids and boxes, spaced by the theme's scale.

``row(stretch(name), button)`` is a layout; ``on=widget`` gives it to a widget, ``boxed(layout)`` makes one.
Whatever is ``None`` is left out. Parts get their parent when the outermost layout gets its widget: show
nothing before that, or it becomes a window of its own.
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

from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL
from fireside.ui.widgets.page_scroll import PageScroll
from fireside.ui.widgets.text import Label

Margins = int | tuple[int, int] | tuple[int, int, int, int]
"""Pixels that stay free: on all sides; at the sides, and above and below; or left, top, right, bottom."""


class Placement(NamedTuple):
    """A part of a layout and how it stands there, made by the functions below; without one, free room."""

    part: QWidget | QLayout | None = None
    stretch: int = 0
    side: Qt.AlignmentFlag = Qt.AlignmentFlag(0)
    px: int = 0


Part = QWidget | QLayout | Placement | None
_Box = TypeVar("_Box", bound=QBoxLayout)


def stretch(part: QWidget | QLayout | None = None, factor: int | None = None) -> Placement:
    """Let ``part`` take the room that the others leave; ``factor`` is its share of it, usually 1.

    Without a part it is free room, which takes what no part wants unless ``factor`` says more.
    """
    return Placement(part, factor if factor is not None else 0 if part is None else 1)


def space(px: int) -> Placement:
    """Leave ``px`` pixels free, besides the spacing."""
    return Placement(px=px)


def at_left(part: QWidget) -> Placement:
    """Let ``part`` be as wide as it likes to be, at the left."""
    return Placement(part, side=Qt.AlignmentFlag.AlignLeft)


def at_right(part: QWidget) -> Placement:
    """Let ``part`` be as wide as it likes to be, at the right."""
    return Placement(part, side=Qt.AlignmentFlag.AlignRight)


def at_top(part: QWidget) -> Placement:
    """Let ``part`` be as high as it likes to be, at the top."""
    return Placement(part, side=Qt.AlignmentFlag.AlignTop)


def at_bottom(part: QWidget) -> Placement:
    """Let ``part`` be as high as it likes to be, at the bottom."""
    return Placement(part, side=Qt.AlignmentFlag.AlignBottom)


def in_middle(part: QWidget) -> Placement:
    """Let ``part`` be as high as it likes to be, in the middle of a row's height."""
    return Placement(part, side=Qt.AlignmentFlag.AlignVCenter)


def in_centre(part: QWidget) -> Placement:
    """Let ``part`` be as wide as it likes to be, in the middle of a column's width."""
    return Placement(part, side=Qt.AlignmentFlag.AlignHCenter)


def row(*parts: Part, spacing: int = SPACE_S, margins: Margins = 0, on: QWidget | None = None) -> QHBoxLayout:
    """Put ``parts`` beside each other; ``on`` is the widget that they stand on."""
    return _filled(QHBoxLayout(), parts, spacing=spacing, margins=margins, on=on)


def column(
    *parts: Part, spacing: int = SPACE_S, margins: Margins = 0, on: QWidget | None = None
) -> QVBoxLayout:
    """Put ``parts`` below each other; ``on`` is the widget that they stand on."""
    return _filled(QVBoxLayout(), parts, spacing=spacing, margins=margins, on=on)


def form(
    *lines: tuple[QWidget | str, QWidget],
    spacing: int = SPACE_M,
    horizontal_spacing: int = SPACE_XL,
    margins: Margins = 0,
    on: QWidget | None = None,
) -> QGridLayout:
    """Put names at the left and what belongs to them at the right, which takes the room; ``horizontal_spacing`` between them.

    A name that is a text becomes a quiet label.
    """
    made = QGridLayout()
    made.setContentsMargins(*_sides(margins))
    made.setHorizontalSpacing(horizontal_spacing)
    made.setVerticalSpacing(spacing)
    made.setColumnStretch(1, 1)
    for number, (name, field) in enumerate(lines):
        made.addWidget(Label(name, role="mute") if isinstance(name, str) else name, number, 0)
        made.addWidget(field, number, 1)
    if on is not None:
        on.setLayout(made)
    return made


def add(layout: QBoxLayout, *parts: Part) -> None:
    """Put more ``parts`` at the end of a row or column."""
    for part in parts:
        match part:
            case None:
                pass
            case QWidget():
                layout.addWidget(part)
            case QLayout():
                layout.addLayout(part)
            case Placement(part=QWidget() as widget):
                layout.addWidget(widget, part.stretch, part.side)
            case Placement(part=QLayout() as inner):
                layout.addLayout(inner, part.stretch)
            case Placement(px=px) if px:
                layout.addSpacing(px)
            case Placement():
                layout.addStretch(part.stretch)


def boxed(layout: QLayout) -> QWidget:
    """Return a plain widget that holds ``layout``."""
    made = QWidget()
    made.setLayout(layout)
    return made


def card(*parts: Part, title: str = "", spacing: int = SPACE_S, margins: Margins | None = None) -> QFrame:
    """Return a card, as the style sheet draws it, with ``parts`` below each other.

    ``title`` is its heading, and what a screen reader calls it.
    """
    made = QFrame()
    make_card(made, *parts, title=title, spacing=spacing, margins=margins)
    return made


def make_card(
    frame: QFrame, *parts: Part, title: str = "", spacing: int = SPACE_S, margins: Margins | None = None
) -> QVBoxLayout:
    """Have the style sheet draw ``frame`` as a card, put ``parts`` on it, and return their column."""
    frame.setObjectName("card")
    if title:
        frame.setAccessibleName(title)
    if margins is None:
        margins = (SPACE_L, SPACE_M, SPACE_L, SPACE_L) if title else (SPACE_L, SPACE_M)
    heading = Label(title, role="heading") if title else None
    return column(heading, *parts, spacing=spacing, margins=margins, on=frame)


def scrolled(content: QWidget | QLayout) -> PageScroll:
    """Return a scroll area with ``content``, which scrolls up and down alone."""
    made = PageScroll()
    made.setWidget(content if isinstance(content, QWidget) else boxed(content))
    return made


def stacked(*pages: QWidget) -> QStackedWidget:
    """Return ``pages`` behind each other, the first in front."""
    made = QStackedWidget()
    for page in pages:
        made.addWidget(page)
    return made


def clear(layout: QLayout) -> None:
    """Take every widget out of ``layout`` and destroy it."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            destroy(widget)


def destroy(*widgets: QWidget) -> None:
    """Hide ``widgets`` at once, and destroy them when the event loop is back: one of them may be running."""
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
