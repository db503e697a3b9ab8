"""Search for tools: where all would not fit the prompt, a model finds tools by keywords and calls them by
name.

The advertised tools stay the same, and matches are part of a result, so the start of the prompt stays cached.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

import msgspec

from fireside.core.prompt_input import ToolDefinition
from fireside.core.text_folding import fold
from fireside.core.tools import CALL_TOOL, CONTEXT_SHARE, MAX_TOOLS, CallToolArguments, Permission
from fireside.tools.tool import Tool, ToolFailed

_MAX_FOUND: Final = 5
_MIN_LETTERS: Final = 3
_LONGEST_SCHEMA: Final = 4_000
_ANY_OBJECT: Final = {"type": "object"}
_TYPES: Final = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})


class _Query(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    query: str


def advertised_tools(
    tools: Sequence[Tool[Any]], *, n_ctx: int, always: Sequence[Tool[Any]] = ()
) -> tuple[Tool[Any], ...]:
    """Return the tools that a model is told of, in this order: all of ``tools`` and ``always``, or, where
    those are too many, the tools that find and call the others, ``always``, and the first that fit.

    Search is used only where it saves at least half: models call better what they see.
    """
    room = n_ctx * CONTEXT_SHARE
    every = (*tools, *always)
    told: list[Tool[Any]] = [_find_tool(tools), _CallTool(tools), *always]
    is_few = len(every) <= MAX_TOOLS
    if is_few and (_cost(every) <= room or _cost(told) * 2 > _cost(every)):
        return every
    for tool in tools[: MAX_TOOLS - len(told)]:
        if _cost((*told, tool)) > room:
            break
        told.append(tool)
    return tuple(told)


def _cost(tools: Sequence[Tool[Any]]) -> int:
    return sum(tool.n_tokens for tool in tools)


def _find_tool(tools: Sequence[Tool[Any]]) -> Tool[_Query]:
    async def run(arguments: _Query) -> str:
        found = rank_tools(tools, arguments.query)
        if not found:
            raise ToolFailed(
                f"query: nothing was found. There are: {', '.join(each.name for each in tools)}."
            )
        return "\n\n".join(
            f"{told.name}: {told.description}\narguments: {told.parameters}"
            for told in (tool.definition for tool in found)
        )

    return Tool(
        "find_tools",
        description="Finds more tools by words for what they do.",
        arguments=_Query,
        run=run,
        permission=Permission.ALWAYS,
    )


class _CallTool(Tool[CallToolArguments]):
    """Calls one of ``tools`` by name; its caller executes the call."""

    def __init__(self, tools: Sequence[Tool[Any]]) -> None:
        super().__init__(
            CALL_TOOL,
            description="Calls a tool that find_tools has found.",
            arguments=CallToolArguments,
            run=_refuse,
            permission=Permission.ALWAYS,
        )
        self._tools = tools

    @cached_property
    def definition(self) -> ToolDefinition:
        return msgspec.structs.replace(super().definition, accepted=_accepted(self._tools))


async def _refuse(arguments: CallToolArguments) -> str:
    raise ToolFailed(f"name: there is no tool “{arguments.name}”. Search with find_tools first.")


def _accepted(tools: Sequence[Tool[Any]]) -> str:
    """Return the schema of a call of one of ``tools`` by name, with that tool's arguments."""
    told = [(tool.name, _held_to(tool.definition.parameters)) for tool in tools]
    calls = [{"properties": {"name": {"const": name}, "arguments": schema}} for name, schema in told]
    properties = {"name": {"enum": [name for name, _ in told]}, "arguments": _ANY_OBJECT}
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
        "anyOf": calls,
    }
    return msgspec.json.encode(schema).decode()


def _held_to(parameters: str) -> object:
    """Return a tool's schema where it can be embedded in another one, otherwise one that accepts any
    object: a server's schema must not keep a model from calling the tools of other servers."""
    if len(parameters) > _LONGEST_SCHEMA:
        return _ANY_OBJECT
    schema = msgspec.json.decode(parameters)
    return (
        schema
        if isinstance(schema, dict) and schema.get("type") == "object" and _is_plain(schema)
        else _ANY_OBJECT
    )


def _is_plain(schema: object) -> bool:
    if not isinstance(schema, dict):
        return isinstance(schema, bool)
    for key, value in schema.items():
        match key, value:
            case "type", str() if value in _TYPES:
                continue
            case "properties", dict() if all(map(_is_plain, value.values())):
                continue
            case "anyOf", [_, *_] if all(map(_is_plain, value)):
                continue
            case (("items" | "additionalProperties"), _) if _is_plain(value):
                continue
            case (("required" | "enum"), list()) if all(isinstance(each, str) for each in value):
                continue
            case (("description" | "default"), _):
                continue
            case _:
                return False
    return True


def rank_tools(tools: Sequence[Tool[Any]], query: str) -> tuple[Tool[Any], ...]:
    """Return the tools that match most words by name and description, best first; a word matches the start
    of another, and counts twice in a name."""
    words = [word for word in fold(query.replace("_", " ")).split() if len(word) >= _MIN_LETTERS]

    def score(tool: Tool[Any]) -> int:
        name = fold(tool.name.replace("_", " ")).split()
        about = fold(tool.definition.description).split()
        return sum(2 * _has(name, word) + _has(about, word) for word in words)

    scored = [(score(tool), tool) for tool in tools]
    found = sorted((pair for pair in scored if pair[0]), key=lambda pair: -pair[0])
    return tuple(tool for _, tool in found[:_MAX_FOUND])


def _has(words: Sequence[str], wanted: str) -> bool:
    stem = wanted[: max(4, len(wanted) - 3)]
    return any(word.startswith(stem) for word in words)
