"""Files of the prompt cache are deleted with their owner."""

from __future__ import annotations

from pathlib import Path

import pytest

from fireside.wire.cache_files import (
    SUFFIX,
    TEMPORARY_SUFFIX,
    CacheFileName,
    SavedStatePurge,
    hash_part,
    owner_part,
)


def state_of(folder: Path, owner: str, content: bytes = b"1") -> Path:
    parts = [hash_part(part) for part in (b"model", b"options", content)]
    path = folder / str(CacheFileName(owner_part(owner), *parts))
    path.write_bytes(b"state")
    return path


def test_only_the_files_of_the_owner_are_deleted(tmp_path: Path) -> None:
    gone, kept = state_of(tmp_path, "a-1"), state_of(tmp_path, "a-2")
    SavedStatePurge(tmp_path).delete_owner("a-1")
    assert not gone.exists()
    assert kept.exists()


def test_all_cache_files_are_deleted_and_no_others(tmp_path: Path) -> None:
    state_of(tmp_path, "a-1")
    state_of(tmp_path, "a-2")
    (tmp_path / f"half{TEMPORARY_SUFFIX}").touch()
    other = tmp_path / "models.json"
    other.touch()
    SavedStatePurge(tmp_path).delete_all()
    assert list(tmp_path.iterdir()) == [other]
    assert len({SUFFIX, TEMPORARY_SUFFIX}) == 2


def test_a_missing_folder_is_no_error(tmp_path: Path) -> None:
    states = SavedStatePurge(tmp_path / "none")
    states.delete_owner("a")
    states.delete_all()
    assert not (tmp_path / "none").exists()


def test_without_a_folder_nothing_is_done() -> None:
    SavedStatePurge(None).delete_owner("a")
    SavedStatePurge(None).delete_all()


def test_a_folder_that_cannot_be_read_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "states"
    path.write_text("a file where the folder should be")
    SavedStatePurge(path).delete_all()
    assert "are not deleted" in caplog.text
