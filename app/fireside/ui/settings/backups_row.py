"""What the settings say about backups besides the settings themselves."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.responsive_row import Beside
from fireside.ui.widgets.text import ElidedLabel, WrappedLabel

_WORDS_LEAST: Final = 160


class BackupsRow(QWidget):
    """Says how things stand, and says what a person wants."""

    seen = Signal()
    """The row is on the screen: time to ask how things stand."""
    back_up_wanted = Signal()
    backups_wanted = Signal()
    label = tr_noop("Backups")
    words = tr_noop("backups copy save restore bring back safety")

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.standing = WrappedLabel(tr("Looking…"), role="small")
        self.error = WrappedLabel(role="error")
        self.error.hide()
        self.make = Button(tr("Back up now"), theme=theme)
        self.make.clicked.connect(self._on_make)
        self.bring_back = Button(tr("Bring back…"), theme=theme)
        self.bring_back.setAccessibleName(tr("Bring back a backup"))
        self.bring_back.clicked.connect(self.backups_wanted)
        words = QVBoxLayout(left := QWidget())
        words.setContentsMargins(0, 0, 0, 0)
        words.setSpacing(SPACE_XS)
        words.addWidget(ElidedLabel(tr(self.label), role="strong"))
        words.addWidget(self.standing)
        words.addWidget(self.error)
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE_S, SPACE_M - 2, SPACE_S, SPACE_M - 2)
        deeds = QHBoxLayout(right := QWidget())
        deeds.setContentsMargins(0, 0, 0, 0)
        deeds.setSpacing(SPACE_S)
        deeds.addWidget(self.make)
        deeds.addWidget(self.bring_back)
        row.addWidget(Beside(left, right, least=_WORDS_LEAST, spacing=SPACE_L, theme=theme))
        self.setContentsMargins(SPACE_S, SPACE_XS, SPACE_S, SPACE_XS)

    def has_words(self, words: str) -> bool:
        return all(word in tr(self.words) for word in words.casefold().split())

    def show_standing(self, words: str, *, problem: str = "") -> None:
        """Say when the last one was made, and why the last attempt failed if it did."""
        self.standing.setText(words)
        self.make.setEnabled(True)
        self.show_error(problem)

    def show_error(self, sentence: str) -> None:
        """Say what did not work; empty takes it back."""
        self.error.setText(sentence)
        self.error.setVisible(bool(sentence))
        self.make.setEnabled(True)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.seen.emit()

    def _on_make(self) -> None:
        self.make.setEnabled(False)
        self.error.hide()
        self.standing.setText(tr("Backing up…"))
        self.back_up_wanted.emit()
