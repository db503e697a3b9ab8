"""PDF export, which needs Qt and therefore runs on the window's side of the engine thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QThread

from fireside.core.artifacts import ArtifactText
from fireside.core.errors import FiresideError
from fireside.core.events import AppEvent
from fireside.core.i18n import tr
from fireside.core.ids import ConversationId, FolderId, MessageId
from fireside.core.project import ProjectSize
from fireside.core.transfer import (
    ExportFormat,
    ExportReport,
    ImportReport,
    SkippedItem,
    TransferProgressed,
)

if TYPE_CHECKING:
    from fireside.services.transfer.transfer_service import TransferService


class _WorkThread(QThread):
    """A ``QThread``, since Qt's rich text starts timers, which Python's own threads do not support."""

    def __init__(self, work: Callable[[], None]) -> None:
        super().__init__()
        self._work = work
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self._work()
        except BaseException as exc:  # noqa: BLE001  # raised again by the awaiting caller
            self.error = exc


async def run_in_qt_thread(work: Callable[[], None]) -> None:
    """Run ``work`` in a ``QThread`` and raise what it raises. GUI thread only.

    A cancelled wait still ends only after the work, since a thread cannot be interrupted.
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


class TransferWithPdf:
    """``TransferService`` as the window sees it, for every format. GUI thread only."""

    def __init__(self, service: TransferService, *, publish: Callable[[AppEvent], None]) -> None:
        """``publish`` emits an event on the GUI thread."""
        self._service = service
        self._publish = publish

    async def export(
        self, ids: Sequence[ConversationId] | None, *, form: ExportFormat, target: str
    ) -> ExportReport:
        """Write conversations, or all for ``None``; see ``TransferService``."""
        if form is not ExportFormat.PDF:
            return await self._service.export(ids, form=form, target=target)
        from fireside.bridge.pdf.pdf_file import PdfTarget, write_pdf

        selected = tuple(ids) if ids is not None else await self._service.all_ids()
        destination = await asyncio.to_thread(PdfTarget, Path(target), n_files=len(selected))
        n_unreadable = 0
        paths: list[str] = []
        failed: list[SkippedItem] = []
        for number, conversation_id in enumerate(selected, start=1):
            title = tr("Chat {number}").format(number=conversation_id)
            try:
                page = await self._service.printed(conversation_id)
                title = page.title
                path = destination.path_for(title)
                # In a thread of its own, so that the window stays responsive.
                await run_in_qt_thread(partial(write_pdf, page, path))
            except FiresideError as exc:
                failed.append(SkippedItem(what=title, reason=exc.sentence()))
                if len(failed) == len(selected):
                    raise
            else:
                paths.append(str(path))
                n_unreadable += page.n_unreadable
            self._publish(TransferProgressed(n_done=number, n_total=len(selected)))
        return ExportReport(
            paths=tuple(paths),
            n_conversations=len(paths),
            n_unreadable=n_unreadable,
            failed=tuple(failed),
            n_failed=len(failed),
        )

    async def export_answer(self, message_id: MessageId, *, form: ExportFormat, target: str) -> ExportReport:
        """Write one answer; see ``TransferService``."""
        if form is not ExportFormat.PDF:
            return await self._service.export_answer(message_id, form=form, target=target)
        from fireside.bridge.pdf.pdf_file import write_pdf

        page = await self._service.printed_answer(message_id)
        await run_in_qt_thread(partial(write_pdf, page, Path(target)))
        return ExportReport(paths=(target,), n_conversations=1, n_unreadable=page.n_unreadable)

    async def export_artifact(
        self, artifact: ArtifactText, *, form: ExportFormat | None, target: str
    ) -> ExportReport:
        """Write an artifact; see ``TransferService``."""
        if form is not ExportFormat.PDF:
            return await self._service.export_artifact(artifact, form=form, target=target)
        from fireside.bridge.pdf.pdf_file import write_pdf

        page = await self._service.printed_artifact(artifact)
        await run_in_qt_thread(partial(write_pdf, page, Path(target)))
        return ExportReport(paths=(target,), n_conversations=1)

    async def project_size(self, folder_id: FolderId) -> ProjectSize:
        """See ``TransferService``."""
        return await self._service.project_size(folder_id)

    async def export_project(self, folder_id: FolderId, *, target: str, with_documents: bool) -> ProjectSize:
        """See ``TransferService``."""
        return await self._service.export_project(folder_id, target=target, with_documents=with_documents)

    async def import_files(self, paths: Sequence[str]) -> ImportReport:
        """Import conversations from files, folders and archives; see ``TransferService``."""
        return await self._service.import_files(paths)

    async def contains_conversations(self, paths: Sequence[str]) -> bool:
        """Return whether any of these files or folders contains conversations; see ``TransferService``."""
        return await self._service.contains_conversations(paths)
