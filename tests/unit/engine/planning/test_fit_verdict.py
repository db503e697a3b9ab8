"""How a model would run, and its description."""

from __future__ import annotations

import asyncio

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.engine_harness import GIB, a_spec
from fireside.core.fit import Placement
from fireside.core.model import LayerLayout, ModelLayout, ModelSpec
from fireside.core.options import GPU_LAYERS_ALL, AutoAdjustable, LoadOptions
from fireside.core.status import Device, DeviceKind
from fireside.engine.host_info import Host, probe_host
from fireside.engine.planning.fit_verdict import Fit, describe_fit, fit, scaled_spec
from fireside.engine.planning.memory_estimate import layout_of, predict
from fireside.engine.planning.planner import Planner
from fireside.wire.messages import CacheOptions

OPTIONS = LoadOptions(n_ctx=4096, n_seq_max=1)


def a_gpu(*, free_bytes: int, total_bytes: int = 24 * GIB, kind: DeviceKind = DeviceKind.GPU) -> Device:
    return Device(
        name="GPU", description="", kind=kind, free_bytes=free_bytes, total_bytes=total_bytes, backend="test"
    )


def of_size(size_bytes: int) -> ModelSpec:
    return msgspec.structs.replace(a_spec(), size_bytes=size_bytes)


def fit_from_plan(size_bytes: int, *devices: Device, available_bytes: int = 16 * GIB) -> Fit:
    host = Host(n_cores=8, available_bytes=available_bytes)
    return fit(of_size(size_bytes), OPTIONS, devices=devices, host=host)


def test_a_large_gpu_takes_the_whole_model() -> None:
    result = fit_from_plan(5 * GIB, a_gpu(free_bytes=20 * GIB))
    assert (result.where, result.plan.options.n_gpu_layers) == (Placement.GPU, 31)
    assert describe_fit(result) == "Runs fully on GPU. About 5.5 GB of GPU memory."


def test_a_smaller_gpu_takes_some_layers() -> None:
    result = fit_from_plan(5 * GIB, a_gpu(free_bytes=5 * GIB))
    assert result.where is Placement.PARTLY_GPU
    n_placed = result.plan.options.n_gpu_layers
    assert 0 < n_placed < 31
    text = describe_fit(result)
    assert text.startswith(f"{n_placed} of 31 layers run on GPU, the rest on the CPU; GPU is full. About ")
    assert text.endswith(" of RAM.")


@pytest.mark.parametrize("devices", [(), (a_gpu(free_bytes=GIB),)])
def test_without_enough_gpu_memory_the_model_runs_on_the_cpu(devices: tuple[Device, ...]) -> None:
    result = fit_from_plan(5 * GIB, *devices)
    assert result.where is Placement.PROCESSOR
    where = "Runs on the CPU; GPU is too full." if devices else "Runs on the CPU."
    assert describe_fit(result) == f"{where} About 5.6 GB of RAM."


def test_a_model_larger_than_the_memory_does_not_fit() -> None:
    result = fit_from_plan(20 * GIB)
    assert result.where is Placement.NOWHERE
    text = "Does not fit this computer: needs 21.7 GB, at most 16.6 GB can be used."
    assert describe_fit(result) == text


def test_a_model_that_other_programs_leave_no_memory_for_does_not_fit_right_now() -> None:
    host = Host(n_cores=8, available_bytes=16 * GIB, total_bytes=32 * GIB)
    result = fit(of_size(20 * GIB), OPTIONS, devices=(), host=host)
    assert result.where is Placement.NOT_NOW
    assert describe_fit(result).startswith("Does not fit right now: needs 21.")
    assert describe_fit(result).endswith(", 16.6 GB free.")


def test_the_computer_says_what_memory_it_has_in_all() -> None:
    host = probe_host()
    assert host.total_bytes >= host.available_bytes > 0


def test_a_memory_limit_counts_as_the_memory_that_there_is() -> None:
    host = Host(n_cores=8, available_bytes=16 * GIB, total_bytes=32 * GIB)
    options = LoadOptions(n_ctx=4096, n_seq_max=1, memory_limit_mb=8_000)
    result = fit(of_size(20 * GIB), options, devices=(), host=host)
    assert result.where is Placement.NOWHERE
    assert describe_fit(result).endswith("at most 8.0 GB can be used.")


def test_a_gpu_that_is_only_full_counts_as_not_now() -> None:
    host = Host(n_cores=8, available_bytes=16 * GIB, total_bytes=32 * GIB)
    options = LoadOptions(n_ctx=4096, n_seq_max=1, n_gpu_layers=GPU_LAYERS_ALL)
    full, small = (a_gpu(free_bytes=2 * GIB, total_bytes=n * GIB) for n in (24, 4))
    where = [fit(of_size(12 * GIB), options, devices=(gpu,), host=host).where for gpu in (full, small)]
    assert where == [Placement.NOT_NOW, Placement.NOWHERE]


def test_a_margin_is_left_in_ram() -> None:
    needed = fit_from_plan(5 * GIB).plan.n_bytes
    assert fit_from_plan(5 * GIB, available_bytes=needed).where is Placement.NOWHERE
    assert fit_from_plan(5 * GIB, available_bytes=needed + GIB).where is Placement.PROCESSOR


def test_layers_on_a_gpu_take_no_ram() -> None:
    assert fit_from_plan(12 * GIB, a_gpu(free_bytes=20 * GIB), available_bytes=2 * GIB).where is Placement.GPU


def test_an_integrated_gpu_takes_ram() -> None:
    integrated = a_gpu(free_bytes=20 * GIB, kind=DeviceKind.IGPU)
    assert fit_from_plan(12 * GIB, integrated, available_bytes=8 * GIB).where is Placement.NOWHERE
    assert fit_from_plan(12 * GIB, integrated, available_bytes=16 * GIB).where is Placement.GPU


def test_a_longer_context_may_no_longer_fit() -> None:
    spec = msgspec.structs.replace(of_size(5 * GIB), n_ctx_train=1 << 20)
    host = Host(n_cores=8, available_bytes=8 * GIB)
    places = [fit(spec, LoadOptions(n_ctx=n), devices=(), host=host).where for n in (4096, 1 << 18)]
    assert places == [Placement.PROCESSOR, Placement.NOWHERE]


def test_a_quant_of_another_size_has_the_same_cache_and_other_weights() -> None:
    layer = LayerLayout(weights_bytes=400, k_width=64, v_width=64)
    layout = ModelLayout(layers=(layer, layer), input_bytes=100, output_bytes=100, tied_bytes=60)
    spec = msgspec.structs.replace(of_size(1000), n_layers=2, layout=layout)
    half = scaled_spec(spec, size_bytes=500)
    assert half.size_bytes == 500
    assert layout_of(half).weights_bytes == 500
    assert (layout_of(half).tied_bytes, layout_of(half).input_bytes) == (30, 50)
    assert predict(half, OPTIONS).host.kv_bytes == predict(spec, OPTIONS).host.kv_bytes


@given(
    size_bytes=st.integers(0, 2**45),
    free=st.lists(st.integers(0, 2**40), max_size=3),
    available_bytes=st.integers(0, 2**40),
)
def test_every_fit_has_a_description(size_bytes: int, free: list[int], available_bytes: int) -> None:
    devices = [a_gpu(free_bytes=n) for n in free]
    result = fit_from_plan(size_bytes, *devices, available_bytes=available_bytes)
    assert describe_fit(result).endswith(".")
    if result.where in (Placement.GPU, Placement.PARTLY_GPU):
        assert all(result.plan.n_bytes_on(gpu.device) <= gpu.free_bytes for gpu in result.plan.budgets[1:])


@given(
    size_bytes=st.integers(2**28, 2**35),
    available_bytes=st.integers(2**28, 2**36),
    states_bytes=st.sampled_from([0, 2**29]),
    n_ctx=st.sampled_from([2048, 8192, 65_536]),
    gives_way=st.sets(st.sampled_from(AutoAdjustable)),
    gpu_bytes=st.none() | st.integers(0, 2**35),
)
def test_a_file_on_the_hub_is_planned_like_a_local_one(
    size_bytes: int,
    available_bytes: int,
    states_bytes: int,
    n_ctx: int,
    gives_way: set[AutoAdjustable],
    gpu_bytes: int | None,
) -> None:
    spec = msgspec.structs.replace(of_size(size_bytes), n_ctx_train=32_768)
    options = LoadOptions(n_ctx=n_ctx, auto_adjustable=tuple(sorted(gives_way)))
    devices = () if gpu_bytes is None else (a_gpu(free_bytes=gpu_bytes),)
    host = Host(n_cores=8, available_bytes=available_bytes)
    planner = Planner(cache=lambda: CacheOptions(memory_bytes=states_bytes))
    local = asyncio.run(planner.plan(spec, options, devices=devices, host=host))
    on_hub = fit(spec, options, devices=devices, host=host, states_bytes=states_bytes).plan
    assert (on_hub.uses, on_hub.options, on_hub.verdict) == (local.uses, local.options, local.verdict)
    assert on_hub.text == local.text
