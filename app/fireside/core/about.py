"""What this copy of the program is, how it is updated, and how far that is."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

SELF_TEST: Final = "--self-test"
"""The word behind which the program only says whether it works here, by its exit status."""


class PackageKind(StrEnum):
    """How this copy was installed, which decides how it is updated."""

    SOURCE = "source"
    """A checkout of the repository."""
    SYSTEM = "system"
    """A package of the system's package manager."""
    FOLDERS = "folders"
    """Version folders beside each other, in a folder of the user: updates itself."""
    OTHER = "other"


class Release(msgspec.Struct, frozen=True, kw_only=True):
    """A newer version that can be had for this computer."""

    version: str
    released: str
    """The day, in ISO 8601."""
    notes: str
    n_bytes: int
    """To download: less than all of it where parts stay as they are."""


class About(msgspec.Struct, frozen=True, kw_only=True):
    """This copy of the program."""

    version: str
    kind: PackageKind
    data_folder: str
    is_published: bool = False
    """Whether it knows an address where newer versions are."""
    release: Release | None = None
    """The newer version that was found last."""
    checked_at: float | None = None
    """Seconds since the epoch, UTC; ``None`` where it was not looked in this session."""
    pending_version: str = ""
    """Another version that the next start will use."""
    previous_version: str = ""
    """The version that one can go back to."""
    failed_version: str = ""
    """A version that did not start, so that the one before is used again."""


class UpdateStep(StrEnum):
    """What is being done."""

    DOWNLOADING = "downloading"
    UNPACKING = "unpacking"
    TESTING = "testing"


class UpdateProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="update_progressed"):
    """An update is this far."""

    step: UpdateStep
    fraction: float | None = None
    """0 to 1, where it is known."""


class UpdateFound(msgspec.Struct, frozen=True, kw_only=True, tag="update_found"):
    """A newer version is there, found by the daily look."""

    release: Release
