"""Tool calls of Mistral and DeepSeek: the name in markup and the arguments as JSON."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fireside.runner.output.incremental_reader import IncrementalReader, Script
from fireside.runner.output.listed_calls import ListedCalls, SectionMarks
from fireside.runner.output.tool_call_detection import RawCall, Tools, read_arguments, read_json_calls
from fireside.runner.output.tool_call_grammar import (
    MarkerGrammar,
    TriggeredCalls,
    grammar,
    json_call_rules,
    json_rule,
    quoted,
)

_NAME = re.compile(r"[^\s\[\]<>{}\"｜]")

_CALLS_BEGIN = "<｜tool▁calls▁begin｜>"
_CALL_BEGIN = "<｜tool▁call▁begin｜>"
_CALL_END = "<｜tool▁call▁end｜>"
_CALLS_END = "<｜tool▁calls▁end｜>"
_SEPARATOR = "<｜tool▁sep｜>"

_FENCE = "\n```json\n"

_DEEPSEEK = SectionMarks(begin=_CALLS_BEGIN, end=_CALLS_END, call=_CALL_BEGIN)

MISTRAL_MARKS = ("[TOOL_CALLS]", "[CALL_ID]", "[ARGS]")
DEEPSEEK_MARKS = (_CALLS_BEGIN, _CALL_BEGIN, _CALL_END, _CALLS_END, _SEPARATOR)


class MistralCalls(TriggeredCalls):
    """Reads ``[TOOL_CALLS][{…}]`` and the newer ``[TOOL_CALLS]name[CALL_ID]id[ARGS]{…}``."""

    triggers: Sequence[str] = ("[TOOL_CALLS]",)

    def __init__(self, *, tools: Tools, marks: MarkerGrammar, writes_names: bool) -> None:
        super().__init__(tools=tools, marks=marks)
        self._writes_names = writes_names

    def _read_calls(self, reader: IncrementalReader, _trigger: str) -> Script[list[RawCall] | None]:
        yield from reader.read_space()
        if (yield from reader.peek()) in ("[", "{"):
            calls = yield from read_json_calls(reader)
            return self._tools.check(calls)
        name = yield from reader.read_while(_NAME)
        call_id = None
        if (yield from reader.read_literal("[CALL_ID]")):
            call_id = yield from reader.read_while(_NAME)
        if not (yield from reader.read_literal("[ARGS]")) and reader.is_cut:
            return None  # the name may go on
        call = yield from read_arguments(reader, name, call_id or None)
        return self._tools.check([call]) if call else None

    def _grammar(self, before: str) -> str:
        if not self._writes_names:
            rules = json_call_rules(self._tools, id_after="id")
            return grammar(f'{before}WS "[" WS call WS ("," WS call WS)* "]"', rules)
        call_id, args = self._marks.expression("[CALL_ID]"), self._marks.expression("[ARGS]")
        options = " | ".join(
            f"{quoted(name)} ({call_id} /[A-Za-z0-9]{{9}}/)? {args} WS {json_rule(self._tools.schema(name))}"
            for name in self._tools.names
        )
        return grammar(f"{before}WS ({options})")


class DeepSeekCalls(ListedCalls):
    """Parses the calls of DeepSeek V3 and R1 (arguments in a fenced block) and V3.1 (without)."""

    def __init__(self, *, tools: Tools, marks: MarkerGrammar, fenced: bool) -> None:
        super().__init__(_DEEPSEEK, tools=tools, marks=marks)
        self._fenced = fenced

    def _read_one(self, reader: IncrementalReader) -> Script[RawCall | None]:
        name = yield from reader.read_while(_NAME)
        yield from reader.read_space()
        if not (yield from reader.read_literal(_SEPARATOR)):
            return None
        yield from reader.read_space()
        if (yield from reader.peek()) != "{":  # V3: the first word is the type of the tool, always "function"
            name = yield from reader.read_while(_NAME)
            yield from reader.read_space()
            yield from reader.read_literal("```json")
            yield from reader.read_space()
        call = yield from read_arguments(reader, name)
        yield from reader.read_space()
        yield from reader.read_literal("```")
        yield from reader.read_space()
        yield from reader.read_literal(_CALL_END)
        return call

    def _grammar(self, start: str) -> str:
        separator, end = self._marks.expression(_SEPARATOR), self._marks.expression(_CALL_END)
        options = []
        for name in self._tools.names:
            arguments = json_rule(self._tools.schema(name))
            options.append(
                f'"function" {separator} {quoted(f"{name}{_FENCE}")} {arguments} "\\n```" {end}'
                if self._fenced
                else f"{quoted(name)} {separator} {arguments} {end}"
            )
        return grammar(start, f"call: {' | '.join(options)}")
