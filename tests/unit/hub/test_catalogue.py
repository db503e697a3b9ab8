"""The list of well-known models that comes with the program."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path

import pytest

from fakes.raised import refuses
from fireside.core.quants import bits_of
from fireside.hub.catalogue import CATALOGUE_NAME, CATALOGUE_TEXTS, load_catalogue
from fireside.settings.paths import resources_folder

LINE: dict[str, object] = {
    "repo": "acme/Chatty-8B-GGUF",
    "quantization": "Q4_K_M",
    "name": "Chatty 8B",
    "publisher": "Acme",
    "purpose": "Everyday chat",
    "about": "It talks.",
    "n_params": 8_000_000_000,
    "size_bytes": 5_000_000_000,
    "n_ctx_train": 32768,
    "licence": "mit",
}


def write(folder: Path, *lines: dict[str, object], **more: object) -> Path:
    path = folder / CATALOGUE_NAME
    path.write_text(json.dumps({"format": 1, "models": lines, **more}), encoding="utf-8")
    return path


def test_every_text_is_translatable() -> None:
    models = load_catalogue(resources_folder() / CATALOGUE_NAME)
    assert {words for model in models for words in (model.purpose, model.about)} == CATALOGUE_TEXTS


def test_the_shipped_catalogue_is_valid() -> None:
    models = load_catalogue(resources_folder() / CATALOGUE_NAME)
    assert 12 <= len(models) <= 20


def test_sizes_match_the_quantizations() -> None:
    for model in load_catalogue(resources_folder() / CATALOGUE_NAME):
        bits = bits_of(model.quantization)
        assert bits is not None, model.name
        # A mix keeps some of its weights with more bits, and small models have large vocabularies.
        assert 0.9 < model.size_bytes * 8 / model.n_params / bits < 1.7, model.name


def test_each_purpose_is_one_heading() -> None:
    models = load_catalogue(resources_folder() / CATALOGUE_NAME)
    headings = [purpose for purpose, _ in groupby(models, key=lambda model: model.purpose)]
    assert len(headings) == len(set(headings))
    assert {"Everyday chat", "Low-memory PCs", "Code", "Vision"} <= set(headings)


def test_models_are_grouped_by_purpose(tmp_path: Path) -> None:
    lines = [{**LINE, "repo": f"acme/{number}", "purpose": purpose} for number, purpose in enumerate("abab")]
    assert [model.repo for model in load_catalogue(write(tmp_path, *lines))] == [
        "acme/0", "acme/2", "acme/1", "acme/3"
    ]  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [
        {"repo": "no-owner"},
        {"repo": "https://elsewhere.example/a/b"},
        {"repo": "a/b/c.gguf"},
        {"repo": "a/b:Q8_0"},
        {"quantization": "x.gguf"},
        {"quantization": ""},
        {"n_params": 0},
        {"n_params": "8B"},
        {"size_bytes": -1},
        {"n_ctx_train": 10**12},
        {"n_active_params": 9_000_000_000},
        {"about": "x" * 1000},
        {"sees_images": "yes"},
        {"colour": "red"},
    ],
)
def test_an_entry_with_impossible_values_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    with refuses("catalogue_damaged"):
        load_catalogue(write(tmp_path, {**LINE, **change}))


@pytest.mark.parametrize("missing", LINE)
def test_an_entry_with_a_missing_field_is_refused(tmp_path: Path, missing: str) -> None:
    with refuses("catalogue_damaged", match=missing):
        load_catalogue(write(tmp_path, {key: value for key, value in LINE.items() if key != missing}))


def test_a_duplicate_model_is_refused(tmp_path: Path) -> None:
    with refuses("catalogue_damaged", match="twice"):
        load_catalogue(write(tmp_path, LINE, LINE))


def test_another_format_version_is_refused(tmp_path: Path) -> None:
    with refuses("catalogue_damaged", match="another version"):
        load_catalogue(write(tmp_path, LINE, format=2))


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[", b"\xff", b"[" * 100_000, b" " * 2_000_000, b'{"format": 1}']
)
def test_a_damaged_catalogue_is_reported(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / CATALOGUE_NAME
    path.write_bytes(content)
    with refuses("catalogue_damaged", match="Reinstall Fireside"):
        load_catalogue(path)


def test_a_missing_catalogue_is_reported(tmp_path: Path) -> None:
    with refuses("catalogue_damaged", match="missing"):
        load_catalogue(tmp_path / CATALOGUE_NAME)
