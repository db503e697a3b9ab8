"""Errors of storing conversations, settings, presets and secrets."""

from __future__ import annotations

from pathlib import PurePath
from typing import ClassVar

from fireside.core.errors.base import ErrorRow, ErrorRows, FiresideError, NextStep
from fireside.core.i18n import Translatable, render, tr, tr_noop


class StorageError(FiresideError):
    retryable = True
    next_step = NextStep.RETRY
    rows: ClassVar[ErrorRows] = {
        "storage_locked": ErrorRow(
            tr_noop("Another program has locked the chat database. Saving resumes when it is released.")
        ),
        "storage_read_only": ErrorRow(
            tr_noop(
                "A newer version of Fireside wrote these chats. You can read and export them here; to "
                "change them, update Fireside."
            ),
            NextStep.UPDATE,
            retryable=False,
        ),
        "storage_write_protected": ErrorRow(
            tr_noop(
                "Nothing can be saved in {path}: {reason} You can read and export the chats here; to write, "
                "choose another folder."
            ),
            NextStep.CHOOSE_DATA_FOLDER,
            retryable=False,
        ),
        "storage_not_migrated": ErrorRow(
            tr_noop(
                "The chat database could not be upgraded for this version ({reason}). Nothing in it was "
                "changed; the previous version of Fireside still opens it: {path}"
            ),
            NextStep.NONE,
            retryable=False,
        ),
        "passphrase_needed": ErrorRow(
            tr_noop("Your chats are locked. Unlock them with your passphrase first."),
            NextStep.NONE,
            retryable=False,
        ),
        "passphrase_wrong": ErrorRow(
            tr_noop("This is not the passphrase. Check Caps Lock and the keyboard layout, and try again."),
            NextStep.NONE,
        ),
        "passphrase_file_unusable": ErrorRow(
            tr_noop(
                "The key file cannot be read ({reason}), and without it nobody can read your chats. Put a "
                "copy of it back: {path}"
            ),
            NextStep.NONE,
        ),
        "passphrase_no_space": ErrorRow(
            tr_noop("This needs {needed_bytes} of free disk space for a while; {free_bytes} are free."),
        ),
        "passphrase_unfinished": ErrorRow(
            tr_noop("Your data is being encrypted or decrypted. Open the Fireside window to finish that."),
            NextStep.NONE,
            retryable=False,
        ),
        "backups_plain": ErrorRow(
            tr_noop(
                "{number} of the backups are damaged and were not encrypted: anybody can read what is left "
                "of them. Delete them in the folder of backups."
            ),
            NextStep.RESTORE_BACKUP,
            retryable=False,
        ),
        "backup_passphrase": ErrorRow(
            tr_noop("This backup was made with another passphrase. Enter that one to restore it."),
            NextStep.NONE,
            retryable=False,
        ),
        "message_unreadable": ErrorRow(
            tr_noop("This message is damaged and cannot be shown. Others are not affected."),
            NextStep.NONE,
            retryable=False,
        ),
    }


class StorageFull(StorageError):
    code = "storage_full"
    message = tr_noop("The disk is full. Chats are kept in memory and saved when there is space.")
    path: str


class StorageUnwritable(StorageError):
    code = "storage_unwritable"
    next_step = NextStep.CHOOSE_DATA_FOLDER
    message = tr_noop("Fireside cannot write to {path}: {reason}")
    path: str
    reason: Translatable


class StorageDamaged(StorageError):
    code = "storage_damaged"
    retryable = False
    next_step = NextStep.RESTORE_BACKUP
    message = tr_noop("The chat database is damaged ({reason}). It was left untouched: {path}")
    path: str
    reason: Translatable


class StorageTooNew(StorageError):
    code = "storage_too_new"
    retryable = False
    next_step = NextStep.UPDATE
    message = tr_noop(
        "These chats were written by a newer version of Fireside. Update Fireside to open them."
    )
    path: str
    version: int
    supported: int


class RecordNotFound(StorageError):
    code = "not_stored"
    retryable = False
    next_step = NextStep.NONE
    message = tr_noop("This {what} no longer exists.")
    what: Translatable
    id: int


class SettingsError(FiresideError):
    next_step = NextStep.OPEN_SETTINGS


class SettingInvalid(SettingsError):
    code = "setting_invalid"
    key: Translatable
    reason: Translatable

    def sentence(self) -> str:
        return tr("“{name}”: {reason}").format(name=render(self.key), reason=render(self.reason))


class SettingsDamaged(SettingsError):
    code = "settings_damaged"
    path: str
    reason: Translatable
    kept_as: str | None = None
    """The new path of the damaged file; ``None`` if it could not be renamed."""
    restored: str | None = None
    """The backup that was restored; ``None`` if defaults are used."""

    def sentence(self) -> str:
        now = tr("The last valid ones were restored") if self.restored else tr("Defaults are used")
        return tr(
            "The settings file could not be read ({reason}). {now}; nothing was deleted: {path}"
        ).format(reason=render(self.reason), now=now, path=self.kept_as or self.path)


class FileDamaged(SettingsError):
    """A file of the program's state, other than the settings and the database."""

    code = "file_damaged"
    next_step = NextStep.NONE
    path: str
    reason: Translatable
    loss: Translatable
    """What is missing without the file, as a sentence."""
    kept_as: str | None = None
    """The new path of the damaged file; ``None`` if it is where it was."""

    def sentence(self) -> str:
        if self.kept_as is None:
            text = tr("{path} cannot be used ({reason}). It is left as it is. {loss}")
        else:
            text = tr("{path} is damaged ({reason}). It was kept as {kept_as}. {loss}")
        return text.format(
            path=self.path,
            reason=render(self.reason),
            kept_as=PurePath(self.kept_as or "").name,
            loss=render(self.loss),
        )


class SettingsUnwritable(SettingsError):
    code = "settings_unwritable"
    retryable = True
    message = tr_noop("Saving the settings to {path} failed: {reason}")
    path: str
    reason: Translatable


class SecretsError(FiresideError):
    retryable = True
    next_step = NextStep.RETRY
    rows: ClassVar[ErrorRows] = {
        "keyring_refused": ErrorRow(tr_noop("The system keyring failed: {reason}")),
    }


class KeyringUnavailable(SecretsError):
    code = "keyring_unavailable"
    message = tr_noop("No usable system keyring: {reason}")
    reason: Translatable


class KeyringLocked(SecretsError):
    code = "keyring_locked"
    message = tr_noop("The system keyring is locked. Unlock it and try again.")
    waited_s: float
