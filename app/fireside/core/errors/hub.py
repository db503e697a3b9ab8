"""What can be wrong with the hub, and with a file on its way from there."""

from __future__ import annotations

from fireside.core.errors.base import FiresideError, NextStep, format_wait
from fireside.core.i18n import Words, tr, tr_noop


class HubError(FiresideError):
    pass


class HubNameInvalid(HubError):
    code = "hub_name_invalid"
    words = tr_noop("“{name}” is no model on the hub: {reason}")
    name: str
    reason: Words


class HubOffline(HubError):
    code = "hub_offline"
    next_step = NextStep.OPEN_SETTINGS
    words = tr_noop("Fireside is set to stay offline, so nothing was asked of the hub.")


class HubUnreachable(HubError):
    code = "hub_unreachable"
    retryable = True
    next_step = NextStep.RETRY
    words = tr_noop("{host} cannot be reached: {reason}")
    host: str
    reason: Words


class HubAnswerInvalid(HubError):
    code = "hub_answer_invalid"
    retryable = True
    next_step = NextStep.RETRY
    words = tr_noop("What came from {host} is not what the hub answers: {reason}")
    host: str
    reason: Words


class HubFailed(HubError):
    code = "hub_failed"
    retryable = True
    next_step = NextStep.RETRY
    words = tr_noop("{host} has a problem at the moment (error {status}).")
    host: str
    status: int


class HubRateLimited(HubError):
    """``wait_s`` is how long the hub asks to wait, if it says so."""

    code = "hub_rate_limited"
    retryable = True
    next_step = NextStep.RETRY
    wait_s: float | None = None

    def sentence(self) -> str:
        when = tr("a few minutes") if self.wait_s is None else format_wait(self.wait_s)
        return tr("The hub was asked too often. It can be asked again in {when}.").format(when=when)


class HubNotFound(HubError):
    """``what`` is a repository, a revision or a file in one."""

    code = "hub_not_found"
    words = tr_noop(
        "The hub has no “{what}”, or it is private. For a private one, put your access token into the "
        "settings."
    )
    what: str


class HubGated(HubError):
    """``page`` is where the licence can be accepted."""

    code = "hub_gated"
    repo: str
    page: str
    with_token: bool

    def sentence(self) -> str:
        ask = tr("The makers of {repo} ask you to accept their terms first, on {page}").format(
            repo=self.repo, page=self.page
        )
        return (
            ask
            if self.with_token
            else tr("{ask} – then put your access token into the settings.").format(ask=ask)
        )


class HubTokenRefused(HubError):
    code = "hub_token_refused"
    next_step = NextStep.OPEN_SETTINGS
    words = tr_noop("The hub does not accept your access token. It may have expired: make a new one.")


class HubForbidden(HubError):
    code = "hub_forbidden"
    next_step = NextStep.OPEN_SETTINGS
    words = tr_noop(
        "The hub does not allow you to read “{what}”. Your access token may lack the right to: make one "
        "that may read, and put it into the settings."
    )
    what: str


class HubChoiceUnknown(HubError):
    """``available`` says in words what there is instead; empty if there is nothing."""

    code = "hub_choice_unknown"
    repo: str
    wanted: str
    available: str

    def sentence(self) -> str:
        if not self.available:
            return tr("{repo} holds no model files (.gguf).").format(repo=self.repo)
        return tr("{repo} has no “{wanted}”. It has: {available}.").format(
            repo=self.repo, wanted=self.wanted, available=self.available
        )


class HubFileUnsafe(HubError):
    code = "hub_file_unsafe"
    words = tr_noop("The file “{name}” is not fetched: {reason}")
    name: str
    reason: Words


class CatalogueDamaged(HubError):
    code = "catalogue_damaged"
    words = tr_noop("The list of well-known models cannot be read: {reason} Install Fireside again.")
    reason: Words


class DownloadError(FiresideError):
    retryable = True
    next_step = NextStep.RETRY


class DownloadDamaged(DownloadError):
    code = "download_damaged"
    words = tr_noop("What arrived of {name} is not what the hub says it is, so it was thrown away.")
    name: str


class DownloadDiskFull(DownloadError):
    code = "download_disk_full"
    words = tr_noop(
        "There is not enough room in {folder}: {needed_bytes} are needed and {free_bytes} are free."
    )
    folder: str
    needed_bytes: int
    free_bytes: int


class DownloadUnwritable(DownloadError):
    code = "download_unwritable"
    words = tr_noop("{path} cannot be written: {reason}")
    path: str
    reason: Words


class DownloadBusy(DownloadError):
    code = "download_busy"
    words = tr_noop("{name} is being fetched already, here or by another Fireside.")
    name: str


class DownloadNotFound(DownloadError):
    code = "download_not_found"
    retryable = False
    next_step = NextStep.NONE
    words = tr_noop("This download is no longer there.")
    id: str


class FileUnverifiable(DownloadError):
    code = "file_unverifiable"
    retryable = False
    next_step = NextStep.NONE
    words = tr_noop("{path} cannot be checked: {reason}")
    path: str
    reason: Words
