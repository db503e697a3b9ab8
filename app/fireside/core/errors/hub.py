"""Errors of the hub and of downloads."""

from __future__ import annotations

from fireside.core.errors.base import FiresideError, NextStep, format_wait
from fireside.core.i18n import Translatable, tr, tr_noop


class HubError(FiresideError):
    pass


class HubNameInvalid(HubError):
    code = "hub_name_invalid"
    message = tr_noop("“{name}” is not a model on Hugging Face: {reason}")
    name: str
    reason: Translatable


class HubOffline(HubError):
    code = "hub_offline"
    next_step = NextStep.OPEN_SETTINGS
    message = tr_noop("Offline mode is on, so Hugging Face was not contacted.")


class HubUnreachable(HubError):
    code = "hub_unreachable"
    retryable = True
    next_step = NextStep.RETRY
    message = tr_noop("Couldn't reach {host}: {reason}")
    host: str
    reason: Translatable


class HubAnswerInvalid(HubError):
    code = "hub_answer_invalid"
    retryable = True
    next_step = NextStep.RETRY
    message = tr_noop("Unexpected response from {host}: {reason}")
    host: str
    reason: Translatable


class HubFailed(HubError):
    code = "hub_failed"
    retryable = True
    next_step = NextStep.RETRY
    message = tr_noop("{host} has a problem (error {status}). Try again later.")
    host: str
    status: int


class HubRateLimited(HubError):
    """``wait_s`` is the time to wait that the hub requests, if any."""

    code = "hub_rate_limited"
    retryable = True
    next_step = NextStep.RETRY
    wait_s: float | None = None

    def sentence(self) -> str:
        when = tr("a few minutes") if self.wait_s is None else format_wait(self.wait_s)
        return tr("Too many requests to Hugging Face. Try again in {when}.").format(when=when)


class HubNotFound(HubError):
    """``what`` is a repository, a revision or a file in one."""

    code = "hub_not_found"
    message = tr_noop(
        "“{what}” was not found on Hugging Face, or is private. For private models, set an "
        "access token in the settings."
    )
    what: str


class HubGated(HubError):
    """``page`` is the web page on which the licence can be accepted."""

    code = "hub_gated"
    repo: str
    page: str
    with_token: bool

    def sentence(self) -> str:
        ask = tr("{repo} is gated: accept its terms on {page}").format(repo=self.repo, page=self.page)
        return (
            ask
            if self.with_token
            else tr("{ask} – then set an access token in the settings.").format(ask=ask)
        )


class HubTokenRefused(HubError):
    code = "hub_token_refused"
    next_step = NextStep.OPEN_SETTINGS
    message = tr_noop("Hugging Face rejected your access token. It may have expired; create a new one.")


class HubForbidden(HubError):
    code = "hub_forbidden"
    next_step = NextStep.OPEN_SETTINGS
    message = tr_noop(
        "No access to “{what}”. Your access token may lack permission: create one with read "
        "access and set it in the settings."
    )
    what: str


class HubChoiceUnknown(HubError):
    """``available`` lists the alternatives; empty if there are none."""

    code = "hub_choice_unknown"
    repo: str
    wanted: str
    available: str

    def sentence(self) -> str:
        if not self.available:
            return tr("{repo} has no GGUF files.").format(repo=self.repo)
        return tr("{repo} has no “{wanted}”. Available: {available}.").format(
            repo=self.repo, wanted=self.wanted, available=self.available
        )


class HubFileUnsafe(HubError):
    code = "hub_file_unsafe"
    message = tr_noop("“{name}” was not downloaded: {reason}")
    name: str
    reason: Translatable


class CatalogueDamaged(HubError):
    code = "catalogue_damaged"
    message = tr_noop("The list of recommended models cannot be read: {reason} Reinstall Fireside.")
    reason: Translatable


class DownloadError(FiresideError):
    retryable = True
    next_step = NextStep.RETRY


class DownloadDamaged(DownloadError):
    code = "download_damaged"
    message = tr_noop("The checksum of {name} does not match, so the download was discarded. Try again.")
    name: str


class DownloadNoModel(DownloadError):
    """``host`` is the server that the content came from."""

    code = "download_no_model"
    retryable = False
    next_step = NextStep.NONE
    message = tr_noop("{name} is not a GGUF model file, although its name says so. It came from {host}.")
    name: str
    host: str


class DownloadDiskFull(DownloadError):
    code = "download_disk_full"
    message = tr_noop(
        "Not enough space in {folder}: {needed_bytes} needed ({file_bytes} and {reserve_bytes} kept free), "
        "{free_bytes} free."
    )
    folder: str
    needed_bytes: int
    file_bytes: int
    reserve_bytes: int
    free_bytes: int


class DownloadUnwritable(DownloadError):
    code = "download_unwritable"
    message = tr_noop("{path} cannot be written: {reason}")
    path: str
    reason: Translatable


class LibraryFolderAway(DownloadError):
    code = "library_folder_away"
    message = tr_noop(
        "The library folder {folder} was not found. Connect its drive, or choose another folder in "
        "the settings."
    )
    folder: str


class DownloadBusy(DownloadError):
    code = "download_busy"
    message = tr_noop("{name} is already downloading.")
    name: str


class DownloadNotFound(DownloadError):
    code = "download_not_found"
    retryable = False
    next_step = NextStep.NONE
    message = tr_noop("This download no longer exists.")
    id: str


class FileUnverifiable(DownloadError):
    code = "file_unverifiable"
    retryable = False
    next_step = NextStep.NONE
    message = tr_noop("{path} cannot be checked: {reason}")
    path: str
    reason: Translatable
