"""Equal contents are listed once; probable copies are marked."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fakes.gguf_files import model_file
from fakes.library_harness import LibraryHarness, ids
from fireside.core.errors import ModelFileMissing
from fireside.core.hub import FileOrigin, origin_name
from fireside.core.model import ModelEntry
from fireside.files.digest import digest_of
from fireside.hub.cancel_token import Stopped
from fireside.library.lookup import find_unusable

needs_links = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")


def write_origin(path: Path, **changes: Any) -> None:
    """Write the origin file that a download writes."""
    content = path.read_bytes()
    origin = FileOrigin(
        repo="owner/repo",
        commit="c" * 40,
        path=path.name,
        size_bytes=len(content),
        digest=hashlib.sha256(content).hexdigest(),
        block_bytes=8 << 20,
        blocks=("0" * 64,),
        downloaded_at="2026-11-21T08:00:00Z",
    )
    origin = msgspec.structs.replace(origin, **changes)
    path.with_name(origin_name(path.name)).write_bytes(msgspec.json.encode(origin))


def only(entries: tuple[ModelEntry, ...]) -> ModelEntry:
    (entry,) = entries
    return entry


def test_a_verified_file_has_its_origin(harness: LibraryHarness) -> None:
    write_origin(harness.write("models/o/r/m.gguf"))
    entry = only(harness.library().scan())
    assert entry.origin is not None
    assert (entry.origin.repo, entry.origin.commit) == ("owner/repo", "c" * 40)
    assert entry.sha256 == entry.origin.digest


@pytest.mark.parametrize("changes", [{"digest": "a" * 40}, {"digest": "x" * 64}])
def test_an_origin_that_does_not_match_the_file_is_ignored(
    harness: LibraryHarness, changes: dict[str, object]
) -> None:
    write_origin(harness.write("models/m.gguf"), **changes)
    assert only(harness.library().scan()).origin is None


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"\xff", b"[" * 5000])
def test_an_invalid_origin_is_ignored(harness: LibraryHarness, text: bytes) -> None:
    harness.write("models/m.gguf")
    (harness.models / origin_name("m.gguf")).write_bytes(text)
    entry = only(harness.library().scan())
    assert (entry.origin, entry.sha256, entry.problem) == (None, "", None)


def test_a_file_that_changed_after_it_was_verified_is_not_verified(harness: LibraryHarness) -> None:
    path = harness.write("models/m.gguf")
    write_origin(path)
    later = path.stat().st_mtime + 10
    os.utime(path, (later, later))
    assert_changed(only(harness.library().scan()))


def assert_changed(entry: ModelEntry) -> None:
    """Assert that the origin is known and the content differs from it."""
    assert entry.origin is not None
    assert entry.origin.is_changed
    assert entry.origin.repo == "owner/repo"
    assert entry.sha256 == ""


def test_a_file_of_another_length_keeps_its_origin(harness: LibraryHarness) -> None:
    write_origin(harness.write("models/m.gguf"), size_bytes=1)
    assert_changed(only(harness.library().scan()))


def test_a_truncated_download_keeps_its_name_and_origin(harness: LibraryHarness) -> None:
    path = harness.write("models/o/r/m-Q4_0.gguf")
    write_origin(path)
    library = harness.library()
    library.scan()
    path.write_bytes(path.read_bytes()[:100])
    entry = only(harness.library().scan())
    assert entry.problem is not None
    assert_changed(entry)
    assert entry.last_id == "o/r:Q4_0"
    assert find_unusable([entry], "O/R:q4_0") is entry
    assert find_unusable([entry], "m-Q4_0.gguf") is entry
    assert find_unusable([entry], "other") is None


def test_an_origin_written_later_is_noticed(harness: LibraryHarness) -> None:
    path = harness.write("models/m.gguf")
    library = harness.library()
    assert only(library.scan()).origin is None
    write_origin(path)
    assert only(library.scan()).origin is not None
    assert only(harness.library().scan()).origin is not None


def test_two_verified_files_of_one_hash_are_one_entry(harness: LibraryHarness) -> None:
    first, second = harness.write("models/a.gguf"), harness.write("elsewhere/b.gguf")
    write_origin(first)
    write_origin(second)
    entry = only(harness.library(harness.root / "elsewhere").scan())
    assert (entry.path, entry.source) == (str(first), "Library")
    (other,) = entry.places
    assert (other.path, other.source) == (str(second), str(harness.root / "elsewhere"))
    assert other.size_bytes == second.stat().st_size


def test_probable_copies_are_both_listed(harness: LibraryHarness) -> None:
    first, second = harness.write("models/a.gguf"), harness.write("models/b.gguf")
    entries = harness.library().scan()
    assert ids(entries) == ["a", "b"]
    assert [[other.path for other in entry.probable_copies] for entry in entries] == [
        [str(second)],
        [str(first)],
    ]


def test_files_of_one_size_that_differ_at_an_end_do_not_look_equal(
    harness: LibraryHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fireside.library.file_fingerprints.QUICK_BYTES", 4000)
    harness.write("models/a.gguf", **{"general.name": "one"})
    harness.write("models/b.gguf", **{"general.name": "two"})
    last = harness.write("models/c.gguf", **{"general.name": "one"})
    last.write_bytes(last.read_bytes()[:-1] + b"\x07")
    assert [entry.probable_copies for entry in harness.library().scan()] == [(), (), ()]


def test_files_whose_hashes_are_known_and_differ_do_not_look_equal(harness: LibraryHarness) -> None:
    for name in ("a", "b"):
        path = harness.write(f"models/{name}.gguf")
        write_origin(path, digest=hashlib.sha256(name.encode()).hexdigest())
    assert [entry.probable_copies for entry in harness.library().scan()] == [(), ()]


def test_a_file_without_a_hash_may_equal_each_of_two_that_differ(harness: LibraryHarness) -> None:
    for name in ("a", "b"):
        path = harness.write(f"models/{name}.gguf")
        write_origin(path, digest=hashlib.sha256(name.encode()).hexdigest())
    harness.write("models/c.gguf")
    alike = [[Path(other.path).stem for other in entry.probable_copies] for entry in harness.library().scan()]
    assert alike == [["c"], ["c"], ["a", "b"]]


def test_hashing_decides_and_is_cached(harness: LibraryHarness) -> None:
    harness.write("models/a.gguf")
    harness.write("models/b.gguf")
    library = harness.library()
    seen: list[int] = []
    for entry in library.scan():
        assert library.identify(entry.path, on_progress=seen.append) == (digest_of(Path(entry.path)),)
    assert seen == [entry.size_bytes for entry in library.scan()] * 2
    assert [other.path for other in only(library.scan()).places] == [str(harness.models / "b.gguf")]
    assert len(harness.library().scan()) == 1


def test_a_hash_is_dropped_when_the_file_changes(harness: LibraryHarness) -> None:
    harness.write("models/a.gguf")
    second = harness.write("models/b.gguf")
    library = harness.library()
    for entry in library.scan():
        library.identify(entry.path)
    second.write_bytes(second.read_bytes())
    os.utime(second, (1, 1))
    assert len(library.scan()) == 2


def test_hashing_can_be_cancelled(harness: LibraryHarness) -> None:
    path = harness.write("models/a.gguf")
    library = harness.library()
    library.scan()

    def cancel(_: int) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        library.identify(str(path), on_progress=cancel)
    assert only(library.scan()).sha256 == ""


def test_only_files_of_the_library_are_hashed(harness: LibraryHarness) -> None:
    with pytest.raises(ModelFileMissing):
        harness.library().identify(str(harness.write("elsewhere/a.gguf")))


def test_the_hash_of_a_split_model_is_that_of_each_part(harness: LibraryHarness) -> None:
    for folder in ("models", "elsewhere"):
        for number in (1, 2):
            changes = {"split.count": 2, "split.no": number - 1}
            write_origin(harness.write(f"{folder}/m-0000{number}-of-00002.gguf", **changes))
    entry = only(harness.library(harness.root / "elsewhere").scan())
    assert len(entry.places) == 1
    assert entry.sha256 == ""


@needs_links
def test_a_link_is_a_location_without_disk_use(harness: LibraryHarness) -> None:
    real = harness.write("models/m.gguf")
    (harness.models / "z.gguf").symlink_to(real)
    entry = only(harness.library().scan())
    assert [(other.path, other.size_bytes) for other in entry.places] == [(str(harness.models / "z.gguf"), 0)]


def test_a_hard_link_is_one_entry(harness: LibraryHarness) -> None:
    real = harness.write("models/m.gguf")
    (harness.root / "elsewhere").mkdir()
    os.link(real, harness.root / "elsewhere" / "n.gguf")
    entry = only(harness.library(harness.root / "elsewhere").scan())
    assert [other.size_bytes for other in entry.places] == [0]


def test_the_cache_of_hashes_may_be_lost(harness: LibraryHarness) -> None:
    harness.write("models/a.gguf")
    harness.write("models/b.gguf")
    harness.library().scan()
    known = harness.cache.with_suffix(".contents.json")
    assert known.exists()
    for damage in (b"", b"{", b'[{"path": 3}]'):
        known.write_bytes(damage)
        assert len(harness.library().scan()[0].probable_copies) == 1


def test_copies_of_a_model_count_in_its_disk_use(harness: LibraryHarness) -> None:
    size = 0
    for folder in ("models", "elsewhere"):
        path = harness.write(f"{folder}/m.gguf")
        write_origin(path)
        size = path.stat().st_size
    use = harness.library(harness.root / "elsewhere").disk_use()
    assert [(model.name, model.used_bytes) for model in use.models] == [("m", 2 * size)]
    assert {folder.source: folder.used_bytes for folder in use.folders} == {
        "Library": size,
        str(harness.root / "elsewhere"): size,
    }
    assert all(folder.free_bytes for folder in use.folders)


def test_disk_use_is_sorted_by_size(harness: LibraryHarness) -> None:
    harness.write("models/small.gguf")
    model_file(changes={"x": "y" * 5000}).write(harness.models / "large.gguf")
    (harness.models / "broken.gguf").write_bytes(b"x" * 100)
    use = harness.library(harness.root / "gone").disk_use()
    assert [model.name for model in use.models] == ["large", "small", "broken.gguf"]
    assert [folder.n_models for folder in use.folders] == [3]
