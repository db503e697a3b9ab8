"""What can be wrong with the hub, and with a file on its way from there."""

from __future__ import annotations

from dataclasses import dataclass

from fireside.core.errors.base import FiresideError, NextStep, format_bytes, format_wait


class HubError(FiresideError):
    pass


@dataclass(kw_only=True, eq=False)
class HubNameInvalid(HubError):
    code = "hub_name_invalid"
    name: str
    reason: str

    def sentence(self) -> str:
        return f"“{self.name}” is no model on the hub: {self.reason}"


@dataclass(kw_only=True, eq=False)
class HubOffline(HubError):
    code = "hub_offline"
    next_step = NextStep.OPEN_SETTINGS

    def sentence(self) -> str:
        return "Fireside is set to stay offline, so nothing was asked of the hub."


@dataclass(kw_only=True, eq=False)
class HubUnreachable(HubError):
    code = "hub_unreachable"
    retryable = True
    next_step = NextStep.RETRY
    host: str
    reason: str

    def sentence(self) -> str:
        return f"{self.host} cannot be reached: {self.reason}"


@dataclass(kw_only=True, eq=False)
class HubAnswerInvalid(HubError):
    code = "hub_answer_invalid"
    retryable = True
    next_step = NextStep.RETRY
    host: str
    reason: str

    def sentence(self) -> str:
        return f"What came from {self.host} is not what the hub answers: {self.reason}"


@dataclass(kw_only=True, eq=False)
class HubFailed(HubError):
    code = "hub_failed"
    retryable = True
    next_step = NextStep.RETRY
    host: str
    status: int

    def sentence(self) -> str:
        return f"{self.host} has a problem at the moment (error {self.status})."


@dataclass(kw_only=True, eq=False)
class HubRateLimited(HubError):
    """``wait_s`` is how long the hub asks to wait, if it says so."""

    code = "hub_rate_limited"
    retryable = True
    next_step = NextStep.RETRY
    wait_s: float | None = None

    def sentence(self) -> str:
        when = "a few minutes" if self.wait_s is None else format_wait(self.wait_s)
        return f"The hub was asked too often. It can be asked again in {when}."


@dataclass(kw_only=True, eq=False)
class HubNotFound(HubError):
    """``what`` is a repository, a revision or a file in one."""

    code = "hub_not_found"
    what: str

    def sentence(self) -> str:
        return (
            f"The hub has no “{self.what}”, or it is private. "
            "For a private one, put your access token into the settings."
        )


@dataclass(kw_only=True, eq=False)
class HubGated(HubError):
    """``page`` is where the licence can be accepted."""

    code = "hub_gated"
    repo: str
    page: str
    with_token: bool

    def sentence(self) -> str:
        ask = f"The makers of {self.repo} ask you to accept their terms first, on {self.page}"
        return ask if self.with_token else f"{ask} – then put your access token into the settings."


@dataclass(kw_only=True, eq=False)
class HubTokenRefused(HubError):
    code = "hub_token_refused"
    next_step = NextStep.OPEN_SETTINGS

    def sentence(self) -> str:
        return "The hub does not accept your access token. It may have expired: make a new one."


@dataclass(kw_only=True, eq=False)
class HubForbidden(HubError):
    code = "hub_forbidden"
    what: str

    def sentence(self) -> str:
        return f"The hub does not allow you to read “{self.what}”."


@dataclass(kw_only=True, eq=False)
class HubChoiceUnknown(HubError):
    """``available`` says in words what there is instead; empty if there is nothing."""

    code = "hub_choice_unknown"
    repo: str
    wanted: str
    available: str

    def sentence(self) -> str:
        if not self.available:
            return f"{self.repo} holds no model files (.gguf)."
        return f"{self.repo} has no “{self.wanted}”. It has: {self.available}."


@dataclass(kw_only=True, eq=False)
class HubFileUnsafe(HubError):
    code = "hub_file_unsafe"
    name: str
    reason: str

    def sentence(self) -> str:
        return f"The file “{self.name}” is not fetched: {self.reason}"


@dataclass(kw_only=True, eq=False)
class CatalogueDamaged(HubError):
    code = "catalogue_damaged"
    reason: str

    def sentence(self) -> str:
        return f"The list of well-known models cannot be read: {self.reason} Install Fireside again."


class DownloadError(FiresideError):
    retryable = True
    next_step = NextStep.RETRY


@dataclass(kw_only=True, eq=False)
class DownloadDamaged(DownloadError):
    code = "download_damaged"
    name: str

    def sentence(self) -> str:
        return f"What arrived of {self.name} is not what the hub says it is, so it was thrown away."


@dataclass(kw_only=True, eq=False)
class DownloadDiskFull(DownloadError):
    code = "download_disk_full"
    folder: str
    needed_bytes: int
    free_bytes: int

    def sentence(self) -> str:
        return (
            f"There is not enough room in {self.folder}: {format_bytes(self.needed_bytes)} are needed "
            f"and {format_bytes(self.free_bytes)} are free."
        )


@dataclass(kw_only=True, eq=False)
class DownloadUnwritable(DownloadError):
    code = "download_unwritable"
    path: str
    reason: str

    def sentence(self) -> str:
        return f"{self.path} cannot be written: {self.reason}"


@dataclass(kw_only=True, eq=False)
class DownloadBusy(DownloadError):
    code = "download_busy"
    name: str

    def sentence(self) -> str:
        return f"{self.name} is being fetched already, here or by another Fireside."


@dataclass(kw_only=True, eq=False)
class DownloadNotFound(DownloadError):
    code = "download_not_found"
    retryable = False
    next_step = NextStep.NONE
    id: str

    def sentence(self) -> str:
        return "This download is no longer there."


@dataclass(kw_only=True, eq=False)
class FileUnverifiable(DownloadError):
    code = "file_unverifiable"
    retryable = False
    next_step = NextStep.NONE
    path: str
    reason: str

    def sentence(self) -> str:
        return f"{self.path} cannot be checked: {self.reason}"
