"""Parse the events of an answer in Anthropic's Messages API. Pure."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from fireside.core.generation import FinishReason, OutputKind, TextDelta, Usage
from fireside.core.message import ToolCallPart
from fireside.remote.delta_builder import MAX_CALLS, AnswerTooLong, DeltaBuilder
from fireside.remote.error_response import error_response_from

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
"""HTTP status of an error type that is sent within a stream."""
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
    """Parses the events of one answer; see ``OpenAIReader``."""

    def __init__(self) -> None:
        self.finish = ""
        self.is_done = False
        self._deltas = DeltaBuilder()
        self._usage = _Usage()
        self._calls: dict[int, tuple[_Block, list[str]]] = {}

    def read(self, data: bytes) -> tuple[TextDelta, ...]:
        """Return an event's output. Raises ``ErrorResponse``, ``AnswerTooLong``, ``msgspec.MsgspecError``."""
        event = msgspec.json.decode(data, type=_Event, strict=False)
        if event.error is not None:
            kind = event.error.get("type") if isinstance(event.error, dict) else None
            raise error_response_from(_STATUS.get(str(kind), 500), {"error": event.error})
        for usage in (event.usage, None if event.message is None else event.message.usage):
            if usage is not None:
                self._merge_usage(usage)
        if event.content_block is not None and event.content_block.type == "tool_use":
            if len(self._calls) >= MAX_CALLS:
                raise AnswerTooLong
            self._calls[event.index] = (event.content_block, [])
        self.is_done = event.type == "message_stop"
        return () if event.delta is None else self._read_delta(event.delta, index=event.index)

    def end(self) -> tuple[TextDelta, ...]:
        """Return the buffered text: there is none."""
        return ()

    @property
    def is_blocked(self) -> bool:
        """Whether the server's content filter ended the answer."""
        return self.finish == _REFUSAL

    @property
    def reason(self) -> FinishReason:
        """Why the answer ended."""
        return _REASONS.get(self.finish, FinishReason.STOP)

    @property
    def usage(self) -> Usage:
        """Token usage from the server; cached tokens count as part of the prompt."""
        usage = self._usage
        n_cached = usage.cache_read_input_tokens or 0
        return Usage(
            n_prompt=(usage.input_tokens or 0) + n_cached + (usage.cache_creation_input_tokens or 0),
            n_cached=n_cached,
            n_completion=usage.output_tokens or self._deltas.n_pieces,
        )

    @property
    def tool_calls(self) -> tuple[ToolCallPart, ...]:
        """The tool calls at the end of the answer."""
        return tuple(
            ToolCallPart(id=block.id, name=block.name, arguments="".join(pieces) or "{}")
            for _, (block, pieces) in sorted(self._calls.items())
        )

    def _read_delta(self, delta: _Delta, *, index: int) -> tuple[TextDelta, ...]:
        self.finish = delta.stop_reason or self.finish
        if delta.partial_json and index in self._calls:
            self._deltas.count(delta.partial_json)
            self._calls[index][1].append(delta.partial_json)
        pieces = []
        if delta.thinking:
            pieces.append((OutputKind.REASONING, delta.thinking))
        if delta.text:
            pieces.append((OutputKind.ANSWER, delta.text))
        return self._deltas.deltas(pieces)

    def _merge_usage(self, usage: _Usage) -> None:
        """Merge usage figures; later ones replace earlier ones."""
        for name in _Usage.__struct_fields__:
            if (value := getattr(usage, name)) is not None:
                setattr(self._usage, name, value)
