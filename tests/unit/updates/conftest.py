"""A release repository, and a copy of the program that uses it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.release_place import Installed, ReleasePlace

collect_ignore = ["test_updater.py"] if sys.platform == "win32" else []  # its trees are shell scripts


@pytest.fixture
def place() -> Iterator[ReleasePlace]:
    made = ReleasePlace()
    yield made
    made.close()


@pytest.fixture
def installed(tmp_path: Path, place: ReleasePlace) -> Installed:
    return Installed(tmp_path, place)
