"""The streaming parser of one answer."""

from __future__ import annotations

from collections.abc import Callable

from fireside.runner.output.incremental_reader import IncrementalReader, Script
from fireside.runner.output.output_events import OutputEvent


class ParserState:
    """State that a script shares with its parser."""

    def __init__(self, make_id: Callable[[int], str] = str) -> None:
        self.reader = IncrementalReader(make_id)
        self.in_reasoning = False
        self.reasoning_end = ""


class OutputParser:
    """Separates the parts of one answer by running a script over its text. Used by one thread at a time.

    Args:
        make_id: makes the id of a call from its number in the answer, from 0.
    """

    def __init__(
        self, script: Callable[[ParserState], Script[None]], *, make_id: Callable[[int], str] = str
    ) -> None:
        self._state = ParserState(make_id)
        self._reader = self._state.reader
        self._script = script(self._state)
        self._running = True

    @property
    def in_reasoning(self) -> bool:
        """Whether the next token belongs to the reasoning, as far as is known."""
        return self._state.in_reasoning

    @property
    def reasoning_end(self) -> str:
        """The end tag of open reasoning; empty without any."""
        return self._state.reasoning_end

    @property
    def is_over(self) -> bool:
        """Whether the answer ends here, whatever the model would write next."""
        return not self._running

    def set_constrained(self, is_constrained: bool) -> None:
        """Say whether the output follows the constraint that was requested last: calls are told of then."""
        self._reader.is_constrained = is_constrained

    def begin(self) -> list[OutputEvent]:
        """Return the events before the first token. Call once, first."""
        return self._advance()

    def feed(self, text: str) -> list[OutputEvent]:
        """Return the events of ``text``. Never raises for any output of a model."""
        self._reader.extend(text)
        return self._advance()

    def end(self, *, at_limit: bool = False) -> list[OutputEvent]:
        """Return the remaining events; the answer is over. Call once, last.

        With ``at_limit`` the model would have gone on: a call that is not complete was cut off.
        """
        self._reader.ended = True
        self._reader.at_limit = at_limit
        return self._advance()

    def _advance(self) -> list[OutputEvent]:
        if self._running:
            try:
                next(self._script)
            except StopIteration:
                self._running = False
        return self._reader.pop_events()
