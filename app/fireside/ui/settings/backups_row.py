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

    shown = Signal()
    """The row is on the screen: time to ask how things stand."""
    backup_requested = Signal()
    label = tr_noop("Backups")
    search_terms = tr_noop("backups copy save restore undo safety")

    def __init__(self, *, theme: Theme) -> None:
        super().__init__()
        self.state = WrappedLabel(tr("Loading…"), role="small")
        self.error = WrappedLabel(role="error")
        self.error.hide()
        self.back_up = Button(tr("Back up now"), theme=theme, on_click=self._on_make)
        self.restore = Button(tr("Restore…"), theme=theme)
        self.restore.setAccessibleName(tr("Restore backup"))
        left, right = boxed(self.titled(self.state, self.error)), boxed(row(self.back_up, self.restore))
        beside = ResponsiveRow(left, right, min_first_width=_WORDS_LEAST, spacing=SPACE_L, theme=theme)
        row(beside, margins=INSIDE, on=self)

    def show_state(self, text: str, *, problem: str = "") -> None:
        """Say when the last one was made, and why the last attempt failed if it did."""
        self.state.setText(text)
        self.back_up.setEnabled(True)
        self.show_error(problem)

    def show_error(self, sentence: str) -> None:
        """Say what did not work; empty takes it back."""
        self.error.show_text(sentence)
        self.back_up.setEnabled(True)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit()

    def _on_make(self) -> None:
        self.back_up.setEnabled(False)
        self.error.hide()
        self.state.setText(tr("Backing up…"))
        self.backup_requested.emit()
