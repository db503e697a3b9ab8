"""Every error that Fireside raises on purpose.

FiresideError
├── ModelError                 the file itself
│   ├── ModelFileMissing
│   ├── ModelFileInvalid
│   ├── ModelKindUnknown       to the build of llama.cpp in use
│   ├── ModelFileNotRemoved
│   ├── ModelNoteInvalid       a name or tag that the user gave it
│   ├── LibraryNotMoved        to another folder
│   ├── ModelOutputInvalid     it computes values that are not numbers
│   └── ModelNotFound          no such name in the library
├── LoadError                  the file is sound but could not be loaded
│   ├── LoadFailed
│   ├── OutOfMemory
│   └── RestartsExhausted
├── RunnerError                the child process
│   ├── RunnerCrashed
│   ├── RunnerUnresponsive
│   ├── LoadStalled            it reads nothing and gets no further
│   ├── RunnerProtocolError
│   ├── RunnerStartFailed
│   └── EngineLost             another program of this user, which had the engine, has gone
├── RuntimeBuildError          a build of llama.cpp
│   ├── RuntimeNotAdded
│   ├── RuntimeNotFound
│   ├── RuntimeRefused         it may not be used, tested or removed now
│   └── RuntimeUnwritable
├── RequestError               what was asked for
│   ├── ModelUnsuited          loaded for something else
│   ├── ContextLengthExceeded
│   ├── PromptTooLarge
│   ├── InvalidParameter
│   ├── ConstraintInvalid      a schema, pattern or grammar for the answer
│   ├── InvalidText
│   ├── InvalidImage
│   ├── ImagesUnsupported      the model has no eyes
│   ├── AttachmentUnreadable
│   ├── TemplateFailed
│   ├── QueueFull
│   ├── AnswerRunning
│   ├── PageUnreadable         of a document, for the reader
│   ├── ReadingFailed          of all documents for one question
│   ├── SummaryFailed
│   ├── TuningRefused          nothing to keep, or something is being measured already
│   └── EngineStopped
├── HubError                   where models are fetched from
│   ├── HubNameInvalid         what was typed names no model there
│   ├── HubOffline             the user turned connections off
│   ├── HubUnreachable
│   ├── HubAnswerInvalid       something else answered in its place, or it answered nonsense
│   ├── HubFailed              it says that it has a problem itself
│   ├── HubRateLimited
│   ├── HubNotFound
│   ├── HubGated               a licence has to be accepted first
│   ├── HubTokenRefused
│   ├── HubForbidden
│   ├── HubChoiceUnknown       the repository has no such quantization or file
│   ├── HubFileUnsafe          a file's name leads out of the folder
│   └── CatalogueDamaged       the list of well-known models that comes with the program
├── DownloadError              a file on its way to this machine
│   ├── DownloadDamaged        what arrived is not what the hub says
│   ├── DownloadDiskFull
│   ├── LibraryFolderAway      its drive is not connected
│   ├── DownloadNoModel        what arrived is as the hub says, and no model
│   ├── DownloadUnwritable
│   ├── DownloadBusy           the same file is being fetched already
│   ├── DownloadNotFound
│   └── FileUnverifiable       it is not known what this file should be
├── StorageError               the database
│   ├── StorageFull
│   ├── StorageLocked
│   ├── StorageUnwritable
│   ├── StorageDamaged
│   ├── StorageTooNew
│   ├── StorageReadOnly        newer, and readable all the same
│   ├── StorageNotMigrated
│   ├── MessageUnreadable      one row is damaged, the others are not
│   └── RecordNotFound         no such conversation or message
├── PresetInvalid              too long, or no settings of a chat
├── TransferError              conversations that leave, come in, or are copied
│   ├── ImportUnreadable
│   ├── ExportUnwritable
│   ├── BackupUnwritable
│   └── BackupUnusable
├── ApiError                   the server for other programs
│   └── ApiNotStarted
├── RemoteError                an engine behind an address
│   ├── RemoteAddressInvalid
│   ├── RemoteNotEncrypted     the user has to confirm that first
│   ├── RemoteNotFound         it was removed
│   ├── RemoteOffline          the user turned connections off
│   ├── ChatStaysLocal         the user keeps this chat on this computer
│   ├── RemoteUnreachable
│   │   └── RemoteUntrusted    by its certificate
│   ├── RemotePoolFailed       none of its engines answered
│   ├── RemoteInterrupted      the connection ended within an answer
│   ├── RemoteAnswerInvalid
│   ├── RemoteKeyRefused
│   ├── RemoteModelUnknown
│   ├── RemoteBusy
│   ├── RemoteRefused          with the server's own words
│   └── RemoteUnable           it has no such thing
├── ToolServerError            an MCP server
│   ├── ToolServerInvalid      it cannot be added
│   ├── ToolServerFolderMissing
│   ├── ToolServerNotFound
│   ├── ToolServerChanged      it is not what the user confirmed
│   ├── ToolServerValueMissing
│   ├── ToolServerFailed       it cannot be started, or ended
│   ├── ToolServerRefused      it answered with an error
│   └── ToolServerOffline      the user turned connections off
├── SettingsError
│   ├── SettingInvalid
│   ├── SettingsDamaged        the file, or what was kept of it
│   └── SettingsUnwritable
├── UpdateError                of the program itself; the version in use stays
│   ├── UpdateOffline
│   ├── UpdateUnreachable
│   ├── UpdateUntrusted        signature, age or contents
│   ├── UpdateUnavailable      not for this computer
│   ├── UpdateDamaged
│   ├── UpdateUnwritable
│   └── UpdateTrialFailed
└── SecretsError               the keyring
    ├── KeyringUnavailable
    ├── KeyringLocked
    └── KeyringRefused

Each class has a stable ``code``, says whether trying again can help, carries its facts as typed fields,
and has a ``message``, one sentence for the user. A cancellation is a ``FinishReason``, never an error.
"""

# ruff: noqa: I001  # what is imported “as” itself is exported; isort would give each name a statement

from __future__ import annotations

import msgspec

from fireside.core.errors.api import (
    ApiError as ApiError,
    ApiNotStarted as ApiNotStarted,
)
from fireside.core.errors.base import (
    ErrorInfo as ErrorInfo,
    ErrorValue as ErrorValue,
    FiresideError as FiresideError,
    NextStep as NextStep,
    format_bytes as format_bytes,
    format_wait as format_wait,
    without_password as without_password,
)
from fireside.core.errors.hub import (
    CatalogueDamaged as CatalogueDamaged,
    DownloadBusy as DownloadBusy,
    DownloadDamaged as DownloadDamaged,
    DownloadDiskFull as DownloadDiskFull,
    DownloadNoModel as DownloadNoModel,
    DownloadError as DownloadError,
    DownloadNotFound as DownloadNotFound,
    DownloadUnwritable as DownloadUnwritable,
    FileUnverifiable as FileUnverifiable,
    HubAnswerInvalid as HubAnswerInvalid,
    HubChoiceUnknown as HubChoiceUnknown,
    HubError as HubError,
    HubFailed as HubFailed,
    HubFileUnsafe as HubFileUnsafe,
    HubForbidden as HubForbidden,
    HubGated as HubGated,
    HubNameInvalid as HubNameInvalid,
    HubNotFound as HubNotFound,
    HubOffline as HubOffline,
    HubRateLimited as HubRateLimited,
    HubTokenRefused as HubTokenRefused,
    HubUnreachable as HubUnreachable,
    LibraryFolderAway as LibraryFolderAway,
)
from fireside.core.errors.model import (
    LibraryNotMoved as LibraryNotMoved,
    LoadError as LoadError,
    LoadFailed as LoadFailed,
    ModelError as ModelError,
    ModelFileInvalid as ModelFileInvalid,
    ModelFileMissing as ModelFileMissing,
    ModelFileNotRemoved as ModelFileNotRemoved,
    ModelKindUnknown as ModelKindUnknown,
    ModelNoteInvalid as ModelNoteInvalid,
    ModelNotFound as ModelNotFound,
    ModelOutputInvalid as ModelOutputInvalid,
    OutOfMemory as OutOfMemory,
    RestartsExhausted as RestartsExhausted,
)
from fireside.core.errors.remote import (
    ChatStaysLocal as ChatStaysLocal,
    RemoteAddressInvalid as RemoteAddressInvalid,
    RemoteAnswerInvalid as RemoteAnswerInvalid,
    RemoteBusy as RemoteBusy,
    RemoteError as RemoteError,
    RemoteInterrupted as RemoteInterrupted,
    RemoteKeyRefused as RemoteKeyRefused,
    RemoteModelUnknown as RemoteModelUnknown,
    RemoteNotEncrypted as RemoteNotEncrypted,
    RemoteNotFound as RemoteNotFound,
    RemoteOffline as RemoteOffline,
    RemotePoolFailed as RemotePoolFailed,
    RemoteRefused as RemoteRefused,
    RemoteUnable as RemoteUnable,
    RemoteUnreachable as RemoteUnreachable,
    RemoteUntrusted as RemoteUntrusted,
)
from fireside.core.errors.request import (
    AnswerRunning as AnswerRunning,
    AttachmentUnreadable as AttachmentUnreadable,
    ConstraintInvalid as ConstraintInvalid,
    ContextLengthExceeded as ContextLengthExceeded,
    EngineStopped as EngineStopped,
    ImagesUnsupported as ImagesUnsupported,
    InvalidImage as InvalidImage,
    InvalidParameter as InvalidParameter,
    InvalidText as InvalidText,
    ModelUnsuited as ModelUnsuited,
    PromptTooLarge as PromptTooLarge,
    QueueFull as QueueFull,
    RequestError as RequestError,
    PageUnreadable as PageUnreadable,
    ReadingFailed as ReadingFailed,
    SummaryFailed as SummaryFailed,
    TemplateFailed as TemplateFailed,
    TuningRefused as TuningRefused,
)
from fireside.core.errors.runner import (
    EngineLost as EngineLost,
    LoadStalled as LoadStalled,
    RunnerCrashed as RunnerCrashed,
    RunnerError as RunnerError,
    RunnerProtocolError as RunnerProtocolError,
    RunnerStartFailed as RunnerStartFailed,
    RunnerUnresponsive as RunnerUnresponsive,
)
from fireside.core.errors.runtime import (
    RuntimeBuildError as RuntimeBuildError,
    RuntimeNotAdded as RuntimeNotAdded,
    RuntimeNotFound as RuntimeNotFound,
    RuntimeRefused as RuntimeRefused,
    RuntimeUnwritable as RuntimeUnwritable,
)
from fireside.core.errors.storage import (
    KeyringLocked as KeyringLocked,
    KeyringRefused as KeyringRefused,
    KeyringUnavailable as KeyringUnavailable,
    MessageUnreadable as MessageUnreadable,
    RecordNotFound as RecordNotFound,
    PresetInvalid as PresetInvalid,
    SecretsError as SecretsError,
    SettingInvalid as SettingInvalid,
    SettingsDamaged as SettingsDamaged,
    SettingsError as SettingsError,
    SettingsUnwritable as SettingsUnwritable,
    StorageDamaged as StorageDamaged,
    StorageError as StorageError,
    StorageFull as StorageFull,
    StorageLocked as StorageLocked,
    StorageNotMigrated as StorageNotMigrated,
    StorageReadOnly as StorageReadOnly,
    StorageTooNew as StorageTooNew,
    StorageUnwritable as StorageUnwritable,
)
from fireside.core.errors.tool_servers import (
    ToolServerChanged as ToolServerChanged,
    ToolServerError as ToolServerError,
    ToolServerFailed as ToolServerFailed,
    ToolServerFolderMissing as ToolServerFolderMissing,
    ToolServerInvalid as ToolServerInvalid,
    ToolServerNotFound as ToolServerNotFound,
    ToolServerOffline as ToolServerOffline,
    ToolServerRefused as ToolServerRefused,
    ToolServerValueMissing as ToolServerValueMissing,
)
from fireside.core.errors.transfer import (
    BackupUnusable as BackupUnusable,
    BackupUnwritable as BackupUnwritable,
    ExportUnwritable as ExportUnwritable,
    ImportUnreadable as ImportUnreadable,
    TransferError as TransferError,
)
from fireside.core.errors.update import (
    UpdateDamaged as UpdateDamaged,
    UpdateError as UpdateError,
    UpdateOffline as UpdateOffline,
    UpdateTrialFailed as UpdateTrialFailed,
    UpdateUnavailable as UpdateUnavailable,
    UpdateUnreachable as UpdateUnreachable,
    UpdateUntrusted as UpdateUntrusted,
    UpdateUnwritable as UpdateUnwritable,
)
from fireside.core.i18n import Phrase, tr, tr_noop


def _concrete(cls: type[FiresideError]) -> dict[str, type[FiresideError]]:
    by_code = {cls.code: cls} if "code" in cls.__dict__ else {}
    for child in cls.__subclasses__():
        by_code |= _concrete(child)
    return by_code


def error_from_info(info: ErrorInfo) -> FiresideError:
    """Return the typed error that ``info`` describes.

    An unknown code or fields that do not fit (a runner is not trusted) give ``RunnerProtocolError``.
    """
    cls = _concrete(FiresideError).get(info.code)
    if cls is None or cls is FiresideError:
        reason = Phrase(tr_noop("unknown error “{code}”."), {"code": info.code})
        return RunnerProtocolError(model=tr("The model"), reason=reason)
    cls.ensure_dataclass()
    try:
        return msgspec.convert(info.data, cls)
    except (msgspec.ValidationError, TypeError) as exc:
        reason = Phrase(
            tr_noop("error “{code}” with wrong fields ({why})."), {"code": info.code, "why": str(exc)}
        )
        return RunnerProtocolError(model=tr("The model"), reason=reason)


def localized(info: ErrorInfo) -> ErrorInfo:
    """Return a stored error with its sentence rendered anew in the language in force.

    An error of unknown code or with fields that do not fit is returned unchanged, and so are texts that were
    stored already translated.
    """
    cls = _concrete(FiresideError).get(info.code)
    if cls is None or cls is FiresideError:
        return info
    cls.ensure_dataclass()
    try:
        return msgspec.convert(info.data, cls).info()
    except (msgspec.ValidationError, TypeError):
        return info
