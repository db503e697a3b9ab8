"""The answer formats in the user's terms, and example rules. Pure values and functions."""

from __future__ import annotations

from typing import Final

from fireside.core.i18n import tr, tr_noop
from fireside.settings.definitions_answer import (
    FORMAT_GBNF,
    FORMAT_JSON,
    FORMAT_JSON_SCHEMA,
    FORMAT_LARK,
    FORMAT_REGEX,
    FORMAT_TEXT,
)

FORMAT_KEY: Final = "answer.format"
RULE_KEY: Final = "answer.format_rule"

FORMATS: Final = (
    (FORMAT_TEXT, tr_noop("Text"), tr_noop("No constraints.")),
    (FORMAT_JSON, "JSON", tr_noop("A JSON object.")),
    (
        FORMAT_JSON_SCHEMA,
        tr_noop("JSON Schema"),
        tr_noop("JSON that matches a JSON Schema."),
    ),
    (
        FORMAT_REGEX,
        tr_noop("Regular expression"),
        tr_noop("The whole answer matches a pattern: numbers, codes or choices."),
    ),
    (
        FORMAT_GBNF,
        tr_noop("Grammar (GBNF)"),
        tr_noop("A grammar in llama.cpp’s GBNF notation."),
    ),
    (
        FORMAT_LARK,
        tr_noop("Grammar (Lark)"),
        tr_noop("A grammar in Lark notation."),
    ),
)
"""The value of the setting, its label and its explanation, for each format."""

NEEDS_RULE: Final = frozenset({FORMAT_JSON_SCHEMA, FORMAT_REGEX, FORMAT_LARK, FORMAT_GBNF})

_PERSON: Final = """{
  "type": "object",
  "properties": {
    "name": {"type": "string", "maxLength": 80},
    "age": {"type": "integer", "minimum": 0, "maximum": 130},
    "hobbies": {"type": "array", "items": {"type": "string", "maxLength": 60}, "maxItems": 5}
  },
  "required": ["name", "age", "hobbies"],
  "additionalProperties": false
}"""
_VERDICT: Final = """{
  "type": "object",
  "properties": {
    "verdict": {"type": "string", "enum": ["yes", "no", "unclear"]},
    "reason": {"type": "string", "maxLength": 200}
  },
  "required": ["verdict", "reason"],
  "additionalProperties": false
}"""
_LIST: Final = """{
  "type": "array",
  "items": {"type": "string", "maxLength": 80},
  "minItems": 3,
  "maxItems": 5
}"""
_GBNF_LIST: Final = """root ::= item item item
item ::= "- " [^\\n]+ "\\n"
"""
_LARK_CHOICE: Final = """start: "Answer: " CHOICE
CHOICE: "A" | "B" | "C" | "D"
"""

EXAMPLES: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    FORMAT_JSON_SCHEMA: (
        (tr_noop("A person"), _PERSON),
        (tr_noop("Verdict and reason"), _VERDICT),
        (tr_noop("A short list"), _LIST),
    ),
    FORMAT_REGEX: (
        (tr_noop("Yes or no"), "(Yes|No)"),
        (tr_noop("A date"), r"[0-9]{4}-[0-9]{2}-[0-9]{2}"),
        (tr_noop("One short sentence"), r"[A-Z][^.!?\n]{10,160}[.!?]"),
    ),
    FORMAT_GBNF: (
        (tr_noop("Yes or no"), 'root ::= "yes" | "no"\n'),
        (tr_noop("Three bullet points"), _GBNF_LIST),
    ),
    FORMAT_LARK: ((tr_noop("One of four"), _LARK_CHOICE),),
}
"""The name and rule of each example, by format."""

_UNUSABLE: Final = {
    FORMAT_JSON_SCHEMA: tr_noop("Invalid schema: {reason}"),
    FORMAT_REGEX: tr_noop("Invalid pattern: {reason}"),
}
_UNUSABLE_GRAMMAR: Final = tr_noop("Invalid grammar: {reason}")
_USABLE: Final = {
    FORMAT_JSON_SCHEMA: tr_noop("Valid schema"),
    FORMAT_REGEX: tr_noop("Valid pattern"),
}
_USABLE_GRAMMAR: Final = tr_noop("Valid grammar")


def format_label(form: str) -> str:
    """Return the label of a format."""
    return next((tr(name) for key, name, _ in FORMATS if key == form), form)


def problem_text(form: str, problem: str) -> str:
    """Return the text for a rule that failed validation: ``This schema cannot be used: it is not valid
    JSON.``"""
    reason = problem[:1].upper() + problem[1:]
    return tr(_UNUSABLE.get(form, _UNUSABLE_GRAMMAR)).format(reason=reason)


def valid_text(form: str) -> str:
    """Return the text for a rule that is valid."""
    return tr(_USABLE.get(form, _USABLE_GRAMMAR))
