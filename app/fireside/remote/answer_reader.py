"""Understand the pieces of a streamed answer: text, reasoning by any name, calls, figures. Pure."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from fireside.core.generation import FinishReason, OutputKind, TextDelta, Usage
from fireside.core.message import ToolCallPart
from fireside.remote.refusal import refused_from
from fireside.remote.text_intake import MOST_CALLS, AnswerTooLong, TextIntake

_DONE: Final = b"[DONE]"
_OPEN: Final = "<think>"
_CLOSE: Final = "</think>"
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


class _Called(msgspec.Struct):
    id: str = ""
    name: str = ""
    arguments: str = ""


class AnswerReader:
    """Takes one event after the other."""

    def __init__(self) -> None:
        self.finish: str = ""
        """As the server words it; empty until it said so."""
        self.is_done = False
        self._usage: _Usage | None = None
        self._thoughts = ThoughtSplitter()
        self._calls: dict[int, _Called] = {}
        self._intake = TextIntake()

    def read(self, data: bytes) -> tuple[TextDelta, ...]:
        """Return what one event adds.

        Raises ``Refused`` for an error in the stream, ``AnswerTooLong``, or ``msgspec.MsgspecError``.
        """
        if data == _DONE:
            self.is_done = True
            return ()
        chunk = msgspec.json.decode(data, type=_Chunk, strict=False)
        if chunk.error is not None:
            raise refused_from(_status(chunk.error), {"error": chunk.error})
        if chunk.usage is not None:
            self._usage = chunk.usage
        pieces: list[tuple[OutputKind, str]] = []
        for choice in (chunk.choices or [])[:1]:
            if choice.delta is not None:
                pieces += self._pieces(choice.delta)
            self.finish = choice.finish_reason or self.finish
        return self._intake.deltas(pieces)

    def end(self) -> tuple[TextDelta, ...]:
        """Return what was held back until it was certain what it is."""
        return self._intake.deltas(self._thoughts.end())

    @property
    def is_blocked(self) -> bool:
        """Whether the server ended the answer for what is in it."""
        return self.finish == _FILTERED

    @property
    def reason(self) -> FinishReason:
        """Why the answer ended, in our words."""
        if self._calls:
            return FinishReason.TOOL_CALL
        return _REASONS.get(self.finish, FinishReason.STOP)

    @property
    def usage(self) -> Usage:
        """Tokens as the server counts them, or the pieces that came where it does not."""
        said = self._usage or _Usage()
        prompt = said.prompt_tokens_details or _PromptDetails()
        completion = said.completion_tokens_details or _CompletionDetails()
        return Usage(
            n_prompt=said.prompt_tokens or 0,
            n_cached=prompt.cached_tokens or 0,
            n_completion=said.completion_tokens or self._intake.n_pieces,
            n_reasoning=completion.reasoning_tokens or 0,
        )

    @property
    def tool_calls(self) -> tuple[ToolCallPart, ...]:
        """The calls that the answer ends in."""
        return tuple(
            ToolCallPart(id=call.id or f"call_{index}", name=call.name, arguments=call.arguments or "{}")
            for index, call in sorted(self._calls.items())
            if call.name
        )

    def _pieces(self, delta: _Delta) -> list[tuple[OutputKind, str]]:
        pieces: list[tuple[OutputKind, str]] = []
        # The same words under two names: some servers send both, for clients of either kind.
        if thought := delta.reasoning_content or delta.reasoning:
            pieces.append((OutputKind.REASONING, thought))
        if delta.content:
            pieces += self._thoughts.split(delta.content)
        for call in delta.tool_calls or ():
            self._take_call(call)
        return pieces

    def _take_call(self, call: _Call) -> None:
        index = call.index if call.index is not None else len(self._calls) - (0 if call.id else 1)
        if not 0 <= index < MOST_CALLS:
            raise AnswerTooLong
        called = self._calls.setdefault(index, _Called())
        called.id = call.id or called.id
        if call.function is not None:
            called.name += call.function.name or ""
            called.arguments += call.function.arguments or ""
            self._intake.count(call.function.arguments or "")


class ThoughtSplitter:
    """Tells ``<think>…</think>`` at the beginning of an answer from the answer itself."""

    def __init__(self) -> None:
        self._mark: str | None = _OPEN
        """What is looked for; ``None`` where all that comes is the answer."""
        self._held = ""

    def split(self, text: str) -> list[tuple[OutputKind, str]]:
        """Return what is certain by now, in order."""
        self._held += text
        pieces: list[tuple[OutputKind, str]] = []
        if self._mark == _OPEN:
            begins = self._held.lstrip()
            if begins.startswith(_OPEN):
                self._held, self._mark = begins.removeprefix(_OPEN), _CLOSE
            elif _OPEN.startswith(begins):
                return pieces
            else:
                self._mark = None
        if self._mark == _CLOSE:
            thought, found, rest = self._held.partition(_CLOSE)
            if found:
                self._held, self._mark = rest.lstrip(), None
            else:
                n_kept = next((n for n in range(len(_CLOSE), 0, -1) if thought.endswith(_CLOSE[:n])), 0)
                thought, self._held = thought[: len(thought) - n_kept], thought[len(thought) - n_kept :]
            if thought:
                pieces.append((OutputKind.REASONING, thought))
        if self._mark is None and self._held:
            pieces.append((OutputKind.ANSWER, self._held))
            self._held = ""
        return pieces

    def end(self) -> list[tuple[OutputKind, str]]:
        """Return what was held back."""
        kind = OutputKind.REASONING if self._mark == _CLOSE else OutputKind.ANSWER
        held, self._held, self._mark = self._held, "", None
        return [(kind, held)] if held else []


def _status(error: Any) -> int:
    """Return the HTTP status that an error within a stream would have had."""
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, int) and 400 <= code < 600 else 500
