"""Load nothing while a model is benchmarked; loaded models go on serving."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Final

from fireside.core.errors import EngineStopped, RequestError
from fireside.core.generation import WaitReason
from fireside.core.i18n import tr_noop
from fireside.engine.decisions import Decision, Evict, StartLoad, Wait

_BEHIND_LOADS: Final = frozenset({WaitReason.LOADING, WaitReason.ROOM})


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
        the engine is closed before the block starts, and ``tuning_refused`` if loads are frozen already, by
        another program that uses the engine.
        """
        if self._frozen_by:
            raise RequestError.of(
                "tuning_refused", reason=tr_noop("A benchmark is already running. Wait or cancel it.")
            )
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
        """Return ``decisions`` with each load, and each eviction for one, replaced by a wait.

        What would have waited for such a load waits for the benchmark, too.
        """
        if not self._frozen_by:
            return tuple(decisions)
        kept: list[Decision] = []
        is_holding = False
        for decision in decisions:
            is_for_load = isinstance(decision, StartLoad | Evict) and decision.pending is not None
            is_behind = isinstance(decision, Wait) and decision.waits_for in _BEHIND_LOADS
            is_holding = is_holding or is_for_load
            if is_for_load or (is_behind and is_holding):
                assert isinstance(decision, StartLoad | Evict | Wait)
                assert decision.pending is not None
                kept.append(
                    Wait(pending=decision.pending, waits_for=WaitReason.MEASURING, model=self._frozen_by)
                )
            else:
                kept.append(decision)
        return tuple(kept)
