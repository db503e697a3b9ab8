"""Make the request for an answer out of its branch and the settings in force."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from fireside.core.chat import StoredMessage
from fireside.core.context import ContextSummary, FullContext, MessageTokens, PromptMeasure
from fireside.core.context_length import effective_n_ctx
from fireside.core.errors import ChatStaysLocal
from fireside.core.ids import CollectionId, ConversationId
from fireside.core.message import ChatMessage, to_model_messages
from fireside.core.model import ModelSpec
from fireside.core.options import LoadOptions, SettingValue
from fireside.core.prompt_input import ChatInput, ToolChoice, ToolDefinition
from fireside.core.task import Replay
from fireside.engine.request import GenerationRequest
from fireside.services.collections.collection_service import CollectionService
from fireside.services.request_builder import (
    Resolved,
    chat_input,
    has_content,
    load_options_for,
    make_task,
    with_continuation,
    without_pictures,
)
from fireside.services.service_context import ServiceContext
from fireside.services.web_access import WebAccess
from fireside.settings.conversions import attached_collections, full_context, keep_alive_s, stays_local
from fireside.settings.definitions_tools import DOCUMENTS, MEMORY
from fireside.settings.typed_tools import tool_options, without
from fireside.storage.store import Store

if TYPE_CHECKING:
    from fireside.chat.tools.toolbox import Toolbox
    from fireside.tools.documents import DocumentAccess
    from fireside.tools.server_tool import McpTool


class Branch(msgspec.Struct, frozen=True, kw_only=True):
    """The messages of a branch that say something."""

    covered: tuple[StoredMessage, ...]
    """Those that ``summary`` stands for."""
    said: tuple[StoredMessage, ...]
    summary: ContextSummary | None

    @property
    def words(self) -> str:
        """What stands for ``covered``; empty without a summary."""
        return "" if self.summary is None else self.summary.text


def branch_of(
    path: Sequence[StoredMessage], *, summary: ContextSummary | None, policy: FullContext
) -> Branch:
    """Return the branch ``path``; a summary is part of it only where conversations are compacted."""
    place = 0
    if summary is not None and policy is FullContext.COMPACT:
        ids = [message.id for message in path]
        place = ids.index(summary.through) + 1 if summary.through in ids else 0
    heard = [message for message in path[:place] if has_content(message.message)]
    said = [message for message in path[place:] if has_content(message.message)]
    return Branch(covered=tuple(heard), said=tuple(said), summary=summary if place else None)


def branch_input(
    resolved: Resolved,
    branch: Branch,
    *,
    question: ChatMessage | None = None,
    sees: bool,
    tools: tuple[ToolDefinition, ...] = (),
    facts: Sequence[str] = (),
) -> ChatInput:
    """Return what the model is given: system prompt, tools, summary, messages and perhaps one more question.

    ``sees`` is whether it takes pictures; of the question itself the runner says so if not. An answer that
    called tools is several messages there, see ``by_message``.
    """
    messages = tuple(stored.message for stored in branch.said)
    if not sees:
        last = () if question is not None else messages[-1:]
        messages = (*without_pictures(messages[: len(messages) - len(last)]), *last)
    asked = () if question is None else (question,)
    told = (one for message in (*messages, *asked) for one in to_model_messages(message))
    prompt = chat_input(resolved, told, facts=facts, summary=branch.words)
    # A small model calls tools that there are not; it is told so, and which there are.
    return msgspec.structs.replace(prompt, tools=tools, tool_choice=ToolChoice(unknown=bool(tools)))


def by_message(measure: PromptMeasure, messages: Iterable[ChatMessage]) -> PromptMeasure:
    """Return the measure of a prompt whose conversation begins with ``messages``, ``to_model_messages``, by
    them."""
    left, counted, n_dropped = list(measure.messages), list[MessageTokens](), measure.n_dropped
    for index, message in enumerate(messages):
        n_told = len(to_model_messages(message))
        these, left = left[:n_told], left[n_told:]
        if index < n_dropped:
            n_dropped -= n_told - 1
        counted.append(
            MessageTokens(sum(one.n_tokens for one in these), sum(one.n_attached for one in these))
        )
    return msgspec.structs.replace(measure, messages=(*counted, *left), n_dropped=n_dropped)


class PreparedRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request, and what it was made of."""

    request: GenerationRequest
    branch: Branch
    policy: FullContext
    toolbox: Toolbox | None = None
    """What the model may call, if anything."""
    collections: tuple[CollectionId, ...] = ()
    """What the chat's questions are answered from: its own, and those of its folder."""
    problem: str = ""
    """Why no summary could be written, as a sentence; empty where none was wanted or it was."""

    @property
    def n_summarised(self) -> int:
        """How many messages a summary stands for."""
        return 0 if self.branch.summary is None else self.branch.summary.n_messages


def with_replay(asked: PreparedRequest, replay: Replay | None) -> PreparedRequest:
    """Return ``asked`` with what the answer begins with, if anything."""
    if replay is None:
        return asked
    task = msgspec.structs.replace(asked.request.task, replay=replay)
    return msgspec.structs.replace(asked, request=msgspec.structs.replace(asked.request, task=task))


class RequestPreparation:
    """Reads the store; starts nothing."""

    def __init__(self, context: ServiceContext, *, collections: CollectionService | None = None) -> None:
        """Without ``collections`` no model is given tools that look into them."""
        self._collections = collections
        self._emit = context.emit
        self._store = context.store
        self._preferences = context.preferences
        self._next_id = context.next_id
        self._tool_servers = context.tool_servers
        self._web = context.web

    async def ask(
        self, spec: ModelSpec, *, answer: StoredMessage, run: Mapping[str, SettingValue]
    ) -> PreparedRequest:
        """Return the request for ``answer``; what stands in it already is gone on with.

        Raises ``SettingInvalid`` where settings disagree, ``ChatStaysLocal`` where the model is of another
        engine and the chat may not leave this computer, and ``StorageError``.
        """
        resolved = await self._preferences.resolved(
            model_id=spec.id, conversation_id=answer.conversation_id, run=run
        )
        if spec.remote is not None and stays_local(resolved):
            raise ChatStaysLocal(host=spec.remote.host)
        path = await self._store.messages.path_to(answer.id)
        policy = full_context(resolved)
        summary = await self._store.summaries.for_branch(answer.id) if policy is FullContext.COMPACT else None
        branch = branch_of(path[:-1], summary=summary, policy=policy)
        options = load_options_for(spec, resolved)
        path = (*path[:-1], answer)
        attached = await self.collections(resolved, answer.conversation_id)
        facts = await self.facts(spec, resolved, path)
        toolbox = await self.toolbox(
            spec, resolved, path, options=options, collections=attached, remembers=bool(facts)
        )
        tools = () if toolbox is None else toolbox.definitions
        prompt = branch_input(resolved, branch, sees=spec.sees_images, tools=tools, facts=facts)
        request = GenerationRequest(
            request_id=self._next_id(),
            spec=spec,
            options=options,
            task=make_task(
                resolved,
                with_continuation(prompt, answer.message),
                owner=self._store.name_of(answer.conversation_id),
            ),
            keep_alive_s=keep_alive_s(resolved),
        )
        return PreparedRequest(
            request=request, branch=branch, policy=policy, toolbox=toolbox, collections=attached
        )

    async def toolbox(
        self,
        spec: ModelSpec,
        resolved: Resolved,
        path: Sequence[StoredMessage],
        *,
        options: LoadOptions,
        collections: Sequence[CollectionId] = (),
        remembers: bool = False,
    ) -> Toolbox | None:
        """Return what the model may call in an answer that ends ``path``; nothing where no tool is on.

        ``collections`` are those of the chat; ``remembers`` is whether it is told ``facts``.
        """
        wanted = tool_options(resolved)
        of_servers = await self._tool_servers.tools(wanted.servers)
        return toolbox_for(
            spec,
            resolved,
            path,
            options=options,
            store=self._store,
            web=self._web,
            of_servers=of_servers,
            documents=self._documents(path, collections) if DOCUMENTS in wanted.switches else None,
            remembers=remembers,
        )

    def _documents(self, path: Sequence[StoredMessage], ids: Sequence[CollectionId]) -> DocumentAccess | None:
        """Return the collections of a chat as its tools look into them; ``None`` where there are none."""
        if self._collections is None or not ids:
            return None
        from fireside.chat.tools.chat_documents import ChatDocuments  # few chats have such tools
        from fireside.tools.documents import NoDocuments

        question_id = path[-1].parent_id if path else None
        if question_id is None:
            return NoDocuments()  # before the first question tools are only counted
        return ChatDocuments(
            self._collections, ids, store=self._store, emit=self._emit, question_id=question_id
        )

    async def collections(
        self, resolved: Resolved, conversation_id: ConversationId | None
    ) -> tuple[CollectionId, ...]:
        """Return what a chat's questions are answered from: its own collections, and those of its folder."""
        folder = None if conversation_id is None else await self._store.folders.folder_of(conversation_id)
        own = map(CollectionId, attached_collections(resolved))
        return tuple(dict.fromkeys((*own, *(() if folder is None else folder.collections))))

    async def facts(
        self, spec: ModelSpec, resolved: Resolved, path: Sequence[StoredMessage]
    ) -> tuple[str, ...]:
        """Return what a model is told that the user had remembered before the chat of ``path`` began: within
        a chat the beginning of its prompt stays the same. A model of another engine is told nothing."""
        if spec.remote is not None or MEMORY not in tool_options(resolved).switches:
            return ()
        found = await self._store.facts.all()
        return tuple(fact.text for fact in found if not path or fact.created_at < path[0].created_at)


def toolbox_for(
    spec: ModelSpec,
    resolved: Resolved,
    path: Sequence[StoredMessage],
    *,
    options: LoadOptions,
    store: Store,
    web: WebAccess,
    of_servers: Sequence[McpTool] = (),
    documents: DocumentAccess | None = None,
    remembers: bool = False,
) -> Toolbox | None:
    """Return what the model may call in an answer that ends ``path``; nothing where no tool is on.

    A model of another engine may call none: what a tool returns would leave this computer unasked.
    """
    wanted = tool_options(resolved)
    if documents is None:
        wanted = without(wanted, DOCUMENTS)
    if not (wanted.switches or of_servers) or spec.remote is not None:
        return None
    from fireside.chat.tools.toolbox import make_toolbox  # a chat without tools needs none of it

    n_ctx = effective_n_ctx(options, n_ctx_train=spec.n_ctx_train)
    return make_toolbox(
        wanted,
        path,
        n_ctx=n_ctx,
        store=store,
        web=web,
        of_servers=of_servers,
        documents=documents,
        remembers=remembers,
    )
