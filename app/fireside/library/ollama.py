"""Scan Ollama's models: manifests that refer to blobs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.i18n import tr
from fireside.core.library import ModelPreset
from fireside.files.json_file import Unusable, read_regular_file
from fireside.library.model_candidates import ModelCandidate
from fireside.library.walk import NotAFile, WalkedFile, stat_file

MAX_MANIFESTS: Final = 10_000
MAX_MANIFEST_BYTES: Final = 1 << 20
MAX_TEXT_BYTES: Final = 256 * 1024
MANIFEST_DEPTH: Final = 4
"""``registry/namespace/model/tag`` below ``manifests``."""

_DIGEST: Final = re.compile(r"sha256[:-](?P<hex>[0-9a-f]{64})")
_LAYER_PREFIX: Final = "application/vnd.ollama.image."
_OWN_REGISTRY: Final = "registry.ollama.ai"
_OWN_NAMESPACE: Final = "library"
_HUB_REGISTRIES: Final = frozenset({"hf.co", "huggingface.co"})


class _Layer(msgspec.Struct):
    media_type: str = msgspec.field(default="", name="mediaType")
    digest: str = ""


class _Manifest(msgspec.Struct):
    layers: list[_Layer] = []


class OllamaModel(msgspec.Struct, frozen=True, kw_only=True):
    """One manifest: Ollama's name of the model, and the digests of its blobs."""

    name: str
    """As the user types it: ``llama3.2:3b``, ``hf.co/owner/repo:Q4_K_M``."""
    preferred_id: str
    """The id to assign here if possible."""
    model: str
    projector: str | None
    n_adapters: int
    parameters: str | None
    system: str | None


class _Parameters(msgspec.Struct):
    temperature: float | None = None
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None
    repeat_penalty: float | None = None
    num_ctx: int | None = None
    stop: list[str] = []


def scan_ollama(folder: str) -> tuple[ModelCandidate, ...]:
    """Return the models whose manifests and blobs are below ``folder``. Never raises; blocks on the disk.

    A model that is still being downloaded, or in another format than GGUF, is skipped.
    """
    blobs = Path(folder) / "blobs"
    candidates = list(filter(None, (_candidate(model, blobs) for model in ollama_models(folder))))
    # A model with an adapter shares the blob of its base model, which is usable and comes first.
    candidates.sort(key=lambda candidate: (bool(candidate.refusal), candidate.label))
    # Each tag of a blob is another name of the model.
    by_blob: dict[str, ModelCandidate] = {}
    for candidate in candidates:
        first = by_blob.setdefault(candidate.path, candidate)
        if first is not candidate and not candidate.refusal:
            labels = (*first.other_labels, candidate.label)
            by_blob[candidate.path] = msgspec.structs.replace(first, other_labels=labels)
    return tuple(by_blob.values())


def ollama_models(folder: str) -> Iterator[OllamaModel]:
    """Read every manifest below ``folder``. Never raises."""
    root = Path(folder) / "manifests"
    for number, parts in enumerate(_manifest_paths(str(root))):
        if number >= MAX_MANIFESTS:
            return
        model = _read_manifest(root.joinpath(*parts), parts)
        if model is not None:
            yield model


def ollama_preset(folder: str, name: str) -> ModelPreset | None:
    """Return the parameters that Ollama sets for the model ``name``; ``None`` if it does not exist. Never
    raises.

    Its template is written in Ollama's own language and left out; the model's own template is used.
    """
    model = next((model for model in ollama_models(folder) if model.name == name), None)
    if model is None:
        return None
    blobs = Path(folder) / "blobs"
    try:
        parameters = decode_json(_blob_bytes(blobs, model.parameters) or b"{}", kind=_Parameters)
    except JsonInvalid:
        parameters = _Parameters()
    return ModelPreset(
        system=_blob_bytes(blobs, model.system).decode(errors="replace"),
        stop=tuple(parameters.stop),
        temperature=parameters.temperature,
        top_k=parameters.top_k,
        top_p=parameters.top_p,
        min_p=parameters.min_p,
        repeat_penalty=parameters.repeat_penalty,
        n_ctx=parameters.num_ctx,
    )


def _manifest_paths(root: str) -> Iterator[tuple[str, ...]]:
    pending: list[tuple[str, ...]] = [()]
    while pending:
        parts = pending.pop()
        try:
            names = sorted(os.listdir(os.path.join(root, *parts)), reverse=True)  # noqa: PTH118, PTH208
        except (OSError, ValueError):
            continue
        children = [(*parts, name) for name in names if not name.startswith(".")]
        if len(parts) == MANIFEST_DEPTH - 1:
            yield from reversed(children)
        else:
            pending.extend(children)


def _read_manifest(path: Path, parts: tuple[str, ...]) -> OllamaModel | None:
    try:
        content = read_regular_file(path, limit=MAX_MANIFEST_BYTES)
        manifest = decode_json(content or b"", kind=_Manifest)
        name, preferred_id = _names(parts)
        name.encode()
    except (OSError, ValueError, Unusable):
        return None
    model = _digest(manifest, "model")
    if model is None:
        return None
    return OllamaModel(
        name=name,
        preferred_id=preferred_id,
        model=model,
        projector=_digest(manifest, "projector"),
        n_adapters=sum(layer.media_type == _LAYER_PREFIX + "adapter" for layer in manifest.layers),
        parameters=_digest(manifest, "params"),
        system=_digest(manifest, "system"),
    )


def _names(parts: tuple[str, ...]) -> tuple[str, str]:
    """Return Ollama's name of a model, and its preferred id: the hub's where it is from there."""
    registry, namespace, model, tag = parts
    short = f"{namespace}/{model}:{tag}"
    if registry != _OWN_REGISTRY:
        return f"{registry}/{short}", short if registry in _HUB_REGISTRIES else f"{registry}/{short}"
    if namespace == _OWN_NAMESPACE:
        return f"{model}:{tag}", f"{model}:{tag}"
    return short, short


def _digest(manifest: _Manifest, kind: str) -> str | None:
    """Return the hash of the first layer of this kind. Anything else could lead out of the folder."""
    for layer in manifest.layers:
        if layer.media_type == _LAYER_PREFIX + kind:
            match = _DIGEST.fullmatch(layer.digest)
            return match["hex"] if match is not None else None
    return None


def _candidate(model: OllamaModel, blobs: Path) -> ModelCandidate | None:
    file = _blob(blobs, model.model)
    if file is None:
        return None
    projector = _blob(blobs, model.projector) if model.projector is not None else None
    refusal = ""
    if model.n_adapters:
        refusal = tr("Ollama adds a LoRA adapter to this model. Fireside would run it without.")
    return ModelCandidate(
        files=(file,),
        label=model.name,
        preferred_id=model.preferred_id,
        projector=projector.path if projector is not None else None,
        hashes=(model.model,),
        refusal=refusal,
    )


def _blob(blobs: Path, digest: str) -> WalkedFile | None:
    for separator in ("-", ":"):  # Old versions wrote a colon.
        try:
            return stat_file(str(blobs / f"sha256{separator}{digest}"))
        except (OSError, ValueError, NotAFile):
            continue
    return None


def _blob_bytes(blobs: Path, digest: str | None) -> bytes:
    file = _blob(blobs, digest) if digest is not None else None
    if file is None:
        return b""
    try:
        with Path(file.path).open("rb") as content:
            return content.read(MAX_TEXT_BYTES)
    except OSError:
        return b""
