"""Export, import and back up conversations, for the window and the command line."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from fireside.core.chat import ConversationSummary
from fireside.core.events import AppEvent, BranchChanged, ConversationChanged, FoldersChanged
from fireside.core.ids import ConversationId
from fireside.core.transfer import (
    ExportFormat,
    ExportReport,
    ImportReport,
    PrintedPage,
    TransferProgressed,
)
from fireside.storage.store import Store


class TransferService:
    """Exports and imports conversations. Lives on the engine's loop.

    Code of the formats is imported when first used.
    """

    def __init__(self, *, store: Store, emit: Callable[[AppEvent], None], clock: Callable[[], float]) -> None:
        self._store = store
        self._emit = emit
        self._clock = clock

    async def export(
        self, ids: Sequence[ConversationId] | None, *, form: ExportFormat, target: str
    ) -> ExportReport:
        """Export the conversations ``ids``, all for ``None``; see ``ConversationExport.run``. Not for PDF."""
        from fireside.services.transfer.conversation_export import ConversationExport

        exporting = ConversationExport(
            self._store,
            clock=self._clock,
            on_progress=lambda done, total: self._emit(TransferProgressed(n_done=done, n_total=total)),
        )
        return await exporting.run(await self._ids(ids), form=form, target=Path(target))

    async def all_ids(self) -> tuple[ConversationId, ...]:
        """Return the conversations that are not deleted, latest first."""
        return await self._ids(None)

    async def printed(self, conversation_id: ConversationId) -> PrintedPage:
        from fireside.services.transfer.export_text import printable_conversation

        transcript = await self._store.transcripts.get(conversation_id)
        return await asyncio.to_thread(printable_conversation, transcript)

    async def import_files(self, paths: Sequence[str]) -> ImportReport:
        from fireside.services.transfer.conversation_import import ConversationImport

        importing = ConversationImport(
            self._store,
            on_added=lambda summary: self._emit(ConversationChanged(summary=summary)),
            on_updated=self._report_updated,
            on_progress=lambda done: self._emit(TransferProgressed(n_done=done, n_total=None)),
        )
        try:
            return await importing.run(paths)
        finally:
            self._emit(FoldersChanged(folders=await self._store.folders.all()))

    def _report_updated(self, summary: ConversationSummary) -> None:
        self._emit(ConversationChanged(summary=summary))
        self._emit(BranchChanged(conversation_id=summary.id))

    async def contains_conversations(self, paths: Sequence[str]) -> bool:
        from fireside.services.transfer.conversation_import import contains_conversations

        for path in paths:
            if await asyncio.to_thread(contains_conversations, Path(path)):
                return True
        return False

    async def _ids(self, ids: Sequence[ConversationId] | None) -> tuple[ConversationId, ...]:
        if ids is not None:
            return tuple(dict.fromkeys(ids))
        return tuple(summary.id for summary in await self._store.conversations.all())
