"""Constraints on the output of an answer: JSON Schema, regular expression or grammar."""

from __future__ import annotations

import msgspec


class JsonSchemaConstraint(msgspec.Struct, frozen=True, kw_only=True, tag="json_schema"):
    """The answer is one JSON value that fits ``schema``, the text of a JSON Schema; ``{}`` is any JSON."""

    schema: str


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
