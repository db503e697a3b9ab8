"""Layers, threads and context as real numbers."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.engine_harness import GIB, a_spec
from fireside.core.model import ModelSpec
from fireside.core.options import GPU_LAYERS_ALL, LoadOptions
from fireside.core.status import Device, DeviceKind
from fireside.engine.host import Host, probe_host
from fireside.engine.placement import place, smaller_placements

HOST = Host(n_cores=8, available_bytes=32 * GIB)


def device(kind: DeviceKind, *, free_bytes: int, total_bytes: int = 8 * GIB) -> Device:
    return Device(
        name=kind.value,
        description="",
        kind=kind,
        free_bytes=free_bytes,
        total_bytes=total_bytes,
        backend="test",
    )


def large_spec() -> ModelSpec:
    """Return a model of 10 GiB with 40 layers and plain attention."""
    return msgspec.structs.replace(
        a_spec(), size_bytes=41 * GIB // 4, n_layers=40, n_ctx_train=32768, n_head_kv=8, head_dim=128
    )


def layers(options: LoadOptions, *devices: Device) -> int:
    return place(large_spec(), options, devices=devices, host=HOST).n_gpu_layers


def test_without_a_gpu_no_layer_is_placed_there() -> None:
    assert layers(LoadOptions(), device(DeviceKind.CPU, free_bytes=32 * GIB)) == 0
    assert layers(LoadOptions(n_gpu_layers=GPU_LAYERS_ALL)) == 0


def test_a_large_gpu_takes_every_layer_and_the_output() -> None:
    assert layers(LoadOptions(), device(DeviceKind.GPU, free_bytes=24 * GIB, total_bytes=24 * GIB)) == 41


def test_a_small_gpu_takes_what_fits_beside_the_margin() -> None:
    # 8 GiB less 10 %; a layer is a quarter GiB of weights and 64 MiB of cache for two sequences.
    assert layers(LoadOptions(), device(DeviceKind.GPU, free_bytes=8 * GIB)) == 23


def test_a_full_gpu_takes_nothing() -> None:
    assert layers(LoadOptions(), device(DeviceKind.GPU, free_bytes=100)) == 0


def test_two_gpus_take_together_what_each_has_room_for() -> None:
    one = layers(LoadOptions(), device(DeviceKind.GPU, free_bytes=4 * GIB))
    assert layers(LoadOptions(), *[device(DeviceKind.GPU, free_bytes=4 * GIB)] * 2) in (2 * one, 2 * one + 1)


def test_an_integrated_gpu_counts_only_where_there_is_no_other() -> None:
    integrated = device(DeviceKind.IGPU, free_bytes=24 * GIB, total_bytes=24 * GIB)
    assert layers(LoadOptions(), integrated) == 41
    assert layers(LoadOptions(), integrated, device(DeviceKind.GPU, free_bytes=100)) == 0


def test_all_means_all_whatever_is_free() -> None:
    assert layers(LoadOptions(n_gpu_layers=GPU_LAYERS_ALL), device(DeviceKind.GPU, free_bytes=100)) == 41


def test_a_number_of_layers_is_taken_as_it_is() -> None:
    assert layers(LoadOptions(n_gpu_layers=7), device(DeviceKind.GPU, free_bytes=100)) == 7


@pytest.mark.parametrize(("n_cores", "n_threads"), [(1, 1), (2, 1), (8, 7)])
def test_automatic_threads_leave_one_core(n_cores: int, n_threads: int) -> None:
    host = Host(n_cores=n_cores, available_bytes=GIB)
    assert place(a_spec(), LoadOptions(), devices=(), host=host).n_threads == n_threads


def test_chosen_threads_are_kept() -> None:
    assert place(a_spec(), LoadOptions(n_threads=3), devices=(), host=HOST).n_threads == 3


@pytest.mark.parametrize(("trained", "n_ctx"), [(4096, 4096), (32768, 8192), (0, 8192)])
def test_the_context_stays_within_what_was_trained(trained: int, n_ctx: int) -> None:
    spec = msgspec.structs.replace(a_spec(), n_ctx_train=trained)
    assert place(spec, LoadOptions(n_ctx=8192), devices=(), host=HOST).n_ctx == n_ctx


def test_after_too_many_layers_come_half_and_none() -> None:
    placed = LoadOptions(n_gpu_layers=21)
    assert [o.n_gpu_layers for o in smaller_placements(LoadOptions(), placed=placed)] == [10, 0]


@pytest.mark.parametrize("chosen", [0, 21, GPU_LAYERS_ALL])
def test_layers_that_a_person_chose_are_not_reduced(chosen: int) -> None:
    assert smaller_placements(LoadOptions(n_gpu_layers=chosen), placed=LoadOptions(n_gpu_layers=21)) == ()


@given(
    size_bytes=st.integers(0, 2**45),
    n_layers=st.integers(0, 500),
    n_ctx=st.integers(1, 2**24),
    free_bytes=st.integers(0, 2**40),
)
def test_any_model_gets_a_placement_that_the_runner_can_take(
    size_bytes: int, n_layers: int, n_ctx: int, free_bytes: int
) -> None:
    spec = msgspec.structs.replace(a_spec(), size_bytes=size_bytes, n_layers=n_layers)
    options = LoadOptions(n_ctx=n_ctx)
    placed = place(spec, options, devices=(device(DeviceKind.GPU, free_bytes=free_bytes),), host=HOST)
    assert 0 <= placed.n_gpu_layers <= n_layers + 1
    assert placed.n_threads >= 1
    assert placed.n_ctx >= 1


def test_this_computer_can_be_measured() -> None:
    host = probe_host()
    assert host.n_cores >= 1
    assert host.available_bytes > 0
