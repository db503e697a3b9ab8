"""Tools of chats, as window and terminal use them. The tools themselves are imported at first use."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from fireside.core.elicitation import CallObserver, ElicitationReply
from fireside.core.errors import RecordNotFound
from fireside.core.facts import FactScope
from fireside.core.for_window import for_window
from fireside.core.ids import ConversationId, MessageId
from fireside.core.search import SearchQuery, SearchResult
from fireside.core.tool_servers import ToolOutput
from fireside.core.tools import AllowEdited, ChatGrant, ConsentAnswer, Permission, ToolInfo
from fireside.services.service_context import ServiceContext
from fireside.settings.conversions import tool_options
from fireside.settings.definitions_tools import CHAT_PERMISSIONS, SERVERS, SWITCHES
from fireside.settings.values import ConversationLayer

if TYPE_CHECKING:
    from fireside.chat.tools.consents import Consents
    from fireside.chat.tools.tool_loop import ToolLoop
    from fireside.tools.tool import RunnableTool


class ToolUse:
    """Tools of chats: their permissions, calls that wait for consent, remembered facts.

    All methods on the engine's loop.
    """

    def __init__(self, context: ServiceContext, *, clock: Callable[[], float]) -> None:
        self._preferences = context.preferences
        self._store = context.store
        self._servers = context.tool_servers
        self._web = context.web
        self._python = context.python
        self._clock = clock

    @for_window
    async def answer_call(
        self, message_id: MessageId, call_id: str, answer: ConsentAnswer | AllowEdited | ElicitationReply
    ) -> None:
        """Answer a tool call that waits for consent, or an elicitation of its server. The result arrives as
        ``MessageReplaced``."""
        from fireside.chat.tools.consents import ConsentReply

        match answer:
            case ElicitationReply():
                self._consents.reply(message_id, call_id, answer)
            case AllowEdited():
                reply = ConsentReply(answer=ConsentAnswer.ONCE, text=answer.text, scope=answer.scope)
                self._consents.answer(message_id, call_id, reply)
            case _:
                self._consents.answer(message_id, call_id, ConsentReply(answer=answer))

    @for_window
    async def code_reach(self) -> str:
        """Return what Python code can reach besides its chat, as sentences; empty where it is confined."""
        from fireside.chat.tools.chat_python import chat_python

        resolved = await self._preferences.resolved(model_id=None, conversation_id=None)
        return (await chat_python(self._python, tool_options(resolved), ())).reach

    @for_window
    async def tools(self) -> tuple[ToolInfo, ...]:
        """Return all tools in the order of the prompt, each with its permission."""
        from fireside.tools.consent import permission_of, read_grants

        resolved = await self._preferences.resolved(model_id=None, conversation_id=None)
        grants = read_grants(tool_options(resolved).permissions)
        return tuple(
            ToolInfo(
                name=tool.name,
                description=tool.definition.description,
                parameters=tool.definition.parameters,
                setting=switch,
                server=tool.server,
                n_tokens=tool.n_tokens,
                permission=permission_of(
                    grants.get(tool.name), fingerprint=tool.fingerprint, default=tool.permission
                ),
                prompts_each_time=tool.prompts_each_time,
                changed=tool.name in grants and grants[tool.name].fingerprint != tool.fingerprint,
                change=tool.change,
            )
            for switch, tool in await self._all_tools()
        )

    @for_window
    async def permit(self, name: str, permission: Permission) -> None:
        """Set the permission of a tool. Raises ``RecordNotFound`` if it does not exist, or
        ``SettingsUnwritable``: then it applies to this run only."""
        tool = next((each for _, each in await self._all_tools() if each.name == name), None)
        if tool is None:
            raise RecordNotFound(what="tool", id=0)
        await self._consents.set_permission(tool, permission)

    @for_window
    async def chat_grants(self) -> tuple[ChatGrant, ...]:
        """Return the chats with allowed tools, the last changed first."""
        from fireside.tools.consent import read_grants

        stored = await self._store.conversations.with_override(CHAT_PERMISSIONS)
        grants = (
            ChatGrant(
                conversation_id=summary.id,
                title=summary.title,
                names=tuple(read_grants(msgspec.convert(lines, tuple[str, ...]))),
            )
            for summary, lines in stored
        )
        return tuple(grant for grant in grants if grant.names)

    @for_window
    async def revoke(self, conversation_id: ConversationId) -> None:
        """Remove all tool permissions of a chat, so that it asks again. Raises ``StorageError``."""
        await self._preferences.clear(
            ConversationLayer(conversation_id=conversation_id), key=CHAT_PERMISSIONS
        )

    def waiting_calls(self, name: str) -> tuple[tuple[MessageId, str], ...]:
        """Return the calls of a tool that wait for the user: message and id of each."""
        return self._consents.waiting_of(name)

    def loop(self, *, n_steps: int) -> ToolLoop:
        """Return the loop that runs the calls of one answer."""
        from fireside.chat.tools.tool_loop import ToolLoop

        return ToolLoop(self._consents, n_steps=n_steps, clock=self._clock)

    async def _all_tools(self) -> tuple[tuple[str, RunnableTool[Any]], ...]:
        """Return all tools, each with the key of its switch; those of servers as last listed."""
        from fireside.chat.tools.toolbox import web_of
        from fireside.tools.built_in import ToolResources, tools_of_switch
        from fireside.tools.documents import NoDocuments
        from fireside.tools.python import PythonAccess

        resolved = await self._preferences.resolved(model_id=None, conversation_id=None)
        resources = ToolResources(
            now=self._clock,
            find=_no_results,
            folders=(Path(),),
            web=web_of(self._web, tool_options(resolved), given=None),
            remember=_discard,
            result=lambda _: None,
            max_result_tokens=1,
            documents=NoDocuments(),
            python=PythonAccess(run=_run_nothing, limit_s=0.0),
        )
        built_in = [(switch, tool) for switch in SWITCHES for tool in tools_of_switch(switch, resources)]
        return (*built_in, *((SERVERS, tool) for tool in await self._servers.tools()))

    @cached_property
    def _consents(self) -> Consents:
        from fireside.chat.tools.consents import Consents

        return Consents(self._preferences)


async def _run_nothing(_code: str, _watch: CallObserver) -> ToolOutput:
    return ToolOutput(text="")


async def _discard(_fact: str, _scope: FactScope) -> None:
    pass


async def _no_results(_query: SearchQuery) -> SearchResult:
    return SearchResult()
