"""Decide when events and replies leave for the window: at most once a frame, never while it is busy."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from fireside.bridge.coalescer import Coalescer, FrameItem

FRAME_S = 1 / 60
"""Shortest time between two frames. Faster updates cost the window more than a reader gains."""


class FramePump:
    """Deliver events and replies as frames. Lives on the engine thread's loop; every method is called there.

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
        self._last_frame_at = -FRAME_S
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

    def acknowledge(self) -> None:
        """The window has handled the last frame."""
        self._in_flight = False
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
        wait_s = self._last_frame_at + FRAME_S - self._loop.time()
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
