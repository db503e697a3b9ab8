"""The effect of a removal is stated before, and applies to exactly the files of the model."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fakes.gguf_files import GgufFile, Metadata, Tensor
from fakes.library_harness import LibraryHarness
from fireside.core.errors import ModelFileMissing
from fireside.core.library import RemovalKind


def write_projector(path: Path) -> Path:
    metadata: Metadata = [("general.architecture", "clip"), ("clip.has_vision_encoder", True)]
    return GgufFile(metadata=metadata, tensors=(Tensor("v.x", (32,)),)).write(path)


def test_a_removal_states_what_it_frees(harness: LibraryHarness) -> None:
    path = harness.write("models/o/r/m.gguf")
    removal = harness.library().removal(str(path))
    assert (removal.kind, removal.files) == (RemovalKind.TRASH, (str(path),))
    assert removal.freed_bytes == path.stat().st_size
    assert removal.text == "“m” moves to the trash. Emptying it frees 33 kB."


def test_a_projector_is_removed_with_its_last_model(harness: LibraryHarness) -> None:
    first, second = harness.write("models/o/r/M-Q4_0.gguf"), harness.write("models/o/r/M-Q8_0.gguf")
    projector = write_projector(harness.models / "o/r/mmproj-F16.gguf")
    library = harness.library()
    assert library.removal(str(first)).files == (str(first),)
    library.remove(str(first))
    removal = library.removal(str(second))
    assert removal.files == (str(second), str(projector))
    assert removal.freed_bytes == second.stat().st_size + projector.stat().st_size
    library.remove(str(second))
    assert library.scan() == ()
    assert not (harness.models / "o").exists()
    assert harness.models.exists()


def test_the_origin_file_is_removed_with_the_model(harness: LibraryHarness) -> None:
    path = harness.write("models/o/r/m.gguf")
    path.with_name("m.gguf.origin.json").write_text("{}")
    library = harness.library()
    library.remove(library.scan()[0].path)
    assert harness.trash.names == ["m.gguf", "m.gguf.origin.json"]
    assert not path.parent.exists()


def test_a_folder_with_other_files_stays(harness: LibraryHarness) -> None:
    path = harness.write("models/o/r/m.gguf")
    notes = path.with_name("notes.txt")
    notes.touch()
    library = harness.library()
    library.remove(library.scan()[0].path)
    assert notes.exists()


def test_a_hard_linked_file_frees_nothing(harness: LibraryHarness) -> None:
    path = harness.write("models/m.gguf")
    os.link(path, harness.root / "other-name")
    removal = harness.library().removal(str(path))
    assert (removal.freed_bytes, "frees no space" in removal.text) == (0, True)


def test_removing_an_added_folder_states_its_number_of_models(harness: LibraryHarness) -> None:
    harness.write("elsewhere/a.gguf")
    path = harness.write("elsewhere/b.gguf")
    single = harness.write("single/c.gguf")
    library = harness.library(path.parent, single)
    removal = library.removal(str(path))
    assert removal.kind is RemovalKind.FORGET_FOLDER
    assert "its 2 models" in removal.text
    assert library.removal(str(single)).kind is RemovalKind.FORGET_FILE


def test_the_starter_model_cannot_be_removed_with_a_reason(harness: LibraryHarness) -> None:
    path = harness.write("starter/m.gguf")
    assert harness.library().removal(str(path)).text == "Included with Fireside."


def test_what_is_not_in_the_library_cannot_be_removed(harness: LibraryHarness) -> None:
    with pytest.raises(ModelFileMissing):
        harness.library().removal(str(harness.write("elsewhere/m.gguf")))
