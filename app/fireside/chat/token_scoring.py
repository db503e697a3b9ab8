"""Collect what a model thinks of the tokens of an answer, and how far it is with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from fireside.core.generation import OutputKind, TextDelta, TokenLogprobs
from fireside.core.inspection import ScoredToken
from fireside.core.task import Replay

_PROMPT_SHARE: Final = 0.3
"""How much of the whole the reading of the prompt counts for: most of it is in a cache."""
_STEP: Final = 0.01


class TokenScores:
    """One answer that is read again.

    Args:
        tell: takes the part of the whole that is done, 0 to 1, at each hundredth.
    """

    def __init__(self, replay: Replay, *, tell: Callable[[float], None]) -> None:
        self.tokens: list[ScoredToken] = []
        self._n_tokens = len(replay.tokens)
        self._n_characters = len(replay.text)
        self._n_said = 0
        self._told = 0.0
        self._tell = tell

    def read(self, *, n_done: int, n_total: int) -> None:
        """The prompt is being read."""
        self._move(_PROMPT_SHARE * n_done / max(1, n_total))

    def add(self, event: TextDelta) -> None:
        """Take what came next of the answer."""
        self.tokens += scored(event.logprobs, kind=event.kind)
        self._n_said += len(event.text)
        if self._n_tokens:
            done = event.n_completion / self._n_tokens
        else:
            done = self._n_said / max(1, self._n_characters)
        self._move(_PROMPT_SHARE + (1 - _PROMPT_SHARE) * done)

    def _move(self, fraction: float) -> None:
        fraction = min(1.0, fraction)
        if fraction - self._told >= _STEP:
            self._told = fraction
            self._tell(fraction)


def scored(logprobs: Iterable[TokenLogprobs], *, kind: OutputKind) -> list[ScoredToken]:
    """Return the tokens of one stretch of output with their probabilities."""
    return [
        ScoredToken(entry.chosen.token, entry.chosen.piece, entry.chosen.logprob, kind, entry.top)
        for entry in logprobs
    ]
