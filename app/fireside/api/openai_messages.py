"""Read a conversation as OpenAI's chat completions write it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec

from fireside.api.completion_request import image_of, tool_of
from fireside.api.http_error import invalid
from fireside.api.openapi import one_of
from fireside.core.message import (
    ChatMessage,
    MessagePart,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from fireside.core.prompt_input import ToolChoice, ToolDefinition, ToolMode

_ROLES = {"developer": Role.SYSTEM, "function": Role.TOOL, **{role.value: role for role in Role}}


class TextContent(msgspec.Struct, tag="text"):
    """A stretch of text."""

    text: str


class RefusalContent(msgspec.Struct, tag="refusal"):
    """What an earlier answer declined to do."""

    refusal: str


class ImageUrl(msgspec.Struct):
    """Where an image is: in the URL itself."""

    url: str


class ImageContent(msgspec.Struct, tag="image_url"):
    """An image."""

    image_url: ImageUrl


Content = TextContent | RefusalContent | ImageContent


class FunctionCall(msgspec.Struct):
    """What was called. ``arguments`` is the text of a JSON object; some clients send the object."""

    name: str
    arguments: str | dict[str, Any] = ""


class ToolCall(msgspec.Struct):
    """One call of an earlier answer."""

    function: FunctionCall
    id: str = ""


class Message(msgspec.Struct):
    """One message of any role."""

    role: Annotated[str, one_of(*_ROLES)]
    content: str | list[Content] | None = None
    name: str | None = None
    tool_calls: list[ToolCall] | None = None
    tool_call_id: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None


class Function(msgspec.Struct):
    """A tool that may be called, or one that is named."""

    name: str
    description: str | None = None
    parameters: dict[str, Any] | None = None


class Tool(msgspec.Struct):
    """A tool; only functions are known."""

    function: Function
    type: str = "function"


class NamedTool(msgspec.Struct):
    """The one tool that must be called."""

    function: Function


def read_messages(messages: Sequence[Message]) -> tuple[ChatMessage, ...]:
    """Return the conversation. Raises ``HttpError``."""
    if not messages:
        raise invalid("messages: there are none.", param="messages")
    called: dict[str, str] = {}
    return tuple(_read(message, called, param=f"messages[{at}]") for at, message in enumerate(messages))


def continues(messages: Sequence[ChatMessage]) -> bool:
    """Whether the answer goes on with the last message, as llama.cpp's server has it."""
    last = messages[-1]
    return last.role is Role.ASSISTANT and bool(last.text) and not last.tool_calls


def _read(message: Message, called: dict[str, str], *, param: str) -> ChatMessage:
    role = _ROLES.get(message.role)
    if role is None:
        raise invalid(f"{param}.role: “{message.role}” is not a role.", param=f"{param}.role")
    parts = _parts(message.content, param=f"{param}.content")
    if role is Role.TOOL:
        call_id = message.tool_call_id or ""
        name = message.name or called.get(call_id, "")
        text = "".join(part.text for part in parts if isinstance(part, TextPart))
        return ChatMessage(role=role, parts=(ToolResultPart(call_id=call_id, name=name, text=text),))
    if thought := message.reasoning_content or message.reasoning:
        parts.insert(0, ReasoningPart(text=thought))
    for call in message.tool_calls or ():
        called[call.id] = call.function.name
        parts.append(
            ToolCallPart(id=call.id, name=call.function.name, arguments=_arguments(call.function.arguments))
        )
    return ChatMessage(role=role, parts=tuple(parts))


def _parts(content: str | list[Content] | None, *, param: str) -> list[MessagePart]:
    if isinstance(content, str):
        return [TextPart(text=content)] if content else []
    parts: list[MessagePart] = []
    for at, each in enumerate(content or ()):
        match each:
            case TextContent():
                parts.append(TextPart(text=each.text))
            case RefusalContent():
                parts.append(TextPart(text=each.refusal))
            case ImageContent():
                parts.append(image_of(each.image_url.url, param=f"{param}[{at}].image_url"))
    return parts


def _arguments(arguments: str | dict[str, Any]) -> str:
    return arguments if isinstance(arguments, str) else msgspec.json.encode(arguments).decode()


def read_tools(tools: Sequence[Tool] | None) -> tuple[ToolDefinition, ...]:
    """Return the functions among the tools."""
    return tuple(
        tool_of(tool.function.name, tool.function.description, tool.function.parameters)
        for tool in tools or ()
    )


def read_tool_choice(choice: str | NamedTool | None, *, parallel: bool | None) -> ToolChoice:
    """Return whether tools are called, and several at once if the client says so. Raises ``HttpError``."""
    if isinstance(choice, NamedTool):
        return ToolChoice(mode=ToolMode.REQUIRED, name=choice.function.name)
    if choice is not None and choice not in list(ToolMode):
        raise invalid(f"tool_choice: “{choice}” is not known.", param="tool_choice")
    return ToolChoice(mode=ToolMode(choice or ToolMode.AUTO), several=bool(parallel))
