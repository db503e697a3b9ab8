"""Start, stop and regenerate answers, and know which are being generated."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from fireside.chat.answer_generation import AnswerGeneration
from fireside.chat.context.context_service import ContextService
from fireside.chat.context.prepared_request import PreparedRequest, with_replay
from fireside.chat.stream_writer import NextFrame
from fireside.chat.tools.tool_use import ToolUse
from fireside.chat.user_message import build_user_message, initial_record, title_from, with_whole_reading
from fireside.core.chat import Conversation, MessageState, QueuedMessage, StoredMessage
from fireside.core.errors import FiresideError, RecordNotFound, RequestError
from fireside.core.events import (
    BranchChanged,
    ConversationChanged,
    MessageAdded,
    QueuedMessagesChanged,
)
from fireside.core.for_window import for_window
from fireside.core.ids import ConversationId, DraftId, FolderId, MessageId, ModelId, QueuedMessageId
from fireside.core.message import AttachedPart, Role, text_message
from fireside.core.model import ModelSpec
from fireside.core.options import NO_SETTINGS, SettingValue
from fireside.core.task import Replay
from fireside.engine.request import GenerationRequest
from fireside.services.service_context import ServiceContext
from fireside.storage.store import StoredTurn

if TYPE_CHECKING:
    from fireside.chat.tools.user_run import UserRun


class ActiveGeneration(NamedTuple):
    conversation_id: ConversationId
    generation: AnswerGeneration | UserRun
    task: asyncio.Task[None]


class ActiveGenerations:
    """The registry of running generations; it does not start or stop them."""

    def __init__(self) -> None:
        self._by_answer: dict[MessageId, ActiveGeneration] = {}

    def __iter__(self) -> Iterator[ActiveGeneration]:
        return iter(tuple(self._by_answer.values()))

    def add(
        self,
        conversation_id: ConversationId,
        generation: AnswerGeneration | UserRun,
        task: asyncio.Task[None],
    ) -> None:
        self._by_answer[generation.message_id] = ActiveGeneration(conversation_id, generation, task)

    def remove(self, answer_id: MessageId) -> None:
        """Remove an answer. Does nothing where it is not registered."""
        self._by_answer.pop(answer_id, None)

    def answer(self, answer_id: MessageId) -> ActiveGeneration | None:
        return self._by_answer.get(answer_id)

    def within(self, conversation_id: ConversationId | None) -> tuple[ActiveGeneration, ...]:
        """Return the running generations of a conversation, oldest first."""
        return tuple(each for each in self if each.conversation_id == conversation_id)


log = logging.getLogger(__name__)


_STREAMING: Final = MessageState.STREAMING

SAVE_LIMIT_S = 2.0
"""How long closing waits for answers to be saved. Runners and database need the rest of 5 s."""


class GenerationService:
    """Runs the answers of all conversations: one each, or several siblings when models are compared.

    An answer arrives as ``MessageAdded``, ``TextAppended``, ``AnswerProgressed`` and ``MessageReplaced``.
    """

    def __init__(
        self,
        context: ServiceContext,
        *,
        contexts: ContextService,
        tools: ToolUse,
        clock: Callable[[], float],
        next_frame: NextFrame,
    ) -> None:
        """``clock`` returns seconds, for durations; ``next_frame`` says when streamed text is stored next."""
        self._context = context
        self._store = context.store
        self._engine = context.engine
        self._models = context.models
        self._preferences = context.preferences
        self._emit = context.emit
        self._contexts = contexts
        self._tools = tools
        self._clock = clock
        self._next_frame = next_frame
        self._running = ActiveGenerations()
        self._starting = asyncio.Lock()
        """Held while it is decided which answer of a conversation starts next, and until it has started."""
        self._sending: set[ConversationId] = set()
        self._stopping: set[ConversationId] = set()
        self._is_closed = False

    @for_window
    async def send(
        self,
        conversation_id: ConversationId | None,
        *,
        text: str,
        model_id: ModelId,
        attached: Sequence[AttachedPart] = (),
        settings: Mapping[str, SettingValue] = NO_SETTINGS,
        draft_id: DraftId | None = None,
        folder_id: FolderId | None = None,
        reads_all: bool = False,
    ) -> ConversationId:
        """Commit a user message and start the answer.

        ``None`` as the conversation creates one, with ``settings`` of its own, from the new chat whose draft
        is ``draft_id``, in ``folder_id``, else in the folder of that draft. The text may be empty if files
        are attached. ``reads_all`` reads all documents of the chat for it. Returns once the message is
        committed, before anything is generated, and clears the draft. While an answer is generated, the
        message is queued until that ends well (``QueuedMessagesChanged``). Later failures arrive as events.

        Raises:
            InvalidText: only white space, or characters that no database or model accepts.
            answer_running: another message of this conversation is being sent.
            images_unsupported: images are attached, and the model has no vision.
            SettingInvalid: one of ``settings`` is invalid.
            ModelNotFound, RemoteUnable, RecordNotFound, StorageError.
        """
        spec = self._models.answering_spec(model_id)
        message = build_user_message(text, attached=attached, specs=[spec])
        if reads_all:
            message = with_whole_reading(message)
        title = title_from(text if text.strip() else attached[0].name)
        overrides = self._preferences.checked(settings, model_id=spec.id)
        with self._sending_to(conversation_id):
            async with self._starting:
                if conversation_id is not None and self._running.within(conversation_id):
                    waiting = await self._store.queue.add(conversation_id, message=message, model_id=model_id)
                    self._emit(QueuedMessagesChanged(conversation_id=conversation_id, waiting=waiting))
                    return conversation_id
                stored = await self._store.messages.add_turn(
                    conversation_id,
                    title=title,
                    message=message,
                    generation=initial_record(spec),
                    overrides=overrides,
                    draft_id=draft_id,
                    folder_id=folder_id,
                )
                self._engine.set_priority_owner(self._store.name_of(stored.summary.id))
                self._emit_turn(stored)
                self._start(spec, answer=stored.answer)
        return stored.summary.id

    @for_window
    async def regenerate(
        self,
        message_id: MessageId,
        *,
        model_id: ModelId,
        settings: Mapping[str, SettingValue] = NO_SETTINGS,
        replay: Replay | None = None,
    ) -> None:
        """Generate another answer as a sibling, or the answer of a question without one.

        It begins with ``replay``; ``settings`` apply to this answer only. Raises ``answer_running``,
        ``ModelNotFound`` or ``SettingInvalid``.
        """
        spec = self._models.answering_spec(model_id)
        old = await self._store.messages.get(message_id)
        parent_id = old.id if old.message.role is Role.USER else old.parent_id
        if parent_id is None:
            raise RecordNotFound(what="answer", id=message_id)
        await self._preferences.resolved(model_id=spec.id, conversation_id=old.conversation_id, run=settings)

        async def commit() -> StoredMessage:
            answer = await self._store.messages.add(
                old.conversation_id,
                parent_id=parent_id,
                message=text_message(Role.ASSISTANT, ""),
                state=MessageState.STREAMING,
                generation=initial_record(spec),
            )
            self._emit(BranchChanged(conversation_id=old.conversation_id))
            self._emit(MessageAdded(message=answer))
            return answer

        await self.answer(old.conversation_id, spec=spec, commit=commit, run=settings, replay=replay)

    @for_window
    async def run_code(self, message_id: MessageId, code: str, *, offset: int) -> None:
        """Run Python code as a call of an answer, shown behind ``offset`` characters of its text.

        What comes of it arrives as ``MessageReplaced``; ``stop`` stops it. Raises ``answer_running`` or
        ``RecordNotFound``.
        """
        from fireside.chat.tools.user_run import UserRun  # few chats run any

        async with self._starting:
            answer = await self._store.messages.get(message_id)
            self.refuse_if_running(answer.conversation_id)
            run = UserRun(self._context, answer=answer, code=code, offset=offset)
            task = asyncio.create_task(self._run_generation(run, answer), name=f"run-{answer.id}")
            self._running.add(answer.conversation_id, run, task)

    @for_window
    async def send_queued(self, queued_id: QueuedMessageId) -> None:
        """Send a queued message now.

        Raises ``answer_running``, ``ModelNotFound`` or ``RecordNotFound``; it stays queued then.
        """
        queued = await self._store.queue.get(queued_id)
        spec = self._models.answering_spec(queued.model_id)
        await self.answer(
            queued.conversation_id, spec=spec, commit=lambda: self._commit_queued(queued, spec=spec)
        )

    async def answer(
        self,
        conversation_id: ConversationId,
        *,
        spec: ModelSpec,
        commit: Callable[[], Awaitable[StoredMessage]],
        run: Mapping[str, SettingValue] = NO_SETTINGS,
        replay: Replay | None = None,
    ) -> None:
        """Start the answer whose message ``commit`` stores; text that the message already has is continued.

        Raises ``answer_running`` before anything is stored, or what ``commit`` does.
        """
        async with self._starting:
            self.refuse_if_running(conversation_id)
            self._start(spec, answer=await commit(), run=run, replay=replay)

    async def answer_several(
        self,
        conversation_id: ConversationId | None,
        *,
        runs: Sequence[tuple[ModelSpec, Mapping[str, SettingValue]]],
        commit: Callable[[], Awaitable[tuple[StoredMessage, ...]]],
    ) -> tuple[StoredMessage, ...]:
        """Start an answer for each of ``runs``; ``commit`` stores all their messages at once.

        ``None`` is one that ``commit`` creates. Raises ``answer_running`` before anything is stored,
        or what ``commit`` does.
        """
        with self._sending_to(conversation_id):
            async with self._starting:
                if conversation_id is not None:
                    self.refuse_if_running(conversation_id)
                answers = await commit()
                for (spec, run), answer in zip(runs, answers, strict=True):
                    self._start(spec, answer=answer, run=run)
                return answers

    def starts_blocked(self) -> AbstractAsyncContextManager[None]:
        """Return a context in which no answer starts. Do not wait for an answer in it."""
        return self._starting

    def refuse_if_running(self, conversation_id: ConversationId) -> None:
        """Raise ``answer_running`` while an answer is being generated."""
        if self._running.within(conversation_id):
            raise RequestError.of("answer_running")

    def running_answers(self, conversation_id: ConversationId) -> tuple[MessageId, ...]:
        """Return the running answers of a conversation; several if models are compared."""
        return tuple(each.generation.message_id for each in self._running.within(conversation_id))

    def with_running(self, conversation: Conversation) -> Conversation:
        """Return a conversation that was just read, with its running answers as reported so far."""
        running = {
            each.generation.message_id: each.generation
            for each in self._running.within(conversation.summary.id)
        }
        last = running.get(conversation.messages[-1].id) if conversation.messages else None
        return msgspec.structs.replace(
            conversation,
            messages=tuple(self.reported(message) for message in conversation.messages),
            running=frozenset(
                id_ for id_, generation in running.items() if generation.reported.state is _STREAMING
            ),
            thinking_since=None if last is None else last.thinking_started_at,
        )

    def reported(self, message: StoredMessage) -> StoredMessage:
        """Return a message that was just read, as reported so far."""
        running = self._running.answer(message.id)
        return message if running is None else running.generation.reported

    @property
    def is_answering(self) -> bool:
        """Whether any answer is being generated."""
        return any(True for _ in self._running)

    async def stop_all(self) -> None:
        """Cancel every running answer. Text that has arrived is stored."""
        for conversation_id in {each.conversation_id for each in self._running}:
            await self.stop(conversation_id)

    @for_window
    async def stop(self, conversation_id: ConversationId) -> None:
        """Cancel the running answers of a conversation and return when they are saved.

        Does nothing if none runs. Queued messages stay queued.
        """
        self._stopping.add(conversation_id)
        try:
            while running := self._running.within(conversation_id):
                for each in running:
                    each.generation.cancel()
                await asyncio.wait([each.task for each in running])
        finally:
            self._stopping.discard(conversation_id)

    async def stop_answer(self, answer_id: MessageId) -> None:
        """Cancel one answer and return when it is saved. Does nothing if it does not run."""
        running = self._running.answer(answer_id)
        if running is not None:
            running.generation.cancel()
            await asyncio.wait([running.task])

    async def settled(self, conversation_id: ConversationId) -> None:
        """Return when no answer runs in a conversation any more and the last one is saved."""
        while running := self._running.within(conversation_id):
            await asyncio.wait([each.task for each in running])

    async def close(self) -> None:
        """Cancel every answer and return when all are saved or cannot be, as on a full disk."""
        self._is_closed = True
        running = list(self._running)
        for each in running:
            each.generation.cancel()
        tasks = [each.task for each in running]
        if tasks:
            _, unsaved = await asyncio.wait(tasks, timeout=SAVE_LIMIT_S)
            for task in unsaved:
                task.cancel()
            await asyncio.gather(*unsaved, return_exceptions=True)

    @contextmanager
    def _sending_to(self, conversation_id: ConversationId | None) -> Iterator[None]:
        """Reserve a conversation while one message is being sent, so that two clicks send one."""
        if conversation_id in self._sending:
            raise RequestError.of("answer_running")
        if conversation_id is None:
            yield
            return
        self._sending.add(conversation_id)
        try:
            yield
        finally:
            self._sending.discard(conversation_id)

    def _start(
        self,
        spec: ModelSpec,
        *,
        answer: StoredMessage,
        run: Mapping[str, SettingValue] = NO_SETTINGS,
        replay: Replay | None = None,
    ) -> None:
        """Start a generation. The question is committed, so an error from here on is shown in its answer.

        The answer counts as running before any other code can ask which answers run.
        """

        async def prepare(current: StoredMessage) -> PreparedRequest:
            prepared = await self._contexts.requests.build(spec, answer=current, run=run)
            if current is answer:
                prepared = with_replay(prepared, replay)
            return await self._contexts.prepare(prepared, answer=current, run=run)

        generation = AnswerGeneration(
            context=self._context,
            clock=self._clock,
            next_frame=self._next_frame,
            spec=spec,
            answer=answer,
            prepare=prepare,
            tools=self._tools,
        )
        self._models.record_use(spec.id)
        task = asyncio.create_task(self._run_generation(generation, answer), name=f"answer-{answer.id}")
        self._running.add(answer.conversation_id, generation, task)

    async def _run_generation(self, generation: AnswerGeneration | UserRun, answer: StoredMessage) -> None:
        """Run a generation; if it ends well and no sibling runs, start the next queued message."""
        try:
            if await generation.run():
                async with self._starting:
                    await self._start_next(answer.conversation_id)
        finally:
            self._running.remove(answer.id)

    async def _start_next(self, conversation_id: ConversationId) -> None:
        """Send the first queued message; if that fails, it stays queued."""
        if self._is_closed or conversation_id in self._stopping:
            return
        if len(self._running.within(conversation_id)) > 1:
            return
        try:
            waiting = await self._store.queue.all(conversation_id)
            if not waiting or not waiting[0].message.parts:  # a damaged message is left for the user to see
                return
            spec = self._models.answering_spec(waiting[0].model_id)
            answer = await self._commit_queued(waiting[0], spec=spec)
            self._start(spec, answer=answer)
        except FiresideError as exc:
            log.warning("a message stays queued: %s", exc)

    async def _commit_queued(self, queued: QueuedMessage, *, spec: ModelSpec) -> StoredMessage:
        stored = await self._store.queue.send(queued.id, generation=initial_record(spec))
        waiting = await self._store.queue.all(queued.conversation_id)
        self._emit(QueuedMessagesChanged(conversation_id=queued.conversation_id, waiting=waiting))
        self._emit_turn(stored)
        return stored.answer

    def _emit_turn(self, stored: StoredTurn) -> None:
        self._emit(ConversationChanged(summary=stored.summary))
        self._emit(MessageAdded(message=stored.question))
        self._emit(MessageAdded(message=stored.answer))

    async def request_for(
        self, spec: ModelSpec, *, answer: StoredMessage, run: Mapping[str, SettingValue] = NO_SETTINGS
    ) -> GenerationRequest:
        """Return the request of an answer, which continues text that it already has. Generates nothing."""
        return (await self._contexts.requests.build(spec, answer=answer, run=run)).request
