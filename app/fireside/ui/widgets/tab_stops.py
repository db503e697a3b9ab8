"""The widgets that Tab stops at."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def is_tab_stop(widget: QWidget) -> bool:
    """Return whether Tab stops at ``widget`` now."""
    accepts_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return accepts_tab and widget.focusProxy() is None and widget.isVisible() and widget.isEnabled()


def previous_tab_stop(widget: QWidget) -> QWidget:
    """Return the widget that Shift+Tab leads to from ``widget``."""
    previous = widget.previousInFocusChain()
    while previous is not None and previous is not widget and not is_tab_stop(previous):
        previous = previous.previousInFocusChain()
    return previous or widget
