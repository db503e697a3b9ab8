"""Probe what a chat template supports (system role, tools, …) by rendering a few small conversations."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from typing import Any, Final

import msgspec

TemplateMessages = list[dict[str, Any]]
RenderProbe = Callable[[TemplateMessages, TemplateMessages | None], str | None]
"""Renders messages and tools; ``None`` where the template refuses or fails."""

_NEEDLE: Final = "haystack needle"
_CALLED: Final = "called_tool"
_KEY: Final = "called_key"
_TOOL: Final[dict[str, Any]] = {
    "type": "function",
    "function": {
        "name": "needle_tool",
        "description": "Finds needles.",
        "parameters": {
            "type": "object",
            "properties": {"place": {"type": "string", "description": "Where to look."}},
            "required": ["place"],
        },
    },
}
_IDS: Final = ("call_1", "needle001")
"""Mistral's templates require nine letters and digits."""


class Capabilities(msgspec.Struct, frozen=True, kw_only=True):
    """What a template supports."""

    needs_tool_list: bool = False
    """It iterates over ``tools`` without checking for ``None``: no tools must be an empty list."""
    content_is_list: bool = False
    """It iterates over the parts of a content, and renders nothing of a content that is a string."""
    supports_system: bool = False
    """Else the system prompt goes into the first user message."""
    supports_tools: bool = False
    """Else they are described in the system prompt."""
    supports_calls: bool = False
    """Tool calls in the history, with their results."""
    supports_results: bool = False
    """Tool results of calls."""
    supports_lone_results: bool = False
    """Tool results without their call."""
    calls_need_user: bool = False
    """It omits a call that no message of the user precedes."""
    arguments_as_text: bool = False
    needs_short_ids: bool = False
    ids_name_tools: bool = False
    """It renders the id of a call in place of the name: ``functions.name:0``."""
    calls_without_content: bool = False
    """It renders the calls of a message only if its content is ``None``."""


def content_entry(role: str, text: str, *, as_list: bool) -> dict[str, Any]:
    return {"role": role, "content": [{"type": "text", "text": text}] if as_list else text}


def probe_capabilities(render: RenderProbe) -> Capabilities:
    """Return what the template behind ``render`` supports."""
    plain, listed = (content_entry("user", _NEEDLE, as_list=as_list) for as_list in (False, True))
    needs_tool_list = render([plain], None) is None and render([plain], []) is not None
    no_tools: TemplateMessages | None = [] if needs_tool_list else None
    as_list = not _shows(render([plain], no_tools), _NEEDLE)
    if as_list:
        rendered = render([listed], no_tools)
        # If the list appears as Python's repr, the template did not iterate over it.
        as_list = _shows(rendered, _NEEDLE) and "'type'" not in (rendered or "")
    user = content_entry("user", "Hello.", as_list=as_list)
    system = content_entry("system", _NEEDLE, as_list=as_list)
    supports_system = _shows(render([system, user], no_tools), _NEEDLE)
    supports_tools = _shows(render([*([system] if supports_system else []), user], [_TOOL]), "needle_tool")
    capabilities = Capabilities(
        needs_tool_list=needs_tool_list,
        content_is_list=as_list,
        supports_system=supports_system,
        supports_tools=supports_tools,
    )
    result = {**content_entry("tool", _NEEDLE, as_list=as_list), "name": _CALLED, "tool_call_id": _IDS[True]}
    answer = content_entry("assistant", "I call.", as_list=as_list)
    supports_results = _shows(render([user, answer, result], no_tools), _NEEDLE)
    capabilities = msgspec.structs.replace(
        capabilities, supports_results=supports_results, supports_lone_results=supports_results
    )
    for ids_name_tools, as_text, needs_short_ids, without_content in product((False, True), repeat=4):
        candidate = msgspec.structs.replace(
            capabilities,
            supports_calls=True,
            supports_results=True,
            arguments_as_text=as_text,
            needs_short_ids=needs_short_ids,
            ids_name_tools=ids_name_tools,
            calls_without_content=without_content,
        )
        tools = [_TOOL] if supports_tools else no_tools
        call_and_result = _call_and_result(candidate)
        rendered = render([user, *call_and_result], tools)
        # A dictionary in Python's repr, with single quotes, was not handled by the template.
        shows_call = _shows(rendered, _CALLED, _KEY) and f"'{_KEY}'" not in (rendered or "")
        if shows_call and _shows(rendered, _NEEDLE):
            alone = render(call_and_result, tools)
            return msgspec.structs.replace(
                candidate,
                ids_name_tools=named_call_id(_CALLED, 0) in (rendered or ""),
                calls_need_user=alone is not None and not _shows(alone, _KEY),
            )
    return capabilities


def named_call_id(name: str, number: int) -> str:
    """Return the id of a call for templates that render it in place of the name."""
    return f"functions.{name}:{number}"


def _call_and_result(candidate: Capabilities) -> TemplateMessages:
    arguments: Any = {_KEY: "hay"}
    if candidate.arguments_as_text:
        arguments = json.dumps(arguments)
    call_id = named_call_id(_CALLED, 0) if candidate.ids_name_tools else _IDS[candidate.needs_short_ids]
    call = {"id": call_id, "type": "function", "function": {"name": _CALLED, "arguments": arguments}}
    content: Any = content_entry("assistant", "", as_list=candidate.content_is_list)["content"]
    result = content_entry("tool", _NEEDLE, as_list=candidate.content_is_list)
    return [
        {
            "role": "assistant",
            "content": None if candidate.calls_without_content else content,
            "tool_calls": [call],
        },
        {**result, "name": _CALLED, "tool_call_id": call_id},
    ]


def _shows(rendered: str | None, *needles: str) -> bool:
    return rendered is not None and all(needle in rendered for needle in needles)
