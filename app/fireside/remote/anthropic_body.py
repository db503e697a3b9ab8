"""Build the body of a request in Anthropic's Messages API. Pure."""

from __future__ import annotations

import base64
import re
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
from fireside.remote.openai_body import call_arguments, chat_prompt, sampling_for

_DEFAULT_MAX_TOKENS: Final = 8192
"""The API requires a limit; every current model accepts this one, if the user sets none."""
_BUDGETS: Final = {
    Reasoning.ON: 4096,
    Reasoning.LOW: 1024,
    Reasoning.MEDIUM: 4096,
    Reasoning.HIGH: 16384,
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


def _budget(reasoning: Reasoning, limit: int | None) -> int:
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
        case ReasoningPart():
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
