"""Conversations in the shape that the reference renderer takes, and the same as Fireside's values."""

from __future__ import annotations

import json
from typing import Any, Final

import msgspec

from fireside.core.message import (
    ChatMessage,
    MessagePart,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from fireside.core.prompt_input import ChatInput, ReasoningEffort, ToolDefinition

Entries = list[dict[str, Any]]


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One conversation and what is asked for."""

    messages: Entries
    tools: Entries | None = None
    reasoning: ReasoningEffort = ReasoningEffort.DEFAULT
    continue_final: bool = False


_TOOLS: Final[Entries] = [
    {
        "type": "function",
        "function": {
            "name": "get_weather",
            "description": "Tells the weather <now> & here.",
            "parameters": {
                "type": "object",
                "properties": {
                    "city": {"type": "string", "description": "Where, such as “Bern”."},
                    "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
                    "days": {"type": "array", "items": {"type": "integer"}},
                },
                "required": ["city"],
            },
        },
    },
    {
        "type": "function",
        "function": {
            "name": "add",
            "description": "Adds two numbers.",
            "parameters": {
                "type": "object",
                "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
                "required": ["a", "b"],
            },
        },
    },
]


def _says(role: str, content: str, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **more}


_SYSTEM = _says("system", "Be brief.")
_QUESTION = _says("user", "Why is the sky blue?")
_ANSWER = _says("assistant", "Light scatters in the air.")
_NEXT = _says("user", "  And at dusk?\n")
_CALL: Final = {
    "id": "call00001",
    "type": "function",
    "function": {"name": "get_weather", "arguments": {"city": "Zürich", "days": [1, 2]}},
}
_CALLS = _says("assistant", "", tool_calls=[_CALL])
_RESULT = _says("tool", '{"sky": "blue"}', name="get_weather", tool_call_id="call00001")
_THOUGHT = _says("assistant", "Light scatters in the air.", reasoning_content="Rayleigh, surely.")

CASES: Final[dict[str, Case]] = {
    "question": Case(messages=[_QUESTION]),
    "system": Case(messages=[_SYSTEM, _QUESTION]),
    "turns": Case(messages=[_SYSTEM, _QUESTION, _ANSWER, _NEXT]),
    "turns without system": Case(messages=[_QUESTION, _ANSWER, _NEXT]),
    "thought": Case(messages=[_QUESTION, _THOUGHT, _NEXT]),
    "tools": Case(messages=[_SYSTEM, _QUESTION], tools=_TOOLS),
    "tools without system": Case(messages=[_QUESTION], tools=_TOOLS),
    "result": Case(messages=[_QUESTION, _CALLS, _RESULT], tools=_TOOLS),
    "answer to a result": Case(messages=[_SYSTEM, _QUESTION, _CALLS, _RESULT, _ANSWER, _NEXT], tools=_TOOLS),
    "unfinished": Case(messages=[_QUESTION, _says("assistant", "Light sca")], continue_final=True),
    "unfinished behind a space": Case(
        messages=[_SYSTEM, _QUESTION, _says("assistant", "Light ")], continue_final=True
    ),
    "reasoning on": Case(messages=[_QUESTION], reasoning=ReasoningEffort.ON),
    "reasoning off": Case(messages=[_SYSTEM, _QUESTION], reasoning=ReasoningEffort.OFF),
    "reasoning high": Case(messages=[_QUESTION], reasoning=ReasoningEffort.HIGH),
}


def with_arguments_as_text(messages: Entries) -> Entries:
    """Return ``messages`` with the arguments of calls as JSON text, which some templates insist on."""
    changed = json.loads(json.dumps(messages))
    for message in changed:
        for call in message.get("tool_calls", ()):
            call["function"]["arguments"] = json.dumps(call["function"]["arguments"], ensure_ascii=False)
    return changed  # type: ignore[no-any-return]


def with_contents_as_lists(messages: Entries) -> Entries:
    """Return ``messages`` with their contents in parts, which templates for pictures may insist on."""
    return [{**message, "content": [{"type": "text", "text": message["content"]}]} for message in messages]


def texts_that_must_show(case: Case) -> list[str]:
    """Return what a model must be told, however its template words it. Earlier reasoning is not among it."""
    texts = [json.dumps(message["content"], ensure_ascii=False)[1:-1] for message in case.messages]
    texts = [text.replace("\\n", "\n").strip() for text in texts]
    texts += [tool["function"]["description"] for tool in case.tools or ()]
    if any("tool_calls" in message for message in case.messages):
        texts.append("Zürich")
    return texts


def shows(rendered: str, text: str) -> bool:
    """Whether ``text`` is in ``rendered``, be it as a JSON string."""
    return text in rendered or text.replace('\\"', '"') in rendered


def chat_input(case: Case) -> ChatInput:
    """Return ``case`` as Fireside's values."""
    return ChatInput(
        messages=tuple(_message(entry) for entry in case.messages),
        tools=tuple(_tool(tool["function"]) for tool in case.tools or ()),
        reasoning=case.reasoning,
        continue_final=case.continue_final,
    )


def _message(entry: dict[str, Any]) -> ChatMessage:
    role = Role(entry["role"])
    parts: list[MessagePart] = []
    if role is Role.TOOL:
        parts = [ToolResultPart(call_id=entry["tool_call_id"], name=entry["name"], text=entry["content"])]
        return ChatMessage(role=role, parts=tuple(parts))
    if "reasoning_content" in entry:
        parts.append(ReasoningPart(text=entry["reasoning_content"]))
    if entry["content"]:
        parts.append(TextPart(text=entry["content"]))
    for call in entry.get("tool_calls", ()):
        function = call["function"]
        arguments = json.dumps(function["arguments"], ensure_ascii=False)
        parts.append(ToolCallPart(id=call["id"], name=function["name"], arguments=arguments))
    return ChatMessage(role=role, parts=tuple(parts))


def _tool(function: dict[str, Any]) -> ToolDefinition:
    parameters = json.dumps(function["parameters"], ensure_ascii=False)
    return ToolDefinition(name=function["name"], description=function["description"], parameters=parameters)
