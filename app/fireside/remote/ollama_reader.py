"""Parse the lines of an answer of Ollama's native chat API. Pure."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from fireside.core.generation import FinishReason, OutputKind, TextDelta, Usage
from fireside.core.message import ToolCallPart
from fireside.remote.delta_builder import MAX_CALLS, AnswerTooLong, DeltaBuilder
from fireside.remote.error_response import error_response_from
from fireside.remote.openai_reader import ReasoningSplitter

_STOP: Final = "stop"
_LENGTH: Final = "length"


class _Function(msgspec.Struct):
    name: str = ""
    arguments: msgspec.Raw = msgspec.Raw(b"{}")


class _Call(msgspec.Struct):
    function: _Function
    id: str = ""


class _Message(msgspec.Struct):
    content: str | None = None
    thinking: str | None = None
    tool_calls: list[_Call] | None = None


class _Line(msgspec.Struct):
    message: _Message | None = None
    done: bool = False
    done_reason: str | None = None
    prompt_eval_count: int | None = None
    eval_count: int | None = None
    error: Any = None


class OllamaReader:
    """Parses the lines of one answer; see ``OpenAIReader``."""

    def __init__(self) -> None:
        self.finish = ""
        self.is_done = False
        self._last = _Line()
        self._reasoning_splitter = ReasoningSplitter()
        self._calls: list[ToolCallPart] = []
        self._deltas = DeltaBuilder()

    def read(self, data: bytes) -> tuple[TextDelta, ...]:
        """Return a line's output. Raises ``ErrorResponse``, ``AnswerTooLong``, ``msgspec.MsgspecError``."""
        line = msgspec.json.decode(data, type=_Line, strict=False)
        if line.error is not None:
            raise error_response_from(500, {"error": line.error})
        if line.done:
            self._last, self.is_done = line, True
            self.finish = line.done_reason or _STOP
        pieces: list[tuple[OutputKind, str]] = []
        if line.message is not None:
            if line.message.thinking:
                pieces.append((OutputKind.REASONING, line.message.thinking))
            if line.message.content:
                pieces += self._reasoning_splitter.split(line.message.content)
            for call in line.message.tool_calls or ():
                self._add_call(call)
        return self._deltas.deltas(pieces)

    def end(self) -> tuple[TextDelta, ...]:
        """Return the text that was buffered because it could be part of a tag."""
        return self._deltas.deltas(self._reasoning_splitter.end())

    @property
    def is_blocked(self) -> bool:
        """Whether a content filter ended the answer: Ollama has none."""
        return False

    @property
    def reason(self) -> FinishReason:
        """Why the answer ended."""
        if self._calls:
            return FinishReason.TOOL_CALL
        return FinishReason.LENGTH if self.finish == _LENGTH else FinishReason.STOP

    @property
    def usage(self) -> Usage:
        """Token usage from the server, which does not report cached tokens."""
        return Usage(
            n_prompt=self._last.prompt_eval_count or 0,
            n_cached=0,
            n_completion=self._last.eval_count or self._deltas.n_pieces,
        )

    @property
    def tool_calls(self) -> tuple[ToolCallPart, ...]:
        """The tool calls at the end of the answer."""
        return tuple(self._calls)

    def _add_call(self, call: _Call) -> None:
        if len(self._calls) >= MAX_CALLS:
            raise AnswerTooLong
        arguments = bytes(call.function.arguments).decode()
        self._deltas.count(arguments)
        number = f"call_{len(self._calls)}"
        self._calls.append(ToolCallPart(id=call.id or number, name=call.function.name, arguments=arguments))
