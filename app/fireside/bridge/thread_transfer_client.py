"""The façade over the engine thread for conversations that leave or come in, and for backups."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from fireside.bridge.pdf import PdfTarget, write_pdf
from fireside.bridge.qt_thread import in_qt_thread
from fireside.bridge.remote_call import Ask
from fireside.core.events import AppEvent
from fireside.core.ids import ConversationId
from fireside.core.transfer import (
    Backup,
    BackupState,
    ExportFormat,
    ExportReport,
    ImportReport,
    Restored,
    TransferProgressed,
)


class ThreadTransferClient:
    """``TransferClient`` for an ``App`` that lives on an ``EngineThread``. GUI thread only."""

    def __init__(self, ask: Ask, *, publish: Callable[[AppEvent], None]) -> None:
        """Take ``publish`` as what tells the window something that happens on its side of the thread."""
        self._ask = ask
        self._publish = publish

    async def export(
        self, ids: Sequence[ConversationId] | None, *, form: ExportFormat, target: str
    ) -> ExportReport:
        if form is ExportFormat.PDF:
            return await self._export_pdf(ids, Path(target))
        return await self._ask(lambda app: app.transfer.export(ids, form=form, target=target))

    async def import_files(self, paths: Sequence[str]) -> ImportReport:
        return await self._ask(lambda app: app.transfer.import_files(paths))

    async def holds_conversations(self, paths: Sequence[str]) -> bool:
        return await self._ask(lambda app: app.transfer.holds_conversations(paths))

    async def backups(self) -> BackupState:
        return await self._ask(lambda app: app.backups.state())

    async def back_up(self) -> Backup:
        return await self._ask(lambda app: app.backups.back_up())

    async def restore_backup(self, path: str) -> Restored:
        return await self._ask(lambda app: app.backups.restore(path))

    async def _export_pdf(self, ids: Sequence[ConversationId] | None, target: Path) -> ExportReport:
        wanted = tuple(ids) if ids is not None else await self._ask(lambda app: app.transfer.all_ids())
        place = await asyncio.to_thread(PdfTarget, target, n_files=len(wanted))
        n_unreadable = 0
        paths: list[str] = []
        for number, conversation_id in enumerate(wanted, start=1):
            page = await self._ask(lambda app, id_=conversation_id: app.transfer.printed(id_))  # type: ignore[misc]
            path = place.path_for(page.title)
            # Laid out and painted away from the GUI thread, which goes on painting the window.
            await in_qt_thread(partial(write_pdf, page, path))
            paths.append(str(path))
            n_unreadable += page.n_unreadable
            self._publish(TransferProgressed(n_done=number, n_total=len(wanted)))
        return ExportReport(paths=tuple(paths), n_conversations=len(wanted), n_unreadable=n_unreadable)
