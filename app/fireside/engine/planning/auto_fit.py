"""Find the best way to load a model into the memory that is free: a pure search over what loads take.

What is given up for want of room, in this order: experts on the GPU, layers on the GPU, parallel answers,
16-bit numbers of the context, and the context's length. What the user chose is kept, and the rest fitted
around it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from fireside.core.attention import UNQUANTIZED_CACHE_TYPES
from fireside.core.context_cells import n_kv_cells
from fireside.core.model import ModelSpec
from fireside.core.options import (
    GPU_LAYERS_AUTO,
    MOE_ON_CPU_AUTO,
    AutoAdjustable,
    CacheType,
    FlashAttention,
    LoadOptions,
    SplitMode,
)
from fireside.core.plan import DeviceBudget, MemoryUse
from fireside.engine.planning.buffer_usage import HOST, bytes_by_device
from fireside.engine.planning.memory_estimate import layout_of, n_ctx_for

SMALLEST_CONTEXT: Final = 2048
"""A context is never made smaller than this, in tokens: a conversation that fits in less is none."""
CONTEXT_STEPS: Final = (0.75, 0.5, 0.375, 0.25, 0.1875, 0.125, 0.0625, 0.03125)
"""What is tried of the context that was wanted."""
_CONTEXT_GRAIN: Final = 256
MAX_MEASURED: Final = 6
"""Dry runs that one search may take; two are usual."""

Measure = Callable[[LoadOptions], "tuple[MemoryUse, ...] | None"]
"""Returns what a load takes, all numbers decided; ``None`` where that cannot be told."""


class Fitted(msgspec.Struct, frozen=True, kw_only=True):
    """The best way that was found."""

    options: LoadOptions
    uses: tuple[MemoryUse, ...]
    fits: bool
    is_exact: bool


class _Level(msgspec.Struct, frozen=True, kw_only=True):
    """Options but for the places, and the places to try, from the best to what takes least of GPUs."""

    options: LoadOptions
    places: tuple[tuple[int, int], ...]
    """Layers on GPUs, and layers whose experts stay behind."""

    def at(self, index: int) -> LoadOptions:
        n_gpu_layers, n_cpu_moe = self.places[index]
        return msgspec.structs.replace(self.options, n_gpu_layers=n_gpu_layers, n_cpu_moe=n_cpu_moe)


def fit_load(
    spec: ModelSpec,
    wanted: LoadOptions,
    *,
    rooms: Sequence[DeviceBudget],
    n_cores: int,
    estimate: Measure,
    measure: Measure | None = None,
) -> Fitted:
    """Return how to load ``spec`` with ``wanted``; all numbers of the options are decided.

    Args:
        rooms: the computer's own memory first, then the GPUs that may be used, in llama.cpp's order.
        n_cores: physical ones, of the fastest kind.
        estimate: quick and near.
        measure: exact; asked a few times. Without it, or where it cannot tell, the estimate must do.
    """
    search = _Search(_levels(spec, wanted, rooms=rooms, n_cores=n_cores), rooms=rooms, estimate=estimate)
    found = search.best()
    if measure is None:
        return found
    for _ in range(MAX_MEASURED):
        if found.is_exact:
            return found
        uses = measure(found.options)
        if uses is None:
            return found
        search.learn(found.options, uses)
        found = search.best()
    return found if found.is_exact else search.best_known(found)


def has_room(uses: Sequence[MemoryUse], *, rooms: Sequence[DeviceBudget]) -> bool:
    """Say whether ``uses`` fit everywhere."""
    sums = bytes_by_device(uses)
    return not _lacks_on_gpus(sums, rooms) and not _lacks_in_host(sums, rooms)


def _lacks_on_gpus(sums: Mapping[str, int], rooms: Sequence[DeviceBudget]) -> bool:
    return any(sums.get(room.device, 0) > room.usable_bytes for room in rooms[1:])


def _lacks_in_host(sums: Mapping[str, int], rooms: Sequence[DeviceBudget]) -> bool:
    shared = sum(sums.get(room.device, 0) for room in rooms[1:] if room.shares_memory)
    return sums.get(HOST, 0) + shared > rooms[0].usable_bytes


class _Search:
    """Looks for the first level and the first place in it that fit, with what is known so far."""

    def __init__(self, levels: Sequence[_Level], *, rooms: Sequence[DeviceBudget], estimate: Measure) -> None:
        self._levels = levels
        self._rooms = rooms
        self._estimate = estimate
        self._known: dict[LoadOptions, tuple[MemoryUse, ...]] = {}
        self._offsets: dict[str, int] = {}
        """What the estimate lacks on each device, by the last measurement."""

    def learn(self, options: LoadOptions, uses: tuple[MemoryUse, ...]) -> None:
        """Take over what was measured."""
        self._known[options] = uses
        measured, estimated = bytes_by_device(uses), bytes_by_device(self._estimate(options) or ())
        # Where nothing is put, nothing can be learnt.
        self._offsets |= {device: n - estimated.get(device, 0) for device, n in measured.items()}

    def best(self) -> Fitted:
        """Return the best that fits by what is known; the smallest of all where nothing does."""
        options = self._levels[-1].at(-1)
        for level in self._levels:
            index = self._first_with_room(level)
            options = level.at(min(index, len(level.places) - 1))
            if index < len(level.places) and not _lacks_in_host(self._sums(options), self._rooms):
                return self._fitted(options, fits=True)
        return self._fitted(options, fits=False)

    def best_known(self, otherwise: Fitted) -> Fitted:
        """Return the best that was measured and fits, where measuring came to no end."""
        for level in self._levels:
            for index in range(len(level.places)):
                uses = self._known.get(level.at(index))
                if uses is not None and has_room(uses, rooms=self._rooms):
                    return self._fitted(level.at(index), fits=True)
        return otherwise

    def _first_with_room(self, level: _Level) -> int:
        """Return the best place that GPUs have room for; each takes no more of them than the one before."""

        def has_room_at(index: int) -> bool:
            return not self._lacks_gpus(level.at(index))

        return bisect_left(range(len(level.places)), True, key=has_room_at)

    def _lacks_gpus(self, options: LoadOptions) -> bool:
        return _lacks_on_gpus(self._sums(options), self._rooms)

    def _sums(self, options: LoadOptions) -> dict[str, int]:
        known = self._known.get(options)
        if known is not None:
            return bytes_by_device(known)
        sums = bytes_by_device(self._estimate(options) or ())
        return {device: n + self._offsets.get(device, 0) for device, n in sums.items()}

    def _fitted(self, options: LoadOptions, *, fits: bool) -> Fitted:
        known = self._known.get(options)
        uses = known if known is not None else (self._estimate(options) or ())
        return Fitted(options=options, uses=uses, fits=fits, is_exact=known is not None)


def _levels(
    spec: ModelSpec, wanted: LoadOptions, *, rooms: Sequence[DeviceBudget], n_cores: int
) -> tuple[_Level, ...]:
    settled = msgspec.structs.replace(
        wanted,
        n_ctx=n_ctx_for(spec, wanted),
        n_threads=wanted.n_threads or min(n_cores, len(wanted.cpus) or n_cores),
        tensor_split=_shares(wanted, rooms=rooms),
        auto_adjustable=(),
    )
    variants = [settled]
    if AutoAdjustable.SLOTS in wanted.auto_adjustable and _slots_take_memory(spec, settled):
        variants.append(msgspec.structs.replace(settled, n_seq_max=1))
    if _may_shrink_numbers(wanted):
        small = msgspec.structs.replace(
            variants[-1], cache_type_k=CacheType.Q8_0, cache_type_v=CacheType.Q8_0
        )
        variants.append(small)
    if AutoAdjustable.CONTEXT in wanted.auto_adjustable:
        variants += [
            msgspec.structs.replace(variants[-1], n_ctx=n_ctx) for n_ctx in _smaller_contexts(settled.n_ctx)
        ]
    places = _places(spec, wanted, has_gpu=len(rooms) > 1)
    return tuple(_Level(options=options, places=places) for options in variants)


def _slots_take_memory(spec: ModelSpec, options: LoadOptions) -> bool:
    """Whether several slots take more than one: each has windows and running states of its own."""
    has_own = not options.kv_unified or any(
        layer.window or layer.state_width for layer in layout_of(spec).layers
    )
    return options.n_seq_max > 1 and (has_own or n_kv_cells(options, n_ctx=options.n_ctx) > options.n_ctx)


def _may_shrink_numbers(wanted: LoadOptions) -> bool:
    is_plain = (
        wanted.cache_type_k in UNQUANTIZED_CACHE_TYPES and wanted.cache_type_v in UNQUANTIZED_CACHE_TYPES
    )
    return (
        AutoAdjustable.CACHE_TYPE in wanted.auto_adjustable
        and is_plain
        and wanted.flash_attn is not FlashAttention.OFF
    )


def _smaller_contexts(n_ctx: int) -> list[int]:
    sizes = (int(n_ctx * step) // _CONTEXT_GRAIN * _CONTEXT_GRAIN for step in CONTEXT_STEPS)
    smaller = [size for size in sizes if SMALLEST_CONTEXT < size < n_ctx]
    return [*smaller, SMALLEST_CONTEXT] if n_ctx > SMALLEST_CONTEXT else []


def _places(spec: ModelSpec, wanted: LoadOptions, *, has_gpu: bool) -> tuple[tuple[int, int], ...]:
    layers = layout_of(spec).layers
    n_all = len(layers) + 1
    has_experts = any(layer.expert_bytes for layer in layers)
    n_chosen = wanted.n_cpu_moe
    if not has_gpu:
        return ((0, 0),)
    if wanted.n_gpu_layers == GPU_LAYERS_AUTO:
        numbers = list(range(n_all, -1, -1))
    else:
        numbers = [min(wanted.n_gpu_layers, n_all) if wanted.n_gpu_layers >= 0 else n_all]
    if n_chosen != MOE_ON_CPU_AUTO:
        return tuple((number, min(n_chosen, len(layers))) for number in numbers)
    if not has_experts:
        return tuple((number, 0) for number in numbers)
    most = numbers[0]
    # With fewer layers on GPUs the experts of the first are in the computer's memory anyway.
    first = n_all - most
    by_experts = [(most, 0), *((most, n) for n in range(max(1, first), len(layers) + 1))]
    return (*by_experts, *((number, len(layers)) for number in numbers[1:]))


def _shares(wanted: LoadOptions, *, rooms: Sequence[DeviceBudget]) -> tuple[float, ...]:
    """Return each GPU's share, by what it has free; said outright, so that it is the same at the load."""
    gpus = rooms[1:]
    if len(gpus) < 2 or wanted.split_mode is SplitMode.NONE:
        return ()
    if len(wanted.tensor_split) == len(gpus) and any(wanted.tensor_split):
        return wanted.tensor_split
    usable = [room.usable_bytes for room in gpus]
    if not any(usable):
        return tuple(1.0 for _ in gpus)
    # Whole percents: free memory flickers, and what was measured before a flicker holds after it.
    return tuple(float(round(100 * n_bytes / sum(usable))) for n_bytes in usable)
