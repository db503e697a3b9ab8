"""OpenAI's chat completions: requests, with each kind of server's extensions, and answers. Pure."""

from __future__ import annotations

import base64
from collections.abc import Collection, Sequence
from typing import Any, Final

import msgspec

from fireside.core.errors import RemoteUnable
from fireside.core.generation import FinishReason, OutputKind, TextDelta, Usage
from fireside.core.i18n import tr_noop
from fireside.core.message import (
    AudioPart,
    ChatMessage,
    DocumentPart,
    ImagePart,
    MessagePart,
    PassagesPart,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    VideoPart,
)
from fireside.core.options import PARAMETERS
from fireside.core.prompt_input import ChatInput, ReasoningEffort, ToolDefinition, ToolMode
from fireside.core.remote import RemoteLocation, ServerKind
from fireside.core.task import ANY_OBJECT, Constraint, GbnfConstraint, GenerationTask, JsonSchemaConstraint
from fireside.remote.delta_builder import MAX_CALLS, AnswerReader, Piece, arguments_text
from fireside.remote.error_response import error_in_answer

_TEMPLATE_SERVERS: Final = frozenset(
    {ServerKind.VLLM, ServerKind.SGLANG, ServerKind.LLAMA_SERVER, ServerKind.FIRESIDE}
)
"""Servers that render the model's own chat template and pass arguments to it."""
_SUPPORTS_CONTINUING: Final = frozenset({ServerKind.VLLM, ServerKind.LLAMA_SERVER, ServerKind.FIRESIDE})


def openai_body(
    task: GenerationTask, location: RemoteLocation, *, unsupported: Collection[str], session: str
) -> dict[str, Any]:
    """Return the body of a streamed request, without the ``unsupported`` parameters.

    ``session`` is an opaque id of the conversation, for routers and caches. Raises ``RemoteUnable`` for what
    the API does not support.
    """
    prompt = chat_prompt(task, location)
    body: dict[str, Any] = {
        "model": location.model.name,
        "messages": _messages(prompt.messages, kind=location.kind),
        "stream": True,
        "stream_options": {"include_usage": True},
        **_sampling(task, kind=location.kind),
        **_reasoning(prompt.reasoning, budget=task.thinking_budget, kind=location.kind),
        **_tools(prompt),
        **_format(task.constraint, location=location),
        "prompt_cache_key": session,
    }
    if prompt.continue_final:
        if location.kind not in _SUPPORTS_CONTINUING:
            raise RemoteUnable(host=location.host, what=tr_noop("continuing an answer"))
        if location.kind is ServerKind.VLLM:
            body |= {"add_generation_prompt": False, "continue_final_message": True}
    if "max_tokens" in unsupported and "max_tokens" in body:
        body["max_completion_tokens"] = body["max_tokens"]
    if "tool_choice" in unsupported and prompt.tool_choice.mode is ToolMode.NONE:
        body.pop("tools", None)
    return {name: value for name, value in body.items() if name not in unsupported}


def chat_prompt(task: GenerationTask, location: RemoteLocation) -> ChatInput:
    """Return the task's conversation. Raises ``RemoteUnable`` if its prompt is something else."""
    if not isinstance(task.prompt, ChatInput):
        raise RemoteUnable(host=location.host, what=tr_noop("raw prompts"))
    if task.replay is not None:
        raise RemoteUnable(host=location.host, what=tr_noop("starting from a chosen token"))
    return task.prompt


def _messages(messages: tuple[ChatMessage, ...], *, kind: ServerKind) -> list[dict[str, Any]]:
    result: list[dict[str, Any]] = []
    for message in messages:
        if message.role is Role.TOOL:
            result += [
                {"role": "tool", "tool_call_id": part.call_id, "content": part.text}
                for part in message.parts
                if isinstance(part, ToolResultPart)
            ]
            if images := _content(message.parts):  # a message of a tool has text alone
                result.append({"role": "user", "content": images})
            continue
        entry: dict[str, Any] = {"role": message.role.value, "content": _content(message.parts)}
        if message.tool_calls:
            entry["tool_calls"] = [_call(call) for call in message.tool_calls]
            entry["content"] = entry["content"] or None
        if message.reasoning and kind in _TEMPLATE_SERVERS:
            entry["reasoning_content"] = message.reasoning
        result.append(entry)
    return result


def _content(parts: tuple[MessagePart, ...]) -> str | list[dict[str, Any]]:
    """Return plain text if there is only text: some servers accept nothing else."""
    content: list[dict[str, Any]] = []
    for part in parts:
        match part:
            case TextPart():
                content.append({"type": "text", "text": part.text})
            case DocumentPart() | PassagesPart():
                content.append({"type": "text", "text": part.prompt_text})
            case ImagePart():
                data = base64.b64encode(part.data).decode()
                url = f"data:{part.media_type};base64,{data}"
                content.append({"type": "image_url", "image_url": {"url": url}})
            case AudioPart():
                data = base64.b64encode(part.data).decode()
                content.append({"type": "input_audio", "input_audio": {"data": data, "format": "wav"}})
            case ReasoningPart() | ToolCallPart() | ToolResultPart() | VideoPart():
                pass  # a video comes as images and sound
    if all(part["type"] == "text" for part in content):
        return "".join(part["text"] for part in content)
    return content


def _call(call: ToolCallPart) -> dict[str, Any]:
    return {
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": call.arguments if call_arguments(call) else "{}"},
    }


def call_arguments(call: ToolCallPart) -> dict[str, Any]:
    """Return the arguments of a call in the conversation; none where they are no JSON object.

    Servers parse them to render the model's template, and refuse a whole conversation for one invalid call,
    such as one that was cut off. The model reads in the call's result what was wrong.
    """
    try:
        return msgspec.json.decode(call.arguments or "{}", type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return {}


def sampling_for(task: GenerationTask, kind: ServerKind) -> dict[str, Any]:
    """Return the sampling parameters that were set for the task, under the names of such a server; others are
    the server's own. What such servers do not have is left out, see ``PARAMETERS``."""
    result = {}
    for name in task.chosen:
        value = getattr(task.sampling, name)
        if name == "samplers":
            value = tuple(sampler.llama_name for sampler in value)
        if (theirs := PARAMETERS[name].name_for(kind)) and value not in (None, ()):
            result[theirs] = value
    return result


def _sampling(task: GenerationTask, *, kind: ServerKind) -> dict[str, Any]:
    parameters = sampling_for(task, kind)
    if parameters.get("top_k") == 0:
        parameters["top_k"] = -1
    return parameters


def _reasoning(reasoning: ReasoningEffort, *, budget: int | None, kind: ServerKind) -> dict[str, Any]:
    if budget == 0:
        reasoning = ReasoningEffort.OFF
    match reasoning:
        case ReasoningEffort.DEFAULT:
            return {}
        case ReasoningEffort.OFF | ReasoningEffort.ON if kind in _TEMPLATE_SERVERS:
            return {"chat_template_kwargs": {"enable_thinking": reasoning is ReasoningEffort.ON}}
        case ReasoningEffort.OFF:
            return {"reasoning_effort": "none"}
        case ReasoningEffort.ON:
            return {}
        case _:
            return {"reasoning_effort": reasoning.value}


def _tools(prompt: ChatInput) -> dict[str, Any]:
    if not prompt.tools:
        return {}
    choice: Any = prompt.tool_choice.mode.value
    if prompt.tool_choice.mode is ToolMode.REQUIRED and prompt.tool_choice.name is not None:
        choice = {"type": "function", "function": {"name": prompt.tool_choice.name}}
    return {"tools": tool_definitions(prompt.tools), "tool_choice": choice}


def tool_definitions(tools: Sequence[ToolDefinition]) -> list[dict[str, Any]]:
    """Return tool definitions in the format of OpenAI and Ollama."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": msgspec.Raw(tool.parameters.encode()),
            },
        }
        for tool in tools
    ]


def _format(constraint: Constraint | None, *, location: RemoteLocation) -> dict[str, Any]:
    match constraint:
        case None:
            return {}
        case JsonSchemaConstraint() if constraint == ANY_OBJECT:
            return {"response_format": {"type": "json_object"}}
        case JsonSchemaConstraint(schema=schema):
            raw = msgspec.Raw(schema.encode())
            json_schema = {"name": "answer", "strict": True, "schema": raw}
            return {"response_format": {"type": "json_schema", "json_schema": json_schema}}
        case GbnfConstraint(grammar=grammar) if location.kind is ServerKind.LLAMA_SERVER:
            return {"grammar": grammar}
        case _:
            raise RemoteUnable(host=location.host, what=tr_noop("this response format"))


_DONE: Final = b"[DONE]"
_STOP: Final = "stop"
_ERROR: Final = "error"
_FILTERED: Final = "content_filter"
_REASONS: Final = {
    _STOP: FinishReason.STOP,
    "length": FinishReason.LENGTH,
    "tool_calls": FinishReason.TOOL_CALL,
    "function_call": FinishReason.TOOL_CALL,
}


class _Function(msgspec.Struct):
    name: str | None = None
    arguments: Any = None


class _Call(msgspec.Struct):
    index: int | None = None
    id: str | None = None
    function: _Function | None = None


class _Delta(msgspec.Struct):
    content: Any = None
    refusal: Any = None
    reasoning_content: Any = None
    reasoning: Any = None
    reasoning_details: Any = None
    tool_calls: list[_Call] | None = None
    function_call: _Function | None = None
    images: Any = None


class _Choice(msgspec.Struct):
    delta: _Delta | None = None
    message: _Delta | None = None
    """Of a response that is not a stream."""
    text: str | None = None
    """Of a server that answers as to a text completion."""
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
    object: Any = None
    type: Any = None
    message: Any = None
    detail: Any = None


class _CallBuilder(msgspec.Struct):
    id: str = ""
    name: str = ""
    arguments: str = ""


class OpenAIReader(AnswerReader):
    """Parses the events of one answer."""

    def __init__(self) -> None:
        super().__init__()
        self._usage: _Usage | None = None
        self._calls: dict[int, _CallBuilder] = {}

    def read(self, data: bytes) -> tuple[TextDelta, ...]:
        if data.strip() == _DONE:
            self.is_done = True
            return ()
        chunk = self._deltas.decode(data, _Chunk)
        if chunk is None:
            return ()
        if (error := _error_of(chunk)) is not None:
            raise error_in_answer(error, status=_status(error))
        if chunk.usage is not None:
            self._usage = chunk.usage
        pieces: list[Piece] = []
        for choice in (chunk.choices or [])[:1]:
            if (delta := choice.delta or choice.message) is not None:
                pieces += self._pieces(delta)
            if choice.text:
                pieces += self._reasoning_splitter.split(choice.text)
            self.finish = choice.finish_reason or self.finish
            if choice.delta is None and choice.message is not None:
                self.finish, self.is_done = self.finish or _STOP, True
        return self._deltas.deltas(pieces)

    @property
    def is_blocked(self) -> bool:
        return self.finish == _FILTERED

    @property
    def reason(self) -> FinishReason:
        if self._calls:
            return FinishReason.TOOL_CALL
        return _REASONS.get(self.finish, FinishReason.STOP)

    @property
    def usage(self) -> Usage:
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
        return tuple(
            ToolCallPart(id=call.id or f"call_{index}", name=call.name, arguments=call.arguments or "{}")
            for index, call in sorted(self._calls.items())
            if call.name
        )

    def _pieces(self, delta: _Delta) -> list[Piece]:
        pieces: list[Piece] = []
        # Some servers send the same text under several names, for clients of either kind.
        reasoning = delta.reasoning_content or delta.reasoning or delta.reasoning_details
        contents = (
            *self._deltas.pieces(reasoning, kind=OutputKind.REASONING),
            *self._deltas.pieces(delta.content),
            *self._deltas.pieces(delta.refusal),
        )
        for kind, text in contents:
            if kind is OutputKind.REASONING:
                self._reasoning_splitter.is_separate = True
                pieces.append((kind, text))
            else:
                pieces += self._reasoning_splitter.split(text)
        for call in delta.tool_calls or ():
            self._add_call(call)
        if delta.function_call is not None:
            self._add_call(_Call(index=0, function=delta.function_call))
        if delta.images:
            self._deltas.note("an image")
        return pieces

    def _add_call(self, call: _Call) -> None:
        index = self._index_of(call)
        if not 0 <= index < MAX_CALLS:
            self._deltas.note(f"tool call {index}")
            return
        builder = self._calls.setdefault(index, _CallBuilder())
        builder.id = call.id or builder.id
        if call.function is not None:
            # Some servers repeat the name with each piece of the arguments.
            if call.function.name != builder.name:
                builder.name += call.function.name or ""
            arguments = arguments_text(call.function.arguments)
            builder.arguments += arguments
            self._deltas.count(arguments)

    def _index_of(self, call: _Call) -> int:
        """Return which call is meant; some servers send no index, or the same one for all calls."""
        last = max(self._calls, default=-1)
        index = call.index if call.index is not None else (last if not call.id else last + 1)
        known = self._calls.get(index)
        is_other = known is not None and call.id and known.id and call.id != known.id
        has_name = call.function is not None and call.function.name
        return last + 1 if is_other and has_name else max(index, 0 if call.index is None else index)


def _error_of(chunk: _Chunk) -> object:
    """Return the error that a chunk is, in any of the formats that are in use; ``None`` for none."""
    if chunk.error and isinstance(chunk.error, str | dict | list):
        return chunk.error
    if chunk.choices is not None or chunk.usage is not None:
        return None
    is_error = _ERROR in (chunk.object, chunk.type) or chunk.detail
    return {"message": chunk.message or chunk.detail} if is_error or isinstance(chunk.message, str) else None


def _status(error: object) -> int | None:
    """Return the HTTP status that an error within an answer names; ``None`` if it names none."""
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, int) and 400 <= code < 600 else None
