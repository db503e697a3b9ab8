"""What a test's app knows of its own copy of the program."""

from __future__ import annotations

from pathlib import Path

from fireside.core.about import PackageKind
from fireside.services.about_service import AboutParts
from fireside.updates.build import BuildInfo


def about_parts(folder: Path) -> AboutParts:
    """Return a source checkout, which does not update itself."""
    build = BuildInfo(kind=PackageKind.SOURCE)
    return AboutParts(build=build, version="0.1.0", tree=folder, data_folder=folder)
