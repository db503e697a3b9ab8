"""Tool calls of Qwen3-Coder, Seed and MiniMax: a tag for each argument."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from fireside.runner.output.incremental_reader import IncrementalReader, Markers, Script
from fireside.runner.output.marked_calls import TypedArguments, is_text, read_value_until
from fireside.runner.output.tool_call_detection import RawCall, Tools
from fireside.runner.output.tool_call_grammar import (
    MarkerGrammar,
    TriggeredCalls,
    argument_rules,
    grammar,
    json_rule,
    quoted,
)

_PARAMETER_END = "</parameter>"
_VALUE_END = Markers((_PARAMETER_END,))
_TEXT_RULE = "text[lazy]: /(.|\\n)*<\\/parameter>/"


class ParameterTags(msgspec.Struct, frozen=True, kw_only=True):
    """The tags of a format."""

    tag: str
    """Name of the tag around the calls."""
    function: str = "<function="
    parameter: str = "<parameter="
    name_end: str = ">"
    function_end: str = "</function>"
    bare: bool = True
    """Whether a function is valid without the tags around it."""
    many: bool = False
    """Whether one pair of tags contains several functions."""
    padded: bool = True
    """Whether a value is surrounded by line breaks that are not part of it."""


class QwenXmlCalls(TriggeredCalls):
    """Reads ``<function=name><parameter=key>value</parameter></function>``, in a pair of tags or without.

    Values are plain text, interpreted by the tool's schema. A value may contain closing tags: it ends only
    where another parameter or the end of the function follows.
    """

    def __init__(self, tags: ParameterTags, *, tools: Tools, marks: MarkerGrammar) -> None:
        super().__init__(tools=tools, marks=marks)
        self._tags = tags
        self._opens, self._closes = f"<{tags.tag}>", f"</{tags.tag}>"
        self._name_end = Markers((tags.name_end,))
        self.triggers = (self._opens, tags.function) if tags.bare else (self._opens,)

    def _read_calls(self, reader: IncrementalReader, trigger: str) -> Script[list[RawCall] | None]:
        if trigger == self._opens:
            yield from reader.read_space()
            if not (yield from reader.read_literal(self._tags.function)):
                return None
        calls: list[RawCall] = []
        while True:
            call = yield from self._read_function(reader)
            if call is None:
                return calls if reader.is_cut else None
            calls.append(call)
            yield from reader.read_space()
            if not self._tags.many or not (yield from reader.read_literal(self._tags.function)):
                break
        yield from reader.read_literal(self._closes)
        return calls

    def opening_grammar(self) -> str:
        opens, closes = self._marks.expression(self._opens), self._marks.expression(self._closes)
        return self._grammar(f"WS {opens} WS {self._functions} WS {closes}")

    @property
    def _functions(self) -> str:
        """The grammar expression of the content of the tags, without surrounding space."""
        function = f"{quoted(self._tags.function)} functions"
        return f"{function} (WS {function})*" if self._tags.many else function

    def _read_function(self, reader: IncrementalReader) -> Script[RawCall | None]:
        segment = yield from reader.read_through(self._name_end)
        name = segment[0] if segment else ""
        if name not in self._tools.names:
            return None
        call, schema = reader.begin_call(name), self._tools.schema(name)
        arguments = TypedArguments(call, schema=schema, is_padded=self._tags.padded)
        return arguments.made() if (yield from self._read_values(reader, arguments)) else None

    def _read_values(self, reader: IncrementalReader, arguments: TypedArguments) -> Script[bool]:
        """Read the values up to the end of the function; return whether that came."""
        yield from reader.read_space()
        ends = (self._tags.parameter, self._tags.function_end)
        following = yield from reader.read_one_of(ends)
        while following == self._tags.parameter:
            key = yield from reader.read_through(self._name_end)
            if key is None:
                return False
            arguments.begin(key[0].strip())
            following = yield from read_value_until(reader, _VALUE_END, arguments, follows=ends)
        return following is not None

    def _grammar_after(self, trigger: str) -> str:
        if trigger != self._opens:
            return self._grammar("functions")
        return self._grammar(f"WS {self._functions} WS {self._marks.expression(self._closes)}")

    def _grammar(self, start: str) -> str:
        tags = self._tags

        def argument(key: str, schema: Mapping[str, Any]) -> str:
            value = "text" if is_text(schema) else f'WS {json_rule(schema)} WS "{_PARAMETER_END}"'
            return f"{quoted(f'{tags.parameter}{key}{tags.name_end}')} {value}"

        rules, arguments = argument_rules(self._tools, argument=argument)
        functions = (
            f"{quoted(f'{name}{tags.name_end}')} WS {parts} {quoted(tags.function_end)}"
            for name, parts in arguments.items()
        )
        return grammar(start, f"functions: {' | '.join(functions)}", _TEXT_RULE, *rules)
