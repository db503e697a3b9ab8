"""Anthropic's dialect: messages, whole and as events, and counts of tokens."""

from __future__ import annotations

import re
import uuid
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from http import HTTPStatus
from typing import Any, Final

import msgspec

from fireside.api.answers import Answering, Answers, Collected, Session
from fireside.api.asks import Ask, Choices, image_of_base64, tool_of
from fireside.api.calls import Call, Dialect, Reply, Stream, event, json_reply
from fireside.api.openai_messages import continues
from fireside.api.refusal import Refusal, invalid
from fireside.api.sessions import session_of
from fireside.core.generation import Finished, FinishReason, OutputKind, PromptProgress, TextDelta
from fireside.core.message import (
    ChatMessage,
    ImagePart,
    MessagePart,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from fireside.core.prompt_input import ChatInput, ToolChoice, ToolMode

_PING: Final = b'event: ping\ndata: {"type": "ping"}\n\n'
_OVERLOADED: Final = 529
_BILLING: Final = re.compile(r"\Ax-anthropic-billing-header[^\n]*\n?")
"""Differs in each request, so that nothing behind it would be found in a cache."""
_SIGNATURE: Final = "fireside"
_MODES: Final[Mapping[str, ToolMode]] = {
    "auto": ToolMode.AUTO,
    "any": ToolMode.REQUIRED,
    "tool": ToolMode.REQUIRED,
    "none": ToolMode.NONE,
}
_REASONS: Final[Mapping[FinishReason, str]] = {
    FinishReason.STOP: "end_turn",
    FinishReason.LENGTH: "max_tokens",
    FinishReason.TOOL_CALL: "tool_use",
    FinishReason.REPETITION: "max_tokens",
}


class TextBlock(msgspec.Struct, tag="text"):
    """A stretch of text."""

    text: str


class ImageSource(msgspec.Struct):
    """An image, written in base64."""

    type: str
    media_type: str = ""
    data: str = ""


class ImageBlock(msgspec.Struct, tag="image"):
    """An image."""

    source: ImageSource


class ToolUseBlock(msgspec.Struct, tag="tool_use"):
    """A call of an earlier answer."""

    id: str
    name: str
    input: dict[str, Any] = {}


class ToolResultBlock(msgspec.Struct, tag="tool_result"):
    """What a tool answered."""

    tool_use_id: str
    content: str | list[TextBlock | ImageBlock] | None = None
    is_error: bool | None = None


class ThinkingBlock(msgspec.Struct, tag="thinking"):
    """What was thought before an earlier answer."""

    thinking: str = ""


class RedactedBlock(msgspec.Struct, tag="redacted_thinking"):
    """What another server thought and does not tell."""


Block = TextBlock | ImageBlock | ToolUseBlock | ToolResultBlock | ThinkingBlock | RedactedBlock


class AnthropicMessage(msgspec.Struct):
    """One message."""

    role: str
    content: str | list[Block]


class AnthropicTool(msgspec.Struct):
    """A tool. Those that a server would run itself have no schema, and are left out."""

    name: str
    description: str | None = None
    input_schema: dict[str, Any] | None = None


class AnthropicChoice(msgspec.Struct):
    """Whether tools are called."""

    type: str = "auto"
    name: str | None = None
    disable_parallel_tool_use: bool = False


class Thinking(msgspec.Struct):
    """Whether the model thinks before it answers."""

    type: str = "disabled"
    budget_tokens: int | None = None


class OutputFormat(msgspec.Struct):
    """A schema for the answer."""

    type: str = ""
    schema: dict[str, Any] | None = None


class OutputConfig(msgspec.Struct):
    """How much effort, and which form."""

    effort: str | None = None
    format: OutputFormat | None = None


class Metadata(msgspec.Struct):
    """Who the client works for."""

    user_id: str | None = None


class MessagesBody(msgspec.Struct, kw_only=True):
    """What a client sends. What is not named here is ignored."""

    messages: list[AnthropicMessage]
    model: str = ""
    system: str | list[TextBlock] | None = None
    max_tokens: int | None = None
    stream: bool = False
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    stop_sequences: list[str] | None = None
    tools: list[AnthropicTool] | None = None
    tool_choice: AnthropicChoice | None = None
    thinking: Thinking | None = None
    output_config: OutputConfig | None = None
    metadata: Metadata | None = None


def anthropic_error(refusal: Refusal) -> dict[str, Any]:
    """Return an error as Anthropic's clients expect it."""
    kind = "api_error" if refusal.status == HTTPStatus.INTERNAL_SERVER_ERROR else refusal.kind
    return {
        "type": "error",
        "error": {"type": kind, "message": refusal.message},
        "request_id": f"req_{uuid.uuid4().hex[:24]}",
    }


ANTHROPIC: Final = Dialect(error=anthropic_error, busy_status=_OVERLOADED)


def read_anthropic(body: MessagesBody) -> Ask:
    """Return what is asked for. Raises ``Refusal``."""
    choices = Choices()
    choices.put_samplers(body, ("temperature", "top_p", "top_k"))
    choices.put_stop(body.stop_sequences, name="stop_sequences")
    choices.put_max_tokens(body.max_tokens, name="max_tokens")
    config = body.output_config or OutputConfig()
    if config.format is not None and config.format.schema is not None:
        choices.put_schema(config.format.schema, name="output_config.format")
    if body.thinking is not None:
        thinks = body.thinking.type in ("enabled", "adaptive")
        choices.put_effort((config.effort or "on") if thinks else "off", name="thinking")
        choices.put("answer.thinking_budget", body.thinking.budget_tokens, name="thinking.budget_tokens")
    else:
        choices.put_effort(config.effort, name="output_config.effort")
    messages = (*_system(body.system), *_messages(body.messages))
    choice = body.tool_choice or AnthropicChoice()
    if choice.type not in _MODES:
        raise invalid(f"tool_choice.type: “{choice.type}” is not known.", param="tool_choice.type")
    prompt = ChatInput(
        messages=messages,
        tools=tuple(
            tool_of(tool.name, tool.description, tool.input_schema)
            for tool in body.tools or ()
            if tool.input_schema is not None
        ),
        tool_choice=ToolChoice(mode=_MODES[choice.type], name=choice.name if choice.type == "tool" else None),
        continue_final=bool(messages) and continues(messages),
    )
    return Ask(
        model=body.model,
        prompts=(prompt,),
        settings=choices.settings,
        names=choices.names,
        one_call=choice.disable_parallel_tool_use,
    )


def _system(system: str | Sequence[TextBlock] | None) -> tuple[ChatMessage, ...]:
    texts = [system or ""] if isinstance(system, str | None) else [block.text for block in system]
    if texts:
        texts[0] = _BILLING.sub("", texts[0])
    text = "\n\n".join(filter(None, texts))
    return (ChatMessage(role=Role.SYSTEM, parts=(TextPart(text=text),)),) if text else ()


def _messages(messages: Sequence[AnthropicMessage]) -> tuple[ChatMessage, ...]:
    if not messages:
        raise invalid("messages: there are none.", param="messages")
    found: list[ChatMessage] = []
    called: dict[str, str] = {}
    for at, message in enumerate(messages):
        param = f"messages[{at}]"
        if message.role not in ("user", "assistant", "system"):
            raise invalid(f"{param}.role: “{message.role}” is not a role.", param=f"{param}.role")
        # What the program says in the middle of a conversation comes like a user's words.
        role = Role.ASSISTANT if message.role == "assistant" else Role.USER
        content = message.content
        blocks = [TextBlock(text=content)] if isinstance(content, str) else content
        parts: list[MessagePart] = []
        for number, block in enumerate(blocks):
            match block:
                case TextBlock() if block.text:
                    parts.append(TextPart(text=block.text))
                case ThinkingBlock() if block.thinking:
                    parts.append(ReasoningPart(text=block.thinking))
                case ImageBlock():
                    parts.append(_image(block, param=f"{param}.content[{number}].source"))
                case ToolUseBlock():
                    called[block.id] = block.name
                    arguments = msgspec.json.encode(block.input).decode()
                    parts.append(ToolCallPart(id=block.id, name=block.name, arguments=arguments))
                case ToolResultBlock():
                    result, images = _result(block, called, param=f"{param}.content[{number}]")
                    found.append(ChatMessage(role=Role.TOOL, parts=(result,)))
                    parts += images
                case _:
                    pass
        if parts:
            found.append(ChatMessage(role=role, parts=tuple(parts)))
    return tuple(found)


def _result(
    block: ToolResultBlock, called: Mapping[str, str], *, param: str
) -> tuple[ToolResultPart, list[ImagePart]]:
    content = block.content or ""
    inner = [TextBlock(text=content)] if isinstance(content, str) else content
    text = "".join(each.text for each in inner if isinstance(each, TextBlock))
    images = [_image(each, param=param) for each in inner if isinstance(each, ImageBlock)]
    if block.is_error:
        text = f"Error: {text}"
    name = called.get(block.tool_use_id, "")
    return ToolResultPart(call_id=block.tool_use_id, name=name, text=text), images


def _image(block: ImageBlock, *, param: str) -> ImagePart:
    source = block.source
    if source.type != "base64":
        raise invalid("Images are taken in base64 only; no address is fetched.", param=param)
    return image_of_base64(source.data, media_type=source.media_type, param=param)


async def answer_messages(answers: Answers, call: Call) -> Reply | Stream:
    """Answer one call of ``/v1/messages``."""
    body = await call.read(MessagesBody)
    user_id = body.metadata.user_id if body.metadata is not None else None
    session = Session(client=call.client, name=session_of(call.headers, user_id=user_id))
    answering = await answers.start(read_anthropic(body), session)
    if not body.stream:
        (whole,) = await answering.collect()
        return json_reply(_whole(whole, model=answering.spec.id))
    return Stream(pieces=_pieces(answering), failure=_failure, heartbeat=_PING)


def _failure(refusal: Refusal) -> bytes:
    return event(anthropic_error(refusal), name="error")


async def count_message_tokens(answers: Answers, call: Call) -> Reply:
    """Answer one call of ``/v1/messages/count_tokens``. Waits behind no answer."""
    body = await call.read(MessagesBody)
    return json_reply({"input_tokens": await answers.count(read_anthropic(body), call.client)})


def _message(content: Sequence[Mapping[str, Any]], *, model: str, **more: Any) -> dict[str, Any]:
    return {
        "id": f"msg_{uuid.uuid4().hex[:24]}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": None,
        "stop_sequence": None,
        **more,
    }


def _whole(each: Collected, *, model: str) -> dict[str, Any]:
    end = each.finished
    content: list[dict[str, Any]] = []
    if each.reasoning:
        content.append({"type": "thinking", "thinking": each.reasoning, "signature": _SIGNATURE})
    if each.text or not end.tool_calls:
        content.append({"type": "text", "text": each.text})
    for call in end.tool_calls:
        content.append({"type": "tool_use", "id": _id(call), "name": call.name, "input": _input(call)})
    usage = _usage(end.usage.n_prompt, end.usage.n_cached, end.usage.n_completion)
    return _message(content, model=model, stop_reason=_reason(end), usage=usage)


def _reason(end: Finished) -> str:
    if end.reason is FinishReason.LENGTH and end.context_full:
        return "model_context_window_exceeded"
    return _REASONS[end.reason]


def _usage(n_prompt: int, n_cached: int, n_completion: int) -> dict[str, int]:
    return {
        "input_tokens": n_prompt - n_cached,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": n_cached,
        "output_tokens": n_completion,
    }


def _id(call: ToolCallPart) -> str:
    return call.id or f"toolu_{uuid.uuid4().hex[:24]}"


def _input(call: ToolCallPart) -> Any:
    try:
        return msgspec.json.decode(call.arguments or "{}")
    except msgspec.DecodeError:
        return {}


class _Blocks:
    """Numbers the blocks of an answer, and opens and closes them as its kind changes."""

    def __init__(self) -> None:
        self._n = -1
        self._open: OutputKind | None = None

    def add(self, each: TextDelta) -> bytes:
        """Return the events of a piece of output."""
        if not each.text or each.kind is OutputKind.MARKUP:
            return b""
        is_text = each.kind is OutputKind.ANSWER
        out = b""
        if self._open is not each.kind:
            out = self.close() + self._begin(
                {"type": "text", "text": ""}
                if is_text
                else {"type": "thinking", "thinking": "", "signature": ""}
            )
            self._open = each.kind
        if is_text:
            return out + self._delta({"type": "text_delta", "text": each.text})
        return out + self._delta({"type": "thinking_delta", "thinking": each.text})

    def call(self, call: ToolCallPart) -> bytes:
        """Return the events of a call."""
        out = self.close() + self._begin(
            {"type": "tool_use", "id": _id(call), "name": call.name, "input": {}}
        )
        return out + self._delta({"type": "input_json_delta", "partial_json": call.arguments}) + self._stop()

    def close(self) -> bytes:
        """End the block that is open, if one is."""
        if self._open is None:
            return b""
        signed = b""
        if self._open is OutputKind.REASONING:
            signed = self._delta({"type": "signature_delta", "signature": _SIGNATURE})
        self._open = None
        return signed + self._stop()

    def _begin(self, block: Mapping[str, Any]) -> bytes:
        self._n += 1
        return _event("content_block_start", index=self._n, content_block=block)

    def _delta(self, delta: Mapping[str, Any]) -> bytes:
        return _event("content_block_delta", index=self._n, delta=delta)

    def _stop(self) -> bytes:
        return _event("content_block_stop", index=self._n)


def _event(name: str, **fields: Any) -> bytes:
    return event({"type": name, **fields}, name=name)


async def _pieces(answering: Answering) -> AsyncGenerator[bytes, None]:
    blocks, has_begun = _Blocks(), False
    n_prompt, n_cached = 0, 0
    async with aclosing(answering.events()) as events:
        async for _, each in events:
            if isinstance(each, PromptProgress):
                n_prompt, n_cached = each.n_total, each.n_cached
            if not has_begun and isinstance(each, PromptProgress | TextDelta | Finished):
                has_begun = True
                message = _message([], model=answering.spec.id, usage=_usage(n_prompt, n_cached, 0))
                yield _event("message_start", message=message) + _PING
            if isinstance(each, TextDelta) and (out := blocks.add(each)):
                yield out
            elif isinstance(each, Finished):
                yield blocks.close() + b"".join(map(blocks.call, each.tool_calls))
                usage = _usage(each.usage.n_prompt, each.usage.n_cached, each.usage.n_completion)
                delta = {"stop_reason": _reason(each), "stop_sequence": None}
                yield _event("message_delta", delta=delta, usage=usage) + _event("message_stop")
