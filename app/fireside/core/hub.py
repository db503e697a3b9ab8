"""Downloads from the hub: files, their provenance, and progress."""

from __future__ import annotations

from enum import StrEnum
from typing import NewType

import msgspec

from fireside.core.errors import ErrorInfo

DownloadId = NewType("DownloadId", str)

BLOCK_BYTES = 8 * 1024 * 1024
"""The unit of download progress and repair: a killed download loses at most one block."""


class HubFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file of a repository at one commit, as listed by the hub."""

    path: str
    size_bytes: int
    digest: str
    """SHA-256 of the content, or for a small file that is stored in git itself, its git SHA-1."""


class DownloadFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file of a download, with its source and destination."""

    repo: str
    commit: str
    """40 hexadecimal digits, so that the content cannot change during the download."""
    file: HubFile
    name: str
    """Path below the library folder, with ``/``; always inside of it."""
    mends: bool = False
    """Whether an existing file is verified, and its damaged blocks downloaded again."""


class FileOrigin(msgspec.Struct, frozen=True, kw_only=True):
    """The content of the file beside a verified file: its source and checksums. See ``origin_name``."""

    format: int = 1
    repo: str
    commit: str
    path: str
    size_bytes: int
    digest: str
    block_bytes: int
    blocks: tuple[str, ...]
    """SHA-256 of each block, computed when the whole file was verified."""
    downloaded_at: str
    """UTC, ISO 8601."""


ORIGIN_SUFFIX = ".origin.json"


def origin_name(file_name: str) -> str:
    """Return the name of the file beside ``file_name`` that contains its ``FileOrigin``."""
    return file_name + ORIGIN_SUFFIX


class DownloadState(StrEnum):
    """State of a download."""

    QUEUED = "queued"
    RUNNING = "running"
    CHECKING = "checking"
    """All bytes were downloaded and are verified."""
    WAITING_FOR_NETWORK = "waiting_for_network"
    WAITING_FOR_SPACE = "waiting_for_space"
    PAUSED = "paused"
    FAILED = "failed"
    DONE = "done"

    @property
    def is_active(self) -> bool:
        """Whether it is in progress, or continues without the user."""
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
    """A download in the queue: a model with all its files."""

    id: DownloadId
    title: str
    files: tuple[DownloadFile, ...]
    state: DownloadState
    n_bytes: int = 0
    """Bytes that are stored durably."""
    bytes_per_s: float = 0.0
    seconds_left: float | None = None
    is_stalled: bool = False
    """Whether it is running, but nothing was received for a while."""
    note: str = ""
    """A sentence for the user: what it waits for, or that a file was started again."""
    error: ErrorInfo | None = None

    @property
    def size_bytes(self) -> int:
        """The size of all files together."""
        return sum(each.file.size_bytes for each in self.files)


class DownloadsChanged(msgspec.Struct, frozen=True, kw_only=True, tag="downloads_changed"):
    """The queue changed: a download was added, moved or removed, or its state changed."""

    downloads: tuple[Download, ...]


class DownloadProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="download_progressed"):
    """Progress of a download; at most a few times a second."""

    download: Download


DownloadEvent = DownloadsChanged | DownloadProgressed


class VerifyOutcome(StrEnum):
    """Result of verifying a file."""

    SOUND = "sound"
    DAMAGED = "damaged"
    REPAIRED = "repaired"
    KNOWN = "known"
    """No checksum was known; the one computed now is used from now on."""


class VerifyResult(msgspec.Struct, frozen=True, kw_only=True):
    """Result of verifying one file; ``bad_blocks`` includes those that were repaired."""

    path: str
    outcome: VerifyOutcome
    n_blocks: int
    bad_blocks: tuple[int, ...] = ()
    fetched_bytes: int = 0


class CheckProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="check_progressed"):
    """A file of the library is being verified, or its bad blocks downloaded."""

    path: str
    """The path of the model; for a split one, of its first file."""
    n_bytes: int
    size_bytes: int
    is_repairing: bool = False


class CheckEnded(msgspec.Struct, frozen=True, kw_only=True, tag="check_ended"):
    """A check or repair ended: either ``results`` or ``error`` is set; neither if it was cancelled."""

    path: str
    results: tuple[VerifyResult, ...] = ()
    """One for each file of the model."""
    error: ErrorInfo | None = None
