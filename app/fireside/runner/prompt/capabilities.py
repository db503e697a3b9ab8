"""Find out what a chat template can word, by letting it word a few small conversations."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from typing import Any, Final

import msgspec

Entries = list[dict[str, Any]]
Try = Callable[[Entries, Entries | None], str | None]
"""Renders messages and tools; ``None`` where the template refuses or breaks."""

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
"""Mistral's templates insist on nine letters and digits."""


class Capabilities(msgspec.Struct, frozen=True, kw_only=True):
    """What a template can word."""

    iterates_no_tools: bool = False
    """It walks through the tools without asking whether there are any: none must be an empty list."""
    content_is_list: bool = False
    """It walks through the parts of a content, and shows nothing of a content that is plain text."""
    takes_system: bool = False
    takes_tools: bool = False
    takes_calls: bool = False
    """Calls in the history, and their results."""
    takes_results: bool = False
    """Results alone."""
    arguments_are_text: bool = False
    needs_short_ids: bool = False
    ids_name_tools: bool = False
    """It shows the id of a call in place of the name: ``functions.name:0``."""
    calls_without_content: bool = False
    """It shows the calls of a message only if its content is none."""


def content_entry(role: str, text: str, *, as_list: bool) -> dict[str, Any]:
    return {"role": role, "content": [{"type": "text", "text": text}] if as_list else text}


def find_out(attempt: Try) -> Capabilities:
    """Return what the template behind ``attempt`` can word."""
    plain, listed = (content_entry("user", _NEEDLE, as_list=as_list) for as_list in (False, True))
    iterates_no_tools = attempt([plain], None) is None and attempt([plain], []) is not None
    no_tools: Entries | None = [] if iterates_no_tools else None
    as_list = not _shows(attempt([plain], no_tools), _NEEDLE)
    if as_list:
        rendered = attempt([listed], no_tools)
        # Printed whole, as Python writes it, a list was not walked through.
        as_list = _shows(rendered, _NEEDLE) and "'type'" not in (rendered or "")
    user = content_entry("user", "Hello.", as_list=as_list)
    system = content_entry("system", _NEEDLE, as_list=as_list)
    takes_system = _shows(attempt([system, user], no_tools), _NEEDLE)
    takes_tools = _shows(attempt([*([system] if takes_system else []), user], [_TOOL]), "needle_tool")
    found = Capabilities(
        iterates_no_tools=iterates_no_tools,
        content_is_list=as_list,
        takes_system=takes_system,
        takes_tools=takes_tools,
    )
    result = {**content_entry("tool", _NEEDLE, as_list=as_list), "name": _CALLED, "tool_call_id": _IDS[True]}
    answer = content_entry("assistant", "I call.", as_list=as_list)
    takes_results = _shows(attempt([user, answer, result], no_tools), _NEEDLE)
    found = msgspec.structs.replace(found, takes_results=takes_results)
    for ids_name_tools, as_text, needs_short_ids, without_content in product((False, True), repeat=4):
        candidate = msgspec.structs.replace(
            found,
            takes_calls=True,
            takes_results=True,
            arguments_are_text=as_text,
            needs_short_ids=needs_short_ids,
            ids_name_tools=ids_name_tools,
            calls_without_content=without_content,
        )
        rendered = attempt([user, *_exchange(candidate)], [_TOOL] if takes_tools else no_tools)
        # A dictionary printed as Python writes it, 'so', is no dictionary that the template understood.
        shows_call = _shows(rendered, _CALLED, _KEY) and f"'{_KEY}'" not in (rendered or "")
        if shows_call and _shows(rendered, _NEEDLE):
            shows_naming_ids = naming_id(_CALLED, 0) in (rendered or "")
            return msgspec.structs.replace(candidate, ids_name_tools=shows_naming_ids)
    return found


def naming_id(name: str, number: int) -> str:
    """Return the id of a call for templates that show it in place of the name."""
    return f"functions.{name}:{number}"


def _exchange(candidate: Capabilities) -> Entries:
    arguments: Any = {_KEY: "hay"}
    if candidate.arguments_are_text:
        arguments = json.dumps(arguments)
    call_id = naming_id(_CALLED, 0) if candidate.ids_name_tools else _IDS[candidate.needs_short_ids]
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
