"""Convert the settings of tools to values. Pure; any thread."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from fireside.core.tools import SearchProvider
from fireside.settings.definitions_tools import (
    CHAT_PERMISSIONS,
    FOLDERS,
    MAX_STEPS,
    MEMORY_ELSEWHERE,
    PERMISSIONS,
    SEARCH_PROVIDER,
    SEARXNG,
    SERVERS,
    SWITCHES,
)
from fireside.settings.values import ResolvedSetting, by_key


class ToolOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The tools of a chat, and the user's decisions about them."""

    switches: tuple[str, ...]
    """Keys of the switches that are on, in the order in which tools are advertised to a model."""
    folders: tuple[Path, ...]
    servers: tuple[str, ...] = ()
    """MCP servers, and single tools as ``server__tool``."""
    provider: SearchProvider = SearchProvider.SEARXNG
    """The provider of web searches."""
    searxng: str = ""
    """Address of the user's SearXNG."""
    sends_facts: bool = False
    """Whether models of other engines are told what the user had models remember."""
    n_steps: int
    permissions: tuple[str, ...]
    chat_permissions: tuple[str, ...]


def tool_options(resolved: Iterable[ResolvedSetting]) -> ToolOptions:
    """Return the options of tools."""
    values = by_key(resolved)

    def lines(key: str) -> tuple[str, ...]:
        return msgspec.convert(values[key], tuple[str, ...])

    return ToolOptions(
        switches=tuple(key for key in SWITCHES if values[key] is True),
        folders=tuple(map(Path, lines(FOLDERS))),
        servers=tuple(line.strip() for line in lines(SERVERS)),
        provider=SearchProvider(str(values[SEARCH_PROVIDER])),
        searxng=str(values[SEARXNG]),
        sends_facts=values[MEMORY_ELSEWHERE] is True,
        n_steps=msgspec.convert(values[MAX_STEPS], int),
        permissions=lines(PERMISSIONS),
        chat_permissions=lines(CHAT_PERMISSIONS),
    )
