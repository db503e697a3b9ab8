"""Load nothing while a model is benchmarked; loaded models go on serving."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterable

from fireside.core.errors import EngineStopped, TuningRefused
from fireside.core.generation import WaitReason
from fireside.core.i18n import tr_noop
from fireside.engine.decisions import Decision, Evict, Load, Wait


class LoadFreeze:
    """Holds back loads while a model is benchmarked. On the loop's thread.

    Args:
        is_quiet: returns whether no model is being loaded or unloaded.
        on_end: called when the loads that were held back may be decided again.
    """

    def __init__(self, *, is_quiet: Callable[[], bool], on_end: Callable[[], None]) -> None:
        self._is_quiet = is_quiet
        self._on_end = on_end
        self._frozen_by = ""
        self._waiting: list[asyncio.Future[None]] = []

    @contextlib.asynccontextmanager
    async def freeze(self, name: str) -> AsyncIterator[None]:
        """Load nothing while the block runs; it starts once loads and unloads in progress have ended.

        Requests for other models wait meanwhile, for the benchmark of ``name``. Raises ``EngineStopped`` if
        the engine is closed before the block starts, and ``TuningRefused`` if loads are frozen already, by
        another program that uses the engine.
        """
        if self._frozen_by:
            raise TuningRefused(reason=tr_noop("A benchmark is already running. Wait or cancel it."))
        self._frozen_by = name
        try:
            while not self._is_quiet():
                changed = asyncio.get_running_loop().create_future()
                self._waiting.append(changed)
                await changed
            yield
        finally:
            self._frozen_by = ""
            self._on_end()

    def check(self) -> None:
        """Let a block that waits to start check again: something changed."""
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)

    def close(self) -> None:
        """Fail the blocks that wait to start with ``EngineStopped``."""
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_exception(EngineStopped())

    def hold_loads(self, decisions: Iterable[Decision]) -> tuple[Decision, ...]:
        """Return ``decisions`` with each load, and each eviction for one, replaced by a wait."""
        return tuple(map(self._hold, decisions)) if self._frozen_by else tuple(decisions)

    def _hold(self, decision: Decision) -> Decision:
        if isinstance(decision, Load) or (isinstance(decision, Evict) and decision.pending is not None):
            assert decision.pending is not None
            return Wait(pending=decision.pending, waits_for=WaitReason.MEASURING, model=self._frozen_by)
        return decision
