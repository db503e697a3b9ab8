"""Tool calls of Kimi K2: in a section, each with its name in the id, and JSON arguments."""

from __future__ import annotations

import re
from typing import Final

from fireside.runner.output.incremental_reader import IncrementalReader, Markers, Script
from fireside.runner.output.listed_calls import ListedCalls, SectionMarks
from fireside.runner.output.tool_call_detection import RawCall, Tools, read_arguments
from fireside.runner.output.tool_call_grammar import MarkerGrammar, grammar, json_rule, quoted

_SECTION, _SECTION_END = "<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"
_CALL, _CALL_END = "<|tool_call_begin|>", "<|tool_call_end|>"
_ARGUMENTS = "<|tool_call_argument_begin|>"
KIMI_MARKS: Final = (_SECTION, _SECTION_END, _CALL, _CALL_END, _ARGUMENTS)

_MARKS: Final = SectionMarks(begin=_SECTION, end=_SECTION_END, call=_CALL)
_HEAD_END = Markers((_ARGUMENTS,))
_ID: Final = re.compile(r"(?:functions\.)?([^\s:]{1,256})(?::\d{1,6})?")


class KimiCalls(ListedCalls):
    """Reads ``<|tool_call_begin|>functions.name:0<|tool_call_argument_begin|>{…}<|tool_call_end|>``.

    The model refers to a call by that id in the result, so the id is kept as written.
    """

    def __init__(self, *, tools: Tools, marks: MarkerGrammar) -> None:
        super().__init__(_MARKS, tools=tools, marks=marks)

    def _read_one(self, reader: IncrementalReader) -> Script[RawCall | None]:
        head = yield from reader.read_through(_HEAD_END)
        call_name = _ID.fullmatch(head[0].strip()) if head is not None else None
        if call_name is None:
            return None
        call_id = call_name[0] if call_name[0].isascii() and call_name[0] != call_name[1] else None
        call = yield from read_arguments(reader, call_name[1], call_id)
        if call is not None:
            yield from reader.read_space()
            yield from reader.read_literal(_CALL_END)
        return call

    def _grammar(self, start: str) -> str:
        arguments, end = self._marks.expression(_ARGUMENTS), self._marks.expression(_CALL_END)
        options = (
            f"{quoted(f'functions.{name}:')} NUMBER {arguments} WS "
            f"{json_rule(self._tools.schema(name))} WS {end}"
            for name in self._tools.names
        )
        return grammar(start, f"call: {' | '.join(options)}", "NUMBER: /[0-9]{1,4}/")
