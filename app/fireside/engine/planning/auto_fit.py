"""Find the best load options for the available memory: a pure search over the memory use of candidates.

If memory is short, these are reduced, in this order: experts on the GPU, layers on the GPU, the model's own
heads for drafts, parallel slots, the 16-bit KV cache, and the context length. Options that the user set stay,
and the rest is fitted to them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from fireside.core.load_sizes import UNQUANTIZED_CACHE_TYPES, n_kv_cells
from fireside.core.model import ModelSpec
from fireside.core.options import (
    GPU_LAYERS_AUTO,
    MOE_ON_CPU_AUTO,
    AutoAdjustable,
    CacheType,
    FlashAttention,
    LoadOptions,
    Purpose,
    Speculation,
    SplitMode,
)
from fireside.core.plan import DeviceBudget, MemoryUse
from fireside.engine.planning.buffer_usage import HOST, bytes_by_device
from fireside.engine.planning.memory_estimate import layout_of, n_ctx_for

SMALLEST_CONTEXT: Final = 2048
"""The context is never reduced below this, in tokens: less is too short for a conversation."""
CONTEXT_STEPS: Final = (0.75, 0.5, 0.375, 0.25, 0.1875, 0.125, 0.0625, 0.03125)
"""Parts of the requested context length to try."""
CONTEXT_GRAIN: Final = 256
"""Context lengths to try are multiples of this, in tokens."""
MAX_MEASURED: Final = 6
"""Limit of dry runs for one search; two are usual."""

Measure = Callable[[LoadOptions], "tuple[MemoryUse, ...] | None"]
"""Returns the memory use of a load without automatic options; ``None`` if it cannot be determined."""


class FitResult(msgspec.Struct, frozen=True, kw_only=True):
    """The best load options, and their memory use."""

    options: LoadOptions
    uses: tuple[MemoryUse, ...]
    fits: bool
    is_exact: bool


class _Level(msgspec.Struct, frozen=True, kw_only=True):
    """Options except the placement, and the placements to try, from best to least GPU memory."""

    options: LoadOptions
    placements: tuple[tuple[int, int], ...]
    """Layers on GPUs, and layers whose experts stay on the CPU."""

    def at(self, index: int) -> LoadOptions:
        n_gpu_layers, n_cpu_moe = self.placements[index]
        return msgspec.structs.replace(self.options, n_gpu_layers=n_gpu_layers, n_cpu_moe=n_cpu_moe)


def fit_load(
    spec: ModelSpec,
    requested: LoadOptions,
    *,
    budgets: Sequence[DeviceBudget],
    n_cores: int,
    estimate: Measure,
    measure: Measure | None = None,
) -> FitResult:
    """Return the best options to load ``spec`` with ``requested``, without automatic values.

    Args:
        budgets: the computer's own memory first, then the GPUs that may be used, in llama.cpp's order.
        n_cores: physical cores of the fastest kind.
        estimate: fast and approximate.
        measure: exact, and called a few times. Without it, or if it returns ``None``, the estimate is used.
    """
    search = _Search(
        _levels(spec, requested, budgets=budgets, n_cores=n_cores), budgets=budgets, estimate=estimate
    )
    result = search.best()
    if measure is None:
        return result
    for _ in range(MAX_MEASURED):
        if result.is_exact:
            return result
        uses = measure(result.options)
        if uses is None:
            return result
        search.learn(result.options, uses)
        result = search.best()
    return result if result.is_exact else search.best_known(result)


def fits_budgets(uses: Sequence[MemoryUse], *, budgets: Sequence[DeviceBudget]) -> bool:
    """Return whether ``uses`` fit on every device."""
    sums = bytes_by_device(uses)
    return not _lacks_on_gpus(sums, budgets) and not _lacks_in_host(sums, budgets)


def _lacks_on_gpus(sums: Mapping[str, int], budgets: Sequence[DeviceBudget]) -> bool:
    return any(sums.get(budget.device, 0) > budget.usable_bytes for budget in budgets[1:])


def _lacks_in_host(sums: Mapping[str, int], budgets: Sequence[DeviceBudget]) -> bool:
    shared = sum(sums.get(budget.device, 0) for budget in budgets[1:] if budget.shares_memory)
    return sums.get(HOST, 0) + shared > budgets[0].usable_bytes


class _Search:
    """Finds the first level, and the first placement in it, that fit by what is known so far."""

    def __init__(
        self, levels: Sequence[_Level], *, budgets: Sequence[DeviceBudget], estimate: Measure
    ) -> None:
        self._levels = levels
        self._budgets = budgets
        self._estimate = estimate
        self._known: dict[LoadOptions, tuple[MemoryUse, ...]] = {}
        self._offsets: dict[str, int] = {}
        """Error of the estimate on each device, by the last measurement."""

    def learn(self, options: LoadOptions, uses: tuple[MemoryUse, ...]) -> None:
        """Record a measurement."""
        self._known[options] = uses
        measured, estimated = bytes_by_device(uses), bytes_by_device(self._estimate(options) or ())
        # A device without buffers says nothing about the estimate's error.
        self._offsets |= {device: n - estimated.get(device, 0) for device, n in measured.items()}

    def best(self) -> FitResult:
        """Return the best that fits by what is known; the smallest of all if nothing does."""
        options = self._levels[-1].at(-1)
        for level in self._levels:
            index = self._first_fitting(level)
            options = level.at(min(index, len(level.placements) - 1))
            if index < len(level.placements) and not _lacks_in_host(self._sums(options), self._budgets):
                return self._fitted(options, fits=True)
        return self._fitted(options, fits=False)

    def best_known(self, otherwise: FitResult) -> FitResult:
        """Return the best that was measured and fits, if the search did not converge."""
        for level in self._levels:
            for index in range(len(level.placements)):
                uses = self._known.get(level.at(index))
                if uses is not None and fits_budgets(uses, budgets=self._budgets):
                    return self._fitted(level.at(index), fits=True)
        return otherwise

    def _first_fitting(self, level: _Level) -> int:
        """Return the index of the best placement that fits on the GPUs; they are sorted by GPU memory."""

        def fits_at(index: int) -> bool:
            return not _lacks_on_gpus(self._sums(level.at(index)), self._budgets)

        return bisect_left(range(len(level.placements)), True, key=fits_at)

    def _sums(self, options: LoadOptions) -> dict[str, int]:
        known = self._known.get(options)
        if known is not None:
            return bytes_by_device(known)
        sums = bytes_by_device(self._estimate(options) or ())
        return {device: n + self._offsets.get(device, 0) for device, n in sums.items()}

    def _fitted(self, options: LoadOptions, *, fits: bool) -> FitResult:
        known = self._known.get(options)
        uses = known if known is not None else (self._estimate(options) or ())
        return FitResult(options=options, uses=uses, fits=fits, is_exact=known is not None)


def _levels(
    spec: ModelSpec, requested: LoadOptions, *, budgets: Sequence[DeviceBudget], n_cores: int
) -> tuple[_Level, ...]:
    settled = msgspec.structs.replace(
        requested,
        n_ctx=n_ctx_for(spec, requested),
        n_threads=requested.n_threads or min(n_cores, len(requested.cpus) or n_cores),
        tensor_split=_tensor_split(requested, budgets=budgets),
        auto_adjustable=(),
    )
    variants = [settled]
    if settled.speculation is Speculation.AUTO:
        plain = msgspec.structs.replace(settled, speculation=Speculation.OFF, draft_path=None)
        heads = msgspec.structs.replace(settled, speculation=Speculation.MTP)
        variants = [heads, plain] if can_draft_itself(spec, settled) else [plain]
    if AutoAdjustable.SLOTS in requested.auto_adjustable and _slots_take_memory(spec, settled):
        variants.append(msgspec.structs.replace(settled, n_seq_max=1))
    if AutoAdjustable.CACHE_TYPE in requested.auto_adjustable and can_quantize_cache(requested):
        variants.append(with_quantized_cache(variants[-1]))
    if AutoAdjustable.CONTEXT in requested.auto_adjustable:
        variants += [
            msgspec.structs.replace(variants[-1], n_ctx=n_ctx) for n_ctx in _smaller_contexts(settled.n_ctx)
        ]
    placements = _placements(spec, requested, has_gpu=len(budgets) > 1)
    return tuple(_Level(options=options, placements=placements) for options in variants)


def can_draft_itself(spec: ModelSpec, options: LoadOptions) -> bool:
    """Return whether the model has heads for multi-token prediction, in its file or in another."""
    has_heads = spec.n_heads > 0 or options.draft_path is not None
    return has_heads and options.purpose is Purpose.GENERATE


def _slots_take_memory(spec: ModelSpec, options: LoadOptions) -> bool:
    """Whether several slots take more memory than one: each has its own windows and recurrent states."""
    has_own = not options.kv_unified or any(
        layer.window or layer.state_width for layer in layout_of(spec).layers
    )
    return options.n_seq_max > 1 and (has_own or n_kv_cells(options, n_ctx=options.n_ctx) > options.n_ctx)


def can_quantize_cache(options: LoadOptions) -> bool:
    """Return whether the KV cache is not quantized and can be, which needs flash attention."""
    is_unquantized = (
        options.cache_type_k in UNQUANTIZED_CACHE_TYPES and options.cache_type_v in UNQUANTIZED_CACHE_TYPES
    )
    return is_unquantized and options.flash_attn is not FlashAttention.OFF


def with_quantized_cache(options: LoadOptions) -> LoadOptions:
    """Return ``options`` with an 8-bit KV cache."""
    return msgspec.structs.replace(options, cache_type_k=CacheType.Q8_0, cache_type_v=CacheType.Q8_0)


def _smaller_contexts(n_ctx: int) -> list[int]:
    sizes = (int(n_ctx * step) // CONTEXT_GRAIN * CONTEXT_GRAIN for step in CONTEXT_STEPS)
    smaller = [size for size in sizes if SMALLEST_CONTEXT < size < n_ctx]
    return [*smaller, SMALLEST_CONTEXT] if n_ctx > SMALLEST_CONTEXT else []


def _placements(spec: ModelSpec, requested: LoadOptions, *, has_gpu: bool) -> tuple[tuple[int, int], ...]:
    layers = layout_of(spec).layers
    n_all = len(layers) + 1
    has_experts = any(layer.expert_bytes for layer in layers)
    if not has_gpu:
        return ((0, 0),)
    if requested.n_gpu_layers == GPU_LAYERS_AUTO:
        layer_counts = list(range(n_all, -1, -1))
    else:
        layer_counts = [min(requested.n_gpu_layers, n_all) if requested.n_gpu_layers >= 0 else n_all]
    if requested.n_cpu_moe != MOE_ON_CPU_AUTO:
        return tuple((n, min(requested.n_cpu_moe, len(layers))) for n in layer_counts)
    if not has_experts:
        return tuple((n, 0) for n in layer_counts)
    most = layer_counts[0]
    # With fewer layers on GPUs, the experts of the first layers are in RAM anyway.
    first = n_all - most
    by_experts = [(most, 0), *((most, n) for n in range(max(1, first), len(layers) + 1))]
    return (*by_experts, *((n, len(layers)) for n in layer_counts[1:]))


def _tensor_split(requested: LoadOptions, *, budgets: Sequence[DeviceBudget]) -> tuple[float, ...]:
    """Return each GPU's share by its free memory; explicit, so that the load uses the same."""
    gpus = budgets[1:]
    if len(gpus) < 2 or requested.split_mode is SplitMode.NONE:
        return ()
    if len(requested.tensor_split) == len(gpus) and any(requested.tensor_split):
        return requested.tensor_split
    usable = [budget.usable_bytes for budget in gpus]
    if not any(usable):
        return tuple(1.0 for _ in gpus)
    # Whole percents: free memory fluctuates a little, and measurements stay valid for equal shares.
    return tuple(float(round(100 * n_bytes / sum(usable))) for n_bytes in usable)


def smaller_options(placed: LoadOptions) -> LoadOptions | None:
    """Return options to offer the user instead of ``placed``, without automatic values; ``None`` if none.

    Half the layers on the GPU; without any there, an 8-bit KV cache, then half the context. It may change
    what the user set, so it is only offered.
    """
    if placed.n_gpu_layers > 0:
        return msgspec.structs.replace(placed, n_gpu_layers=placed.n_gpu_layers // 2)
    if can_quantize_cache(placed):
        return with_quantized_cache(placed)
    half = max(SMALLEST_CONTEXT, placed.n_ctx // 2 // CONTEXT_GRAIN * CONTEXT_GRAIN)
    return msgspec.structs.replace(placed, n_ctx=half) if half < placed.n_ctx else None


def smaller_layers(requested: LoadOptions, *, placed: LoadOptions) -> tuple[LoadOptions, ...]:
    """Return what to try automatically, in turn, after ``placed`` did not fit: half the layers, then none.

    Empty if the user set the layers, or none was on a GPU.
    """
    if requested.n_gpu_layers != GPU_LAYERS_AUTO or placed.n_gpu_layers <= 0:
        return ()
    layer_counts = sorted({placed.n_gpu_layers // 2, 0}, reverse=True)
    return tuple(msgspec.structs.replace(placed, n_gpu_layers=n) for n in layer_counts)
