"""Tool calls with a tag for each argument: Qwen3-Coder's and Seed's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fireside.prompt.output.calls import RawCall, Tools, dumps, loads
from fireside.prompt.output.grammar import (
    Marks,
    constraint_of,
    grammar,
    json_rule,
    property_names,
    property_schema,
    quoted,
)
from fireside.prompt.output.reader import Markers, Reader, Script

_FUNCTION, _FUNCTION_END = "<function=", "</function>"
_PARAMETER, _PARAMETER_END = "<parameter=", "</parameter>"
_TAG_END = Markers((">",))
_VALUE_END = Markers((_PARAMETER_END,))
_TEXT_RULE = "text[lazy]: /(.|\\n)*<\\/parameter>/"


class ParameterCalls:
    """Reads ``<function=name><parameter=key>value</parameter></function>``, in a pair of tags or without.

    Values are plain text, which the schema of the tool says how to read. A value may hold closing tags: it
    ends only where another parameter or the end of the function follows.
    """

    def __init__(self, *, tools: Tools, marks: Marks, tag: str) -> None:
        self._tools = tools
        self._marks = marks
        self._opens, self._closes = f"<{tag}>", f"</{tag}>"
        self.triggers: Sequence[str] = (self._opens, _FUNCTION)

    def read(self, reader: Reader, trigger: str) -> Script[list[RawCall] | None]:
        reader.constrain(constraint_of(self._grammar_behind(trigger)), place=reader.n_held)
        if trigger != _FUNCTION:
            yield from reader.space()
            if not (yield from reader.literal(_FUNCTION)):
                return None
        found = yield from reader.through(_TAG_END)
        if found is None or found[0] not in self._tools.names:
            return None
        values = yield from self._read_values(reader)
        if values is None:
            return None
        yield from reader.space()
        yield from reader.literal(self._closes)
        return [RawCall(found[0], dumps(_typed(values, schema=self._tools.schema(found[0]))))]

    def read_opening(self, _reader: Reader) -> Script[list[RawCall] | None]:
        yield from ()
        return None

    def opening_grammar(self) -> str:
        opens, closes = self._marks.mark(self._opens), self._marks.mark(self._closes)
        return self._grammar(f"WS {opens} WS {quoted(_FUNCTION)} functions WS {closes}")

    def call_grammars(self) -> Sequence[str]:
        return tuple(map(self._grammar_behind, self.triggers))

    def _read_values(self, reader: Reader) -> Script[dict[str, str] | None]:
        values: dict[str, str] = {}
        yield from reader.space()
        following = yield from reader.one_of((_PARAMETER, _FUNCTION_END))
        while following == _PARAMETER:
            named = yield from reader.through(_TAG_END)
            if named is None:
                return None
            pieces: list[str] = []
            following = None
            while following is None:
                found = yield from reader.through(_VALUE_END)
                if found is None:
                    return None
                pieces.append(found[0])
                place = reader.n_held
                yield from reader.space()
                following = yield from reader.one_of((_PARAMETER, _FUNCTION_END))
                if following is None:
                    pieces += _PARAMETER_END, reader.held_from(place)
            values[named[0].strip()] = "".join(pieces).removeprefix("\n").removesuffix("\n")
        return values if following else None

    def _grammar_behind(self, trigger: str) -> str:
        if trigger == _FUNCTION:
            return self._grammar("functions")
        return self._grammar(f"WS {quoted(_FUNCTION)} functions WS {self._marks.mark(self._closes)}")

    def _grammar(self, start: str) -> str:
        rules = [_TEXT_RULE]
        heads = []
        for n, name in enumerate(self._tools.names):
            schema = self._tools.schema(name)
            required = schema.get("required")
            parts = []
            for m, key in enumerate(property_names(schema)):
                own = property_schema(schema, key)
                value = "text" if _is_text(own) else f'WS {json_rule(own)} WS "{_PARAMETER_END}"'
                rules.append(f"p{n}_{m}: {quoted(f'{_PARAMETER}{key}>')} {value} WS")
                needed = isinstance(required, list) and key in required
                parts.append(f"p{n}_{m}" if needed else f"p{n}_{m}?")
            heads.append(f"{quoted(f'{name}>')} WS {' '.join(parts)} {quoted(_FUNCTION_END)}")
        return grammar(start, f"functions: {' | '.join(heads)}", *rules)


def _is_text(schema: Mapping[str, Any]) -> bool:
    """Whether a value is text as it stands, and not JSON."""
    kinds = schema.get("type")
    if kinds is None:
        return not schema.keys() & {"$ref", "anyOf", "oneOf", "allOf", "const", "properties", "items"}
    return kinds == "string" or (isinstance(kinds, list) and "string" in kinds)


def _typed(values: Mapping[str, str], *, schema: Mapping[str, Any]) -> dict[str, object]:
    return {
        key: text if _is_text(property_schema(schema, key)) else _read_value(text)
        for key, text in values.items()
    }


def _read_value(text: str) -> object:
    """Return what a value says; what cannot be read is text. Python's words count like JSON's."""
    plain = text.strip()
    try:
        return loads({"True": "true", "False": "false", "None": "null"}.get(plain, plain))
    except ValueError:
        return text
