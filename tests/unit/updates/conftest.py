"""A release server, and a copy of the program that uses it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.release_place import Installed, ReleasePlace

collect_ignore = ["test_updater.py"] if sys.platform == "win32" else []  # its trees are shell scripts


@pytest.fixture
def server() -> Iterator[ReleasePlace]:
    server = ReleasePlace()
    yield server
    server.close()


@pytest.fixture
def installed(tmp_path: Path, server: ReleasePlace) -> Installed:
    return Installed(tmp_path, server)
