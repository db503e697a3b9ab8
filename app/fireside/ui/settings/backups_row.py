"""Row of the settings page to make and restore backups."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal

from fireside.core.i18n import tr, tr_noop
from fireside.ui.kit.layout import boxed, row
from fireside.ui.settings.extra_row import INSIDE, ExtraRow
from fireside.ui.theme import SPACE_L
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.responsive_row import ResponsiveRow
from fireside.ui.widgets.text import WrappedLabel

_TEXT_MIN_PX: Final = 160


class BackupsRow(ExtraRow):
    """Shows the last backup, with buttons to make one and to restore one."""

    backup_requested = Signal()
    label = tr_noop("Backups")
    search_terms = tr_noop("backups copy save restore undo safety")

    def __init__(self) -> None:
        super().__init__()
        self.state = WrappedLabel(tr("Loading…"), role="small")
        self.error = WrappedLabel(role="error")
        self.error.hide()
        self.back_up = Button(tr("Back up now"), on_click=self._on_make)
        self.restore = Button(tr("Restore…"))
        self.restore.setAccessibleName(tr("Restore backup"))
        left, right = boxed(self.titled(self.state, self.error)), boxed(row(self.back_up, self.restore))
        content = ResponsiveRow(left, right, min_first_width=_TEXT_MIN_PX, spacing=SPACE_L)
        row(content, margins=INSIDE, on=self)

    def show_state(self, text: str, *, problem: str = "") -> None:
        """Show when the last backup was made, and why the last attempt failed, if it did."""
        self.state.setText(text)
        self.back_up.setEnabled(True)
        self.show_error(problem)

    def show_error(self, sentence: str) -> None:
        """Show an error; empty hides it."""
        self.error.show_text(sentence)
        self.back_up.setEnabled(True)

    def _on_make(self) -> None:
        self.back_up.setEnabled(False)
        self.error.hide()
        self.state.setText(tr("Backing up…"))
        self.backup_requested.emit()
