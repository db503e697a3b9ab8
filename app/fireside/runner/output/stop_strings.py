"""Match stop strings in streamed text, holding back text that may become one."""

from __future__ import annotations

from collections.abc import Sequence


class StopMatcher:
    """Filters a growing text: nothing of a stop string is let through."""

    def __init__(self, stop: Sequence[str]) -> None:
        self._stop = tuple(stop)
        self._beginnings = frozenset(text[:n] for text in self._stop for n in range(1, len(text)))
        self._first_characters = frozenset(text[:1] for text in self._stop)
        self._longest = max(map(len, self._stop), default=0)
        self._held = ""
        self.found = ""
        """The stop string that appeared; nothing follows it."""

    @property
    def is_empty(self) -> bool:
        """Whether there are no stop strings."""
        return not self._stop

    def feed(self, text: str) -> str:
        """Add ``text`` and return what is ready, at most up to the first stop string."""
        if not self._held and self._first_characters.isdisjoint(text):
            return text  # the usual case
        held = self._held + text
        matches = [(index, stop) for stop in self._stop if (index := held.find(stop)) >= 0]
        if matches:
            index, self.found = min(matches)
            self._held = ""
            return held[:index]
        cut = len(held) - self._n_partial(held)
        self._held = held[cut:]
        return held[:cut]

    def _n_partial(self, held: str) -> int:
        """Return how many characters at the end may be the start of a stop string."""
        for n in range(min(self._longest - 1, len(held)), 0, -1):
            if held[-n:] in self._beginnings:
                return n
        return 0

    def release(self) -> str:
        """Return the text that was held back; nothing follows."""
        ready, self._held = self._held, ""
        return ready
