"""Schemas as clients send them, against the published test suite, Zod's and Pydantic's, and MCP servers'."""

from __future__ import annotations

import enum
import json
import random
from collections import Counter
from pathlib import Path
from typing import Annotated, Any, Literal

import llguidance
import pydantic
import pytest

from fireside.core.errors import ConstraintInvalid
from fireside.runner.json_schema import enforceable, enforceable_arguments

FOLDER = Path(__file__).parent / "json_schemas"
SUITE: dict[str, list[dict[str, Any]]] = json.loads((FOLDER / "suite.json").read_text("utf-8"))
REAL: dict[str, dict[str, Any]] = json.loads((FOLDER / "real.json").read_text("utf-8"))
TOKENIZER = llguidance.LLTokenizer("byte")

MAY_BE_INVALID = {"oneOf", "uniqueItems"}
"""Keywords whose answers are right but for what fits two of the alternatives, and items that come twice."""
UNSATISFIABLE = {"allOf", "anyOf", "not", "oneOf", "ref", "boolean_schema"}
"""Files of the suite with schemas that nothing can fulfil."""
REFUSED = {
    "unevaluatedItems": 21,
    "contains": 18,
    "$ref": 17,
    "if": 16,
    "not": 11,
    "unevaluatedProperties": 9,
    "dependentSchemas": 7,
    "propertyNames": 4,
    "dependentRequired": 4,
}
"""Keywords that a grammar cannot enforce, by how many schemas of the suite are refused for them."""


def matcher(schema: dict[str, Any], *, is_tool: bool = False) -> llguidance.LLMatcher:
    schema = {**schema, "x-guidance": {"coerce_one_of": True, "lenient": is_tool}}
    grammar = llguidance.LLMatcher.grammar_from_json_schema(json.dumps(schema), {"whitespace_pattern": ""})
    return llguidance.LLMatcher(TOKENIZER, grammar, log_level=0)


def accepts(schema: dict[str, Any], value: object) -> bool:
    return fits(matcher(enforceable(schema)), value)


def fits(start: llguidance.LLMatcher, value: object) -> bool:
    state = start.deep_copy()
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return state.consume_tokens(list(text.encode())) and state.is_accepting()


def sample(start: llguidance.LLMatcher, seed: int) -> str:
    """Return a random text of a grammar, kept short by preferring what closes strings and lists."""
    state, chance, text = start.deep_copy(), random.Random(seed), bytearray()
    while not state.is_accepting() or not state.is_stopped():
        mask = state.compute_bitmask()
        allowed = [n for n in range(256) if mask[n // 8] >> n % 8 & 1]
        if not allowed:
            break
        closing = [n for n in allowed if n in b'"]}']
        token = chance.choice(closing if closing and chance.random() < 0.4 else allowed)
        assert state.consume_token(token)
        text.append(token)
    return text.decode()


@pytest.mark.parametrize("name", SUITE)
def test_no_invalid_value_of_the_suite_is_allowed(name: str) -> None:
    for case in SUITE[name]:
        try:
            compiled = matcher(enforceable(case["schema"]))
        except ConstraintInvalid:
            continue
        if compiled.is_error():
            assert name in UNSATISFIABLE | {"patternProperties", "multipleOf"}, case["description"]
            continue
        for description, value, is_valid in case["tests"]:
            if not is_valid and name not in MAY_BE_INVALID:
                assert not fits(compiled, value), (case["description"], description)


def test_refused_keywords_of_the_suite_are_known() -> None:
    refused: Counter[str] = Counter()
    for case in (case for cases in SUITE.values() for case in cases):
        try:
            enforceable(case["schema"])
        except ConstraintInvalid as exc:
            refused[getattr(exc.reason, "values", {}).get("key", "false")] += 1
    assert refused - Counter(["false"]) == REFUSED


@pytest.mark.parametrize("name", SUITE)
def test_schema_of_a_tool_never_refuses_a_request(name: str) -> None:
    for case in SUITE[name]:
        if not isinstance(case["schema"], dict):
            continue
        schema, _ = enforceable_arguments(case["schema"])
        compiled = matcher(schema, is_tool=True)
        assert not compiled.is_error() or name in UNSATISFIABLE | {"patternProperties", "multipleOf"}


@pytest.mark.parametrize("name", REAL)
def test_real_schemas_are_enforced_but_for_what_is_listed(name: str) -> None:
    schema, left_open = enforceable_arguments(REAL[name])
    assert not matcher(schema, is_tool=True).get_error()
    expected = ("/properties/em/pattern",) if name.startswith("zod formats/") else ()
    assert left_open == expected
    if not expected:
        assert not matcher(enforceable(REAL[name])).get_error()


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Base(pydantic.BaseModel):
    id: int


class Node(Base):
    name: str
    children: list[Node] = []


class Cat(pydantic.BaseModel):
    kind: Literal["cat"]
    lives: Annotated[int, pydantic.Field(ge=0, le=9)]


class Dog(pydantic.BaseModel):
    kind: Literal["dog"]
    good: bool


class Everything(pydantic.BaseModel):
    tags: set[str]
    frozen: frozenset[int]
    path: Path
    data: bytes
    secret: pydantic.SecretStr
    by_colour: dict[Colour, int]
    pet: Annotated[Cat | Dog, pydantic.Field(discriminator="kind")]
    either: Cat | Dog | None
    number: float | int
    pair: tuple[int, str]
    nested: Base


MODELS = (Base, Node, Cat, Everything)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
@pytest.mark.parametrize("mode", ["validation", "serialization"])
def test_what_a_model_of_pydantic_may_answer_is_one(
    model: type[pydantic.BaseModel], mode: Literal["validation", "serialization"]
) -> None:
    compiled = matcher(enforceable(model.model_json_schema(mode=mode)))
    assert not compiled.get_error()
    for seed in range(4):
        text = sample(compiled, seed)
        model.model_validate_json(text)
        assert json.loads(text).keys() <= model.model_fields.keys()


PERSON = {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}}


@pytest.mark.parametrize(
    "schema",
    [
        PERSON,
        {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["age"]},
        {"$ref": "#/$defs/person", "$defs": {"person": PERSON}},
        {"anyOf": [PERSON, {"type": "null"}]},
        {"allOf": [{"properties": {"name": {}}}, {"properties": {"age": {"type": "integer"}}}]},
        {"$defs": {"a": {"properties": {"name": {}}}}, "$ref": "#/$defs/a", "properties": {"age": {}}},
        {"properties": {"name": {}}, "anyOf": [{"properties": {"age": {}}}, {"properties": {"town": {}}}]},
        {"properties": {"name": {}, "age": {}}, "anyOf": [{"required": ["name"]}, {"required": ["age"]}]},
    ],
)
def test_objects_with_properties_are_closed(schema: dict[str, Any]) -> None:
    assert accepts(schema, {"name": "Ann", "age": 5})
    assert not accepts(schema, {"name": "Ann", "age": 5, "gender": "f"})


@pytest.mark.parametrize(
    "schema",
    [
        {**PERSON, "additionalProperties": True},
        {**PERSON, "additionalProperties": {"type": "string"}},
        {**PERSON, "patternProperties": {"^g": {}}},
        {"type": "object"},
        {"allOf": [PERSON, {"additionalProperties": True}]},
    ],
)
def test_objects_that_their_schema_opens_are_open(schema: dict[str, Any]) -> None:
    assert accepts(schema, {"name": "Ann", "age": 5, "gender": "f"})


def test_keys_come_in_the_order_of_the_schema() -> None:
    assert accepts(Node.model_json_schema(), {"id": 1, "name": "a", "children": [{"id": 2, "name": "b"}]})


def test_refusal_names_the_keyword_and_where_it_stands() -> None:
    schema = {"properties": {"a/b": {"items": {"not": {"type": "string"}}}}}
    with pytest.raises(ConstraintInvalid) as caught:
        enforceable(schema)
    assert "“not” at /properties/a~1b/items" in str(caught.value)


def test_tool_keeps_what_can_be_enforced() -> None:
    schema = {
        "properties": {
            "mail": {"type": "string", "pattern": "^(?!x).+@"},
            "kind": {"type": "STRING", "enum": ["a"]},
            "any": {"type": "any"},
            "else": {"$ref": "https://example.org/schema"},
            "none": {"enum": []},
            "back": {"pattern": r"(a)\1"},
        },
        "required": ["kind"],
    }
    arguments, left_open = enforceable_arguments(schema)
    compiled = matcher(arguments, is_tool=True)
    assert fits(compiled, {"mail": "x", "kind": "a", "any": [1]})
    assert not fits(compiled, {"kind": "b"})
    assert left_open == tuple(
        f"/properties/{each}"
        for each in ("mail/pattern", "any/type", "else/$ref", "none/enum", "back/pattern")
    )


@pytest.mark.parametrize(
    "keyword",
    [
        *(
            {key: None}
            for key in ("minimum", "maxLength", "multipleOf", "required", "enum", "items", "allOf")
        ),
        *({key: None} for key in ("pattern", "properties", "additionalProperties", "prefixItems", "$ref")),
        {"$schema": "http://json-schema.org/schema#"},
        {"$schema": "https://json-schema.org/draft-07/schema#"},
    ],
    ids=str,
)
def test_a_null_is_a_keyword_that_is_not_set_and_an_unknown_draft_is_the_newest(keyword: Any) -> None:
    """Programs that write their schemas from structures write null for what is not set."""
    schema = {
        **keyword,
        "type": "object",
        "properties": {"a": {"type": "integer", **keyword}},
        "required": ["a"],
    }
    assert accepts(schema, {"a": 1})
    assert not accepts(schema, {"a": "x"})
    arguments, left_open = enforceable_arguments(schema)
    assert fits(matcher(arguments, is_tool=True), {"a": 1})
    assert left_open == ()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("required", True), ("required", [1]), ("minimum", "5"), ("maxLength", -1), ("minItems", True)),
        *(
            ("multipleOf", 0),
            ("enum", "a"),
            ("items", "string"),
            ("allOf", {}),
            ("additionalProperties", "no"),
        ),
    ],
)
def test_a_keyword_of_the_wrong_kind_is_left_open_and_named(key: str, value: object) -> None:
    schema = {"type": "object", "properties": {"a": {"type": ["integer", "array", "object"], key: value}}}
    arguments, left_open = enforceable_arguments(schema)
    assert fits(matcher(arguments, is_tool=True), {"a": 7})
    assert left_open == (f"/properties/a/{key}",)
    with pytest.raises(ConstraintInvalid, match=key):
        enforceable(schema)


def test_a_property_that_is_no_schema_is_any_value() -> None:
    arguments, left_open = enforceable_arguments({"type": "object", "properties": {"a": "a text"}})
    assert fits(matcher(arguments, is_tool=True), {"a": "x"})
    assert left_open == ("/properties/a",)


def test_null_is_allowed_where_openapi_says_so() -> None:
    assert accepts({"type": "string", "nullable": True}, None)
    assert not accepts({"type": "string"}, None)


def nested_parts(*, depth: int, width: int) -> dict[str, Any]:
    """A small schema whose parts, written out, are ``width ** depth``."""
    definitions: dict[str, Any] = {
        f"d{n}": {"properties": {f"p{n}": {}}, "allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * width}
        for n in range(depth)
    }
    return {"$ref": "#/$defs/d0", "properties": {"a": {}}, "$defs": {**definitions, f"d{depth}": {}}}


@pytest.mark.parametrize("keyword", [{}, {"unevaluatedProperties": False}])
def test_parts_that_are_exponentially_many_are_not_followed(keyword: dict[str, Any]) -> None:
    """A tool's schema comes from any program, and is read where all answers wait for it."""
    schema = {**nested_parts(depth=14, width=8), **keyword}
    assert enforceable_arguments(schema)[0] == {"type": "object"}
    with pytest.raises(ConstraintInvalid):
        enforceable(schema)
    assert enforceable_arguments(nested_parts(depth=3, width=2))[1] == ()


@pytest.mark.parametrize(
    ("schema", "left_open"),
    [
        ({"$ref": "#"}, "/$ref"),
        ({"type": "object", "allOf": [{"$ref": "#"}]}, "/allOf/0/$ref"),
        (
            {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
            "/$defs/a/$ref",
        ),
    ],
)
def test_a_schema_that_is_a_part_of_itself_costs_that_reference_alone(
    schema: dict[str, Any], left_open: str
) -> None:
    tool, left = enforceable_arguments(schema)
    assert left_open in left
    assert not matcher(tool, is_tool=True).get_error()
    with pytest.raises(ConstraintInvalid):
        enforceable(schema)


def test_a_tree_is_no_part_of_itself() -> None:
    tree = {"type": "object", "properties": {"next": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}}}
    assert accepts(tree, {"next": {"next": None}})
    assert not accepts(tree, {"next": {"next": 1}})


@pytest.mark.parametrize("address", ["not a uri %", "a b", "100%"])
def test_an_address_that_is_none_is_left_out(address: str) -> None:
    assert accepts({"$id": address, "type": "integer"}, 1)
