"""Formats of answers in a person's words, and examples to begin with. Pure."""

from __future__ import annotations

from typing import Final

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
    (FORMAT_TEXT, "Free text", "The model writes as it likes."),
    (FORMAT_JSON, "JSON", "Any JSON, and always valid."),
    (FORMAT_JSON_SCHEMA, "JSON by a schema", "JSON with exactly the fields that a JSON Schema describes."),
    (FORMAT_REGEX, "Regular expression", "The whole answer fits a pattern, for numbers, codes or choices."),
    (FORMAT_GBNF, "Grammar (GBNF)", "The answer follows a grammar in llama.cpp’s notation."),
    (FORMAT_LARK, "Grammar (Lark)", "The answer follows a grammar in the Lark notation."),
)
"""Setting, name, what it means."""

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
    FORMAT_JSON_SCHEMA: (("A person", _PERSON), ("Verdict and reason", _VERDICT), ("A short list", _LIST)),
    FORMAT_REGEX: (
        ("Yes or no", "(Yes|No)"),
        ("A date", r"[0-9]{4}-[0-9]{2}-[0-9]{2}"),
        ("One short sentence", r"[A-Z][^.!?\n]{10,160}[.!?]"),
    ),
    FORMAT_GBNF: (("Yes or no", 'root ::= "yes" | "no"\n'), ("Three bullet points", _GBNF_LIST)),
    FORMAT_LARK: (("One of four", _LARK_CHOICE),),
}
"""Name and rule of each example, by format."""

_SUBJECT: Final = {FORMAT_JSON_SCHEMA: "schema", FORMAT_REGEX: "pattern"}


def format_words(form: str) -> str:
    """Return what a format is called."""
    return next((name for key, name, _ in FORMATS if key == form), form)


def problem_words(form: str, problem: str) -> str:
    """Word what a check found: ``This schema cannot be used: it is not valid JSON.``"""
    reason = problem[:1].upper() + problem[1:]
    return f"This {_SUBJECT.get(form, 'grammar')} cannot be used yet. {reason}"


def fine_words(form: str) -> str:
    """Say that a rule can be used."""
    return f"This {_SUBJECT.get(form, 'grammar')} can be used."
