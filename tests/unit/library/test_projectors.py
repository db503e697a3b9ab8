"""Which model a projector belongs to."""

from __future__ import annotations

from pathlib import Path

import pytest

from fakes.gguf_files import GgufFile, Metadata, Tensor
from fakes.library_harness import LibraryHarness, problems
from fireside.core.model import Senses
from fireside.library.lookup import files_of


def write_projector(harness: LibraryHarness, path: str, *, for_images: bool = True) -> Path:
    kind = "clip.has_vision_encoder" if for_images else "clip.has_audio_encoder"
    metadata: Metadata = [("general.architecture", "clip"), ("general.type", "mmproj"), (kind, True)]
    return GgufFile(metadata=metadata, tensors=(Tensor("v.x", (32,)),)).write(harness.root / path)


def paired(harness: LibraryHarness, *added: Path) -> dict[str, str]:
    """Return the names of vision models with the names of their projectors."""
    return {
        entry.file_name: Path(entry.spec.projector_path).name
        for entry in harness.library(*added).scan()
        if entry.spec is not None and entry.spec.projector_path is not None
    }


@pytest.mark.parametrize(
    "name", ["mmproj.gguf", "mmproj-F16.gguf", "mmproj-model-f16.gguf", "model-mmproj.gguf"]
)
def test_a_projector_that_names_no_model_belongs_to_all_sizes_of_the_one_beside_it(
    harness: LibraryHarness, name: str
) -> None:
    harness.write("models/owner/repo/Seer-7B-Q4_K_M.gguf")
    harness.write("models/owner/repo/Seer-7B-Q8_0.gguf")
    write_projector(harness, f"models/owner/repo/{name}")
    assert paired(harness) == {"Seer-7B-Q4_K_M.gguf": name, "Seer-7B-Q8_0.gguf": name}


def test_a_projector_that_names_no_model_belongs_to_none_among_different_ones(
    harness: LibraryHarness,
) -> None:
    harness.write("models/one.gguf")
    harness.write("models/two.gguf", **{"llama.block_count": 3})
    write_projector(harness, "models/mmproj-f16.gguf")
    assert paired(harness) == {}
    assert "projector" in problems(harness.library().scan())["mmproj-f16.gguf"]


def test_among_different_models_it_belongs_to_those_of_its_name(harness: LibraryHarness) -> None:
    harness.write("models/Qwen2-VL-7B-Instruct-Q4_K_M.gguf")
    harness.write("models/Qwen2-7B-Instruct-Q4_K_M.gguf")
    harness.write("models/gemma-3-4b-it-Q8_0.gguf")
    write_projector(harness, "models/mmproj-Qwen2-VL-7B-Instruct-f16.gguf")
    write_projector(harness, "models/gemma-3-4b-it.mmproj-Q8_0.gguf")
    assert paired(harness) == {
        "Qwen2-VL-7B-Instruct-Q4_K_M.gguf": "mmproj-Qwen2-VL-7B-Instruct-f16.gguf",
        "gemma-3-4b-it-Q8_0.gguf": "gemma-3-4b-it.mmproj-Q8_0.gguf",
    }


def test_a_projector_of_a_missing_model_belongs_to_none(harness: LibraryHarness) -> None:
    harness.write("models/Qwen3-8B-Q4_K_M.gguf")
    write_projector(harness, "models/mmproj-Qwen2-VL-7B-Instruct-f16.gguf")
    assert paired(harness) == {}


def test_a_projector_in_another_folder_belongs_to_none(harness: LibraryHarness) -> None:
    harness.write("models/a/Seer-Q4_0.gguf")
    write_projector(harness, "models/b/mmproj-Seer-F16.gguf")
    assert paired(harness) == {}


def test_the_projector_in_half_precision_is_preferred(harness: LibraryHarness) -> None:
    harness.write("models/Seer-Q4_0.gguf")
    for precision in ("BF16", "F16", "F32"):
        write_projector(harness, f"models/mmproj-Seer-{precision}.gguf")
    assert paired(harness) == {"Seer-Q4_0.gguf": "mmproj-Seer-F16.gguf"}
    assert len(harness.library().scan()) == 1


def test_an_audio_projector_gives_hearing_and_no_vision(harness: LibraryHarness) -> None:
    harness.write("models/Hearer-Q4_0.gguf")
    write_projector(harness, "models/mmproj-Hearer-F16.gguf", for_images=False)
    (spec,) = (entry.spec for entry in harness.library().scan())
    assert spec is not None
    assert spec.projector_path is not None
    assert spec.senses == Senses(sees=False, hears=True)


def test_a_projector_that_belongs_to_a_model_is_not_listed_by_itself(harness: LibraryHarness) -> None:
    harness.write("models/Seer-Q4_0.gguf")
    write_projector(harness, "models/mmproj-Seer-F16.gguf")
    assert [entry.file_name for entry in harness.library().scan()] == ["Seer-Q4_0.gguf"]


def test_a_removed_projector_is_noticed(harness: LibraryHarness) -> None:
    harness.write("models/Seer-Q4_0.gguf")
    projector = write_projector(harness, "models/mmproj-Seer-F16.gguf")
    library = harness.library()
    library.scan()
    projector.unlink()
    (entry,) = library.scan()
    assert entry.spec is not None
    assert entry.spec.projector_path is None


def test_an_added_file_gets_the_projector_in_its_folder(harness: LibraryHarness) -> None:
    model = harness.write("downloads/Seer-7B-Q4_K_M.gguf")
    write_projector(harness, "downloads/mmproj-Seer-7B-F16.gguf")
    (entry,) = harness.library(model).scan()
    assert entry.spec is not None
    assert entry.spec.projector_path == str(model.with_name("mmproj-Seer-7B-F16.gguf"))


def test_an_added_file_does_not_get_another_models_projector(harness: LibraryHarness) -> None:
    model = harness.write("downloads/Writer-7B-Q4_K_M.gguf")
    harness.write("downloads/Seer-7B-Q4_K_M.gguf")
    write_projector(harness, "downloads/mmproj-Seer-7B-F16.gguf")
    write_projector(harness, "downloads/mmproj-F16.gguf")
    harness.write("downloads/other.gguf", **{"llama.block_count": 3})
    assert paired(harness, model) == {}
    assert [entry.file_name for entry in harness.library(model).scan()] == ["Writer-7B-Q4_K_M.gguf"]


def test_a_new_projector_beside_an_added_file_is_noticed(harness: LibraryHarness) -> None:
    model = harness.write("downloads/Seer-7B-Q4_K_M.gguf")
    library = harness.library(model)
    library.scan()
    assert not library.has_changed()
    write_projector(harness, "downloads/mmproj-Seer-7B-F16.gguf")
    assert library.has_changed()
    (entry,) = library.scan()
    assert entry.spec is not None
    assert entry.spec.projector_path is not None


def test_a_neighbour_that_is_added_later_gets_an_id_of_its_own(harness: LibraryHarness) -> None:
    model = harness.write("downloads/Seer-7B-Q4_K_M.gguf")
    neighbour = harness.write("downloads/Writer-7B-Q4_K_M.gguf")
    write_projector(harness, "downloads/mmproj-Seer-7B-F16.gguf")
    harness.library(model).scan()
    ids = [entry.spec.id for entry in harness.library(model, neighbour).scan() if entry.spec is not None]
    assert sorted(ids) == ["Seer-7B-Q4_K_M", "Writer-7B-Q4_K_M"]


def test_draft_heads_in_a_file_of_their_own_belong_to_the_model_beside_them(harness: LibraryHarness) -> None:
    model = harness.write("models/o/r/Quick-7B-Q4_K_M.gguf")
    metadata: Metadata = [
        ("general.architecture", "glm4moe"),
        ("glm4moe.block_count", 3),
        ("glm4moe.nextn_predict_layers", 1),
    ]
    tensors = (Tensor("blk.2.nextn.eh_proj.weight", (32, 2)),)
    heads = GgufFile(metadata=metadata, tensors=tensors).write(model.with_name("mtp-Quick-7B-Q8_0.gguf"))
    other = GgufFile(metadata=metadata, tensors=tensors).write(harness.root / "models/alone-mtp.gguf")
    library = harness.library()
    entries = {entry.file_name: entry for entry in library.scan()}
    assert set(entries) == {model.name, other.name}
    spec = entries[model.name].spec
    assert spec is not None
    assert spec.heads_path == str(heads)
    assert "draft heads (MTP)" in problems(tuple(entries.values()))[other.name]
    assert str(heads) in [str(path) for path in files_of(entries[model.name])]
