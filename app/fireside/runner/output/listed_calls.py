"""Tool calls that stand one after the other in a section, which may also be left out around them."""

from __future__ import annotations

from abc import abstractmethod

import msgspec

from fireside.runner.output.incremental_reader import Reader, Script
from fireside.runner.output.tool_call_detection import RawCall, Tools
from fireside.runner.output.tool_call_grammar import Marks, TriggeredCalls, constraint_of


class SectionMarks(msgspec.Struct, frozen=True, kw_only=True):
    """What a family writes around its calls."""

    begin: str
    end: str
    call: str
    """Begins each call."""


class ListedCalls(TriggeredCalls):
    """Reads ``begin call … call … end``; a family says what one call looks like."""

    def __init__(self, section: SectionMarks, *, tools: Tools, marks: Marks) -> None:
        super().__init__(tools=tools, marks=marks)
        self._section = section
        self.triggers = (section.begin, section.call)

    def read(self, reader: Reader, trigger: str) -> Script[list[RawCall] | None]:
        reader.constrain(constraint_of(self._grammar_behind(trigger)), place=reader.n_held)
        if trigger == self._section.begin:
            yield from reader.space()
            if not (yield from reader.literal(self._section.call)):
                return None
        calls: list[RawCall] = []
        while True:
            call = yield from self._read_one(reader)
            if call is None:
                return None
            calls.append(call)
            yield from reader.space()
            if not (yield from reader.literal(self._section.call)):
                break
        yield from reader.literal(self._section.end)
        return self._tools.check(calls)

    def opening_grammar(self) -> str:
        section, mark = self._section, self._marks.mark
        return self._grammar(f"WS {mark(section.begin)} WS {mark(section.call)} call WS {mark(section.end)}")

    def _grammar_behind(self, trigger: str) -> str:
        call, end = self._marks.mark(self._section.call), self._marks.mark(self._section.end)
        many = f"WS {call} call (WS {call} call)* WS {end}"
        return self._grammar(many if trigger == self._section.begin else "call")

    @abstractmethod
    def _read_one(self, reader: Reader) -> Script[RawCall | None]:
        """Read a call behind its mark; ``None`` if it is none. ``_grammar`` has a rule ``call`` for it."""
