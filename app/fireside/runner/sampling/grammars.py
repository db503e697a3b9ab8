"""Compile constraints, each once, into matchers that answers are held to."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from fireside.core.constraint import Constraint
from fireside.core.errors import ConstraintInvalid
from fireside.runner.sampling.gates import kind_of
from fireside.runner.sampling.rule import Rule
from fireside.runner.sampling.wording import grammar_text, in_words

if TYPE_CHECKING:
    from llguidance import LLMatcher, LLTokenizer

_N_REMEMBERED: Final = 64
_DEAD_END: Final = "NoExtension"
"""How a matcher's message begins where nothing can follow and the text is not complete."""


class Grammars:
    """Rules from constraints. Used by one thread at a time."""

    def __init__(self, tokenizer: LLTokenizer) -> None:
        self._tokenizer = tokenizer
        self._compiled: OrderedDict[Constraint, LLMatcher] = OrderedDict()

    def rule(self, constraint: Constraint, *, ends_answer: bool) -> Rule:
        """Return ``constraint`` at its beginning.

        Raises:
            ConstraintInvalid: as ``compile``.
        """
        self.compile(constraint)
        matcher = self._compiled[constraint].deep_copy()
        return Rule(matcher, self._tokenizer, kind=kind_of(constraint), ends_answer=ends_answer)

    def compile(self, constraint: Constraint) -> None:
        """Compile ``constraint`` unless that is done. It has passed the gates and a trial before.

        Raises:
            ConstraintInvalid: it is none, uses what is not supported, or is beyond the limits.
        """
        if constraint not in self._compiled:
            self._compiled[constraint] = self._matcher(constraint)
        self._compiled.move_to_end(constraint)
        if len(self._compiled) > _N_REMEMBERED:
            self._compiled.popitem(last=False)

    def _matcher(self, constraint: Constraint) -> LLMatcher:
        from llguidance import LLMatcher

        matcher = LLMatcher(self._tokenizer, grammar_text(constraint), log_level=0)
        kind = kind_of(constraint)
        if matcher.is_error():
            raise ConstraintInvalid(kind=kind, reason=in_words(matcher.get_error()))
        first = matcher.deep_copy()
        first.compute_bitmask()  # now it knows whether anything can come first
        if first.get_error().startswith(_DEAD_END):
            raise ConstraintInvalid(kind=kind, reason="nothing can fulfil it.")
        if first.is_error():
            raise ConstraintInvalid(kind=kind, reason=in_words(first.get_error()))
        return matcher
