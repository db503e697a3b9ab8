"""List the backups, and restore one after two confirmations."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from fireside.core.errors import format_bytes
from fireside.core.i18n import tr, tr_noop
from fireside.core.transfer import Backup, BackupState, RestoreResult
from fireside.ui.kit.layout import stretch
from fireside.ui.kit.line_fields import secret_field
from fireside.ui.kit.sheet import Sheet
from fireside.ui.transfer.transfer_text import kind_label, moment_text
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.text import ElidedLabel, WrappedLabel

_ABOUT: Final = tr_noop("Each backup contains all chats at that time and was verified.")
_ASK: Final = tr_noop("All chats are replaced by this backup. Current chats are backed up first.")


class BackupsSheet(Sheet):
    """Asks for confirmation twice before chats are replaced."""

    restore_requested = Signal(str, str)
    """Carries the path of a backup, and its passphrase where that is asked for."""
    folder_requested = Signal(str)

    def __init__(self, *, parent: QWidget) -> None:
        super().__init__(tr("Backups"), parent=parent)
        self._folder = ""
        self.is_busy = False
        self.list = QListWidget()
        self.list.setObjectName("rows")
        self.list.setAccessibleName(tr("Backups"))
        self.list.currentRowChanged.connect(self._on_selected)
        self.list.itemActivated.connect(lambda _item: self._on_restore())
        self.empty = WrappedLabel(tr("No backups yet"), role="mute")
        self.folder_label = ElidedLabel(role="small", mode=Qt.TextElideMode.ElideMiddle)
        self.passphrase = secret_field(
            tr("Passphrase of the backup"), max_length=1000, placeholder=tr("Passphrase of the backup")
        )
        self.passphrase.hide()
        self.passphrase.returnPressed.connect(self._on_confirmed)
        self.progress = ProgressBar(name=tr("Restoring"))
        self.progress.setRange(0, 0)
        self.progress.hide()
        self.show_folder = self.make_button(
            tr("Show in folder"),
            lambda: self.folder_requested.emit(self.selected_backup or self._folder),
            icon="folder-open",
        )
        self.close_button = self.make_button(tr("Close"), self.reject)
        self.restore = self.make_button(tr("Restore…"), self._on_restore, kind="primary")
        self.confirm = self.make_button(tr("Replace all chats"), self._on_confirmed, kind="danger")
        self.confirm.hide()
        self.set_content(
            WrappedLabel(tr(_ABOUT), role="body"),
            stretch(self.list),
            self.empty,
            stretch(factor=0),  # takes the space of the list while that is hidden
            self.folder_label,
            self.passphrase,
            self.progress,
            heading=tr("Restore backup"),
            buttons=(self.show_folder, stretch(), self.close_button, self.restore, self.confirm),
        )
        self.show_state(BackupState(folder=""), now=datetime.now().astimezone())

    @property
    def selected_backup(self) -> str:
        """The path of the selected backup; empty for none."""
        item = self.list.currentItem()
        return str(item.data(Qt.ItemDataRole.UserRole)) if item is not None else ""

    def show_state(self, state: BackupState, *, now: datetime) -> None:
        """List the backups; the selection is kept."""
        previous = self.selected_backup
        self._folder = state.folder
        self.list.clear()
        for backup in state.backups:
            self.list.addItem(_item(backup, now=now))
            if backup.path == previous:
                self.list.setCurrentRow(self.list.count() - 1)
        self.list.setVisible(bool(state.backups))
        self.empty.setVisible(not state.backups)
        self.folder_label.set_full_text(state.folder)
        self.show_folder.setVisible(bool(state.folder))
        self._on_selected()

    def show_error(self, sentence: str) -> None:
        """Show an error; nothing has been changed."""
        self._set_busy(busy=False)
        self.show_status(sentence)

    def ask_passphrase(self, sentence: str) -> None:
        """Ask for the passphrase that the backup was made with; nothing has been changed."""
        self._set_busy(busy=False)
        self.show_status(sentence, role="warning")
        self.passphrase.show()
        self.passphrase.setFocus(Qt.FocusReason.OtherFocusReason)
        self.passphrase.selectAll()

    def show_restored(self, restored: RestoreResult) -> None:
        """Show that the backup has been restored."""
        self._set_busy(busy=False)
        self._cancel_confirmation()
        message = (
            tr("Backup restored. Restart Fireside to see its chats.")
            if restored.needs_restart
            else tr("Backup restored. Your previous chats are the newest backup in the list.")
        )
        self.show_status(message, role="body")

    def reject(self) -> None:
        if self.is_busy:
            return  # restoring cannot be cancelled halfway, and takes a moment
        if self.confirm.isVisible():
            self._cancel_confirmation()
        else:
            super().reject()

    @Slot()
    def _on_selected(self) -> None:
        if not self.is_busy and self.confirm.isVisible():
            self._cancel_confirmation()
        self.restore.setEnabled(bool(self.selected_backup) and not self.is_busy)

    @Slot()
    def _on_restore(self) -> None:
        if self.selected_backup and not self.is_busy:
            self.show_status(tr(_ASK), role="body")
            self.restore.hide()
            self.confirm.show()
            self.close_button.set_label(tr("Cancel"))
            self.close_button.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _on_confirmed(self) -> None:
        if self.is_busy:
            return
        path = self.selected_backup
        self._set_busy(busy=True)
        self.show_status(tr("Restoring…"), role="body")
        self.restore_requested.emit(path, self.passphrase.text())

    def _cancel_confirmation(self) -> None:
        self.confirm.hide()
        self.passphrase.hide()
        self.passphrase.clear()
        self.restore.show()
        self.close_button.set_label(tr("Close"))
        self.show_status("")

    def _set_busy(self, *, busy: bool) -> None:
        self.is_busy = busy
        self.progress.setVisible(busy)
        for part in (self.list, self.close_button, self.confirm):
            part.setEnabled(not busy)


def _item(backup: Backup, *, now: datetime) -> QListWidgetItem:
    text = (
        f"{moment_text(backup.made_at, now=now)}  ·  {format_bytes(backup.size_bytes)}\n"
        f"{kind_label(backup.kind)}"
    )
    item = QListWidgetItem(text)
    item.setData(Qt.ItemDataRole.UserRole, backup.path)
    item.setData(Qt.ItemDataRole.AccessibleTextRole, text.replace("\n", ", "))
    return item
