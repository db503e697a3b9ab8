"""Fixtures of the library tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from fakes.library_place import Place, Trash


@pytest.fixture
def place(tmp_path: Path) -> Place:
    bin_folder = tmp_path / "trash"
    bin_folder.mkdir()
    return Place(root=tmp_path, trash=Trash(folder=bin_folder))
