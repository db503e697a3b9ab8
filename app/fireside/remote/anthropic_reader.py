"""Understand the pieces of an answer in Anthropic's messages. Pure."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from fireside.core.generation import FinishReason, OutputKind, TextDelta, Usage
from fireside.core.message import ToolCallPart
from fireside.remote.refusal import refused_from
from fireside.remote.text_intake import MOST_CALLS, AnswerTooLong, TextIntake

_REASONS: Final = {
    "end_turn": FinishReason.STOP,
    "stop_sequence": FinishReason.STOP,
    "max_tokens": FinishReason.LENGTH,
    "model_context_window_exceeded": FinishReason.LENGTH,
    "tool_use": FinishReason.TOOL_CALL,
}
_STATUS: Final = {
    "overloaded_error": 529,
    "rate_limit_error": 429,
    "authentication_error": 401,
    "not_found_error": 404,
    "invalid_request_error": 400,
}
"""What an error within a stream would have had for a status."""
_REFUSAL: Final = "refusal"


class _Usage(msgspec.Struct):
    input_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    output_tokens: int | None = None


class _Message(msgspec.Struct):
    usage: _Usage | None = None


class _Block(msgspec.Struct):
    type: str = ""
    id: str = ""
    name: str = ""


class _Delta(msgspec.Struct):
    text: str | None = None
    thinking: str | None = None
    partial_json: str | None = None
    stop_reason: str | None = None


class _Event(msgspec.Struct):
    type: str
    index: int = 0
    message: _Message | None = None
    content_block: _Block | None = None
    delta: _Delta | None = None
    usage: _Usage | None = None
    error: Any = None


class AnthropicReader:
    """Takes one event after the other; see ``AnswerReader``."""

    def __init__(self) -> None:
        self.finish = ""
        self.is_done = False
        self._intake = TextIntake()
        self._usage = _Usage()
        self._calls: dict[int, tuple[_Block, list[str]]] = {}

    def read(self, data: bytes) -> tuple[TextDelta, ...]:
        """Return what one event adds. Raises ``Refused``, ``AnswerTooLong``, or ``msgspec.MsgspecError``."""
        event = msgspec.json.decode(data, type=_Event, strict=False)
        if event.error is not None:
            kind = event.error.get("type") if isinstance(event.error, dict) else None
            raise refused_from(_STATUS.get(str(kind), 500), {"error": event.error})
        for usage in (event.usage, None if event.message is None else event.message.usage):
            if usage is not None:
                self._take_usage(usage)
        if event.content_block is not None and event.content_block.type == "tool_use":
            if len(self._calls) >= MOST_CALLS:
                raise AnswerTooLong
            self._calls[event.index] = (event.content_block, [])
        self.is_done = event.type == "message_stop"
        return () if event.delta is None else self._take(event.delta, index=event.index)

    def end(self) -> tuple[TextDelta, ...]:
        """Return what was held back: nothing is."""
        return ()

    @property
    def is_blocked(self) -> bool:
        """Whether the server ended the answer for what is in it."""
        return self.finish == _REFUSAL

    @property
    def reason(self) -> FinishReason:
        """Why the answer ended, in our words."""
        return _REASONS.get(self.finish, FinishReason.STOP)

    @property
    def usage(self) -> Usage:
        """Tokens as the server counts them; what it read from a cache is part of the prompt."""
        said = self._usage
        n_cached = said.cache_read_input_tokens or 0
        return Usage(
            n_prompt=(said.input_tokens or 0) + n_cached + (said.cache_creation_input_tokens or 0),
            n_cached=n_cached,
            n_completion=said.output_tokens or self._intake.n_pieces,
        )

    @property
    def tool_calls(self) -> tuple[ToolCallPart, ...]:
        """The calls that the answer ends in."""
        return tuple(
            ToolCallPart(id=block.id, name=block.name, arguments="".join(pieces) or "{}")
            for _, (block, pieces) in sorted(self._calls.items())
        )

    def _take(self, delta: _Delta, *, index: int) -> tuple[TextDelta, ...]:
        self.finish = delta.stop_reason or self.finish
        if delta.partial_json and index in self._calls:
            self._intake.count(delta.partial_json)
            self._calls[index][1].append(delta.partial_json)
        pieces = []
        if delta.thinking:
            pieces.append((OutputKind.REASONING, delta.thinking))
        if delta.text:
            pieces.append((OutputKind.ANSWER, delta.text))
        return self._intake.deltas(pieces)

    def _take_usage(self, said: _Usage) -> None:
        """Take over what is said: numbers at the end stand for those at the beginning."""
        for name in _Usage.__struct_fields__:
            if (value := getattr(said, name)) is not None:
                setattr(self._usage, name, value)
