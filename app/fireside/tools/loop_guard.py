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
    """Follows the calls of one answer."""

    def __init__(self, *, n_steps: int) -> None:
        """``n_steps`` is how often the model may call tools."""
        self._left = n_steps
        self._seen: Counter[FinishedCall] = Counter()
        self._invalid: set[str] = set()
        """Tools whose last call did not fit; one more is one too many."""

    def stop_reason(self, step: tuple[FinishedCall, ...]) -> CallsEnded | None:
        """Add the calls of one step; return why there may be no other, or empty."""
        self._left -= 1
        seen, invalid = Counter(step), {one.name for one in step if one.is_invalid}
        again = invalid & self._invalid
        repeated = any(self._seen[one] for one in seen)
        self._seen += seen
        self._invalid = invalid
        if again:
            return CallsEnded.INVALID
        if repeated:
            return CallsEnded.REPEATED
        return CallsEnded.STEPS if self._left <= 0 else None
