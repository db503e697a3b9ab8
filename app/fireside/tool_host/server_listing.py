"""List a server's tools, prompts and resources, page by page and within limits."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Final, Protocol, TypeVar

from mcp import Client, MCPError, types
from mcp.shared.uri_template import InvalidUriTemplate, UriTemplate

from fireside.core.tool_servers import PromptArgument, ServerPrompt, ServerResource, ServerTool

_MAX_PAGES: Final = 50
_MAX_ITEMS: Final = 500
"""Tools, prompts, resources and templates each."""
_MAX_TOOL_CHARS: Final = 200_000
"""Of the definition of one tool."""
_MAX_DESCRIPTION_CHARS: Final = 2_000
_MAX_NAME_CHARS: Final = 500
_MAX_ARGUMENTS: Final = 50


class _Page(Protocol):
    @property
    def next_cursor(self) -> str | None: ...


PageT = TypeVar("PageT", bound=_Page)
ItemT = TypeVar("ItemT")


async def list_tools(
    client: Client,
) -> tuple[tuple[ServerTool, ...], dict[str, dict[str, Any]], tuple[str, ...]]:
    """Return the tools of a server, their schemas by name, and the names of those that run only as tasks of
    the protocol. The library knows no tasks."""
    if client.server_capabilities.tools is None:
        return (), {}, ()
    tools: list[ServerTool] = []
    schemas: dict[str, dict[str, Any]] = {}
    task_tools: list[str] = []
    for tool in await _pages(client.list_tools, lambda page: page.tools):
        if tool.execution is not None and tool.execution.task_support == "required":
            task_tools.append(tool.name[:_MAX_NAME_CHARS])
            continue
        listed = _server_tool(tool)
        if listed is not None and tool.name not in schemas:
            schemas[tool.name] = tool.input_schema
            tools.append(listed)
    return tuple(tools), schemas, tuple(task_tools)


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
    plain = await _pages(client.list_resources, lambda page: page.resources)
    try:
        templates = await _pages(client.list_resource_templates, lambda page: page.resource_templates)
    except MCPError:  # many servers do not implement this
        templates = []
    resources = (*map(_server_resource, plain), *filter(None, map(_resource_template, templates)))
    return tuple({resource.uri: resource for resource in resources}.values())


def expand_template(uri: str, arguments: Mapping[str, str]) -> str:
    """Return the address for a template. Raises ``ValueError``."""
    return UriTemplate.parse(uri).expand(arguments) if arguments else uri


async def _pages(
    request_page: Callable[..., Awaitable[PageT]], items_of: Callable[[PageT], Iterable[ItemT]]
) -> list[ItemT]:
    items: list[ItemT] = []
    cursor: str | None = None
    for _ in range(_MAX_PAGES):
        page = await request_page(cursor=cursor)
        items += items_of(page)
        cursor = page.next_cursor
        if not cursor or len(items) >= _MAX_ITEMS:
            break
    return items[:_MAX_ITEMS]


def _server_tool(tool: types.Tool) -> ServerTool | None:
    """Return a tool for the program, or ``None`` if its definition is too long."""
    listed = ServerTool(
        name=tool.name,
        description=tool.description or "",
        parameters=json.dumps(tool.input_schema, ensure_ascii=False, separators=(",", ":")),
        output="" if tool.output_schema is None else json.dumps(tool.output_schema, sort_keys=True),
    )
    size = sum(map(len, (listed.name, listed.description, listed.parameters, listed.output)))
    return listed if size <= _MAX_TOOL_CHARS else None


def _server_prompt(prompt: types.Prompt) -> ServerPrompt:
    return ServerPrompt(
        name=prompt.name[:_MAX_NAME_CHARS],
        description=(prompt.description or "")[:_MAX_DESCRIPTION_CHARS],
        arguments=tuple(
            PromptArgument(
                name=argument.name[:_MAX_NAME_CHARS],
                description=(argument.description or "")[:_MAX_DESCRIPTION_CHARS],
                is_required=bool(argument.required),
            )
            for argument in (prompt.arguments or ())[:_MAX_ARGUMENTS]
        ),
    )


def _server_resource(resource: types.Resource) -> ServerResource:
    return ServerResource(
        uri=resource.uri,
        name=(resource.title or resource.name)[:_MAX_NAME_CHARS],
        description=(resource.description or "")[:_MAX_DESCRIPTION_CHARS],
        media_type=resource.mime_type or "",
        size_bytes=resource.size,
    )


def _resource_template(template: types.ResourceTemplate) -> ServerResource | None:
    """Return a template for the program, or ``None`` if it cannot be parsed."""
    try:
        parsed = UriTemplate.parse(template.uri_template)
    except InvalidUriTemplate:
        return None
    return ServerResource(
        uri=template.uri_template,
        name=(template.title or template.name)[:_MAX_NAME_CHARS],
        description=(template.description or "")[:_MAX_DESCRIPTION_CHARS],
        media_type=template.mime_type or "",
        arguments=tuple(
            PromptArgument(name=name, is_required=name not in parsed.query_variable_names)
            for name in parsed.variable_names[:_MAX_ARGUMENTS]
        ),
    )
