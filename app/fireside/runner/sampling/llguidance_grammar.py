"""Convert constraints to llguidance's grammar format."""

from __future__ import annotations

import json
from typing import Final, assert_never

from fireside.core.errors import ConstraintInvalid
from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.core.task import (
    Constraint,
    GbnfConstraint,
    JsonSchemaConstraint,
    LarkConstraint,
    RegexConstraint,
)
from fireside.runner.json_schema import enforceable
from fireside.runner.sampling.grammar_limits import kind_of

_SPACE: Final = r"\x20|\n[\x20\t]{0,40}"
"""White space between the parts of JSON. It is bounded, or small models write nothing else."""

_TOO_MANY: Final = ("Too many items", "Current row has")
"""Parts of the matcher's errors where it follows too many readings of the text in a step or at one place."""


def grammar_text(constraint: Constraint) -> str:
    """Return ``constraint`` as an llguidance grammar.

    Raises:
        ConstraintInvalid: it is not a valid GBNF grammar, or a keyword of the schema cannot be enforced.
    """
    # Imported only by runners that use constraints.
    from llguidance import LLMatcher

    match constraint:
        case JsonSchemaConstraint(schema=schema):
            enforced = enforceable(json.loads(schema)) | {"x-guidance": {"coerce_one_of": True}}
            return LLMatcher.grammar_from_json_schema(json.dumps(enforced), {"whitespace_pattern": _SPACE})
        case RegexConstraint(pattern=pattern):
            return LLMatcher.grammar_from_regex(pattern)
        case LarkConstraint(grammar=grammar):
            return LLMatcher.grammar_from_lark(grammar)
        case GbnfConstraint(grammar=grammar):
            return LLMatcher.grammar_from_lark(_lark(grammar, kind=kind_of(constraint)))
        case _:
            assert_never(constraint)


def _lark(gbnf: str, *, kind: str) -> str:
    from llguidance.gbnf_to_lark import gbnf_to_lark

    try:
        return gbnf_to_lark(gbnf)
    except Exception as exc:  # it raises this class itself, and whatever its unchecked parsing runs into
        raise ConstraintInvalid(kind=kind, reason=readable_error(str(exc))) from exc


def readable_error(message: str) -> Translatable:
    """Return the relevant line of a parser's message as the end of a sentence."""
    lines = message.strip().splitlines()
    if not lines:
        return tr_noop("it could not be compiled.")
    line = next((line for line in lines if line.startswith("error: ")), lines[0])
    return Phrase(tr_noop("“{message}”."), {"message": line.removeprefix("error: ")[:300].rstrip(" .")})


def matching_error(message: str) -> Translatable:
    """Return why a text cannot be matched any further, from a matcher's message, as the end of a sentence."""
    if any(part in message for part in _TOO_MANY):
        return tr_noop("the same text fits its rules in too many ways. Make the rules unambiguous.")
    return tr_noop("it could not be followed any further.")
