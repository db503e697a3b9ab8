"""Changes are noticed, files being copied are no problem, and entries are reported while a scan runs."""

from __future__ import annotations

import math
import os
import time

import pytest

from fakes.gguf_files import model_file
from fakes.library_harness import LibraryHarness, ids, problems
from fireside.core.model import ModelEntry
from fireside.library.scan import GROWING


def test_before_the_first_scan_everything_has_changed(harness: LibraryHarness) -> None:
    library = harness.library()
    assert library.has_changed()
    library.scan()
    assert not library.has_changed()


def test_added_removed_and_changed_files_are_noticed(harness: LibraryHarness) -> None:
    first = harness.write("models/o/r/a.gguf")
    library = harness.library()
    library.scan()

    second = harness.write("models/o/b/b.gguf")
    assert library.has_changed()
    library.scan()
    assert not library.has_changed()

    os.utime(second, (5, 5))
    assert library.has_changed()
    library.scan()

    first.unlink()
    assert library.has_changed()
    assert ids(library.scan()) == ["o/b:F32"]
    assert not library.has_changed()


def test_a_removed_folder_is_noticed(harness: LibraryHarness) -> None:
    folder = harness.write("usb/m.gguf").parent
    library = harness.library(folder)
    library.scan()
    folder.rename(harness.root / "unplugged")
    assert library.has_changed()


def test_looking_for_changes_reads_no_model(harness: LibraryHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    library = harness.library()
    library.scan()
    harness.write("models/new.gguf")
    monkeypatch.setattr("fireside.library.header_check.read_header", None)
    assert library.has_changed()


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_a_file_that_still_grows_is_being_copied(harness: LibraryHarness, share: float) -> None:
    harness.later_s = 1.0
    content = model_file().to_bytes()
    path = harness.models / "m.gguf"
    path.parent.mkdir()
    path.write_bytes(content[: int(share * len(content))])
    library = harness.library()
    (entry,) = library.scan()
    assert (entry.is_growing, entry.problem) == (True, GROWING)
    path.write_bytes(content)
    assert library.has_changed()
    (entry,) = library.scan()
    assert (entry.is_growing, entry.problem) == (False, None)


def test_a_preallocated_file_is_being_copied(harness: LibraryHarness) -> None:
    harness.later_s = 1.0
    harness.models.mkdir()
    (harness.models / "m.gguf").write_bytes(bytes(5000))
    assert problems(harness.library().scan()) == {"m.gguf": GROWING}


def test_a_file_that_stopped_growing_is_broken(harness: LibraryHarness) -> None:
    harness.later_s = 1.0
    harness.models.mkdir()
    (harness.models / "m.gguf").touch()
    now = [time.time()]
    library = harness.library()
    library._clock = lambda: now[0]
    assert library.scan()[0].is_growing
    assert not library.has_changed()
    now[0] += 20
    assert library.has_changed()
    assert problems(library.scan()) == {"m.gguf": "It is empty."}
    assert not library.has_changed()


def test_missing_parts_may_still_be_copied(harness: LibraryHarness) -> None:
    harness.later_s = 1.0
    harness.write("models/m-00001-of-00002.gguf", **{"split.count": 2, "split.no": 0})
    assert harness.library().scan()[0].is_growing


def test_a_file_of_the_wrong_kind_is_not_being_copied(harness: LibraryHarness) -> None:
    harness.later_s = 1.0
    model_file(architecture="clip").write(harness.models / "p.gguf")
    assert not harness.library().scan()[0].is_growing


@pytest.mark.parametrize("head", [b"<!DOCTYPE html>", b"version https://git-lfs.github.com/spec/v1", b"GGML"])
def test_a_file_without_the_magic_is_not_being_copied(harness: LibraryHarness, head: bytes) -> None:
    harness.later_s = 1.0
    harness.models.mkdir()
    (harness.models / "m.gguf").write_bytes(head * 40)
    (entry,) = harness.library().scan()
    assert not entry.is_growing
    assert entry.problem != GROWING


def test_a_file_from_the_future_is_not_being_copied_for_ever(harness: LibraryHarness) -> None:
    harness.later_s = -3600.0
    harness.models.mkdir()
    (harness.models / "m.gguf").touch()
    assert problems(harness.library().scan()) == {"m.gguf": "It is empty."}


def test_entries_are_reported_as_they_are_read(
    harness: LibraryHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fireside.library.library.MAX_BATCH", 4)
    monkeypatch.setattr("fireside.library.library.BATCH_S", math.inf)  # however slow the disk is
    for number in range(10):
        harness.write(f"models/o/r/{number}-Q4_{number}.gguf")
    (harness.models / "broken.gguf").touch()
    batches: list[tuple[ModelEntry, ...]] = []
    library = harness.library()
    entries = library.scan(batches.append)
    assert [len(batch) for batch in batches] == [4, 4]
    rows = {row.path: row for batch in batches for row in batch}
    assert len(rows) == 8
    for entry in entries:
        row = rows.get(entry.path, entry)
        assert (row.problem, row.spec and row.spec.id) == (entry.problem, entry.spec and entry.spec.id)


def test_the_first_entries_are_reported_before_the_last_file_is_read(
    harness: LibraryHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fireside.library.library.MAX_BATCH", 1)
    for name in "abc":
        harness.write(f"models/{name}.gguf")
    library = harness.library()
    seen: list[int] = []
    library.scan(lambda _: seen.append(len(library._cache._facts)))
    assert seen == [1, 2, 3]
