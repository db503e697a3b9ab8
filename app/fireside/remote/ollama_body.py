"""Word a request as Ollama's own chat, which unlike its other API takes the length of the context. Pure."""

from __future__ import annotations

import base64
from collections.abc import Collection
from typing import Any

import msgspec

from fireside.core.constraint import Constraint, JsonSchemaConstraint
from fireside.core.errors import RemoteUnable
from fireside.core.i18n import tr_noop
from fireside.core.message import (
    ChatMessage,
    DocumentPart,
    ImagePart,
    PassagesPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from fireside.core.options import SamplingParams
from fireside.core.prompt_input import ChatInput, Reasoning, ToolMode
from fireside.core.remote import RemoteLocation
from fireside.core.task import GenerationTask
from fireside.remote.chat_body import asked_chat, offered


def ollama_body(
    task: GenerationTask,
    place: RemoteLocation,
    *,
    refused: Collection[str],
    session: str,  # noqa: ARG001 - it has no use for one
) -> dict[str, Any]:
    """Return the body of a streamed request, without what the server ``refused`` before.

    The context is asked for, and a prompt that is longer is refused: left to itself, Ollama takes some
    thousand tokens and drops the rest without a word. Raises ``RemoteUnable`` for what cannot be said this
    way.
    """
    prompt = asked_chat(task, place)
    if prompt.continue_final:
        raise RemoteUnable(host=place.host, what=tr_noop("continuing an answer"))
    options = _sampling(task.sampling)
    if place.model.n_ctx is not None:
        options["num_ctx"] = place.model.n_ctx
    body: dict[str, Any] = {
        "model": place.model.name,
        "messages": _messages(prompt.messages),
        "stream": True,
        "truncate": False,
        "shift": False,
        "options": options,
        **_thinking(task, prompt.reasoning, place=place),
        **_tools(prompt, place=place),
        **_format(task.constraint, place=place),
    }
    return {name: value for name, value in body.items() if name not in refused}


def _messages(messages: tuple[ChatMessage, ...]) -> list[dict[str, Any]]:
    said: list[dict[str, Any]] = []
    for message in messages:
        if message.role is Role.TOOL:
            said += [
                {"role": "tool", "content": part.text, "tool_name": part.name}
                for part in message.parts
                if isinstance(part, ToolResultPart)
            ]
            continue
        worded: dict[str, Any] = {"role": message.role.value, "content": _text(message)}
        images = [
            base64.b64encode(part.data).decode() for part in message.parts if isinstance(part, ImagePart)
        ]
        if images:
            worded["images"] = images
        if message.tool_calls:
            worded["tool_calls"] = [_call(call) for call in message.tool_calls]
        if message.reasoning:
            worded["thinking"] = message.reasoning
        said.append(worded)
    return said


def _text(message: ChatMessage) -> str:
    texts = []
    for part in message.parts:
        if isinstance(part, TextPart):
            texts.append(part.text)
        elif isinstance(part, (DocumentPart, PassagesPart)):
            texts.append(part.prompt_text)
    return "".join(texts)


def _call(call: ToolCallPart) -> dict[str, Any]:
    """Return a call with its arguments as an object; those of a model that wrote none are left out."""
    try:
        given = msgspec.json.decode(call.arguments or "{}", type=dict[str, Any])
    except (msgspec.MsgspecError, RecursionError):
        given = {}
    return {"function": {"name": call.name, "arguments": given}}


def _sampling(sampling: SamplingParams) -> dict[str, Any]:
    said: dict[str, Any] = {
        "temperature": sampling.temperature,
        "top_k": sampling.top_k,
        "top_p": sampling.top_p,
        "min_p": sampling.min_p,
        "repeat_penalty": sampling.repeat_penalty,
        "presence_penalty": sampling.presence_penalty,
        "frequency_penalty": sampling.frequency_penalty,
    }
    if sampling.seed is not None:
        said["seed"] = sampling.seed
    if sampling.stop:
        said["stop"] = list(sampling.stop)
    if sampling.max_tokens is not None:
        said["num_predict"] = sampling.max_tokens
    return said


def _thinking(task: GenerationTask, reasoning: Reasoning, *, place: RemoteLocation) -> dict[str, Any]:
    if task.thinking_budget == 0:
        reasoning = Reasoning.OFF
    if reasoning is Reasoning.DEFAULT or place.model.reasons is False:  # which it would refuse
        return {}
    if reasoning in (Reasoning.OFF, Reasoning.ON):
        return {"think": reasoning is Reasoning.ON}
    return {"think": reasoning.value}


def _tools(prompt: ChatInput, *, place: RemoteLocation) -> dict[str, Any]:
    match prompt.tool_choice.mode:
        case ToolMode.NONE:
            return {}
        case ToolMode.REQUIRED if prompt.tools:
            raise RemoteUnable(host=place.host, what=tr_noop("required tool calls"))
    return {"tools": offered(prompt.tools)} if prompt.tools else {}


def _format(constraint: Constraint | None, *, place: RemoteLocation) -> dict[str, Any]:
    match constraint:
        case None:
            return {}
        case JsonSchemaConstraint(schema=schema):
            return {"format": "json" if schema.strip() == "{}" else msgspec.Raw(schema.encode())}
        case _:
            raise RemoteUnable(host=place.host, what=tr_noop("this response format"))
