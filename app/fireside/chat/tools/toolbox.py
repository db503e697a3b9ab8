"""The tools of one request, and the data that the chat has accessed before it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from fireside.core.chat import StoredMessage
from fireside.core.errors import RecordNotFound
from fireside.core.facts import FACT_CHARACTERS, FactScope
from fireside.core.ids import ConversationId
from fireside.core.message import Role, TextPart, ToolCallPart, ToolResultPart
from fireside.core.prompt_input import ToolDefinition
from fireside.core.tools import (
    MEMORY_NAME,
    USE_SKILL_NAME,
    WEB_SEARCH_NAME,
    CallToolArguments,
    Permission,
    Sources,
    Taint,
)
from fireside.services.web_access import WebAccess
from fireside.settings.conversions import ToolOptions
from fireside.storage.store import Store
from fireside.tools.built_in import ToolResources, WebTools, built_in_tools, reading_tools
from fireside.tools.consent import permission_of, read_grants, sources_of, taints_of
from fireside.tools.documents import SEARCH_DOCUMENTS, DocumentAccess
from fireside.tools.memory import Remember
from fireside.tools.python import PythonAccess
from fireside.tools.read_result import MAX_RESULT_TOKENS
from fireside.tools.skills import SkillAccess, UseSkillTool
from fireside.tools.tool import InvalidArguments, RunnableTool, ToolFailed
from fireside.tools.tool_search import advertised_tools
from fireside.tools.web_fetcher import WebFetcher

_URL: Final = re.compile(r"https://[^\s<>\"]+")
_PUNCTUATION: Final = ".,;:!?)]}'"
"""Characters that end a sentence rather than a URL."""
_RESULT_SHARE: Final = 4
"""A result takes at most one of this many parts of the context."""


class Toolbox(msgspec.Struct, frozen=True, kw_only=True):
    """The tools that may be called in one step of an answer."""

    conversation_id: ConversationId | None
    """``None`` where only the tokens of a new chat's prompt are counted."""
    tools: tuple[RunnableTool[Any], ...]
    advertised: tuple[RunnableTool[Any], ...]
    """Those whose definitions are in the prompt; the model finds the others by searching."""
    options: ToolOptions
    sources: Sources
    """The data that the branch has accessed."""
    max_result_tokens: int
    """The most tokens of a result that the model is given."""
    host: str = ""
    """Of the engine elsewhere that gets the results; empty for a model on this computer."""
    project: str = ""
    """Name of the folder of the chat; empty where it is in none."""

    @property
    def has_documents(self) -> bool:
        """Whether the model searches the collections of the chat itself."""
        return any(tool.name == SEARCH_DOCUMENTS for tool in self.advertised)

    @property
    def definitions(self) -> tuple[ToolDefinition, ...]:
        """The definitions in the prompt."""
        return tuple(tool.definition for tool in self.advertised)

    def parse(self, call: ToolCallPart) -> tuple[RunnableTool[Any], Any]:
        """Return the tool of a call and its arguments, also where it is called by ``CALL_TOOL``.

        Raises ``InvalidArguments``.
        """
        tool = self._tool(call.name)
        arguments = tool.read(call.arguments)
        if isinstance(arguments, CallToolArguments):
            tool = self._tool(arguments.name)
            arguments = tool.read(msgspec.json.encode(arguments.arguments).decode())
        return tool, arguments

    def _tool(self, name: str) -> RunnableTool[Any]:
        tool = next((each for each in (*self.tools, *self.advertised) if each.name == name), None)
        if tool is None:
            names = ", ".join(each.name for each in self.tools)
            raise InvalidArguments(f"There is no tool “{name}”. There are: {names}.")
        return tool


def make_toolbox(
    options: ToolOptions,
    path: Sequence[StoredMessage],
    *,
    n_ctx: int,
    store: Store,
    web: WebAccess,
    server_tools: Sequence[RunnableTool[Any]] = (),
    documents: DocumentAccess | None = None,
    python: PythonAccess | None = None,
    skills: SkillAccess | None = None,
    remembers: bool = False,
    project: str = "",
    remembered: Callable[[], object] = lambda: None,
    host: str = "",
) -> Toolbox:
    """Return the tools for the answer at the end of ``path``, the messages of its branch.

    Those of MCP servers follow the built-in ones. ``documents`` are the collections of the chat, if it has
    any; ``python`` runs code for it; ``skills`` are those that are on in it; ``remembers`` is whether the
    prompt contains remembered facts, ``project`` the name of the chat's folder; ``remembered`` is called when
    a fact was stored. A chat with the engine at ``host`` has an effect outside from its start: what its tools
    read is sent there.
    """
    max_result_tokens = min(MAX_RESULT_TOKENS, max(1, n_ctx // _RESULT_SHARE))

    conversation_id = path[-1].conversation_id if path else None
    sources = sources_of(stored.message for stored in path)
    if remembers:
        sources = ((Taint.PRIVATE, MEMORY_NAME), *sources)
    if host:
        sources = ((Taint.OUTBOUND, host), *sources)

    resources = ToolResources(
        now=time.time,
        find=store.search.find,
        folders=options.folders,
        web=web_of(web, options, given=urls_in(path) if Taint.PRIVATE in taints_of(sources) else None),
        remember=_remembering(store, path, remembered),
        usual_scope=FactScope.PROJECT if project else FactScope.EVERYWHERE,
        result=lambda call_id: _result_in(path, call_id),
        max_result_tokens=max_result_tokens,
        documents=documents,
        python=python,
    )
    tools = (*built_in_tools(options.switches, resources), *server_tools)
    has_long_results = bool(server_tools or skills)
    skill_tools = () if skills is None else (UseSkillTool(skills, n_ctx=n_ctx),)
    readers = (*skill_tools, *reading_tools(options.switches, resources, with_servers=has_long_results))
    return Toolbox(
        conversation_id=conversation_id,
        tools=(*tools, *readers),
        advertised=_advertised(tools, options, n_ctx=n_ctx, always=readers),
        options=options,
        sources=sources,
        max_result_tokens=max_result_tokens,
        host=host,
        project=project,
    )


def _remembering(store: Store, path: Sequence[StoredMessage], remembered: Callable[[], object]) -> Remember:
    """Return what stores a fact that is suggested in the answer at the end of ``path``."""

    async def remember(fact: str, scope: FactScope) -> None:
        assert path  # without a message, tools are only counted
        try:
            is_stored = await store.facts.add(
                fact,
                conversation_id=path[-1].conversation_id,
                message_id=path[-1].id,
                scope=scope,
                max_characters=FACT_CHARACTERS,
            )
        except RecordNotFound as exc:
            raise ToolFailed("The chat is not in a project any more.") from exc
        if not is_stored:
            raise ToolFailed("No more facts fit. The user can delete some on the page “Remembered facts”.")
        remembered()

    return remember


def _result_in(path: Sequence[StoredMessage], call_id: str) -> str | None:
    """Return the complete result of a call."""
    parts = (part for stored in path for part in stored.message.parts)
    return next(
        (part.text for part in parts if isinstance(part, ToolResultPart) and part.call_id == call_id), None
    )


def _advertised(
    tools: Sequence[RunnableTool[Any]],
    options: ToolOptions,
    *,
    n_ctx: int,
    always: Sequence[RunnableTool[Any]],
) -> tuple[RunnableTool[Any], ...]:
    """Return the tools in the prompt. One that is never allowed costs no tokens; if it is called all the
    same, the refusal says why."""
    grants = read_grants(options.permissions)
    offered = [
        tool
        for tool in tools
        if permission_of(grants.get(tool.name), fingerprint=tool.fingerprint, default=tool.permission)
        is not Permission.NEVER
    ]
    has_skills = any(tool.name == USE_SKILL_NAME for tool in always)
    return advertised_tools(offered, n_ctx=n_ctx, always=always) if offered or has_skills else ()


def web_of(web: WebAccess, options: ToolOptions, *, given: frozenset[str] | None) -> WebTools:
    """Return the web access of a chat's tools; with ``given`` only these URLs may be read."""
    return WebTools(
        fetcher=WebFetcher(route=web.route, log=web.log),
        read=web.page_text,
        key=web.key,
        provider=options.provider,
        searxng=options.searxng,
        allowed_addresses=given,
    )


def urls_in(path: Sequence[StoredMessage]) -> frozenset[str]:
    """Return the URLs that the user wrote or a search returned: none of them was composed by a model."""
    texts = [
        part.text
        for stored in path
        for part in stored.message.parts
        if (isinstance(part, TextPart) and stored.message.role is Role.USER)
        or (isinstance(part, ToolResultPart) and part.name == WEB_SEARCH_NAME)
    ]
    return frozenset(url.rstrip(_PUNCTUATION) for text in texts for url in _URL.findall(text))
