"""What Tab goes through."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def is_tab_stop(widget: QWidget) -> bool:
    """Tell whether Tab stops at ``widget`` as things stand."""
    by_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return by_tab and widget.focusProxy() is None and widget.isVisible() and widget.isEnabled()


def previous_tab_stop(widget: QWidget) -> QWidget:
    """Return where Shift+Tab leads from ``widget``."""
    before = widget.previousInFocusChain()
    while before is not None and before is not widget and not is_tab_stop(before):
        before = before.previousInFocusChain()
    return before or widget
