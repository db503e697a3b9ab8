"""Tools of chats: call states, permissions and taints."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

import msgspec

from fireside.core.facts import FactScope
from fireside.core.i18n import tr_noop
from fireside.core.ids import ConversationId

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
    "python": tr_noop("Python"),
    "read_result": tr_noop("Read on in result"),
    "use_skill": tr_noop("Use skill"),
    "find_tools": tr_noop("Find tools"),
}
"""The labels of tools, by the names that the model calls."""
WEB_SEARCH_NAME: Final = "web_search"
MEMORY_NAME: Final = "remember"
PYTHON_NAME: Final = "python"
USE_SKILL_NAME: Final = "use_skill"
CALL_TOOL: Final = "call_tool"
"""The tool with which a model calls a tool that it has found."""
MAX_TOOLS: Final = 20
"""Tools that are advertised to a model; it can find others by a search."""
CONTEXT_SHARE: Final = 0.05
"""The maximum fraction of the context for advertised tools."""


class CallToolArguments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``CALL_TOOL``."""

    name: str
    arguments: dict[str, Any] = {}


class CodeArguments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``PYTHON_NAME``."""

    code: str


class Taint(StrEnum):
    """What a call brings into a chat, or what it can do with data of the chat."""

    PRIVATE = "private"
    """It reads data of the user: files, other chats."""
    UNTRUSTED = "untrusted"
    """It reads text of others, which may contain instructions to the model."""
    OUTBOUND = "outbound"
    """It sends data, or changes something on this computer."""


class CallState(StrEnum):
    """State of a tool call."""

    WAITING = "waiting"
    """Waits for the user's consent."""
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    """The result is an error, which the model sees."""
    DENIED = "denied"
    STOPPED = "stopped"


Sources = tuple[tuple[Taint, str], ...]
"""The first source of each taint of a chat: the name of a tool or server, or empty for a file."""
UNFINISHED = frozenset({CallState.WAITING, CallState.RUNNING})


class AllowedBy(StrEnum):
    """The user's consent that allowed a call."""

    POLICY = "policy"
    """For all calls of the tool."""
    CHAT = "chat"
    """For all calls of the tool in this chat."""
    ONCE = "once"
    """For this call only."""


class SearchProvider(StrEnum):
    """Provider of web searches."""

    SEARXNG = "searxng"
    BRAVE = "brave"
    TAVILY = "tavily"
    KAGI = "kagi"


class Permission(StrEnum):
    """The user's policy for the calls of a tool."""

    ALWAYS = "always"
    ASK = "ask"
    NEVER = "never"


class ConsentAnswer(StrEnum):
    """The user's answer to a waiting call."""

    ONCE = "once"
    CHAT = "chat"
    ALWAYS = "always"
    DENY = "deny"


class AllowEdited(msgspec.Struct, frozen=True, kw_only=True):
    """The user allows this call, with a text that may be edited."""

    text: str
    scope: FactScope | None = None
    """Of a fact: where it is to hold; ``None`` for what the call proposes."""


class CallsEnded(StrEnum):
    """Why tool calls of an answer were stopped."""

    STEPS = "steps"
    """The limit of the settings was reached."""
    REPEATED = "repeated"
    """The same call had the same result twice."""
    INVALID = "invalid"
    """The arguments of a tool were invalid twice in a row."""
    SILENT = "silent"
    """The model ended without text after its calls."""
    REFUSED = "refused"
    """The engine elsewhere, or its model, takes no tools."""


class ChatGrant(msgspec.Struct, frozen=True, kw_only=True):
    """A chat that may use tools without asking."""

    conversation_id: ConversationId
    title: str
    names: tuple[str, ...]
    """The names of the tools, as the model calls them."""


class ToolInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A tool, as shown to the user."""

    name: str
    """As the model calls it."""
    description: str = ""
    """As in the prompt."""
    parameters: str = "{}"
    """JSON Schema of the arguments."""
    setting: str
    """Key of the setting that turns it on."""
    server: str = ""
    """Name of its MCP server; empty for built-in tools."""
    n_tokens: int
    """The estimated tokens in each prompt."""
    permission: Permission
    prompts_each_time: bool = False
    """Whether each call needs consent, so that it cannot be allowed permanently."""
    changed: bool = False
    """Whether the tool differs from the one that the user allowed, so that consent is asked for again."""
    change: str = ""
    """The difference as a diff, if it is known."""
