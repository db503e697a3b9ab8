"""Build the request for an answer from its branch and the settings in force."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from fireside.chat.attachments import TYPICAL_PICTURE_TOKENS
from fireside.core.chat import StoredMessage
from fireside.core.context import ContextSummary, FullContext
from fireside.core.errors import RemoteError
from fireside.core.events import FactsChanged
from fireside.core.facts import EVERYWHERE
from fireside.core.ids import CollectionId, ConversationId, is_temporary
from fireside.core.load_sizes import effective_n_ctx
from fireside.core.message import ChatMessage, Role, to_model_messages
from fireside.core.model import ModelSpec, Senses, ToolAbility, tool_ability
from fireside.core.options import LoadOptions, SettingValue
from fireside.core.prompt_input import ChatInput, ToolChoice
from fireside.core.prompt_query import MessageTokens, PromptMeasure
from fireside.core.skills import Skill
from fireside.core.task import Replay
from fireside.engine.request import GenerationRequest
from fireside.services.collections.collection_service import CollectionService
from fireside.services.remote_entries import location_for_options
from fireside.services.request_builder import (
    Resolved,
    chat_input,
    has_content,
    load_options_for,
    make_task,
    perceived,
    with_continuation,
    with_latest_pictures,
    with_videos_in_parts,
)
from fireside.services.service_context import ServiceContext
from fireside.settings.conversions import (
    ToolOptions,
    attached_collections,
    full_context,
    keep_alive_s,
    stays_local,
    template,
    tool_options,
)
from fireside.settings.definitions_tools import DOCUMENTS, MEMORY, PYTHON

if TYPE_CHECKING:
    from fireside.chat.tools.toolbox import Toolbox
    from fireside.tools.documents import DocumentAccess
    from fireside.tools.python import PythonAccess


_UNKNOWN_N_CTX: Final = 32_768
"""The context of a model elsewhere that does not report it, in tokens: it only bounds results of tools, and
how many tools are advertised."""


class Branch(msgspec.Struct, frozen=True, kw_only=True):
    """The messages of a branch that have content."""

    covered: tuple[StoredMessage, ...]
    """The messages that ``summary`` replaces in a request."""
    messages: tuple[StoredMessage, ...]
    """The messages that are sent in full."""
    summary: ContextSummary | None

    @property
    def summary_text(self) -> str:
        """The text that replaces ``covered``; empty without a summary."""
        return "" if self.summary is None else self.summary.text


def branch_of(
    path: Sequence[StoredMessage], *, summary: ContextSummary | None, policy: FullContext
) -> Branch:
    """Return the branch ``path``; a summary is part of it only where conversations are compacted."""
    n_covered = 0
    if summary is not None and policy is FullContext.COMPACT:
        ids = [message.id for message in path]
        n_covered = ids.index(summary.through) + 1 if summary.through in ids else 0
    covered = [message for message in path[:n_covered] if has_content(message.message)]
    messages = [message for message in path[n_covered:] if has_content(message.message)]
    return Branch(covered=tuple(covered), messages=tuple(messages), summary=summary if n_covered else None)


def branch_input(
    resolved: Resolved,
    branch: Branch,
    *,
    question: ChatMessage | None = None,
    senses: Senses,
    toolbox: Toolbox | None = None,
    facts: Sequence[str] = (),
) -> ChatInput:
    """Return the model's input: system prompt, tools, summary, messages and ``question``.

    ``senses`` are the model's; media that it does not take are removed from all messages but a question at
    the end, for which the runner reports an error. An answer with tool calls becomes several messages, see
    ``by_message``.
    """
    messages = tuple(stored.message for stored in branch.messages)
    last = messages[-1:] if question is None and messages and messages[-1].role is Role.USER else ()
    messages = (
        *perceived(messages[: len(messages) - len(last)], senses),
        *(with_videos_in_parts(message, senses) for message in last),
    )
    messages = tuple(shown_to_model(message, toolbox=toolbox) for message in messages)
    tools = () if toolbox is None else toolbox.definitions
    questions = () if question is None else (with_videos_in_parts(question, senses),)
    model_messages = (each for message in (*messages, *questions) for each in to_model_messages(message))
    prompt = chat_input(resolved, model_messages, facts=facts, summary=branch.summary_text)
    # Small models call tools that do not exist; the result of such a call lists those that do.
    return msgspec.structs.replace(prompt, tools=tools, tool_choice=ToolChoice(unknown=bool(tools)))


def shown_to_model(message: ChatMessage, *, toolbox: Toolbox | None) -> ChatMessage:
    """Return an answer with as many images of tool results as the model's context holds."""
    if toolbox is None:
        return message
    return with_latest_pictures(message, most=max(1, toolbox.max_result_tokens // TYPICAL_PICTURE_TOKENS))


def by_message(measure: PromptMeasure, messages: Iterable[ChatMessage]) -> PromptMeasure:
    """Return ``measure`` with the parts of each of ``messages`` added up.

    The measured prompt begins with ``to_model_messages`` of each message; what follows them is unchanged.
    """
    rest, totals, n_dropped = list(measure.messages), list[MessageTokens](), measure.n_dropped
    for index, message in enumerate(messages):
        n_parts = len(to_model_messages(message))
        parts, rest = rest[:n_parts], rest[n_parts:]
        if index < n_dropped:
            n_dropped -= n_parts - 1
        totals.append(
            MessageTokens(sum(part.n_tokens for part in parts), sum(part.n_attached for part in parts))
        )
    return msgspec.structs.replace(measure, messages=(*totals, *rest), n_dropped=n_dropped)


class PreparedRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request, and what it was built from."""

    request: GenerationRequest
    branch: Branch
    policy: FullContext
    toolbox: Toolbox | None = None
    """The tools that the model may call; ``None`` where it has none."""
    collections: tuple[CollectionId, ...] = ()
    """The collections of the chat and of its folder."""
    problem: str = ""
    """Why a summary could not be written, as a sentence; empty where that did not happen."""

    @property
    def n_summarised(self) -> int:
        """The number of messages that the summary replaces."""
        return 0 if self.branch.summary is None else self.branch.summary.n_messages


def with_replay(prepared: PreparedRequest, replay: Replay | None) -> PreparedRequest:
    """Return ``prepared`` with an answer that begins with ``replay``, if that is given."""
    if replay is None:
        return prepared
    task = msgspec.structs.replace(prepared.request.task, replay=replay)
    return msgspec.structs.replace(prepared, request=msgspec.structs.replace(prepared.request, task=task))


class RequestPreparation:
    """Builds requests from the store and the settings; it does not send them."""

    def __init__(self, context: ServiceContext, *, collections: CollectionService | None = None) -> None:
        """Without ``collections`` no request has tools for documents."""
        self._collections = collections
        self._emit = context.emit
        self._store = context.store
        self._preferences = context.preferences
        self._next_id = context.next_id
        self._tool_servers = context.tool_servers
        self._web = context.web
        self._python = context.python
        self._skills = context.skills

    async def build(
        self, spec: ModelSpec, *, answer: StoredMessage, run: Mapping[str, SettingValue]
    ) -> PreparedRequest:
        """Return the request for ``answer``, which continues text that the answer already has.

        Raises ``SettingInvalid`` where settings disagree, ``chat_stays_local`` where the model belongs to
        another engine and the chat must stay on this computer, and ``StorageError``.
        """
        resolved = await self._preferences.resolved(
            model_id=spec.id, conversation_id=answer.conversation_id, run=run
        )
        if spec.remote is not None and stays_local(resolved):
            raise RemoteError.of("chat_stays_local", host=spec.remote.host)
        path = await self._store.messages.path_to(answer.id)
        policy = full_context(resolved)
        summary = await self._store.summaries.for_branch(answer.id) if policy is FullContext.COMPACT else None
        branch = branch_of(path[:-1], summary=summary, policy=policy)
        options = load_options_for(spec, resolved)
        path = (*path[:-1], answer)
        collections = await self.collections(resolved, answer.conversation_id)
        facts = await self.facts(spec, resolved, path)
        toolbox = await self.toolbox(
            spec, resolved, path, options=options, collections=collections, remembers=bool(facts)
        )
        prompt = branch_input(resolved, branch, senses=spec.senses, toolbox=toolbox, facts=facts)
        (begun,) = perceived((answer.message,), spec.senses)
        begun = shown_to_model(begun, toolbox=toolbox)
        request = GenerationRequest(
            request_id=self._next_id(),
            spec=spec,
            options=options,
            task=make_task(
                resolved,
                with_continuation(prompt, begun),
                owner=self._store.name_of(answer.conversation_id),
                stays_in_memory=is_temporary(answer.conversation_id),
            ),
            keep_alive_s=keep_alive_s(resolved),
        )
        return PreparedRequest(
            request=request, branch=branch, policy=policy, toolbox=toolbox, collections=collections
        )

    async def rebuild(
        self, prepared: PreparedRequest, *, answer: StoredMessage, run: Mapping[str, SettingValue]
    ) -> PreparedRequest:
        """Return ``prepared`` built again from what is stored now, with the same request id and replay."""
        rebuilt = await self.build(prepared.request.spec, answer=answer, run=run)
        request = msgspec.structs.replace(rebuilt.request, request_id=prepared.request.request_id)
        return with_replay(msgspec.structs.replace(rebuilt, request=request), prepared.request.task.replay)

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
        """Return the tools for the answer at the end of ``path``; ``None`` where no tool is enabled, or the
        model cannot call them.

        ``collections`` are those of the chat; ``remembers`` is whether the prompt contains ``facts``.
        """
        if tool_ability(spec, template=template(resolved)) is ToolAbility.NONE:
            return None
        enabled = tool_options(resolved)
        if path and is_temporary(path[-1].conversation_id):
            switches = tuple(key for key in enabled.switches if key != MEMORY)
            enabled = msgspec.structs.replace(enabled, switches=switches)
        server_tools = await self._tool_servers.tools(enabled.servers)
        documents = self._documents(path, collections) if DOCUMENTS in enabled.switches else None
        if documents is None:
            switches = tuple(key for key in enabled.switches if key != DOCUMENTS)
            enabled = msgspec.structs.replace(enabled, switches=switches)
        skills = await self._skills.ready(enabled.skills)
        if not (enabled.switches or server_tools or skills):
            return None
        from fireside.chat.tools.chat_skills import chat_skills
        from fireside.chat.tools.toolbox import make_toolbox  # not imported for chats without tools

        folder = await self._store.folders.folder_of(path[-1].conversation_id) if path else None
        return make_toolbox(
            enabled,
            path,
            n_ctx=_n_ctx(spec, options),
            store=self._store,
            web=self._web,
            server_tools=server_tools,
            documents=documents,
            python=await self._python_access(enabled, path, skills),
            skills=chat_skills(self._skills, skills, has_python=PYTHON in enabled.switches),
            remembers=remembers,
            project="" if folder is None else folder.name,
            remembered=lambda: self._emit(FactsChanged()),
            host="" if spec.remote is None else spec.remote.host,
        )

    async def _python_access(
        self, options: ToolOptions, path: Sequence[StoredMessage], skills: Sequence[Skill]
    ) -> PythonAccess | None:
        """Return what runs code for the chat of ``path``; ``None`` where that is off."""
        if PYTHON not in options.switches:
            return None
        from fireside.chat.tools.chat_python import chat_python  # few chats use it

        return await chat_python(self._python, options, path, skills=skills)

    def _documents(self, path: Sequence[StoredMessage], ids: Sequence[CollectionId]) -> DocumentAccess | None:
        """Return what the tools for documents work with; ``None`` where the chat has no collections."""
        if self._collections is None or not ids:
            return None
        from fireside.chat.tools.chat_documents import ChatDocuments  # few chats use these tools
        from fireside.tools.documents import NoDocuments

        question_id = path[-1].parent_id if path else None
        if question_id is None:
            return NoDocuments()  # before the first question, tools are only counted
        return ChatDocuments(
            self._collections, ids, store=self._store, emit=self._emit, question_id=question_id
        )

    async def collections(
        self, resolved: Resolved, conversation_id: ConversationId | None
    ) -> tuple[CollectionId, ...]:
        """Return the collections of a chat and of its folder, without duplicates."""
        folder = None if conversation_id is None else await self._store.folders.folder_of(conversation_id)
        own = map(CollectionId, attached_collections(resolved))
        return tuple(dict.fromkeys((*own, *(() if folder is None else folder.collections))))

    async def facts(
        self, spec: ModelSpec, resolved: Resolved, path: Sequence[StoredMessage]
    ) -> tuple[str, ...]:
        """Return the remembered facts for the system prompt.

        Those that hold in the chat of ``path``, none in a temporary one. Of those that hold everywhere only
        facts from before it began, so that the prompt's beginning seldom changes within a chat. For a model
        of another engine only where the user's settings allow it.
        """
        options = tool_options(resolved)
        if path and is_temporary(path[0].conversation_id):
            return ()
        if MEMORY not in options.switches or (spec.remote is not None and not options.sends_facts):
            return ()
        facts = await self._store.facts.holding(path[0].conversation_id if path else None)
        return tuple(
            fact.text
            for fact in facts
            if fact.place != EVERYWHERE or not path or fact.created_at < path[0].created_at
        )


def _n_ctx(spec: ModelSpec, options: LoadOptions) -> int:
    """Return the context length for which results of tools are cut, in tokens."""
    if spec.remote is None:
        return effective_n_ctx(options, n_ctx_train=spec.n_ctx_train)
    return location_for_options(spec.remote, options).model.n_ctx or _UNKNOWN_N_CTX
