"""Compile constraints with llguidance for one vocabulary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fireside.core.errors import ConstraintInvalid
from fireside.core.i18n import tr_noop
from fireside.core.task import Constraint
from fireside.runner.sampling.constraint import ConstraintMatcher
from fireside.runner.sampling.grammar_limits import kind_of
from fireside.runner.sampling.llguidance_grammar import grammar_text, matching_error, readable_error

if TYPE_CHECKING:
    from llguidance import LLMatcher, LLTokenizer

_DEAD_END: Final = "NoExtension"
"""Prefix of the matcher's error if no token can follow and the text is not complete."""
_MAX_ITEMS_IN_STEP: Final = 20_000
_MAX_ITEMS_IN_ROW: Final = 1000
"""Most ways of reading the text that are followed when the allowed tokens are looked up, and behind one byte:
all other answers wait for that.

Looking up so many takes 0.06 s with a vocabulary of 49k; as many as llguidance allows take 0.9 s, each time.
Published grammars (llama.cpp, Lark, Outlines, SynCode) stay below 2,500, and those in a row below 300.
A list of lines whose rule contains itself at its end has one more in a row with each line.
"""


class Grammar:
    """A compiled constraint.

    Args:
        matcher: in its initial state; only ever copied.
        kind: name of the kind of constraint, for messages to the user.
    """

    def __init__(self, matcher: LLMatcher, tokenizer: LLTokenizer, *, kind: str) -> None:
        self._matcher = matcher
        self._tokenizer = tokenizer
        self._kind = kind

    def matcher(self, *, ends_answer: bool) -> ConstraintMatcher:
        """Return a matcher in its initial state. Takes no time."""
        copy = self._matcher.deep_copy()
        return ConstraintMatcher(copy, self._tokenizer, kind=self._kind, ends_answer=ends_answer)


class GrammarCompiler:
    """Compiler of constraints for one vocabulary. Used by one thread at a time."""

    def __init__(self, tokenizer: LLTokenizer) -> None:
        self._tokenizer = tokenizer

    def compile(self, constraint: Constraint) -> Grammar:
        """Compile ``constraint``, which has passed the limits and a dry run before.

        Raises:
            ConstraintInvalid: it is malformed, uses unsupported features, or exceeds the limits.
        """
        from llguidance import LLMatcher, LLParserLimits

        limits = LLParserLimits(step_max_items=_MAX_ITEMS_IN_STEP, max_items_in_row=_MAX_ITEMS_IN_ROW)
        matcher = LLMatcher(self._tokenizer, grammar_text(constraint), log_level=0, limits=limits)
        kind = kind_of(constraint)
        if matcher.is_error():
            raise ConstraintInvalid(kind=kind, reason=readable_error(matcher.get_error()))
        first = matcher.deep_copy()
        first.compute_bitmask()  # reveals whether any token can come first
        if first.get_error().startswith(_DEAD_END):
            raise ConstraintInvalid(kind=kind, reason=tr_noop("nothing can fulfil it."))
        if first.is_error():
            raise ConstraintInvalid(kind=kind, reason=matching_error(first.get_error()))
        return Grammar(matcher, self._tokenizer, kind=kind)
