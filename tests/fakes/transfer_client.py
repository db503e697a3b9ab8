"""A ``TransferClient`` in memory: records what was asked and gives back what a test has laid out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from fakes.requests import Requests
from fireside.bridge.transfer_client import TransferClient
from fireside.core.events import AppEvent
from fireside.core.ids import ConversationId
from fireside.core.transfer import (
    Backup,
    BackupKind,
    BackupsChanged,
    BackupState,
    ConversationsRestored,
    ExportFormat,
    ExportReport,
    ImportReport,
    Restored,
    TransferProgressed,
)

FOLDER = "/data/backups"


def backup(name: str, *, kind: BackupKind = BackupKind.AUTOMATIC, made_at: float = 1_780_000_000.0) -> Backup:
    return Backup(path=f"{FOLDER}/{name}", kind=kind, made_at=made_at, size_bytes=4_200_000)


class FakeTransferClient(Requests):
    """``imported`` is what the next imports report, ``has_conversations`` whether dropped files are some."""

    def __init__(self, publish: Callable[..., None]) -> None:
        super().__init__()
        self._publish: Callable[..., None] = publish
        self.imported = ImportReport()
        self.has_conversations = True
        self.needs_restart = False
        self.state = BackupState(folder=FOLDER)
        self.n_unreadable = 0

    def progress(self, n_done: int, n_total: int | None) -> None:
        """Say how far an export or import is."""
        self._emit(TransferProgressed(n_done=n_done, n_total=n_total))

    # TransferClient

    async def export(
        self, ids: Sequence[ConversationId] | None, *, form: ExportFormat, target: str
    ) -> ExportReport:
        await self.enter("export", ids if ids is None else tuple(ids), form, target)
        return ExportReport(
            paths=(target,), n_conversations=1 if ids is None else len(ids), n_unreadable=self.n_unreadable
        )

    async def import_files(self, paths: Sequence[str]) -> ImportReport:
        await self.enter("import_files", tuple(paths))
        return self.imported

    async def holds_conversations(self, paths: Sequence[str]) -> bool:
        await self.enter("holds_conversations", tuple(paths))
        return self.has_conversations

    async def backups(self) -> BackupState:
        await self.enter("backups")
        return self.state

    async def back_up(self) -> Backup:
        await self.enter("back_up")
        made = backup("fireside-20260528-203640-by-hand.db", kind=BackupKind.BY_HAND)
        self.state = msgspec.structs.replace(self.state, backups=(made, *self.state.backups))
        self._emit(BackupsChanged(state=self.state))
        return made

    async def restore_backup(self, path: str) -> Restored:
        await self.enter("restore_backup", path)
        if self.needs_restart:
            return Restored(kept=None, needs_restart=True)
        self._emit(ConversationsRestored())
        return Restored(kept=backup("fireside-20260528-203650-before-restore.db"))

    def _emit(self, event: AppEvent) -> None:
        self._publish(event)


def as_transfer_client(fake: FakeTransferClient) -> TransferClient:
    """Let the type checker confirm that the fake keeps the contract."""
    return fake
