"""The library in the terminal: the table, and removing."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from fakes.gguf_files import model_file
from fakes.library_harness import LibraryHarness, Trash
from fakes.model_entries import broken_entry, entry_of, starter_spec
from fakes.raised import refuses
from fireside.cli.command_line import parse
from fireside.cli.commands.list_models import print_models
from fireside.cli.commands.remove import remove_model
from fireside.cli.screen import Screen
from fireside.core.errors import ModelNotFound
from fireside.core.library import ModelLocation
from fireside.core.model import ModelEntry
from fireside.library.applications import ApplicationFolder, ModelApplication


@pytest.fixture
def harness(tmp_path: Path) -> LibraryHarness:
    (tmp_path / "trash").mkdir()
    return LibraryHarness(root=tmp_path, trash=Trash(folder=tmp_path / "trash"))


def table(*entries: ModelEntry) -> list[str]:
    output = io.StringIO()
    print_models(entries, output=output)
    return output.getvalue().splitlines()


def removed(harness: LibraryHarness, name: str, *added: Path) -> tuple[str, list[tuple[str, ...]]]:
    """Return what is printed, and the added paths that are remembered."""
    output, stored = io.StringIO(), list[tuple[str, ...]]()
    screen = Screen(output=output, status=io.StringIO())
    remove_model(harness.library(*added), name, keep_added=stored.append, screen=screen)
    return output.getvalue(), stored


def test_columns_are_aligned_and_numbers_end_below_each_other() -> None:
    head, first, second = table(
        entry_of(starter_spec(), source="Included"),
        broken_entry(path="/models/broken.gguf", problem="It is empty."),
    )
    assert head.split() == ["NAME", "SIZE", "QUANT", "CONTEXT", "WHERE"]
    for column in ("SIZE", "CONTEXT"):
        end = head.index(column) + len(column)
        assert first[end - 1] != " "
        assert first[end] == second[end] == " "
    at = head.index("WHERE")
    assert first[at:] == "Included"
    assert second[at:] == "Library: It is empty."
    assert "8,192" in first


def test_other_places_of_a_model_are_named_once() -> None:
    spec = starter_spec()
    places = tuple(
        ModelLocation(path=f"/p{n}", source=source, size_bytes=0)
        for n, source in enumerate(("Ollama", "Ollama", "LM Studio", "Library"))
    )
    entry = entry_of(spec)
    shared = ModelEntry(
        path=entry.path,
        file_name=entry.file_name,
        size_bytes=entry.size_bytes,
        source="Library",
        removable=True,
        spec=spec,
        places=places,
    )
    assert table(shared)[1].endswith("Library, Ollama, LM Studio")


def test_names_that_would_write_over_the_line_are_made_harmless() -> None:
    (_, line) = table(broken_entry(path="/models/a\x1b[2Kb.gguf", problem="no"))
    assert "\x1b" not in line


def test_removing_takes_one_model() -> None:
    assert parse(["rm", "some-model"]).arguments == {"name": "some-model"}
    with pytest.raises(SystemExit):
        parse(["rm"])


@pytest.mark.parametrize("name", ["M", "m", "M-Q4_0.gguf", "m-q4_0"])
def test_a_model_is_moved_to_the_trash_and_the_freed_space_printed(
    harness: LibraryHarness, name: str
) -> None:
    harness.write("models/M-Q4_0.gguf")
    text, _ = removed(harness, name)
    assert text == "“M” moves to the trash. Emptying it frees 33 kB.\n"
    assert harness.trash.names == ["M-Q4_0.gguf"]


def test_a_file_can_be_named_by_its_path(harness: LibraryHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    harness.write("models/a/m.gguf")
    second = harness.write("models/b/m.gguf")
    monkeypatch.chdir(second.parent)
    removed(harness, "m.gguf")
    assert not second.exists()
    assert harness.trash.names == ["m.gguf"]


def test_a_broken_file_can_be_removed_by_its_name(harness: LibraryHarness) -> None:
    harness.models.mkdir()
    (harness.models / "broken.gguf").write_bytes(b"x")
    assert "moves to the trash" in removed(harness, "broken.gguf")[0]
    assert harness.trash.names == ["broken.gguf"]


def test_two_broken_files_of_one_name_are_ambiguous(harness: LibraryHarness) -> None:
    for folder in ("a", "b"):
        (harness.models / folder).mkdir(parents=True)
        (harness.models / folder / "broken.gguf").write_bytes(b"x")
    with refuses("model_file_not_removed", match="2 files have this name"):
        removed(harness, "broken.gguf")
    assert harness.trash.names == []


def test_an_added_file_is_forgotten_and_stays(harness: LibraryHarness) -> None:
    path, other = harness.write("elsewhere/m.gguf"), harness.write("elsewhere/n.gguf", x=1)
    text, stored = removed(harness, "m", path, other)
    assert "Its file stays" in text
    assert stored == [(str(other),)]
    assert path.exists()


def test_a_file_in_an_added_folder_is_not_removed(harness: LibraryHarness) -> None:
    path = harness.write("elsewhere/m.gguf")
    with refuses("model_file_not_removed", match="folder that you added"):
        removed(harness, "m", path.parent)
    assert path.exists()


def test_a_model_of_another_application_is_not_removed(harness: LibraryHarness) -> None:
    path = harness.write("jan/m.gguf")
    folder = ApplicationFolder(application=ModelApplication.LLAMA_CPP, path=str(path.parent))
    harness.applications = (folder,)
    with refuses("model_file_not_removed", match=r"managed by llama\.cpp"):
        removed(harness, "m")
    assert path.exists()


def test_what_is_not_there_is_said(harness: LibraryHarness) -> None:
    with pytest.raises(ModelNotFound):
        removed(harness, "nothing")


@pytest.mark.skipif(sys.platform == "win32", reason="removing goes through the system's trash there")
def test_the_command_removes_from_the_library_folder(
    own_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from fireside.cli import run

    monkeypatch.setenv("FIRESIDE_HOME", str(own_home / "fireside"))
    path = model_file().write(own_home / "fireside" / "data" / "models" / "o" / "M-GGUF" / "M-Q4_0.gguf")
    trashed: list[str] = []

    def trash(path: str) -> None:
        trashed.append(path)
        Path(path).unlink()

    monkeypatch.setattr("fireside.main.library.send2trash.send2trash", trash)
    assert run(["rm", "o/M-GGUF:Q4_0"]) == 0
    assert trashed == [str(path)]
    assert run(["rm", "o/M-GGUF:Q4_0"]) == 1
    assert "No model called" in capsys.readouterr().err
