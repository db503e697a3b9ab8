"""A release server, and a copy of the program that uses it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.release_harness import Installed, ReleaseHarness

collect_ignore = ["test_updater.py"] if sys.platform == "win32" else []  # its trees are shell scripts


@pytest.fixture
def server() -> Iterator[ReleaseHarness]:
    server = ReleaseHarness()
    yield server
    server.close()


@pytest.fixture
def installed(tmp_path: Path, server: ReleaseHarness) -> Installed:
    return Installed(tmp_path, server)
