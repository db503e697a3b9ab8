"""Every error that Fireside raises on purpose.

FiresideError
├── ModelError                 the file itself
│   ├── ModelFileMissing
│   ├── ModelFileInvalid
│   ├── ModelFileNotRemoved
│   ├── ModelOutputInvalid     it computes values that are not numbers
│   └── ModelNotFound          no such name in the library
├── LoadError                  the file is sound but could not be loaded
│   ├── LoadFailed
│   ├── OutOfMemory
│   └── RestartsExhausted
├── RunnerError                the child process
│   ├── RunnerCrashed
│   ├── RunnerUnresponsive
│   ├── RunnerProtocolError
│   └── RunnerStartFailed
├── RequestError               what was asked for
│   ├── ModelUnsuited          loaded for something else
│   ├── ContextLengthExceeded
│   ├── PromptTooLarge
│   ├── InvalidParameter
│   ├── ConstraintInvalid      a schema, pattern or grammar for the answer
│   ├── InvalidText
│   ├── InvalidImage
│   ├── ImagesUnsupported      the model has no eyes
│   ├── TemplateFailed
│   ├── QueueFull
│   ├── AnswerRunning
│   └── EngineStopped
├── StorageError               the database
│   ├── StorageFull
│   ├── StorageLocked
│   ├── StorageUnwritable
│   ├── StorageDamaged
│   ├── StorageTooNew
│   ├── MessageUnreadable      one row is damaged, the others are not
│   └── NotStored              no such conversation or message
├── SettingsError
│   ├── SettingInvalid
│   ├── SettingsDamaged        the file, or what was kept of it
│   └── SettingsUnwritable
└── SecretsError               the keyring
    ├── KeyringUnavailable
    ├── KeyringLocked
    └── KeyringRefused

Each class has a stable ``code``, says whether trying again can help, carries its numbers as typed
fields, and words one sentence for a person. A cancellation is a ``FinishReason``, never an error.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

import msgspec

ErrorValue = str | int | float | bool | None


class NextStep(StrEnum):
    """What a person can do about an error; the window offers it as a button."""

    NONE = "none"
    RETRY = "retry"
    CHOOSE_MODEL = "choose_model"
    OPEN_MODEL_SETTINGS = "open_model_settings"
    OPEN_SETTINGS = "open_settings"
    NEW_CHAT = "new_chat"
    CHOOSE_DATA_FOLDER = "choose_data_folder"


class ErrorInfo(msgspec.Struct, frozen=True, kw_only=True):
    """An error as a value: crosses processes and threads, and is stored with the answer it ended."""

    code: str
    sentence: str
    retryable: bool
    next_step: NextStep
    data: dict[str, ErrorValue] = {}


@dataclass(kw_only=True, eq=False)
class FiresideError(Exception):
    """Base of all. A subclass sets ``code``, ``retryable``, ``next_step`` and words its ``sentence``."""

    code: ClassVar[str] = "internal"
    retryable: ClassVar[bool] = False
    next_step: ClassVar[NextStep] = NextStep.NONE

    def sentence(self) -> str:
        """One plain sentence: what happened and, where it helps, what to do."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.sentence()

    def info(self) -> ErrorInfo:
        """Return this error as a value."""
        data = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return ErrorInfo(
            code=self.code,
            sentence=self.sentence(),
            retryable=self.retryable,
            next_step=self.next_step,
            data=data,
        )


def format_bytes(n: int) -> str:
    """Return a size for a person, in decimal units as disks and downloads are labelled: ``5.0 GB``."""
    if n < 1000:
        return f"{n} bytes"
    value = float(n)
    for unit in ("kB", "MB", "GB"):
        value /= 1000
        if value < 999.5:
            return f"{value:.0f} {unit}" if value >= 100 or unit == "kB" else f"{value:.1f} {unit}"
    return f"{value / 1000:.1f} TB"


class ModelError(FiresideError):
    next_step = NextStep.CHOOSE_MODEL


@dataclass(kw_only=True, eq=False)
class ModelFileMissing(ModelError):
    code = "model_file_missing"
    path: str

    def sentence(self) -> str:
        return f"The model file is no longer there: {self.path}"


@dataclass(kw_only=True, eq=False)
class ModelFileInvalid(ModelError):
    code = "model_file_invalid"
    path: str
    reason: str

    def sentence(self) -> str:
        return f"This is not a usable model file: {self.reason}"


@dataclass(kw_only=True, eq=False)
class ModelFileNotRemoved(ModelError):
    code = "model_file_not_removed"
    next_step = NextStep.NONE
    path: str
    reason: str

    def sentence(self) -> str:
        return f"This model file could not be removed: {self.reason}"


@dataclass(kw_only=True, eq=False)
class ModelOutputInvalid(ModelError):
    code = "model_output_invalid"

    def sentence(self) -> str:
        return (
            "The model computes values that are not numbers. Its file may be damaged, "
            "or this device does not compute it rightly."
        )


@dataclass(kw_only=True, eq=False)
class ModelNotFound(ModelError):
    code = "model_not_found"
    name: str

    def sentence(self) -> str:
        return f"There is no model called “{self.name}” in your library."


class LoadError(FiresideError):
    retryable = True
    next_step = NextStep.OPEN_MODEL_SETTINGS


@dataclass(kw_only=True, eq=False)
class LoadFailed(LoadError):
    code = "load_failed"
    model: str
    reason: str

    def sentence(self) -> str:
        return f"{self.model} could not be loaded: {self.reason}"


@dataclass(kw_only=True, eq=False)
class OutOfMemory(LoadError):
    code = "out_of_memory"
    model: str
    needed_bytes: int | None = None
    available_bytes: int | None = None

    def sentence(self) -> str:
        if self.needed_bytes is None or self.available_bytes is None:
            return (
                f"There is not enough memory for {self.model}. A smaller context or a smaller model will fit."
            )
        return (
            f"{self.model} needs {format_bytes(self.needed_bytes)} of memory and "
            f"{format_bytes(self.available_bytes)} are free. A smaller context or a smaller model will fit."
        )


@dataclass(kw_only=True, eq=False)
class RestartsExhausted(LoadError):
    code = "restarts_exhausted"
    model: str
    n_crashes: int
    cause: str

    def sentence(self) -> str:
        return (
            f"{self.model} stopped {self.n_crashes} times in a few minutes, "
            f"so it is not restarted by itself. The last time: {self.cause}"
        )


class RunnerError(FiresideError):
    retryable = True
    next_step = NextStep.RETRY


@dataclass(kw_only=True, eq=False)
class RunnerCrashed(RunnerError):
    code = "runner_crashed"
    model: str
    cause: str
    """In words: the signal or exit status, the last assert line, or that memory ran out."""
    exit_status: int | None = None

    def sentence(self) -> str:
        return f"{self.model} stopped unexpectedly: {self.cause} Your conversation is safe."


@dataclass(kw_only=True, eq=False)
class RunnerUnresponsive(RunnerError):
    code = "runner_unresponsive"
    model: str
    waited_s: float

    def sentence(self) -> str:
        return (
            f"{self.model} did not react for {self.waited_s:.0f} seconds and was stopped. "
            "Your conversation is safe."
        )


@dataclass(kw_only=True, eq=False)
class RunnerProtocolError(RunnerError):
    code = "runner_protocol_error"
    model: str
    reason: str

    def sentence(self) -> str:
        return f"{self.model} sent something that Fireside does not understand and was stopped: {self.reason}"


@dataclass(kw_only=True, eq=False)
class RunnerStartFailed(RunnerError):
    code = "runner_start_failed"
    reason: str

    def sentence(self) -> str:
        return f"The process that runs models could not be started: {self.reason}"


class RequestError(FiresideError):
    pass


@dataclass(kw_only=True, eq=False)
class ModelUnsuited(RequestError):
    """``wanted`` and ``is_for`` are words such as “write text”."""

    code = "model_unsuited"
    next_step = NextStep.CHOOSE_MODEL
    wanted: str
    is_for: str

    def sentence(self) -> str:
        return f"This model is loaded for {self.is_for} and cannot {self.wanted}. Choose another model."


@dataclass(kw_only=True, eq=False)
class ContextLengthExceeded(RequestError):
    code = "context_length_exceeded"
    next_step = NextStep.OPEN_MODEL_SETTINGS
    n_prompt: int
    n_ctx: int

    def sentence(self) -> str:
        return (
            f"This message needs {self.n_prompt:,} tokens and the context holds {self.n_ctx:,}. "
            "Shorten it, or give the model a larger context."
        )


@dataclass(kw_only=True, eq=False)
class PromptTooLarge(RequestError):
    code = "prompt_too_large"
    next_step = NextStep.OPEN_MODEL_SETTINGS
    n_bytes: int
    limit_bytes: int

    def sentence(self) -> str:
        return (
            f"This message is {format_bytes(self.n_bytes)} long; with this context the model can read "
            f"at most {format_bytes(self.limit_bytes)}. Shorten it, or give the model a larger context."
        )


@dataclass(kw_only=True, eq=False)
class InvalidParameter(RequestError):
    code = "invalid_parameter"
    next_step = NextStep.OPEN_SETTINGS
    name: str
    reason: str

    def sentence(self) -> str:
        return f"The setting “{self.name}” cannot be used: {self.reason}"


@dataclass(kw_only=True, eq=False)
class ConstraintInvalid(RequestError):
    code = "constraint_invalid"
    kind: str
    """What was given, for a person: “JSON Schema”, “regular expression”, “grammar”."""
    reason: str

    def sentence(self) -> str:
        return f"This {self.kind} cannot be used for the answer: {self.reason}"


@dataclass(kw_only=True, eq=False)
class InvalidText(RequestError):
    code = "invalid_text"
    reason: str

    def sentence(self) -> str:
        return f"This text cannot be sent: {self.reason}"


@dataclass(kw_only=True, eq=False)
class InvalidImage(RequestError):
    """``number`` counts the images of the request from 1."""

    code = "invalid_image"
    number: int
    reason: str

    def sentence(self) -> str:
        return f"Image {self.number} cannot be shown to the model: {self.reason}"


@dataclass(kw_only=True, eq=False)
class ImagesUnsupported(RequestError):
    code = "images_unsupported"
    next_step = NextStep.CHOOSE_MODEL

    def sentence(self) -> str:
        return "This model cannot see images."


@dataclass(kw_only=True, eq=False)
class TemplateFailed(RequestError):
    code = "template_failed"
    next_step = NextStep.CHOOSE_MODEL
    reason: str

    def sentence(self) -> str:
        return f"The model's own chat template does not work: {self.reason}"


@dataclass(kw_only=True, eq=False)
class QueueFull(RequestError):
    code = "queue_full"
    retryable = True
    next_step = NextStep.RETRY
    limit: int

    def sentence(self) -> str:
        return f"{self.limit} requests are waiting already. Try again when some are done."


@dataclass(kw_only=True, eq=False)
class AnswerRunning(RequestError):
    code = "answer_running"

    def sentence(self) -> str:
        return "The model is still answering in this chat. Stop it first, or wait until it is done."


@dataclass(kw_only=True, eq=False)
class EngineStopped(RequestError):
    code = "engine_stopped"

    def sentence(self) -> str:
        return "Fireside is closing."


class StorageError(FiresideError):
    retryable = True
    next_step = NextStep.RETRY


@dataclass(kw_only=True, eq=False)
class StorageFull(StorageError):
    code = "storage_full"
    path: str

    def sentence(self) -> str:
        return "The disk is full. What you see is kept in memory and saved as soon as there is room."


@dataclass(kw_only=True, eq=False)
class StorageLocked(StorageError):
    code = "storage_locked"
    path: str

    def sentence(self) -> str:
        return "Another program is holding the conversation database. Saving goes on when it lets go."


@dataclass(kw_only=True, eq=False)
class StorageUnwritable(StorageError):
    code = "storage_unwritable"
    next_step = NextStep.CHOOSE_DATA_FOLDER
    path: str
    reason: str

    def sentence(self) -> str:
        return f"Fireside cannot write to {self.path}: {self.reason}"


@dataclass(kw_only=True, eq=False)
class StorageDamaged(StorageError):
    code = "storage_damaged"
    retryable = False
    path: str
    reason: str

    def sentence(self) -> str:
        return f"The conversation database is damaged ({self.reason}). It was left untouched: {self.path}"


@dataclass(kw_only=True, eq=False)
class StorageTooNew(StorageError):
    code = "storage_too_new"
    retryable = False
    path: str
    version: int
    supported: int

    def sentence(self) -> str:
        return "These conversations were written by a newer Fireside. Update the program to open them."


@dataclass(kw_only=True, eq=False)
class MessageUnreadable(StorageError):
    code = "message_unreadable"
    retryable = False
    next_step = NextStep.NONE
    id: int

    def sentence(self) -> str:
        return "This message is damaged on the disk and cannot be shown. The others are not affected."


@dataclass(kw_only=True, eq=False)
class NotStored(StorageError):
    code = "not_stored"
    retryable = False
    next_step = NextStep.NONE
    what: str
    id: int

    def sentence(self) -> str:
        return f"This {self.what} is no longer there."


class SettingsError(FiresideError):
    next_step = NextStep.OPEN_SETTINGS


@dataclass(kw_only=True, eq=False)
class SettingInvalid(SettingsError):
    code = "setting_invalid"
    key: str
    reason: str

    def sentence(self) -> str:
        return f"“{self.key}”: {self.reason}"


@dataclass(kw_only=True, eq=False)
class SettingsDamaged(SettingsError):
    code = "settings_damaged"
    path: str
    reason: str
    kept_as: str | None = None
    """Where the damaged file was put, unless it could not be moved."""
    restored: str | None = None
    """The backup that the settings now come from; ``None`` means the defaults."""

    def sentence(self) -> str:
        now = "The last good ones are back" if self.restored else "The defaults are in use"
        return (
            f"The settings file could not be read ({self.reason}). {now}; "
            f"nothing was deleted: {self.kept_as or self.path}"
        )


@dataclass(kw_only=True, eq=False)
class SettingsUnwritable(SettingsError):
    code = "settings_unwritable"
    retryable = True
    path: str
    reason: str

    def sentence(self) -> str:
        return f"The settings could not be saved to {self.path}: {self.reason}"


class SecretsError(FiresideError):
    retryable = True
    next_step = NextStep.RETRY


@dataclass(kw_only=True, eq=False)
class KeyringUnavailable(SecretsError):
    code = "keyring_unavailable"
    reason: str

    def sentence(self) -> str:
        return f"This system has no safe place for passwords that Fireside can use: {self.reason}"


@dataclass(kw_only=True, eq=False)
class KeyringLocked(SecretsError):
    code = "keyring_locked"
    waited_s: float

    def sentence(self) -> str:
        return "The system's keyring is locked. Unlock it and try again."


@dataclass(kw_only=True, eq=False)
class KeyringRefused(SecretsError):
    code = "keyring_refused"
    reason: str

    def sentence(self) -> str:
        return f"The system's keyring did not do what it was asked: {self.reason}"


def _concrete(cls: type[FiresideError]) -> dict[str, type[FiresideError]]:
    found = {cls.code: cls} if "code" in cls.__dict__ else {}
    for child in cls.__subclasses__():
        found |= _concrete(child)
    return found


def error_from_info(info: ErrorInfo) -> FiresideError:
    """Return the typed error that ``info`` describes.

    An unknown code or fields that do not fit (a runner is not trusted) give ``RunnerProtocolError``.
    """
    cls = _concrete(FiresideError).get(info.code)
    if cls is None or cls is FiresideError:
        return RunnerProtocolError(model="The model", reason=f"unknown error “{info.code}”.")
    try:
        return msgspec.convert(info.data, cls)
    except (msgspec.ValidationError, TypeError) as exc:
        return RunnerProtocolError(
            model="The model", reason=f"error “{info.code}” with wrong fields ({exc})."
        )
