"""Anthropic's Messages API: requests, and answers streamed or whole. Pure."""

from __future__ import annotations

import base64
import re
from collections.abc import Collection
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
from fireside.core.prompt_input import ChatInput, ReasoningEffort, ToolMode
from fireside.core.remote import RemoteLocation
from fireside.core.task import GenerationTask
from fireside.remote.delta_builder import MAX_CALLS, AnswerReader, AnswerTooLong, Piece, arguments_text
from fireside.remote.error_response import error_in_answer
from fireside.remote.openai import call_arguments, chat_prompt, sampling_for

_DEFAULT_MAX_TOKENS: Final = 8192
"""The API requires a limit; every current model accepts this one, if the user sets none."""
_BUDGETS: Final = {
    ReasoningEffort.ON: 4096,
    ReasoningEffort.LOW: 1024,
    ReasoningEffort.MEDIUM: 4096,
    ReasoningEffort.HIGH: 16384,
}
"""Thinking budgets in tokens; the API's minimum is 1,024."""
_MIN_BUDGET: Final = 1024


def messages_body(
    task: GenerationTask, location: RemoteLocation, *, unsupported: Collection[str], session: str
) -> dict[str, Any]:
    """Return the body of a streamed request, without the ``unsupported`` parameters.

    Reasoning of earlier answers is left out: the API needs its signature, which is not stored. Raises
    ``RemoteUnable`` for what the API does not support.
    """
    prompt, chosen = chat_prompt(task, location), sampling_for(task, location.kind)
    if any(isinstance(part, AudioPart) for message in prompt.messages for part in message.parts):
        raise RemoteUnable(host=location.host, what=tr_noop("audio"))
    if task.constraint is not None:
        raise RemoteUnable(host=location.host, what=tr_noop("this response format"))
    if prompt.continue_final:
        raise RemoteUnable(host=location.host, what=tr_noop("continuing an answer"))
    system = "\n\n".join(message.text for message in prompt.messages if message.role is Role.SYSTEM)
    body: dict[str, Any] = {
        "model": location.model.name,
        "messages": _messages(prompt.messages),
        "max_tokens": chosen.get("max_tokens", _DEFAULT_MAX_TOKENS),
        "stream": True,
        "metadata": {"user_id": session},
        **({"system": system} if system else {}),
        **{name: chosen[name] for name in ("stop_sequences",) if name in chosen},
        **_tools(prompt),
    }
    # Within a step of tool calls the API wants its own thinking back, whose signature is not stored.
    is_in_step = bool(prompt.messages) and prompt.messages[-1].role is Role.TOOL
    budget = 0 if is_in_step else _budget(prompt.reasoning, task.thinking_budget)
    if budget:
        body["thinking"] = {"type": "enabled", "budget_tokens": budget}
        body["max_tokens"] += budget
    else:  # The API accepts these only without thinking, and a temperature of at most 1.
        body |= {name: chosen[name] for name in ("top_p", "top_k") if name in chosen}
        if "temperature" in chosen:
            body["temperature"] = min(1.0, chosen["temperature"])
    return {name: value for name, value in body.items() if name not in unsupported}


def _budget(reasoning: ReasoningEffort, limit: int | None) -> int:
    budget = _BUDGETS.get(reasoning, 0)
    if not budget or limit is None:
        return budget
    return max(_MIN_BUDGET, min(budget, limit)) if limit else 0


def _messages(messages: tuple[ChatMessage, ...]) -> list[dict[str, Any]]:
    result: list[dict[str, Any]] = []
    for message in messages:
        blocks = [block for part in message.parts for block in _blocks(part)]
        if message.role is Role.TOOL:
            blocks = _with_images_in_results(blocks)
        if message.role is Role.SYSTEM or not blocks:
            continue
        role = "assistant" if message.role is Role.ASSISTANT else "user"
        if result and result[-1]["role"] == role:
            result[-1]["content"] += blocks
        else:
            result.append({"role": role, "content": blocks})
    if result:
        # The prompt up to this mark is read from the server's cache in the next turn.
        result[-1]["content"][-1]["cache_control"] = {"type": "ephemeral"}
    return result


def _with_images_in_results(blocks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Move each image into the result before it."""
    results: list[dict[str, Any]] = []
    for block in blocks:
        if block["type"] == "tool_result":
            results.append(block)
            continue
        if isinstance(text := results[-1]["content"], str):
            results[-1]["content"] = [{"type": "text", "text": text}] if text.strip() else []
        results[-1]["content"].append(block)
    return results


def _blocks(part: MessagePart) -> list[dict[str, Any]]:
    match part:
        case TextPart(text=text):
            return [{"type": "text", "text": text}] if text.strip() else []
        case DocumentPart() | PassagesPart():
            return [{"type": "text", "text": part.prompt_text}]
        case ImagePart():
            data = base64.b64encode(part.data).decode()
            source = {"type": "base64", "media_type": part.media_type, "data": data}
            return [{"type": "image", "source": source}]
        case ToolCallPart():
            call_id, arguments = _call_id(part.id), call_arguments(part)
            return [{"type": "tool_use", "id": call_id, "name": part.name, "input": arguments}]
        case ToolResultPart():
            call_id = _call_id(part.call_id)
            return [{"type": "tool_result", "tool_use_id": call_id, "content": part.text}]
        case ReasoningPart() | AudioPart() | VideoPart():  # sound is refused before; videos come as images
            return []


def _call_id(call_id: str) -> str:
    """Return the id of a call as the API accepts it: the chat may have it from another engine."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", call_id)


def _tools(prompt: ChatInput) -> dict[str, Any]:
    if not prompt.tools:
        return {}
    tools = [
        {
            "name": tool.name,
            "description": tool.description,
            "input_schema": msgspec.Raw(tool.parameters.encode()),
        }
        for tool in prompt.tools
    ]
    choice: dict[str, Any] = {"type": "auto"}
    if prompt.tool_choice.mode is ToolMode.NONE:
        choice = {"type": "none"}
    elif prompt.tool_choice.mode is ToolMode.REQUIRED:
        name = prompt.tool_choice.name
        choice = {"type": "any"} if name is None else {"type": "tool", "name": name}
    return {"tools": tools, "tool_choice": choice}


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
_TOOL: Final = "tool_use"
_END: Final = "end_turn"
_WITHOUT_TEXT: Final = frozenset({"signature_delta", "citations_delta", "redacted_thinking"})
_WITH_USAGE: Final = frozenset({"message_start", "message_delta", "message", ""})
_TEXT_BLOCKS: Final = frozenset({"text", "thinking", ""})


class _Usage(msgspec.Struct):
    input_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    output_tokens: int | None = None


class _Block(msgspec.Struct):
    type: str = ""
    id: str = ""
    name: str = ""
    text: Any = None
    thinking: Any = None
    input: Any = None


class _Message(msgspec.Struct):
    usage: _Usage | None = None
    content: list[_Block] | None = None


class _Delta(msgspec.Struct):
    type: str = ""
    text: Any = None
    thinking: Any = None
    partial_json: Any = None
    stop_reason: str | None = None


class _Event(msgspec.Struct):
    type: str = ""
    index: int = 0
    message: _Message | None = None
    content_block: _Block | None = None
    delta: _Delta | None = None
    usage: _Usage | None = None
    error: Any = None
    content: str | list[_Block] | None = None
    """Of a response that is not a stream, as the next one."""
    stop_reason: str | None = None


class AnthropicReader(AnswerReader):
    """Parses the events of one answer."""

    def __init__(self) -> None:
        super().__init__()
        self._usage = _Usage()
        self._calls: dict[int, tuple[_Block, list[str]]] = {}
        self._unknown: set[int] = set()
        """The indexes of blocks that were left out."""

    def read(self, data: bytes) -> tuple[TextDelta, ...]:
        event = self._deltas.decode(data, _Event)
        if event is None:
            return ()
        if event.error and isinstance(event.error, str | dict | list):
            kind = event.error.get("type") if isinstance(event.error, dict) else None
            raise error_in_answer(event.error, status=_STATUS.get(str(kind)))
        if event.type in _WITH_USAGE:
            for usage in (event.usage, None if event.message is None else event.message.usage):
                if usage is not None:
                    self._merge_usage(usage)
        self.is_done = self.is_done or event.type == "message_stop"
        pieces: list[Piece] = []
        if event.content_block is not None:
            pieces += self._block(event.content_block, index=event.index)
        if event.delta is not None:
            pieces += self._delta(event.delta, index=event.index)
        if event.content is not None:
            pieces += self._whole(event.content)
            self.finish, self.is_done = event.stop_reason or _END, True
        return self._deltas.deltas(pieces)

    @property
    def is_blocked(self) -> bool:
        return self.finish == _REFUSAL

    @property
    def reason(self) -> FinishReason:
        return _REASONS.get(self.finish, FinishReason.TOOL_CALL if self._calls else FinishReason.STOP)

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
        return tuple(
            ToolCallPart(
                id=block.id or f"call_{index}",
                name=block.name,
                # Streamed arguments follow an empty object; some servers send them whole.
                arguments="".join(pieces) or arguments_text(block.input) or "{}",
            )
            for index, (block, pieces) in sorted(self._calls.items())
        )

    def _whole(self, content: str | list[_Block]) -> list[Piece]:
        if isinstance(content, str):
            return self._reasoning_splitter.split(content)
        pieces: list[Piece] = []
        for index, block in enumerate(content):
            pieces += self._block(block, index=index)
        return pieces

    def _block(self, block: _Block, *, index: int) -> list[Piece]:
        if block.type == _TOOL and block.name:
            if len(self._calls) >= MAX_CALLS:
                raise AnswerTooLong
            place = index if index not in self._calls else max(self._calls) + 1
            self._calls[place] = (block, [])
            self._deltas.count(arguments_text(block.input))
        elif block.type not in _TEXT_BLOCKS | _WITHOUT_TEXT and not (block.text or block.thinking):
            self._deltas.note(f"a block of type {block.type!r}")
            self._unknown.add(index)
        return self._texts(block.thinking, block.text)

    def _delta(self, delta: _Delta, *, index: int) -> list[Piece]:
        self.finish = delta.stop_reason or self.finish
        if delta.partial_json:
            if index in self._calls:
                arguments = arguments_text(delta.partial_json)
                self._deltas.count(arguments)
                self._calls[index][1].append(arguments)
            elif index not in self._unknown:
                self._deltas.note("arguments of a call that did not begin")
        has_known = delta.type in _WITHOUT_TEXT or any(
            value is not None for value in (delta.text, delta.thinking, delta.partial_json)
        )
        if delta.type and not has_known and index not in self._unknown:
            self._deltas.note(f"a delta of type {delta.type!r}")
        return self._texts(delta.thinking, delta.text)

    def _texts(self, thinking: object, text: object) -> list[Piece]:
        pieces = list(self._deltas.pieces(thinking, kind=OutputKind.REASONING))
        if pieces:
            self._reasoning_splitter.is_separate = True
        for kind, piece in self._deltas.pieces(text):
            is_answer = kind is OutputKind.ANSWER
            pieces += self._reasoning_splitter.split(piece) if is_answer else [(kind, piece)]
        return pieces

    def _merge_usage(self, usage: _Usage) -> None:
        """Merge usage figures; later ones replace earlier ones."""
        for name in _Usage.__struct_fields__:
            if (value := getattr(usage, name)) is not None:
                setattr(self._usage, name, value)
