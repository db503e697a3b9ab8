"""Notice a runner that has stopped working while a client waits for it."""

from __future__ import annotations

from collections.abc import Callable

from fireside.engine.clock import Clock, Timer

N_LOOKS = 3
"""How often it is looked at within its limit."""


class Watchdog:
    """Calls ``on_dead`` once a busy runner has neither said nor computed anything for ``limit_s`` seconds.

    A slow machine is not a dead one: as long as there are signs of life, nothing happens, and nothing either
    where they cannot be told. On the loop's thread only.

    Args:
        signs: of life: any values that change while the runner works, such as the processor time that it has
            used so far; ``None`` where that cannot be told.
        on_dead: called with ``limit_s``, at most once between ``start`` and ``stop``.
        on_silent: called when there was no sign of life for a part of that time, and when there is one again.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        signs: Callable[[], object | None],
        limit_s: float,
        on_dead: Callable[[float], None],
        on_silent: Callable[[bool], None] = lambda _: None,
    ) -> None:
        self._clock = clock
        self._signs = signs
        self._limit_s = limit_s
        self._on_dead = on_dead
        self._on_silent = on_silent
        self._is_silent = False
        self._timer: Timer | None = None
        self._has_spoken = True
        self._seen: object | None = None
        self._alive_at = 0.0
        self._due = 0.0

    @property
    def is_running(self) -> bool:
        """Whether the runner is being watched."""
        return self._timer is not None

    def start(self) -> None:
        """A client waits for the runner now. Does nothing where it runs already."""
        if self._timer is None:
            self._note_life()
            self._arm()

    def stop(self) -> None:
        """No client waits any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._report_silence(is_silent=False)

    def note_activity(self) -> None:
        """The runner has said something, or it is not its fault that it does not."""
        self._has_spoken = True
        self._report_silence(is_silent=False)

    def _arm(self) -> None:
        self._due = self._clock.now() + self._limit_s / N_LOOKS
        self._timer = self._clock.call_at(self._due, self._check)

    def _check(self) -> None:
        self._timer = None
        signs = self._signs()
        # A timer that comes late tells of this program being held up, by sleep or a debugger: then so was
        # the runner, or its word is here already, unread.
        is_late = self._clock.now() - self._due > self._limit_s / N_LOOKS
        if self._has_spoken or is_late or signs is None or signs != self._seen:
            self._note_life(signs)
            self._report_silence(is_silent=False)
        elif self._clock.now() - self._alive_at >= self._limit_s * (1 - 1e-9):
            self._on_dead(self._limit_s)
            return
        else:
            self._report_silence(is_silent=True)
        self._arm()

    def _report_silence(self, *, is_silent: bool) -> None:
        if is_silent is not self._is_silent:
            self._is_silent = is_silent
            self._on_silent(is_silent)

    def _note_life(self, signs: object | None = None) -> None:
        self._has_spoken = False
        self._alive_at = self._clock.now()
        self._seen = signs if signs is not None else self._signs()
