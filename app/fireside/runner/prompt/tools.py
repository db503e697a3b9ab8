"""Tools in the format of chat templates, or as plain text for templates without tool support."""

from __future__ import annotations

import json
from typing import Any, Final

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import InvalidParameter
from fireside.core.i18n import Phrase, tr_noop
from fireside.core.message import ChatMessage, MessagePart, Role, TextPart, ToolCallPart, ToolResultPart
from fireside.core.prompt_input import ChatInput, ToolDefinition, ToolMode
from fireside.runner.prompt.conversation_turns import Messages

_NAME_CHARS: Final = 256
_SHOWN_CHARS: Final = 80
_DEPTH: Final = 64

_INTRODUCTION: Final = (
    "You can call the functions listed here, one JSON object a line:\n\n{tools}\n\n"
    "To call a function, answer with one JSON object and nothing else:\n"
    '{{"name": "<name of the function>", "arguments": {{<its arguments>}}}}\n'
    "Its result comes in the next message. Call a function only when it helps; otherwise answer as usual."
)
_OBLIGATION: Final = "Your next answer must be a call of {which}."
_RESULT: Final = "Result of {name}:\n{text}"


def template_tools(chat: ChatInput) -> list[dict[str, Any]]:
    """Return the tools of ``chat`` in OpenAI's format, which templates expect.

    Raises:
        InvalidParameter: a name is empty or duplicate, a schema is not a JSON object, or the choice names an
            unknown tool.
    """
    names = [tool.name for tool in chat.tools]
    for name in names:
        if not name.strip() or len(name) > _NAME_CHARS:
            raise InvalidParameter(
                name="tools", reason=tr_noop("a tool needs a name of 1 to 256 characters.")
            )
        if names.count(name) > 1:
            raise InvalidParameter(
                name="tools", reason=Phrase(tr_noop("two tools are called “{tool}”."), {"tool": _short(name)})
            )
    choice = chat.tool_choice
    if choice.name is not None and choice.name not in names:
        raise InvalidParameter(
            name="tool_choice",
            reason=Phrase(tr_noop("there is no tool called “{tool}”."), {"tool": _short(choice.name)}),
        )
    if choice.mode is ToolMode.REQUIRED and not names:
        raise InvalidParameter(
            name="tool_choice", reason=tr_noop("a call is required and there are no tools.")
        )
    return [_template_tool(tool) for tool in chat.tools]


def _template_tool(tool: ToolDefinition) -> dict[str, Any]:
    parameters = _json_object(
        tool.parameters,
        name="tools",
        what=Phrase(tr_noop("the parameters of “{tool}”"), {"tool": _short(tool.name)}),
    )
    function = {"name": tool.name, "description": tool.description, "parameters": parameters}
    return {"type": "function", "function": function}


def n_tool_bytes(chat: ChatInput) -> int:
    """Return the UTF-8 size of all tools in bytes."""
    return sum(
        len(text.encode("utf-8", "surrogatepass"))
        for tool in chat.tools
        for text in (tool.name, tool.description, tool.parameters)
    )


def template_arguments(chat: ChatInput) -> dict[str, Any]:
    """Return the request's own template variables.

    Raises:
        InvalidParameter: they are not a JSON object.
    """
    what = Phrase(tr_noop("the arguments of the template"), {})
    return _json_object(chat.template_arguments, name="template_arguments", what=what)


def arguments_of(call: ToolCallPart) -> dict[str, Any]:
    """Return the parsed arguments of a call.

    Raises:
        InvalidParameter: they are not a JSON object.
    """
    return _json_object(
        call.arguments,
        name="messages",
        what=Phrase(tr_noop("the arguments of a call of “{tool}”"), {"tool": _short(call.name)}),
    )


def _short(name: str) -> str:
    return name if len(name) <= _SHOWN_CHARS else f"{name[: _SHOWN_CHARS - 1]}…"


def _json_object(text: str, *, name: str, what: Phrase) -> dict[str, Any]:
    if not text.strip():
        return {}
    try:
        value = decode_json(text.encode(), kind=object)
    except JsonInvalid as exc:
        raise InvalidParameter(
            name=name, reason=Phrase(tr_noop("{what} are not JSON."), {"what": what})
        ) from exc
    if not isinstance(value, dict):
        raise InvalidParameter(
            name=name, reason=Phrase(tr_noop("{what} are not a JSON object."), {"what": what})
        )
    if _is_deeper(value, _DEPTH):
        raise InvalidParameter(
            name=name, reason=Phrase(tr_noop("{what} are nested too deeply."), {"what": what})
        )
    return value


def _is_deeper(value: object, n_levels: int) -> bool:
    if not isinstance(value, (dict, list)):
        return False
    children = value.values() if isinstance(value, dict) else value
    return n_levels == 0 or any(_is_deeper(child, n_levels - 1) for child in children)


def with_tools_as_text(messages: Messages, chat: ChatInput) -> Messages:
    """Describe the tools in the system prompt, for templates without tool support."""
    descriptions = "\n".join(
        json.dumps(tool["function"], ensure_ascii=False) for tool in template_tools(chat)
    )
    text = _INTRODUCTION.format(tools=descriptions)
    if chat.tool_choice.mode is ToolMode.REQUIRED:
        which = f"“{chat.tool_choice.name}”" if chat.tool_choice.name else "one of the functions"
        text += f"\n{_OBLIGATION.format(which=which)}"
    if messages and messages[0].role is Role.SYSTEM:
        first = messages[0]
        parts = (*first.parts, TextPart(text=f"\n\n{text}" if first.text.strip() else text))
        return (ChatMessage(role=Role.SYSTEM, parts=parts), *messages[1:])
    return (ChatMessage(role=Role.SYSTEM, parts=(TextPart(text=text),)), *messages)


def with_calls_as_text(messages: Messages) -> Messages:
    """Write calls as text of the assistant, for templates that omit them."""
    return tuple(_calls_as_text(message) for message in messages)


def with_results_as_text(messages: Messages) -> Messages:
    """Write results as text of the user, for templates without tool support."""
    return tuple(_results_as_text(message) for message in messages)


def with_lone_results_as_text(messages: Messages) -> Messages:
    """Write results whose call is not in the conversation as text of the user."""
    calls = {call.id for message in messages for call in message.tool_calls}
    return tuple(
        _results_as_text(message)
        if not any(isinstance(part, ToolResultPart) and part.call_id in calls for part in message.parts)
        else message
        for message in messages
    )


def _calls_as_text(message: ChatMessage) -> ChatMessage:
    parts: list[MessagePart] = []
    for part in message.parts:
        if not isinstance(part, ToolCallPart):
            parts.append(part)
            continue
        separator = "\n" if any(isinstance(other, TextPart) and other.text for other in parts) else ""
        text = json.dumps({"name": part.name, "arguments": arguments_of(part)}, ensure_ascii=False)
        parts.append(TextPart(text=separator + text))
    return ChatMessage(role=message.role, parts=tuple(parts))


def _results_as_text(message: ChatMessage) -> ChatMessage:
    if message.role is not Role.TOOL:
        return message
    parts: list[MessagePart] = []
    for part in message.parts:
        if isinstance(part, ToolResultPart):
            separator = "\n\n" if parts else ""
            parts.append(TextPart(text=separator + _RESULT.format(name=part.name, text=part.text)))
        else:
            parts.append(part)
    return ChatMessage(role=Role.USER, parts=tuple(parts))
