"""Parse the chunks of a streamed OpenAI chat completion. Pure."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from fireside.core.generation import FinishReason, OutputKind, TextDelta, Usage
from fireside.core.message import ToolCallPart
from fireside.remote.delta_builder import MAX_CALLS, AnswerTooLong, DeltaBuilder
from fireside.remote.error_response import error_response_from

_DONE: Final = b"[DONE]"
_OPEN_TAG: Final = "<think>"
_CLOSE_TAG: Final = "</think>"
_FILTERED: Final = "content_filter"
_REASONS: Final = {
    "stop": FinishReason.STOP,
    "length": FinishReason.LENGTH,
    "tool_calls": FinishReason.TOOL_CALL,
    "function_call": FinishReason.TOOL_CALL,
}


class _Function(msgspec.Struct):
    name: str | None = None
    arguments: str | None = None


class _Call(msgspec.Struct):
    index: int | None = None
    id: str | None = None
    function: _Function | None = None


class _Delta(msgspec.Struct):
    content: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    tool_calls: list[_Call] | None = None


class _Choice(msgspec.Struct):
    delta: _Delta | None = None
    finish_reason: str | None = None


class _PromptDetails(msgspec.Struct):
    cached_tokens: int | None = None


class _CompletionDetails(msgspec.Struct):
    reasoning_tokens: int | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: _PromptDetails | None = None
    completion_tokens_details: _CompletionDetails | None = None


class _Chunk(msgspec.Struct):
    choices: list[_Choice] | None = None
    usage: _Usage | None = None
    error: Any = None


class _CallBuilder(msgspec.Struct):
    id: str = ""
    name: str = ""
    arguments: str = ""


class OpenAIReader:
    """Parses the events of one answer, in order."""

    def __init__(self) -> None:
        self.finish: str = ""
        """The server's finish reason; empty until it was sent."""
        self.is_done = False
        self._usage: _Usage | None = None
        self._reasoning_splitter = ReasoningSplitter()
        self._calls: dict[int, _CallBuilder] = {}
        self._deltas = DeltaBuilder()

    def read(self, data: bytes) -> tuple[TextDelta, ...]:
        """Return the output of one event.

        Raises ``ErrorResponse`` for an error in the stream, ``AnswerTooLong``, or ``msgspec.MsgspecError``.
        """
        if data == _DONE:
            self.is_done = True
            return ()
        chunk = msgspec.json.decode(data, type=_Chunk, strict=False)
        if chunk.error is not None:
            raise error_response_from(_status(chunk.error), {"error": chunk.error})
        if chunk.usage is not None:
            self._usage = chunk.usage
        pieces: list[tuple[OutputKind, str]] = []
        for choice in (chunk.choices or [])[:1]:
            if choice.delta is not None:
                pieces += self._pieces(choice.delta)
            self.finish = choice.finish_reason or self.finish
        return self._deltas.deltas(pieces)

    def end(self) -> tuple[TextDelta, ...]:
        """Return the text that was buffered because it could be part of a tag."""
        return self._deltas.deltas(self._reasoning_splitter.end())

    @property
    def is_blocked(self) -> bool:
        """Whether the server's content filter ended the answer."""
        return self.finish == _FILTERED

    @property
    def reason(self) -> FinishReason:
        """Why the answer ended."""
        if self._calls:
            return FinishReason.TOOL_CALL
        return _REASONS.get(self.finish, FinishReason.STOP)

    @property
    def usage(self) -> Usage:
        """Token usage from the server; if it sends none, the number of text chunks."""
        usage = self._usage or _Usage()
        prompt = usage.prompt_tokens_details or _PromptDetails()
        completion = usage.completion_tokens_details or _CompletionDetails()
        return Usage(
            n_prompt=usage.prompt_tokens or 0,
            n_cached=prompt.cached_tokens or 0,
            n_completion=usage.completion_tokens or self._deltas.n_pieces,
            n_reasoning=completion.reasoning_tokens or 0,
        )

    @property
    def tool_calls(self) -> tuple[ToolCallPart, ...]:
        """The tool calls at the end of the answer."""
        return tuple(
            ToolCallPart(id=call.id or f"call_{index}", name=call.name, arguments=call.arguments or "{}")
            for index, call in sorted(self._calls.items())
            if call.name
        )

    def _pieces(self, delta: _Delta) -> list[tuple[OutputKind, str]]:
        pieces: list[tuple[OutputKind, str]] = []
        # Some servers send the same text under both names, for clients of either kind.
        if reasoning := delta.reasoning_content or delta.reasoning:
            pieces.append((OutputKind.REASONING, reasoning))
        if delta.content:
            pieces += self._reasoning_splitter.split(delta.content)
        for call in delta.tool_calls or ():
            self._add_call(call)
        return pieces

    def _add_call(self, call: _Call) -> None:
        index = call.index if call.index is not None else len(self._calls) - (0 if call.id else 1)
        if not 0 <= index < MAX_CALLS:
            raise AnswerTooLong
        builder = self._calls.setdefault(index, _CallBuilder())
        builder.id = call.id or builder.id
        if call.function is not None:
            builder.name += call.function.name or ""
            builder.arguments += call.function.arguments or ""
            self._deltas.count(call.function.arguments or "")


class ReasoningSplitter:
    """Splits ``<think>…</think>`` at the start of an answer from the answer itself."""

    def __init__(self) -> None:
        self._marker: str | None = _OPEN_TAG
        """The tag to look for; ``None`` once all further text is the answer."""
        self._buffer = ""

    def split(self, text: str) -> list[tuple[OutputKind, str]]:
        """Return the text whose kind is certain by now, in order."""
        self._buffer += text
        pieces: list[tuple[OutputKind, str]] = []
        if self._marker == _OPEN_TAG:
            start = self._buffer.lstrip()
            if start.startswith(_OPEN_TAG):
                self._buffer, self._marker = start.removeprefix(_OPEN_TAG), _CLOSE_TAG
            elif _OPEN_TAG.startswith(start):
                return pieces
            else:
                self._marker = None
        if self._marker == _CLOSE_TAG:
            reasoning, tag, rest = self._buffer.partition(_CLOSE_TAG)
            if tag:
                self._buffer, self._marker = rest.lstrip(), None
            else:
                n_held = next(
                    (n for n in range(len(_CLOSE_TAG), 0, -1) if reasoning.endswith(_CLOSE_TAG[:n])), 0
                )
                n_certain = len(reasoning) - n_held
                reasoning, self._buffer = reasoning[:n_certain], reasoning[n_certain:]
            if reasoning:
                pieces.append((OutputKind.REASONING, reasoning))
        if self._marker is None and self._buffer:
            pieces.append((OutputKind.ANSWER, self._buffer))
            self._buffer = ""
        return pieces

    def end(self) -> list[tuple[OutputKind, str]]:
        """Return the buffered text."""
        kind = OutputKind.REASONING if self._marker == _CLOSE_TAG else OutputKind.ANSWER
        rest, self._buffer, self._marker = self._buffer, "", None
        return [(kind, rest)] if rest else []


def _status(error: Any) -> int:
    """Return the HTTP status that an error within a stream would have had."""
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, int) and 400 <= code < 600 else 500
