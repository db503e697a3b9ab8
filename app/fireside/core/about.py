"""Version and update state of this copy of the program, as values."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

SELF_TEST: Final = "--self-test"
"""Command-line option that makes the program test itself and report the result by its exit status."""


class PackageKind(StrEnum):
    """How this copy was installed, which decides how it is updated."""

    SOURCE = "source"
    """A checkout of the repository."""
    SYSTEM = "system"
    """A package of the system's package manager."""
    FOLDERS = "folders"
    """Side-by-side version folders in a folder of the user: updates itself."""
    OTHER = "other"


class Release(msgspec.Struct, frozen=True, kw_only=True):
    """A newer version that is available for this computer."""

    version: str
    released: str
    """The day, in ISO 8601."""
    notes: str
    n_bytes: int
    """Size of the download in bytes; unchanged parts are not downloaded."""


class About(msgspec.Struct, frozen=True, kw_only=True):
    """This copy of the program."""

    version: str
    kind: PackageKind
    data_folder: str
    is_published: bool = False
    """Whether a release address is configured."""
    release: Release | None = None
    """The newer version that the last check found."""
    checked_at: float | None = None
    """Time of the last check, in seconds since the epoch, UTC; ``None`` without one in this session."""
    pending_version: str = ""
    """The installed version that takes effect at the next start; empty for none."""
    previous_version: str = ""
    """The version that a rollback returns to; empty for none."""
    failed_version: str = ""
    """A version that failed to start and was rolled back; empty for none."""


class UpdateStep(StrEnum):
    """Step of an update."""

    DOWNLOADING = "downloading"
    UNPACKING = "unpacking"
    TESTING = "testing"


class UpdateProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="update_progressed"):
    """Progress of an update."""

    step: UpdateStep
    fraction: float | None = None
    """0 to 1, where it is known."""


class UpdateFound(msgspec.Struct, frozen=True, kw_only=True, tag="update_found"):
    """The daily check found a newer version."""

    release: Release
