"""The best load options for the free memory: placement, and which options are reduced in which order."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.engine_harness import GIB, a_spec
from fireside.core.model import LayerLayout, ModelLayout, ModelSpec
from fireside.core.options import (
    GPU_LAYERS_ALL,
    AutoAdjustable,
    CacheType,
    FlashAttention,
    LoadOptions,
    Purpose,
    RopeScaling,
    Speculation,
    SplitMode,
)
from fireside.core.plan import DeviceBudget, MemoryKind, MemoryUse, Verdict
from fireside.core.status import Device, DeviceKind
from fireside.engine.host_info import Host, probe_host
from fireside.engine.planning.auto_fit import (
    MAX_MEASURED,
    SMALLEST_CONTEXT,
    FitResult,
    fit_load,
    fits_budgets,
    smaller_layers,
    smaller_options,
)
from fireside.engine.planning.auxiliary_models import NO_AUXILIARY
from fireside.engine.planning.buffer_usage import estimated_usage
from fireside.engine.planning.load_case import device_budgets, gpus_for, plan_text, verdict_of
from fireside.engine.planning.memory_estimate import predict

HOST = Host(n_cores=8, available_bytes=32 * GIB)
EVERYTHING = (AutoAdjustable.CACHE_TYPE, AutoAdjustable.CONTEXT)
OPEN = LoadOptions(auto_adjustable=EVERYTHING)


def device(
    kind: DeviceKind = DeviceKind.GPU,
    *,
    free_bytes: int,
    total_bytes: int = 8 * GIB,
    name: str = "GPU0",
) -> Device:
    return Device(
        name=name,
        description=f"Card {name}",
        kind=kind,
        free_bytes=free_bytes,
        total_bytes=total_bytes,
        backend="test",
    )


def large_spec() -> ModelSpec:
    """Return a model of 10 GiB with 40 layers and plain attention."""
    return msgspec.structs.replace(
        a_spec(), size_bytes=41 * GIB // 4, n_layers=40, n_ctx_train=32768, n_head_kv=16, head_dim=128
    )


def expert_spec() -> ModelSpec:
    """Return a model of 20 GiB with 40 layers, of which nine tenths are experts."""
    layer = LayerLayout(weights_bytes=GIB // 2, expert_bytes=9 * GIB // 20, k_width=1024, v_width=1024)
    layout = ModelLayout(layers=(layer,) * 40, input_bytes=GIB // 4, output_bytes=GIB // 4, n_ff=4096)
    return msgspec.structs.replace(large_spec(), size_bytes=20 * GIB, layout=layout)


class Computer:
    """What a search is given, and which dry runs it made."""

    def __init__(
        self,
        *devices: Device,
        spec: ModelSpec | None = None,
        host: Host = HOST,
        off_by: Callable[[str, int], int] | None = None,
    ) -> None:
        self.spec = spec or large_spec()
        self.host = host
        self.devices = devices
        self.off_by = off_by
        self.measured: list[LoadOptions] = []
        self.budgets: tuple[DeviceBudget, ...] = ()

    def fit(self, options: LoadOptions = OPEN) -> FitResult:
        gpus = gpus_for(options, self.devices)
        self.budgets = device_budgets(gpus, host=self.host, display=None)

        def estimate(candidate: LoadOptions) -> tuple[MemoryUse, ...]:
            need = predict(self.spec, candidate, gpus=gpus)
            return estimated_usage(need, gpus=gpus, auxiliary=NO_AUXILIARY)

        def measure(candidate: LoadOptions) -> tuple[MemoryUse, ...]:
            assert self.off_by is not None
            self.measured.append(candidate)
            return tuple(
                msgspec.structs.replace(use, n_bytes=self.off_by(use.device, use.n_bytes))
                for use in estimate(candidate)
            )

        return fit_load(
            self.spec,
            options,
            budgets=self.budgets,
            n_cores=self.host.n_cores,
            estimate=estimate,
            measure=measure if self.off_by is not None else None,
        )

    def text(self, options: LoadOptions = OPEN) -> str:
        result = self.fit(options)
        verdict = verdict_of(self.spec, result, budgets=self.budgets)
        return plan_text(self.spec, options, result, verdict=verdict, budgets=self.budgets)


def layers(options: LoadOptions, *devices: Device) -> int:
    return Computer(*devices).fit(options).options.n_gpu_layers


# Layers


def test_without_a_gpu_no_layer_is_placed_there() -> None:
    assert layers(LoadOptions(), device(DeviceKind.CPU, free_bytes=32 * GIB)) == 0
    assert layers(LoadOptions(n_gpu_layers=GPU_LAYERS_ALL)) == 0


def test_a_large_gpu_takes_every_layer_and_the_output() -> None:
    assert layers(LoadOptions(), device(free_bytes=24 * GIB, total_bytes=24 * GIB)) == 41


def test_a_small_gpu_takes_the_layers_that_fit_within_the_margin() -> None:
    # 8 GiB less 10 %; a layer is a quarter GiB of weights and 64 MiB of cache.
    assert layers(LoadOptions(), device(free_bytes=8 * GIB)) == 23


def test_a_full_gpu_takes_nothing() -> None:
    assert layers(LoadOptions(), device(free_bytes=100)) == 0


def test_two_gpus_share_the_layers_by_their_free_memory() -> None:
    one = layers(LoadOptions(), device(free_bytes=4 * GIB))
    two = layers(LoadOptions(), device(free_bytes=4 * GIB), device(free_bytes=4 * GIB, name="GPU1"))
    assert 2 * one <= two <= 2 * one + 3


def test_the_display_gpu_has_a_larger_margin() -> None:
    card = device(free_bytes=8 * GIB)
    drawing, other = (device_budgets((card,), host=HOST, display=name)[1] for name in ("GPU0", "GPU1"))
    assert drawing.margin_bytes > other.margin_bytes > 0


def test_an_integrated_gpu_is_used_only_without_a_discrete_one() -> None:
    integrated = device(DeviceKind.IGPU, free_bytes=24 * GIB, total_bytes=24 * GIB)
    assert layers(LoadOptions(), integrated) == 41
    assert layers(LoadOptions(), integrated, device(free_bytes=100, name="GPU1")) == 0


def test_an_integrated_gpu_uses_ram() -> None:
    integrated = device(DeviceKind.IGPU, free_bytes=24 * GIB, total_bytes=24 * GIB)
    short = Host(n_cores=8, available_bytes=6 * GIB)
    assert not Computer(integrated, host=short).fit(LoadOptions()).fits


def test_all_layers_are_placed_if_requested_whatever_is_free() -> None:
    assert layers(LoadOptions(n_gpu_layers=GPU_LAYERS_ALL), device(free_bytes=100)) == 41


def test_a_chosen_number_of_layers_is_kept() -> None:
    assert layers(LoadOptions(n_gpu_layers=7), device(free_bytes=100)) == 7


# Several GPUs


def test_the_tensor_split_follows_free_memory() -> None:
    cards = device(free_bytes=7 * GIB), device(free_bytes=4 * GIB, name="GPU1")
    first, second = Computer(*cards).fit().options.tensor_split
    assert first > second > 0


def test_a_chosen_tensor_split_is_kept() -> None:
    cards = device(free_bytes=7 * GIB), device(free_bytes=7 * GIB, name="GPU1")
    requested = LoadOptions(tensor_split=(1.0, 4.0))
    assert Computer(*cards).fit(requested).options.tensor_split == (1.0, 4.0)


def test_an_excluded_gpu_takes_no_layers() -> None:
    cards = device(free_bytes=7 * GIB), device(free_bytes=7 * GIB, name="GPU1")
    computer = Computer(*cards)
    computer.fit(LoadOptions(excluded_devices=("GPU0",)))
    assert [budget.device for budget in computer.budgets] == ["CPU", "GPU1"]


def test_without_a_split_the_main_gpu_alone_is_used() -> None:
    cards = device(free_bytes=7 * GIB), device(free_bytes=7 * GIB, name="GPU1")
    computer = Computer(*cards)
    computer.fit(LoadOptions(split_mode=SplitMode.NONE, main_gpu="GPU1"))
    assert [budget.device for budget in computer.budgets] == ["CPU", "GPU1"]
    computer.fit(LoadOptions(split_mode=SplitMode.NONE, main_gpu="gone"))
    assert [budget.device for budget in computer.budgets] == ["CPU", "GPU0"]


# What gives way


def test_experts_move_to_the_cpu_before_layers_do() -> None:
    computer = Computer(device(free_bytes=12 * GIB, total_bytes=12 * GIB), spec=expert_spec())
    result = computer.fit()
    assert result.options.n_gpu_layers == 41
    assert 0 < result.options.n_cpu_moe < 40
    assert verdict_of(computer.spec, result, budgets=computer.budgets) is Verdict.PARTLY
    fewer = msgspec.structs.replace(result.options, n_cpu_moe=result.options.n_cpu_moe - 1)
    assert not computer.fit(fewer).fits, "as few as possible"


def test_layers_move_to_the_cpu_if_moving_all_experts_is_not_enough() -> None:
    result = Computer(device(free_bytes=3 * GIB), spec=expert_spec()).fit()
    assert result.options.n_cpu_moe == 40
    assert 0 < result.options.n_gpu_layers < 41


def test_a_chosen_number_of_experts_is_kept() -> None:
    options = msgspec.structs.replace(OPEN, n_cpu_moe=3)
    result = Computer(device(free_bytes=12 * GIB, total_bytes=12 * GIB), spec=expert_spec()).fit(options)
    assert result.options.n_cpu_moe == 3
    assert result.options.n_gpu_layers < 41


def test_nothing_is_reduced_if_there_is_enough_memory() -> None:
    result = Computer(device(free_bytes=24 * GIB, total_bytes=24 * GIB)).fit()
    assert (result.options.cache_type_k, result.options.n_ctx) == (CacheType.F16, 8192)


def test_the_cache_type_is_reduced_before_the_context() -> None:
    # The model takes 10.25 GiB, its context 2.5 GiB in 16 bits.
    result = Computer(host=Host(n_cores=8, available_bytes=13 * GIB)).fit()
    assert result.fits
    assert (result.options.cache_type_k, result.options.cache_type_v) == (CacheType.Q8_0, CacheType.Q8_0)
    assert result.options.n_ctx == 8192


def test_the_context_is_reduced_in_steps() -> None:
    result = Computer(host=Host(n_cores=8, available_bytes=12 * GIB)).fit()
    assert result.fits
    assert SMALLEST_CONTEXT <= result.options.n_ctx < 8192
    assert result.options.n_ctx % 256 == 0


def test_a_chosen_context_is_kept() -> None:
    options = LoadOptions(auto_adjustable=(AutoAdjustable.CACHE_TYPE,))
    result = Computer(host=Host(n_cores=8, available_bytes=12 * GIB)).fit(options)
    assert result.options.n_ctx == 8192
    assert not result.fits


def test_a_chosen_cache_type_is_kept() -> None:
    options = LoadOptions(auto_adjustable=(AutoAdjustable.CONTEXT,))
    result = Computer(host=Host(n_cores=8, available_bytes=25 * GIB // 2)).fit(options)
    assert result.options.cache_type_k is CacheType.F16
    assert result.fits


def test_without_flash_attention_the_cache_type_is_not_reduced() -> None:
    options = msgspec.structs.replace(OPEN, flash_attn=FlashAttention.OFF)
    result = Computer(host=Host(n_cores=8, available_bytes=11 * GIB)).fit(options)
    assert result.options.cache_type_v is CacheType.F16


def test_the_context_is_never_reduced_below_the_minimum() -> None:
    tight = Host(n_cores=8, available_bytes=GIB)
    assert Computer(host=tight).fit().options.n_ctx == SMALLEST_CONTEXT
    options = msgspec.structs.replace(OPEN, n_ctx=1024)
    assert Computer(host=tight).fit(options).options.n_ctx == 1024


def test_the_context_is_limited_to_the_trained_length() -> None:
    spec = msgspec.structs.replace(large_spec(), n_ctx_train=4096)
    assert Computer(spec=spec).fit().options.n_ctx == 4096


@pytest.mark.parametrize(("n_cores", "n_threads"), [(1, 1), (2, 2), (8, 8)])
def test_automatic_threads_are_all_fast_cores(n_cores: int, n_threads: int) -> None:
    host = Host(n_cores=n_cores, available_bytes=32 * GIB)
    assert Computer(host=host).fit().options.n_threads == n_threads


def test_chosen_threads_are_kept() -> None:
    assert Computer().fit(LoadOptions(n_threads=3)).options.n_threads == 3


# Dry runs


def test_measurements_override_the_estimate() -> None:
    gpu = device(free_bytes=8 * GIB)
    estimated = Computer(gpu).fit()
    computer = Computer(gpu, off_by=lambda name, n: n if name == "CPU" else n * 11 // 10)
    result = computer.fit()
    assert result.is_exact
    assert result.fits
    assert result.options.n_gpu_layers < estimated.options.n_gpu_layers
    assert fits_budgets(result.uses, budgets=computer.budgets)


def test_an_estimate_that_is_too_high_costs_no_layers() -> None:
    gpu = device(free_bytes=8 * GIB)
    result = Computer(gpu, off_by=lambda _, n: n * 9 // 10).fit()
    assert result.is_exact
    assert result.options.n_gpu_layers > Computer(gpu).fit().options.n_gpu_layers


def test_without_measurements_the_estimate_is_used() -> None:
    computer = Computer(device(free_bytes=8 * GIB))
    computer.fit()
    result = fit_load(
        computer.spec,
        OPEN,
        budgets=computer.budgets,
        n_cores=4,
        estimate=lambda _: (MemoryUse(device="CPU", kind=MemoryKind.WEIGHTS, n_bytes=1),),
        measure=lambda _: None,
    )
    assert not result.is_exact


@given(
    factors=st.tuples(st.floats(0.5, 2.0), st.floats(0.5, 2.0)),
    free_gpu=st.integers(0, 24 * GIB),
    free_host=st.integers(0, 24 * GIB),
)
def test_a_search_is_bounded_and_its_result_fits(
    factors: tuple[float, float], free_gpu: int, free_host: int
) -> None:
    def off_by(name: str, n_bytes: int) -> int:
        return int(n_bytes * factors[0 if name == "CPU" else 1])

    host = Host(n_cores=8, available_bytes=free_host)
    computer = Computer(device(free_bytes=free_gpu, total_bytes=24 * GIB), host=host, off_by=off_by)
    result = computer.fit()
    assert len(computer.measured) <= MAX_MEASURED
    assert len(set(computer.measured)) == len(computer.measured), "nothing is measured twice"
    if result.fits and result.is_exact:
        assert fits_budgets(result.uses, budgets=computer.budgets)
    assert result.options.auto_adjustable == ()


@given(
    size_bytes=st.integers(0, 2**45),
    n_layers=st.integers(0, 500),
    n_ctx=st.integers(1, 2**24),
    free_bytes=st.integers(0, 2**40),
)
def test_any_model_gets_valid_options(size_bytes: int, n_layers: int, n_ctx: int, free_bytes: int) -> None:
    spec = msgspec.structs.replace(a_spec(), size_bytes=size_bytes, n_layers=n_layers)
    result = Computer(device(free_bytes=free_bytes), spec=spec).fit(
        msgspec.structs.replace(OPEN, n_ctx=n_ctx)
    )
    assert 0 <= result.options.n_gpu_layers <= n_layers + 1
    assert result.options.n_threads >= 1
    assert result.options.n_ctx >= 1


# Words


def test_the_plan_is_one_sentence() -> None:
    assert Computer().text() == "Runs on the CPU."
    large = device(free_bytes=24 * GIB, total_bytes=24 * GIB)
    assert Computer(large).text() == "Runs fully on Card GPU0."
    assert Computer(device(free_bytes=8 * GIB)).text() == (
        "23 of 41 layers run on Card GPU0, the rest on the CPU; Card GPU0 is full."
    )
    with_experts = Computer(device(free_bytes=12 * GIB, total_bytes=12 * GIB), spec=expert_spec()).text()
    assert with_experts.startswith("Runs on Card GPU0, with the experts of ")
    assert Computer(device(free_bytes=100)).text() == "Runs on the CPU; Card GPU0 is too full."


def test_the_text_names_reduced_options() -> None:
    text = Computer(host=Host(n_cores=8, available_bytes=12 * GIB)).text()
    assert "the KV cache is 8-bit" in text
    assert "instead of 8,192" in text


def test_the_text_names_a_context_beyond_the_trained_length() -> None:
    spec = msgspec.structs.replace(large_spec(), n_ctx_train=4096)
    requested = LoadOptions(n_ctx=8192, rope_scaling=RopeScaling.YARN)
    assert "the context is 2.0× the trained length" in Computer(spec=spec).text(requested)


def test_there_are_no_more_threads_than_chosen_cpus() -> None:
    assert Computer().fit(LoadOptions(cpus=(0, 4))).options.n_threads == 2


def test_the_text_of_a_model_that_does_not_fit_names_both_sizes() -> None:
    computer = Computer(host=Host(n_cores=8, available_bytes=4 * GIB))
    text = computer.text()
    assert text.startswith("Does not fit this computer: needs ")
    assert "even with a context length of 2,048" in text
    pinned = Computer(device(free_bytes=2 * GIB)).text(LoadOptions(n_gpu_layers=GPU_LAYERS_ALL))
    assert "on Card GPU0" in pinned


# Smaller


def test_after_out_of_memory_half_of_the_layers_and_then_none_are_tried() -> None:
    placed = LoadOptions(n_gpu_layers=21)
    assert [o.n_gpu_layers for o in smaller_layers(LoadOptions(), placed=placed)] == [10, 0]


@pytest.mark.parametrize("chosen", [0, 21, GPU_LAYERS_ALL])
def test_chosen_layers_are_not_reduced_automatically(chosen: int) -> None:
    assert smaller_layers(LoadOptions(n_gpu_layers=chosen), placed=LoadOptions(n_gpu_layers=21)) == ()


def test_offered_options_shrink_until_there_are_none() -> None:
    offered = [LoadOptions(n_gpu_layers=5, n_ctx=8192)]
    while (smaller := smaller_options(offered[-1])) is not None:
        offered.append(smaller)
    assert [options.n_gpu_layers for options in offered] == [5, 2, 1, 0, 0, 0, 0]
    assert [options.n_ctx for options in offered[-2:]] == [4096, 2048]
    assert offered[-1].cache_type_k is CacheType.Q8_0


def test_this_computer_can_be_measured() -> None:
    host = probe_host()
    assert host.n_cores >= 1
    assert host.available_bytes > 0


def windowed_spec() -> ModelSpec:
    """Return a model of 10 GiB in which five of six layers see a window of 1,024 tokens."""
    layers = tuple(
        LayerLayout(weights_bytes=GIB // 4, k_width=4096, v_width=4096, window=0 if number % 6 == 5 else 1024)
        for number in range(40)
    )
    layout = ModelLayout(layers=layers, input_bytes=0, output_bytes=GIB // 4, n_ff=4096)
    return msgspec.structs.replace(large_spec(), layout=layout)


def test_slots_are_reduced_first_if_each_needs_memory() -> None:
    open_options = LoadOptions(n_seq_max=8, auto_adjustable=tuple(AutoAdjustable))
    roomy = Computer(spec=windowed_spec()).fit(open_options)
    needed = sum(use.n_bytes for use in roomy.uses)
    tight = Host(n_cores=8, available_bytes=int(needed * 0.9))
    result = Computer(spec=windowed_spec(), host=tight).fit(open_options)
    assert roomy.options.n_seq_max == 8
    assert (result.fits, result.options.n_seq_max) == (True, 1)
    assert (result.options.cache_type_k, result.options.n_ctx) == (CacheType.F16, 8192)
    chosen = msgspec.structs.replace(open_options, auto_adjustable=(AutoAdjustable.CONTEXT,))
    assert Computer(spec=windowed_spec(), host=tight).fit(chosen).options.n_seq_max == 8


def test_slots_that_share_their_memory_are_not_reduced() -> None:
    open_options = LoadOptions(n_seq_max=8, auto_adjustable=tuple(AutoAdjustable))
    result = Computer(host=Host(n_cores=8, available_bytes=GIB)).fit(open_options)
    assert result.options.n_seq_max == 8


def test_own_heads_draft_unless_there_is_too_little_memory() -> None:
    heads = msgspec.structs.replace(large_spec(), n_heads=1)
    short = msgspec.structs.replace(HOST, available_bytes=12 * GIB)
    assert Computer(spec=heads).fit().options.speculation is Speculation.MTP
    assert Computer(spec=large_spec()).fit().options.speculation is Speculation.OFF
    pinned = LoadOptions(n_ctx=8192)
    needed = Computer(spec=heads).fit(pinned)
    plain = Computer(spec=large_spec()).fit(pinned)
    between = (sum(use.n_bytes for use in needed.uses) + sum(use.n_bytes for use in plain.uses)) // 2
    usable = Computer(spec=heads, host=short)
    usable.fit(pinned)
    short = msgspec.structs.replace(
        short, available_bytes=between + short.available_bytes - usable.budgets[0].usable_bytes
    )
    result = Computer(spec=heads, host=short)
    assert result.fit(pinned).options.speculation is Speculation.OFF
    assert "it answers without its draft heads" in result.text(pinned)
    beside = Computer(spec=large_spec()).fit(LoadOptions(draft_path="model-mtp.gguf"))
    assert (beside.options.speculation, beside.options.draft_path) == (Speculation.MTP, "model-mtp.gguf")
    vectors = Computer(spec=heads).fit(LoadOptions(purpose=Purpose.EMBED))
    assert vectors.options.speculation is Speculation.OFF
