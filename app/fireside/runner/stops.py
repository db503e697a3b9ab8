"""Turn token bytes into text that is ready to show: whole characters, and nothing of a stop string."""

from __future__ import annotations

import codecs
from collections.abc import Sequence


class AnswerText:
    """The text of one answer as it grows.

    ``feed`` gives text in the order it came; what might still become a character or a stop string is held.
    """

    def __init__(self, stop: Sequence[str] = ()) -> None:
        self._stop = tuple(stop)
        self._longest = max(map(len, self._stop), default=0)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""
        self.stopped = False
        """Whether a stop string appeared. Nothing follows then."""

    def feed(self, piece: bytes) -> str:
        """Add the bytes of one token and return the text that is now ready.

        Bytes that can never be a character become U+FFFD, so that nothing vanishes.
        """
        text = self._decoder.decode(piece)
        return self._release(text) if self._stop else text

    def _release(self, text: str) -> str:
        self._held += text
        found = [index for stop in self._stop if (index := self._held.find(stop)) >= 0]
        if found:
            self.stopped = True
            ready, self._held = self._held[: min(found)], ""
            return ready
        n_held = self._n_that_may_become_a_stop()
        cut = len(self._held) - n_held
        ready, self._held = self._held[:cut], self._held[cut:]
        return ready

    def _n_that_may_become_a_stop(self) -> int:
        for n in range(min(self._longest - 1, len(self._held)), 0, -1):
            if any(stop.startswith(self._held[-n:]) for stop in self._stop):
                return n
        return 0

    def end(self) -> str:
        """Return what was held back because it might have become a stop string; the answer is over.

        The first bytes of a character that never came are no text and are dropped.
        """
        ready, self._held = self._held, ""
        return ready
