"""Wait until the memory of an unloaded model is free again.

The system frees a process's own memory before it reports the exit. A driver frees device memory some time
later, and a model that is loaded meanwhile finds too little.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

import msgspec

from fireside.core.status import Device, LoadedModel
from fireside.engine.clock import Clock

MIN_AWAITED_BYTES: Final = 64 * 1024 * 1024
"""Less than this cannot be told from what other programs allocate and free."""
RELEASED_SHARE: Final = 0.5
"""Part of the model's memory that must be free again; other programs allocate at the same time."""
POLL_INTERVAL_S: Final = 0.05
LIMIT_S: Final = 3.0
"""A slower driver is not waited for."""


FreeMemoryProbe = Callable[[Sequence[Device]], Awaitable[Mapping[str, int]]]
"""Returns the free bytes of devices by name, without those that only a runner can measure."""


async def unknown_free_memory(_devices: Sequence[Device]) -> Mapping[str, int]:
    """Return nothing: a ``FreeMemoryProbe`` for a computer whose drivers report no memory."""
    return {}


class ExpectedMemory(msgspec.Struct, frozen=True, kw_only=True):
    """Free bytes to wait for, by device."""

    free_bytes: Mapping[str, int]

    def is_reached(self, free_memory: Mapping[str, int]) -> bool:
        """Whether so much is free; a device that is no longer measured is not waited for."""
        return all(free_memory.get(name, goal) >= goal for name, goal in self.free_bytes.items())


def expected_after(loaded: LoadedModel, *, free_memory: Mapping[str, int]) -> ExpectedMemory:
    """Return what should be free after an unload, from ``free_memory`` measured before it."""
    held: Counter[str] = Counter()
    for report in loaded.memory:
        held[report.buffer] += report.weights_bytes + report.kv_bytes + report.compute_bytes
    return ExpectedMemory(
        free_bytes={
            name: free_bytes + int(held[name] * RELEASED_SHARE)
            for name, free_bytes in free_memory.items()
            if held[name] >= MIN_AWAITED_BYTES
        }
    )


async def wait_for_release(
    expected: ExpectedMemory, *, devices: Sequence[Device], free_memory: FreeMemoryProbe, clock: Clock
) -> bool:
    """Wait until ``expected`` is free and return True; return False after ``LIMIT_S``."""
    until = clock.now() + LIMIT_S
    while not expected.is_reached(await free_memory(devices)):
        if clock.now() >= until:
            return False
        due = asyncio.Event()
        timer = clock.call_at(clock.now() + POLL_INTERVAL_S, due.set)
        try:
            await due.wait()
        finally:
            timer.cancel()
    return True
