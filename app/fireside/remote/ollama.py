"""Ollama's own chat API, which unlike its OpenAI API takes a context length: requests and answers. Pure."""

from __future__ import annotations

import base64
from collections.abc import Collection
from typing import Any, Final

import msgspec

from fireside.core.errors import RemoteUnable
from fireside.core.generation import FinishReason, OutputKind, TextDelta, Usage
from fireside.core.i18n import tr_noop
from fireside.core.message import (
    ChatMessage,
    DocumentPart,
    PassagesPart,
    PerceivedPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from fireside.core.prompt_input import ChatInput, ReasoningEffort, ToolMode
from fireside.core.remote import RemoteLocation
from fireside.core.task import ANY_OBJECT, Constraint, GenerationTask, JsonSchemaConstraint
from fireside.remote.delta_builder import MAX_CALLS, AnswerReader, AnswerTooLong, Piece, arguments_text
from fireside.remote.error_response import error_in_answer
from fireside.remote.openai import (
    call_arguments,
    chat_prompt,
    sampling_for,
    tool_definitions,
)


def ollama_body(
    task: GenerationTask,
    location: RemoteLocation,
    *,
    unsupported: Collection[str],
    session: str,  # noqa: ARG001 - the API has no session id
) -> dict[str, Any]:
    """Return the body of a streamed request, without the ``unsupported`` parameters.

    It requests the context length, and that a longer prompt is an error: by default, Ollama has a context of
    some thousand tokens and silently drops the rest. Raises ``RemoteUnable`` for what the API does not
    support.
    """
    prompt = chat_prompt(task, location)
    if prompt.continue_final:
        raise RemoteUnable(host=location.host, what=tr_noop("continuing an answer"))
    options = sampling_for(task, location.kind)
    if location.model.n_ctx is not None:
        options["num_ctx"] = location.model.n_ctx
    body: dict[str, Any] = {
        "model": location.model.name,
        "messages": _messages(prompt.messages),
        "stream": True,
        "truncate": False,
        "shift": False,
        "options": options,
        **_thinking(task, prompt.reasoning, location=location),
        **_tools(prompt, location=location),
        **_format(task.constraint, location=location),
    }
    return {name: value for name, value in body.items() if name not in unsupported}


def _messages(messages: tuple[ChatMessage, ...]) -> list[dict[str, Any]]:
    result: list[dict[str, Any]] = []
    for message in messages:
        if message.role is Role.TOOL:
            for part in message.parts:
                if isinstance(part, ToolResultPart):
                    result.append({"role": "tool", "content": part.text, "tool_name": part.name})
                elif isinstance(part, PerceivedPart):
                    result[-1].setdefault("images", []).append(_base64(part))
            continue
        entry: dict[str, Any] = {"role": message.role.value, "content": _text(message)}
        if images := [_base64(part) for part in message.parts if isinstance(part, PerceivedPart)]:
            entry["images"] = images
        if message.tool_calls:
            entry["tool_calls"] = [
                {"function": {"name": call.name, "arguments": call_arguments(call)}}
                for call in message.tool_calls
            ]
        if message.reasoning:
            entry["thinking"] = message.reasoning
        result.append(entry)
    return result


def _base64(image: PerceivedPart) -> str:
    return base64.b64encode(image.data).decode()


def _text(message: ChatMessage) -> str:
    texts = []
    for part in message.parts:
        if isinstance(part, TextPart):
            texts.append(part.text)
        elif isinstance(part, (DocumentPart, PassagesPart)):
            texts.append(part.prompt_text)
    return "".join(texts)


def _thinking(
    task: GenerationTask, reasoning: ReasoningEffort, *, location: RemoteLocation
) -> dict[str, Any]:
    if task.thinking_budget == 0:
        reasoning = ReasoningEffort.OFF
    if reasoning is ReasoningEffort.DEFAULT or location.model.reasons is False:  # then it is an error
        return {}
    if reasoning in (ReasoningEffort.OFF, ReasoningEffort.ON):
        return {"think": reasoning is ReasoningEffort.ON}
    return {"think": reasoning.value}


def _tools(prompt: ChatInput, *, location: RemoteLocation) -> dict[str, Any]:
    match prompt.tool_choice.mode:
        case ToolMode.NONE:
            return {}
        case ToolMode.REQUIRED if prompt.tools:
            raise RemoteUnable(host=location.host, what=tr_noop("required tool calls"))
    return {"tools": tool_definitions(prompt.tools)} if prompt.tools else {}


def _format(constraint: Constraint | None, *, location: RemoteLocation) -> dict[str, Any]:
    match constraint:
        case None:
            return {}
        case JsonSchemaConstraint(schema=schema):
            return {"format": "json" if constraint == ANY_OBJECT else msgspec.Raw(schema.encode())}
        case _:
            raise RemoteUnable(host=location.host, what=tr_noop("this response format"))


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


class OllamaReader(AnswerReader):
    """Parses the lines of one answer."""

    def __init__(self) -> None:
        super().__init__()
        self._last = _Line()
        self._calls: list[ToolCallPart] = []

    def read(self, data: bytes) -> tuple[TextDelta, ...]:
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

    @property
    def reason(self) -> FinishReason:
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
