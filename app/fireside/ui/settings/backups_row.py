"""What the settings say about backups besides the settings themselves."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent

from fireside.core.i18n import tr, tr_noop
from fireside.ui.kit.layout import boxed, row
from fireside.ui.settings.extra_row import INSIDE, ExtraRow
from fireside.ui.theme import SPACE_L, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.responsive_row import ResponsiveRow
from fireside.ui.widgets.text import WrappedLabel

_WORDS_LEAST: Final = 160


class BackupsRow(ExtraRow):
    """Says how things stand, and offers to make a backup and to bring one back."""

    seen = Signal()
    """The row is on the screen: time to ask how things stand."""
    back_up_wanted = Signal()
    label = tr_noop("Backups")
    words = tr_noop("backups copy save restore undo safety")

    def __init__(self, *, theme: Theme) -> None:
        super().__init__()
        self.standing = WrappedLabel(tr("Loading…"), role="small")
        self.error = WrappedLabel(role="error")
        self.error.hide()
        self.make = Button(tr("Back up now"), theme=theme, on_click=self._on_make)
        self.bring_back = Button(tr("Restore…"), theme=theme)
        self.bring_back.setAccessibleName(tr("Restore backup"))
        left, right = boxed(self.titled(self.standing, self.error)), boxed(row(self.make, self.bring_back))
        beside = ResponsiveRow(left, right, min_first_width=_WORDS_LEAST, spacing=SPACE_L, theme=theme)
        row(beside, margins=INSIDE, on=self)

    def show_standing(self, words: str, *, problem: str = "") -> None:
        """Say when the last one was made, and why the last attempt failed if it did."""
        self.standing.setText(words)
        self.make.setEnabled(True)
        self.show_error(problem)

    def show_error(self, sentence: str) -> None:
        """Say what did not work; empty takes it back."""
        self.error.show_text(sentence)
        self.make.setEnabled(True)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.seen.emit()

    def _on_make(self) -> None:
        self.make.setEnabled(False)
        self.error.hide()
        self.standing.setText(tr("Backing up…"))
        self.back_up_wanted.emit()
