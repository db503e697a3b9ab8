"""What a scan finds, names and ids of models, and unreadable files."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from fakes.gguf_files import Typed, model_file
from fakes.library_harness import LibraryHarness, ids, problems
from fireside.core.errors import ModelNotFound
from fireside.core.model import ModelEntry
from fireside.library import starter_folder

needs_links = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")


def by_id(entries: tuple[ModelEntry, ...]) -> dict[str, ModelEntry]:
    return {entry.spec.id: entry for entry in entries if entry.spec is not None}


def test_empty_sources_have_no_models_and_no_problems(harness: LibraryHarness) -> None:
    assert harness.library().scan() == ()


def test_each_source_has_a_label(harness: LibraryHarness) -> None:
    harness.write("starter/first.gguf")
    harness.write("models/own.gguf")
    harness.write("elsewhere/sub/theirs.gguf")
    single = harness.write("single/one.gguf")
    entries = by_id(harness.library(harness.root / "elsewhere", single).scan())
    assert {name: (entry.source, entry.removable) for name, entry in entries.items()} == {
        "first": ("Included", False),
        "own": ("Library", True),
        "theirs": (str(harness.root / "elsewhere"), True),
        "one": ("Added file", True),
    }


def test_models_are_sorted_by_name_ignoring_case(harness: LibraryHarness) -> None:
    for path in ("starter/gamma", "models/a/beta", "models/b/Alpha"):
        harness.write(f"{path}.gguf")
    assert ids(harness.library().scan()) == ["Alpha", "beta", "gamma"]


def test_the_layout_of_the_library_makes_the_id(harness: LibraryHarness) -> None:
    harness.write("models/owner/repo/Model-Q4_K_M.gguf")
    harness.write("models/owner/repo/UD-Q8/Model-UD-Q8_K_XL.gguf")
    harness.write("models/owner/other/other.gguf", **{"general.file_type": 7})
    harness.write("models/flat/Model-Q4_0.gguf")
    assert set(ids(harness.library().scan())) == {
        "owner/repo:Q4_K_M",
        "owner/repo:UD-Q8_K_XL",
        "owner/other:Q8_0",
        "Model-Q4_0",
    }


def test_only_model_files_that_are_not_hidden_or_partial_are_listed(harness: LibraryHarness) -> None:
    for name in (
        "yes.gguf",
        "YES2.GGUF",
        ".hidden.gguf",
        "._mac.gguf",
        ".cache/x.gguf",
        "a.gguf.part",
        "b.bin",
    ):
        harness.write(f"models/{name}")
    assert set(ids(harness.library().scan())) == {"yes", "YES2"}


def test_a_broken_file_is_listed_with_its_reason(harness: LibraryHarness) -> None:
    harness.write("models/good.gguf")
    (harness.models / "empty.gguf").touch()
    (harness.models / "page.gguf").write_bytes(b"<!DOCTYPE html>")
    entries = harness.library().scan()
    assert ids(entries) == ["good"]
    assert problems(entries) == {
        "empty.gguf": "It is empty.",
        "page.gguf": "It is a web page. The download probably ended on a sign-in or error page.",
    }
    assert all((entry.spec is None) != (entry.problem is None) for entry in entries)


def test_a_projector_is_listed_with_its_kind(harness: LibraryHarness) -> None:
    model_file(architecture="clip").write(harness.models / "mmproj.gguf")
    assert "projector" in problems(harness.library().scan())["mmproj.gguf"]


def test_a_missing_added_folder_is_a_removable_problem(harness: LibraryHarness) -> None:
    missing = harness.root / "usb"
    library = harness.library(missing)
    (entry,) = library.scan()
    assert entry.problem == "Not found. If it is on another drive, connect it."
    assert entry.removable
    assert library.remove(entry.path) == ()


def test_a_missing_added_file_is_a_removable_problem(harness: LibraryHarness) -> None:
    library = harness.library(harness.root / "usb" / "m.gguf")
    (entry,) = library.scan()
    assert (entry.file_name, entry.removable) == ("m.gguf", True)
    assert library.remove(entry.path) == ()


def test_an_unreadable_folder_is_a_problem(harness: LibraryHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    harness.write("models/good.gguf")
    locked = str(harness.write("models/locked/m.gguf").parent)
    real_scandir = os.scandir

    def scandir(path: str) -> object:
        if path == locked:  # Not by its mode: this user may be allowed everything.
            raise PermissionError(13, "Permission denied")
        return real_scandir(path)

    monkeypatch.setattr("fireside.library.walk.os.scandir", scandir)
    entries = harness.library().scan()
    assert ids(entries) == ["good"]
    assert problems(entries) == {"locked": "It cannot be opened: permission denied."}


@needs_links
def test_a_file_reached_twice_is_listed_once(harness: LibraryHarness) -> None:
    real = harness.write("models/m.gguf")
    (harness.models / "link.gguf").symlink_to(real)
    (harness.root / "other").symlink_to(harness.models)
    entries = harness.library(harness.models, harness.root / "other", real, harness.root).scan()
    assert len(entries) == 1
    assert entries[0].source == "Library"


@needs_links
def test_link_cycles_end(harness: LibraryHarness) -> None:
    harness.write("models/a/m.gguf")
    (harness.models / "a" / "up").symlink_to(harness.models)
    (harness.models / "self").symlink_to(harness.models / "self")
    entries = harness.library().scan()
    assert ids(entries) == ["m"]
    assert problems(entries) == {}


@needs_links
def test_a_dangling_link_is_a_problem(harness: LibraryHarness) -> None:
    harness.models.mkdir()
    (harness.models / "gone.gguf").symlink_to(harness.root / "nowhere")
    (harness.models / "self.gguf").symlink_to(harness.models / "self.gguf")
    assert set(problems(harness.library().scan())) == {"gone.gguf", "self.gguf"}


def test_a_named_pipe_is_skipped(harness: LibraryHarness) -> None:
    if sys.platform == "win32":
        pytest.skip("the system has no named pipes")
    harness.models.mkdir()
    os.mkfifo(harness.models / "pipe.gguf")
    assert harness.library(harness.models / "pipe.gguf").scan()[0].problem == "It is not a file."


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep names as text")
def test_an_undecodable_name_is_a_printable_problem(harness: LibraryHarness) -> None:
    path = os.fsencode(harness.models / "bad") + b"\xff.gguf"
    harness.models.mkdir()
    Path(os.fsdecode(path)).write_bytes(model_file().to_bytes())
    (entry,) = harness.library().scan()
    assert entry.path.encode()
    assert entry.problem == "Its name is not valid text. Rename it to use it."


def test_an_empty_path_is_not_the_current_folder(harness: LibraryHarness) -> None:
    assert harness.library("").added == ()


@pytest.mark.parametrize("added", ["a\0b", "x\ud800y", "~nobody-of-this-name/models", "~\ud800", "~a\0b"])
def test_invalid_added_paths_never_raise(harness: LibraryHarness, added: str) -> None:
    harness.write("models/good.gguf")
    harness.write("elsewhere/other.gguf")
    library = harness.library(added)
    assert ids(library.scan()) == ["good"]
    assert library.add([str(harness.root / "elsewhere")]).failures == ()
    nonsense = next(entry for entry in library.scan() if entry.problem is not None)
    assert nonsense.removable
    assert library.remove(nonsense.path) == (str(harness.root / "elsewhere"),)


@pytest.mark.parametrize("name", ["模型 ñ 🦙", "A" * 250, "e\u0301", "a b (1)"])
def test_file_names_are_kept(harness: LibraryHarness, name: str) -> None:
    harness.write(f"models/{name}.gguf")
    assert ids(harness.library().scan()) == [name]
    assert ids(harness.library().scan()) == [name]


def split_model(harness: LibraryHarness, folder: str, *, count: int, leave_out: tuple[int, ...] = ()) -> None:
    for number in range(1, count + 1):
        if number not in leave_out:
            changes = {"split.count": Typed(2, count), "split.no": Typed(2, number - 1)}
            harness.write(f"{folder}/big-Q8_0-{number:05d}-of-{count:05d}.gguf", **changes)


def test_a_split_model_is_one_entry_with_the_size_of_all_parts(harness: LibraryHarness) -> None:
    split_model(harness, "models", count=3)
    (entry,) = harness.library().scan()
    assert entry.spec is not None
    assert (entry.spec.id, entry.spec.name) == ("big-Q8_0", "big")
    assert entry.file_name == "big-Q8_0-00001-of-00003.gguf"
    assert entry.size_bytes == entry.spec.size_bytes
    assert entry.size_bytes == sum(path.stat().st_size for path in harness.models.iterdir())


@pytest.mark.parametrize(
    ("count", "leave_out", "sentence"),
    [
        (3, (2,), "Part 2 of 3 is missing."),
        (4, (1, 3, 4), "Parts 1, 3 and 4 of 4 are missing."),
        (9, (2, 3, 4, 5, 6, 7), "6 of its 9 parts are missing."),
    ],
)
def test_a_split_model_names_its_missing_parts(
    harness: LibraryHarness, count: int, leave_out: tuple[int, ...], sentence: str
) -> None:
    split_model(harness, "models", count=count, leave_out=leave_out)
    assert list(problems(harness.library().scan()).values()) == [sentence]


def test_parts_that_were_mixed_up_are_a_problem(harness: LibraryHarness) -> None:
    split_model(harness, "models", count=2)
    first, second = sorted(harness.models.iterdir())
    shutil.copy(first, second)
    assert "Part 2 contains another part" in next(iter(problems(harness.library().scan()).values()))


def test_a_part_under_a_wrong_name_is_a_problem(harness: LibraryHarness) -> None:
    split_model(harness, "models", count=2)
    first, second = sorted(harness.models.iterdir())
    second.unlink()
    first.rename(harness.models / "renamed.gguf")
    assert "but renamed" in problems(harness.library().scan())["renamed.gguf"]


def test_names_of_parts_around_a_whole_model_are_a_problem(harness: LibraryHarness) -> None:
    harness.write("models/m-00001-of-00002.gguf")
    harness.write("models/m-00002-of-00002.gguf")
    assert "does not belong" in problems(harness.library().scan())["m-00001-of-00002.gguf"]


def test_a_damaged_part_is_a_problem_of_the_model(harness: LibraryHarness) -> None:
    split_model(harness, "models", count=2)
    sorted(harness.models.iterdir())[1].write_bytes(b"")
    assert problems(harness.library().scan()) == {"big-Q8_0-00001-of-00002.gguf": "It is empty."}


def test_find_accepts_ids_and_typed_names(harness: LibraryHarness) -> None:
    harness.write("models/owner/Llama-3-GGUF/Llama-3-Q4_0.gguf")
    harness.write("models/Qwen-Q8_0.gguf")
    library = harness.library()
    for name in (
        "owner/Llama-3-GGUF:Q4_0",
        "OWNER/llama-3-gguf:q4_0",
        "llama-3-q4_0.gguf",
        "Llama-3-Q4_0",
        "llama 3",
    ):
        assert library.find(name).file_name == "Llama-3-Q4_0.gguf"


def test_find_does_not_guess_between_two(harness: LibraryHarness) -> None:
    harness.write("models/Llama-Q4_0.gguf")
    harness.write("models/Llama-Q8_0.gguf")
    with pytest.raises(ModelNotFound, match="“llama”"):
        harness.library().find("llama")


@pytest.mark.parametrize("typed", ["owner", "Lama-3", "llama", "LLAMA 3.gguf"])
def test_find_suggests_the_nearest_id(harness: LibraryHarness, typed: str) -> None:
    harness.write("models/owner/Llama-3-GGUF/Llama-3-Q4_0.gguf")
    with pytest.raises(ModelNotFound, match="Did you mean “owner/Llama-3-GGUF:Q4_0”"):
        harness.library().find(typed)


def test_find_suggests_nothing_dissimilar(harness: LibraryHarness) -> None:
    harness.write("models/Llama-3-Q4_0.gguf")
    with pytest.raises(ModelNotFound) as caught:
        harness.library().find("gemma")
    assert caught.value.near == ""


def test_find_scans_again_before_it_fails(harness: LibraryHarness) -> None:
    library = harness.library()
    library.scan()
    harness.write("models/new.gguf")
    assert library.find("new").file_name == "new.gguf"


def test_find_never_returns_a_broken_file(harness: LibraryHarness) -> None:
    harness.models.mkdir()
    (harness.models / "empty.gguf").touch()
    with pytest.raises(ModelNotFound):
        harness.library().find("empty.gguf")


def test_the_starter_model_is_in_the_prefix() -> None:
    assert starter_folder() == Path(sys.prefix) / "share" / "fireside" / "models"


def test_the_real_starter_model_is_found(starter_model_path: Path, harness: LibraryHarness) -> None:
    library = harness.library(starter_model_path)
    assert library.find("SmolLM2-135M-Instruct.Q4_1").size_bytes == 98_362_432
