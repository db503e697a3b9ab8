"""Compile constraints into grammars, from which the rules are made that answers are held to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fireside.core.constraint import Constraint
from fireside.core.errors import ConstraintInvalid
from fireside.core.i18n import tr_noop
from fireside.runner.sampling.constraint import ConstraintMatcher
from fireside.runner.sampling.grammar_limits import kind_of
from fireside.runner.sampling.llguidance_grammar import grammar_text, readable_error

if TYPE_CHECKING:
    from llguidance import LLMatcher, LLTokenizer

_DEAD_END: Final = "NoExtension"
"""How a matcher's message begins where nothing can follow and the text is not complete."""


class Grammar:
    """A compiled constraint.

    Args:
        matcher: at its beginning; only ever copied.
        kind: what the constraint is called, for messages to the user.
    """

    def __init__(self, matcher: LLMatcher, tokenizer: LLTokenizer, *, kind: str) -> None:
        self._matcher = matcher
        self._tokenizer = tokenizer
        self._kind = kind

    def rule(self, *, ends_answer: bool) -> ConstraintMatcher:
        """Return the constraint at its beginning, at once."""
        matcher = self._matcher.deep_copy()
        return ConstraintMatcher(matcher, self._tokenizer, kind=self._kind, ends_answer=ends_answer)


class Grammars:
    """Compiles for one vocabulary. Used by one thread at a time."""

    def __init__(self, tokenizer: LLTokenizer) -> None:
        self._tokenizer = tokenizer

    def compile(self, constraint: Constraint) -> Grammar:
        """Return ``constraint`` compiled. It has passed the gates and a trial before.

        Raises:
            ConstraintInvalid: it is none, uses what is not supported, or is beyond the limits.
        """
        return Grammar(self._matcher(constraint), self._tokenizer, kind=kind_of(constraint))

    def _matcher(self, constraint: Constraint) -> LLMatcher:
        from llguidance import LLMatcher

        matcher = LLMatcher(self._tokenizer, grammar_text(constraint), log_level=0)
        kind = kind_of(constraint)
        if matcher.is_error():
            raise ConstraintInvalid(kind=kind, reason=readable_error(matcher.get_error()))
        first = matcher.deep_copy()
        first.compute_bitmask()  # now it knows whether anything can come first
        if first.get_error().startswith(_DEAD_END):
            raise ConstraintInvalid(kind=kind, reason=tr_noop("nothing can fulfil it."))
        if first.is_error():
            raise ConstraintInvalid(kind=kind, reason=readable_error(first.get_error()))
        return matcher
