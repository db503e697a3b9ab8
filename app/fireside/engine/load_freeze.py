"""Load nothing while a model is measured; what is loaded goes on."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterable

from fireside.core.errors import EngineStopped, TuningRefused
from fireside.core.generation import WaitsFor
from fireside.core.i18n import tr_noop
from fireside.engine.decisions import Decision, Evict, Load, Wait


class LoadFreeze:
    """Holds loads back while a model is measured. On the loop's thread.

    Args:
        is_quiet: tells whether nothing is being loaded or unloaded.
        on_over: called when what was held back may be decided again.
    """

    def __init__(self, *, is_quiet: Callable[[], bool], on_over: Callable[[], None]) -> None:
        self._is_quiet = is_quiet
        self._on_over = on_over
        self._measured = ""
        self._waiting: list[asyncio.Future[None]] = []

    @contextlib.asynccontextmanager
    async def measuring(self, name: str) -> AsyncIterator[None]:
        """Load nothing while the block runs; what begins to load comes first.

        Who wants another model meanwhile waits, and is told that ``name`` is being measured. Raises
        ``EngineStopped`` where the engine ends before the block begins, and ``TuningRefused`` where another
        program that uses the engine measures.
        """
        if self._measured:
            raise TuningRefused(reason=tr_noop("A benchmark is already running. Wait or cancel it."))
        self._measured = name
        try:
            while not self._is_quiet():
                changed = asyncio.get_running_loop().create_future()
                self._waiting.append(changed)
                await changed
            yield
        finally:
            self._measured = ""
            self._on_over()

    def check(self) -> None:
        """Something changed: let the measurements that wait for quiet look again."""
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)

    def close(self) -> None:
        """End the waits with ``EngineStopped``."""
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_exception(EngineStopped())

    def with_loads_held(self, decisions: Iterable[Decision]) -> tuple[Decision, ...]:
        """Return ``decisions``, with a wait for each load, and each eviction that makes room for one."""
        return tuple(map(self._held, decisions)) if self._measured else tuple(decisions)

    def _held(self, decision: Decision) -> Decision:
        if isinstance(decision, Load) or (isinstance(decision, Evict) and decision.pending is not None):
            assert decision.pending is not None
            return Wait(pending=decision.pending, waits_for=WaitsFor.MEASURING, model=self._measured)
        return decision
