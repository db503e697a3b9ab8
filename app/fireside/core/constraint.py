"""Constraints on the output of an answer: JSON Schema, regular expression or grammar."""

from __future__ import annotations

from typing import Final

import msgspec


class JsonSchemaConstraint(msgspec.Struct, frozen=True, kw_only=True, tag="json_schema"):
    """The answer is one JSON value that fits ``schema``, the text of a JSON Schema; ``{}`` is any JSON."""

    schema: str


ANY_OBJECT: Final = JsonSchemaConstraint(schema='{"type": "object"}')
"""JSON without a schema, which in all APIs is an object."""


class RegexConstraint(msgspec.Struct, frozen=True, kw_only=True, tag="regex"):
    """The whole answer matches ``pattern``, in the syntax of Rust's ``regex`` crate."""

    pattern: str


class LarkConstraint(msgspec.Struct, frozen=True, kw_only=True, tag="lark"):
    """The answer follows a grammar in llguidance's variant of Lark."""

    grammar: str


class GbnfConstraint(msgspec.Struct, frozen=True, kw_only=True, tag="gbnf"):
    """The answer follows a grammar in llama.cpp's own notation."""

    grammar: str


Constraint = JsonSchemaConstraint | RegexConstraint | LarkConstraint | GbnfConstraint
