"""Build the body of an OpenAI chat completion request, with each kind of server's extensions. Pure."""

from __future__ import annotations

import base64
from collections.abc import Collection, Sequence
from typing import Any, Final

import msgspec

from fireside.core.constraint import ANY_OBJECT, Constraint, GbnfConstraint, JsonSchemaConstraint
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
from fireside.core.options import PARAMETERS
from fireside.core.prompt_input import ChatInput, Reasoning, ToolDefinition, ToolMode
from fireside.core.remote import RemoteLocation, ServerKind
from fireside.core.task import GenerationTask

_TEMPLATE_SERVERS: Final = frozenset(
    {ServerKind.VLLM, ServerKind.SGLANG, ServerKind.LLAMA_SERVER, ServerKind.FIRESIDE}
)
"""Servers that render the model's own chat template and pass arguments to it."""
_SUPPORTS_CONTINUING: Final = frozenset({ServerKind.VLLM, ServerKind.LLAMA_SERVER, ServerKind.FIRESIDE})


def openai_body(
    task: GenerationTask, location: RemoteLocation, *, unsupported: Collection[str], session: str
) -> dict[str, Any]:
    """Return the body of a streamed request, without the ``unsupported`` parameters.

    ``session`` is an opaque id of the conversation, for routers and caches. Raises ``RemoteUnable`` for what
    the API does not support.
    """
    prompt = chat_prompt(task, location)
    body: dict[str, Any] = {
        "model": location.model.name,
        "messages": _messages(prompt.messages, kind=location.kind),
        "stream": True,
        "stream_options": {"include_usage": True},
        **_sampling(task, kind=location.kind),
        **_reasoning(prompt.reasoning, budget=task.thinking_budget, kind=location.kind),
        **_tools(prompt),
        **_format(task.constraint, location=location),
        "prompt_cache_key": session,
    }
    if prompt.continue_final:
        if location.kind not in _SUPPORTS_CONTINUING:
            raise RemoteUnable(host=location.host, what=tr_noop("continuing an answer"))
        if location.kind is ServerKind.VLLM:
            body |= {"add_generation_prompt": False, "continue_final_message": True}
    if "max_tokens" in unsupported and "max_tokens" in body:
        body["max_completion_tokens"] = body["max_tokens"]
    if "tool_choice" in unsupported and prompt.tool_choice.mode is ToolMode.NONE:
        body.pop("tools", None)
    return {name: value for name, value in body.items() if name not in unsupported}


def chat_prompt(task: GenerationTask, location: RemoteLocation) -> ChatInput:
    """Return the task's conversation. Raises ``RemoteUnable`` if its prompt is something else."""
    if not isinstance(task.prompt, ChatInput):
        raise RemoteUnable(host=location.host, what=tr_noop("raw prompts"))
    if task.replay is not None:
        raise RemoteUnable(host=location.host, what=tr_noop("starting from a chosen token"))
    return task.prompt


def _messages(messages: tuple[ChatMessage, ...], *, kind: ServerKind) -> list[dict[str, Any]]:
    result: list[dict[str, Any]] = []
    for message in messages:
        if message.role is Role.TOOL:
            result += [
                {"role": "tool", "tool_call_id": part.call_id, "content": part.text}
                for part in message.parts
                if isinstance(part, ToolResultPart)
            ]
            if images := _content(message.parts):  # a message of a tool has text alone
                result.append({"role": "user", "content": images})
            continue
        entry: dict[str, Any] = {"role": message.role.value, "content": _content(message.parts)}
        if message.tool_calls:
            entry["tool_calls"] = [_call(call) for call in message.tool_calls]
            entry["content"] = entry["content"] or None
        if message.reasoning and kind in _TEMPLATE_SERVERS:
            entry["reasoning_content"] = message.reasoning
        result.append(entry)
    return result


def _content(parts: tuple[MessagePart, ...]) -> str | list[dict[str, Any]]:
    """Return plain text if there is only text: some servers accept nothing else."""
    content: list[dict[str, Any]] = []
    for part in parts:
        match part:
            case TextPart():
                content.append({"type": "text", "text": part.text})
            case DocumentPart() | PassagesPart():
                content.append({"type": "text", "text": part.prompt_text})
            case ImagePart():
                data = base64.b64encode(part.data).decode()
                url = f"data:{part.media_type};base64,{data}"
                content.append({"type": "image_url", "image_url": {"url": url}})
            case ReasoningPart() | ToolCallPart() | ToolResultPart():
                pass
    if all(part["type"] == "text" for part in content):
        return "".join(part["text"] for part in content)
    return content


def _call(call: ToolCallPart) -> dict[str, Any]:
    return {
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": call.arguments if call_arguments(call) else "{}"},
    }


def call_arguments(call: ToolCallPart) -> dict[str, Any]:
    """Return the arguments of a call in the conversation; none where they are no JSON object.

    Servers parse them to render the model's template, and refuse a whole conversation for one invalid call,
    such as one that was cut off. The model reads in the call's result what was wrong.
    """
    try:
        return msgspec.json.decode(call.arguments or "{}", type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return {}


def sampling_for(task: GenerationTask, kind: ServerKind) -> dict[str, Any]:
    """Return the sampling parameters that were set for the task, under the names of such a server; others are
    the server's own. What such servers do not have is left out, see ``PARAMETERS``."""
    result = {}
    for name in task.chosen:
        value = getattr(task.sampling, name)
        if name == "samplers":
            value = tuple(sampler.llama_name for sampler in value)
        if (theirs := PARAMETERS[name].name_for(kind)) and value not in (None, ()):
            result[theirs] = value
    return result


def _sampling(task: GenerationTask, *, kind: ServerKind) -> dict[str, Any]:
    parameters = sampling_for(task, kind)
    if parameters.get("top_k") == 0:
        parameters["top_k"] = -1
    return parameters


def _reasoning(reasoning: Reasoning, *, budget: int | None, kind: ServerKind) -> dict[str, Any]:
    if budget == 0:
        reasoning = Reasoning.OFF
    match reasoning:
        case Reasoning.DEFAULT:
            return {}
        case Reasoning.OFF | Reasoning.ON if kind in _TEMPLATE_SERVERS:
            return {"chat_template_kwargs": {"enable_thinking": reasoning is Reasoning.ON}}
        case Reasoning.OFF:
            return {"reasoning_effort": "none"}
        case Reasoning.ON:
            return {}
        case _:
            return {"reasoning_effort": reasoning.value}


def _tools(prompt: ChatInput) -> dict[str, Any]:
    if not prompt.tools:
        return {}
    choice: Any = prompt.tool_choice.mode.value
    if prompt.tool_choice.mode is ToolMode.REQUIRED and prompt.tool_choice.name is not None:
        choice = {"type": "function", "function": {"name": prompt.tool_choice.name}}
    return {"tools": tool_definitions(prompt.tools), "tool_choice": choice}


def tool_definitions(tools: Sequence[ToolDefinition]) -> list[dict[str, Any]]:
    """Return tool definitions in the format of OpenAI and Ollama."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": msgspec.Raw(tool.parameters.encode()),
            },
        }
        for tool in tools
    ]


def _format(constraint: Constraint | None, *, location: RemoteLocation) -> dict[str, Any]:
    match constraint:
        case None:
            return {}
        case JsonSchemaConstraint() if constraint == ANY_OBJECT:
            return {"response_format": {"type": "json_object"}}
        case JsonSchemaConstraint(schema=schema):
            raw = msgspec.Raw(schema.encode())
            json_schema = {"name": "answer", "strict": True, "schema": raw}
            return {"response_format": {"type": "json_schema", "json_schema": json_schema}}
        case GbnfConstraint(grammar=grammar) if location.kind is ServerKind.LLAMA_SERVER:
            return {"grammar": grammar}
        case _:
            raise RemoteUnable(host=location.host, what=tr_noop("this response format"))
