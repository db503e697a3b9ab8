"""What can go wrong with conversations that leave or come in, and with copies of them."""

from __future__ import annotations

from dataclasses import dataclass

from fireside.core.errors.base import FiresideError, NextStep


class TransferError(FiresideError):
    pass


@dataclass(kw_only=True, eq=False)
class ImportUnreadable(TransferError):
    code = "import_unreadable"
    path: str
    reason: str

    def sentence(self) -> str:
        return f"Nothing was imported from {self.path}: {self.reason}"


@dataclass(kw_only=True, eq=False)
class ExportUnwritable(TransferError):
    code = "export_unwritable"
    retryable = True
    path: str
    reason: str

    def sentence(self) -> str:
        return f"The export could not be written to {self.path}: {self.reason}"


@dataclass(kw_only=True, eq=False)
class BackupUnwritable(TransferError):
    code = "backup_unwritable"
    retryable = True
    next_step = NextStep.RETRY
    path: str
    reason: str

    def sentence(self) -> str:
        return f"The conversations could not be backed up to {self.path}: {self.reason}"


@dataclass(kw_only=True, eq=False)
class BackupUnusable(TransferError):
    code = "backup_unusable"
    path: str
    reason: str

    def sentence(self) -> str:
        return f"This backup cannot be brought back, and nothing was changed ({self.reason}): {self.path}"
