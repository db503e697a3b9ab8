"""Search for tools: if all would not fit the prompt, a model finds tools by keywords and calls them by name.

The advertised tools stay the same, and matches are part of a result, so the start of the prompt stays cached.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

import msgspec

from fireside.core.decoding import decode_json
from fireside.core.prompt_input import ToolDefinition
from fireside.core.text_folding import fold
from fireside.core.tools import CALL_TOOL, CONTEXT_SHARE, MAX_TOOLS, CallToolArguments, Permission
from fireside.tools.tool import RunnableTool, ToolFailed

_MAX_MATCHES: Final = 5
_MIN_LETTERS: Final = 3
_MAX_SCHEMA_CHARS: Final = 4_000
_ANY_OBJECT: Final = {"type": "object"}
_TYPES: Final = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})


class _Query(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    query: str


def advertised_tools(
    tools: Sequence[RunnableTool[Any]], *, n_ctx: int, always: Sequence[RunnableTool[Any]] = ()
) -> tuple[RunnableTool[Any], ...]:
    """Return the tools whose definitions a model gets, in order: all of ``tools`` and ``always``, or, if
    those are too many, the tools that find and call the others, ``always``, and the first that fit.

    Search is used only if it saves at least half: models call the tools that they see better.
    """
    budget = n_ctx * CONTEXT_SHARE
    every = (*tools, *always)
    advertised: list[RunnableTool[Any]] = [_find_tool(tools), _CallTool(tools), *always]
    is_few = len(every) <= MAX_TOOLS
    if is_few and (_cost(every) <= budget or _cost(advertised) * 2 > _cost(every)):
        return every
    for tool in tools[: MAX_TOOLS - len(advertised)]:
        if _cost((*advertised, tool)) > budget:
            break
        advertised.append(tool)
    return tuple(advertised)


def _cost(tools: Sequence[RunnableTool[Any]]) -> int:
    return sum(tool.n_tokens for tool in tools)


def _find_tool(tools: Sequence[RunnableTool[Any]]) -> RunnableTool[_Query]:
    async def run(arguments: _Query) -> str:
        matches = rank_tools(tools, arguments.query)
        if not matches:
            raise ToolFailed(
                f"query: nothing was found. There are: {', '.join(each.name for each in tools)}."
            )
        return "\n\n".join(
            f"{definition.name}: {definition.description}\narguments: {definition.parameters}"
            for definition in (tool.definition for tool in matches)
        )

    return RunnableTool(
        "find_tools",
        description="Finds more tools by words for what they do.",
        arguments=_Query,
        run=run,
        permission=Permission.ALWAYS,
    )


class _CallTool(RunnableTool[CallToolArguments]):
    """Calls one of ``tools`` by name; its caller executes the call."""

    def __init__(self, tools: Sequence[RunnableTool[Any]]) -> None:
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


def _accepted(tools: Sequence[RunnableTool[Any]]) -> str:
    """Return the schema of a call of one of ``tools`` by name, with that tool's arguments."""
    schemas = {tool.name: _embeddable_schema(tool.definition.parameters) for tool in tools}
    calls = [{"properties": {"name": {"const": name}, "arguments": own}} for name, own in schemas.items()]
    properties = {"name": {"enum": list(schemas)}, "arguments": _ANY_OBJECT}
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
        "anyOf": calls,
    }
    return msgspec.json.encode(schema).decode()


def _embeddable_schema(parameters: str) -> object:
    """Return a tool's schema if it can be embedded in another one, otherwise one that accepts any object: the
    schema of one server must not keep a model from calling the tools of others."""
    if len(parameters) > _MAX_SCHEMA_CHARS:
        return _ANY_OBJECT
    schema = decode_json(parameters, kind=object)
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


def rank_tools(tools: Sequence[RunnableTool[Any]], query: str) -> tuple[RunnableTool[Any], ...]:
    """Return the tools whose name or description match most terms of a query, best first; a term matches
    words with the same stem, and counts twice in a name."""
    terms = [term for term in fold(query.replace("_", " ")).split() if len(term) >= _MIN_LETTERS]

    def score(tool: RunnableTool[Any]) -> int:
        name = fold(tool.name.replace("_", " ")).split()
        description = fold(tool.definition.description).split()
        return sum(2 * _has_stem(name, term) + _has_stem(description, term) for term in terms)

    scored = [(score(tool), tool) for tool in tools]
    matches = sorted((pair for pair in scored if pair[0]), key=lambda pair: -pair[0])
    return tuple(tool for _, tool in matches[:_MAX_MATCHES])


def _has_stem(words: Sequence[str], term: str) -> bool:
    stem = term[: max(4, len(term) - 3)]
    return any(word.startswith(stem) for word in words)
