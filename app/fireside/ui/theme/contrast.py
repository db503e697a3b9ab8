"""High contrast: whether the system asks for it, and the rules it adds to the style sheet."""

from __future__ import annotations

from enum import StrEnum
from functools import cache

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QAccessibilityHints, QGuiApplication, QStyleHints

from fireside.ui.theme.stylesheet import fill
from fireside.ui.theme.tokens import ThemeTokens


class Contrast(StrEnum):
    """The values of the setting ``appearance.contrast``."""

    SYSTEM = "system"
    NORMAL = "normal"
    HIGH = "high"


class SystemContrast(QObject):
    """Whether the system asks for high contrast: its accessibility settings, or Windows' contrast themes."""

    changed = Signal()

    def __init__(self, application: QGuiApplication, *, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hints = _accessibility_hints(application)[1]
        self._hints.contrastPreferenceChanged.connect(self._on_changed)

    @property
    def is_high(self) -> bool:
        return self._hints.contrastPreference() is Qt.ContrastPreference.HighContrast

    @Slot()
    def _on_changed(self) -> None:
        self.changed.emit()


@cache
def _accessibility_hints(application: QGuiApplication) -> tuple[QStyleHints, QAccessibilityHints]:
    """Return the system's preferences and their owner, cached until the process ends.

    PySide 6.11 deletes Qt's own object when the last wrappers of it are collected in one cycle; the next
    access would read freed memory.
    """
    style = application.styleHints()
    return style, style.accessibility()


def contrast_sheet(tokens: ThemeTokens) -> str:
    """Return the last part of the style sheet: focus rings of two pixels, and edges around widgets that are
    otherwise distinguished by their shade alone."""
    return fill(_SHEET, tokens, scaled=round)


_SHEET = """
QPushButton[kind="quiet"], QPushButton[kind="segment"]:checked, QLineEdit[role="search"], #bubble,
QPushButton[kind="nav"]:checked {
  border: 1px solid $edge;
}
QMenu::item:selected, QComboBox QAbstractItemView::item:selected { background: $accent; color: $on_accent; }
QToolButton:checked { border: 2px solid $edge; }
QScrollBar::handle { background: $mute; }
QPushButton:focus, QToolButton:focus, QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus,
QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus, QListView:focus, QTableView:focus, QTreeView:focus,
#answer:focus, #question:focus, #copyCode:focus, #codeButton:focus, #thoughtHead:focus,
#send:focus, #pill:focus {
  border-width: 2px; border-style: solid; border-color: $accent;
}
QPushButton[kind]:focus, QLineEdit[role="search"]:focus { border: 2px solid $accent; }
QPushButton[kind="primary"]:focus { border: 2px solid $text; }
"""
