"""Write states to the disk cache in a background thread."""

from __future__ import annotations

import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Final, NamedTuple

from fireside.runner.prompt_cache.disk_cache import DiskCache
from fireside.runner.prompt_cache.state_snapshot import StateSnapshot, Suspect, covers
from fireside.runner.tokens import Tokens, share_beginning

_DELAY_S: Final = 1.0
"""A conversation that continues at once is not written in between."""
_ABORT_S: Final = 0.2
_BYTES_PER_S: Final = 32 << 20
"""Limit for repeated writes of one conversation: solid-state disks wear out."""


class _Queued(NamedTuple):
    due_at: float
    snapshot: StateSnapshot


class DiskWriter:
    """Queue of snapshots to be written. ``enqueue`` and ``close`` may be called from any thread.

    Args:
        limit_bytes: how much may be queued; beyond that the oldest is dropped.
    """

    def __init__(
        self,
        disk: DiskCache,
        *,
        limit_bytes: int,
        clock: Callable[[], float] = time.monotonic,
        delay_s: float = _DELAY_S,
    ) -> None:
        self.disk = disk
        self._limit_bytes = limit_bytes
        self._clock = clock
        self._delay_s = delay_s
        self._changed = threading.Condition()
        self._queued: list[_Queued] = []
        self._writing: StateSnapshot | None = None
        self._is_dropped = False
        """Whether the snapshot that is being written was dropped meanwhile."""
        self._next_at: dict[str, float] = {}
        self._is_closing = False
        self._is_aborted = False
        self._thread: threading.Thread | None = None

    def enqueue(self, snapshot: StateSnapshot) -> None:
        """Queue ``snapshot`` in place of older ones that it covers. Ignored without an owner."""
        owner = snapshot.owner
        if owner is None:
            return
        with self._changed:
            if self._is_closing:
                return
            self._queued = [
                queued
                for queued in self._queued
                if queued.snapshot.owner != owner or not covers(snapshot.tokens, queued.snapshot.tokens)
            ]
            due_at = max(self._clock() + self._delay_s, self._next_at.get(owner, 0.0))
            self._queued.append(_Queued(due_at, snapshot))
            while len(self._queued) > 1 and self._n_queued_bytes > self._limit_bytes:
                self._queued.pop(0)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="state writer", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def drop(self, suspect: Suspect) -> None:
        """Drop queued snapshots covered by ``suspect``; one that is being written is deleted afterwards."""
        with self._changed:
            self._queued = [queued for queued in self._queued if not suspect.covers_snapshot(queued.snapshot)]
            if self._writing is not None and suspect.covers_snapshot(self._writing):
                self._is_dropped = True

    def has(self, tokens: Tokens, *, variant: str, n_missing: int) -> bool:
        """Whether a queued snapshot begins with ``tokens``, not counting the last ``n_missing``."""
        with self._changed:
            pending = [queued.snapshot for queued in self._queued]
            pending += [self._writing] if self._writing is not None else []
        return any(
            snapshot.variant == variant and share_beginning(snapshot.tokens, tokens, len(tokens) - n_missing)
            for snapshot in pending
        )

    @property
    def _n_queued_bytes(self) -> int:
        return sum(queued.snapshot.n_bytes for queued in self._queued)

    def close(self, *, timeout_s: float) -> bool:
        """Write the queue without delay, for at most ``timeout_s``; return whether all of it was written."""
        deadline = self._clock() + timeout_s
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
            thread = self._thread
        if thread is None:
            return True
        thread.join(max(0.0, deadline - self._clock()))
        self._is_aborted = True
        # It deletes the file that it has started, which takes little time.
        thread.join(_ABORT_S)
        return not thread.is_alive()

    def _run(self) -> None:
        while (snapshot := self._next()) is not None:
            try:
                self.disk.write(snapshot, should_continue=lambda: not (self._is_aborted or self._is_dropped))
            except Exception:  # noqa: BLE001  # a bug in one state must not end the writing of the others
                traceback.print_exc(file=sys.stderr)
            with self._changed:
                if self._is_dropped:
                    self.disk.discard(snapshot)
                    self._is_dropped = False
                self._writing = None
                if snapshot.owner is not None:
                    self._next_at[snapshot.owner] = self._clock() + snapshot.n_bytes / _BYTES_PER_S
                self._changed.notify_all()

    def _next(self) -> StateSnapshot | None:
        """Wait for the next snapshot that is due; ``None`` when closing and done."""
        with self._changed:
            while True:
                if self._is_closing and (self._is_aborted or not self._queued):
                    return None
                now = self._clock()
                due = [queued for queued in self._queued if self._is_closing or queued.due_at <= now]
                if due:
                    self._queued.remove(due[0])
                    self._writing = due[0].snapshot
                    return self._writing
                soonest = min((queued.due_at for queued in self._queued), default=None)
                self._next_at = {owner: next_at for owner, next_at in self._next_at.items() if next_at > now}
                self._changed.wait(None if soonest is None else soonest - now)
