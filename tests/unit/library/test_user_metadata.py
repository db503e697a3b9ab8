"""The user's metadata of models: names, tags, favourites, last use."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fakes.library_harness import LibraryHarness
from fakes.raised import refuses
from fireside.core.errors import StorageUnwritable
from fireside.core.ids import ModelId
from fireside.core.model import ModelEntry, display_name
from fireside.files.json_file import kept_files

M = ModelId("m")


@pytest.fixture
def notes(harness: LibraryHarness) -> Path:
    harness.write("models/m.gguf")
    return harness.root / "data" / "library.json"


def entry_of(harness: LibraryHarness) -> ModelEntry:
    return harness.library().scan()[0]


def test_a_renamed_model_keeps_its_own_name_too(harness: LibraryHarness, notes: Path) -> None:
    library = harness.library()
    library.scan()
    library.rename(M, "  My   favourite ")
    for entry in (library.find("my favourite"), entry_of(harness)):
        assert (display_name(entry), entry.own_name) == ("My favourite", "m")
    assert library.find("m.gguf").own_name == "m"


def test_an_empty_name_restores_the_own_name(harness: LibraryHarness, notes: Path) -> None:
    library = harness.library()
    library.rename(M, "other")
    library.rename(M, " ")
    assert (display_name(entry_of(harness)), entry_of(harness).own_name) == ("m", "")


def test_renaming_changes_the_sort_order(harness: LibraryHarness, notes: Path) -> None:
    harness.write("models/b.gguf")
    library = harness.library()
    library.scan()
    library.rename(M, "a")
    assert library.disk_use()
    assert [display_name(entry) for entry in library.scan()] == ["a", "b"]


def test_tags_are_unique(harness: LibraryHarness, notes: Path) -> None:
    harness.library().set_tags(M, ["Code", " code ", "long  context", ""])
    assert entry_of(harness).user_metadata.tags == ("Code", "long context")


def test_favourite_and_last_use_are_stored(harness: LibraryHarness, notes: Path) -> None:
    library = harness.library()
    library.set_favourite(M, favourite=True)
    library.record_use(M)
    personal = entry_of(harness).user_metadata
    assert personal.favourite
    assert personal.last_used_s is not None
    library.set_favourite(M, favourite=False)
    assert not entry_of(harness).user_metadata.favourite
    assert entry_of(harness).user_metadata.last_used_s == personal.last_used_s


@pytest.mark.parametrize("name", ["x" * 121, "a\x1bb", "a\u202eb", "\ud800"])
def test_an_unprintable_name_is_refused(harness: LibraryHarness, notes: Path, name: str) -> None:
    with refuses("model_note_invalid"):
        harness.library().rename(M, name)
    with refuses("model_note_invalid"):
        harness.library().set_tags(M, [name])
    assert not notes.exists()


def test_too_many_tags_are_refused(harness: LibraryHarness, notes: Path) -> None:
    with refuses("model_note_invalid", match="at most 20"):
        harness.library().set_tags(M, [str(number) for number in range(21)])


def test_metadata_survives_removing_and_adding_the_model(harness: LibraryHarness, notes: Path) -> None:
    library = harness.library()
    library.set_tags(M, ["kept"])
    path = harness.models / "m.gguf"
    content = path.read_bytes()
    path.unlink()
    assert library.scan() == ()
    library.set_favourite(ModelId("other"), favourite=True)
    path.write_bytes(content)
    assert entry_of(harness).user_metadata.tags == ("kept",)


def test_metadata_survives_a_lost_cache(harness: LibraryHarness, notes: Path) -> None:
    harness.library().set_tags(M, ["kept"])
    for file in harness.cache.parent.glob("*"):
        file.unlink()
    assert entry_of(harness).user_metadata.tags == ("kept",)


@pytest.mark.parametrize("text", ["", "{", "[]", "\x00", '{"format": "x", "models": {}}'])
def test_a_damaged_file_is_renamed(harness: LibraryHarness, notes: Path, text: str) -> None:
    notes.parent.mkdir()
    notes.write_text(text)
    harness.library().set_tags(M, ["new"])
    assert entry_of(harness).user_metadata.tags == ("new",)
    (aside,) = kept_files(notes.parent)
    assert aside.read_text() == text


def test_a_damaged_record_affects_no_other_and_is_kept(harness: LibraryHarness, notes: Path) -> None:
    notes.parent.mkdir()
    notes.write_text(json.dumps({"format": 1, "models": {"m": {"tags": ["a"]}, "bad": {"tags": 3}}}))
    library = harness.library()
    assert library.scan()[0].user_metadata.tags == ("a",)
    library.set_favourite(M, favourite=True)
    assert json.loads(notes.read_text())["models"]["bad"] == {"tags": 3}


def test_a_failed_write_is_reported_and_not_applied(
    harness: LibraryHarness, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    library = harness.library()
    library.scan()
    monkeypatch.setattr("fireside.files.json_file.JsonFile.write", refuse)
    with pytest.raises(StorageUnwritable, match="No space left"):
        library.rename(M, "other")
    assert display_name(library.find("m")) == "m"
    assert display_name(library.scan()[0]) == "m"


def test_an_unchanged_value_is_not_written(harness: LibraryHarness, notes: Path) -> None:
    harness.library().set_favourite(M, favourite=False)
    assert not notes.exists()
