"""Questions with known answers, what a model got right of them, and how sure that figure is."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Final

import msgspec

_Z: Final = 1.959964
"""Of an interval of 95 %."""
_NUMBER: Final = re.compile(r"-?\d[\d,]*(?:\.\d+)?")


class ChoiceQuestion(msgspec.Struct, frozen=True, kw_only=True, tag="choice"):
    """A text with continuations of which one is right. No model writes: the likeliest one is its answer."""

    prompt: str
    choices: tuple[str, ...]
    right: int
    by_length: bool = True
    """Whether likelihoods are compared by the byte, since choices differ in length."""


class ExactQuestion(msgspec.Struct, frozen=True, kw_only=True, tag="exact"):
    """A message whose answer is a number, or a few words."""

    prompt: str
    answers: tuple[str, ...]
    """The accepted ones."""

    def accepts(self, reply: str) -> bool:
        """Return whether a reply is right: its last number, or any of the words in its first line."""
        numbers = [_as_number(match[0]) for match in _NUMBER.finditer(reply)]
        line = f" {_plain(next(filter(str.strip, reply.splitlines()), ''))} "
        for answer in self.answers:
            if (number := _as_number(answer)) is not None:
                if numbers and numbers[-1] == number:
                    return True
            elif f" {_plain(answer)} " in line:
                return True
        return False


Question = ChoiceQuestion | ExactQuestion


class QuestionSet(msgspec.Struct, frozen=True, kw_only=True):
    """The questions of one file."""

    name: str
    questions: tuple[Question, ...]
    n_unread: int = 0
    """Entries of the file that are no questions."""
    n_left_out: int = 0
    """Questions of the file that are not asked, as there are too many."""

    def result(self, right: Sequence[bool]) -> SetResult:
        """Return what was got right of these questions, ``right`` in their order."""
        return SetResult(
            name=self.name, right=tuple(right), n_unread=self.n_unread, n_left_out=self.n_left_out
        )


class SetResult(msgspec.Struct, frozen=True, kw_only=True):
    """What a model got right of a set."""

    name: str
    right: tuple[bool, ...]
    """For each question in order."""
    n_unread: int = 0
    """As in ``QuestionSet``."""
    n_left_out: int = 0
    """As in ``QuestionSet``."""


class Interval(msgspec.Struct, frozen=True, kw_only=True):
    """A share, or a difference of two, with the bounds within which it lies with a probability of 95 %."""

    value: float
    low: float
    high: float


def share_right(results: Sequence[SetResult]) -> Interval | None:
    """Return the share of right answers, with Wilson's interval; ``None`` if nothing was asked."""
    right = [each for result in results for each in result.right]
    n = len(right)
    if not n:
        return None
    share = sum(right) / n
    middle = (share + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
    half = _Z / (1 + _Z**2 / n) * math.sqrt(share * (1 - share) / n + _Z**2 / (4 * n**2))
    return Interval(value=share, low=max(0.0, middle - half), high=min(1.0, middle + half))


def difference(first: Sequence[SetResult], second: Sequence[SetResult]) -> Interval | None:
    """Return by how much ``second`` is better, over the questions that both were asked.

    The answers are compared question by question, which tells smaller differences apart than two shares do
    (adjusted Wald interval for paired proportions, Bonett and Price 2012). ``None`` without such questions.
    """
    named = {result.name: result.right for result in first}
    pairs = [
        pair
        for result in second
        if result.name in named
        for pair in zip(named[result.name], result.right, strict=False)
    ]
    n = len(pairs)
    if not n:
        return None
    gained = sum(not before and after for before, after in pairs)
    lost = sum(before and not after for before, after in pairs)
    more, less = (gained + 1) / (n + 2), (lost + 1) / (n + 2)
    half = _Z * math.sqrt((more + less - (more - less) ** 2) / (n + 2))
    middle = more - less
    return Interval(value=(gained - lost) / n, low=max(-1.0, middle - half), high=min(1.0, middle + half))


def _as_number(text: str) -> float | None:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def _plain(text: str) -> str:
    """Return the words of a text in lower case, without punctuation."""
    return " ".join(re.findall(r"\w+", text.casefold()))
