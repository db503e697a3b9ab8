"""Tools of MCP servers as tools of chats: prefixed names, cleaned descriptions, unchanged schemas."""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final, Protocol

import msgspec

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.elicitation import NO_OBSERVER, CallObserver
from fireside.core.graphemes import with_invisible_named, without_invisible
from fireside.core.prompt_input import ToolDefinition
from fireside.core.tool_servers import SEPARATOR, ServerTool, ToolOutput, ToolServer
from fireside.tools.tool import InvalidArguments, RunnableTool

CALL_CAP_S: Final = 600.0
"""Limit of a call that keeps reporting progress."""
_MAX_NAME_CHARS: Final = 64
_INVALID_IN_NAME: Final = re.compile(r"[^A-Za-z0-9_-]")
_MAX_DESCRIPTION_CHARS: Final = 8_000
_OMITTED_KEYWORDS: Final = frozenset({"$schema", "$id", "$comment", "title", "examples"})
"""Schema keywords that take space in each prompt and that calls do not need."""


class ServerCalls(Protocol):
    """Executes calls of servers' tools."""

    async def call(
        self, server: str, tool: ServerTool, arguments: str, *, watch: CallObserver = NO_OBSERVER
    ) -> ToolOutput:
        """Return the result. If cancelled, it returns at once."""

    async def record_review(self, server: str, tool: ServerTool) -> None:
        """Store the tool's definition as the one the user decided about."""


class McpTool(RunnableTool[Any]):
    """One tool of one server."""

    def __init__(self, name: str, *, listed: ServerTool, server: ToolServer, calls: ServerCalls) -> None:
        super().__init__(
            name,
            description=without_invisible(listed.description)[:_MAX_DESCRIPTION_CHARS],
            arguments=msgspec.Struct,
            run=self.run,
            taints=server.taints,
            limit_s=CALL_CAP_S,
        )
        self._listed = listed
        self._server = server
        self._calls = calls

    @cached_property
    def definition(self) -> ToolDefinition:
        return ToolDefinition(
            name=self.name, description=self._description, parameters=_compact_schema(self._listed.parameters)
        )

    @property
    def fingerprint(self) -> str:
        """What a permission applies to: the whole tool as it was listed, and the server."""
        identity = "" if self._server.confirmed is None else self._server.confirmed.fingerprint
        return hashlib.sha256(msgspec.json.encode((self._listed, identity))).hexdigest()

    @property
    def server(self) -> str:
        return self._server.name

    @property
    def change(self) -> str:
        """The difference from the definition that the user decided about, as lines with ``-`` and ``+``."""
        before = next((tool for tool in self._server.reviewed if tool.name == self._listed.name), None)
        if before is None or before == self._listed:
            return ""
        return "\n".join(
            with_invisible_named(line)
            for line in difflib.ndiff(_lines(before), _lines(self._listed))
            if line[:1] in "+-"
        )

    async def record_review(self) -> None:
        await self._calls.record_review(self._server.name, self._listed)

    def read(self, arguments: str) -> str:
        try:
            decoded = decode_json(arguments or "{}", kind=object)
        except JsonInvalid as exc:
            raise InvalidArguments(f"Invalid arguments of {self.name}: {exc}") from exc
        if not isinstance(decoded, dict):
            raise InvalidArguments(f"Invalid arguments of {self.name}: an object is wanted.")
        return arguments or "{}"

    async def run(self, arguments: str, *, watch: CallObserver = NO_OBSERVER) -> ToolOutput:
        return await self._calls.call(self._server.name, self._listed, arguments, watch=watch)


def mcp_tools(server: ToolServer, *, calls: ServerCalls) -> tuple[tuple[McpTool, ...], tuple[str, ...]]:
    """Return the tools of a server by name, and the names of those that cannot be called."""
    tools: dict[str, McpTool] = {}
    rejected: list[str] = []
    for listed in sorted(server.tools, key=lambda tool: tool.name):
        name = tool_name(server.name, listed.name)
        if not name or name in tools:
            rejected.append(with_invisible_named(listed.name)[:100])
        else:
            tools[name] = McpTool(name, listed=listed, server=server, calls=calls)
    return tuple(tools.values()), tuple(rejected)


def tool_name(server: str, tool: str) -> str:
    """Return the name by which a model calls a tool; empty where no valid one exists."""
    name = _INVALID_IN_NAME.sub("_", without_invisible(tool))
    prefixed = f"{server}{SEPARATOR}{name}"
    return prefixed if name.strip("_") and len(prefixed) <= _MAX_NAME_CHARS else ""


def select_tools(tools: Sequence[McpTool], chosen: Sequence[str]) -> tuple[McpTool, ...]:
    """Return the selected tools: ``chosen`` names servers and single tools."""
    names = set(chosen)
    return tuple(tool for tool in tools if {tool.name, tool.name.partition(SEPARATOR)[0]} & names)


def _lines(tool: ServerTool) -> list[str]:
    schemas = (msgspec.json.format(text or "{}", indent=1) for text in (tool.parameters, tool.output))
    return [line for text in (tool.description, *schemas) for line in text.splitlines()]


def _compact_schema(parameters: str) -> str:
    try:
        schema = decode_json(parameters, kind=object)
    except JsonInvalid:
        return '{"type":"object"}'
    if not isinstance(schema, dict):
        return '{"type":"object"}'
    return msgspec.json.encode(_without_omitted(schema)).decode()


def _without_omitted(schema: Any, *, is_names: bool = False) -> Any:
    """Return a schema without ``_OMITTED_KEYWORDS``; keys of ``properties`` are names of fields, and stay."""
    match schema:
        case dict():
            return {
                key: _without_omitted(value, is_names=not is_names and key in ("properties", "$defs"))
                for key, value in schema.items()
                if is_names or key not in _OMITTED_KEYWORDS
            }
        case list():
            return [_without_omitted(each) for each in schema]
        case str():
            return without_invisible(schema)
        case _:
            return schema
