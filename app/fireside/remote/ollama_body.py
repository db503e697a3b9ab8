"""Build the body of Ollama's native chat API, which unlike its OpenAI API takes a context length. Pure."""

from __future__ import annotations

import base64
from collections.abc import Collection
from typing import Any

import msgspec

from fireside.core.constraint import ANY_OBJECT, Constraint, JsonSchemaConstraint
from fireside.core.errors import RemoteUnable
from fireside.core.i18n import tr_noop
from fireside.core.message import (
    ChatMessage,
    DocumentPart,
    ImagePart,
    PassagesPart,
    Role,
    TextPart,
    ToolResultPart,
)
from fireside.core.prompt_input import ChatInput, Reasoning, ToolMode
from fireside.core.remote import RemoteLocation
from fireside.core.task import GenerationTask
from fireside.remote.openai_body import (
    call_arguments,
    chat_prompt,
    sampling_for,
    tool_definitions,
)


def ollama_body(
    task: GenerationTask,
    location: RemoteLocation,
    *,
    unsupported: Collection[str],
    session: str,  # noqa: ARG001 - the API has no session id
) -> dict[str, Any]:
    """Return the body of a streamed request, without the ``unsupported`` parameters.

    It requests the context length, and that a longer prompt is an error: by default, Ollama has a context of
    some thousand tokens and silently drops the rest. Raises ``RemoteUnable`` for what the API does not
    support.
    """
    prompt = chat_prompt(task, location)
    if prompt.continue_final:
        raise RemoteUnable(host=location.host, what=tr_noop("continuing an answer"))
    options = sampling_for(task, location.kind)
    if location.model.n_ctx is not None:
        options["num_ctx"] = location.model.n_ctx
    body: dict[str, Any] = {
        "model": location.model.name,
        "messages": _messages(prompt.messages),
        "stream": True,
        "truncate": False,
        "shift": False,
        "options": options,
        **_thinking(task, prompt.reasoning, location=location),
        **_tools(prompt, location=location),
        **_format(task.constraint, location=location),
    }
    return {name: value for name, value in body.items() if name not in unsupported}


def _messages(messages: tuple[ChatMessage, ...]) -> list[dict[str, Any]]:
    result: list[dict[str, Any]] = []
    for message in messages:
        if message.role is Role.TOOL:
            for part in message.parts:
                if isinstance(part, ToolResultPart):
                    result.append({"role": "tool", "content": part.text, "tool_name": part.name})
                elif isinstance(part, ImagePart):
                    result[-1].setdefault("images", []).append(_base64(part))
            continue
        entry: dict[str, Any] = {"role": message.role.value, "content": _text(message)}
        if images := [_base64(part) for part in message.parts if isinstance(part, ImagePart)]:
            entry["images"] = images
        if message.tool_calls:
            entry["tool_calls"] = [
                {"function": {"name": call.name, "arguments": call_arguments(call)}}
                for call in message.tool_calls
            ]
        if message.reasoning:
            entry["thinking"] = message.reasoning
        result.append(entry)
    return result


def _base64(image: ImagePart) -> str:
    return base64.b64encode(image.data).decode()


def _text(message: ChatMessage) -> str:
    texts = []
    for part in message.parts:
        if isinstance(part, TextPart):
            texts.append(part.text)
        elif isinstance(part, (DocumentPart, PassagesPart)):
            texts.append(part.prompt_text)
    return "".join(texts)


def _thinking(task: GenerationTask, reasoning: Reasoning, *, location: RemoteLocation) -> dict[str, Any]:
    if task.thinking_budget == 0:
        reasoning = Reasoning.OFF
    if reasoning is Reasoning.DEFAULT or location.model.reasons is False:  # then it is an error
        return {}
    if reasoning in (Reasoning.OFF, Reasoning.ON):
        return {"think": reasoning is Reasoning.ON}
    return {"think": reasoning.value}


def _tools(prompt: ChatInput, *, location: RemoteLocation) -> dict[str, Any]:
    match prompt.tool_choice.mode:
        case ToolMode.NONE:
            return {}
        case ToolMode.REQUIRED if prompt.tools:
            raise RemoteUnable(host=location.host, what=tr_noop("required tool calls"))
    return {"tools": tool_definitions(prompt.tools)} if prompt.tools else {}


def _format(constraint: Constraint | None, *, location: RemoteLocation) -> dict[str, Any]:
    match constraint:
        case None:
            return {}
        case JsonSchemaConstraint(schema=schema):
            return {"format": "json" if constraint == ANY_OBJECT else msgspec.Raw(schema.encode())}
        case _:
            raise RemoteUnable(host=location.host, what=tr_noop("this response format"))
