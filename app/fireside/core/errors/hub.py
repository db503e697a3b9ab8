"""What can be wrong with the hub, and with a file on its way from there."""

from __future__ import annotations

from dataclasses import dataclass

from fireside.core.errors.base import FiresideError, NextStep, format_bytes, format_wait
from fireside.core.i18n import Words, render, tr


class HubError(FiresideError):
    pass


@dataclass(kw_only=True, eq=False)
class HubNameInvalid(HubError):
    code = "hub_name_invalid"
    name: str
    reason: Words

    def sentence(self) -> str:
        return tr("“{name}” is no model on the hub: {reason}").format(
            name=self.name, reason=render(self.reason)
        )


@dataclass(kw_only=True, eq=False)
class HubOffline(HubError):
    code = "hub_offline"
    next_step = NextStep.OPEN_SETTINGS

    def sentence(self) -> str:
        return tr("Fireside is set to stay offline, so nothing was asked of the hub.")


@dataclass(kw_only=True, eq=False)
class HubUnreachable(HubError):
    code = "hub_unreachable"
    retryable = True
    next_step = NextStep.RETRY
    host: str
    reason: Words

    def sentence(self) -> str:
        return tr("{host} cannot be reached: {reason}").format(host=self.host, reason=render(self.reason))


@dataclass(kw_only=True, eq=False)
class HubAnswerInvalid(HubError):
    code = "hub_answer_invalid"
    retryable = True
    next_step = NextStep.RETRY
    host: str
    reason: Words

    def sentence(self) -> str:
        return tr("What came from {host} is not what the hub answers: {reason}").format(
            host=self.host, reason=render(self.reason)
        )


@dataclass(kw_only=True, eq=False)
class HubFailed(HubError):
    code = "hub_failed"
    retryable = True
    next_step = NextStep.RETRY
    host: str
    status: int

    def sentence(self) -> str:
        return tr("{host} has a problem at the moment (error {status}).").format(
            host=self.host, status=self.status
        )


@dataclass(kw_only=True, eq=False)
class HubRateLimited(HubError):
    """``wait_s`` is how long the hub asks to wait, if it says so."""

    code = "hub_rate_limited"
    retryable = True
    next_step = NextStep.RETRY
    wait_s: float | None = None

    def sentence(self) -> str:
        when = tr("a few minutes") if self.wait_s is None else format_wait(self.wait_s)
        return tr("The hub was asked too often. It can be asked again in {when}.").format(when=when)


@dataclass(kw_only=True, eq=False)
class HubNotFound(HubError):
    """``what`` is a repository, a revision or a file in one."""

    code = "hub_not_found"
    what: str

    def sentence(self) -> str:
        return tr(
            "The hub has no “{what}”, or it is private. For a private one, put your access token "
            "into the settings."
        ).format(what=self.what)


@dataclass(kw_only=True, eq=False)
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


@dataclass(kw_only=True, eq=False)
class HubTokenRefused(HubError):
    code = "hub_token_refused"
    next_step = NextStep.OPEN_SETTINGS

    def sentence(self) -> str:
        return tr("The hub does not accept your access token. It may have expired: make a new one.")


@dataclass(kw_only=True, eq=False)
class HubForbidden(HubError):
    code = "hub_forbidden"
    next_step = NextStep.OPEN_SETTINGS
    what: str

    def sentence(self) -> str:
        return tr(
            "The hub does not allow you to read “{what}”. Your access token may lack the right to: make one "
            "that may read, and put it into the settings."
        ).format(what=self.what)


@dataclass(kw_only=True, eq=False)
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


@dataclass(kw_only=True, eq=False)
class HubFileUnsafe(HubError):
    code = "hub_file_unsafe"
    name: str
    reason: Words

    def sentence(self) -> str:
        return tr("The file “{name}” is not fetched: {reason}").format(
            name=self.name, reason=render(self.reason)
        )


@dataclass(kw_only=True, eq=False)
class CatalogueDamaged(HubError):
    code = "catalogue_damaged"
    reason: Words

    def sentence(self) -> str:
        return tr("The list of well-known models cannot be read: {reason} Install Fireside again.").format(
            reason=render(self.reason)
        )


class DownloadError(FiresideError):
    retryable = True
    next_step = NextStep.RETRY


@dataclass(kw_only=True, eq=False)
class DownloadDamaged(DownloadError):
    code = "download_damaged"
    name: str

    def sentence(self) -> str:
        return tr("What arrived of {name} is not what the hub says it is, so it was thrown away.").format(
            name=self.name
        )


@dataclass(kw_only=True, eq=False)
class DownloadDiskFull(DownloadError):
    code = "download_disk_full"
    folder: str
    needed_bytes: int
    free_bytes: int

    def sentence(self) -> str:
        return tr(
            "There is not enough room in {folder}: {needed_bytes} are needed and {free_bytes} are free."
        ).format(
            folder=self.folder,
            needed_bytes=format_bytes(self.needed_bytes),
            free_bytes=format_bytes(self.free_bytes),
        )


@dataclass(kw_only=True, eq=False)
class DownloadUnwritable(DownloadError):
    code = "download_unwritable"
    path: str
    reason: Words

    def sentence(self) -> str:
        return tr("{path} cannot be written: {reason}").format(path=self.path, reason=render(self.reason))


@dataclass(kw_only=True, eq=False)
class DownloadBusy(DownloadError):
    code = "download_busy"
    name: str

    def sentence(self) -> str:
        return tr("{name} is being fetched already, here or by another Fireside.").format(name=self.name)


@dataclass(kw_only=True, eq=False)
class DownloadNotFound(DownloadError):
    code = "download_not_found"
    retryable = False
    next_step = NextStep.NONE
    id: str

    def sentence(self) -> str:
        return tr("This download is no longer there.")


@dataclass(kw_only=True, eq=False)
class FileUnverifiable(DownloadError):
    code = "file_unverifiable"
    retryable = False
    next_step = NextStep.NONE
    path: str
    reason: Words

    def sentence(self) -> str:
        return tr("{path} cannot be checked: {reason}").format(path=self.path, reason=render(self.reason))
