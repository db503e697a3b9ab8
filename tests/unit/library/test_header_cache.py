"""Headers are read once; a damaged cache costs time and nothing else."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from fakes.library_harness import LibraryHarness, ids, problems
from fireside.gguf import GgufHeader, read_header
from fireside.library.header_cache import FORMAT


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each file's header was read."""
    counts: Counter[str] = Counter()

    def counting(path: str) -> GgufHeader:
        counts[Path(path).name] += 1
        return read_header(path)

    monkeypatch.setattr("fireside.library.header_check.read_header", counting)
    return counts


def test_five_hundred_files_are_read_once_in_two_runs(harness: LibraryHarness, reads: Counter[str]) -> None:
    for number in range(500):
        harness.write(f"models/o{number % 7}/r{number}/m-Q4_0.gguf")
    first = harness.library()
    assert first.scan() == first.scan()
    assert harness.library().scan() == first.scan()
    assert reads.total() == 500


def test_a_changed_file_is_read_again(harness: LibraryHarness, reads: Counter[str]) -> None:
    path = harness.write("models/m.gguf")
    library = harness.library()
    library.scan()
    harness.write("models/m.gguf", **{"llama.context_length": 4096})
    os.utime(path, ns=(1, 1))  # The size is the same.
    (entry,) = library.scan()
    assert entry.spec is not None
    assert entry.spec.n_ctx_train == 4096
    assert reads["m.gguf"] == 2


def test_broken_files_are_read_again_by_the_next_run_only(
    harness: LibraryHarness, reads: Counter[str]
) -> None:
    harness.models.mkdir()
    (harness.models / "bad.gguf").write_bytes(b"bad")
    library = harness.library()
    assert library.scan() == library.scan()
    assert reads["bad.gguf"] == 1
    harness.library().scan()
    assert reads["bad.gguf"] == 2


def test_a_file_that_could_not_be_opened_is_read_again(
    harness: LibraryHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness.write("models/m.gguf")
    library = harness.library()
    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", _denied)
        assert problems(library.scan()) == {"m.gguf": "It cannot be read (Permission denied)."}
    assert ids(library.scan()) == ["m"]


def _denied(*arguments: object, **options: object) -> None:
    raise PermissionError(13, "Permission denied")


DAMAGE = [
    b"",
    b"\0" * 100,
    b"{}",
    b"[" * 100_000,
    b'{"format":%d,"reader":"","models":[{}]}' % FORMAT,
    b"\xff\xfe",
    b"null",
]


@pytest.mark.parametrize("content", DAMAGE, ids=range(len(DAMAGE)))
def test_a_damaged_cache_is_ignored_and_replaced(harness: LibraryHarness, content: bytes) -> None:
    harness.write("models/m.gguf")
    harness.cache.parent.mkdir()
    harness.cache.write_bytes(content)
    assert ids(harness.library().scan()) == ["m"]
    assert harness.cache.read_bytes().startswith(b'{"format":%d' % FORMAT)


def test_a_cache_of_another_format_is_ignored(harness: LibraryHarness) -> None:
    harness.write("models/m.gguf")
    harness.library().scan()
    content = harness.cache.read_bytes()
    harness.cache.write_bytes(
        content.replace(b'"format":%d' % FORMAT, b'"format":%d' % (FORMAT + 1)).replace(
            b'"id":"m"', b'"id":"m~1"'
        )
    )
    assert ids(harness.library().scan()) == ["m"]


def test_a_truncated_cache_is_ignored(harness: LibraryHarness) -> None:
    harness.write("models/m.gguf")
    harness.library().scan()
    whole = harness.cache.read_bytes()
    for length in range(0, len(whole), 7):
        harness.cache.write_bytes(whole[:length])
        assert ids(harness.library().scan()) == ["m"]


def test_a_cache_that_cannot_be_written_changes_nothing(harness: LibraryHarness) -> None:
    harness.write("models/m.gguf")
    harness.cache.parent.write_text("a file where the folder should be")
    assert ids(harness.library().scan()) == ["m"]


def test_a_cache_that_cannot_be_read_changes_nothing(harness: LibraryHarness) -> None:
    harness.write("models/m.gguf")
    harness.cache.mkdir(parents=True)
    assert ids(harness.library().scan()) == ["m"]


def test_writing_leaves_no_temporary_files(harness: LibraryHarness) -> None:
    harness.write("models/m.gguf")
    harness.library().scan()
    names = sorted(path.name for path in harness.cache.parent.iterdir())
    assert names == ["library.contents.json", "library.json"]


def test_an_unchanged_library_writes_nothing(harness: LibraryHarness) -> None:
    harness.write("models/m.gguf")
    library = harness.library()
    library.scan()
    harness.cache.unlink()
    library.scan()
    assert not harness.cache.exists()


def test_another_version_reads_again_but_keeps_the_ids(
    harness: LibraryHarness, reads: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    harness.write("models/a/m.gguf")
    harness.write("models/b/m.gguf")
    before = harness.library().scan()
    monkeypatch.setattr("fireside.__version__", "99.0")
    (harness.models / "a" / "m.gguf").unlink()
    (after,) = harness.library().scan()
    assert reads["m.gguf"] == 3
    assert after.spec is not None
    assert after.spec.id in ids(before)


def test_models_of_an_unconnected_drive_are_not_read_again(
    harness: LibraryHarness, reads: Counter[str]
) -> None:
    harness.write("usb/m.gguf")
    harness.library(harness.root / "usb").scan()
    (harness.root / "usb").rename(harness.root / "pocket")
    harness.library(harness.root / "usb").scan()
    (harness.root / "pocket").rename(harness.root / "usb")
    assert ids(harness.library(harness.root / "usb").scan()) == ["m"]
    assert reads["m.gguf"] == 1
