"""How often a model's runner died, and when that is too often to start it again by itself."""

from __future__ import annotations

import msgspec

from fireside.core.i18n import Words

CRASH_LIMIT = 3
CRASH_WINDOW_S = 300.0


class CrashHistory(msgspec.Struct, frozen=True, kw_only=True):
    """What is remembered of one model's crashes; times of the engine's clock."""

    times: tuple[float, ...] = ()
    cause: Words = ""
    """Of the last one, in words."""
    exhausted: bool = False
    """Too many in a short time. No crash follows that would change it: the user has to load the model again,
    which starts a new history."""

    def with_crash(self, *, at: float, cause: Words) -> CrashHistory:
        """Return this history with one more crash."""
        recent = (*(time for time in self.times if at - time < CRASH_WINDOW_S), at)
        return CrashHistory(times=recent, cause=cause, exhausted=len(recent) >= CRASH_LIMIT)
