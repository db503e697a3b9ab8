"""Tool calls of GLM since 4.5: a tag for each key and one for each value."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from fireside.runner.output.incremental_reader import IncrementalReader, Markers, Script
from fireside.runner.output.marked_calls import TypedArguments, is_text, read_value_until
from fireside.runner.output.tool_call_detection import RawCall
from fireside.runner.output.tool_call_grammar import (
    TriggeredCalls,
    argument_rules,
    grammar,
    json_rule,
    quoted,
)

_OPENS, _CLOSES = "<tool_call>", "</tool_call>"
_KEY, _KEY_END = "<arg_key>", "</arg_key>"
_VALUE, _VALUE_END = "<arg_value>", "</arg_value>"
GLM_MARKS: Final = (_OPENS, _CLOSES, _KEY, _KEY_END, _VALUE, _VALUE_END)

_NAME = re.compile(r"[^\s<>]")
_KEY_ENDS, _VALUE_ENDS = Markers((_KEY_END,)), Markers((_VALUE_END,))
_LAZY_TEXT = "text[lazy]: /(.|\\n)*<\\/arg_value>/"


class GlmCalls(TriggeredCalls):
    """Reads ``<tool_call>name<arg_key>key</arg_key><arg_value>value</arg_value></tool_call>``.

    Values are plain text, interpreted by the tool's schema. A value may contain closing tags: it ends only
    where another key or the end of the call follows.
    """

    triggers: Sequence[str] = (_OPENS,)

    def _read_calls(self, reader: IncrementalReader, _trigger: str) -> Script[list[RawCall] | None]:
        yield from reader.read_space()
        name = yield from reader.read_while(_NAME)
        if name not in self._tools.names:
            return None
        arguments = TypedArguments(reader.begin_call(name), schema=self._tools.schema(name))
        return [arguments.made()] if (yield from self._read_values(reader, arguments)) else None

    def _read_values(self, reader: IncrementalReader, arguments: TypedArguments) -> Script[bool]:
        """Read the values up to the end of the call; return whether that came."""
        yield from reader.read_space()
        following = yield from reader.read_one_of((_KEY, _CLOSES))
        while following == _KEY:
            key = yield from reader.read_through(_KEY_ENDS)
            yield from reader.read_space()
            if key is None or not (yield from reader.read_literal(_VALUE)):
                return False
            arguments.begin(key[0].strip())
            following = yield from read_value_until(reader, _VALUE_ENDS, arguments, follows=(_KEY, _CLOSES))
        return following is not None

    def _grammar(self, before: str) -> str:
        mark = self._marks.expression
        is_control = mark(_VALUE_END) != quoted(_VALUE_END)
        text = f"text: ANYTHING {mark(_VALUE_END)}" if is_control else _LAZY_TEXT

        def argument(key: str, schema: Mapping[str, Any]) -> str:
            value = "text" if is_text(schema) else f"WS {json_rule(schema)} WS {mark(_VALUE_END)}"
            return f"{mark(_KEY)} {quoted(key)} {mark(_KEY_END)} WS {mark(_VALUE)} {value}"

        rules, arguments = argument_rules(self._tools, argument=argument)
        calls = (f"{quoted(name)} WS {parts} {mark(_CLOSES)}" for name, parts in arguments.items())
        return grammar(f"{before}WS call", f"call: {' | '.join(calls)}", text, *rules)
