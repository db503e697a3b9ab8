"""The key that leads back from a page, as the system has it."""

from __future__ import annotations

import sys
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

# Alt+Left goes back a word in a text on macOS.
_KEY = "Ctrl+[" if sys.platform == "darwin" else "Alt+Left"


def back_shortcut(page: QWidget, go: Callable[[], None]) -> None:
    """Call ``go`` at that key anywhere on ``page``: as a shortcut, for buttons take arrow keys themselves."""
    shortcut = QShortcut(QKeySequence(_KEY), page)
    shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    shortcut.activated.connect(go)
