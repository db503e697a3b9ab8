"""Find widgets that a test expects: a missing one fails the test at once."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QWidget

Found = TypeVar("Found", bound=QObject)


def child(parent: QObject, kind: type[Found], name: str | None = None) -> Found:
    """Return the first ``kind`` below ``parent``, or the one with that object name."""
    widget = parent.findChild(kind) if name is None else parent.findChild(kind, name)
    assert widget is not None, f"no {kind.__name__} {name or ''} in {parent}"
    return widget


def parent_of(widget: QWidget) -> QWidget:
    """Return the parent of ``widget``."""
    parent = widget.parentWidget()
    assert parent is not None
    return parent


def focused() -> QWidget:
    """Return the widget that has the focus."""
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget
