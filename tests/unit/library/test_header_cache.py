"""Headers are read once; a damaged cache costs time and nothing else."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from fakes.library_place import Place, ids, problems
from fireside.gguf import Header, read_header
from fireside.library.header_cache import FORMAT


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each file's header was read."""
    counts: Counter[str] = Counter()

    def counting(path: str) -> Header:
        counts[Path(path).name] += 1
        return read_header(path)

    monkeypatch.setattr("fireside.library.header_check.read_header", counting)
    return counts


def test_five_hundred_files_are_read_once_in_two_runs(place: Place, reads: Counter[str]) -> None:
    for number in range(500):
        place.write(f"models/o{number % 7}/r{number}/m-Q4_0.gguf")
    first = place.library()
    assert first.scan() == first.scan()
    assert place.library().scan() == first.scan()
    assert reads.total() == 500


def test_a_changed_file_is_read_again(place: Place, reads: Counter[str]) -> None:
    path = place.write("models/m.gguf")
    library = place.library()
    library.scan()
    place.write("models/m.gguf", **{"llama.context_length": 4096})
    os.utime(path, ns=(1, 1))  # The size is the same.
    (entry,) = library.scan()
    assert entry.spec is not None
    assert entry.spec.n_ctx_train == 4096
    assert reads["m.gguf"] == 2


def test_broken_files_are_read_again_by_the_next_run_only(place: Place, reads: Counter[str]) -> None:
    place.models.mkdir()
    (place.models / "bad.gguf").write_bytes(b"bad")
    library = place.library()
    assert library.scan() == library.scan()
    assert reads["bad.gguf"] == 1
    place.library().scan()
    assert reads["bad.gguf"] == 2


def test_a_file_that_could_not_be_opened_is_read_again(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.write("models/m.gguf")
    library = place.library()
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
def test_a_damaged_cache_is_ignored_and_replaced(place: Place, content: bytes) -> None:
    place.write("models/m.gguf")
    place.cache.parent.mkdir()
    place.cache.write_bytes(content)
    assert ids(place.library().scan()) == ["m"]
    assert place.cache.read_bytes().startswith(b'{"format":%d' % FORMAT)


def test_a_cache_of_another_format_is_ignored(place: Place) -> None:
    place.write("models/m.gguf")
    place.library().scan()
    content = place.cache.read_bytes()
    place.cache.write_bytes(
        content.replace(b'"format":%d' % FORMAT, b'"format":%d' % (FORMAT + 1)).replace(
            b'"id":"m"', b'"id":"m~1"'
        )
    )
    assert ids(place.library().scan()) == ["m"]


def test_a_truncated_cache_is_ignored(place: Place) -> None:
    place.write("models/m.gguf")
    place.library().scan()
    whole = place.cache.read_bytes()
    for length in range(0, len(whole), 7):
        place.cache.write_bytes(whole[:length])
        assert ids(place.library().scan()) == ["m"]


def test_a_cache_that_cannot_be_written_changes_nothing(place: Place) -> None:
    place.write("models/m.gguf")
    place.cache.parent.write_text("a file where the folder should be")
    assert ids(place.library().scan()) == ["m"]


def test_a_cache_that_cannot_be_read_changes_nothing(place: Place) -> None:
    place.write("models/m.gguf")
    place.cache.mkdir(parents=True)
    assert ids(place.library().scan()) == ["m"]


def test_writing_leaves_no_temporary_files(place: Place) -> None:
    place.write("models/m.gguf")
    place.library().scan()
    names = sorted(path.name for path in place.cache.parent.iterdir())
    assert names == ["library.contents.json", "library.json"]


def test_an_unchanged_library_writes_nothing(place: Place) -> None:
    place.write("models/m.gguf")
    library = place.library()
    library.scan()
    place.cache.unlink()
    library.scan()
    assert not place.cache.exists()


def test_another_version_reads_again_but_keeps_the_ids(
    place: Place, reads: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write("models/a/m.gguf")
    place.write("models/b/m.gguf")
    before = place.library().scan()
    monkeypatch.setattr("fireside.__version__", "99.0")
    (place.models / "a" / "m.gguf").unlink()
    (after,) = place.library().scan()
    assert reads["m.gguf"] == 3
    assert after.spec is not None
    assert after.spec.id in ids(before)


def test_models_of_an_unconnected_drive_are_not_read_again(place: Place, reads: Counter[str]) -> None:
    place.write("usb/m.gguf")
    place.library(place.root / "usb").scan()
    (place.root / "usb").rename(place.root / "pocket")
    place.library(place.root / "usb").scan()
    (place.root / "pocket").rename(place.root / "usb")
    assert ids(place.library(place.root / "usb").scan()) == ["m"]
    assert reads["m.gguf"] == 1
