"""Decide when events and replies leave for the window: at most once a frame, never while it is busy."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from fireside.bridge.coalescer import Coalescer, FrameItem

FRAME_S = 1 / 60
"""Shortest time between two frames. Faster updates cost the window more than a reader gains."""
LONGEST_S = 0.25
COST_FACTOR = 3
"""The next frame comes no sooner than this many times what the last one cost the window, up to
``LONGEST_S``: between two updates the window has time for its user."""


class FramePump:
    """Deliver events and replies as frames. Lives on the engine thread's loop; every method is called there.

    The one clock by which text is written and shown: a writer that has text to save waits for ``next_frame``.

    One queue for both: a reply arrives after the events that came before it and before those that follow. The
    first event after a quiet moment leaves at once, so a single token is not held for a frame; so does what
    has a reply in it. Until the window acknowledges a frame the next one waits and grows: a busy window gets
    fewer, larger frames instead of a backlog.
    """

    def __init__(
        self, *, loop: asyncio.AbstractEventLoop, deliver: Callable[[tuple[FrameItem, ...]], None]
    ) -> None:
        self._loop = loop
        self._deliver = deliver
        self._coalescer = Coalescer()
        self._interval_s = FRAME_S
        self._last_frame_at = -LONGEST_S
        self._last_due_at = -FRAME_S
        self._timer: asyncio.TimerHandle | None = None
        self._in_flight = False
        self._is_closed = False

    def add(self, item: FrameItem) -> None:
        """Take an event, which leaves with this frame or the next, or a reply, which waits for none."""
        self._coalescer.add(item)
        if self._is_closed:
            self._deliver(self._coalescer.drain())
        else:
            self._schedule()

    async def next_frame(self) -> None:
        """Return when a frame is due, whatever the window is doing: what is reported then leaves with it."""
        due_at = max(self._last_frame_at, self._last_due_at) + FRAME_S
        if (wait_s := due_at - self._loop.time()) > 0:
            await asyncio.sleep(wait_s)
        self._last_due_at = self._loop.time()

    def acknowledge(self, *, cost_s: float = 0.0) -> None:
        """The window has handled the last frame, which took it ``cost_s``."""
        self._in_flight = False
        self._interval_s = max(FRAME_S, min(LONGEST_S, COST_FACTOR * cost_s))
        self._schedule()

    def close(self) -> None:
        """Deliver what is left, whatever the window is doing, and what comes from now on at once."""
        self._is_closed = True
        self._stop_timer()
        if self._coalescer:
            self._deliver(self._coalescer.drain())

    def _schedule(self) -> None:
        if self._in_flight or not self._coalescer:
            return
        wait_s = self._last_frame_at + self._interval_s - self._loop.time()
        if wait_s <= 0 or self._coalescer.has_reply:
            self._send()
        elif self._timer is None:
            self._timer = self._loop.call_later(wait_s, self._on_timer)

    def _on_timer(self) -> None:
        self._timer = None
        self._schedule()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _send(self) -> None:
        self._stop_timer()
        self._last_frame_at = self._loop.time()
        self._in_flight = True
        self._deliver(self._coalescer.drain())
