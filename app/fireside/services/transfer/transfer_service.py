"""Export, import and back up conversations, for the window and the command line."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fireside.core.artifacts import ArtifactText
from fireside.core.chat import ConversationSummary
from fireside.core.events import AppEvent, BranchChanged, ConversationChanged, FoldersChanged
from fireside.core.for_window import for_window
from fireside.core.ids import ConversationId, FolderId, MessageId
from fireside.core.project import ORIGIN_KEY, ProjectSize
from fireside.core.transfer import (
    ExportFormat,
    ExportReport,
    ImportReport,
    PrintedPage,
    TransferProgressed,
)
from fireside.storage.store import Store

if TYPE_CHECKING:  # imported when a project is
    from fireside.services.transfer.project_import import ProjectDocuments


class TransferService:
    """Exports and imports conversations. Lives on the engine's loop.

    Progress arrives as ``TransferProgressed``. Cancelling the awaiting task ends the transfer: incomplete
    files are deleted, imported conversations stay. Code of the formats is imported when first used.
    """

    def __init__(
        self,
        *,
        store: Store,
        emit: Callable[[AppEvent], None],
        clock: Callable[[], float],
        documents: ProjectDocuments | None = None,
    ) -> None:
        """Without ``documents``, projects are exported and imported without theirs."""
        self._store = store
        self._documents = documents
        self._emit = emit
        self._clock = clock

    @for_window
    async def export(
        self, ids: Sequence[ConversationId] | None, *, form: ExportFormat, target: str
    ) -> ExportReport:
        """Write conversations, or all for ``None``, to the file ``target``. Not for PDF, which needs Qt.

        Several conversations in a form other than JSON get one file each in the folder ``target``, which is
        created if needed.
        Raises ``export_unwritable``, ``RecordNotFound`` or another ``StorageError``.
        """
        from fireside.services.transfer.conversation_export import ConversationExport

        exporting = ConversationExport(
            self._store,
            clock=self._clock,
            on_progress=lambda done, total: self._emit(TransferProgressed(n_done=done, n_total=total)),
        )
        return await exporting.run(await self._ids(ids), form=form, target=Path(target))

    @for_window
    async def project_size(self, folder_id: FolderId) -> ProjectSize:
        """Return what an export of a project would have."""
        chats = [each for each in await self._store.conversations.all() if each.folder_id == folder_id]
        listed = () if self._documents is None else await self._documents.listed(folder_id)
        return ProjectSize(
            n_chats=len(chats), n_documents=len(listed), documents_bytes=sum(size for _, size in listed)
        )

    @for_window
    async def export_project(self, folder_id: FolderId, *, target: str, with_documents: bool) -> ProjectSize:
        """Write a project with its chats, and its documents if asked, to the file ``target``; return what was
        written. Raises ``export_unwritable``, ``RecordNotFound`` or another ``StorageError``."""
        from fireside.services.transfer.project_archive import ProjectExport

        folder = await self._store.folders.get(folder_id)
        listed = await self._documents.listed(folder_id) if with_documents and self._documents else ()
        exporting = ProjectExport(
            self._store,
            clock=self._clock,
            on_progress=lambda done, total: self._emit(TransferProgressed(n_done=done, n_total=total)),
        )
        n_chats, n_documents = await exporting.run(
            folder,
            origin=str(folder.settings.get(ORIGIN_KEY) or self._store.name_of_folder(folder_id)),
            target=Path(target),
            documents=[path for path, _ in listed],
        )
        return ProjectSize(n_chats=n_chats, n_documents=n_documents)

    @for_window
    async def export_answer(self, message_id: MessageId, *, form: ExportFormat, target: str) -> ExportReport:
        """Write one answer to the file ``target``. Not for JSON, nor for PDF, which needs Qt.

        Raises ``export_unwritable``, ``RecordNotFound`` or another ``StorageError``.
        """
        from fireside.services.transfer.conversation_export import ConversationExport

        exporting = ConversationExport(self._store, clock=self._clock, on_progress=lambda _done, _total: None)
        return await exporting.run_answer(message_id, form=form, target=Path(target))

    @for_window
    async def export_artifact(
        self, artifact: ArtifactText, *, form: ExportFormat | None, target: str
    ) -> ExportReport:
        """Write an artifact to the file ``target``, as it is for ``None``. Not for PDF, which needs Qt.

        Raises ``export_unwritable``.
        """
        from fireside.services.transfer.conversation_export import artifact_content, write_file

        content = await asyncio.to_thread(artifact_content, artifact, form)
        await asyncio.to_thread(write_file, content, target=Path(target))
        return ExportReport(paths=(target,), n_conversations=1)

    @for_window
    async def printed_artifact(self, artifact: ArtifactText) -> PrintedPage:
        """Return an artifact prepared for printing."""
        from fireside.services.transfer.conversation_export import artifact_transcript
        from fireside.services.transfer.export_text import printable_conversation

        return await asyncio.to_thread(printable_conversation, artifact_transcript(artifact))

    @for_window
    async def all_ids(self) -> tuple[ConversationId, ...]:
        """Return the conversations that are not deleted, latest first."""
        return await self._ids(None)

    @for_window
    async def printed(self, conversation_id: ConversationId) -> PrintedPage:
        """Return a conversation prepared for printing."""
        from fireside.services.transfer.export_text import printable_conversation

        transcript = await self._store.transcripts.get(conversation_id)
        return await asyncio.to_thread(printable_conversation, transcript)

    @for_window
    async def printed_answer(self, message_id: MessageId) -> PrintedPage:
        """Return one answer prepared for printing."""
        from fireside.services.transfer.export_text import answer_transcript, printable_conversation

        return await asyncio.to_thread(
            printable_conversation, await answer_transcript(self._store, message_id)
        )

    @for_window
    async def import_files(self, paths: Sequence[str]) -> ImportReport:
        """Import conversations from files, folders and archives. Existing ones are not changed.

        Raises ``import_unreadable`` for a single file without anything that can be imported.
        """
        from fireside.services.transfer.conversation_import import ConversationImport

        importing = ConversationImport(
            self._store,
            on_added=lambda summary: self._emit(ConversationChanged(summary=summary)),
            on_updated=self._report_updated,
            on_progress=lambda done: self._emit(TransferProgressed(n_done=done, n_total=None)),
            documents=self._documents,
        )
        try:
            return await importing.run(paths)
        finally:
            self._emit(FoldersChanged(folders=await self._store.folders.all()))

    def _report_updated(self, summary: ConversationSummary) -> None:
        self._emit(ConversationChanged(summary=summary))
        self._emit(BranchChanged(conversation_id=summary.id))

    @for_window
    async def contains_conversations(self, paths: Sequence[str]) -> bool:
        """Return whether any of these files or folders contains conversations that can be imported."""
        from fireside.services.transfer.conversation_import import contains_conversations

        for path in paths:
            if await asyncio.to_thread(contains_conversations, Path(path)):
                return True
        return False

    async def _ids(self, ids: Sequence[ConversationId] | None) -> tuple[ConversationId, ...]:
        if ids is not None:
            return tuple(dict.fromkeys(ids))
        return tuple(summary.id for summary in await self._store.conversations.all())
