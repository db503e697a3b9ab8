"""The arguments of a tool, by its JSON schema, as fields that a person fills in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.elicitation import ElicitationField, FieldKind
from fireside.core.i18n import Phrase, Translatable, render, tr_noop

_KINDS: Final = {
    "string": FieldKind.TEXT,
    "number": FieldKind.NUMBER,
    "integer": FieldKind.INTEGER,
    "boolean": FieldKind.SWITCH,
}
_SWITCH: Final = {
    **dict.fromkeys(("true", "yes", "y", "1"), True),
    **dict.fromkeys(("false", "no", "n", "0"), False),
}


class ArgumentInvalid(ValueError):
    """A text is no value of an argument; ``reason`` is a sentence that names it."""

    def __init__(self, reason: Translatable) -> None:
        super().__init__(render(reason))
        self.reason = reason


def argument_fields(parameters: str) -> tuple[ElicitationField, ...]:
    """Return a field for each argument; what is neither text, number, switch nor choice is JSON."""
    try:
        schema = decode_json(parameters, kind=dict[str, Any])
    except JsonInvalid:
        return ()
    properties, required = schema.get("properties"), schema.get("required")
    if not isinstance(properties, dict):
        return ()
    names = required if isinstance(required, list) else ()
    return tuple(
        _field(name, _plain(value, schema), is_required=name in names) for name, value in properties.items()
    )


def argument_value(field: ElicitationField, text: str) -> Any:
    """Return the value that a text stands for. Raises ``ArgumentInvalid``."""
    try:
        match field.kind:
            case FieldKind.INTEGER:
                return int(text)
            case FieldKind.NUMBER:
                return float(text)
            case FieldKind.SWITCH:
                return _SWITCH[text.strip().casefold()]
            case FieldKind.CHOICE if text not in dict(field.options):
                values = ", ".join(value for value, _ in field.options)
                raise ArgumentInvalid(
                    Phrase(tr_noop("{name}: one of {values}."), {"name": field.name, "values": values})
                )
            case FieldKind.CHOICES:
                return tuple(part.strip() for part in text.split(",") if part.strip())
            case FieldKind.JSON:
                return decode_json(text, kind=object)
            case _:
                return text
    except JsonInvalid as exc:
        raise ArgumentInvalid(Phrase(tr_noop("{name}: not JSON."), {"name": field.name})) from exc
    except KeyError as exc:
        raise ArgumentInvalid(Phrase(tr_noop("{name}: true or false."), {"name": field.name})) from exc
    except ArgumentInvalid:
        raise
    except (ValueError, OverflowError) as exc:
        raise ArgumentInvalid(Phrase(tr_noop("{name}: not a number."), {"name": field.name})) from exc


def _plain(schema: Any, root: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an argument without reference and without the alternative ``null``."""
    plain: dict[str, Any] = schema if isinstance(schema, dict) else {}
    for several in (plain.get("anyOf"), plain.get("oneOf")):
        others = [each for each in several if each != {"type": "null"}] if isinstance(several, list) else []
        if len(others) == 1 and isinstance(others[0], dict):
            plain = {**plain, **others[0]}
    path, _, name = str(plain.get("$ref", "")).rpartition("/")
    definitions = root.get(path.removeprefix("#/"))
    if isinstance(definitions, dict) and isinstance(definitions.get(name), dict):
        plain = {**definitions[name], **plain}
    return plain


def _field(name: str, schema: dict[str, Any], *, is_required: bool) -> ElicitationField:
    kinds = schema.get("type")
    types = [each for each in (kinds if isinstance(kinds, list) else [kinds]) if each != "null"]
    kind = _KINDS.get(str(types[0]), FieldKind.JSON) if len(types) == 1 else FieldKind.JSON
    values, default = schema.get("enum"), schema.get("default")
    options = values if isinstance(values, list) and all(isinstance(each, str) for each in values) else []
    if options:
        kind = FieldKind.CHOICE
    if kind is FieldKind.JSON:
        default = None if default is None else msgspec.json.encode(default).decode()
    return ElicitationField(
        name=name,
        label=name,
        description=str(schema.get("description") or ""),
        kind=kind,
        is_required=is_required,
        options=tuple((each, each) for each in options),
        default=default if isinstance(default, str | int | float | bool) else None,
    )
