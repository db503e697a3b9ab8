"""The bounds of a walk."""

from __future__ import annotations

from pathlib import Path, PurePath

from fireside.library.walk import walk


def touch(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()


def test_files_are_sorted_by_path(tmp_path: Path) -> None:
    touch(tmp_path, "b/2.gguf", "a.gguf", "c.gguf", "b/1.gguf")
    names = [PurePath(file.path).name for file in walk(str(tmp_path)).files]
    assert names == ["a.gguf", "1.gguf", "2.gguf", "c.gguf"]


def test_folders_too_deep_are_reported_and_skipped(tmp_path: Path) -> None:
    touch(tmp_path, "1/2/ok.gguf", "1/2/3/deep.gguf")
    found = walk(str(tmp_path), max_depth=2)
    assert [PurePath(file.path).name for file in found.files] == ["ok.gguf"]
    (failure,) = found.failures
    assert PurePath(failure.path).name == "2"
    assert failure.reason == "Folders more than 2 levels deep are skipped."


def test_too_many_files_are_reported_and_skipped(tmp_path: Path) -> None:
    touch(tmp_path, *(f"{number}.gguf" for number in range(20)))
    found = walk(str(tmp_path), max_entries=10)
    assert len(found.files) == 10
    (failure,) = found.failures
    assert failure.path == str(tmp_path)
    assert "ore than 10 files" in failure.reason


def test_as_many_files_as_are_allowed_are_no_problem(tmp_path: Path) -> None:
    touch(tmp_path, *(f"{number}.gguf" for number in range(10)))
    found = walk(str(tmp_path), max_entries=10)
    assert (len(found.files), found.failures) == (10, ())


def test_a_hidden_folder_is_scanned_if_it_was_added(tmp_path: Path) -> None:
    touch(tmp_path, ".models/m.gguf")
    assert len(walk(str(tmp_path / ".models")).files) == 1
    assert walk(str(tmp_path)).files == ()
