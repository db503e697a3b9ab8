"""Finding a widget that a test knows to be there: a missing one fails where it is looked for."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QWidget

Found = TypeVar("Found", bound=QObject)


def child(parent: QObject, kind: type[Found], name: str | None = None) -> Found:
    """Return the first ``kind`` below ``parent``, or the one with that object name."""
    found = parent.findChild(kind) if name is None else parent.findChild(kind, name)
    assert found is not None, f"no {kind.__name__} {name or ''} in {parent}"
    return found


def parent_of(widget: QWidget) -> QWidget:
    """Return the widget that ``widget`` lies in."""
    parent = widget.parentWidget()
    assert parent is not None
    return parent


def focused() -> QWidget:
    """Return the widget that has the keyboard."""
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget
