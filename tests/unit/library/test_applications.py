"""Models of other applications: their folders, and how they are listed."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path

import msgspec
import pytest

from fakes.gguf_files import GgufFile, Tensor, model_file
from fakes.library_harness import LibraryHarness, OllamaFolder, problems
from fakes.raised import refuses
from fireside.core.hub import VerifyOutcome
from fireside.core.library import RemovalKind
from fireside.core.model import ModelEntry
from fireside.hub.cancel_token import CancelToken
from fireside.hub.download_disk import Disk
from fireside.hub.file_repair import verify
from fireside.library.applications import ModelApplication, application_folders

needs_links = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")


def folders(
    home: Path, platform: str, environ: dict[str, str] | None = None
) -> dict[ModelApplication, list[Path]]:
    found: dict[ModelApplication, list[Path]] = {}
    for folder in application_folders(environ or {}, home=home, platform=platform):
        found.setdefault(folder.application, []).append(Path(folder.path))
    return found


def by_name(entries: tuple[ModelEntry, ...]) -> dict[str, ModelEntry]:
    return {entry.spec.name: entry for entry in entries if entry.spec is not None}


@pytest.fixture
def ollama(harness: LibraryHarness) -> OllamaFolder:
    return OllamaFolder(harness.keep_in(ModelApplication.OLLAMA, "ollama"))


PROJECTOR = GgufFile(
    metadata=[("general.architecture", "clip"), ("clip.has_vision_encoder", True)],
    tensors=(Tensor("v.x", (32,)),),
).to_bytes()


def test_default_folders_on_linux(tmp_path: Path) -> None:
    assert folders(tmp_path, "linux") == {
        ModelApplication.LM_STUDIO: [tmp_path / ".lmstudio/models", tmp_path / ".cache/lm-studio/models"],
        ModelApplication.OLLAMA: [tmp_path / ".ollama/models", Path("/usr/share/ollama/.ollama/models")],
        ModelApplication.JAN: [
            tmp_path / ".local/share/Jan/data/llamacpp/models",
            tmp_path / ".config/Jan/data/llamacpp/models",
            tmp_path / ".local/share/Jan/data/models",
            tmp_path / ".config/Jan/data/models",
            tmp_path / "jan/models",
        ],
        ModelApplication.HUGGING_FACE: [tmp_path / ".cache/huggingface/hub"],
        ModelApplication.GPT4ALL: [tmp_path / ".local/share/nomic.ai/GPT4All"],
        ModelApplication.LLAMA_CPP: [tmp_path / ".cache/llama.cpp"],
    }


def test_default_folders_on_macos(tmp_path: Path) -> None:
    found = folders(tmp_path, "darwin")
    support = tmp_path / "Library/Application Support"
    jan = support / "Jan/data"
    assert found[ModelApplication.JAN] == [jan / "llamacpp/models", jan / "models", tmp_path / "jan/models"]
    assert found[ModelApplication.GPT4ALL] == [support / "nomic.ai/GPT4All"]
    assert found[ModelApplication.LLAMA_CPP] == [tmp_path / "Library/Caches/llama.cpp"]
    assert found[ModelApplication.OLLAMA] == [tmp_path / ".ollama/models"]


def test_default_folders_on_windows(tmp_path: Path) -> None:
    roaming, local = tmp_path / "R", tmp_path / "L"
    found = folders(tmp_path, "win32", {"APPDATA": str(roaming), "LOCALAPPDATA": str(local)})
    jan = roaming / "Jan/data"
    assert found[ModelApplication.JAN] == [jan / "llamacpp/models", jan / "models", tmp_path / "jan/models"]
    assert found[ModelApplication.GPT4ALL] == [local / "nomic.ai/GPT4All"]
    assert found[ModelApplication.LLAMA_CPP] == [local / "llama.cpp"]
    assert found[ModelApplication.OLLAMA] == [tmp_path / ".ollama/models"]
    assert found[ModelApplication.HUGGING_FACE] == [tmp_path / ".cache/huggingface/hub"]
    usual = tmp_path / "AppData/Roaming/Jan/data/llamacpp/models"
    assert folders(tmp_path, "win32")[ModelApplication.JAN][0] == usual


def test_environment_variables_replace_the_defaults(tmp_path: Path) -> None:
    environ = {"OLLAMA_MODELS": str(tmp_path / "o"), "HF_HOME": "~/hf", "LLAMA_CACHE": "  "}
    found = folders(tmp_path, "linux", environ)
    assert found[ModelApplication.OLLAMA][0] == tmp_path / "o"
    assert found[ModelApplication.HUGGING_FACE] == [tmp_path / "hf" / "hub"]
    assert found[ModelApplication.LLAMA_CPP] == [tmp_path / ".cache/llama.cpp"]
    environ["HF_HUB_CACHE"] = str(tmp_path / "hub-cache")
    assert folders(tmp_path, "linux", environ)[ModelApplication.HUGGING_FACE] == [tmp_path / "hub-cache"]


def test_a_relative_path_in_the_environment_is_ignored(tmp_path: Path) -> None:
    found = folders(tmp_path, "linux", {"OLLAMA_MODELS": "models"})
    assert Path("models") not in found[ModelApplication.OLLAMA]


def test_the_folder_chosen_in_lm_studio_is_found(tmp_path: Path) -> None:
    moved, chosen = tmp_path / "moved", tmp_path / "big-disk" / "models"
    moved.mkdir()
    (tmp_path / ".lmstudio-home-pointer").write_text(f"{moved}\n")
    (moved / "settings.json").write_text(json.dumps({"downloadsFolder": str(chosen), "other": 1}))
    assert folders(tmp_path, "linux")[ModelApplication.LM_STUDIO][:2] == [chosen, moved / "models"]


@pytest.mark.parametrize("settings", ["", "{", "[]", '{"downloadsFolder": 3}', "[" * 5000])
def test_invalid_settings_of_lm_studio_are_ignored(tmp_path: Path, settings: str) -> None:
    (tmp_path / ".lmstudio").mkdir()
    (tmp_path / ".lmstudio" / "settings.json").write_text(settings)
    assert folders(tmp_path, "linux")[ModelApplication.LM_STUDIO][0] == tmp_path / ".lmstudio/models"


def test_models_of_lm_studio_have_its_source_and_ids_as_on_the_hub(harness: LibraryHarness) -> None:
    harness.keep_in(ModelApplication.LM_STUDIO, "lms")
    harness.write("lms/owner/repo/Model-Q4_K_M.gguf")
    (entry,) = harness.library().scan()
    assert entry.spec is not None
    assert (entry.spec.id, entry.source, entry.removable) == ("owner/repo:Q4_K_M", "LM Studio", False)


def test_a_missing_folder_is_no_problem(harness: LibraryHarness) -> None:
    for application in ModelApplication:
        harness.keep_in(application, f"gone/{application}")
    assert harness.library().scan() == ()


def test_a_partial_download_of_gpt4all_is_skipped(harness: LibraryHarness) -> None:
    harness.keep_in(ModelApplication.GPT4ALL, "g")
    harness.write("g/incomplete-m.gguf")
    harness.write("g/n.gguf")
    assert list(by_name(harness.library().scan())) == ["n"]


def test_a_model_of_another_application_cannot_be_removed(
    harness: LibraryHarness, ollama: OllamaFolder
) -> None:
    ollama.manifest("registry.ollama.ai/library/m/1b", model=ollama.blob(model_file().to_bytes()))
    library = harness.library()
    (entry,) = library.scan()
    removal = library.removal(entry.path)
    assert (removal.kind, removal.text) == (
        RemovalKind.NOT_POSSIBLE,
        "Managed by Ollama. Delete it there.",
    )
    with refuses("model_file_not_removed", match="managed by Ollama"):
        library.remove(entry.path)
    assert harness.trash.names == []
    assert Path(entry.path).exists()


@pytest.mark.parametrize(
    ("path", "name", "model_id"),
    [
        ("registry.ollama.ai/library/llama3.2/3b", "llama3.2:3b", "llama3.2:3b"),
        ("registry.ollama.ai/someone/model/latest", "someone/model:latest", "someone/model:latest"),
        ("hf.co/owner/repo-GGUF/Q4_K_M", "hf.co/owner/repo-GGUF:Q4_K_M", "owner/repo-GGUF:Q4_K_M"),
    ],
)
def test_a_model_of_ollama_has_its_name_there(
    harness: LibraryHarness, ollama: OllamaFolder, path: str, name: str, model_id: str
) -> None:
    ollama.manifest(path, model=ollama.blob(model_file().to_bytes()))
    (entry,) = harness.library().scan()
    assert entry.spec is not None
    assert (entry.spec.name, entry.spec.id, entry.file_name) == (name, model_id, name)
    assert entry.source == "Ollama"
    assert entry.spec.path.endswith(entry.sha256)


@pytest.mark.skipif(sys.platform == "win32", reason="no file there can have a colon")
def test_blobs_of_older_ollama_versions_are_found(harness: LibraryHarness) -> None:
    ollama = OllamaFolder(harness.keep_in(ModelApplication.OLLAMA, "old"), mark=":")
    ollama.manifest("registry.ollama.ai/library/m/1b", model=ollama.blob(model_file().to_bytes()))
    assert list(by_name(harness.library().scan())) == ["m:1b"]


def test_two_names_of_one_blob_are_one_entry(harness: LibraryHarness, ollama: OllamaFolder) -> None:
    blob = ollama.blob(model_file().to_bytes())
    ollama.manifest("registry.ollama.ai/library/m/1b", model=blob)
    ollama.manifest("registry.ollama.ai/library/m/latest", model=blob)
    assert list(by_name(harness.library().scan())) == ["m:1b"]


def test_the_projector_that_ollama_pairs_is_paired(harness: LibraryHarness, ollama: OllamaFolder) -> None:
    projector = ollama.blob(PROJECTOR)
    ollama.manifest(
        "registry.ollama.ai/library/seer/1b",
        model=ollama.blob(model_file().to_bytes()),
        projector=projector,
    )
    (entry,) = harness.library().scan()
    assert entry.spec is not None
    assert entry.spec.projector_path == str(
        harness.root / "ollama" / "blobs" / projector.replace("sha256:", "sha256-")
    )


def test_a_blob_that_is_no_projector_is_not_paired(harness: LibraryHarness, ollama: OllamaFolder) -> None:
    ollama.manifest(
        "registry.ollama.ai/library/m/1b",
        model=ollama.blob(model_file().to_bytes()),
        projector=ollama.blob(b"not a projector"),
    )
    (entry,) = harness.library().scan()
    assert entry.spec is not None
    assert entry.spec.projector_path is None


def test_a_model_with_an_adapter_is_refused(harness: LibraryHarness, ollama: OllamaFolder) -> None:
    blob = ollama.blob(model_file().to_bytes())
    ollama.manifest("registry.ollama.ai/library/a-tuned/1b", model=blob, adapter=ollama.blob(b"a"))
    library = harness.library()
    (entry,) = library.scan()
    assert "adapter" in (entry.problem or "")
    ollama.manifest("registry.ollama.ai/library/plain/1b", model=blob)
    assert list(by_name(library.scan())) == ["plain:1b"]


@pytest.mark.parametrize(
    "digest",
    ["sha256:short", "sha256:../../../secret", "sha256:" + "0" * 64, "md5:abc", "", "sha256:" + "A" * 64],
)
def test_a_digest_without_a_blob_is_skipped(
    harness: LibraryHarness, ollama: OllamaFolder, digest: str
) -> None:
    harness.write("ollama/blobs/sha256-short")
    ollama.blob(b"")
    ollama.manifest("registry.ollama.ai/library/m/1b", model=digest)
    assert harness.library().scan() == ()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"layers": 3}', "[" * 5000, "\ud800", '{"layers": [{}]}'])
def test_an_invalid_manifest_is_skipped(harness: LibraryHarness, ollama: OllamaFolder, text: str) -> None:
    ollama.manifest("registry.ollama.ai/library/good/1b", model=ollama.blob(model_file().to_bytes()))
    bad = harness.root / "ollama/manifests/registry.ollama.ai/library/bad/1b"
    bad.parent.mkdir(parents=True)
    bad.write_text(text, errors="surrogatepass")
    assert list(by_name(harness.library().scan())) == ["good:1b"]


def test_the_parameters_of_ollama_become_a_preset(harness: LibraryHarness, ollama: OllamaFolder) -> None:
    parameters = {"temperature": 0.6, "num_ctx": 4096, "stop": ["<|end|>"], "mirostat": 1}
    ollama.manifest(
        "registry.ollama.ai/library/m/1b",
        model=ollama.blob(model_file().to_bytes()),
        params=ollama.blob(json.dumps(parameters).encode()),
        system=ollama.blob(b"Be kind."),
    )
    library = harness.library()
    (entry,) = library.scan()
    preset = library.preset(entry.path)
    assert preset is not None
    assert (preset.system, preset.stop, preset.temperature, preset.n_ctx, preset.top_k) == (
        "Be kind.",
        ("<|end|>",),
        0.6,
        4096,
        None,
    )


def test_every_tag_of_a_blob_is_a_name(harness: LibraryHarness) -> None:
    ollama = OllamaFolder(harness.keep_in(ModelApplication.OLLAMA, "ollama"))
    blob = ollama.blob(model_file().to_bytes())
    for tag in ("latest", "1b-chat-q4_0"):
        ollama.manifest(f"registry.ollama.ai/library/tinyllama/{tag}", model=blob)
    library = harness.library()
    (entry,) = library.scan()
    assert entry.spec is not None
    names = {entry.spec.name, *entry.other_names}
    assert names == {"tinyllama:latest", "tinyllama:1b-chat-q4_0"}
    assert all(library.find(name).path == entry.path for name in names)


def test_a_blob_is_verified_by_its_name(harness: LibraryHarness) -> None:
    ollama = OllamaFolder(harness.keep_in(ModelApplication.OLLAMA, "ollama"))
    digest = ollama.blob(model_file().to_bytes()).replace(":", "-")
    path = ollama.root / "blobs" / digest
    assert verify(path, disk=Disk(), cancel=CancelToken()).result.outcome is VerifyOutcome.SOUND
    with path.open("r+b") as file:
        file.seek(-3, os.SEEK_END)
        file.write(b"???")
    assert verify(path, disk=Disk(), cancel=CancelToken()).result.outcome is VerifyOutcome.DAMAGED


def test_a_model_of_jan_has_its_name_there(harness: LibraryHarness) -> None:
    models = harness.keep_in(ModelApplication.JAN, "Jan/data/llamacpp/models")
    harness.write("Jan/data/llamacpp/models/owner/seer-q4/model.gguf")
    (models / "owner/seer-q4/mmproj.gguf").write_bytes(PROJECTOR)
    (models / "owner/seer-q4/model.yml").write_text(
        "embedding: false\r\nname: 'It''s a seer'\r\n"
        "model_path: llamacpp/models/owner/seer-q4/model.gguf\r\n"
        "mmproj_path: llamacpp/models/owner/seer-q4/mmproj.gguf\r\nsize_bytes: 12\r\n"
    )
    (entry,) = harness.library().scan()
    assert entry.spec is not None
    assert (entry.spec.name, entry.spec.id, entry.source) == ("It's a seer", "owner/seer-q4", "Jan")
    assert entry.spec.projector_path == str(models / "owner/seer-q4/mmproj.gguf")


def test_a_model_that_jan_uses_in_place_is_found_there(harness: LibraryHarness) -> None:
    models = harness.keep_in(ModelApplication.JAN, "Jan/data/llamacpp/models")
    outside = harness.write("somewhere/My-Model-Q8_0.gguf")
    (models / "mine").mkdir(parents=True)
    (models / "mine/model.yml").write_text(f"model_path: {json.dumps(str(outside))}\nname: Mine\n")
    (entry,) = harness.library().scan()
    assert entry.spec is not None
    assert (entry.spec.name, entry.path) == ("Mine", str(outside))


@pytest.mark.parametrize(
    "text", ["", "name: only", "model_path:\n", "model_path: gone.gguf", "model_path: a\0b"]
)
def test_an_invalid_description_of_jan_leaves_the_file_listed(harness: LibraryHarness, text: str) -> None:
    models = harness.keep_in(ModelApplication.JAN, "Jan/data/llamacpp/models")
    harness.write("Jan/data/llamacpp/models/m/model.gguf")
    (models / "m/model.yml").write_text(text)
    assert [entry.file_name for entry in harness.library().scan()] == ["model.gguf"]


def hub_file(cache: Path, name: str, *, commit: str = "c" * 40, linked: bool = True) -> Path:
    """Write a small model as the hub's client does: a blob named by its hash, and a link to it."""
    content = model_file(changes={"general.name": name}).to_bytes()
    repository = cache / "models--owner--some--repo"
    path = repository / "snapshots" / commit / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if not linked:
        path.write_bytes(content)
        return path
    blob = repository / "blobs" / hashlib.sha256(content).hexdigest()
    blob.parent.mkdir(exist_ok=True)
    blob.write_bytes(content)
    path.symlink_to(blob)
    return path


@needs_links
def test_a_model_in_the_hub_cache_has_its_hash_from_its_blob(harness: LibraryHarness) -> None:
    path = hub_file(harness.keep_in(ModelApplication.HUGGING_FACE, "hub"), "M-Q4_0.gguf")
    (entry,) = harness.library().scan()
    assert entry.spec is not None
    assert (entry.path, entry.spec.id) == (str(path), "owner/some--repo:Q4_0")
    assert entry.source == "Hugging Face cache"
    assert entry.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_hub_cache_without_links_holds_copies(harness: LibraryHarness) -> None:
    path = hub_file(harness.keep_in(ModelApplication.HUGGING_FACE, "hub"), "M-Q4_0.gguf", linked=False)
    (entry,) = harness.library().scan()
    assert (entry.path, entry.sha256) == (str(path), "")


@needs_links
def test_a_file_in_two_snapshots_is_one_entry(harness: LibraryHarness) -> None:
    cache = harness.keep_in(ModelApplication.HUGGING_FACE, "hub")
    hub_file(cache, "M-Q4_0.gguf", commit="a" * 40)
    hub_file(cache, "M-Q4_0.gguf", commit="b" * 40)
    (entry,) = harness.library().scan()
    assert [harness.size_bytes for harness in entry.places] == [0]


@needs_links
def test_a_file_that_ollama_and_the_hub_cache_have_is_one_entry(
    harness: LibraryHarness, ollama: OllamaFolder
) -> None:
    path = hub_file(harness.keep_in(ModelApplication.HUGGING_FACE, "hub"), "M-Q4_0.gguf")
    ollama.manifest("registry.ollama.ai/library/m/1b", model=ollama.blob(path.read_bytes()))
    (entry,) = harness.library().scan()
    assert entry.source == "Ollama"
    assert [(other.source, other.size_bytes) for other in entry.places] == [
        ("Hugging Face cache", path.stat().st_size)
    ]


def test_broken_files_of_other_applications_have_a_reason(harness: LibraryHarness) -> None:
    harness.keep_in(ModelApplication.LLAMA_CPP, "cache")
    (harness.root / "cache").mkdir()
    (harness.root / "cache" / "broken.gguf").touch()
    assert problems(harness.library().scan()) == {"broken.gguf": "It is empty."}


def test_disabled_applications_are_not_scanned(harness: LibraryHarness, ollama: OllamaFolder) -> None:
    ollama.manifest("registry.ollama.ai/library/m/1b", model=ollama.blob(model_file().to_bytes()))
    library = harness.library()
    assert len(library.scan()) == 1
    harness.applications = ()
    assert library.has_changed()
    assert library.scan() == ()


def test_entries_can_be_encoded(harness: LibraryHarness, ollama: OllamaFolder) -> None:
    ollama.manifest("registry.ollama.ai/library/m/1b", model=ollama.blob(model_file().to_bytes()))
    entries = harness.library().scan()
    assert msgspec.json.decode(msgspec.json.encode(entries), type=tuple[ModelEntry, ...]) == entries
