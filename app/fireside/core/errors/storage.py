"""What is kept and cannot be: conversations, settings, secrets."""

from __future__ import annotations

from dataclasses import dataclass

from fireside.core.errors.base import FiresideError, NextStep
from fireside.core.i18n import Words, render, tr


class StorageError(FiresideError):
    retryable = True
    next_step = NextStep.RETRY


@dataclass(kw_only=True, eq=False)
class StorageFull(StorageError):
    code = "storage_full"
    path: str

    def sentence(self) -> str:
        return tr("The disk is full. What you see is kept in memory and saved as soon as there is room.")


@dataclass(kw_only=True, eq=False)
class StorageLocked(StorageError):
    code = "storage_locked"
    path: str

    def sentence(self) -> str:
        return tr("Another program is holding the conversation database. Saving goes on when it lets go.")


@dataclass(kw_only=True, eq=False)
class StorageUnwritable(StorageError):
    code = "storage_unwritable"
    next_step = NextStep.CHOOSE_DATA_FOLDER
    path: str
    reason: Words

    def sentence(self) -> str:
        return tr("Fireside cannot write to {path}: {reason}").format(
            path=self.path, reason=render(self.reason)
        )


@dataclass(kw_only=True, eq=False)
class StorageDamaged(StorageError):
    code = "storage_damaged"
    retryable = False
    path: str
    reason: Words

    def sentence(self) -> str:
        return tr("The conversation database is damaged ({reason}). It was left untouched: {path}").format(
            reason=render(self.reason), path=self.path
        )


@dataclass(kw_only=True, eq=False)
class StorageTooNew(StorageError):
    code = "storage_too_new"
    retryable = False
    path: str
    version: int
    supported: int

    def sentence(self) -> str:
        return tr("These conversations were written by a newer Fireside. Update the program to open them.")


@dataclass(kw_only=True, eq=False)
class MessageUnreadable(StorageError):
    code = "message_unreadable"
    retryable = False
    next_step = NextStep.NONE
    id: int

    def sentence(self) -> str:
        return tr("This message is damaged on the disk and cannot be shown. The others are not affected.")


@dataclass(kw_only=True, eq=False)
class NotStored(StorageError):
    code = "not_stored"
    retryable = False
    next_step = NextStep.NONE
    what: Words
    id: int

    def sentence(self) -> str:
        return tr("This {what} is no longer there.").format(what=render(self.what))


class SettingsError(FiresideError):
    next_step = NextStep.OPEN_SETTINGS


@dataclass(kw_only=True, eq=False)
class SettingInvalid(SettingsError):
    code = "setting_invalid"
    key: Words
    reason: Words

    def sentence(self) -> str:
        return tr("“{name}”: {reason}").format(name=render(self.key), reason=render(self.reason))


@dataclass(kw_only=True, eq=False)
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


@dataclass(kw_only=True, eq=False)
class SettingsUnwritable(SettingsError):
    code = "settings_unwritable"
    retryable = True
    path: str
    reason: Words

    def sentence(self) -> str:
        return tr("The settings could not be saved to {path}: {reason}").format(
            path=self.path, reason=render(self.reason)
        )


class SecretsError(FiresideError):
    retryable = True
    next_step = NextStep.RETRY


@dataclass(kw_only=True, eq=False)
class KeyringUnavailable(SecretsError):
    code = "keyring_unavailable"
    reason: Words

    def sentence(self) -> str:
        return tr("This system has no safe place for passwords that Fireside can use: {reason}").format(
            reason=render(self.reason)
        )


@dataclass(kw_only=True, eq=False)
class KeyringLocked(SecretsError):
    code = "keyring_locked"
    waited_s: float

    def sentence(self) -> str:
        return tr("The system's keyring is locked. Unlock it and try again.")


@dataclass(kw_only=True, eq=False)
class KeyringRefused(SecretsError):
    code = "keyring_refused"
    reason: Words

    def sentence(self) -> str:
        return tr("The system's keyring did not do what it was asked: {reason}").format(
            reason=render(self.reason)
        )


@dataclass(kw_only=True, eq=False)
class PresetInvalid(FiresideError):
    code = "preset_invalid"
    reason: Words

    def sentence(self) -> str:
        return tr("This preset cannot be kept: {reason}").format(reason=render(self.reason))
