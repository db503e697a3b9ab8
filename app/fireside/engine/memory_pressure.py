"""Notice that memory ran short beside a loaded model, or that it has become slow. Said once a load."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from fireside.core.shortfall import MIN_TOKENS, Pace, slowed, taken_by_others
from fireside.engine.decisions import Phase
from fireside.engine.host_info import HostProbe
from fireside.engine.memory_release import FreeOn
from fireside.engine.model_instance import ModelInstance
from fireside.engine.planning.buffer_usage import HOST, bytes_by_device
from fireside.engine.request_state import Generation

_REMEMBERED: Final = 8


class Shortages:
    """Looks at seats when it is told to. On the loop's thread only.

    Args:
        seats: all there are.
        on_short: called with a seat that has a new note; at most once for each load.
    """

    def __init__(
        self,
        *,
        probe: HostProbe,
        free_on: FreeOn,
        seats: Callable[[], Iterable[ModelInstance]],
        on_short: Callable[[ModelInstance], None],
    ) -> None:
        self._probe = probe
        self._free_on = free_on
        self._seats = seats
        self._on_short = on_short
        self._looking: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        """Nobody is told any more."""
        for task in self._looking:
            task.cancel()

    def begin(self, generation: Generation) -> None:
        """A request goes to its runner: those that are answered at once are no measure of a pace."""
        others = [other for seat in self._seats() for other in seat.active.values()]
        for each in (generation, *others) if others else ():
            each.was_alone = False

    def answered(self, seat: ModelInstance, generation: Generation) -> None:
        """An answer has ended: compare its pace with what is usual, and look at the memory."""
        self.look(seat)
        report = generation.report
        if report is None or not generation.was_alone or report.usage.n_completion < MIN_TOKENS:
            return
        if report.timings.decode_s <= 0:
            return
        pace = Pace(
            tokens_per_s=report.usage.n_completion / report.timings.decode_s,
            n_context=report.usage.n_prompt + report.usage.n_completion,
        )
        words = slowed(pace, usual=seat.paces)
        seat.paces = (*seat.paces, pace)[-_REMEMBERED:]
        if words:
            self._note(seat, words)

    def look(self, seat: ModelInstance) -> None:
        """Measure the memory beside a loaded model, behind what goes on."""
        if seat.is_short or not seat.rooms or seat.phase is not Phase.READY:
            return
        task = asyncio.get_running_loop().create_task(self._look(seat), name=f"memory beside {seat.name}")
        self._looking.add(task)
        task.add_done_callback(self._looking.discard)

    async def _look(self, seat: ModelInstance) -> None:
        if seat.session is None:
            return
        free = {HOST: self._probe().available_bytes, **await self._free_on(seat.session.devices)}
        now = tuple(
            msgspec.structs.replace(room, free_bytes=free[room.device])
            for room in seat.rooms
            if room.device in free
        )
        # What was loaded before is missing in the rooms already.
        own = Counter[str]()
        for each in self._seats():
            if each is seat or each.ready_at >= seat.ready_at:
                own.update(_held(each))
        for missing in taken_by_others(seat.rooms, now, own_bytes=own):
            self._note(seat, missing.words)

    def _note(self, seat: ModelInstance, words: str) -> None:
        if seat.phase is Phase.READY and not seat.is_short:
            seat.is_short, seat.note = True, words
            self._on_short(seat)


def _held(seat: ModelInstance) -> dict[str, int]:
    held = bytes_by_device(seat.uses)
    private = seat.session.private_bytes() if seat.session is not None else None
    if private is not None:
        # Exact, and without the pages of the file, which count as free.
        held[HOST] = private
    return held
