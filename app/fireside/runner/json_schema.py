"""Turn a JSON Schema into one that a grammar can enforce, and find what it cannot.

What clients send is written for validators: an object without ``additionalProperties`` allows any further key
there, and a small model never stops adding some. As in OpenAI's and llama.cpp's APIs, an object with
``properties`` is therefore closed unless its schema opens it. Pure.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import unquote

from fireside.core.errors import ConstraintInvalid
from fireside.core.i18n import Phrase, tr_noop

Schema = dict[str, Any]
Keys = Mapping[str, None]
"""Names of properties, in the order in which a model writes them."""

_FORMATS: Final = frozenset(
    ["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uri", "uuid"]
)
"""Formats that llguidance enforces. Others are annotations, as JSON Schema says of unknown ones."""
_TYPES: Final = frozenset(["array", "boolean", "integer", "null", "number", "object", "string"])
_UNENFORCEABLE: Final = (
    "not",
    "if",
    "contains",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "unevaluatedItems",
    "$dynamicRef",
    "$recursiveRef",
)
_IGNORED: Final = ("then", "else", "minContains", "maxContains", "uniqueItems")
"""Without a meaning of their own; and ``uniqueItems``: a list is right but for items that come twice."""
_SCHEMA_MAPS: Final = ("properties", "patternProperties", "$defs", "definitions")
_SCHEMA_LISTS: Final = ("prefixItems", "allOf", "anyOf", "oneOf")
_SINGLE_SCHEMAS: Final = ("items", "additionalItems", "additionalProperties")
_COUNTS: Final = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
_BOUNDS: Final = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_MAX_BOUND: Final = 1e16
"""A bound above the integers that a double holds is that of a type: no automaton of its digits is made."""
_PLAIN: Final = frozenset(
    (
        *("$defs", "$id", "$ref", "$schema", "allOf", "definitions", "description", "properties", "required"),
        *("title", "type", "unevaluatedProperties"),
    )
)
"""Keywords of parts of an object whose keys are all known."""
_BRANCHES: Final = ("anyOf", "oneOf")
_MAX_STEPS: Final = 50_000
"""Parts that are looked at. Parts that refer to parts, twice each, are exponentially many."""
_MAX_DEPTH: Final = 16
"""Parts of parts of one object; deeper ones, and those that refer to themselves, stay as they are."""
_UNSUPPORTED_PATTERN: Final = re.compile(r"\(\?<?[=!]|\(\?[>(|]|\\[1-9]|\\k<|\(\?P=")
"""Look-around, atomic and conditional groups, references: no finite automaton knows them."""


class _TooComplex(Exception):
    """The schema has more parts than are looked at."""


def enforceable(schema: Schema | bool) -> Schema:
    """Return the schema of an answer as a grammar can enforce it.

    Raises:
        ConstraintInvalid: a keyword of it cannot be enforced; names the keyword and where it stands.
    """
    if schema is False:
        raise ConstraintInvalid(kind=tr_noop("JSON Schema"), reason=tr_noop("nothing can fulfil it."))
    root = {} if schema is True else copy.deepcopy(schema)
    for key, path in _adapt(root):
        where = path or "/"
        reason = Phrase(tr_noop("“{key}” at {where} cannot be enforced."), {"key": key, "where": where})
        raise ConstraintInvalid(kind=tr_noop("JSON Schema"), reason=reason)
    try:
        closed: Schema = _Closing(root).closed(root)
    except _TooComplex as exc:
        raise ConstraintInvalid(kind=tr_noop("JSON Schema"), reason=tr_noop("it is too complex.")) from exc
    return closed


def enforceable_arguments(schema: Schema) -> tuple[Schema, tuple[str, ...]]:
    """Return the schema of a tool's arguments as far as a grammar can enforce it, and what was left open.

    The second are JSON pointers to keywords, such as ``/properties/email/pattern``.
    """
    root = copy.deepcopy(schema)
    left_open = tuple(f"{path}/{key}" for key, path in _adapt(root))
    try:
        return _Closing(root).closed(root), left_open
    except _TooComplex:
        return {"type": "object"}, ("/",)


def _adapt(root: Schema) -> Iterator[tuple[str, str]]:
    """Rewrite all schemas of ``root`` in place; yield the key and path of each keyword that is left out."""
    has_anchor = any("$anchor" in schema for schema, _ in _schemas_in(root, ""))
    for schema, path in _schemas_in(root, ""):
        yield from ((key, path) for key in _adapt_one(schema, root, has_anchor=has_anchor))


def _schemas_in(schema: object, path: str) -> Iterator[tuple[Schema, str]]:
    """Return a schema and all below it, each before its own children are looked for."""
    if not isinstance(schema, dict):
        return
    yield schema, path
    for child, key in _children(schema):
        yield from _schemas_in(child, f"{path}/{key}")


def _children(schema: Schema) -> Iterator[tuple[object, str]]:
    for key in _SCHEMA_MAPS:
        if isinstance(children := schema.get(key), dict):
            yield from ((child, f"{key}/{_escaped(name)}") for name, child in children.items())
    for key in (*_SCHEMA_LISTS, *_SINGLE_SCHEMAS):
        child = schema.get(key)
        if isinstance(child, list):
            yield from ((each, f"{key}/{n}") for n, each in enumerate(child))
        elif child is not None:
            yield child, key


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _adapt_one(schema: Schema, root: Schema, *, has_anchor: bool) -> Iterator[str]:
    yield from leave_out_wrong_kinds(schema)
    if isinstance(properties := schema.get("properties"), dict):
        for name, child in properties.items():
            if isinstance(child, dict) and child.get("not") in ({}, True):
                properties[name] = False
    for key in _UNENFORCEABLE:
        if key in schema and schema.pop(key) is not None:
            yield key
    for key in _IGNORED:
        schema.pop(key, None)
    if schema.get("format") not in _FORMATS:
        schema.pop("format", None)
    yield from _adapt_type(schema)
    yield from _adapt_pattern(schema)
    yield from _adapt_names(schema, root)
    yield from _adapt_unevaluated(schema, root)
    if "$ref" in schema and (
        not _is_resolvable(schema["$ref"], root, has_anchor=has_anchor) or _is_part_of_itself(schema, root)
    ):
        del schema["$ref"]
        yield "$ref"
    for key in _COUNTS:
        if isinstance(schema.get(key), float) and schema[key].is_integer():
            schema[key] = int(schema[key])
    for key in _BOUNDS:
        if isinstance(schema.get(key), int | float) and abs(schema[key]) > _MAX_BOUND:
            del schema[key]
    for low, high in (("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems")):
        if _is_above(schema.get(low), schema.get(high)):
            del schema[low], schema[high]
            yield high
    if schema.get("enum") == []:
        del schema["enum"]
        yield "enum"


def _adapt_unevaluated(schema: Schema, root: Schema) -> Iterator[str]:
    """Write ``unevaluatedProperties: false`` as ``additionalProperties`` where it says the same."""
    if (rule := schema.pop("unevaluatedProperties", None)) in (None, True, {}):
        return
    if rule is False and schema.keys().isdisjoint(("allOf", "$ref", *_BRANCHES)):
        schema.setdefault("additionalProperties", False)
    elif rule is not False or not _are_plain(islice(_all_parts(schema, root), _MAX_STEPS)):
        yield "unevaluatedProperties"
    # Else the object is closed for the keys of all its parts, as it is without the keyword.


def _are_plain(parts: Iterable[Schema]) -> bool:
    return all(each.keys() <= _PLAIN for each in parts)


def _all_parts(schema: Schema, root: Schema, depth: int = 0) -> Iterator[Schema]:
    yield schema
    if depth < _MAX_DEPTH:
        parts = [*_list(schema, "allOf"), _target(root, schema.get("$ref"))]
        for part in parts:
            if isinstance(part, dict):
                yield from _all_parts(part, root, depth + 1)


def _is_resolvable(ref: object, root: Schema, *, has_anchor: bool) -> bool:
    if not isinstance(ref, str):
        return False
    if ref == "#" or ref.startswith("#/"):
        return _target(root, ref) is not None
    base = root.get("$id")
    return has_anchor if ref.startswith("#") else isinstance(base, str) and ref.startswith(f"{base}#/")


def _is_part_of_itself(schema: Schema, root: Schema) -> bool:
    """Return whether what a schema refers to is, without any key or item between, the schema again."""
    parts, seen = [_target(root, schema["$ref"])], set[int]()
    while parts:
        part = parts.pop()
        if part is schema:
            return True
        if not isinstance(part, dict) or id(part) in seen:
            continue
        seen.add(id(part))
        parts.append(_target(root, part.get("$ref")))
        if isinstance(both := part.get("allOf"), list):
            parts += both
    return False


def _is_above(low: object, high: object) -> bool:
    return isinstance(low, int | float) and isinstance(high, int | float) and low > high


def _adapt_type(schema: Schema) -> Iterator[str]:
    if "type" not in schema:
        return
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    # Google's dialect writes them in capitals.
    types = [each.lower() if isinstance(each, str) else each for each in types]
    if not types or not all(isinstance(each, str) and each in _TYPES for each in types):
        del schema["type"]
        yield "type"
        return
    if schema.pop("nullable", False) is True and "null" not in types:
        types.append("null")
        if isinstance(schema.get("enum"), list):
            schema["enum"] = [*schema["enum"], None]
    schema["type"] = types[0] if len(types) == 1 else types


def _adapt_pattern(schema: Schema) -> Iterator[str]:
    pattern = schema.get("pattern")
    if pattern is not None and not _is_regular(pattern):
        del schema["pattern"]
        if "format" not in schema:  # which says the same in what Zod writes
            yield "pattern"
    patterns = schema.get("patternProperties")
    if isinstance(patterns, dict) and not all(map(_is_regular, patterns)):
        del schema["patternProperties"]
        schema.pop("additionalProperties", None)
        yield "patternProperties"


def _is_regular(pattern: object) -> bool:
    if not isinstance(pattern, str) or _UNSUPPORTED_PATTERN.search(pattern.replace("\\\\", "")):
        return False
    try:
        re.compile(re.sub(r"\\p\{\^?\w+\}|\\P\{\w+\}", "a", pattern))
    except (re.error, OverflowError, RecursionError):
        return False
    return True


def _adapt_names(schema: Schema, root: Schema) -> Iterator[str]:
    """Write a rule for the names of properties as properties, where there are no others."""
    names = schema.pop("propertyNames", None)
    if isinstance(names, dict) and isinstance(names.get("$ref"), str):
        names = _target(root, names["$ref"])
    if names in (None, True, {}) or names == {"type": "string"}:
        return
    values = schema.get("additionalProperties", True)
    if not isinstance(names, dict) or "properties" in schema or "patternProperties" in schema:
        yield "propertyNames"
    elif isinstance(allowed := names.get("enum", [names["const"]] if "const" in names else None), list):
        schema["properties"] = {name: copy.deepcopy(values) for name in allowed if isinstance(name, str)}
        schema["additionalProperties"] = False
    elif _is_regular(names.get("pattern")) and not names.keys() & {"minLength", "maxLength", "format"}:
        schema["patternProperties"] = {names["pattern"]: values}
        schema["additionalProperties"] = False
    else:
        yield "propertyNames"


def _target(root: Schema, ref: object) -> Any:
    """Return the schema that a JSON pointer refers to; ``None`` if there is none."""
    if not isinstance(ref, str) or not (ref == "#" or ref.startswith("#/")):
        return None
    value: Any = root
    for part in unquote(ref[1:]).split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        elif isinstance(value, dict) and key in value:
            value = value[key]
        else:
            return None
    return value if isinstance(value, dict | bool) else None


class _Closing:
    """Closes the objects of a schema.

    Parts of one object (``allOf``, ``$ref`` with siblings, ``anyOf`` beside ``properties``) would refuse each
    other's keys if each was closed by itself. So they stay open, and the object is closed for the keys of all
    its parts; of several branches, each is.
    """

    def __init__(self, root: Schema) -> None:
        self._root = root
        self._n_steps = 0

    def _count_step(self) -> None:
        self._n_steps += 1
        if self._n_steps > _MAX_STEPS:
            raise _TooComplex

    def closed(self, schema: Any, others: Keys = MappingProxyType({})) -> Any:
        """Return ``schema``, whose object may have the keys ``others`` too, with all objects closed."""
        if not isinstance(schema, dict):
            return schema
        self._count_step()
        result = self._with_closed_values(schema)
        members = _list(schema, "allOf")
        n_parts = ("properties" in schema) + ("$ref" in schema) + len(members) + bool(others)
        has_branches = any(key in schema for key in _BRANCHES)
        is_combined = n_parts > 1 or (n_parts == 1 and has_branches)
        if is_combined:
            self._open_parts(result, members)
        elif members:
            result["allOf"] = [self.closed(each) for each in members]
        keys = {**others, **self._keys({key: value for key, value in schema.items() if key not in _BRANCHES})}
        for key in _BRANCHES:
            if key in schema:
                result[key] = [self.closed(each, keys) for each in _list(schema, key)]
        if (
            not has_branches
            and (is_combined or others or "properties" in schema)
            and not self._says_itself(schema)
        ):
            result["properties"] = {name: result.get("properties", {}).get(name, {}) for name in keys}
            result["additionalProperties"] = False
        return result

    def _opened(self, schema: Any, depth: int = 0) -> Any:
        """Return a part of an object: what is in it closed, and itself open."""
        if not isinstance(schema, dict) or depth > _MAX_DEPTH:
            return schema
        self._count_step()
        result = self._with_closed_values(schema)
        self._open_parts(result, _list(schema, "allOf"), depth)
        for key in _BRANCHES:
            if key in schema:
                result[key] = [self._opened(each, depth + 1) for each in _list(schema, key)]
        return result

    def _open_parts(self, result: Schema, members: Sequence[Any], depth: int = 0) -> None:
        """Open the parts of ``result``, in place. What it refers to is closed there, so it is copied."""
        parts = [self._opened(each, depth + 1) for each in members]
        if "$ref" in result and (target := _target(self._root, result["$ref"])) is not None:
            del result["$ref"]
            parts.append(self._opened(target, depth + 1))
        if parts:
            result["allOf"] = parts

    def _with_closed_values(self, schema: Schema) -> Schema:
        result = dict(schema)
        for key in _SCHEMA_MAPS:
            if isinstance(schema.get(key), dict):
                result[key] = {name: self.closed(each) for name, each in schema[key].items()}
        for key in (*_SINGLE_SCHEMAS, "prefixItems"):
            if isinstance(schema.get(key), list):
                result[key] = [self.closed(each) for each in schema[key]]
            elif key in schema:
                result[key] = self.closed(schema[key])
        return result

    def _keys(self, schema: Any, depth: int = 0) -> Keys:
        """Return the keys that an object may have by a part of its schema, or must have, in order."""
        if not isinstance(schema, dict) or depth > _MAX_DEPTH:
            return {}
        self._count_step()
        keys: dict[str, None] = {}
        for part in self._parts(schema):
            keys.update(self._keys(part, depth + 1))
        properties = schema.get("properties")
        own = [*(properties if isinstance(properties, dict) else ()), *_list(schema, "required")]
        return keys | dict.fromkeys(each for each in own if isinstance(each, str))

    def _says_itself(self, schema: Any, depth: int = 0) -> bool:
        """Whether a part of an object says what other keys may be there."""
        if not isinstance(schema, dict) or depth > _MAX_DEPTH:
            return False
        self._count_step()
        if "additionalProperties" in schema or "patternProperties" in schema:
            return True
        return any(self._says_itself(part, depth + 1) for part in self._parts(schema))

    def _parts(self, schema: Schema) -> Iterator[Any]:
        if "$ref" in schema:
            yield _target(self._root, schema["$ref"])
        for key in ("allOf", *_BRANCHES):
            yield from _list(schema, key)


def _list(schema: Schema, key: str) -> Sequence[Any]:
    value = schema.get(key)
    return value if isinstance(value, list) else ()


_MAPS: Final = ("properties", "patternProperties", "$defs", "definitions")
_LISTS: Final = ("prefixItems", "allOf", "anyOf", "oneOf", "enum", "required")
_SCHEMAS: Final = ("items", "additionalItems", "additionalProperties")
_COUNT_KEYWORDS: Final = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
_NUMBER_KEYWORDS: Final = ("minimum", "maximum", "multipleOf", *_COUNT_KEYWORDS)
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
    if key in _NUMBER_KEYWORDS:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        return value > 0 if key == "multipleOf" else value >= 0 or key not in _COUNT_KEYWORDS
    return key not in _NUMBERS_OR_FLAGS or isinstance(value, int | float)
