"""Crashes of each model's runner, and when there are too many to restart it automatically."""

from __future__ import annotations

import msgspec

from fireside.core.errors import RunnerCrashed, RunnerError, RunnerProtocolError
from fireside.core.i18n import Translatable, tr_noop
from fireside.core.ids import ModelId

CRASH_LIMIT = 3
CRASH_WINDOW_S = 300.0
FIRST_PAUSE_S = 60.0
LONGEST_PAUSE_S = 960.0


class CrashHistory(msgspec.Struct, frozen=True, kw_only=True):
    """The recent crashes of one model; times of the engine's clock."""

    times: tuple[float, ...] = ()
    cause: Translatable = ""
    """Of the last crash, for the user."""
    n_pauses: int = 0
    """How many pauses followed one another, each longer than the one before."""
    paused_until: float = 0.0
    """The model is not restarted before that, unless the user loads it, which starts a new history."""

    def with_crash(self, *, at: float, cause: Translatable) -> CrashHistory:
        """Return this history with one more crash."""
        again = self.n_pauses > 0 and at - self.paused_until < CRASH_WINDOW_S
        earlier = self.times if again else tuple(time for time in self.times if at - time < CRASH_WINDOW_S)
        times = (*earlier, at)
        if len(times) < CRASH_LIMIT:
            return CrashHistory(times=times, cause=cause)
        n_pauses = self.n_pauses if again else 0
        pause_s = min(FIRST_PAUSE_S * 2**n_pauses, LONGEST_PAUSE_S)
        return CrashHistory(times=times, cause=cause, n_pauses=n_pauses + 1, paused_until=at + pause_s)


class CrashTracker:
    """The crashes of all models since the user last loaded them."""

    def __init__(self) -> None:
        self._histories: dict[ModelId, CrashHistory] = {}
        self._lost_gpu: set[ModelId] = set()

    def note(self, model_id: ModelId, error: RunnerError, *, at: float) -> None:
        """Record that the model's runner ended with ``error``, if that was a crash."""
        if isinstance(error, RunnerCrashed | RunnerProtocolError):
            cause = error.cause if isinstance(error, RunnerCrashed) else tr_noop("it sent invalid data.")
            history = self._histories.get(model_id, CrashHistory())
            self._histories[model_id] = history.with_crash(at=at, cause=cause)
        if isinstance(error, RunnerCrashed) and error.lost_device:
            self._lost_gpu.add(model_id)

    def forget(self, model_id: ModelId) -> None:
        """Clear a model's history: the user loads it again."""
        self._histories.pop(model_id, None)
        self._lost_gpu.discard(model_id)

    def paused(self, *, now: float) -> dict[ModelId, CrashHistory]:
        """Return the models that are not restarted for now."""
        return {model: history for model, history in self._histories.items() if now < history.paused_until}

    def lost_gpu(self, model_id: ModelId) -> bool:
        """Whether its GPU was lost: it is loaded on the CPU until the user loads it again."""
        return model_id in self._lost_gpu
