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
RESOLVED = LoadOptions(n_ctx=4096, n_gpu_layers=12, n_threads=3, n_cpu_moe=0)


def changed(options: LoadOptions, **fields: Any) -> LoadOptions:
    return msgspec.structs.replace(options, **fields)


def needs(
    wanted: LoadOptions, *, requested: LoadOptions = OPEN, resolved: LoadOptions | None = RESOLVED
) -> set[str]:
    return set(fields_to_reload(SPEC, wanted, requested=requested, resolved=resolved))


def test_pinning_the_resolved_values_needs_no_reload() -> None:
    pinned = changed(OPEN, n_ctx=4096, n_gpu_layers=12, n_threads=3, n_cpu_moe=0, auto_adjustable=())
    assert needs(pinned) == set()


def test_insisting_on_a_reduced_option_needs_a_reload() -> None:
    assert needs(changed(OPEN, auto_adjustable=(AutoAdjustable.CACHE_TYPE,))) == {"n_ctx"}
    small = changed(RESOLVED, cache_type_k=CacheType.Q8_0, cache_type_v=CacheType.Q8_0)
    assert needs(changed(OPEN, auto_adjustable=(AutoAdjustable.CONTEXT,)), resolved=small) == {
        "cache_type_k",
        "cache_type_v",
    }


def test_choosing_the_resolved_default_needs_no_reload() -> None:
    resolved = changed(RESOLVED, n_ctx=8192)
    assert needs(changed(OPEN, auto_adjustable=()), resolved=resolved) == set()
    assert needs(OPEN, requested=changed(OPEN, auto_adjustable=()), resolved=resolved) == set()


def test_another_value_needs_a_reload() -> None:
    assert needs(changed(OPEN, n_ctx=2048, n_gpu_layers=13, n_threads=2)) == {
        "n_ctx",
        "n_gpu_layers",
        "n_threads",
    }


@pytest.mark.parametrize("layers", [GPU_LAYERS_AUTO, GPU_LAYERS_ALL, N_ALL, N_ALL + 5])
def test_all_ways_to_request_all_layers_are_equal(layers: int) -> None:
    pinned = changed(OPEN, n_gpu_layers=N_ALL)
    resolved = changed(RESOLVED, n_gpu_layers=N_ALL)
    assert needs(changed(OPEN, n_gpu_layers=layers), requested=pinned, resolved=resolved) == set()


def test_returning_pinned_layers_to_automatic_needs_a_reload() -> None:
    assert needs(OPEN, requested=changed(OPEN, n_gpu_layers=12)) == {"n_gpu_layers"}
    assert needs(OPEN, requested=changed(OPEN, n_cpu_moe=4), resolved=changed(RESOLVED, n_cpu_moe=4)) == {
        "n_cpu_moe"
    }
    assert needs(changed(OPEN, n_cpu_moe=MOE_ON_CPU_AUTO), requested=changed(OPEN, n_cpu_moe=0)) == set()


def test_context_beyond_the_trained_length_equals_it() -> None:
    resolved = changed(RESOLVED, n_ctx=SPEC.n_ctx_train)
    requested = changed(OPEN, n_ctx=SPEC.n_ctx_train)
    assert (
        needs(
            changed(requested, n_ctx=10 * SPEC.n_ctx_train, auto_adjustable=()),
            requested=requested,
            resolved=resolved,
        )
        == set()
    )


def test_context_beyond_the_trained_length_with_rope_scaling_needs_a_reload() -> None:
    resolved = changed(RESOLVED, n_ctx=SPEC.n_ctx_train)
    requested = changed(OPEN, n_ctx=SPEC.n_ctx_train)
    longer = changed(requested, n_ctx=2 * SPEC.n_ctx_train, rope_scaling=RopeScaling.YARN)
    assert needs(longer, requested=requested, resolved=resolved) == {"n_ctx", "rope_scaling"}


def test_the_automatic_micro_batch_equals_its_value() -> None:
    assert needs(changed(OPEN, n_ubatch=512)) == set()
    assert needs(changed(OPEN, n_ubatch=256)) == {"n_ubatch"}
    assert needs(changed(OPEN, n_ubatch=256), resolved=changed(RESOLVED, n_gpu_layers=0)) == set()


def test_before_the_plan_only_equal_requests_are_equal() -> None:
    assert needs(changed(OPEN, n_threads=3), resolved=None) == {"n_threads"}
    assert needs(changed(OPEN, auto_adjustable=()), resolved=None) == {
        "n_ctx",
        "cache_type_k",
        "cache_type_v",
    }
    assert needs(OPEN, requested=changed(OPEN, auto_adjustable=()), resolved=None) == set()
