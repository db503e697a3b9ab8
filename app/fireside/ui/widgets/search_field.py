"""A field for words that are looked for, as the style sheet draws it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QLineEdit, QToolButton

from fireside.core.i18n import tr
from fireside.ui.theme import Theme

_ICON_PX: Final = 16


class SearchField(QLineEdit):
    """Has a magnifier at its beginning, and a button that empties it."""

    def __init__(self, words: str, *, theme: Theme, name: str = "") -> None:
        """Take ``words`` as what is shown while the field is empty; ``name`` is said instead of them."""
        super().__init__()
        self._theme = theme
        self.setProperty("role", "search")
        self.setPlaceholderText(words)
        self.setAccessibleName(name or words)
        self.setClearButtonEnabled(True)
        for inner in self.findChildren(QToolButton):
            inner.setAccessibleName(tr("Clear"))
        self._lens = self.addAction(
            theme.icon("search", "dim", _ICON_PX), QLineEdit.ActionPosition.LeadingPosition
        )
        self._lens.setText(tr("Search"))
        theme.changed.connect(self._draw_lens)

    @Slot()
    def _draw_lens(self) -> None:
        self._lens.setIcon(self._theme.icon("search", "dim", _ICON_PX))
