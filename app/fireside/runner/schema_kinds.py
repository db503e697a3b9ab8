"""Leave out keywords of a JSON Schema with values that they cannot have, such as nulls."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

_MAPS: Final = ("properties", "patternProperties", "$defs", "definitions")
_LISTS: Final = ("prefixItems", "allOf", "anyOf", "oneOf", "enum", "required")
_SCHEMAS: Final = ("items", "additionalItems", "additionalProperties")
_COUNTS: Final = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
_NUMBERS: Final = ("minimum", "maximum", "multipleOf", *_COUNTS)
_NUMBERS_OR_FLAGS: Final = ("exclusiveMinimum", "exclusiveMaximum")
"""Draft 4 has flags there."""
_DRAFT: Final = re.compile(
    r"https://json-schema\.org/draft/20(19-09|20-12)/schema#?|http://json-schema\.org/draft-0[4-7]/schema#?"
)
"""The drafts that llguidance knows; it refuses all others."""
_ADDRESS: Final = re.compile(r"(?:[^\s%<>\"{}|\\^`]|%[0-9a-fA-F]{2})*")
"""It refuses an ``$id`` that is no address."""


def leave_out_wrong_kinds(schema: dict[str, Any]) -> Iterator[str]:
    """Delete them from one schema, in place; yield those that said something.

    A null is a keyword that is not set, and an unknown draft is read as the newest one.
    """
    if isinstance(properties := schema.get("properties"), dict):
        for name in [name for name, each in properties.items() if not isinstance(each, dict | bool)]:
            properties[name] = {}
            yield f"properties/{name}"
    for key, value in tuple(schema.items()):
        is_unset = value is None and key != "const"
        is_odd_address = key == "$id" and not _ADDRESS.fullmatch(str(value))
        if is_unset or is_odd_address or (key == "$schema" and not _DRAFT.fullmatch(str(value))):
            del schema[key]
        elif not _is_of_kind(key, value):
            del schema[key]
            yield key


def _is_of_kind(key: str, value: object) -> bool:
    if key in _MAPS:
        return isinstance(value, dict)
    if key == "required":
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    if key in _LISTS or (key == "items" and isinstance(value, list)):
        return isinstance(value, list)
    if key in _SCHEMAS:
        return isinstance(value, dict | bool)
    if key in _NUMBERS:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        return value > 0 if key == "multipleOf" else value >= 0 or key not in _COUNTS
    return key not in _NUMBERS_OR_FLAGS or isinstance(value, int | float)
