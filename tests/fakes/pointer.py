"""Click as a user does: only what can be seen and is not greyed out. Qt's own would hit anything."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget


def click(widget: QWidget) -> None:
    """Press and release the left button in the middle of ``widget``."""
    assert widget.isVisible(), f"{widget.accessibleName()} cannot be seen"
    assert widget.isEnabled(), f"{widget.accessibleName()} is disabled"
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)
