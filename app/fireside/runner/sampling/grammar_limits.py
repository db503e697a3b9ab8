"""Reject schemas and grammars that are too large or too deep to be parsed.

They come from programs and from other users. The limits are on what makes parsers recurse or grow, so that
such input is rejected with a message before it can cost time or cause a crash.
"""

from __future__ import annotations

import re
from typing import Final, assert_never

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import ConstraintInvalid
from fireside.core.i18n import Phrase, tr_noop
from fireside.core.task import (
    Constraint,
    GbnfConstraint,
    JsonSchemaConstraint,
    LarkConstraint,
    RegexConstraint,
)

MAX_SCHEMA_BYTES: Final = 256 * 1024
MAX_GRAMMAR_BYTES: Final = 128 * 1024
MAX_PATTERN_BYTES: Final = 16 * 1024
MAX_DEPTH: Final = 64
"""Deepest nesting of brackets."""
MAX_REPETITIONS: Final = 10_000
"""Largest number in ``{m,n}``."""

_REPETITION: Final = re.compile(r"\{\s*(\d*)\s*(?:,\s*(\d*)\s*)?\}")
_MAX_DIGITS: Final = len(str(MAX_REPETITIONS))


def kind_of(constraint: Constraint) -> str:
    """Return the name of this kind of constraint, as shown to the user."""
    match constraint:
        case JsonSchemaConstraint():
            return tr_noop("JSON Schema")
        case RegexConstraint():
            return tr_noop("regular expression")
        case LarkConstraint() | GbnfConstraint():
            return "grammar"
        case _:
            assert_never(constraint)


def check_constraint(constraint: Constraint) -> None:
    """Raise ``ConstraintInvalid`` if ``constraint`` is too large, too deep or malformed."""
    kind = kind_of(constraint)
    match constraint:
        case JsonSchemaConstraint(schema=schema):
            _check_size(schema, kind=kind, max_bytes=MAX_SCHEMA_BYTES)
            _check_schema(schema, kind=kind)
        case RegexConstraint(pattern=pattern):
            _check_size(pattern, kind=kind, max_bytes=MAX_PATTERN_BYTES)
            _check_notation(pattern, kind=kind)
        case LarkConstraint(grammar=grammar) | GbnfConstraint(grammar=grammar):
            _check_size(grammar, kind=kind, max_bytes=MAX_GRAMMAR_BYTES)
            _check_notation(grammar, kind=kind)
        case _:
            assert_never(constraint)


def _check_size(text: str, *, kind: str, max_bytes: int) -> None:
    try:
        n_bytes = len(text.encode())
    except UnicodeEncodeError as exc:
        raise ConstraintInvalid(
            kind=kind, reason=tr_noop("it contains an invalid character (a lone surrogate).")
        ) from exc
    if n_bytes > max_bytes:
        reason = Phrase(
            tr_noop("it is {n_bytes} bytes long, at most {most} are read."),
            {"n_bytes": n_bytes, "most": max_bytes},
        )
        raise ConstraintInvalid(kind=kind, reason=reason)
    if not text.strip():
        raise ConstraintInvalid(kind=kind, reason=tr_noop("it is empty."))
    if "\0" in text:
        raise ConstraintInvalid(kind=kind, reason=tr_noop("it contains a NUL character."))


def _check_schema(schema: str, *, kind: str) -> None:
    try:
        value = decode_json(schema, kind=object)
    except JsonInvalid as exc:
        raise ConstraintInvalid(
            kind=kind, reason=Phrase(tr_noop("it is not valid JSON ({why})."), {"why": str(exc)})
        ) from exc
    if not isinstance(value, dict | bool):
        raise ConstraintInvalid(kind=kind, reason=tr_noop("it must be an object, or true or false."))
    level: list[object] = [value]
    for _ in range(MAX_DEPTH):
        level = [child for parent in level for child in _children(parent)]
        if not level:
            return
    raise _too_deep(kind)


def _children(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _check_notation(text: str, *, kind: str) -> None:
    """Check nesting and repetitions. Ignores quoting: a grammar that quotes so many brackets is no loss."""
    depth = 0
    for bracket in re.findall(r"\\.|[()]", text, re.DOTALL):
        depth += {"(": 1, ")": -1}.get(bracket, 0)
        if depth > MAX_DEPTH:
            raise _too_deep(kind)
        depth = max(depth, 0)
    for match in _REPETITION.finditer(text):
        for number in match.groups(""):
            if len(number) > _MAX_DIGITS or int(number or 0) > MAX_REPETITIONS:
                reason = Phrase(
                    tr_noop("{n} repetitions are too many, at most {most} are counted."),
                    {"n": number[:20], "most": MAX_REPETITIONS},
                )
                raise ConstraintInvalid(kind=kind, reason=reason)


def _too_deep(kind: str) -> ConstraintInvalid:
    return ConstraintInvalid(
        kind=kind, reason=Phrase(tr_noop("it is nested deeper than {n} levels."), {"n": MAX_DEPTH})
    )
