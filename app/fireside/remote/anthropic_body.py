"""Word a request as Anthropic's messages. Pure."""

from __future__ import annotations

import base64
from collections.abc import Collection
from typing import Any, Final

import msgspec

from fireside.core.errors import RemoteUnable
from fireside.core.i18n import tr_noop
from fireside.core.message import (
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
)
from fireside.core.prompt_input import ChatInput, Reasoning, ToolMode
from fireside.core.remote import RemoteLocation
from fireside.core.task import GenerationTask
from fireside.remote.chat_body import asked_chat

_MOST_TOKENS: Final = 8192
"""The dialect wants a limit; where the user sets none, every model in use takes this one."""
_BUDGETS: Final = {
    Reasoning.ON: 4096,
    Reasoning.LOW: 1024,
    Reasoning.MEDIUM: 4096,
    Reasoning.HIGH: 16384,
}
"""Tokens of thinking; the API takes 1,024 at the least."""
_LEAST_BUDGET: Final = 1024


def messages_body(
    task: GenerationTask, place: RemoteLocation, *, refused: Collection[str], session: str
) -> dict[str, Any]:
    """Return the body of a streamed request, without what the server ``refused`` before.

    Reasoning of earlier answers is left out: it counts only with a signature, which is not kept. Raises
    ``RemoteUnable`` for what cannot be said this way.
    """
    prompt = asked_chat(task, place)
    if task.constraint is not None:
        raise RemoteUnable(host=place.host, what=tr_noop("this response format"))
    if prompt.continue_final:
        raise RemoteUnable(host=place.host, what=tr_noop("continuing an answer"))
    system = "\n\n".join(message.text for message in prompt.messages if message.role is Role.SYSTEM)
    body: dict[str, Any] = {
        "model": place.model.name,
        "messages": _messages(prompt.messages),
        "max_tokens": task.sampling.max_tokens or _MOST_TOKENS,
        "stream": True,
        "metadata": {"user_id": session},
        **({"system": system} if system else {}),
        **({"stop_sequences": list(task.sampling.stop)} if task.sampling.stop else {}),
        **_tools(prompt),
    }
    budget = _budget(prompt.reasoning, task.thinking_budget)
    if budget:
        body["thinking"] = {"type": "enabled", "budget_tokens": budget}
        body["max_tokens"] += budget
    else:  # which the API takes only without thinking, and at most 1
        body["temperature"] = min(1.0, task.sampling.temperature)
    return {name: value for name, value in body.items() if name not in refused}


def _budget(reasoning: Reasoning, limit: int | None) -> int:
    wanted = _BUDGETS.get(reasoning, 0)
    return wanted if not wanted or limit is None else limit and max(_LEAST_BUDGET, min(wanted, limit))


def _messages(messages: tuple[ChatMessage, ...]) -> list[dict[str, Any]]:
    said: list[dict[str, Any]] = []
    for message in messages:
        blocks = [block for part in message.parts for block in _blocks(part)]
        if message.role is Role.SYSTEM or not blocks:
            continue
        role = "assistant" if message.role is Role.ASSISTANT else "user"
        if said and said[-1]["role"] == role:
            said[-1]["content"] += blocks
        else:
            said.append({"role": role, "content": blocks})
    if said:
        # What comes before is read from the server's cache at the next turn.
        said[-1]["content"][-1]["cache_control"] = {"type": "ephemeral"}
    return said


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
            given = msgspec.Raw((part.arguments or "{}").encode())
            return [{"type": "tool_use", "id": part.id, "name": part.name, "input": given}]
        case ToolResultPart():
            return [{"type": "tool_result", "tool_use_id": part.call_id, "content": part.text}]
        case ReasoningPart():
            return []


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
