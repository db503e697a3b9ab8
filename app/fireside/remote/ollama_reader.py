"""Understand the lines of an answer in Ollama's own chat. Pure."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from fireside.core.generation import FinishReason, OutputKind, TextDelta, Usage
from fireside.core.message import ToolCallPart
from fireside.remote.answer_reader import ThoughtSplitter
from fireside.remote.refusal import refused_from
from fireside.remote.text_intake import MOST_CALLS, AnswerTooLong, TextIntake

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
    """Takes one line after the other; see ``AnswerReader``."""

    def __init__(self) -> None:
        self.finish = ""
        self.is_done = False
        self._last = _Line()
        self._thoughts = ThoughtSplitter()
        self._calls: list[ToolCallPart] = []
        self._intake = TextIntake()

    def read(self, data: bytes) -> tuple[TextDelta, ...]:
        """Return what one line adds. Raises ``Refused``, ``AnswerTooLong``, or ``msgspec.MsgspecError``."""
        line = msgspec.json.decode(data, type=_Line, strict=False)
        if line.error is not None:
            raise refused_from(500, {"error": line.error})
        if line.done:
            self._last, self.is_done = line, True
            self.finish = line.done_reason or _STOP
        pieces: list[tuple[OutputKind, str]] = []
        if line.message is not None:
            if line.message.thinking:
                pieces.append((OutputKind.REASONING, line.message.thinking))
            if line.message.content:
                pieces += self._thoughts.split(line.message.content)
            for call in line.message.tool_calls or ():
                self._take_call(call)
        return self._intake.deltas(pieces)

    def end(self) -> tuple[TextDelta, ...]:
        """Return what was held back until it was certain what it is."""
        return self._intake.deltas(self._thoughts.end())

    @property
    def is_blocked(self) -> bool:
        """Whether the server ended the answer for what is in it: it never does."""
        return False

    @property
    def reason(self) -> FinishReason:
        """Why the answer ended, in our words."""
        if self._calls:
            return FinishReason.TOOL_CALL
        return FinishReason.LENGTH if self.finish == _LENGTH else FinishReason.STOP

    @property
    def usage(self) -> Usage:
        """Tokens as the server counts them; it does not say how many came from a cache."""
        return Usage(
            n_prompt=self._last.prompt_eval_count or 0,
            n_cached=0,
            n_completion=self._last.eval_count or self._intake.n_pieces,
        )

    @property
    def tool_calls(self) -> tuple[ToolCallPart, ...]:
        """The calls that the answer ends in."""
        return tuple(self._calls)

    def _take_call(self, call: _Call) -> None:
        if len(self._calls) >= MOST_CALLS:
            raise AnswerTooLong
        arguments = bytes(call.function.arguments).decode()
        self._intake.count(arguments)
        number = f"call_{len(self._calls)}"
        self._calls.append(ToolCallPart(id=call.id or number, name=call.function.name, arguments=arguments))
