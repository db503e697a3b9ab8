"""Ids are stable from scan to scan, whatever files are added or removed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.library_harness import LibraryHarness, ids
from fireside.core.errors import ModelNotFound
from fireside.core.ids import ModelId
from fireside.library import Library
from fireside.library.model_ids import assign_ids, preferred_id


def ids_by_path(harness: LibraryHarness) -> dict[str, str]:
    entries = harness.library(harness.root / "b", harness.root / "a").scan()
    return {entry.path: entry.spec.id for entry in entries if entry.spec is not None}


def test_two_files_of_one_name_get_different_ids(harness: LibraryHarness) -> None:
    harness.write("a/model.gguf")
    harness.write("b/MODEL.gguf")
    found = ids_by_path(harness)
    assert len({model_id.casefold() for model_id in found.values()}) == 2
    assert {model_id.split("~")[0].casefold() for model_id in found.values()} == {"model"}


def test_a_new_model_takes_no_existing_id(harness: LibraryHarness) -> None:
    old = str(harness.write("a/model.gguf"))
    assert ids_by_path(harness) == {old: "model"}
    harness.write("b/model.gguf")  # Is looked at before a.
    assert ids_by_path(harness)[old] == "model"


def test_a_remaining_model_keeps_its_id(harness: LibraryHarness) -> None:
    harness.write("a/model.gguf")
    harness.write("b/model.gguf")
    before = ids_by_path(harness)
    stays, goes = sorted(before, key=lambda path: "~" not in before[path])
    Path(goes).unlink()
    assert ids_by_path(harness) == {stays: before[stays]}
    assert "~" in before[stays]


def test_ids_do_not_depend_on_the_scan_order(
    harness: LibraryHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("p/model.gguf", "q/model.gguf", "r/model.gguf"):
        harness.write(f"models/x/{name}", **{"general.file_type": 2})
    forwards = ids(harness.library().scan())
    harness.cache.unlink()
    real_scandir = os.scandir

    class Reversed:
        def __init__(self, path: str) -> None:
            with real_scandir(path) as entries:
                self._entries = sorted(entries, key=lambda entry: entry.name, reverse=True)

        def __enter__(self) -> object:
            return iter(self._entries)

        def __exit__(self, *exc: object) -> None:
            pass

    monkeypatch.setattr("fireside.library.walk.os.scandir", Reversed)
    assert ids(harness.library().scan()) == forwards


def test_a_moved_file_keeps_its_id(harness: LibraryHarness) -> None:
    old = harness.write("a/model.gguf")
    ids_by_path(harness)
    new = harness.root / "b" / "model.gguf"
    new.parent.mkdir()
    old.rename(new)
    assert ids_by_path(harness) == {str(new): "model"}


def marked(harness: LibraryHarness) -> Path:
    """Return the model with a hash in its id, of two with the same preferred id; the user has tagged it."""
    for name in ("a", "b"):
        harness.write(f"models/o/M-a-b/M-{name}.gguf", **{"general.name": name, "general.file_type": 2})
    library = harness.library()
    entry = next(entry for entry in library.scan() if entry.spec is not None and "~" in entry.spec.id)
    assert entry.spec is not None
    library.set_tags(entry.spec.id, ["mine"])
    return Path(entry.path)


def tagged(harness: LibraryHarness, library: Library | None = None) -> list[str]:
    entries = (library or harness.library()).scan()
    return [entry.file_name for entry in entries if entry.user_metadata.tags == ("mine",)]


def test_metadata_follows_a_moved_library(harness: LibraryHarness) -> None:
    path = marked(harness)
    harness.models.rename(harness.root / "moved")
    library = harness.library()
    library.set_folder(harness.root / "moved")
    assert tagged(harness, library) == [path.name]


def test_metadata_follows_a_renamed_file(harness: LibraryHarness) -> None:
    path = marked(harness)
    path.rename(path.with_name("Another-Q8_0.gguf"))
    assert tagged(harness) == ["Another-Q8_0.gguf"]


def test_a_copy_takes_no_id(harness: LibraryHarness) -> None:
    path = marked(harness)
    copy = harness.root / "a-copies" / "Copy.gguf"
    copy.parent.mkdir()
    shutil.copyfile(path, copy)
    library = harness.library(copy.parent)
    assert tagged(harness, library) == [path.name]
    for each in (path, copy):
        library.identify(str(each))
    assert tagged(harness, library) == [path.name]
    path.unlink()
    assert tagged(harness, harness.library(copy.parent)) == ["Copy.gguf"], "known to be the same"


def test_a_model_downloaded_again_keeps_its_id(harness: LibraryHarness) -> None:
    path = marked(harness)
    content = path.read_bytes()
    path.unlink()
    assert tagged(harness) == []
    path.write_bytes(content)
    assert tagged(harness) == [path.name]


def test_a_model_moved_before_contents_were_stored_keeps_its_id(harness: LibraryHarness) -> None:
    path = marked(harness)
    (harness.root / "data" / "model-ids.json").unlink()
    harness.models.rename(harness.root / "moved")
    library = harness.library()
    library.set_folder(harness.root / "moved")
    assert tagged(harness, library) == [path.name]


def test_an_unreadable_list_of_ids_counts_as_empty(harness: LibraryHarness) -> None:
    path = marked(harness)
    (harness.root / "data" / "model-ids.json").write_bytes(b"[[[")
    assert tagged(harness) == [path.name]


def test_a_file_replaced_by_another_quant_gets_a_new_id(harness: LibraryHarness) -> None:
    path = harness.write("models/o/r/model.gguf", **{"general.file_type": 2})
    assert ids(harness.library().scan()) == ["o/r:Q4_0"]
    path.unlink()
    harness.write("models/o/r/model.gguf", **{"general.file_type": 7})
    os.utime(path, ns=(1, 1))  # The size is the same.
    assert ids(harness.library().scan()) == ["o/r:Q8_0"]


def test_the_hub_layout_applies_below_the_library_folder_only() -> None:
    library = Path("home", "models")
    inside = str(library / "o" / "M-GGUF" / "M-Q4_0.gguf")
    outside = str(Path("home", "models2", "o", "M-GGUF", "M-Q4_0.gguf"))
    assert preferred_id(inside, hub_layout=str(library), quantization="F16") == "o/M-GGUF:Q4_0"
    assert preferred_id(outside, hub_layout=str(library), quantization="F16") == "M-Q4_0"


@pytest.mark.parametrize(
    ("path", "model_id"),
    [
        # What lies two folders down need not be a repository.
        ("LLM/Chat/Foo-7B-Q4_K_M.gguf", "Foo-7B-Q4_K_M"),
        ("LLM/Chat/Chat-7B-Q4_K_M.gguf", "Chat-7B-Q4_K_M"),
        ("deep/a/b/c/deep.gguf", "deep"),
        ("me/fine tunes/v3/llama.q8_0.gguf", "llama.q8_0"),
        # What the hub's own layouts look like.
        ("bartowski/Llama-3.2-3B-Instruct-GGUF/Llama-3.2-3B-Instruct-Q4_K_M.gguf", None),
        ("TheBloke/Mistral-7B-v0.1-GGUF/mistral-7b-v0.1.Q4_K_M.gguf", None),
        ("Qwen/Qwen2.5-7B-Instruct-GGUF/qwen2.5-7b-instruct-q4_k_m-00001-of-00002.gguf", None),
        ("microsoft/Phi-3-mini-4k-instruct-gguf/Phi-3-mini-4k-instruct-q4.gguf", None),
        ("unsloth/DeepSeek-R1-GGUF/DeepSeek-R1-UD-IQ1_S/DeepSeek-R1-UD-IQ1_S-00001-of-00003.gguf", None),
        ("ggml-org/gemma-3-4b-it-GGUF/gemma-3-4b-it-Q4_K_M.gguf", None),
        ("someone/Some-Model/ggml-model-Q4_0.gguf", None),
    ],
)
def test_an_id_has_the_name_of_the_model(path: str, model_id: str | None) -> None:
    """In the name of its file, or in that of its repository (``None``)."""
    found = preferred_id(str(Path("models", path)), hub_layout="models", quantization="Q4_K_M")
    repo = "/".join(path.split("/")[:2])
    assert found == model_id if model_id is not None else found.startswith(f"{repo}:")


def test_an_id_that_was_handed_out_stays_and_the_name_is_found_too(harness: LibraryHarness) -> None:
    for name in ("Foo-7B", "Bar-3B"):
        harness.write(
            f"models/LLM/Chat/{name}-Q4_K_M.gguf", **{"general.name": name, "general.file_type": 15}
        )
    before = harness.library()
    assert sorted(ids(before.scan())) == ["Bar-3B-Q4_K_M", "Foo-7B-Q4_K_M"]
    stored = harness.root / "data" / "model-ids.json"
    for path in (stored, harness.cache):  # as an earlier version wrote them
        path.write_text(path.read_text().replace('Foo-7B-Q4_K_M"', 'LLM/Chat:Q4_K_M"'))
    library = harness.library()
    assert sorted(ids(library.scan())) == ["Bar-3B-Q4_K_M", "LLM/Chat:Q4_K_M"]
    for name in ("LLM/Chat:Q4_K_M", "Foo-7B", "foo 7b", "Foo-7B-Q4_K_M", "Foo-7B-Q4_K_M.gguf"):
        assert library.find(name).file_name == "Foo-7B-Q4_K_M.gguf"


def test_a_name_of_punctuation_is_that_of_no_model(harness: LibraryHarness) -> None:
    harness.write("models/_.gguf", **{"general.name": "-"})
    for name in ("-", "--", "_ _"):
        with pytest.raises(ModelNotFound):
            harness.library().find(name)


def test_a_file_from_the_hub_keeps_its_repository() -> None:
    path = str(Path("models", "ggml-org", "models", "stories15M-Q4_0.gguf"))
    assert (
        preferred_id(path, hub_layout="models", quantization="", is_from_hub=True) == "ggml-org/models:Q4_0"
    )


names = st.sampled_from(["m", "M", "m~", "n", "o/r:Q4_0"])
wishes = st.dictionaries(st.text("abcdef", min_size=1, max_size=4), names, max_size=30)


@given(wishes, wishes)
def test_ids_are_unique_and_stable(first: dict[str, str], second: dict[str, str]) -> None:
    before = assign_ids(sorted(first.items()), previous={})
    after = assign_ids(sorted({**second, **first}.items()), previous=before)
    for given_ids in (before, after):
        folded = [model_id.casefold() for model_id in given_ids.values()]
        assert len(set(folded)) == len(folded)
    assert {path: after[path] for path in before} == before
    assert all(after[path].startswith(base) for path, base in {**second, **first}.items())


def test_a_previous_id_that_does_not_fit_is_dropped() -> None:
    remembered = {"a": ModelId("other"), "b": ModelId("m~123456")}
    assert assign_ids([("a", "m"), ("b", "m")], previous=remembered) == {"a": "m", "b": "m~123456"}
