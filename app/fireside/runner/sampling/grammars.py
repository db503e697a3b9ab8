"""Compile constraints, each once, into matchers that answers are held to."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final, assert_never

from fireside.core.constraint import (
    Constraint,
    GbnfConstraint,
    JsonSchemaConstraint,
    LarkConstraint,
    RegexConstraint,
)
from fireside.core.errors import ConstraintInvalid
from fireside.runner.sampling.gates import check_constraint, kind_of
from fireside.runner.sampling.rule import Rule

if TYPE_CHECKING:
    from llguidance import LLMatcher, LLTokenizer

_N_REMEMBERED: Final = 64


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
        """Compile ``constraint`` unless that is done.

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

        check_constraint(constraint)
        matcher = LLMatcher(self._tokenizer, _grammar_text(constraint), log_level=0)
        if matcher.is_error():
            raise ConstraintInvalid(kind=kind_of(constraint), reason=_plain(matcher.get_error()))
        return matcher


def _grammar_text(constraint: Constraint) -> str:
    """Return ``constraint`` as llguidance takes it."""
    from llguidance import LLMatcher
    from llguidance.gbnf_to_lark import gbnf_to_lark

    match constraint:
        case JsonSchemaConstraint(schema=schema):
            return LLMatcher.grammar_from_json_schema(schema)
        case RegexConstraint(pattern=pattern):
            return LLMatcher.grammar_from_regex(pattern)
        case LarkConstraint(grammar=grammar):
            return LLMatcher.grammar_from_lark(grammar)
        case GbnfConstraint(grammar=grammar):
            try:
                return LLMatcher.grammar_from_lark(gbnf_to_lark(grammar))
            except Exception as exc:  # it raises Exception itself
                raise ConstraintInvalid(kind=kind_of(constraint), reason=_plain(str(exc))) from exc
        case _:
            assert_never(constraint)


def _plain(message: str) -> str:
    """Return the first line of a parser's message as the end of a sentence."""
    line = next(iter(message.strip().splitlines()), "it could not be compiled")
    return f"{line[:300].rstrip(' .')}."
