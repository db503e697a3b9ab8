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

    Progress arrives as ``TransferProgressed``. Cancelling the awaiting task ends the transfer: incomplete
    files are deleted, imported conversations stay.
    """

    async def export(
        self, ids: Sequence[ConversationId] | None, *, form: ExportFormat, target: str
    ) -> ExportReport:
        """Write conversations, or all for ``None``, to the file ``target``.

        Several conversations in a form other than JSON get one file each in the folder ``target``, which is
        created if needed.
        Raises ``ExportUnwritable``, ``RecordNotFound`` or another ``StorageError``.
        """

    async def import_files(self, paths: Sequence[str]) -> ImportReport:
        """Import conversations from files, folders and archives. Existing ones are not changed.

        Raises ``ImportUnreadable`` for a single file without anything that can be imported.
        """

    async def contains_conversations(self, paths: Sequence[str]) -> bool:
        """Return whether any of these files or folders contains conversations that can be imported."""


class BackupClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    ``BackupsChanged`` carries the list after each change.
    """

    async def state(self) -> BackupState:
        """Return all backups, the newest first."""

    async def back_up(self) -> Backup:
        """Create a backup now. Raises ``BackupUnwritable``, ``StorageDamaged`` or another
        ``StorageError``."""

    async def restore(self, path: str) -> RestoreResult:
        """Restore a backup, after a backup of the current conversations.

        ``ConversationsRestored`` means that all data is to be requested again. Where the database could not
        be opened at the start, its file is renamed, and the backup takes effect at the next start of the
        program. Raises ``BackupUnusable``, ``BackupUnwritable`` or a ``StorageError``; then nothing has
        changed.
        """
