"""Protocol of the service for export, import and backups of conversations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fireside.core.ids import ConversationId
from fireside.core.transfer import (
    Backup,
    BackupState,
    ExportFormat,
    ExportReport,
    ImportReport,
    RestoreResult,
)


class TransferClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    An export or import tells how far it is by ``TransferProgressed``; cancelling the awaiting task ends it:
    files that are not whole are removed, conversations that have come in stay.
    """

    async def export(
        self, ids: Sequence[ConversationId] | None, *, form: ExportFormat, target: str
    ) -> ExportReport:
        """Write conversations, or all for ``None``, to the file ``target``.

        Several in another form than JSON get a file each in the folder ``target``, which is made if need be.
        Raises ``ExportUnwritable``, ``RecordNotFound`` or another ``StorageError``.
        """

    async def import_files(self, paths: Sequence[str]) -> ImportReport:
        """Import what files, folders and archives hold. What is there already is left as it is.

        Raises ``ImportUnreadable`` where there is one file alone and nothing in it can be imported.
        """

    async def contains_conversations(self, paths: Sequence[str]) -> bool:
        """Say whether any of these files or folders holds conversations that can be imported."""


class BackupClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    ``BackupsChanged`` carries the list after each change.
    """

    async def state(self) -> BackupState:
        """Return the backups that there are, the newest first."""

    async def back_up(self) -> Backup:
        """Make one now. Raises ``BackupUnwritable``, ``StorageDamaged`` and others."""

    async def restore(self, path: str) -> RestoreResult:
        """Bring back what a backup holds; what there is now is backed up first.

        ``ConversationsRestored`` says that everything is to be asked for again. Where the database could not
        be opened at the start, its file is set aside under another name, and the backup is there when the
        program is next started. Raises ``BackupUnusable``, ``BackupUnwritable`` or a ``StorageError``; then
        nothing has changed.
        """
