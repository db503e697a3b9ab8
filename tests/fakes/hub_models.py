"""Models as the hub would offer them: lines of a search, pages, advice, the catalogue."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from fakes.fake_hub_api import LargeFile, Repo
from fakes.gguf_files import GgufFile, Tensor, Value, model_metadata
from fakes.hub_harness import BLOCK
from fireside.core.discovery import (
    Access,
    AdvisedFit,
    CatalogueModel,
    HubAdvice,
    HubModel,
    HubQuant,
    HubSearchHit,
)
from fireside.core.fit import DeviceShare, Placement, QuantFit
from fireside.core.hub import HubFile
from fireside.gguf import parse_split_name

REPO = "bartowski/Qwen3-8B-GGUF"
OTHER = "someone/qwen-8b-other-GGUF"
GB = 1_000_000_000


def found_model(repo: str = REPO, *, access: Access = Access.OPEN, sees_images: bool = False) -> HubSearchHit:
    """Return a line of a search."""
    return HubSearchHit(
        repo=repo,
        n_downloads=1_234_567,
        n_likes=842,
        updated_at="2026-11-18T10:00:00.000Z",
        access=access,
        licence="apache-2.0",
        n_params=8_190_000_000,
        n_ctx_train=40_960,
        architecture="qwen3",
        sees_images=sees_images,
    )


def hub_quant(
    label: str, *, size_bytes: int, n_files: int = 1, words: str = "4-bit, good balance"
) -> HubQuant:
    """Return one size of a model, in ``n_files`` parts."""
    parts = [f"-{part:05}-of-{n_files:05}" for part in range(1, n_files + 1)] if n_files > 1 else [""]
    files = tuple(
        HubFile(
            path=f"Qwen3-8B-{label}{part}.gguf",
            size_bytes=size_bytes // n_files,
            digest=sha256(f"{label}{part}".encode()).hexdigest(),
        )
        for part in parts
    )
    return HubQuant(label=label, description=words, files=files)


QUANTS = (
    hub_quant("Q2_K", size_bytes=3 * GB, words="2-bit, very small, major quality loss"),
    hub_quant("Q4_K_M", size_bytes=5 * GB),
    hub_quant("Q8_0", size_bytes=9 * GB, words="8-bit, nearly lossless"),
    hub_quant("BF16", size_bytes=16 * GB, n_files=2, words="16-bit, full quality"),
)
HEADS_PATH = "mtp-Q8_0.gguf"
PROJECTOR = HubFile(path="mmproj-F16.gguf", size_bytes=850_000_000, digest="f" * 64)


def hub_model(
    repo: str = REPO,
    *,
    quants: Sequence[HubQuant] = QUANTS,
    card: str = "",
    access: Access = Access.OPEN,
    has_access: bool = True,
    projectors: Sequence[HubFile] = (),
    wanted: str = "",
) -> HubModel:
    """Return a repository's page."""
    return HubModel(
        found=found_model(repo, access=access, sees_images=bool(projectors)),
        commit="a" * 40,
        address=f"https://hub.example/{repo}",
        card=card,
        quants=tuple(quants),
        projectors=tuple(projectors),
        base_model="Qwen/Qwen3-8B",
        licence_address="https://licence.example/apache",
        requested_path=wanted,
        has_access=has_access,
    )


def hub_advice(model: HubModel, *, best: int = 1) -> HubAdvice:
    """Return advice by which all sizes but the last run on the processor."""
    return HubAdvice(
        n_ctx=8192,
        fits=tuple(
            AdvisedFit(path=quant.path, fit=_fit(quant, fits=quant is not model.quants[-1]))
            for quant in model.quants
        ),
        best=model.quants[best].path,
        why=f"The usual size, and it fits: {model.quants[best].label}.",
    )


def _fit(quant: HubQuant, *, fits: bool) -> QuantFit:
    n_bytes = quant.size_bytes + GB
    return QuantFit(
        where=Placement.PROCESSOR if fits else Placement.NOWHERE,
        text="Runs on the CPU." if fits else "Does not fit: 12 GB are free.",
        shares=(DeviceShare(name="The computer’s memory", n_bytes=n_bytes, free_bytes=12 * GB),),
    )


def catalogue_model(
    repo: str = REPO,
    *,
    name: str = "Qwen3 8B",
    purpose: str = "Everyday chat",
    quantization: str = "Q4_K_M",
    sees_images: bool = False,
    hears_audio: bool = False,
) -> CatalogueModel:
    """Return a model of the start page."""
    return CatalogueModel(
        repo=repo,
        quantization=quantization,
        name=name,
        publisher="Alibaba",
        purpose=purpose,
        about="A good all-rounder that can think before it answers.",
        n_params=8_190_000_000,
        size_bytes=5_030_000_000,
        n_ctx_train=40_960,
        licence="apache-2.0",
        sees_images=sees_images,
        hears_audio=hears_audio,
    )


SIZES = {quant.label: quant.size_bytes for quant in QUANTS}
"""Of the quants above."""
SMALL = {"Q2_K": 2 * BLOCK, "Q4_K_M": 4 * BLOCK, "Q8_0": 6 * BLOCK, "BF16": 12 * BLOCK}
"""Sizes of files that can be fetched."""
_SMALLER_THAN = 1 << 20


def hub_repo(
    *,
    sizes: Mapping[str, int] = SMALL,
    projector_bytes: int = 0,
    heads_bytes: int = 0,
    readme: str = "",
    **facts: Any,
) -> Repo:
    """Return a repository with a quant of each of ``sizes``; ``facts`` are those of ``Repo``."""
    files = {
        file.path: _content(file.path, n_bytes=file.size_bytes)
        for label, size_bytes in sizes.items()
        for file in hub_quant(label, size_bytes=size_bytes, n_files=2 if label == "BF16" else 1).files
    }
    if projector_bytes:
        files[PROJECTOR.path] = _content(PROJECTOR.path, n_bytes=projector_bytes)
    if heads_bytes:
        files[HEADS_PATH] = _content(HEADS_PATH, n_bytes=heads_bytes)
    if readme:
        files["README.md"] = readme.encode()
    usual = {
        "n_downloads": 1_234_567,
        "n_likes": 842,
        "trending": 2,
        "updated_at": "2026-11-18T10:00:00.000Z",
        "in_git": frozenset({"README.md"}),
        "card": {
            "license": "apache-2.0",
            "license_link": "https://licence.example/apache",
            "base_model": "Qwen/Qwen3-8B",
        },
        "header": {"total": 8_190_000_000, "architecture": "qwen3", "context_length": 40_960},
    }
    return Repo(files=files, **{**usual, **facts})


def _content(path: str, *, n_bytes: int) -> bytes:
    part = parse_split_name(path)
    changes: dict[str, Value | None] = {"general.name": "Qwen3 8B", "general.file_type": 15, "x": path}
    if part is not None:
        changes |= {"split.count": part.count, "split.no": part.number - 1}
    # All but a few kilobytes is one tensor, of four bytes a weight.
    tensor = Tensor("token_embd.weight", (64, n_bytes // 256 - 64))
    header = GgufFile(
        metadata=model_metadata(architecture="qwen3", changes=changes), tensors=(tensor,), header_only=True
    ).to_bytes()
    return header.ljust(n_bytes, b"\0") if n_bytes < _SMALLER_THAN else LargeFile(header, n_bytes=n_bytes)


def write_catalogue(path: Path, *models: CatalogueModel) -> Path:
    """Write the file that lists the models of the start page."""
    lines = [msgspec.to_builtins(model) for model in models]
    path.write_text(json.dumps({"format": 1, "as_of": "2026-11", "models": lines}))
    return path
