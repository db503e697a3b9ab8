"""Wait until the memory of an unloaded model is free again.

The system frees a process's own memory before it reports the exit. A driver frees device memory some time
later, and a model that is loaded meanwhile finds too little.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Final

import msgspec

from fireside.core.shortfall import MIN_TOKENS, Pace, memory_taken_by_others, slowdown_message
from fireside.core.status import Device, LoadedModel
from fireside.engine.clock import Clock
from fireside.engine.decisions import Phase
from fireside.engine.host_info import HostProbe
from fireside.engine.model_instance import ModelInstance
from fireside.engine.planning.buffer_usage import HOST, bytes_by_device
from fireside.engine.request_state import RequestState

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


# Detect that other programs have taken a loaded model's memory, or that it has become slow


_MAX_PACES: Final = 8


class MemoryPressure:
    """Checks instances when it is called, and reports each at most once per load. On the loop's thread only.

    Args:
        instances: returns all instances.
        on_short: called with an instance that has a new note.
    """

    def __init__(
        self,
        *,
        probe: HostProbe,
        free_memory: FreeMemoryProbe,
        instances: Callable[[], Iterable[ModelInstance]],
        on_short: Callable[[ModelInstance], None],
    ) -> None:
        self._probe = probe
        self._free_on = free_memory
        self._instances = instances
        self._on_short = on_short
        self._checks: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        """Cancel the checks that run."""
        for task in self._checks:
            task.cancel()

    def request_started(self, generation: RequestState) -> None:
        """Mark requests that run at the same time: their speed says nothing about memory."""
        others = [other for instance in self._instances() for other in instance.active.values()]
        for each in (generation, *others) if others else ():
            each.was_alone = False

    def request_finished(self, instance: ModelInstance, generation: RequestState) -> None:
        """Compare the speed of a finished answer with that of earlier ones, and check the memory."""
        self.check(instance)
        report = generation.report
        if report is None or not generation.was_alone or report.usage.n_completion < MIN_TOKENS:
            return
        if report.timings.decode_s <= 0:
            return
        pace = Pace(
            tokens_per_s=report.usage.n_completion / report.timings.decode_s,
            n_context=report.usage.n_prompt + report.usage.n_completion,
        )
        message = slowdown_message(pace, usual=instance.paces)
        instance.paces = (*instance.paces, pace)[-_MAX_PACES:]
        if message:
            self._note(instance, message)

    def check(self, instance: ModelInstance) -> None:
        """Start a check of the memory that other programs leave a loaded model."""
        if instance.is_short or not instance.budgets or instance.phase is not Phase.READY:
            return
        task = asyncio.get_running_loop().create_task(
            self._check(instance), name=f"memory check of {instance.name}"
        )
        self._checks.add(task)
        task.add_done_callback(self._checks.discard)

    async def _check(self, instance: ModelInstance) -> None:
        if instance.session is None:
            return
        free = {HOST: self._probe().available_bytes, **await self._free_on(instance.session.devices)}
        now = tuple(
            msgspec.structs.replace(budget, free_bytes=free[budget.device])
            for budget in instance.budgets
            if budget.device in free
        )
        # What was loaded before it was not available when its load was planned.
        own = Counter[str]()
        for each in self._instances():
            if each is instance or each.ready_at >= instance.ready_at:
                own.update(_bytes_used(each))
        for missing in memory_taken_by_others(instance.budgets, now, own_bytes=own):
            self._note(instance, missing.text)

    def _note(self, instance: ModelInstance, message: str) -> None:
        if instance.phase is Phase.READY and not instance.is_short:
            instance.is_short, instance.note = True, message
            self._on_short(instance)


def _bytes_used(instance: ModelInstance) -> dict[str, int]:
    n_bytes = bytes_by_device(instance.uses)
    private_bytes = instance.session.private_bytes() if instance.session is not None else None
    if private_bytes is not None:
        # Exact, and without the pages of the file, which count as free.
        n_bytes[HOST] = private_bytes
    return n_bytes
