"""All of Fireside's own errors.

FiresideError
├── ModelError                 the file of a model
│   ├── ModelFileMissing
│   ├── ModelFileInvalid
│   ├── ModelKindUnknown       not supported by the current build of llama.cpp
│   ├── ModelFileNotRemoved
│   ├── ModelNoteInvalid       a name or tag that the user entered for it
│   ├── LibraryNotMoved        to another folder
│   ├── ModelOutputInvalid     it computed NaN
│   └── ModelNotFound          no such name in the library
├── LoadError                  the file is valid but could not be loaded
│   ├── LoadFailed
│   ├── OutOfMemory
│   └── RestartsExhausted
├── RunnerError                the runner process
│   ├── RunnerCrashed
│   ├── RunnerUnresponsive
│   ├── LoadStalled            the load makes no progress
│   ├── RunnerProtocolError
│   ├── RunnerStartFailed
│   └── EngineLost             another program of this user, which ran the engine, has ended
├── RuntimeBuildError          a build of llama.cpp
│   ├── RuntimeNotAdded
│   ├── RuntimeNotFound
│   ├── RuntimeRefused         it cannot be used, tested or removed now
│   └── RuntimeUnwritable
├── RequestError               a request
│   ├── ModelUnsuited          made for something else
│   ├── ContextLengthExceeded
│   ├── PromptTooLarge
│   ├── InvalidParameter
│   ├── ConstraintInvalid      the schema, pattern or grammar of the answer
│   ├── InvalidText
│   ├── InvalidImage
│   ├── ImagesUnsupported
│   ├── AttachmentUnreadable
│   ├── TemplateFailed
│   ├── QueueFull
│   ├── AnswerRunning
│   ├── PageUnreadable         of a document that is shown
│   ├── ReadingFailed          of all documents for one question
│   ├── SummaryFailed
│   ├── TuningRefused          nothing to apply, or another measurement is running
│   ├── ServiceFailed          a part of the program, at its start
│   └── EngineStopped
├── HubError                   Hugging Face
│   ├── HubNameInvalid         the text names no model there
│   ├── HubOffline             in offline mode
│   ├── HubUnreachable
│   ├── HubAnswerInvalid       an unexpected response, possibly of another server
│   ├── HubFailed              an error of the server
│   ├── HubRateLimited
│   ├── HubNotFound
│   ├── HubGated               a licence must be accepted first
│   ├── HubTokenRefused
│   ├── HubForbidden
│   ├── HubChoiceUnknown       the repository has no such quantization or file
│   ├── HubFileUnsafe          the path of a file is outside of the folder
│   └── CatalogueDamaged       the bundled list of well-known models
├── DownloadError
│   ├── DownloadDamaged        the checksum differs
│   ├── DownloadDiskFull
│   ├── LibraryFolderAway      its drive is not connected
│   ├── DownloadNoModel        the checksum matches, but the file is no model
│   ├── DownloadUnwritable
│   ├── DownloadBusy           the same file is being downloaded already
│   ├── DownloadNotFound
│   └── FileUnverifiable       its checksum is not known
├── StorageError               the database
│   ├── StorageFull
│   ├── StorageLocked
│   ├── StorageUnwritable
│   ├── StorageDamaged
│   ├── StorageTooNew
│   ├── StorageReadOnly        newer, but readable
│   ├── StorageWriteProtected  the place is read-only, but readable
│   ├── StorageNotMigrated
│   ├── MessageUnreadable      a damaged row
│   └── RecordNotFound         no such conversation or message
├── PresetInvalid              too long, or not settings of a chat
├── TransferError              export, import and backups
│   ├── ImportUnreadable
│   ├── ExportUnwritable
│   ├── BackupUnwritable
│   └── BackupUnusable
├── ApiError                   the local API
│   └── ApiNotStarted
├── RemoteError                a remote engine
│   ├── RemoteAddressInvalid
│   ├── RemoteNotEncrypted     the user must confirm that first
│   ├── RemoteNotFound         it was removed
│   ├── RemoteOffline          in offline mode
│   ├── ChatStaysLocal         the chat is kept on this computer
│   ├── RemoteUnreachable
│   │   └── RemoteUntrusted    its certificate is not trusted
│   ├── RemotePoolFailed       none of its engines answered
│   ├── RemoteInterrupted      the connection ended within an answer
│   ├── RemoteAnswerInvalid
│   ├── RemoteBlocked          its content filter ended the answer
│   ├── RemoteKeyRefused
│   ├── RemoteModelUnknown
│   ├── RemoteBusy
│   ├── RemoteRefused          an error message of the server
│   ├── RemoteToolsRefused     the model or the server takes no tools
│   └── RemoteUnable           a feature that it lacks
├── ToolServerError            an MCP server
│   ├── ToolServerInvalid      it cannot be added
│   ├── ToolServerFolderMissing
│   ├── ToolServerNotFound
│   ├── ToolServerChanged      it differs from what the user confirmed
│   ├── ToolServerValueMissing
│   ├── ToolServerFailed       it cannot be started, or ended
│   ├── ToolServerRefused      it answered with an error
│   └── ToolServerOffline      in offline mode
├── SettingsError
│   ├── SettingInvalid
│   ├── SettingsDamaged        the file
│   ├── FileDamaged            another file of the program's state
│   └── SettingsUnwritable
├── UpdateError                of the program itself
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

Each class has a stable ``code``, says whether a retry can help, has its facts as typed fields, and a
``message``, one sentence for the user. A cancellation is a ``FinishReason``, never an error.
"""

# ruff: noqa: I001  # names imported “as” themselves are exported; isort would give each a statement

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
    RemoteBlocked as RemoteBlocked,
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
    RemoteToolsRefused as RemoteToolsRefused,
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
    ServiceFailed as ServiceFailed,
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
    FileDamaged as FileDamaged,
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
    StorageWriteProtected as StorageWriteProtected,
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


def _classes_by_code(cls: type[FiresideError]) -> dict[str, type[FiresideError]]:
    by_code = {cls.code: cls} if "code" in cls.__dict__ else {}
    for child in cls.__subclasses__():
        by_code |= _classes_by_code(child)
    return by_code


def error_from_info(info: ErrorInfo) -> FiresideError:
    """Return the typed error that ``info`` describes.

    For an unknown code or wrong fields (a runner is not trusted) it is a ``RunnerProtocolError``.
    """
    cls = _classes_by_code(FiresideError).get(info.code)
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
    """Return a stored error with its sentence in the current language.

    An error with an unknown code or wrong fields is returned unchanged, as are texts that were translated
    before they were stored.
    """
    cls = _classes_by_code(FiresideError).get(info.code)
    if cls is None or cls is FiresideError:
        return info
    cls.ensure_dataclass()
    try:
        return msgspec.convert(info.data, cls).info()
    except (msgspec.ValidationError, TypeError):
        return info
