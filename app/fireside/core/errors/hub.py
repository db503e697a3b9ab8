"""Errors of the hub and of downloads."""

from __future__ import annotations

from typing import ClassVar

from fireside.core.errors.base import ErrorRow, ErrorRows, FiresideError, NextStep, format_wait
from fireside.core.i18n import Translatable, tr, tr_noop


class HubError(FiresideError):
    rows: ClassVar[ErrorRows] = {
        "catalogue_damaged": ErrorRow(
            tr_noop("The list of recommended models cannot be read: {reason} Reinstall Fireside.")
        ),
        "hub_file_unsafe": ErrorRow(tr_noop("“{name}” was not downloaded: {reason}")),
    }


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


class DownloadError(FiresideError):
    retryable = True
    next_step = NextStep.RETRY
    rows: ClassVar[ErrorRows] = {
        "download_damaged": ErrorRow(
            tr_noop("The checksum of {name} does not match, so the download was discarded. Try again.")
        ),
        "download_no_model": ErrorRow(
            tr_noop("{name} is not a GGUF model file, although its name says so. It came from {host}."),
            NextStep.NONE,
            retryable=False,
        ),
        "download_disk_full": ErrorRow(
            tr_noop(
                "Not enough space in {folder}: {needed_bytes} needed ({file_bytes} and {reserve_bytes} kept "
                "free), {free_bytes} free."
            )
        ),
        "download_unwritable": ErrorRow(tr_noop("{path} cannot be written: {reason}")),
        "component_missing": ErrorRow(
            tr_noop("“{name}” is needed for this, and is not part of the package. Download it first."),
            NextStep.ADD_COMPONENT,
        ),
        "component_unavailable": ErrorRow(
            tr_noop("“{name}” is not available for this computer: {value} has no build for it."),
            retryable=False,
        ),
        "component_not_found": ErrorRow(
            tr_noop("“{name}” could not be downloaded from {host}: {reason}"), NextStep.OPEN_SETTINGS
        ),
        "component_damaged": ErrorRow(tr_noop("“{name}” could not be unpacked: {reason}"), NextStep.RETRY),
        "component_unwritable": ErrorRow(tr_noop("{path} cannot be changed: {reason}"), NextStep.RETRY),
        "library_folder_away": ErrorRow(
            tr_noop(
                "The library folder {folder} was not found. Connect its drive, or choose another folder in "
                "the settings."
            )
        ),
    }


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


class UpdateError(FiresideError):
    """Of the program itself. After any of them, the version in use remains."""

    retryable = True
    rows: ClassVar[ErrorRows] = {
        "update_offline": ErrorRow(
            tr_noop("Offline mode is on. Turn it off in the settings to download this."),
            NextStep.OPEN_SETTINGS,
        ),
        "update_unreachable": ErrorRow(tr_noop("Couldn't reach {host}: {reason}"), NextStep.RETRY),
        "update_untrusted": ErrorRow(tr_noop("The release was refused: {reason} Nothing was changed.")),
        "update_unavailable": ErrorRow(
            tr_noop("Version {version} cannot be installed here: {reason}"), retryable=False
        ),
        "update_damaged": ErrorRow(
            tr_noop("The checksum of {name} does not match, so the download was deleted. Try again."),
            NextStep.RETRY,
        ),
        "update_unwritable": ErrorRow(
            tr_noop("The update could not be written to {path}: {reason} The version in use stays.")
        ),
        "update_trial_failed": ErrorRow(
            tr_noop("Version {version} does not work on this computer ({reason}). The version in use stays.")
        ),
    }
