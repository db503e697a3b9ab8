"""Wait until the memory of a model that was unloaded has really come back."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from fireside.core.status import LoadedModel
from fireside.engine.clock import Clock
from fireside.engine.host import Host, HostProbe

HOST: Final = ""
"""Stands for the computer's own memory among the names of devices."""
WORTH_WAITING_BYTES: Final = 64 * 1024 * 1024
"""What a device holds less of comes back unnoticed among everything else."""
SHARE_BACK: Final = 0.5
"""Of what the model held; other programs take and give memory at the same time."""
LOOK_EVERY_S: Final = 0.05
LIMIT_S: Final = 3.0
"""A driver that takes longer is not waited for."""


class Expected(msgspec.Struct, frozen=True, kw_only=True):
    """Free bytes by device that are to be reached again."""

    free_bytes: Mapping[str, int]

    def is_reached(self, host: Host) -> bool:
        """Whether all is back; a device that is not measured any more is not waited for."""
        free = _free(host)
        return all(free.get(name, goal) >= goal for name, goal in self.free_bytes.items())


def expected_after(loaded: LoadedModel, *, is_mapped: bool, host: Host) -> Expected:
    """Return what will be free once a model has gone that is still there in ``host``.

    ``is_mapped`` says that its weights in the computer's memory are pages of its file, which never counted
    as taken.
    """
    held = _held(loaded, is_mapped=is_mapped, devices=tuple(host.free_on))
    free = _free(host)
    return Expected(
        free_bytes={
            name: free[name] + int(n_bytes * SHARE_BACK)
            for name, n_bytes in held.items()
            if n_bytes >= WORTH_WAITING_BYTES and name in free
        }
    )


async def memory_returned(expected: Expected, *, probe: HostProbe, clock: Clock) -> bool:
    """Return once all is back, True, or after ``LIMIT_S`` at the latest, False."""
    until = clock.now() + LIMIT_S
    while not expected.is_reached(probe()):
        if clock.now() >= until:
            return False
        looked = asyncio.Event()
        timer = clock.call_at(clock.now() + LOOK_EVERY_S, looked.set)
        try:
            await looked.wait()
        finally:
            timer.cancel()
    return True


def _free(host: Host) -> dict[str, int]:
    return {HOST: host.available_bytes, **host.free_on}


def _held(loaded: LoadedModel, *, is_mapped: bool, devices: Sequence[str]) -> dict[str, int]:
    held: defaultdict[str, int] = defaultdict(int)
    for report in loaded.memory:
        if report.buffer in devices:
            held[report.buffer] += report.weights_bytes + report.kv_bytes + report.compute_bytes
        elif report.buffer.startswith("CPU"):
            weights = 0 if is_mapped and report.buffer == "CPU" else report.weights_bytes
            held[HOST] += weights + report.kv_bytes + report.compute_bytes
    return dict(held)
