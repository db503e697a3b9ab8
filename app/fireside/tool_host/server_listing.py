"""List a server's tools, prompts and resources, page by page and within limits."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Final, Protocol, TypeVar

from mcp import Client, MCPError, types
from mcp.shared.uri_template import InvalidUriTemplate, UriTemplate

from fireside.core.tool_servers import PromptArgument, ServerPrompt, ServerResource, ServerTool

_MAX_PAGES: Final = 50
_MOST: Final = 500
"""Of each kind."""
_MAX_CHARACTERS: Final = 200_000
"""Of the definition of one tool."""
_DESCRIPTION: Final = 2_000
_NAME: Final = 500
_MAX_ARGUMENTS: Final = 50


class _Page(Protocol):
    @property
    def next_cursor(self) -> str | None: ...


PageT = TypeVar("PageT", bound=_Page)
Listed = TypeVar("Listed")


async def list_tools(client: Client) -> tuple[tuple[ServerTool, ...], dict[str, dict[str, Any]]]:
    """Return the tools of a server, and their schemas by name."""
    if client.server_capabilities.tools is None:
        return (), {}
    found: list[ServerTool] = []
    schemas: dict[str, dict[str, Any]] = {}
    for tool in await _pages(client.list_tools, lambda page: page.tools):
        told = _server_tool(tool)
        if told is not None and tool.name not in schemas:
            schemas[tool.name] = tool.input_schema
            found.append(told)
    return tuple(found), schemas


async def list_prompts(client: Client) -> tuple[ServerPrompt, ...]:
    """Return the prompts of a server."""
    if client.server_capabilities.prompts is None:
        return ()
    listed = await _pages(client.list_prompts, lambda page: page.prompts)
    return tuple({prompt.name: _server_prompt(prompt) for prompt in listed}.values())


async def list_resources(client: Client) -> tuple[ServerResource, ...]:
    """Return the resources of a server, templates last."""
    if client.server_capabilities.resources is None:
        return ()
    listed = await _pages(client.list_resources, lambda page: page.resources)
    try:
        templates = await _pages(client.list_resource_templates, lambda page: page.resource_templates)
    except MCPError:  # many servers do not implement this
        templates = []
    told = (*map(_server_resource, listed), *filter(None, map(_resource_template, templates)))
    return tuple({resource.uri: resource for resource in told}.values())


def expand_template(uri: str, arguments: Mapping[str, str]) -> str:
    """Return the address for a template. Raises ``ValueError``."""
    return UriTemplate.parse(uri).expand(arguments) if arguments else uri


async def _pages(
    ask: Callable[..., Awaitable[PageT]], items: Callable[[PageT], Iterable[Listed]]
) -> list[Listed]:
    found: list[Listed] = []
    cursor: str | None = None
    for _ in range(_MAX_PAGES):
        page = await ask(cursor=cursor)
        found += items(page)
        cursor = page.next_cursor
        if not cursor or len(found) >= _MOST:
            break
    return found[:_MOST]


def _server_tool(tool: types.Tool) -> ServerTool | None:
    """Return a tool for the program; ``None`` where its definition is too long."""
    told = ServerTool(
        name=tool.name,
        description=tool.description or "",
        parameters=json.dumps(tool.input_schema, ensure_ascii=False, separators=(",", ":")),
        output="" if tool.output_schema is None else json.dumps(tool.output_schema, sort_keys=True),
    )
    size = sum(map(len, (told.name, told.description, told.parameters, told.output)))
    return told if size <= _MAX_CHARACTERS else None


def _server_prompt(prompt: types.Prompt) -> ServerPrompt:
    return ServerPrompt(
        name=prompt.name[:_NAME],
        description=(prompt.description or "")[:_DESCRIPTION],
        arguments=tuple(
            PromptArgument(
                name=one.name[:_NAME],
                description=(one.description or "")[:_DESCRIPTION],
                is_required=bool(one.required),
            )
            for one in (prompt.arguments or ())[:_MAX_ARGUMENTS]
        ),
    )


def _server_resource(resource: types.Resource) -> ServerResource:
    return ServerResource(
        uri=resource.uri,
        name=(resource.title or resource.name)[:_NAME],
        description=(resource.description or "")[:_DESCRIPTION],
        media_type=resource.mime_type or "",
        size_bytes=resource.size,
    )


def _resource_template(template: types.ResourceTemplate) -> ServerResource | None:
    """Return a template for the program; ``None`` where it cannot be filled in."""
    try:
        read = UriTemplate.parse(template.uri_template)
    except InvalidUriTemplate:
        return None
    return ServerResource(
        uri=template.uri_template,
        name=(template.title or template.name)[:_NAME],
        description=(template.description or "")[:_DESCRIPTION],
        media_type=template.mime_type or "",
        arguments=tuple(
            PromptArgument(name=name, is_required=name not in read.query_variable_names)
            for name in read.variable_names[:_MAX_ARGUMENTS]
        ),
    )
