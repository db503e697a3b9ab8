"""What is kept and cannot be: conversations, settings, secrets."""

from __future__ import annotations

from fireside.core.errors.base import FiresideError, NextStep
from fireside.core.i18n import Words, render, tr, tr_noop


class StorageError(FiresideError):
    retryable = True
    next_step = NextStep.RETRY


class StorageFull(StorageError):
    code = "storage_full"
    words = tr_noop("The disk is full. What you see is kept in memory and saved as soon as there is room.")
    path: str


class StorageLocked(StorageError):
    code = "storage_locked"
    words = tr_noop("Another program is holding the conversation database. Saving goes on when it lets go.")
    path: str


class StorageUnwritable(StorageError):
    code = "storage_unwritable"
    next_step = NextStep.CHOOSE_DATA_FOLDER
    words = tr_noop("Fireside cannot write to {path}: {reason}")
    path: str
    reason: Words


class StorageDamaged(StorageError):
    code = "storage_damaged"
    retryable = False
    words = tr_noop("The conversation database is damaged ({reason}). It was left untouched: {path}")
    path: str
    reason: Words


class StorageTooNew(StorageError):
    code = "storage_too_new"
    retryable = False
    words = tr_noop("These conversations were written by a newer Fireside. Update the program to open them.")
    path: str
    version: int
    supported: int


class MessageUnreadable(StorageError):
    code = "message_unreadable"
    retryable = False
    next_step = NextStep.NONE
    words = tr_noop("This message is damaged on the disk and cannot be shown. The others are not affected.")
    id: int


class NotStored(StorageError):
    code = "not_stored"
    retryable = False
    next_step = NextStep.NONE
    words = tr_noop("This {what} is no longer there.")
    what: Words
    id: int


class SettingsError(FiresideError):
    next_step = NextStep.OPEN_SETTINGS


class SettingInvalid(SettingsError):
    code = "setting_invalid"
    key: Words
    reason: Words

    def sentence(self) -> str:
        return tr("“{name}”: {reason}").format(name=render(self.key), reason=render(self.reason))


class SettingsDamaged(SettingsError):
    code = "settings_damaged"
    path: str
    reason: Words
    kept_as: str | None = None
    """Where the damaged file was put, unless it could not be moved."""
    restored: str | None = None
    """The backup that the settings now come from; ``None`` means the defaults."""

    def sentence(self) -> str:
        now = tr("The last good ones are back") if self.restored else tr("The defaults are in use")
        return tr(
            "The settings file could not be read ({reason}). {now}; nothing was deleted: {path}"
        ).format(reason=render(self.reason), now=now, path=self.kept_as or self.path)


class SettingsUnwritable(SettingsError):
    code = "settings_unwritable"
    retryable = True
    words = tr_noop("The settings could not be saved to {path}: {reason}")
    path: str
    reason: Words


class SecretsError(FiresideError):
    retryable = True
    next_step = NextStep.RETRY


class KeyringUnavailable(SecretsError):
    code = "keyring_unavailable"
    words = tr_noop("This system has no safe place for passwords that Fireside can use: {reason}")
    reason: Words


class KeyringLocked(SecretsError):
    code = "keyring_locked"
    words = tr_noop("The system's keyring is locked. Unlock it and try again.")
    waited_s: float


class KeyringRefused(SecretsError):
    code = "keyring_refused"
    words = tr_noop("The system's keyring did not do what it was asked: {reason}")
    reason: Words


class PresetInvalid(FiresideError):
    code = "preset_invalid"
    words = tr_noop("This preset cannot be kept: {reason}")
    reason: Words
