"""Keys are equal exactly when the states are interchangeable."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fireside.core.options import (
    CacheType,
    FlashAttention,
    LoadOptions,
    LoraAdapter,
    MetadataOverride,
    RopeScaling,
)
from fireside.runner.prompt_cache.cache_key import CacheKey, cache_key, model_files

OPTIONS = LoadOptions()


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.gguf"
    path.write_bytes(os.urandom(3 << 20))
    return path


def key(model: Path, *, build: str = "b1", n_seq_max: int = 2, **changes: Any) -> CacheKey:
    options = msgspec.structs.replace(OPTIONS, **changes)
    return cache_key(str(model), options, build=build, n_seq_max=n_seq_max)


def test_renamed_model_has_the_same_key(model: Path) -> None:
    before = key(model)
    assert key(model.rename(model.with_name("renamed.gguf"))) == before


@pytest.mark.parametrize("offset", [0, 24, 1 << 20, -1])
def test_changed_file_changes_the_key(model: Path, offset: int) -> None:
    before = key(model)
    content = bytearray(model.read_bytes())
    for index in range(0, len(content), 4096):  # as a tensor that was trained further
        content[index + offset % 4096 - 4096] ^= 1
    model.write_bytes(content)
    after = key(model)
    assert after.model != before.model
    assert after.options == before.options


@pytest.mark.parametrize(
    "change",
    [
        {"kv_unified": False},
        {"build": "b2"},
        {"cache_type_k": CacheType.Q8_0},
        {"cache_type_v": CacheType.Q8_0},
        {"flash_attn": FlashAttention.ON},
    ],
)
def test_incompatible_option_changes_only_the_options_part(model: Path, change: dict[str, object]) -> None:
    before, after = key(model), key(model, **change)  # type: ignore[arg-type]
    assert after.options != before.options
    assert after.model == before.model


def test_other_adapter_or_projector_changes_the_options(model: Path, tmp_path: Path) -> None:
    files = [tmp_path / "one", tmp_path / "two"]
    for file in files:
        file.write_bytes(os.urandom(100))
    keys = [key(model)]
    for file in files:
        keys.append(key(model, lora=(LoraAdapter(path=str(file)),)))
        keys.append(key(model, projector_path=str(file)))
    assert len({key.options for key in keys}) == len(keys)


@pytest.mark.parametrize(
    "change",
    [
        {"rope_scaling": RopeScaling.YARN},
        {"rope_freq_base": 500.0},
        {"rope_freq_scale": 0.5},
        {"swa_full": True},
        {"metadata_overrides": (MetadataOverride(key="llama.rope.freq_base", value=500.0),)},
        {"image_max_tokens": 64},
    ],
)
def test_option_that_affects_values_changes_the_key(model: Path, change: dict[str, object]) -> None:
    assert key(model, **change).options != key(model).options  # type: ignore[arg-type]


def test_context_length_counts_where_positions_are_scaled(model: Path) -> None:
    longer = [key(model, n_ctx=n, rope_scaling=RopeScaling.YARN) for n in (4096, 8192)]
    assert longer[0] != longer[1]


@pytest.mark.parametrize(
    "change", [{"n_ctx": 4096}, {"n_seq_max": 4}, {"n_threads": 3}, {"n_batch": 64}, {"use_mmap": False}]
)
def test_unrelated_options_do_not_change_the_key(model: Path, change: dict[str, object]) -> None:
    assert key(model, **change) == key(model)  # type: ignore[arg-type]


def test_all_files_of_a_split_model_count(tmp_path: Path) -> None:
    paths = [tmp_path / f"m-0000{n}-of-00003.gguf" for n in (1, 2, 3)]
    for path in paths:
        path.write_bytes(os.urandom(1000))
    assert model_files(str(paths[0])) == tuple(map(str, paths))
    before = key(paths[0])
    paths[2].write_bytes(os.urandom(1000))
    assert key(paths[0]) != before


def test_number_of_slots_counts_where_each_has_its_own_cache(model: Path) -> None:
    assert key(model, kv_unified=False) != key(model, kv_unified=False, n_seq_max=4)
