"""Parse requests of OpenAI's responses API: its items become messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

import msgspec

from fireside.api.completion_request import CompletionRequest, RequestSettings, UserTools, image_of, tool_of
from fireside.api.http_error import HttpError, invalid
from fireside.api.openai_messages import continues, read_tool_choice
from fireside.core.message import (
    ChatMessage,
    MessagePart,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from fireside.core.prompt_input import ChatInput, ToolChoice, ToolDefinition, ToolMode

_ROLES: Final[Mapping[str, Role]] = {
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
}


class Reasoning(msgspec.Struct):
    """The reasoning effort."""

    effort: str | None = None


class TextFormat(msgspec.Struct):
    """The format of the answer."""

    type: str = "text"
    schema: dict[str, Any] | None = None


class TextOptions(msgspec.Struct):
    """Options of the answer's text."""

    format: TextFormat | None = None


class ResponsesBody(msgspec.Struct, kw_only=True):
    """The body of ``/v1/responses``. Unknown fields are ignored."""

    input: str | list[dict[str, Any]] = ""
    model: str = ""
    instructions: str | None = None
    tools: list[dict[str, Any]] | None = None
    tool_choice: str | dict[str, Any] | None = None
    parallel_tool_calls: bool | None = None
    fireside_tools: UserTools = ()
    max_output_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    reasoning: Reasoning | None = None
    text: TextOptions | None = None
    stream: bool | None = None
    previous_response_id: str | None = None
    prompt_cache_key: str | None = None


def read_responses(body: ResponsesBody) -> CompletionRequest:
    """Return the request that a body describes. Raises ``HttpError``."""
    if body.previous_response_id:
        raise HttpError(
            HTTPStatus.NOT_FOUND,
            "Responses are not stored: send the whole conversation.",
            code="previous_response_not_found",
            param="previous_response_id",
        )
    settings = RequestSettings()
    settings.set_samplers(body, ("temperature", "top_p"))
    settings.set_max_tokens(body.max_output_tokens, name="max_output_tokens")
    settings.set_effort(body.reasoning.effort if body.reasoning else None, name="reasoning.effort")
    text_format = (body.text.format if body.text else None) or TextFormat()
    if text_format.type not in ("text", "json_object", "json_schema"):
        raise invalid("text.format: choose text, json_object or json_schema.", param="text.format")
    if text_format.type != "text":
        settings.set_schema(text_format.schema or {}, name="text.format")
    messages = _messages(body)
    prompt = ChatInput(
        messages=messages,
        tools=tuple(_tools(body.tools or ())),
        tool_choice=_tool_choice(body.tool_choice, parallel=body.parallel_tool_calls),
        continue_final=continues(messages),
    )
    return CompletionRequest(
        model=body.model,
        prompts=(prompt,),
        settings=settings.values,
        names=settings.names,
        user_tools=body.fireside_tools,
        single_tool_call=body.parallel_tool_calls is False,
    )


def _tools(tools: Sequence[Mapping[str, Any]]) -> list[ToolDefinition]:
    """Return the functions, also those in namespaces; other tools would run on OpenAI's servers."""
    definitions = []
    for tool in tools:
        if tool.get("type") == "namespace" and isinstance(inner := tool.get("tools"), list):
            definitions += _tools(inner)
        elif tool.get("type") == "function" and isinstance(name := tool.get("name"), str):
            parameters = tool.get("parameters")
            schema = parameters if isinstance(parameters, dict) else None
            definitions.append(tool_of(name, _text(tool.get("description")), schema))
    return definitions


def _tool_choice(choice: str | Mapping[str, Any] | None, *, parallel: bool | None) -> ToolChoice:
    if isinstance(choice, Mapping):
        name = choice.get("name")
        return ToolChoice(mode=ToolMode.REQUIRED, name=name) if isinstance(name, str) else ToolChoice()
    return read_tool_choice(choice, parallel=parallel)


def _messages(body: ResponsesBody) -> tuple[ChatMessage, ...]:
    messages: list[ChatMessage] = []
    if body.instructions:
        messages.append(ChatMessage(role=Role.SYSTEM, parts=(TextPart(text=body.instructions),)))
    items = [{"role": "user", "content": body.input}] if isinstance(body.input, str) else body.input
    if not items:
        raise invalid("input: there is none.", param="input")
    tool_names: dict[str, str] = {}  # by the id of the call
    for index, item in enumerate(items):
        param = f"input[{index}]"
        match item.get("type", "message"):
            case "message":
                messages.append(_message(item, param=param))
            case "function_call":
                call = ToolCallPart(
                    id=_text(item.get("call_id")),
                    name=_text(item.get("name")),
                    arguments=_text(item.get("arguments")),
                )
                tool_names[call.id] = call.name
                _append(messages, call)
            case "function_call_output":
                call_id = _text(item.get("call_id"))
                text = "".join(_texts(item.get("output")))
                result = ToolResultPart(call_id=call_id, name=tool_names.get(call_id, ""), text=text)
                messages.append(ChatMessage(role=Role.TOOL, parts=(result,)))
            case "reasoning":
                reasoning = "".join(_texts(item.get("content"))) or "".join(_texts(item.get("summary")))
                if reasoning:
                    _append(messages, ReasoningPart(text=reasoning))
            case _:
                pass  # calls of tools on OpenAI's servers, and their results
    return tuple(messages)


def _append(messages: list[ChatMessage], part: ToolCallPart | ReasoningPart) -> None:
    """Add a part to the assistant's message at the end, or to a new one."""
    if messages and messages[-1].role is Role.ASSISTANT:
        messages[-1] = ChatMessage(role=Role.ASSISTANT, parts=(*messages[-1].parts, part))
    else:
        messages.append(ChatMessage(role=Role.ASSISTANT, parts=(part,)))


def _message(item: Mapping[str, Any], *, param: str) -> ChatMessage:
    role = _ROLES.get(_text(item.get("role")))
    if role is None:
        raise invalid(f"{param}.role: not a role.", param=f"{param}.role")
    content = item.get("content")
    if isinstance(content, str):
        return ChatMessage(role=role, parts=(TextPart(text=content),))
    parts: list[MessagePart] = []
    for index, each in enumerate(content if isinstance(content, list) else ()):
        if not isinstance(each, dict):
            raise invalid(f"{param}.content[{index}]: not an object.", param=f"{param}.content[{index}]")
        if each.get("type") == "input_image":
            parts.append(image_of(_text(each.get("image_url")), param=f"{param}.content[{index}].image_url"))
        elif text := _text(each.get("text")) or _text(each.get("refusal")):
            parts.append(TextPart(text=text))
    return ChatMessage(role=role, parts=tuple(parts))


def _texts(content: object) -> list[str]:
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else []
    return [_text(part.get("text")) for part in parts if isinstance(part, dict)]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
