"""What can go wrong with conversations that leave or come in, and with copies of them."""

from __future__ import annotations

from dataclasses import dataclass

from fireside.core.errors.base import FiresideError, NextStep
from fireside.core.i18n import Words, render, tr


class TransferError(FiresideError):
    pass


@dataclass(kw_only=True, eq=False)
class ImportUnreadable(TransferError):
    code = "import_unreadable"
    path: str
    reason: Words

    def sentence(self) -> str:
        return tr("Nothing was imported from {path}: {reason}").format(
            path=self.path, reason=render(self.reason)
        )


@dataclass(kw_only=True, eq=False)
class ExportUnwritable(TransferError):
    code = "export_unwritable"
    retryable = True
    path: str
    reason: Words

    def sentence(self) -> str:
        return tr("The export could not be written to {path}: {reason}").format(
            path=self.path, reason=render(self.reason)
        )


@dataclass(kw_only=True, eq=False)
class BackupUnwritable(TransferError):
    code = "backup_unwritable"
    retryable = True
    next_step = NextStep.RETRY
    path: str
    reason: Words

    def sentence(self) -> str:
        return tr("The conversations could not be backed up to {path}: {reason}").format(
            path=self.path, reason=render(self.reason)
        )


@dataclass(kw_only=True, eq=False)
class BackupUnusable(TransferError):
    code = "backup_unusable"
    path: str
    reason: Words

    def sentence(self) -> str:
        return tr("This backup cannot be brought back, and nothing was changed ({reason}): {path}").format(
            reason=render(self.reason), path=self.path
        )
