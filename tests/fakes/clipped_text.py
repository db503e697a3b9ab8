"""Find what a user would not see whole: words and controls for which there is no room."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeVar

from PySide6.QtWidgets import QAbstractButton, QHeaderView, QLabel, QPushButton, QScrollArea, QWidget

from fireside.ui.chat.answer.fold_head import FoldHead
from fireside.ui.widgets.flow import FlowLayout
from fireside.ui.widgets.text import ElidedLabel

_MAY_ROUND_PX = 1
_W = TypeVar("_W", bound=QWidget)


def cut_off(root: QWidget) -> list[str]:
    """Return a line for each thing in ``root`` that can be seen only in part; an ``ElidedLabel`` may end
    in “…”, since its tool tip has the whole, and a ``FoldHead``, since what it opens has."""
    return [*_too_wide(root), *_cut_words(root), *_cut_titles(root), *_cut_lines(root)]


def _too_wide(root: QWidget) -> Iterator[str]:
    """Content of a page that no scroll bar leads to."""
    for area in _seen(root, QScrollArea):
        content = area.widget()
        if content is None or area.horizontalScrollBar().isVisible():
            continue
        excess = content.width() - area.viewport().width()
        if excess > 0:
            culprits = _culprits(content, room=area.viewport().width())
            yield f"{_name(area)}: {excess} px of its content are beside it{culprits}"


def _culprits(content: QWidget, *, room: int) -> str:
    """Name the innermost widgets that keep the content so wide."""
    wide = [
        widget
        for widget in content.findChildren(QWidget)
        if widget.isVisible() and _least_width(widget) + _left_of(widget, content) > room
    ]
    inner = [widget for widget in wide if not any(widget.isAncestorOf(other) for other in wide)]
    return "".join(f"; {_name(widget)} needs {_least_width(widget)}" for widget in inner[:4])


def _least_width(widget: QWidget) -> int:
    return max(widget.minimumWidth(), widget.minimumSizeHint().width())


def _left_of(widget: QWidget, content: QWidget) -> int:
    return widget.mapTo(content, widget.rect().topLeft()).x()


def _cut_words(root: QWidget) -> Iterator[str]:
    for label in _seen(root, QLabel):
        if isinstance(label, ElidedLabel) or not label.text():
            continue
        if label.wordWrap():
            if label.height() + _MAY_ROUND_PX < label.heightForWidth(label.width()):
                yield f"{_name(label)}: not all of its lines can be seen"
        elif label.width() + _MAY_ROUND_PX < label.sizeHint().width():
            yield f"{_name(label)}: has {label.width()} px, needs {label.sizeHint().width()}"
    for button in _seen(root, QPushButton):
        ends_in_dots = isinstance(button, FoldHead) or button.objectName() == "example"
        if button.text() and button.layout() is None and not ends_in_dots:
            needs = button.sizeHint().width()
            if button.width() + _MAY_ROUND_PX < needs:
                yield f"{_name(button)}: has {button.width()} px, needs {needs}"


def _cut_lines(root: QWidget) -> Iterator[str]:
    """Controls that flow into more lines than there is height for."""
    for body in _seen(root, QWidget):
        layout = body.layout()
        if isinstance(layout, FlowLayout) and body.height() + _MAY_ROUND_PX < (
            needs := layout.heightForWidth(body.width())
        ):
            yield f"{_name(body)}: its lines have {body.height()} px, need {needs}"


def _cut_titles(root: QWidget) -> Iterator[str]:
    for head in _seen(root, QHeaderView):
        for place in range(head.count()):
            needs = head.sectionSizeHint(place)
            if not head.isSectionHidden(place) and head.sectionSize(place) + _MAY_ROUND_PX < needs:
                title = head.model().headerData(place, head.orientation())
                yield f"Title “{title}”: has {head.sectionSize(place)} px, needs {needs}"


def _seen(root: QWidget, kind: type[_W]) -> Iterator[_W]:
    for widget in root.findChildren(kind):
        if widget.isVisible() and widget.width() > 0:
            yield widget


def _name(widget: QWidget) -> str:
    words = widget.text() if isinstance(widget, QLabel | QAbstractButton) else widget.accessibleName()
    own = re.sub(r"\s+", " ", words or widget.objectName())[:40]
    return f"{type(widget).__name__} “{own}”"
