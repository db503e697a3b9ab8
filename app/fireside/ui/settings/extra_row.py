"""Base class of rows of the settings page that are no settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from fireside.core.i18n import tr
from fireside.ui.kit.layout import Margins, Part, column
from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XS
from fireside.ui.widgets.text import ElidedLabel

_POLL_MS: Final = 1000
INSIDE: Margins = (SPACE_S, SPACE_M - 2)
"""Margins of a row, as of a row of a setting."""


class ExtraRow(QWidget):
    """A row with a label; found by its search terms, as settings are."""

    shown = Signal()
    """The row became visible: its contents should be refreshed."""
    hidden = Signal()
    label = ""
    """The name of the row."""
    search_terms = ""
    """Lower-case words by which the search finds the row."""

    def __init__(self) -> None:
        super().__init__()
        self.setContentsMargins(SPACE_S, SPACE_XS, SPACE_S, SPACE_XS)

    def poll(self, refresh: Callable[[], object]) -> None:
        """Call ``refresh`` when the row becomes visible, and then once a second while it is."""
        timer = QTimer(self, interval=_POLL_MS)
        timer.timeout.connect(refresh)
        self.shown.connect(refresh)
        self.shown.connect(timer.start)
        self.hidden.connect(timer.stop)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.hidden.emit()

    def matches(self, text: str) -> bool:
        """Return whether the search terms contain every word of ``text``."""
        return all(word in tr(self.search_terms) for word in text.casefold().split())

    def titled(self, *parts: Part) -> QVBoxLayout:
        """Return ``parts`` below the row's label."""
        return column(ElidedLabel(tr(self.label), role="strong"), *parts, spacing=SPACE_XS)
