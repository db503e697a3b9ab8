"""Parse requests of OpenAI's responses API: its items become messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

import msgspec

from fireside.api.completion_request import CompletionRequest, RequestSettings, UserTools, image_of, tool_of
from fireside.api.http_error import HttpError, invalid
from fireside.api.media import medium_of
from fireside.api.openai_messages import (
    arguments_text,
    continues,
    read_tool_choice,
    with_images_behind_results,
)
from fireside.core.message import (
    ChatMessage,
    MessagePart,
    PerceivedPart,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from fireside.core.prompt_input import ChatInput, ToolDefinition

_LOGPROBS: Final = "message.output_text.logprobs"
_TEXT_TYPES: Final = ("input_text", "output_text", "text", "summary_text", "reasoning_text")
_CALL_TYPES: Final = ("function_call", "custom_tool_call", "local_shell_call")
_SERVER_ITEMS: Final = frozenset(
    [
        "web_search_call",
        "file_search_call",
        "code_interpreter_call",
        "image_generation_call",
        "mcp_list_tools",
    ]
)
"""Calls of tools on OpenAI's servers. What they found stands in the answer that follows them."""
CUSTOM_ARGUMENT: Final = "input"
"""The one argument under which the free text of a custom tool's call is written."""
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
    """The body of ``/v1/responses``. Unknown fields are ignored; unknown items of ``input`` are refused."""

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
    conversation: str | dict[str, Any] | None = None
    include: list[str] | None = None
    top_logprobs: int | None = None
    prompt_cache_key: str | None = None
    background: bool | None = None
    store: bool | None = None

    @property
    def has_logprobs(self) -> bool:
        """Whether the answer comes with the probabilities of its tokens."""
        return self.top_logprobs is not None or _LOGPROBS in (self.include or ())

    @property
    def custom_tools(self) -> frozenset[str]:
        """Names of the tools whose calls are one free text."""
        tools = self.tools or ()
        return frozenset(_text(tool.get("name")) for tool in tools if tool.get("type") == "custom")


def read_responses(body: ResponsesBody) -> CompletionRequest:
    """Return the request that a body describes. Raises ``HttpError``."""
    for param in ("previous_response_id", "conversation"):
        if getattr(body, param):
            raise HttpError(
                HTTPStatus.NOT_FOUND,
                "Conversations are not stored: send the whole conversation.",
                code=f"{param.removesuffix('_id')}_not_found",
                param=param,
            )
    settings = RequestSettings()
    settings.set_samplers(body)
    settings.set_max_tokens(body.max_output_tokens, name="max_output_tokens")
    if body.has_logprobs:
        settings.set("sampling.top_logprobs", body.top_logprobs or 0)
    settings.set_effort(body.reasoning.effort if body.reasoning else None, name="reasoning.effort")
    text_format = (body.text.format if body.text else None) or TextFormat()
    if text_format.type not in ("text", "json_object", "json_schema"):
        raise invalid("text.format: choose text, json_object or json_schema.", param="text.format")
    if text_format.type != "text":
        settings.set_schema(text_format.schema or {}, name="text.format")
    settings.names["messages"] = "input"
    messages = _messages(body)
    choice, tools = read_tool_choice(
        body.tool_choice, tools=tuple(_tools(body.tools or ())), parallel=body.parallel_tool_calls
    )
    prompt = ChatInput(
        messages=messages,
        tools=tools,
        tool_choice=choice,
        continue_final=continues(messages),
    )
    return CompletionRequest(
        model=body.model,
        prompts=(prompt,),
        settings=settings.values,
        names=settings.names,
        reads_only=settings.reads_only,
        user_tools=body.fireside_tools,
        single_tool_call=body.parallel_tool_calls is False,
    )


def _tools(tools: Sequence[Mapping[str, Any]]) -> list[ToolDefinition]:
    """Return the functions, also those in namespaces, and custom tools as functions of one text.

    Others would run on OpenAI's servers.
    """
    definitions = []
    for tool in tools:
        name, description = _text(tool.get("name")), _text(tool.get("description"))
        if tool.get("type") == "namespace" and isinstance(inner := tool.get("tools"), list):
            definitions += _tools(inner)
        elif tool.get("type") == "function" and name:
            parameters = tool.get("parameters")
            definitions.append(
                tool_of(name, description, parameters if isinstance(parameters, dict) else None)
            )
        elif tool.get("type") == "custom" and name:
            text_format = tool.get("format")
            if isinstance(text_format, dict) and (grammar := _text(text_format.get("definition"))):
                description += f"\n\nThe input follows this grammar:\n{grammar}"
            properties = {CUSTOM_ARGUMENT: {"type": "string"}}
            schema = {"type": "object", "properties": properties, "required": [CUSTOM_ARGUMENT]}
            definitions.append(tool_of(name, description, schema))
    return definitions


def _messages(body: ResponsesBody) -> tuple[ChatMessage, ...]:
    messages: list[ChatMessage] = []
    if body.instructions:
        messages.append(ChatMessage(role=Role.SYSTEM, parts=(TextPart(text=body.instructions),)))
    items = [{"role": "user", "content": body.input}] if isinstance(body.input, str) else body.input
    tool_names: dict[str, str] = {}  # by the id of the call
    n_before = len(messages)
    for index, item in enumerate(items):
        _read_item(item, messages, tool_names, param=f"input[{index}]")
    if len(messages) == n_before:
        raise invalid("input: there is none.", param="input")
    return with_images_behind_results(messages)


def _read_item(
    item: Mapping[str, Any], messages: list[ChatMessage], tool_names: dict[str, str], *, param: str
) -> None:
    kind = item.get("type") or "message"
    call_id = _text(item.get("call_id"))
    if kind == "message":
        messages.append(_message(item, param=param))
    elif kind in _CALL_TYPES:
        call = ToolCallPart(
            id=call_id, name=_text(item.get("name")) or "local_shell", arguments=_arguments(item)
        )
        tool_names[call.id] = call.name
        _append(messages, call)
    elif kind in tuple(f"{each}_output" for each in _CALL_TYPES):
        parts = _content(item.get("output"), param=f"{param}.output")
        text = "".join(part.text for part in parts if isinstance(part, TextPart))
        images = [part for part in parts if isinstance(part, PerceivedPart)]
        result = ToolResultPart(call_id=call_id, name=tool_names.get(call_id, ""), text=text)
        messages.append(ChatMessage(role=Role.TOOL, parts=(result, *images)))
    elif kind == "reasoning":
        reasoning = "".join(_texts(item.get("content"))) or "".join(_texts(item.get("summary")))
        if reasoning:
            _append(messages, ReasoningPart(text=reasoning))
    elif kind not in _SERVER_ITEMS:
        # Left out, it would be missing from what the model reads, without a word.
        raise invalid(f"{param}: an item of type “{kind}” cannot be shown to the model.", param=param)


def _arguments(item: Mapping[str, Any]) -> str:
    """Return the arguments of a call of any kind as JSON."""
    if item.get("type") == "custom_tool_call":
        return msgspec.json.encode({CUSTOM_ARGUMENT: _text(item.get("input"))}).decode()
    return arguments_text(item.get("arguments", item.get("action")))


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
    parts = _content(item.get("content"), param=f"{param}.content")
    return ChatMessage(role=role, parts=tuple(parts))


def _content(content: object, *, param: str) -> list[MessagePart]:
    """Return texts, images, sound and videos. Raises ``HttpError`` for what cannot be shown to the model."""
    if isinstance(content, dict):
        return [TextPart(text=msgspec.json.encode(content).decode())]
    parts: list[MessagePart] = []
    items = [{"type": "text", "text": content}] if isinstance(content, str) else content or ()
    if not isinstance(items, list | tuple):
        raise invalid(f"{param}: send a text or a list of parts.", param=param)
    for index, each in enumerate(items):
        where = f"{param}[{index}]"
        kind = each.get("type") if isinstance(each, dict) else None
        if kind in _TEXT_TYPES:
            parts.append(TextPart(text=_text(each.get("text"))))
        elif kind == "refusal":
            parts.append(TextPart(text=_text(each.get("refusal"))))
        elif kind == "input_image":
            url = each.get("image_url")
            url = url.get("url") if isinstance(url, dict) else url
            parts.append(image_of(_text(url), param=f"{where}.image_url"))
        elif kind in ("input_audio", "input_video"):
            medium = each.get(kind)
            medium = medium if isinstance(medium, dict) else {}
            parts.append(medium_of(_text(medium.get("data") or medium.get("url")), param=where))
        else:
            raise invalid(f"{where}: a part of type “{kind}” cannot be shown to the model.", param=where)
    return [part for part in parts if not isinstance(part, TextPart) or part.text]


def _texts(content: object) -> list[str]:
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else []
    return [_text(part.get("text")) for part in parts if isinstance(part, dict)]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
