"""Arguments of tools as fields: what a schema asks for, and what a text stands for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fireside.cli.commands.tool_call import hand_arguments
from fireside.core.elicitation import FieldKind
from fireside.core.tool_arguments import ArgumentInvalid, argument_fields, argument_value

# As pydantic writes the schema of a function with an enumeration, an optional number and a list.
SCHEMA = {
    "$defs": {"Unit": {"enum": ["celsius", "kelvin"], "title": "Unit", "type": "string"}},
    "type": "object",
    "properties": {
        "city": {"type": "string", "description": "Where"},
        "days": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None},
        "unit": {"$ref": "#/$defs/Unit", "default": "celsius"},
        "exact": {"type": "boolean", "default": True},
        "height": {"type": ["number", "null"]},
        "places": {"type": "array", "items": {"type": "string"}, "default": ["a"]},
        "level": {"type": "integer", "enum": [1, 2]},
    },
    "required": ["city"],
}


def test_a_schema_has_a_field_for_each_argument() -> None:
    fields = argument_fields(json.dumps(SCHEMA))
    assert [(field.name, field.kind, field.default) for field in fields] == [
        ("city", FieldKind.TEXT, None),
        ("days", FieldKind.INTEGER, None),
        ("unit", FieldKind.CHOICE, "celsius"),
        ("exact", FieldKind.SWITCH, True),
        ("height", FieldKind.NUMBER, None),
        ("places", FieldKind.JSON, '["a"]'),
        ("level", FieldKind.INTEGER, None),
    ]
    assert [field.is_required for field in fields] == [True, *[False] * 6]
    assert (fields[0].description, fields[2].options[1]) == ("Where", ("kelvin", "kelvin"))


@pytest.mark.parametrize(
    "odd",
    ["", "[]", "null", '{"properties": 7}', '{"properties": {"a": true, "b": {"$ref": 7, "anyOf": 3}}}'],
)
def test_any_schema_has_fields_or_none(odd: str) -> None:
    assert all(field.kind is FieldKind.JSON for field in argument_fields(odd))


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("city", "7", "7"),
        ("days", "7", 7),
        ("exact", "No", False),
        ("height", "1e3", 1000.0),
        ("places", '["a", 1]', ["a", 1]),
        ("unit", "kelvin", "kelvin"),
    ],
)
def test_a_text_becomes_the_value_of_its_argument(name: str, text: str, value: Any) -> None:
    field = next(field for field in argument_fields(json.dumps(SCHEMA)) if field.name == name)
    assert argument_value(field, text) == value


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ((("city", "Bern"), ("days", "seven")), "days: not a number."),
        ((("city", "Bern"), ("exact", "perhaps")), "exact: true or false."),
        ((("city", "Bern"), ("unit", "miles")), "unit: one of celsius, kelvin."),
        ((("city", "Bern"), ("places", "a, b")), "places: not JSON."),
        ((("town", "Bern"),), "There is no argument “town”. There are: city, days"),
        ((("days", "7"),), "city: needs a value"),
    ],
)
def test_what_is_wrong_names_the_argument(values: tuple[tuple[str, str], ...], reason: str) -> None:
    with pytest.raises(ArgumentInvalid, match=reason.replace(".", r"\.")):
        hand_arguments(json.dumps(SCHEMA), "", values)


def test_json_and_single_values_are_joined() -> None:
    text = hand_arguments(json.dumps(SCHEMA), '{"city": "Bern", "days": 1}', (("days", "2"),))
    assert json.loads(text) == {"city": "Bern", "days": 2}
    with pytest.raises(ArgumentInvalid, match="object"):
        hand_arguments("{}", "[]", ())
