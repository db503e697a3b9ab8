"""Which changes of a load need another one."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from fakes.engine_harness import a_spec
from fireside.core.options import (
    GPU_LAYERS_ALL,
    GPU_LAYERS_AUTO,
    MOE_ON_CPU_AUTO,
    AutoAdjustable,
    CacheType,
    LoadOptions,
    RopeScaling,
)
from fireside.core.reload import fields_to_reload

SPEC = a_spec()
OPEN = LoadOptions(n_ctx=8192, auto_adjustable=(AutoAdjustable.CACHE_TYPE, AutoAdjustable.CONTEXT))
N_ALL = SPEC.n_layers + 1
FITTED = LoadOptions(n_ctx=4096, n_gpu_layers=12, n_threads=3, n_cpu_moe=0)


def changed(options: LoadOptions, **fields: Any) -> LoadOptions:
    return msgspec.structs.replace(options, **fields)


def needs(wanted: LoadOptions, *, asked: LoadOptions = OPEN, placed: LoadOptions | None = FITTED) -> set[str]:
    return set(fields_to_reload(SPEC, wanted, asked=asked, placed=placed))


def test_to_hold_fast_what_was_fitted_needs_no_load() -> None:
    held = changed(OPEN, n_ctx=4096, n_gpu_layers=12, n_threads=3, n_cpu_moe=0, auto_adjustable=())
    assert needs(held) == set()


def test_to_insist_on_what_gave_way_needs_a_load() -> None:
    assert needs(changed(OPEN, auto_adjustable=(AutoAdjustable.CACHE_TYPE,))) == {"n_ctx"}
    small = changed(FITTED, cache_type_k=CacheType.Q8_0, cache_type_v=CacheType.Q8_0)
    assert needs(changed(OPEN, auto_adjustable=(AutoAdjustable.CONTEXT,)), placed=small) == {
        "cache_type_k",
        "cache_type_v",
    }


def test_to_choose_the_default_that_is_in_force_needs_no_load() -> None:
    placed = changed(FITTED, n_ctx=8192)
    assert needs(changed(OPEN, auto_adjustable=()), placed=placed) == set()
    assert needs(OPEN, asked=changed(OPEN, auto_adjustable=()), placed=placed) == set()


def test_another_number_needs_a_load() -> None:
    assert needs(changed(OPEN, n_ctx=2048, n_gpu_layers=13, n_threads=2)) == {
        "n_ctx",
        "n_gpu_layers",
        "n_threads",
    }


@pytest.mark.parametrize("layers", [GPU_LAYERS_AUTO, GPU_LAYERS_ALL, N_ALL, N_ALL + 5])
def test_all_layers_are_all_however_they_are_named(layers: int) -> None:
    pinned = changed(OPEN, n_gpu_layers=N_ALL)
    placed = changed(FITTED, n_gpu_layers=N_ALL)
    assert needs(changed(OPEN, n_gpu_layers=layers), asked=pinned, placed=placed) == set()


def test_to_leave_a_few_pinned_layers_to_fireside_again_needs_a_load() -> None:
    assert needs(OPEN, asked=changed(OPEN, n_gpu_layers=12)) == {"n_gpu_layers"}
    assert needs(OPEN, asked=changed(OPEN, n_cpu_moe=4), placed=changed(FITTED, n_cpu_moe=4)) == {"n_cpu_moe"}
    assert needs(changed(OPEN, n_cpu_moe=MOE_ON_CPU_AUTO), asked=changed(OPEN, n_cpu_moe=0)) == set()


def test_more_context_than_was_trained_is_what_was_trained() -> None:
    placed = changed(FITTED, n_ctx=SPEC.n_ctx_train)
    asked = changed(OPEN, n_ctx=SPEC.n_ctx_train)
    assert (
        needs(changed(asked, n_ctx=10 * SPEC.n_ctx_train, auto_adjustable=()), asked=asked, placed=placed)
        == set()
    )


def test_more_context_than_was_trained_needs_a_load_where_positions_are_scaled() -> None:
    placed = changed(FITTED, n_ctx=SPEC.n_ctx_train)
    asked = changed(OPEN, n_ctx=SPEC.n_ctx_train)
    longer = changed(asked, n_ctx=2 * SPEC.n_ctx_train, rope_scaling=RopeScaling.YARN)
    assert needs(longer, asked=asked, placed=placed) == {"n_ctx", "rope_scaling"}


def test_the_batch_that_suits_the_device_is_the_same_when_named() -> None:
    assert needs(changed(OPEN, n_ubatch=512)) == set()
    assert needs(changed(OPEN, n_ubatch=256)) == {"n_ubatch"}
    assert needs(changed(OPEN, n_ubatch=256), placed=changed(FITTED, n_gpu_layers=0)) == set()


def test_before_it_is_planned_only_the_same_wish_is_the_same() -> None:
    assert needs(changed(OPEN, n_threads=3), placed=None) == {"n_threads"}
    assert needs(changed(OPEN, auto_adjustable=()), placed=None) == {"n_ctx", "cache_type_k", "cache_type_v"}
    assert needs(OPEN, asked=changed(OPEN, auto_adjustable=()), placed=None) == set()
