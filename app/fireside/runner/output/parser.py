"""Run the reading of one answer, piece by piece."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from fireside.runner.output.incremental_reader import Reader, Script
from fireside.runner.output.output_events import OutputEvent


class OutputParser(Protocol):
    """Tells the parts of one answer apart. Used by one thread at a time."""

    @property
    def in_reasoning(self) -> bool:
        """Whether what comes next belongs to the reasoning, so far as is known."""
        ...

    @property
    def reasoning_end(self) -> str:
        """What closes the reasoning that is open; empty where none is."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether the answer is to end here, whatever the model would write behind it."""
        ...

    def begin(self) -> list[OutputEvent]:
        """Return what holds before the first token. Call once, first."""
        ...

    def feed(self, text: str) -> list[OutputEvent]:
        """Return what ``text`` makes known. Never raises for anything that a model writes."""
        ...

    def end(self) -> list[OutputEvent]:
        """Return the rest; the answer is over. Call once, last."""
        ...


class ParserState:
    """Where a script tells how far the answer is."""

    def __init__(self) -> None:
        self.reader = Reader()
        self.in_reasoning = False
        self.reasoning_end = ""


class ScriptParser:
    """An ``OutputParser`` that runs a script over the text."""

    def __init__(self, script: Callable[[ParserState], Script[None]]) -> None:
        self._state = ParserState()
        self._reader = self._state.reader
        self._script = script(self._state)
        self._running = True

    @property
    def in_reasoning(self) -> bool:
        return self._state.in_reasoning

    @property
    def reasoning_end(self) -> str:
        return self._state.reasoning_end

    @property
    def is_over(self) -> bool:
        return not self._running

    def begin(self) -> list[OutputEvent]:
        return self._advance()

    def feed(self, text: str) -> list[OutputEvent]:
        self._reader.extend(text)
        return self._advance()

    def end(self) -> list[OutputEvent]:
        self._reader.ended = True
        return self._advance()

    def _advance(self) -> list[OutputEvent]:
        if self._running:
            try:
                next(self._script)
            except StopIteration:
                self._running = False
        return self._reader.take_events()
