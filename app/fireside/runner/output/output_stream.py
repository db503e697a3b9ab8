"""Turn the tokens of one answer into pieces of output that are ready to send."""

from __future__ import annotations

import codecs
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Final, assert_never

from fireside.core.generation import CallDelta, OutputKind, TokenLogprobs
from fireside.core.ids import RequestId
from fireside.core.message import ToolCallPart
from fireside.runner.output.output_events import ConstraintStart, OutputEvent, OutputText, ToolCallMade
from fireside.runner.output.parser import OutputParser
from fireside.wire.messages import Piece

_MAX_SEGMENTS: Final = 4096
"""Most segments whose tokens are remembered."""


class OutputStream:
    """The output of one sequence: complete characters, separated by kind, without stop strings.

    All pieces in order are the raw output. A stop string of the request only applies to the answer's text,
    since reasoning may well mention it; one of the model applies everywhere.

    Args:
        parser: separates reasoning, answer and tool calls; ``None`` if all of it is answer.
        constraint: applies from the beginning, in addition to those of the parser.
        stop: the request's stop strings.
        model_stop: the model's stop strings, for ends that are not single tokens.
        min_tokens: as many tokens are read before a stop string of the request applies.
        thinking_budget: most tokens of reasoning; ``None`` for no limit.
        emit: receives each piece when it is ready.
    """

    def __init__(
        self,
        request_id: RequestId,
        *,
        parser: OutputParser | None,
        constraint: ConstraintStart | None = None,
        stop: Sequence[str],
        model_stop: Sequence[str],
        min_tokens: int = 0,
        thinking_budget: int | None = None,
        emit: Callable[[Piece], None],
    ) -> None:
        self.n_tokens = 0
        self.n_reasoning = 0
        """Tokens of reasoning so far, without its tags and surrounding space."""
        self.stopped = False
        """Whether a stop string appeared. Nothing is emitted after it."""
        self.stop_string = ""
        """The request's stop string that appeared, if it was not one of the model's."""
        self.tool_calls: list[ToolCallPart] = []
        self.cut_call: ToolCallPart | None = None
        """The call in whose middle the answer reached its limit."""
        self.segments_by_kind: list[tuple[OutputKind, str]] = []
        """The emitted text, in segments of one kind."""
        self._request_id = request_id
        self._parser = parser
        self._emit = emit
        self._thinking_budget = thinking_budget
        self._n_in_reasoning = 0
        self._characters = codecs.getincrementaldecoder("utf-8")("replace")
        self._stop = frozenset(stop)
        self._min_tokens = min_tokens if stop else 0
        self._later_matcher = StopMatcher((*model_stop, *stop))
        self._answer_matcher = StopMatcher(model_stop) if self._min_tokens else self._later_matcher
        self._other_matcher = StopMatcher(model_stop) if parser is not None else self._answer_matcher
        self._kind = OutputKind.ANSWER
        self._written: list[str] = []
        self._constraint = constraint
        self._n_read = 0
        self._n_emitted = 0
        self._undecided: deque[tuple[int, int]] = deque()
        """Character ranges of tokens whose kind is not known yet."""
        self._n_decided = 0
        self._reasoning_end_at = 0
        self._logprobs: deque[tuple[int, TokenLogprobs]] = deque()
        if parser is not None:
            self._read(parser.begin())

    # State, for the loop

    @property
    def is_over(self) -> bool:
        """Whether the answer ends here: a stop string appeared, or it made the maximum number of calls."""
        return self.stopped or (self._parser is not None and self._parser.is_over)

    @property
    def reasoning_budget_exceeded(self) -> bool:
        """Whether the reasoning budget is used up; space and possible tags count too."""
        return self._thinking_budget is not None and self._n_in_reasoning >= self._thinking_budget

    @property
    def in_reasoning(self) -> bool:
        """Whether the next token belongs to the reasoning, as far as is known."""
        return self._parser is not None and self._parser.in_reasoning

    @property
    def reasoning_end(self) -> str:
        """The end tag of open reasoning; empty without any, or in the middle of a character."""
        if self._parser is None or not self._parser.in_reasoning or self._characters.getstate()[0]:
            return ""
        return self._parser.reasoning_end

    def set_constrained(self, is_constrained: bool) -> None:
        """Say whether the output follows the constraint that ``pop_constraint`` returned."""
        if self._parser is not None:
            self._parser.set_constrained(is_constrained)

    def pop_constraint(self) -> ConstraintStart | None:
        """Return the constraint that applies from here on, once."""
        constraint, self._constraint = self._constraint, None
        return constraint

    # Input

    def feed(self, piece: bytes, logprobs: TokenLogprobs | None = None) -> None:
        """Add the bytes of the next token, and emit what is ready."""
        self.n_tokens += 1
        if self._min_tokens and self.n_tokens > self._min_tokens:
            self._apply_stop_strings()
        # NUL is rejected in prompts: with one such token the conversation could not continue.
        text = self._characters.decode(piece).replace("\0", "\ufffd")
        start, self._n_read = self._n_read, self._n_read + len(text)
        if logprobs is not None:
            self._logprobs.append((self._n_read, logprobs))
        if self._parser is None:
            if text:
                self._write(OutputKind.ANSWER, text)
            return
        end = self._n_read + bool(self._characters.getstate()[0])
        if end > start:
            self._undecided.append((start, end))
        was_reasoning = self._parser.in_reasoning
        if text:
            self._read(self._parser.feed(text))
        self._n_in_reasoning += was_reasoning and self._parser.in_reasoning

    def end(self, *, at_limit: bool = False) -> None:
        """Emit what was held back; the answer is over, ``at_limit`` if the model would have gone on.

        The bytes of an incomplete character are dropped.
        """
        if self._parser is not None and not self.stopped:
            self._read(self._parser.end(at_limit=at_limit))
        if not self.stopped:
            self._send(self._matcher.release())
        self._close_segment()
        if self._logprobs:
            logprobs = tuple(entry for _, entry in self._logprobs)
            self._logprobs.clear()
            self._emit(Piece(self._request_id, "", self.n_tokens, self._kind, logprobs))

    # Processing

    def _apply_stop_strings(self) -> None:
        self._min_tokens = 0
        if self._matcher is self._answer_matcher:
            self._send(self._matcher.release())
        self._answer_matcher = self._later_matcher

    @property
    def _matcher(self) -> StopMatcher:
        return self._answer_matcher if self._kind is OutputKind.ANSWER else self._other_matcher

    def _read(self, events: Iterable[OutputEvent]) -> None:
        for event in events:
            match event:
                case OutputText():
                    self._count(event)
                    self._write(event.kind, event.text)
                case CallDelta():
                    self._tell(event)
                case ToolCallMade(is_cut=True):
                    self.cut_call = event.call
                case ToolCallMade():
                    self.tool_calls.append(event.call)
                case ConstraintStart():
                    self._constraint = event
                case _:
                    assert_never(event)
            if self.stopped:
                return

    def _tell(self, delta: CallDelta) -> None:
        """Emit more of a call, behind all text that came before it.

        Not where a stop string of the model may end the answer in its middle.
        """
        if not self._other_matcher.is_empty:
            return
        self._write(OutputKind.MARKUP, "")
        self._emit(Piece(self._request_id, "", self.n_tokens, self._kind, call=delta))

    def _count(self, event: OutputText) -> None:
        """Count tokens whose characters all have a kind now; any of reasoning makes it a reasoning token."""
        self._n_decided += len(event.text)
        if event.kind is OutputKind.REASONING:
            self._reasoning_end_at = self._n_decided
        undecided = self._undecided
        while undecided and undecided[0][1] <= self._n_decided:
            self.n_reasoning += self._reasoning_end_at > undecided.popleft()[0]

    def _write(self, kind: OutputKind, text: str) -> None:
        if kind is not self._kind:
            self._send(self._matcher.release())
            self._close_segment()
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

    def _close_segment(self) -> None:
        if self._written and len(self.segments_by_kind) < _MAX_SEGMENTS:
            self.segments_by_kind.append((self._kind, "".join(self._written)))
        self._written.clear()

    def _logprobs_of(self, text: str) -> tuple[TokenLogprobs, ...]:
        """Return the probabilities of the tokens that end in ``text``, which is emitted now."""
        pending = self._logprobs
        if not pending:
            return ()
        self._n_emitted += len(text)
        ready = []
        while pending and pending[0][0] <= self._n_emitted:
            ready.append(pending.popleft()[1])
        return tuple(ready)


class StopMatcher:
    """Filters a growing text: nothing of a stop string is let through."""

    def __init__(self, stop: Sequence[str]) -> None:
        self._stop = tuple(stop)
        self._beginnings = frozenset(text[:n] for text in self._stop for n in range(1, len(text)))
        self._first_characters = frozenset(text[:1] for text in self._stop)
        self._longest = max(map(len, self._stop), default=0)
        self._held = ""
        self.found = ""
        """The stop string that appeared; nothing follows it."""

    @property
    def is_empty(self) -> bool:
        """Whether there are no stop strings."""
        return not self._stop

    def feed(self, text: str) -> str:
        """Add ``text`` and return what is ready, at most up to the first stop string."""
        if not self._held and self._first_characters.isdisjoint(text):
            return text  # the usual case
        held = self._held + text
        matches = [(index, stop) for stop in self._stop if (index := held.find(stop)) >= 0]
        if matches:
            index, self.found = min(matches)
            self._held = ""
            return held[:index]
        cut = len(held) - self._n_partial(held)
        self._held = held[cut:]
        return held[:cut]

    def _n_partial(self, held: str) -> int:
        """Return how many characters at the end may be the start of a stop string."""
        for n in range(min(self._longest - 1, len(held)), 0, -1):
            if held[-n:] in self._beginnings:
                return n
        return 0

    def release(self) -> str:
        """Return the text that was held back; nothing follows."""
        ready, self._held = self._held, ""
        return ready
