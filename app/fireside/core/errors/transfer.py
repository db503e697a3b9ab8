"""Errors of export, import and backups."""

from __future__ import annotations

from fireside.core.errors.base import FiresideError, NextStep
from fireside.core.i18n import Translatable, tr_noop


class TransferError(FiresideError):
    pass


class ImportUnreadable(TransferError):
    code = "import_unreadable"
    message = tr_noop("Import from {path} failed: {reason}")
    path: str
    reason: Translatable


class ExportUnwritable(TransferError):
    code = "export_unwritable"
    retryable = True
    message = tr_noop("Export to {path} failed: {reason}")
    path: str
    reason: Translatable


class BackupUnwritable(TransferError):
    code = "backup_unwritable"
    retryable = True
    next_step = NextStep.RETRY
    message = tr_noop("Backup to {path} failed: {reason}")
    path: str
    reason: Translatable


class BackupUnusable(TransferError):
    code = "backup_unusable"
    message = tr_noop("Restoring the backup failed; nothing was changed ({reason}): {path}")
    path: str
    reason: Translatable
