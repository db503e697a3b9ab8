"""Wait until the memory of a model that was unloaded has really come back.

The system takes a process's own memory back before it says that the process has ended. A driver takes that of
its device back when it comes to it, and a model that is loaded meanwhile finds too little.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

import msgspec

from fireside.core.status import Device, LoadedModel
from fireside.engine.clock import Clock

WORTH_WAITING_BYTES: Final = 64 * 1024 * 1024
"""What a device holds less of comes back unnoticed among everything else."""
SHARE_BACK: Final = 0.5
"""Of what the model held; other programs take and give memory at the same time."""
LOOK_EVERY_S: Final = 0.05
LIMIT_S: Final = 3.0
"""A driver that takes longer is not waited for."""


FreeOn = Callable[[Sequence[Device]], Awaitable[Mapping[str, int]]]
"""Measures the free bytes of devices by name; those are missing that only a runner can tell about."""


async def unknown_free_memory(_devices: Sequence[Device]) -> Mapping[str, int]:
    """Measure nothing: a ``FreeOn`` for a computer without drivers that can be asked."""
    return {}


class ExpectedMemory(msgspec.Struct, frozen=True, kw_only=True):
    """Free bytes by device that are to be reached again."""

    free_bytes: Mapping[str, int]

    def is_reached(self, free_on: Mapping[str, int]) -> bool:
        """Whether all is back; a device that is not measured any more is not waited for."""
        return all(free_on.get(name, goal) >= goal for name, goal in self.free_bytes.items())


def expected_after(loaded: LoadedModel, *, free_on: Mapping[str, int]) -> ExpectedMemory:
    """Return what will be free once a model has gone that was there when ``free_on`` was measured."""
    held: Counter[str] = Counter()
    for report in loaded.memory:
        held[report.buffer] += report.weights_bytes + report.kv_bytes + report.compute_bytes
    return ExpectedMemory(
        free_bytes={
            name: free_bytes + int(held[name] * SHARE_BACK)
            for name, free_bytes in free_on.items()
            if held[name] >= WORTH_WAITING_BYTES
        }
    )


async def memory_returned(
    expected: ExpectedMemory, *, devices: Sequence[Device], free_on: FreeOn, clock: Clock
) -> bool:
    """Return once all is back, True, or after ``LIMIT_S`` at the latest, False."""
    until = clock.now() + LIMIT_S
    while not expected.is_reached(await free_on(devices)):
        if clock.now() >= until:
            return False
        looked = asyncio.Event()
        timer = clock.call_at(clock.now() + LOOK_EVERY_S, looked.set)
        try:
            await looked.wait()
        finally:
            timer.cancel()
    return True
