"""A row of the settings page for what is no setting: a name, words about it, and what can be done."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from fireside.core.i18n import tr
from fireside.ui.kit.layout import Margins, Part, column
from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XS
from fireside.ui.widgets.text import ElidedLabel

INSIDE: Margins = (SPACE_S, SPACE_M - 2)
"""What stays free around the contents of a row, as in a row of a setting."""


class ExtraRow(QWidget):
    """Found by its words, as settings are by theirs."""

    label = ""
    """What it is called."""
    search_terms = ""
    """What it is found by, in small letters."""

    def __init__(self) -> None:
        super().__init__()
        self.setContentsMargins(SPACE_S, SPACE_XS, SPACE_S, SPACE_XS)

    def matches(self, text: str) -> bool:
        """Whether the row is about ``text``."""
        return all(word in tr(self.search_terms) for word in text.casefold().split())

    def titled(self, *parts: Part) -> QVBoxLayout:
        """Return ``parts`` below the row's name."""
        return column(ElidedLabel(tr(self.label), role="strong"), *parts, spacing=SPACE_XS)
