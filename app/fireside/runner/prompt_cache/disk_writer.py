"""Write states to disk in a thread of its own, when there is time."""

from __future__ import annotations

import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Final, NamedTuple

from fireside.runner.prompt_cache.disk_cache import DiskCache
from fireside.runner.prompt_cache.state_snapshot import Snapshot, Suspect, covers
from fireside.runner.tokens import Tokens, share_beginning

_DELAY_S: Final = 1.0
"""A conversation that goes on at once is not written in between."""
_GIVING_UP_S: Final = 0.2
_BYTES_PER_S: Final = 32 << 20
"""How fast one conversation may be written again and again: solid-state disks wear out."""


class _Waiting(NamedTuple):
    due_at: float
    snapshot: Snapshot


class DiskWriter:
    """Snapshots on their way to the disk. ``put`` and ``close`` may be called from any thread.

    Args:
        limit_bytes: how much may wait; beyond, the oldest is given up.
    """

    def __init__(
        self,
        disk: DiskCache,
        *,
        limit_bytes: int,
        clock: Callable[[], float] = time.monotonic,
        delay_s: float = _DELAY_S,
    ) -> None:
        self._disk = disk
        self._limit_bytes = limit_bytes
        self._clock = clock
        self._delay_s = delay_s
        self._changed = threading.Condition()
        self._waiting: list[_Waiting] = []
        self._writing: Snapshot | None = None
        self._is_dropped = False
        """Whether what is being written is not wanted any more."""
        self._next_at: dict[str, float] = {}
        self._is_closing = False
        self._gives_up = False
        self._thread: threading.Thread | None = None

    def put(self, snapshot: Snapshot) -> None:
        """Let ``snapshot`` be written soon, in place of older ones that it covers. Needs an owner."""
        owner = snapshot.owner
        if owner is None:
            return
        with self._changed:
            if self._is_closing:
                return
            self._waiting = [
                each
                for each in self._waiting
                if each.snapshot.owner != owner or not covers(snapshot.tokens, each.snapshot.tokens)
            ]
            due_at = max(self._clock() + self._delay_s, self._next_at.get(owner, 0.0))
            self._waiting.append(_Waiting(due_at, snapshot))
            while len(self._waiting) > 1 and self._n_waiting_bytes > self._limit_bytes:
                self._waiting.pop(0)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="state writer", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def drop(self, suspect: Suspect) -> None:
        """Write nothing of what is suspect; what is being written of it is deleted once it is there."""
        with self._changed:
            self._waiting = [each for each in self._waiting if not suspect.covers_snapshot(each.snapshot)]
            if self._writing is not None and suspect.covers_snapshot(self._writing):
                self._is_dropped = True

    def has(self, tokens: Tokens, *, variant: str, n_missing: int) -> bool:
        """Whether a snapshot that begins with ``tokens``, but for the last few, is on its way."""
        with self._changed:
            on_their_way = [each.snapshot for each in self._waiting]
            on_their_way += [self._writing] if self._writing is not None else []
        return any(
            snapshot.variant == variant and share_beginning(snapshot.tokens, tokens, len(tokens) - n_missing)
            for snapshot in on_their_way
        )

    @property
    def _n_waiting_bytes(self) -> int:
        return sum(each.snapshot.n_bytes for each in self._waiting)

    def close(self, *, within_s: float) -> bool:
        """Write what waits without delay, at most for so long; true if all of it was written."""
        deadline = self._clock() + within_s
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
            thread = self._thread
        if thread is None:
            return True
        thread.join(max(0.0, deadline - self._clock()))
        self._gives_up = True
        # It deletes what it has begun, which is soon done.
        thread.join(_GIVING_UP_S)
        return not thread.is_alive()

    def _run(self) -> None:
        while (snapshot := self._next()) is not None:
            try:
                self._disk.write(snapshot, goes_on=lambda: not (self._gives_up or self._is_dropped))
            except Exception:  # noqa: BLE001  # a bug in one state must not end the writing of the others
                traceback.print_exc(file=sys.stderr)
            with self._changed:
                if self._is_dropped:
                    self._disk.distrust(snapshot)
                    self._is_dropped = False
                self._writing = None
                if snapshot.owner is not None:
                    self._next_at[snapshot.owner] = self._clock() + snapshot.n_bytes / _BYTES_PER_S
                self._changed.notify_all()

    def _next(self) -> Snapshot | None:
        """Wait for the next snapshot that is due; ``None`` when all is done."""
        with self._changed:
            while True:
                if self._is_closing and (self._gives_up or not self._waiting):
                    return None
                now = self._clock()
                due = [each for each in self._waiting if self._is_closing or each.due_at <= now]
                if due:
                    self._waiting.remove(due[0])
                    self._writing = due[0].snapshot
                    return self._writing
                soonest = min((each.due_at for each in self._waiting), default=None)
                self._next_at = {owner: at for owner, at in self._next_at.items() if at > now}
                self._changed.wait(None if soonest is None else soonest - now)
