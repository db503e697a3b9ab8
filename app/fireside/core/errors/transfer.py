"""What can go wrong with conversations that leave or come in, and with copies of them."""

from __future__ import annotations

from fireside.core.errors.base import FiresideError, NextStep
from fireside.core.i18n import Words, tr_noop


class TransferError(FiresideError):
    pass


class ImportUnreadable(TransferError):
    code = "import_unreadable"
    words = tr_noop("Nothing was imported from {path}: {reason}")
    path: str
    reason: Words


class ExportUnwritable(TransferError):
    code = "export_unwritable"
    retryable = True
    words = tr_noop("The export could not be written to {path}: {reason}")
    path: str
    reason: Words


class BackupUnwritable(TransferError):
    code = "backup_unwritable"
    retryable = True
    next_step = NextStep.RETRY
    words = tr_noop("The conversations could not be backed up to {path}: {reason}")
    path: str
    reason: Words


class BackupUnusable(TransferError):
    code = "backup_unusable"
    words = tr_noop("This backup cannot be brought back, and nothing was changed ({reason}): {path}")
    path: str
    reason: Words
