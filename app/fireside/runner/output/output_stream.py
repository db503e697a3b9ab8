"""Turn the tokens of one answer into output that is ready to send."""

from __future__ import annotations

import codecs
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Final, assert_never

from fireside.core.generation import OutputKind, TokenLogprobs
from fireside.core.ids import RequestId
from fireside.core.message import ToolCallPart
from fireside.runner.output.output_events import ConstraintStart, OutputEvent, OutputText, ToolCallMade
from fireside.runner.output.parser import OutputParser
from fireside.runner.output.stop_strings import StopMatcher
from fireside.wire.messages import Piece

_MAX_STRETCHES: Final = 4096
"""An answer that changes its kind more often will not be sent again."""


class OutputStream:
    """What one sequence writes: whole characters, told apart by kind, and nothing of a stop string.

    All pieces in order are the raw output. A stop string of the request ends the answer where it appears in
    the answer's own text, since reasoning may well mention it; one of the model ends it anywhere.

    Args:
        parser: tells reasoning, answer and tool calls apart; ``None`` if all of it is answer.
        rule: what the answer is to follow from its beginning, besides what the parser finds.
        stop: the request's stop strings.
        model_stop: the model's, which end what is no token of its own.
        thinking_budget: the most tokens that the reasoning may take; ``None`` is no limit.
        emit: takes each piece when it is ready.
    """

    def __init__(
        self,
        request_id: RequestId,
        *,
        parser: OutputParser | None,
        rule: ConstraintStart | None = None,
        stop: Sequence[str],
        model_stop: Sequence[str],
        thinking_budget: int | None = None,
        emit: Callable[[Piece], None],
    ) -> None:
        self.n_tokens = 0
        self.n_reasoning = 0
        """Tokens that hold reasoning of what is told apart so far; marks and the space around it are none."""
        self.stopped = False
        """Whether a stop string appeared. Nothing follows then."""
        self.stop_string = ""
        """The request's stop string that appeared, if it was not one of the model's."""
        self.tool_calls: list[ToolCallPart] = []
        self.stretches: list[tuple[OutputKind, str]] = []
        """What was given out, each time the kind changed a new one."""
        self._request_id = request_id
        self._parser = parser
        self._emit = emit
        self._thinking_budget = thinking_budget
        self._n_in_reasoning = 0
        self._characters = codecs.getincrementaldecoder("utf-8")("replace")
        self._stop = frozenset(stop)
        self._in_answer = StopMatcher((*model_stop, *stop))
        self._elsewhere = StopMatcher(model_stop) if parser is not None else self._in_answer
        self._kind = OutputKind.ANSWER
        self._written: list[str] = []
        self._rule = rule
        self._n_read = 0
        self._n_emitted = 0
        self._untold: deque[tuple[int, int]] = deque()
        """Tokens whose kind is not known yet: where the characters begin and end that they are a part of."""
        self._n_told = 0
        self._reasoned_until = 0
        self._logprobs: deque[tuple[int, TokenLogprobs]] = deque()
        if parser is not None:
            self._read(parser.begin())

    # What the loop asks

    @property
    def is_over(self) -> bool:
        """Whether the answer is to end here: a stop string appeared, or it made as many calls as it may."""
        return self.stopped or (self._parser is not None and self._parser.is_over)

    @property
    def reasoning_budget_exceeded(self) -> bool:
        """Whether the budget for reasoning is used up; space, and what may be a mark, is paid for too."""
        return self._thinking_budget is not None and self._n_in_reasoning >= self._thinking_budget

    @property
    def in_reasoning(self) -> bool:
        """Whether what comes next belongs to the reasoning, so far as is known."""
        return self._parser is not None and self._parser.in_reasoning

    @property
    def open_reasoning(self) -> str:
        """What closes the reasoning that is open; empty where none is, or in the middle of a character."""
        if self._parser is None or not self._parser.in_reasoning or self._characters.getstate()[0]:
            return ""
        return self._parser.reasoning_end

    def pop_constraint(self) -> ConstraintStart | None:
        """Return the rule that the output is to follow from here on, once."""
        rule, self._rule = self._rule, None
        return rule

    # What it is told

    def feed(self, piece: bytes, logprobs: TokenLogprobs | None = None) -> None:
        """Add the bytes of the next token, and give out what is ready."""
        self.n_tokens += 1
        # A text with NUL can never be sent again: one such token, and a conversation could not go on.
        text = self._characters.decode(piece).replace("\0", "\ufffd")
        begins, self._n_read = self._n_read, self._n_read + len(text)
        if logprobs is not None:
            self._logprobs.append((self._n_read, logprobs))
        if self._parser is None:
            if text:
                self._write(OutputKind.ANSWER, text)
            return
        ends = self._n_read + bool(self._characters.getstate()[0])
        if ends > begins:
            self._untold.append((begins, ends))
        was_reasoning = self._parser.in_reasoning
        if text:
            self._read(self._parser.feed(text))
        self._n_in_reasoning += was_reasoning and self._parser.in_reasoning

    def end(self) -> None:
        """Give out what was held back; the answer is over.

        The first bytes of a character that never came are no text and are dropped.
        """
        if self._parser is not None and not self.stopped:
            self._read(self._parser.end())
        if not self.stopped:
            self._send(self._matcher.release())
        self._note_stretch()
        if self._logprobs:
            logprobs = tuple(entry for _, entry in self._logprobs)
            self._logprobs.clear()
            self._emit(Piece(self._request_id, "", self.n_tokens, self._kind, logprobs))

    # The way of the text

    @property
    def _matcher(self) -> StopMatcher:
        return self._in_answer if self._kind is OutputKind.ANSWER else self._elsewhere

    def _read(self, events: Iterable[OutputEvent]) -> None:
        for event in events:
            match event:
                case OutputText():
                    self._count(event)
                    self._write(event.kind, event.text)
                case ToolCallMade():
                    self.tool_calls.append(event.call)
                case ConstraintStart():
                    self._rule = event
                case _:
                    assert_never(event)
            if self.stopped:
                return

    def _count(self, told: OutputText) -> None:
        """Count the tokens whose characters are all told by now: one of reasoning makes a token such."""
        self._n_told += len(told.text)
        if told.kind is OutputKind.REASONING:
            self._reasoned_until = self._n_told
        untold = self._untold
        while untold and untold[0][1] <= self._n_told:
            self.n_reasoning += self._reasoned_until > untold.popleft()[0]

    def _write(self, kind: OutputKind, text: str) -> None:
        if kind is not self._kind:
            self._send(self._matcher.release())
            self._note_stretch()
            self._kind = kind
        matcher = self._matcher
        self._send(matcher.feed(text))
        if matcher.found:
            self.stopped = True
            self.stop_string = matcher.found if matcher.found in self._stop else ""

    def _send(self, text: str) -> None:
        if not text:
            return
        self._written.append(text)
        self._emit(Piece(self._request_id, text, self.n_tokens, self._kind, self._logprobs_of(text)))

    def _note_stretch(self) -> None:
        if self._written and len(self.stretches) < _MAX_STRETCHES:
            self.stretches.append((self._kind, "".join(self._written)))
        self._written.clear()

    def _logprobs_of(self, text: str) -> tuple[TokenLogprobs, ...]:
        """Return those of the tokens that end in ``text``, which is sent now."""
        waiting = self._logprobs
        if not waiting:
            return ()
        self._n_emitted += len(text)
        ready = []
        while waiting and waiting[0][0] <= self._n_emitted:
            ready.append(waiting.popleft()[1])
        return tuple(ready)
