"""Parse the messages and tools of OpenAI's chat completions."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

import msgspec

from fireside.api.completion_request import image_of, tool_of
from fireside.api.http_error import invalid
from fireside.api.media import medium_of
from fireside.api.openapi import one_of
from fireside.core.decoding import JsonInvalid, decode_json
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
from fireside.core.prompt_input import ToolChoice, ToolDefinition, ToolMode

_MAX_DEPTH = 64
_ROLES = {"developer": Role.SYSTEM, "function": Role.TOOL, **{role.value: role for role in Role}}


class TextContent(msgspec.Struct, tag="text"):
    """Text."""

    text: str = ""


class RefusalContent(msgspec.Struct, tag="refusal"):
    """A refusal in an earlier answer."""

    refusal: str


class ImageUrl(msgspec.Struct):
    """A ``data:`` URL with the image."""

    url: str


class ImageContent(msgspec.Struct, tag="image_url"):
    """An image; some clients send the URL itself."""

    image_url: ImageUrl | str


class MediaData(msgspec.Struct):
    """A file in base64, or as a data URL. Its first bytes tell its format."""

    data: str = ""
    url: str = ""
    format: str | None = None


class AudioContent(msgspec.Struct, tag="input_audio"):
    """Sound."""

    input_audio: MediaData


class AudioUrlContent(msgspec.Struct, tag="audio_url"):
    """Sound, in the form of vLLM."""

    audio_url: MediaData | str


class VideoContent(msgspec.Struct, tag="input_video"):
    """A video, in the form of llama.cpp's server."""

    input_video: MediaData


class VideoUrlContent(msgspec.Struct, tag="video_url"):
    """A video, in the form of vLLM and of llama.cpp's server."""

    video_url: MediaData | str


class FileData(msgspec.Struct):
    """A file in base64, or as a data URL."""

    file_data: str | None = None
    filename: str | None = None


class FileContent(msgspec.Struct, tag="file"):
    """A document; its text takes its place before the messages are read."""

    file: FileData


Content = (
    TextContent
    | RefusalContent
    | ImageContent
    | AudioContent
    | AudioUrlContent
    | VideoContent
    | VideoUrlContent
    | FileContent
)


class FunctionCall(msgspec.Struct):
    """A called function. ``arguments`` is JSON text of an object; some clients send the object itself."""

    name: str
    arguments: Any = ""


class ToolCall(msgspec.Struct):
    """A tool call of an earlier answer."""

    function: FunctionCall
    id: str = ""


class Message(msgspec.Struct):
    """A message of any role."""

    role: Annotated[str, one_of(*_ROLES)]
    content: str | list[Content] | None = None
    name: str | None = None
    tool_calls: list[ToolCall] | None = None
    tool_call_id: str | None = None
    function_call: FunctionCall | None = None
    """The call in the form before ``tool_calls``."""
    reasoning_content: str | None = None
    reasoning: str | None = None


class Function(msgspec.Struct):
    """The definition of a function."""

    name: str
    description: str | None = None
    parameters: dict[str, Any] | None = None


class Tool(msgspec.Struct):
    """A tool that the model may call. One that is no function would run on OpenAI's servers: ignored."""

    type: str = "function"
    function: Function | None = None


def read_messages(messages: Sequence[Message]) -> tuple[ChatMessage, ...]:
    """Return the conversation. Raises ``HttpError``."""
    if not messages:
        raise invalid("messages: there are none.", param="messages")
    tool_names: dict[str, str] = {}  # by the id of the call
    return with_images_behind_results(
        _read(message, tool_names, param=f"messages[{index}]") for index, message in enumerate(messages)
    )


def with_images_behind_results(messages: Iterable[ChatMessage]) -> tuple[ChatMessage, ...]:
    """Move the images of tool results to the user's message behind them: no template shows them there."""
    chat: list[ChatMessage] = []
    images: tuple[MessagePart, ...] = ()
    for message in messages:
        parts = message.parts
        if message.role is Role.TOOL:
            images += tuple(part for part in parts if isinstance(part, PerceivedPart))
            parts = tuple(part for part in parts if isinstance(part, ToolResultPart))
        elif images:
            if message.role is Role.USER:
                parts = (*images, *parts)
            else:
                chat.append(ChatMessage(role=Role.USER, parts=images))
            images = ()
        chat.append(ChatMessage(role=message.role, parts=parts))
    return (*chat, ChatMessage(role=Role.USER, parts=images)) if images else tuple(chat)


def continues(messages: Sequence[ChatMessage]) -> bool:
    """Whether the answer continues the last message: one of the assistant, as in llama.cpp's server."""
    last = messages[-1]
    return last.role is Role.ASSISTANT and bool(last.text) and not last.tool_calls


def _read(message: Message, tool_names: dict[str, str], *, param: str) -> ChatMessage:
    role = _ROLES.get(message.role)
    if role is None:
        raise invalid(f"{param}.role: “{message.role}” is not a role.", param=f"{param}.role")
    parts = _parts(message.content, param=f"{param}.content")
    if role is Role.TOOL:
        call_id = message.tool_call_id or ""
        name = message.name or tool_names.get(call_id, "")
        text = "".join(part.text for part in parts if isinstance(part, TextPart))
        images = [part for part in parts if isinstance(part, PerceivedPart)]
        result = ToolResultPart(call_id=call_id, name=name, text=text)
        return ChatMessage(role=role, parts=(result, *images))
    if reasoning := message.reasoning_content or message.reasoning:
        parts.insert(0, ReasoningPart(text=reasoning))
    calls = list(message.tool_calls or ())
    if message.function_call is not None and not calls:
        calls.append(ToolCall(function=message.function_call))
    for call in calls:
        name, arguments = call.function.name, arguments_text(call.function.arguments)
        tool_names[call.id] = name
        parts.append(ToolCallPart(id=call.id, name=name, arguments=arguments))
    return ChatMessage(role=role, parts=tuple(parts))


def arguments_text(arguments: object) -> str:
    """Return the arguments of an earlier call as the JSON of an object.

    A client cannot mend a call that an answer's limit cut off, and sends it again with each request. What is
    complete of it is kept.
    """
    if not isinstance(arguments, str):
        value = arguments or {}
        return msgspec.json.encode(value if isinstance(value, dict) else {"input": value}).decode()
    try:
        if isinstance(decode_json(arguments or "{}", kind=object), dict):
            return arguments or "{}"
        value = None
    except JsonInvalid:
        value = _begun_object(arguments)
    return msgspec.json.encode(value if isinstance(value, dict) else {"input": arguments}).decode()


def _begun_object(text: str) -> Any:
    """Return the members of an object that is cut off; ``None`` for a text that begins none."""
    closers: list[str] = []
    ends: deque[tuple[int, str]] = deque(maxlen=8)  # commas, and what closes the text there
    is_string = is_escaped = False
    for index, char in enumerate(text):
        if is_string:
            is_string = is_escaped or char != '"'
            is_escaped = not is_escaped and char == "\\"
        elif char == '"':
            is_string = True
        elif char in "{[":
            closers.append("}" if char == "{" else "]")
            if len(closers) > _MAX_DEPTH:
                return {}
        elif char in "}]" and closers:
            closers.pop()
        elif char == ",":
            ends.append((index, "".join(reversed(closers))))
    ends.append((len(text), '"' * is_string + "".join(reversed(closers))))
    for end, closing in reversed(ends):
        try:
            return decode_json(text[:end] + closing, kind=object)
        except JsonInvalid:
            continue
    return {} if text.lstrip().startswith("{") else None


def _parts(content: str | list[Content] | None, *, param: str) -> list[MessagePart]:
    if isinstance(content, str):
        return [TextPart(text=content)] if content else []
    parts: list[MessagePart] = []
    for index, each in enumerate(content or ()):
        match each:
            case TextContent():
                parts.append(TextPart(text=each.text))
            case RefusalContent():
                parts.append(TextPart(text=each.refusal))
            case ImageContent():
                url = each.image_url if isinstance(each.image_url, str) else each.image_url.url
                parts.append(image_of(url, param=f"{param}[{index}].image_url"))
            case AudioContent(input_audio=medium) | VideoContent(input_video=medium):
                parts.append(_medium(medium, param=f"{param}[{index}]"))
            case AudioUrlContent(audio_url=medium) | VideoUrlContent(video_url=medium):
                parts.append(_medium(medium, param=f"{param}[{index}]"))
            case FileContent():
                field = f"{param}[{index}].file"
                raise invalid(f"{field}: send the file itself as file_data; none is stored.", param=field)
    return parts


def _medium(medium: MediaData | str, *, param: str) -> MessagePart:
    return medium_of(medium if isinstance(medium, str) else medium.data or medium.url, param=param)


def read_tools(tools: Sequence[Tool] | None) -> tuple[ToolDefinition, ...]:
    """Return the functions among the tools."""
    return tuple(
        tool_of(tool.function.name, tool.function.description, tool.function.parameters)
        for tool in tools or ()
        if tool.function is not None
    )


def read_tool_choice(
    choice: str | Mapping[str, Any] | None, *, tools: tuple[ToolDefinition, ...], parallel: bool | None
) -> tuple[ToolChoice, tuple[ToolDefinition, ...]]:
    """Return the tool choice, and those of ``tools`` that it allows.

    Several calls at once are allowed only if ``parallel`` is true. The forms of chat completions and of
    responses are both read. Raises ``HttpError``.
    """
    if isinstance(choice, Mapping):
        if choice.get("type") != "allowed_tools":
            if not (name := _name_in(choice)):
                raise invalid(f"tool_choice: “{choice.get('type')}” is not known.", param="tool_choice")
            return ToolChoice(mode=ToolMode.REQUIRED, name=name), tools
        nested = choice.get("allowed_tools")
        rule = nested if isinstance(nested, Mapping) else choice
        listed = rule.get("tools")
        names = {_name_in(each) for each in (listed if isinstance(listed, list) else ())}
        tools = tuple(tool for tool in tools if tool.name in names)
        if not tools:
            raise invalid("tool_choice: none of the allowed tools is among the tools.", param="tool_choice")
        mode = rule.get("mode")
        choice = mode if isinstance(mode, str) else None
    if choice == "any":
        choice = ToolMode.REQUIRED
    if choice is not None and choice not in list(ToolMode):
        raise invalid(f"tool_choice: “{choice}” is not known.", param="tool_choice")
    return ToolChoice(mode=ToolMode(choice or ToolMode.AUTO), several=bool(parallel)), tools


def _name_in(choice: object) -> str:
    """Return the name of the tool that an object names, directly or under its kind; else an empty text."""
    if not isinstance(choice, Mapping):
        return ""
    nested = choice.get("function") or choice.get("custom")
    name = (nested if isinstance(nested, Mapping) else choice).get("name")
    return name if isinstance(name, str) else ""
