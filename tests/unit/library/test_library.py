"""Adding files and folders in place, removing them, and the trash."""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fakes.gguf_files import model_file
from fakes.library_harness import LibraryHarness, ids
from fakes.raised import refuses
from fireside.core.errors import ModelFileMissing, ModelNotFound
from fireside.gguf import GgufHeader, read_header


def test_a_file_is_added_in_place(harness: LibraryHarness) -> None:
    path = harness.write("elsewhere/m.gguf")
    library = harness.library()
    result = library.add([str(path)])
    assert (result.added, result.failures) == ((str(path),), ())
    assert ids(library.scan()) == ["m"]
    assert path.exists()


def test_a_file_is_recognized_by_its_content(harness: LibraryHarness) -> None:
    path = harness.write("blobs/sha256-0123abcd")
    library = harness.library()
    assert library.add([str(path)]).failures == ()
    assert library.scan()[0].spec is not None


def test_a_folder_is_added_with_everything_below(harness: LibraryHarness) -> None:
    harness.write("elsewhere/a.gguf")
    harness.write("elsewhere/deep/b.gguf")
    library = harness.library()
    assert library.add([str(harness.root / "elsewhere")]).added == (str(harness.root / "elsewhere"),)
    assert ids(library.scan()) == ["a", "b"]


def test_what_cannot_be_added_has_a_reason(harness: LibraryHarness) -> None:
    good = harness.write("elsewhere/good.gguf")
    broken = harness.root / "broken.gguf"
    broken.write_bytes(b"<html>")
    empty = harness.root / "empty"
    empty.mkdir()
    projector = model_file(architecture="clip").write(harness.root / "mmproj.gguf")
    missing = harness.root / "gone.gguf"
    paths = [str(path) for path in (broken, good, empty, projector, missing)] + ["a\0b", "x\ud800"]
    result = harness.library().add(paths)
    assert result.added == (str(good),)
    assert {failure.path: failure.reason for failure in result.failures} == {
        str(broken): "It is a web page. The download probably ended on a sign-in or error page.",
        str(empty): "No GGUF files in it.",
        str(projector): "It is the projector of a vision or audio model. It cannot chat on its own.",
        str(missing): "Not found. If it is on another drive, connect it.",
        "a\0b": "It is not a file that can be opened.",
        "x\ufffd": "It is not a file that can be opened.",
    }


def test_adding_twice_is_no_failure_and_no_second_entry(harness: LibraryHarness) -> None:
    own = harness.write("models/o/r/m.gguf")
    other = harness.write("elsewhere/n.gguf")
    library = harness.library()
    folder = str(harness.root / "elsewhere")
    paths = [str(own), str(harness.models), str(own.parent), folder, folder, str(other), folder]
    result = library.add(paths)
    assert (result.added, result.failures) == ((folder,), ())
    assert len(library.scan()) == 2


def test_a_folder_replaces_the_files_in_it_that_were_added_one_by_one(harness: LibraryHarness) -> None:
    inside, outside = harness.write("elsewhere/m.gguf"), harness.write("other/n.gguf")
    library = harness.library(inside, outside)
    result = library.add([str(inside.parent)])
    assert result.added == (str(outside), str(inside.parent))


def test_a_folder_of_broken_files_can_be_added(harness: LibraryHarness) -> None:
    (harness.root / "elsewhere").mkdir()
    (harness.root / "elsewhere" / "broken.gguf").touch()
    assert harness.library().add([str(harness.root / "elsewhere")]).failures == ()


def test_any_part_adds_the_whole_split_model(harness: LibraryHarness) -> None:
    changes = {"split.count": 2}
    first = harness.write("e/m-00001-of-00002.gguf", **changes, **{"split.no": 0})
    second = harness.write("e/m-00002-of-00002.gguf", **changes, **{"split.no": 1})
    result = harness.library().add([str(second), str(first)])
    assert (result.added, result.failures) == ((str(first),), ())


def test_a_relative_path_is_added_as_an_absolute_one(
    harness: LibraryHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = harness.write("elsewhere/m.gguf")
    monkeypatch.chdir(harness.root)
    assert harness.library().add(["elsewhere/m.gguf"]).added == (str(path),)


def test_a_path_given_twice_is_added_once(harness: LibraryHarness) -> None:
    path = harness.write("elsewhere/m.gguf")
    assert harness.library(path, path).added == (str(path),)


def test_a_tilde_is_the_home_folder(harness: LibraryHarness, own_home: Path) -> None:
    model_file().write(own_home / "m.gguf")
    library = harness.library("~/m.gguf")
    assert library.added == (str(own_home / "m.gguf"),)
    assert ids(library.scan()) == ["m"]


def test_a_file_of_the_library_goes_to_the_trash(harness: LibraryHarness) -> None:
    path = harness.write("models/o/r/m.gguf")
    library = harness.library()
    assert library.remove(str(path)) == ()
    assert harness.trash.names == ["m.gguf"]
    assert library.scan() == ()


def test_a_removed_model_is_not_found(harness: LibraryHarness) -> None:
    path = harness.write("models/m.gguf")
    library = harness.library()
    assert library.find("m").path == str(path)
    library.remove(str(path))
    with pytest.raises(ModelNotFound):
        library.find("m")


def test_all_parts_of_a_split_model_go_to_the_trash(harness: LibraryHarness) -> None:
    for number in (1, 2):
        changes = {"split.count": 2, "split.no": number - 1}
        harness.write(f"models/m-0000{number}-of-00002.gguf", **changes)
    library = harness.library()
    library.remove(library.scan()[0].path)
    assert harness.trash.names == ["m-00001-of-00002.gguf", "m-00002-of-00002.gguf"]


def test_a_broken_file_of_the_library_goes_to_the_trash(harness: LibraryHarness) -> None:
    harness.models.mkdir()
    (harness.models / "broken.gguf").touch()
    library = harness.library()
    library.remove(library.scan()[0].path)
    assert harness.trash.names == ["broken.gguf"]


def test_removing_an_added_file_keeps_the_file(harness: LibraryHarness) -> None:
    path, other = harness.write("elsewhere/m.gguf"), harness.write("elsewhere/n.gguf")
    library = harness.library(path, other)
    assert library.remove(str(path)) == (str(other),)
    assert ids(library.scan()) == ["n"]
    assert path.exists()
    assert harness.trash.names == []


@pytest.mark.parametrize("chosen", ["folder", "file"])
def test_removing_from_an_added_folder_removes_the_whole_folder(harness: LibraryHarness, chosen: str) -> None:
    path = harness.write("elsewhere/deep/m.gguf")
    folder = harness.root / "elsewhere"
    library = harness.library(folder)
    assert library.remove(str(folder if chosen == "folder" else path)) == ()
    assert library.scan() == ()
    assert path.exists()
    assert harness.trash.names == []


def test_the_starter_model_cannot_be_removed(harness: LibraryHarness) -> None:
    path = harness.write("starter/m.gguf")
    library = harness.library()
    with refuses("model_file_not_removed", match="ncluded with Fireside"):
        library.remove(str(path))
    assert path.exists()
    assert harness.trash.names == []


def test_a_file_outside_every_source_is_never_touched(harness: LibraryHarness) -> None:
    path = harness.write("elsewhere/m.gguf")
    with pytest.raises(ModelFileMissing):
        harness.library().remove(str(path))
    assert path.exists()
    assert harness.trash.names == []


def test_a_failure_of_the_trash_is_an_error_and_the_model_stays(harness: LibraryHarness) -> None:
    path = harness.write("models/m.gguf")
    harness.trash.error = PermissionError(13, "Permission denied")
    library = harness.library()
    with refuses("model_file_not_removed", match=r"cannot be moved to the trash \(Permission denied\)"):
        library.remove(str(path))
    assert ids(library.scan()) == ["m"]


def test_a_file_that_is_already_missing_is_removed(harness: LibraryHarness) -> None:
    path = harness.write("models/m.gguf")
    library = harness.library()
    library.scan()
    path.unlink()
    harness.trash.error = FileNotFoundError(2, "No such file")
    library.remove(str(path))
    assert library.scan() == ()


def test_a_library_is_thread_safe(harness: LibraryHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [str(harness.write(f"elsewhere/{number}.gguf")) for number in range(24)]
    harness.write("models/m.gguf")
    library = harness.library()
    reading = threading.Lock()

    def alone(path: str) -> GgufHeader:
        assert reading.acquire(blocking=False), "two threads were in the library at once"
        try:
            return read_header(path)
        finally:
            reading.release()

    def work(own: list[str]) -> None:
        for path in own:
            library.add([path])
            library.find("m")
            library.scan()

    monkeypatch.setattr("fireside.library.header_check.read_header", alone)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, (paths[start::4] for start in range(4))))
    assert set(library.added) == set(paths)
    assert len(library.scan()) == 25


@pytest.mark.skipif(sys.platform != "linux", reason="names are Unicode there")
def test_a_file_whose_name_is_no_text_is_refused_in_words(harness: LibraryHarness) -> None:
    """Also one that is given by its path, for one run."""
    path = os.fsdecode(os.fsencode(harness.write("a/model.gguf").parent) + b"/m\xff.gguf")
    (harness.root / "a" / "model.gguf").rename(path)
    (entry,) = harness.library(Path(path)).scan()
    assert entry.problem == "Its name is not valid text. Rename it to use it."
