"""Base class of rows of the settings page that are no settings."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from fireside.core.i18n import tr
from fireside.ui.kit.layout import Margins, Part, column
from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XS
from fireside.ui.widgets.text import ElidedLabel

INSIDE: Margins = (SPACE_S, SPACE_M - 2)
"""Margins of a row, as of a row of a setting."""


class ExtraRow(QWidget):
    """A row with a label; found by its search terms, as settings are."""

    label = ""
    """The name of the row."""
    search_terms = ""
    """Lower-case words by which the search finds the row."""

    def __init__(self) -> None:
        super().__init__()
        self.setContentsMargins(SPACE_S, SPACE_XS, SPACE_S, SPACE_XS)

    def matches(self, text: str) -> bool:
        """Return whether the search terms contain every word of ``text``."""
        return all(word in tr(self.search_terms) for word in text.casefold().split())

    def titled(self, *parts: Part) -> QVBoxLayout:
        """Return ``parts`` below the row's label."""
        return column(ElidedLabel(tr(self.label), role="strong"), *parts, spacing=SPACE_XS)
