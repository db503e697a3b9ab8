"""Tool calls in Gemma 4's own notation: ``call:get_weather{city:<|"|>Bern<|"|>,days:2}``."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from fireside.runner.output.incremental_reader import IncrementalReader, Markers, Script, WrittenCall
from fireside.runner.output.tool_call_detection import RawCall, completed, dumps, parse_arguments
from fireside.runner.output.tool_call_grammar import (
    TriggeredCalls,
    allows_additional,
    grammar,
    json_rule,
    property_names,
    property_schema,
    quoted,
)

_OPENS, _CLOSES, _QUOTE, _RESULT = "<|tool_call>", "<tool_call|>", '<|"|>', "<|tool_response>"
GEMMA_MARKS: Final = (_OPENS, _CLOSES, _QUOTE, _RESULT)
_CALL: Final = "call:"
_ENDS: Final = Markers((_CLOSES, _QUOTE))
_KEY: Final = re.compile(r"([{,]\s*)([^\s{}\[\],:\"]+)(\s*:)")
_SCALARS: Final = ("integer", "number", "boolean", "null")


class GemmaCalls(TriggeredCalls):
    """Parses objects with unquoted keys, and strings between special quote tokens."""

    triggers: Sequence[str] = (_OPENS,)

    def _read_calls(self, reader: IncrementalReader, _trigger: str) -> Script[list[RawCall] | None]:
        yield from reader.read_space()
        yield from reader.read_literal(_CALL)
        name = yield from reader.read_one_of(self._tools.names)
        if name is None:
            return None
        call = reader.begin_call(name)
        is_whole = yield from self._read_arguments(reader, call)
        yield from reader.read_literal(_RESULT)  # where the model stops and waits
        arguments = parse_arguments(call.arguments if is_whole else None)
        return None if arguments is None else [completed(reader, call, RawCall(name, arguments))]

    def _read_arguments(self, reader: IncrementalReader, call: WrittenCall) -> Script[bool]:
        """Read up to the end of the call; a string between two quote tokens may contain anything."""

        def add_text(text: str) -> None:
            call.add(dumps(text)[1:-1])

        while True:
            segment = yield from reader.read_through(_ENDS)
            if segment is None:
                return False
            call.add(_KEY.sub(r'\1"\2"\3', segment[0]))
            if segment[1] == _CLOSES:
                return True
            call.add('"')
            mark = _CLOSES
            while mark == _CLOSES:
                text = yield from reader.read_through(_ENDS, passed=add_text)
                if text is None:
                    return False
                mark = text[1]
                call.add(dumps(mark)[1:-1] if mark == _CLOSES else '"')

    def _grammar(self, before: str) -> str:
        rules: list[str] = []
        options: list[str] = []
        for n, name in enumerate(self._tools.names):
            schema = self._tools.schema(name)
            members = [
                f"{quoted(f'{key}:')} {self._value(property_schema(schema, key))}"
                for key in property_names(schema)
            ]
            if members or allows_additional(schema):
                rules.append(f"m{n}: {' | '.join(members) or 'member'}")
                options.append(f'{quoted(name)} "{{" (m{n} ("," m{n})*)? "}}"')
            else:
                options.append(f'{quoted(name)} "{{}}"')
        quote = self._marks.expression(_QUOTE)
        is_control = self._marks.is_control(_QUOTE)
        text = (
            f"{quote} ANYTHING {quote}"
            if is_control
            else f'{quote} to_quote\nto_quote[lazy]: /(.|\\n)*<\\|"\\|>/'
        )
        return grammar(
            f'{before}WS "{_CALL}" ({" | ".join(options)}) WS {self._marks.expression(_CLOSES)}',
            *rules,
            f"text: {text}",
            'member: /[A-Za-z0-9_.$-]{1,64}/ ":" value',
            'value: text | NUMBER | "true" | "false" | "null" | list | object',
            'list: "[" (value ("," value)*)? "]"',
            'object: "{" (member ("," member)*)? "}"',
            "NUMBER: /-?[0-9]{1,16}(\\.[0-9]{1,16})?([eE][-+]?[0-9]{1,3})?/",
        )

    def _value(self, schema: Mapping[str, Any]) -> str:
        quote, options = self._marks.expression(_QUOTE), schema.get("enum")
        if isinstance(options, list) and options:
            return "({})".format(
                " | ".join(
                    f"{quote} {quoted(value)} {quote}"
                    if isinstance(value, str)
                    else quoted(json.dumps(value))
                    for value in options
                )
            )
        match schema.get("type"):
            case "string":
                return "text"
            case "array":
                return "list"
            case "object":
                return "object"
            case kind if kind in _SCALARS:
                return json_rule(schema)
            case _:
                return "value"
