"""Split streamed text into sentences for screen readers, which cannot announce half a word."""

from __future__ import annotations

import re
from typing import Final

_END: Final = re.compile(r"(?<=[.!?…:])[\"”»’)*_]*\s+|(?<=[。！？])|\n+")
_MAX_HELD_BACK: Final = 400
"""Longest text in characters that is held back; a longer sentence is announced in pieces."""
_FENCE: Final = re.compile(r"\s*(```|~~~)")
_MARKUP: Final = re.compile(
    r"^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+|\|[\s:|-]+$)|[*_`|]+|\]\([^)\s]*\)|\[(?=[^\]]*\])"
)


class SentenceSplitter:
    """Collects the streamed text of one answer, and returns its sentences once they are complete."""

    def __init__(self) -> None:
        self._rest = ""
        self._is_code = False

    def add(self, text: str) -> str:
        """Return the sentences that ``text`` completes, without markup; empty for none.

        Code blocks are left out: read character by character they are of no use.
        """
        self._rest += text
        ends = [match.end() for match in _END.finditer(self._rest)]
        if not ends and len(self._rest) > _MAX_HELD_BACK:
            ends = [self._rest.rfind(" ") + 1 or len(self._rest)]
        if not ends:
            return ""
        whole, self._rest = self._rest[: ends[-1]], self._rest[ends[-1] :]
        return self._without_markup(whole)

    def finish(self) -> str:
        """Return the rest when the answer has ended."""
        rest, self._rest = self._rest, ""
        return self._without_markup(rest)

    def _without_markup(self, text: str) -> str:
        out: list[str] = []
        for line in text.split("\n"):
            if _FENCE.match(line):
                self._is_code = not self._is_code
            elif not self._is_code:
                out.append(_MARKUP.sub(" ", line))
        return " ".join(" ".join(out).split())
