"""Exports as PDF, which are laid out and painted on this side of the engine thread: they need Qt."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QThread

from fireside.bridge.transfer_client import TransferClient
from fireside.core.events import AppEvent
from fireside.core.ids import ConversationId
from fireside.core.transfer import (
    ExportFormat,
    ExportReport,
    ImportReport,
    PrintedPage,
    TransferProgressed,
)


class _WorkThread(QThread):
    """Qt's rich text starts timers, which a thread of Python's has no place for."""

    def __init__(self, work: Callable[[], None]) -> None:
        super().__init__()
        self._work = work
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self._work()
        except BaseException as exc:  # noqa: BLE001  # raised where the work is awaited
            self.error = exc


async def run_in_qt_thread(work: Callable[[], None]) -> None:
    """Do ``work`` and return when it is done, or raise what it raises. GUI thread only.

    If the wait is cancelled, it ends once the work has: a thread cannot be stopped halfway.
    """
    thread = _WorkThread(work)
    done = asyncio.Event()
    thread.finished.connect(done.set)
    thread.start()
    try:
        await done.wait()
    finally:
        thread.wait()
    if thread.error is not None:
        raise thread.error


class TransferService(TransferClient, Protocol):
    """What the engine's side does: every format but PDF, and the pages that a PDF is made of."""

    async def all_ids(self) -> tuple[ConversationId, ...]:
        """Return the conversations that are not deleted, the latest first."""

    async def printed(self, conversation_id: ConversationId) -> PrintedPage:
        """Return a conversation ready for paper."""


class TransferWithPdf:
    """``TransferClient`` for every format. GUI thread only."""

    def __init__(self, service: TransferService, *, publish: Callable[[AppEvent], None]) -> None:
        """Take ``publish`` as what tells the window something that happens on its side of the thread."""
        self._service = service
        self._publish = publish

    async def export(
        self, ids: Sequence[ConversationId] | None, *, form: ExportFormat, target: str
    ) -> ExportReport:
        """Write conversations, or all for ``None``; see ``TransferClient``."""
        if form is not ExportFormat.PDF:
            return await self._service.export(ids, form=form, target=target)
        from fireside.bridge.pdf.pdf_file import PdfTarget, write_pdf

        wanted = tuple(ids) if ids is not None else await self._service.all_ids()
        place = await asyncio.to_thread(PdfTarget, Path(target), n_files=len(wanted))
        n_unreadable = 0
        paths: list[str] = []
        for number, conversation_id in enumerate(wanted, start=1):
            page = await self._service.printed(conversation_id)
            path = place.path_for(page.title)
            # Laid out and painted away from the GUI thread, which goes on painting the window.
            await run_in_qt_thread(partial(write_pdf, page, path))
            paths.append(str(path))
            n_unreadable += page.n_unreadable
            self._publish(TransferProgressed(n_done=number, n_total=len(wanted)))
        return ExportReport(paths=tuple(paths), n_conversations=len(wanted), n_unreadable=n_unreadable)

    async def import_files(self, paths: Sequence[str]) -> ImportReport:
        """Import what files, folders and archives hold; see ``TransferClient``."""
        return await self._service.import_files(paths)

    async def contains_conversations(self, paths: Sequence[str]) -> bool:
        """Say whether any of these files or folders holds conversations that can be imported."""
        return await self._service.contains_conversations(paths)
