"""Crashes of each model's runner, and when there are too many to restart it automatically."""

from __future__ import annotations

import msgspec

from fireside.core.errors import RunnerCrashed, RunnerError, RunnerProtocolError
from fireside.core.i18n import Translatable
from fireside.core.ids import ModelId

CRASH_LIMIT = 3
CRASH_WINDOW_S = 300.0


class CrashHistory(msgspec.Struct, frozen=True, kw_only=True):
    """The recent crashes of one model; times of the engine's clock."""

    times: tuple[float, ...] = ()
    cause: Translatable = ""
    """Of the last crash, for the user."""
    exhausted: bool = False
    """Too many in a short time. No crash follows that would change it: the user has to load the model again,
    which starts a new history."""

    def with_crash(self, *, at: float, cause: Translatable) -> CrashHistory:
        """Return this history with one more crash."""
        recent = (*(time for time in self.times if at - time < CRASH_WINDOW_S), at)
        return CrashHistory(times=recent, cause=cause, exhausted=len(recent) >= CRASH_LIMIT)


class CrashTracker:
    """The crashes of all models since the user last loaded them."""

    def __init__(self) -> None:
        self._histories: dict[ModelId, CrashHistory] = {}
        self._lost_gpu: set[ModelId] = set()

    def note(self, model_id: ModelId, error: RunnerError, *, at: float) -> None:
        """Record that the model's runner ended with ``error``, if that was a crash."""
        if isinstance(error, RunnerCrashed | RunnerProtocolError):
            cause = error.cause if isinstance(error, RunnerCrashed) else error.reason
            history = self._histories.get(model_id, CrashHistory())
            self._histories[model_id] = history.with_crash(at=at, cause=cause)
        if isinstance(error, RunnerCrashed) and error.lost_device:
            self._lost_gpu.add(model_id)

    def forget(self, model_id: ModelId) -> None:
        """Clear a model's history: the user loads it again."""
        self._histories.pop(model_id, None)
        self._lost_gpu.discard(model_id)

    def exhausted(self) -> dict[ModelId, CrashHistory]:
        """Return the models that are not restarted automatically."""
        return {model_id: history for model_id, history in self._histories.items() if history.exhausted}

    def lost_gpu(self, model_id: ModelId) -> bool:
        """Whether its GPU was lost: it is loaded on the CPU until the user loads it again."""
        return model_id in self._lost_gpu
