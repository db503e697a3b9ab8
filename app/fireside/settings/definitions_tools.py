"""Declares the settings of tools that a model may call in a chat."""

from __future__ import annotations

from functools import partial
from typing import Final

from fireside.core.i18n import tr_noop
from fireside.core.tools import SearchProvider
from fireside.settings.values import Group, Kind, SettingDefinition

CALCULATOR: Final = "tools.calculator"
DATE_TIME: Final = "tools.date_time"
CHAT_SEARCH: Final = "tools.chat_search"
FILES: Final = "tools.files"
CHANGES: Final = "tools.file_changes"
DOCUMENTS: Final = "tools.documents"
WEB_SEARCH: Final = "tools.web_search"
WEB_PAGES: Final = "tools.web_pages"
MEMORY: Final = "tools.memory"
MEMORY_ELSEWHERE: Final = "tools.memory_elsewhere"
SWITCHES: Final = (
    CALCULATOR,
    DATE_TIME,
    CHAT_SEARCH,
    FILES,
    CHANGES,
    DOCUMENTS,
    WEB_SEARCH,
    WEB_PAGES,
    MEMORY,
)
"""Keys of the settings that turn tools on, in the order in which tools are advertised to a model."""
TOOL_KEYS: Final = "tools."
"""The prefix of all keys."""
FOLDERS: Final = "tools.folders"
SERVERS: Final = "tools.servers"
SEARCH_PROVIDER: Final = "tools.search_provider"
SEARXNG: Final = "tools.searxng"
MAX_STEPS: Final = "tools.max_steps"
PERMISSIONS: Final = "tools.permissions"
CHAT_PERMISSIONS: Final = "tools.chat_permissions"

_setting: Final = partial(SettingDefinition, group=Group.TOOLS)
_switch: Final = partial(
    _setting, kind=Kind.SWITCH, default=False, per_model=True, per_conversation=True, hidden=True
)

TOOLS: Final = (
    _switch(
        key=CALCULATOR,
        label=tr_noop("Calculator"),
        help=tr_noop("Computes arithmetic, statistics and math functions."),
    ),
    _switch(
        key=DATE_TIME,
        label=tr_noop("Date and time"),
        help=tr_noop("Tells the model the current date and time."),
    ),
    _switch(
        key=CHAT_SEARCH,
        label=tr_noop("Search chats"),
        help=tr_noop("Lets the model search your other chats."),
    ),
    _switch(
        key=FILES,
        label=tr_noop("Read files"),
        help=tr_noop("Lets the model list, read and search the folders that you choose."),
    ),
    _switch(
        key=CHANGES,
        label=tr_noop("Change files"),
        help=tr_noop(
            "Lets the model write text files in the folders that you choose. You see each change first and "
            "allow it."
        ),
    ),
    _switch(
        key=DOCUMENTS,
        label=tr_noop("Search documents"),
        help=tr_noop(
            "Lets the model search and read the chat's collections itself, in place of passages that are "
            "sent with each question. For models that call tools well."
        ),
    ),
    _switch(
        key=WEB_SEARCH,
        label=tr_noop("Web search"),
        help=tr_noop(
            "Lets the model search the web with the provider that you choose. You see each query before it "
            "is sent."
        ),
    ),
    _switch(
        key=WEB_PAGES,
        label=tr_noop("Read web pages"),
        help=tr_noop("Lets the model read pages on the public internet, with your permission."),
    ),
    _switch(
        key=MEMORY,
        label=tr_noop("Remember facts"),
        help=tr_noop(
            "Tells the model what you had it remember, and lets it suggest more. You confirm each suggestion."
        ),
    ),
    _setting(
        key=MEMORY_ELSEWHERE,
        label=tr_noop("Remembered facts to servers"),
        help=tr_noop(
            "Sends what you had models remember to models of servers too. Off, they can suggest "
            "facts, but are told none."
        ),
        kind=Kind.SWITCH,
        default=False,
    ),
    _setting(
        key=FOLDERS,
        label=tr_noop("Folders for tools"),
        help=tr_noop("Folders in which the tools may read and change files."),
        kind=Kind.PATHS,
        of_folders=True,
        default=(),
        maximum=20,
        per_model=True,
        per_conversation=True,
        hidden=True,
    ),
    _setting(
        key=SERVERS,
        label=tr_noop("MCP servers"),
        help=tr_noop(
            "Servers whose tools the model may call, or single tools as server__tool, one per line."
        ),
        kind=Kind.LINES,
        default=(),
        maximum=100,
        per_model=True,
        per_conversation=True,
        hidden=True,
    ),
    _setting(
        key=MAX_STEPS,
        label=tr_noop("Max tool steps"),
        help=tr_noop("How many times the model may call tools in one response."),
        kind=Kind.INTEGER,
        default=25,
        minimum=1,
        maximum=200,
        step=1,
        per_model=True,
        per_conversation=True,
    ),
    _setting(
        key=SEARCH_PROVIDER,
        label=tr_noop("Search provider"),
        help=tr_noop("Receives the queries of web search. All but SearXNG need an API key."),
        kind=Kind.CHOICE,
        default=SearchProvider.SEARXNG.value,
        choices=(
            (SearchProvider.SEARXNG.value, "SearXNG"),
            (SearchProvider.BRAVE.value, "Brave"),
            (SearchProvider.TAVILY.value, "Tavily"),
            (SearchProvider.KAGI.value, "Kagi"),
        ),
    ),
    _setting(
        key=SEARXNG,
        label=tr_noop("SearXNG address"),
        help=tr_noop("A SearXNG server that answers in JSON, such as http://localhost:8888."),
        kind=Kind.LINE,
        default="",
    ),
    _setting(
        key=PERMISSIONS,
        label=tr_noop("Tool permissions"),
        help=tr_noop("What you decided about each tool."),
        kind=Kind.LINES,
        default=(),
        maximum=500,
        hidden=True,
    ),
    _setting(
        key=CHAT_PERMISSIONS,
        label=tr_noop("Tools allowed in this chat"),
        help=tr_noop("Tools that this chat may use without asking."),
        kind=Kind.LINES,
        default=(),
        maximum=500,
        per_model=True,
        per_conversation=True,
        hidden=True,
    ),
)
