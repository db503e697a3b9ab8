"""Parse the lines of an answer of Ollama's native chat API. Pure."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from fireside.core.generation import FinishReason, OutputKind, TextDelta, Usage
from fireside.core.message import ToolCallPart
from fireside.remote.delta_builder import MAX_CALLS, AnswerTooLong, DeltaBuilder, Piece, arguments_text
from fireside.remote.error_response import error_in_answer
from fireside.remote.reasoning_splitter import ReasoningSplitter

_STOP: Final = "stop"
_LENGTH: Final = "length"


class _Function(msgspec.Struct):
    name: str = ""
    arguments: Any = None


class _Call(msgspec.Struct):
    function: _Function
    id: str = ""


class _Message(msgspec.Struct):
    content: Any = None
    thinking: Any = None
    tool_calls: list[_Call] | None = None
    images: Any = None


class _Line(msgspec.Struct):
    message: _Message | None = None
    response: str | None = None
    """Of a server that answers as to a text completion."""
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
        """Return a line's output. Raises ``ErrorResponse``, ``AnswerTooLong``."""
        line = self._deltas.decode(data, _Line)
        if line is None:
            return ()
        if line.error and isinstance(line.error, str | dict | list):
            raise error_in_answer(line.error)
        if line.done:
            self._last, self.is_done = line, True
            self.finish = line.done_reason or _STOP
        pieces: list[Piece] = []
        if line.message is not None:
            pieces += self._pieces(line.message)
        if line.response:
            pieces += self._reasoning_splitter.split(line.response)
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
    def n_not_understood(self) -> int:
        """How many parts of the response were left out."""
        return self._deltas.n_not_understood

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

    def _pieces(self, message: _Message) -> list[Piece]:
        pieces: list[Piece] = []
        contents = (
            *self._deltas.pieces(message.thinking, kind=OutputKind.REASONING),
            *self._deltas.pieces(message.content),
        )
        for kind, text in contents:
            if kind is OutputKind.REASONING:
                self._reasoning_splitter.is_separate = True
                pieces.append((kind, text))
            else:
                pieces += self._reasoning_splitter.split(text)
        for call in message.tool_calls or ():
            self._add_call(call)
        if message.images:
            self._deltas.note("an image")
        return pieces

    def _add_call(self, call: _Call) -> None:
        if len(self._calls) >= MAX_CALLS:
            raise AnswerTooLong
        if not call.function.name:
            self._deltas.note("a tool call without a name")
            return
        arguments = arguments_text(call.function.arguments) or "{}"
        self._deltas.count(arguments)
        number = f"call_{len(self._calls)}"
        self._calls.append(ToolCallPart(id=call.id or number, name=call.function.name, arguments=arguments))
