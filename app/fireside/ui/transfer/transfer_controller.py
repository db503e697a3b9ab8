"""Export, import and restore, for the sheets and for the backups row of the settings page."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from fireside.core.errors import FiresideError
from fireside.core.events import AppEvent
from fireside.core.i18n import tr
from fireside.core.ids import ConversationId, MessageId
from fireside.core.transfer import (
    BackupsChanged,
    BackupState,
    ConversationsRestored,
    ExportFormat,
    TransferProgressed,
)
from fireside.ui.tasks import task
from fireside.ui.transfer.transfer_text import backups_summary, export_summary, saved_text
from fireside.ui.window_context import WindowContext

if TYPE_CHECKING:
    from fireside.ui.chat.answer.message_item import Entry
    from fireside.ui.settings.command_rows import BackupsRow
    from fireside.ui.transfer.backups_sheet import BackupsSheet
    from fireside.ui.transfer.export_sheet import Exportable, ExportSheet
    from fireside.ui.transfer.import_sheet import ImportSheet


_ASK_PASSPHRASE: Final = ("backup_passphrase", "passphrase_wrong")


class TransferController(QObject):
    """Opens the sheets and sends their requests to the client. GUI thread only."""

    restored = Signal()
    """Emitted when all conversations were replaced: everything must be requested again."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.window)
        self._client = context.client
        self._tasks = context.tasks
        self._row: BackupsRow | None = None
        self._toast = context.toast
        self._reveal = context.reveal
        self._on_error = context.show_error
        self._window = context.window
        self._running: asyncio.Task[None] | None = None
        self._message_id: MessageId | None = None
        """The answer that the sheet saves; ``None`` where it exports chats."""
        self.export_sheet: ExportSheet | None = None
        self.import_sheet: ImportSheet | None = None
        self.backups_sheet: BackupsSheet | None = None

    def connect_row(self, row: BackupsRow) -> None:
        """Carry out the actions of the settings page's row from now on, and show the state of the backups
        there."""
        self._row = row
        row.shown.connect(self._request_backups)
        row.backup_requested.connect(self._back_up)
        row.restore.clicked.connect(self.show_backups)

    # Sheets

    def show_export(self, ids: Sequence[ConversationId], *, title: str = "", n_all: int) -> None:
        """Open the sheet for exporting these chats, or all."""
        if self.export_sheet is not None or n_all == 0:
            return
        from fireside.ui.transfer.export_sheet import Exportable

        self._open_export(Exportable(ids=tuple(ids), title=title, n_all=n_all))

    def show_save(self, entry: Entry, *, title: str) -> None:
        """Open the sheet for saving an answer of the chat that is called ``title``."""
        if self.export_sheet is not None:
            return
        from fireside.ui.transfer.export_sheet import Exportable

        message = entry.message
        self._open_export(
            Exportable(ids=(message.conversation_id,), title=title, n_all=1, is_answer=True), message.id
        )

    def _open_export(self, exportable: Exportable, message_id: MessageId | None = None) -> None:
        from fireside.ui.transfer.export_sheet import ExportSheet

        self._message_id = message_id
        sheet = ExportSheet(exportable, parent=self._window)
        sheet.export_requested.connect(self._start_export)
        sheet.stop_requested.connect(self._stop)
        sheet.destroyed.connect(self._on_export_closed)
        self.export_sheet = sheet
        sheet.open()

    @Slot()
    def show_import(self) -> ImportSheet:
        """Open the sheet for importing, and return it."""
        if self.import_sheet is None:
            from fireside.ui.transfer.import_sheet import ImportSheet

            sheet = ImportSheet(parent=self._window)
            sheet.import_requested.connect(self._start_import)
            sheet.stop_requested.connect(self._stop)
            sheet.destroyed.connect(self._on_import_closed)
            self.import_sheet = sheet
            sheet.open()
        return self.import_sheet

    @task
    async def import_dropped(self, paths: Sequence[str]) -> None:
        """Import dropped files, if they contain conversations."""
        if await self._client.transfer.contains_conversations(paths):
            self.show_import().start(list(paths))
        else:
            self._toast.show_message(tr("No supported chats found."))

    @Slot()
    def show_backups(self) -> None:
        """Open the list of backups."""
        if self.backups_sheet is None:
            from fireside.ui.transfer.backups_sheet import BackupsSheet

            sheet = BackupsSheet(parent=self._window)
            sheet.restore_requested.connect(self._restore)
            sheet.folder_requested.connect(self._reveal)
            sheet.destroyed.connect(self._on_backups_closed)
            self.backups_sheet = sheet
            sheet.open()
        self._request_backups()

    def handle(self, event: AppEvent) -> None:
        """Apply an event of the engine thread."""
        match event:
            case TransferProgressed(n_done=n_done, n_total=n_total):
                if self.export_sheet is not None:
                    self.export_sheet.show_progress(n_done, n_total)
                if self.import_sheet is not None:
                    self.import_sheet.show_progress(n_done)
            case BackupsChanged(state=state):
                self._show_backups(state)
            case ConversationsRestored():
                self.restored.emit()
            case _:
                pass

    # Requests

    @Slot(object, object, str)
    def _start_export(self, ids: tuple[ConversationId, ...] | None, form: ExportFormat, path: str) -> None:
        self._running = self._export(ids, self._message_id, form, path)

    @task
    async def _export(
        self,
        ids: tuple[ConversationId, ...] | None,
        message_id: MessageId | None,
        form: ExportFormat,
        path: str,
    ) -> None:
        try:
            if message_id is None:
                report = await self._client.transfer.export(ids, form=form, target=path)
            else:
                report = await self._client.transfer.export_answer(message_id, form=form, target=path)
        except FiresideError as error:
            self._show_error(self.export_sheet, error)
            return
        if self.export_sheet is not None:
            self.export_sheet.accept()
        first = report.paths[0] if report.paths else ""
        self._toast.show_message(
            export_summary(report) if message_id is None else saved_text(first),
            action=tr("Show in folder"),
            icon="folder-open",
            on_action=lambda: self._reveal(first),
        )

    @Slot(object)
    def _start_import(self, paths: Sequence[str]) -> None:
        self._running = self._import(paths)

    @task
    async def _import(self, paths: Sequence[str]) -> None:
        try:
            report = await self._client.transfer.import_files(paths)
        except FiresideError as error:
            self._show_error(self.import_sheet, error)
        else:
            if self.import_sheet is not None:
                self.import_sheet.show_report(report)

    @task
    async def _restore(self, path: str, passphrase: str) -> None:
        try:
            restored = await self._client.backups.restore(path, passphrase=passphrase)
        except FiresideError as error:
            if self.backups_sheet is not None and error.code in _ASK_PASSPHRASE:
                self.backups_sheet.ask_passphrase(error.sentence())
            else:
                self._show_error(self.backups_sheet, error)
        else:
            if self.backups_sheet is not None:
                self.backups_sheet.show_restored(restored)

    @task
    async def _back_up(self) -> None:
        try:
            await self._client.backups.back_up()
        except FiresideError as error:
            self._request_backups()
            if self._row is not None:
                self._row.show_error(error.sentence())
        else:
            self._toast.show_message(tr("Chats backed up"))

    @task
    async def _request_backups(self) -> None:
        self._show_backups(await self._client.backups.state())

    def _show_backups(self, state: BackupState) -> None:
        now = datetime.now().astimezone()
        problem = state.problem.sentence if state.problem is not None else ""
        if self._row is not None:
            self._row.show_state(backups_summary(state, now=now), problem=problem)
        if self.backups_sheet is not None:
            self.backups_sheet.show_state(state, now=now)

    @Slot()
    def _stop(self) -> None:
        if self._running is not None:
            self._running.cancel()
            self._running = None

    def _show_error(
        self, sheet: ExportSheet | ImportSheet | BackupsSheet | None, error: FiresideError
    ) -> None:
        if sheet is None:
            self._on_error(error)
        else:
            sheet.show_error(error.sentence())

    @Slot()
    def _on_export_closed(self) -> None:
        self.export_sheet = None

    @Slot()
    def _on_import_closed(self) -> None:
        self.import_sheet = None

    @Slot()
    def _on_backups_closed(self) -> None:
        self.backups_sheet = None
