"""Tools of chats: call states, permissions and taints."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

import msgspec

from fireside.core.i18n import tr_noop
from fireside.core.ids import ConversationId, FactId

TOOL_LABELS: Final = {
    "calculator": tr_noop("Calculator"),
    "date_time": tr_noop("Date and time"),
    "search_chats": tr_noop("Search chats"),
    "list_folder": tr_noop("List folder"),
    "read_file": tr_noop("Read file"),
    "search_files": tr_noop("Search files"),
    "write_file": tr_noop("Write file"),
    "edit_file": tr_noop("Edit file"),
    "search_documents": tr_noop("Search documents"),
    "read_document": tr_noop("Read document"),
    "list_documents": tr_noop("List documents"),
    "web_search": tr_noop("Web search"),
    "fetch_page": tr_noop("Read web page"),
    "remember": tr_noop("Remember"),
    "read_result": tr_noop("Read on in result"),
    "find_tools": tr_noop("Find tools"),
}
"""What the user is told of a tool, by the name that the model calls."""
WEB_SEARCH_NAME: Final = "web_search"
MEMORY_NAME: Final = "remember"
CALL_TOOL: Final = "call_tool"
"""What a model calls to use a tool that it has found."""
MAX_TOOLS: Final = 20
"""That a model is told of unasked."""
CONTEXT_SHARE: Final = 0.05
"""Of the context, for what a model is told of tools unasked."""


LONGEST_FACT: Final = 300
FACT_CHARACTERS: Final = 2_000
"""Of all facts that are remembered: about 500 tokens of each prompt."""


class RememberedFact(msgspec.Struct, frozen=True, kw_only=True):
    """What the user confirmed to be known in later chats."""

    id: FactId
    text: str
    """One line."""
    created_at: float
    conversation_id: ConversationId | None = None
    """The chat that it is from; ``None`` once that is gone."""
    title: str = ""
    """Of that chat."""


class CallToolArguments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``CALL_TOOL``."""

    name: str
    arguments: dict[str, Any] = {}


class Taint(StrEnum):
    """What a call brings into a chat, or takes out of it."""

    PRIVATE = "private"
    """Data of the user: files, other chats."""
    UNTRUSTED = "untrusted"
    """Text that others may have written, and with it instructions to the model."""
    OUTBOUND = "outbound"
    """Something leaves this computer or changes on it."""


class CallState(StrEnum):
    """Where a call stands."""

    WAITING = "waiting"
    """For the user to allow it."""
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    """The result is an error, which the model is told."""
    DENIED = "denied"
    STOPPED = "stopped"


Sources = tuple[tuple[Taint, str], ...]
"""What brought each taint into a chat, once each: the name of a tool or server, or nothing for a file."""
UNFINISHED = frozenset({CallState.WAITING, CallState.RUNNING})


class AllowedBy(StrEnum):
    """Who allowed a call."""

    POLICY = "policy"
    """The user, for all calls of the tool."""
    CHAT = "chat"
    """The user, for all calls of the tool in this chat."""
    ONCE = "once"
    """The user, for this call alone."""


class SearchProvider(StrEnum):
    """Who searches the web."""

    SEARXNG = "searxng"
    BRAVE = "brave"
    TAVILY = "tavily"
    KAGI = "kagi"


class Permission(StrEnum):
    """What becomes of the calls of a tool."""

    ALWAYS = "always"
    ASK = "ask"
    NEVER = "never"


class ConsentAnswer(StrEnum):
    """What the user says to a call that waits."""

    ONCE = "once"
    CHAT = "chat"
    ALWAYS = "always"
    DENY = "deny"


class AllowEdited(msgspec.Struct, frozen=True, kw_only=True):
    """The user allows this one call, with other words than the model's, or the same."""

    text: str


class CallsEnded(StrEnum):
    """Why the model may not go on calling tools in an answer."""

    STEPS = "steps"
    """There were as many steps as the settings allow."""
    REPEATED = "repeated"
    """The same call had the same result twice."""
    INVALID = "invalid"
    """The arguments of a tool did not fit its schema twice in a row."""
    SILENT = "silent"
    """The model ended without a word about what its calls came to."""


class ChatGrant(msgspec.Struct, frozen=True, kw_only=True):
    """A chat that may use tools without asking."""

    conversation_id: ConversationId
    title: str
    names: tuple[str, ...]
    """Of the tools, as the model calls them."""


class ToolInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A tool as the user sees it."""

    name: str
    """As the model calls it."""
    description: str = ""
    """As the model is told."""
    setting: str
    """Key of the setting that turns it on."""
    server: str = ""
    """Name of the MCP server that it is of; empty for built-in ones."""
    n_tokens: int
    """About what it takes of each prompt."""
    permission: Permission
    prompts_each_time: bool = False
    """It cannot be allowed once and for all."""
    changed: bool = False
    """The tool is not what the user allowed; it asks again."""
    change: str = ""
    """How it differs, as lines with ``-`` and ``+``, where that is known."""
