"""The effect of a removal is stated before, and applies to exactly the files of the model."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fakes.gguf_files import GgufFile, Metadata, Tensor
from fakes.library_place import Place
from fireside.core.errors import ModelFileMissing
from fireside.core.library import RemovalKind


def write_projector(path: Path) -> Path:
    metadata: Metadata = [("general.architecture", "clip"), ("clip.has_vision_encoder", True)]
    return GgufFile(metadata=metadata, tensors=(Tensor("v.x", (32,)),)).write(path)


def test_a_removal_states_what_it_frees(place: Place) -> None:
    path = place.write("models/o/r/m.gguf")
    removal = place.library().removal(str(path))
    assert (removal.kind, removal.files) == (RemovalKind.TRASH, (str(path),))
    assert removal.freed_bytes == path.stat().st_size
    assert removal.text == "“m” moves to the trash. Emptying it frees 33 kB."


def test_a_projector_is_removed_with_its_last_model(place: Place) -> None:
    first, second = place.write("models/o/r/M-Q4_0.gguf"), place.write("models/o/r/M-Q8_0.gguf")
    projector = write_projector(place.models / "o/r/mmproj-F16.gguf")
    library = place.library()
    assert library.removal(str(first)).files == (str(first),)
    library.remove(str(first))
    removal = library.removal(str(second))
    assert removal.files == (str(second), str(projector))
    assert removal.freed_bytes == second.stat().st_size + projector.stat().st_size
    library.remove(str(second))
    assert library.scan() == ()
    assert not (place.models / "o").exists()
    assert place.models.exists()


def test_the_origin_file_is_removed_with_the_model(place: Place) -> None:
    path = place.write("models/o/r/m.gguf")
    path.with_name("m.gguf.origin.json").write_text("{}")
    library = place.library()
    library.remove(library.scan()[0].path)
    assert place.trash.names == ["m.gguf", "m.gguf.origin.json"]
    assert not path.parent.exists()


def test_a_folder_with_other_files_stays(place: Place) -> None:
    path = place.write("models/o/r/m.gguf")
    notes = path.with_name("notes.txt")
    notes.touch()
    library = place.library()
    library.remove(library.scan()[0].path)
    assert notes.exists()


def test_a_hard_linked_file_frees_nothing(place: Place) -> None:
    path = place.write("models/m.gguf")
    os.link(path, place.root / "other-name")
    removal = place.library().removal(str(path))
    assert (removal.freed_bytes, "frees no space" in removal.text) == (0, True)


def test_removing_an_added_folder_states_its_number_of_models(place: Place) -> None:
    place.write("elsewhere/a.gguf")
    path = place.write("elsewhere/b.gguf")
    single = place.write("single/c.gguf")
    library = place.library(path.parent, single)
    removal = library.removal(str(path))
    assert removal.kind is RemovalKind.FORGET_FOLDER
    assert "its 2 models" in removal.text
    assert library.removal(str(single)).kind is RemovalKind.FORGET_FILE


def test_the_starter_model_cannot_be_removed_with_a_reason(place: Place) -> None:
    path = place.write("starter/m.gguf")
    assert place.library().removal(str(path)).text == "Included with Fireside."


def test_what_is_not_in_the_library_cannot_be_removed(place: Place) -> None:
    with pytest.raises(ModelFileMissing):
        place.library().removal(str(place.write("elsewhere/m.gguf")))
