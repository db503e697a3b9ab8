"""Show the backups that there are, and bring one back once a person has said so twice."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QHBoxLayout, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from fireside.core.errors import format_bytes
from fireside.core.i18n import tr, tr_noop
from fireside.core.transfer import Backup, BackupState, Restored
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, Theme
from fireside.ui.transfer.transfer_text import kind_words, moment_words
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.text import ElidedLabel, WrappedLabel

_SIZE: Final = (560, 460)
_ABOUT: Final = tr_noop("A backup holds all chats as they were then. Each was checked when it was made.")
_ASK: Final = tr_noop(
    "All chats become what they were in this backup. What there is now is backed up "
    "first, so you can come back to it."
)


class BackupsSheet(QDialog):
    """Open it with ``open()``."""

    restore_wanted = Signal(str)
    """Carries the path of a backup."""
    folder_wanted = Signal(str)

    def __init__(self, *, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._folder = ""
        self.is_busy = False
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Backups"))
        self.resize(theme.scaled(_SIZE[0]), theme.scaled(_SIZE[1]))
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_L)
        column.setSpacing(SPACE_M)
        column.addWidget(WrappedLabel(tr("Bring back a backup"), role="title"))
        column.addWidget(WrappedLabel(tr(_ABOUT), role="body"))
        self.list = QListWidget()
        self.list.setObjectName("backups")
        self.list.setAccessibleName(tr("Backups"))
        self.list.currentRowChanged.connect(self._on_chosen)
        self.list.itemActivated.connect(lambda _item: self._on_restore())
        column.addWidget(self.list, 1)
        self.empty = WrappedLabel(tr("There is no backup yet."), role="mute")
        column.addWidget(self.empty)
        # Takes the room of the list while there is none.
        column.addStretch()
        self.place = ElidedLabel(role="small", mode=Qt.TextElideMode.ElideMiddle)
        column.addWidget(self.place)
        self.progress = ProgressBar(name=tr("Bringing back"), theme=theme)
        self.progress.setRange(0, 0)
        self.progress.hide()
        self.words = WrappedLabel(role="body")
        self.words.hide()
        column.addWidget(self.progress)
        column.addWidget(self.words)
        column.addLayout(self._make_buttons())
        self.show_state(BackupState(folder=""), now=datetime.now().astimezone())

    @property
    def chosen(self) -> str:
        """The path of the backup that is chosen; empty where there is none."""
        item = self.list.currentItem()
        return str(item.data(Qt.ItemDataRole.UserRole)) if item is not None else ""

    def show_state(self, state: BackupState, *, now: datetime) -> None:
        """List the backups; the one that is chosen stays chosen."""
        before = self.chosen
        self._folder = state.folder
        self.list.clear()
        for backup in state.backups:
            self.list.addItem(_item(backup, now=now))
            if backup.path == before:
                self.list.setCurrentRow(self.list.count() - 1)
        self.list.setVisible(bool(state.backups))
        self.empty.setVisible(not state.backups)
        self.place.set_whole(state.folder)
        self.show_folder.setVisible(bool(state.folder))
        self._on_chosen()

    def show_error(self, sentence: str) -> None:
        """Say what went wrong; nothing has changed."""
        self._set_busy(busy=False)
        self._say(sentence, role="error")

    def show_restored(self, restored: Restored) -> None:
        """Say that it is done."""
        self._set_busy(busy=False)
        self._take_back()
        words = (
            tr("The backup is in its place. Start Fireside again to see its chats.")
            if restored.needs_restart
            else tr("All chats are those of the backup now. What there was before is the newest in the list.")
        )
        self._say(words, role="body")

    def reject(self) -> None:
        if self.is_busy:
            return  # it cannot be stopped halfway, and takes a moment
        if self.confirm.isVisible():
            self._take_back()
        else:
            super().reject()

    def _make_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        self.show_folder = Button(tr("Show in folder"), theme=self._theme, icon="folder-open")
        self.show_folder.setAutoDefault(False)
        self.show_folder.clicked.connect(lambda: self.folder_wanted.emit(self.chosen or self._folder))
        row.addWidget(self.show_folder)
        row.addStretch()
        self.close_button = Button(tr("Close"), theme=self._theme)
        self.close_button.setAutoDefault(False)
        self.close_button.clicked.connect(self.reject)
        self.restore = Button(tr("Bring back…"), theme=self._theme, kind="primary")
        self.restore.setAutoDefault(False)
        self.restore.clicked.connect(self._on_restore)
        self.confirm = Button(tr("Replace all chats"), theme=self._theme, kind="danger")
        self.confirm.setAutoDefault(False)
        self.confirm.clicked.connect(self._on_confirmed)
        self.confirm.hide()
        for button in (self.close_button, self.restore, self.confirm):
            row.addWidget(button)
        return row

    @Slot()
    def _on_chosen(self) -> None:
        if not self.is_busy and self.confirm.isVisible():
            self._take_back()
        self.restore.setEnabled(bool(self.chosen) and not self.is_busy)

    @Slot()
    def _on_restore(self) -> None:
        if self.chosen and not self.is_busy:
            self._say(tr(_ASK), role="body")
            self.restore.hide()
            self.confirm.show()
            self.close_button.set_words(tr("Keep as it is"))
            self.close_button.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _on_confirmed(self) -> None:
        path = self.chosen
        self._set_busy(busy=True)
        self._say(tr("Bringing back…"), role="body")
        self.restore_wanted.emit(path)

    def _take_back(self) -> None:
        self.confirm.hide()
        self.restore.show()
        self.close_button.set_words(tr("Close"))
        self.words.hide()

    def _set_busy(self, *, busy: bool) -> None:
        self.is_busy = busy
        self.progress.setVisible(busy)
        for part in (self.list, self.close_button, self.confirm):
            part.setEnabled(not busy)

    def _say(self, words: str, *, role: str) -> None:
        self.words.set_role(role)
        self.words.setText(words)
        self.words.show()


def _item(backup: Backup, *, now: datetime) -> QListWidgetItem:
    words = (
        f"{moment_words(backup.made_at, now=now)}  ·  {format_bytes(backup.size_bytes)}\n"
        f"{kind_words(backup.kind)}"
    )
    item = QListWidgetItem(words)
    item.setData(Qt.ItemDataRole.UserRole, backup.path)
    item.setData(Qt.ItemDataRole.AccessibleTextRole, words.replace("\n", ", "))
    return item
