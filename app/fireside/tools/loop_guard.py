"""Decide when a model must stop calling tools. Pure."""

from __future__ import annotations

from collections import Counter

import msgspec

from fireside.core.tools import CallsEnded


class FinishedCall(msgspec.Struct, frozen=True, kw_only=True):
    """A call that has ended."""

    name: str
    arguments: str
    result: str
    is_invalid: bool = False
    """The arguments did not fit the schema."""


class LoopGuard:
    """Counts and compares the calls of one answer."""

    def __init__(self, *, n_steps: int) -> None:
        """``n_steps`` is the number of steps with calls."""
        self._n_left = n_steps
        self._seen: Counter[FinishedCall] = Counter()
        self._invalid: set[str] = set()
        """Tools whose last call was invalid; a second in a row ends the calls."""

    def stop_reason(self, step: tuple[FinishedCall, ...]) -> CallsEnded | None:
        """Add the calls of one step; return why the model must stop calling tools, or ``None``."""
        self._n_left -= 1
        seen, invalid = Counter(step), {call.name for call in step if call.is_invalid}
        invalid_again = invalid & self._invalid
        repeated = any(self._seen[call] for call in seen)
        self._seen += seen
        self._invalid = invalid
        if invalid_again:
            return CallsEnded.INVALID
        if repeated:
            return CallsEnded.REPEATED
        return CallsEnded.STEPS if self._n_left <= 0 else None
