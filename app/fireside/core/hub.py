"""Downloads from the hub: files, their provenance, and progress."""

from __future__ import annotations

from enum import StrEnum
from typing import NewType

import msgspec

from fireside.core.errors import ErrorInfo

DownloadId = NewType("DownloadId", str)

BLOCK_BYTES = 8 * 1024 * 1024
"""What is lost at most when a download is killed, and what a repair fetches at least."""


class HubFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file of a repository as the hub lists it, at one commit."""

    path: str
    size_bytes: int
    digest: str
    """SHA-256 of the content, or, of a small file that is kept in git itself, the SHA-1 that git gives it."""


class DownloadFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file of a download: from where and to where."""

    repo: str
    commit: str
    """40 hexadecimal digits: what is fetched does not change while it is fetched."""
    file: HubFile
    name: str
    """Path below the library folder with ``/``; always inside of it."""
    mends: bool = False
    """Where the file is there already, it is read, and what is damaged of it fetched anew."""


class FileOrigin(msgspec.Struct, frozen=True, kw_only=True):
    """What lies beside a verified file: where it came from and what it must be. See ``origin_path``."""

    format: int = 1
    repo: str
    commit: str
    path: str
    size_bytes: int
    digest: str
    block_bytes: int
    blocks: tuple[str, ...]
    """SHA-256 of each block as it was when the whole file was verified."""
    downloaded_at: str
    """UTC, ISO 8601."""


ORIGIN_SUFFIX = ".origin.json"


def origin_name(file_name: str) -> str:
    """Return the name of the file beside ``file_name`` that holds its ``FileOrigin``."""
    return file_name + ORIGIN_SUFFIX


class DownloadState(StrEnum):
    """State of a download."""

    QUEUED = "queued"
    RUNNING = "running"
    CHECKING = "checking"
    """All has arrived and is read once more."""
    WAITING_FOR_NETWORK = "waiting_for_network"
    WAITING_FOR_SPACE = "waiting_for_space"
    PAUSED = "paused"
    FAILED = "failed"
    DONE = "done"

    @property
    def is_active(self) -> bool:
        """Whether it is in progress or waits for something that resolves by itself."""
        return self in _ACTIVE


_ACTIVE = frozenset(
    {
        DownloadState.RUNNING,
        DownloadState.CHECKING,
        DownloadState.WAITING_FOR_NETWORK,
        DownloadState.WAITING_FOR_SPACE,
    }
)


class Download(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the queue: a model with all its files."""

    id: DownloadId
    title: str
    files: tuple[DownloadFile, ...]
    state: DownloadState
    n_bytes: int = 0
    """That are on the disk for good."""
    bytes_per_s: float = 0.0
    seconds_left: float | None = None
    is_stalled: bool = False
    """It runs, but nothing has arrived for a while."""
    note: str = ""
    """What the user should know now, as a sentence: what it waits for, that a file was begun anew."""
    error: ErrorInfo | None = None

    @property
    def size_bytes(self) -> int:
        """Of all its files together."""
        return sum(wanted.file.size_bytes for wanted in self.files)


class DownloadsChanged(msgspec.Struct, frozen=True, kw_only=True, tag="downloads_changed"):
    """The whole queue, in its order: something was added, moved, removed, or is in another state."""

    downloads: tuple[Download, ...]


class DownloadProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="download_progressed"):
    """One download has come further; at most a few times a second."""

    download: Download


DownloadEvent = DownloadsChanged | DownloadProgressed


class VerifyOutcome(StrEnum):
    """What a check of a file found."""

    SOUND = "sound"
    DAMAGED = "damaged"
    REPAIRED = "repaired"
    KNOWN = "known"
    """Nothing says what it must be; it was read whole, and its content is known from now on."""


class VerifyResult(msgspec.Struct, frozen=True, kw_only=True):
    """A check of one file; ``bad_blocks`` are those that were found, repaired since or not."""

    path: str
    outcome: VerifyOutcome
    n_blocks: int
    bad_blocks: tuple[int, ...] = ()
    fetched_bytes: int = 0


class CheckProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="check_progressed"):
    """A file of the library is read and compared with what it must be, or its bad blocks are fetched."""

    path: str
    """Of the model: for a split one, of its first file."""
    n_bytes: int
    size_bytes: int
    is_repairing: bool = False


class CheckEnded(msgspec.Struct, frozen=True, kw_only=True, tag="check_ended"):
    """A check or a repair is over: exactly one of ``results`` and ``error`` is set, or none if cancelled."""

    path: str
    results: tuple[VerifyResult, ...] = ()
    """One for each file of the model."""
    error: ErrorInfo | None = None
