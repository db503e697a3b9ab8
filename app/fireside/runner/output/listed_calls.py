"""Base of formats with tool calls listed in a section, whose markers are optional."""

from __future__ import annotations

from abc import abstractmethod

import msgspec

from fireside.runner.output.incremental_reader import IncrementalReader, Script
from fireside.runner.output.tool_call_detection import RawCall, Tools
from fireside.runner.output.tool_call_grammar import MarkerGrammar, TriggeredCalls


class SectionMarks(msgspec.Struct, frozen=True, kw_only=True):
    """The markers of a section of calls."""

    begin: str
    end: str
    call: str
    """Before each call."""


class ListedCalls(TriggeredCalls):
    """Parses ``begin call … call … end``; subclasses parse one call."""

    def __init__(self, section: SectionMarks, *, tools: Tools, marks: MarkerGrammar) -> None:
        super().__init__(tools=tools, marks=marks)
        self._section = section
        self.triggers = (section.begin, section.call)

    def _read_calls(self, reader: IncrementalReader, trigger: str) -> Script[list[RawCall] | None]:
        if trigger == self._section.begin:
            yield from reader.read_space()
            if not (yield from reader.read_literal(self._section.call)):
                return None
        calls: list[RawCall] = []
        while True:
            call = yield from self._read_one(reader)
            if call is None:
                return self._tools.check(calls) if reader.is_cut else None
            calls.append(call)
            yield from reader.read_space()
            if not (yield from reader.read_literal(self._section.call)):
                break
        yield from reader.read_literal(self._section.end)
        return self._tools.check(calls)

    def opening_grammar(self) -> str:
        section, mark = self._section, self._marks.expression
        return self._grammar(f"WS {mark(section.begin)} WS {mark(section.call)} call WS {mark(section.end)}")

    def _grammar_after(self, trigger: str) -> str:
        call, end = self._marks.expression(self._section.call), self._marks.expression(self._section.end)
        calls = f"WS {call} call (WS {call} call)* WS {end}"
        return self._grammar(calls if trigger == self._section.begin else "call")

    @abstractmethod
    def _read_one(self, reader: IncrementalReader) -> Script[RawCall | None]:
        """Read a call after its marker; ``None`` if invalid. ``_grammar`` has a rule ``call`` for it."""
