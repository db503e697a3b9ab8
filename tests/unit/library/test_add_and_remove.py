"""Adding files and folders in place, removing them, and the trash."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fakes.gguf_files import model_file
from fakes.library_place import Place, ids
from fireside.core.errors import ModelFileMissing, ModelFileNotRemoved, ModelNotFound
from fireside.gguf import Header, read_header


def test_a_file_is_added_in_place(place: Place) -> None:
    path = place.write("elsewhere/m.gguf")
    library = place.library()
    result = library.add([str(path)])
    assert (result.added, result.failures) == ((str(path),), ())
    assert ids(library.scan()) == ["m"]
    assert path.exists()


def test_a_file_is_recognized_by_its_content(place: Place) -> None:
    path = place.write("blobs/sha256-0123abcd")
    library = place.library()
    assert library.add([str(path)]).failures == ()
    assert library.scan()[0].spec is not None


def test_a_folder_is_added_with_everything_below(place: Place) -> None:
    place.write("elsewhere/a.gguf")
    place.write("elsewhere/deep/b.gguf")
    library = place.library()
    assert library.add([str(place.root / "elsewhere")]).added == (str(place.root / "elsewhere"),)
    assert ids(library.scan()) == ["a", "b"]


def test_what_cannot_be_added_has_a_reason(place: Place) -> None:
    good = place.write("elsewhere/good.gguf")
    broken = place.root / "broken.gguf"
    broken.write_bytes(b"<html>")
    empty = place.root / "empty"
    empty.mkdir()
    projector = model_file(architecture="clip").write(place.root / "mmproj.gguf")
    missing = place.root / "gone.gguf"
    paths = [str(path) for path in (broken, good, empty, projector, missing)] + ["a\0b", "x\ud800"]
    result = place.library().add(paths)
    assert result.added == (str(good),)
    assert {failure.path: failure.reason for failure in result.failures} == {
        str(broken): "It is a web page. The download probably ended on a sign-in or error page.",
        str(empty): "No GGUF files in it.",
        str(projector): "It is the projector of a vision or audio model. It cannot chat on its own.",
        str(missing): "Not found. If it is on another drive, connect it.",
        "a\0b": "It is not a file that can be opened.",
        "x\ufffd": "It is not a file that can be opened.",
    }


def test_adding_twice_is_no_failure_and_no_second_entry(place: Place) -> None:
    own = place.write("models/o/r/m.gguf")
    other = place.write("elsewhere/n.gguf")
    library = place.library()
    folder = str(place.root / "elsewhere")
    paths = [str(own), str(place.models), str(own.parent), folder, folder, str(other), folder]
    result = library.add(paths)
    assert (result.added, result.failures) == ((folder,), ())
    assert len(library.scan()) == 2


def test_a_folder_replaces_the_files_in_it_that_were_added_one_by_one(place: Place) -> None:
    inside, outside = place.write("elsewhere/m.gguf"), place.write("other/n.gguf")
    library = place.library(inside, outside)
    result = library.add([str(inside.parent)])
    assert result.added == (str(outside), str(inside.parent))


def test_a_folder_of_broken_files_can_be_added(place: Place) -> None:
    (place.root / "elsewhere").mkdir()
    (place.root / "elsewhere" / "broken.gguf").touch()
    assert place.library().add([str(place.root / "elsewhere")]).failures == ()


def test_any_part_adds_the_whole_split_model(place: Place) -> None:
    changes = {"split.count": 2}
    first = place.write("e/m-00001-of-00002.gguf", **changes, **{"split.no": 0})
    second = place.write("e/m-00002-of-00002.gguf", **changes, **{"split.no": 1})
    result = place.library().add([str(second), str(first)])
    assert (result.added, result.failures) == ((str(first),), ())


def test_a_relative_path_is_added_as_an_absolute_one(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    path = place.write("elsewhere/m.gguf")
    monkeypatch.chdir(place.root)
    assert place.library().add(["elsewhere/m.gguf"]).added == (str(path),)


def test_a_path_given_twice_is_added_once(place: Place) -> None:
    path = place.write("elsewhere/m.gguf")
    assert place.library(path, path).added == (str(path),)


def test_a_tilde_is_the_home_folder(place: Place, own_home: Path) -> None:
    model_file().write(own_home / "m.gguf")
    library = place.library("~/m.gguf")
    assert library.added == (str(own_home / "m.gguf"),)
    assert ids(library.scan()) == ["m"]


def test_a_file_of_the_library_goes_to_the_trash(place: Place) -> None:
    path = place.write("models/o/r/m.gguf")
    library = place.library()
    assert library.remove(str(path)) == ()
    assert place.trash.names == ["m.gguf"]
    assert library.scan() == ()


def test_a_removed_model_is_not_found(place: Place) -> None:
    path = place.write("models/m.gguf")
    library = place.library()
    assert library.find("m").path == str(path)
    library.remove(str(path))
    with pytest.raises(ModelNotFound):
        library.find("m")


def test_all_parts_of_a_split_model_go_to_the_trash(place: Place) -> None:
    for number in (1, 2):
        changes = {"split.count": 2, "split.no": number - 1}
        place.write(f"models/m-0000{number}-of-00002.gguf", **changes)
    library = place.library()
    library.remove(library.scan()[0].path)
    assert place.trash.names == ["m-00001-of-00002.gguf", "m-00002-of-00002.gguf"]


def test_a_broken_file_of_the_library_goes_to_the_trash(place: Place) -> None:
    place.models.mkdir()
    (place.models / "broken.gguf").touch()
    library = place.library()
    library.remove(library.scan()[0].path)
    assert place.trash.names == ["broken.gguf"]


def test_removing_an_added_file_keeps_the_file(place: Place) -> None:
    path, other = place.write("elsewhere/m.gguf"), place.write("elsewhere/n.gguf")
    library = place.library(path, other)
    assert library.remove(str(path)) == (str(other),)
    assert ids(library.scan()) == ["n"]
    assert path.exists()
    assert place.trash.names == []


@pytest.mark.parametrize("chosen", ["folder", "file"])
def test_removing_from_an_added_folder_removes_the_whole_folder(place: Place, chosen: str) -> None:
    path = place.write("elsewhere/deep/m.gguf")
    folder = place.root / "elsewhere"
    library = place.library(folder)
    assert library.remove(str(folder if chosen == "folder" else path)) == ()
    assert library.scan() == ()
    assert path.exists()
    assert place.trash.names == []


def test_the_starter_model_cannot_be_removed(place: Place) -> None:
    path = place.write("starter/m.gguf")
    library = place.library()
    with pytest.raises(ModelFileNotRemoved, match="ncluded with Fireside"):
        library.remove(str(path))
    assert path.exists()
    assert place.trash.names == []


def test_a_file_outside_every_source_is_never_touched(place: Place) -> None:
    path = place.write("elsewhere/m.gguf")
    with pytest.raises(ModelFileMissing):
        place.library().remove(str(path))
    assert path.exists()
    assert place.trash.names == []


def test_a_failure_of_the_trash_is_an_error_and_the_model_stays(place: Place) -> None:
    path = place.write("models/m.gguf")
    place.trash.error = PermissionError(13, "Permission denied")
    library = place.library()
    with pytest.raises(ModelFileNotRemoved, match=r"cannot be moved to the trash \(Permission denied\)"):
        library.remove(str(path))
    assert ids(library.scan()) == ["m"]


def test_a_file_that_is_already_missing_is_removed(place: Place) -> None:
    path = place.write("models/m.gguf")
    library = place.library()
    library.scan()
    path.unlink()
    place.trash.error = FileNotFoundError(2, "No such file")
    library.remove(str(path))
    assert library.scan() == ()


def test_a_library_is_thread_safe(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [str(place.write(f"elsewhere/{number}.gguf")) for number in range(24)]
    place.write("models/m.gguf")
    library = place.library()
    reading = threading.Lock()

    def alone(path: str) -> Header:
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
