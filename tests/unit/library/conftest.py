"""Fixtures of the library tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from fakes.library_harness import LibraryHarness, Trash


@pytest.fixture
def harness(tmp_path: Path) -> LibraryHarness:
    bin_folder = tmp_path / "trash"
    bin_folder.mkdir()
    return LibraryHarness(root=tmp_path, trash=Trash(folder=bin_folder))
