"""Answers that run now: start, stop, answer again, count."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec

from fireside.chat.conversations import title_from
from fireside.chat.models import Models
from fireside.chat.preferences import Preferences
from fireside.chat.requests import Resolved, chat_input, make_task, options_for
from fireside.chat.turn import Turn
from fireside.core.chat import GenerationRecord, MessageState, StoredMessage
from fireside.core.errors import AnswerRunning, FiresideError, InvalidText, NotStored
from fireside.core.events import AppEvent, BranchChanged, ConversationChanged, MessageAdded, MessageReplaced
from fireside.core.ids import ConversationId, MessageId, ModelId, RequestId
from fireside.core.message import Role, text_message
from fireside.core.model import ModelSpec
from fireside.core.prompt_input import ChatInput
from fireside.core.status import ContextUse, Ready
from fireside.engine.engine import Engine
from fireside.engine.request import GenerationRequest
from fireside.settings.typed import keep_alive_s
from fireside.storage.store import Store

SAVE_LIMIT_S = 2.0
"""How long closing waits for answers to be saved: of 5 s, so that runners and database have the rest."""


class Turns:
    """At most one running answer a conversation; each is a task that ends by itself."""

    def __init__(
        self,
        *,
        store: Store,
        engine: Engine,
        models: Models,
        preferences: Preferences,
        emit: Callable[[AppEvent], None],
        clock: Callable[[], float],
        next_id: Callable[[], RequestId],
    ) -> None:
        """``next_id`` gives each request a number of its own."""
        self._store = store
        self._engine = engine
        self._models = models
        self._preferences = preferences
        self._emit = emit
        self._clock = clock
        self._next_id = next_id
        self._running: dict[ConversationId, tuple[Turn, asyncio.Task[None]]] = {}
        self._starting: set[ConversationId] = set()

    async def send(
        self, conversation_id: ConversationId | None, *, text: str, model_id: ModelId
    ) -> ConversationId:
        """Commit a user's message and start its answer; ``None`` creates the conversation.

        Returns once the message is committed, before anything runs.

        Raises:
            InvalidText: nothing but white space, or characters that no database or model takes.
            AnswerRunning, ModelNotFound, NotStored, StorageError.
        """
        check_text(text)
        spec = self._models.chat_spec(model_id)
        with self._claimed(conversation_id):
            stored = await self._store.add_turn(
                conversation_id,
                title=title_from(text),
                message=text_message(Role.USER, text),
                generation=GenerationRecord(model_id=spec.id, model_name=spec.name),
            )
            self._emit(ConversationChanged(summary=stored.summary))
            self._emit(MessageAdded(message=stored.question))
            self._emit(MessageAdded(message=stored.answer))
            await self._start(spec, answer=stored.answer)
        return stored.summary.id

    async def regenerate(self, message_id: MessageId, *, model_id: ModelId) -> None:
        """Answer again in a new branch beside an assistant message."""
        spec = self._models.chat_spec(model_id)
        old = await self._store.get_message(message_id)
        if old.message.role is not Role.ASSISTANT or old.parent_id is None:
            raise NotStored(what="answer", id=message_id)
        with self._claimed(old.conversation_id):
            answer = await self._store.add_message(
                old.conversation_id,
                parent_id=old.parent_id,
                message=text_message(Role.ASSISTANT, ""),
                state=MessageState.STREAMING,
                generation=GenerationRecord(model_id=spec.id, model_name=spec.name),
            )
            self._emit(BranchChanged(conversation_id=old.conversation_id))
            await self._start(spec, answer=answer)

    async def stop(self, conversation_id: ConversationId) -> None:
        """Cancel the running answer and return when it is saved. Does nothing where none runs."""
        running = self._running.get(conversation_id)
        if running is not None:
            turn, _ = running
            turn.cancel()
            await self.settled(conversation_id)

    async def settled(self, conversation_id: ConversationId) -> None:
        """Return when no answer runs in a conversation any more and the last one is saved."""
        while conversation_id in self._running:
            _, task = self._running[conversation_id]
            await asyncio.shield(task)

    async def count_context(
        self, conversation_id: ConversationId | None, *, draft: str, model_id: ModelId
    ) -> ContextUse | None:
        """Count with the model's own tokenizer; ``None`` while it is not loaded."""
        ready = next(
            (
                status.state
                for status in self._engine.statuses()
                if status.model_id == model_id and isinstance(status.state, Ready)
            ),
            None,
        )
        if ready is None:
            return None
        resolved = await self._preferences.resolved(model_id=model_id, conversation_id=conversation_id)
        history: tuple[StoredMessage, ...] = ()
        if conversation_id is not None:
            history = (await self._store.open_conversation(conversation_id)).messages
        counted = await self._engine.count_tokens(
            model_id, messages=_prompt(resolved, history).messages, draft=draft
        )
        if counted is None:
            return None
        n_history, n_draft = counted
        return ContextUse(n_history=n_history, n_draft=n_draft, n_ctx=ready.loaded.n_ctx)

    async def close(self) -> None:
        """Cancel every answer and return when all are saved, or cannot be: a full disk is not waited for."""
        running = list(self._running.values())
        for turn, _ in running:
            turn.cancel()
        tasks = [task for _, task in running]
        if tasks:
            _, unsaved = await asyncio.wait(tasks, timeout=SAVE_LIMIT_S)
            for task in unsaved:
                task.cancel()
            await asyncio.gather(*unsaved, return_exceptions=True)

    @contextmanager
    def _claimed(self, conversation_id: ConversationId | None) -> Iterator[None]:
        """Keep a conversation for one new answer while it is being started: two clicks give one answer."""
        if conversation_id in self._running or conversation_id in self._starting:
            raise AnswerRunning
        if conversation_id is None:
            yield
            return
        self._starting.add(conversation_id)
        try:
            yield
        finally:
            self._starting.discard(conversation_id)

    async def _start(self, spec: ModelSpec, *, answer: StoredMessage) -> None:
        """Start the answer's turn. The question is committed: what goes wrong now is shown in its answer."""
        try:
            request = await self._request(spec, answer=answer)
        except FiresideError as exc:
            failed = msgspec.structs.replace(answer, state=MessageState.FAILED, error=exc.info())
            await self._store.finish_message(failed)
            self._emit(MessageReplaced(message=failed))
            return
        turn = Turn(
            store=self._store,
            engine=self._engine,
            emit=self._emit,
            clock=self._clock,
            request=request,
            answer=answer,
        )
        self._models.note_used(spec.id)
        task = asyncio.create_task(turn.run(), name=f"turn-{answer.id}")
        self._running[answer.conversation_id] = (turn, task)
        task.add_done_callback(lambda _: self._running.pop(answer.conversation_id, None))

    async def _request(self, spec: ModelSpec, *, answer: StoredMessage) -> GenerationRequest:
        resolved = await self._preferences.resolved(model_id=spec.id, conversation_id=answer.conversation_id)
        history = await self._store.path_to(answer.id)
        return GenerationRequest(
            request_id=self._next_id(),
            spec=spec,
            options=options_for(spec, resolved),
            task=make_task(
                resolved, _prompt(resolved, history[:-1]), owner=self._store.name_of(answer.conversation_id)
            ),
            keep_alive_s=keep_alive_s(resolved),
        )


def check_text(text: str) -> None:
    """Raise ``InvalidText`` for a message that cannot be stored or shown to a model."""
    if not text.strip():
        raise InvalidText(reason="it is empty.")
    if "\x00" in text:
        raise InvalidText(reason="it holds a NUL character, which is not text. Was a binary file pasted?")
    try:
        text.encode()
    except UnicodeEncodeError as exc:
        raise InvalidText(
            reason="it holds half of a character (a lone surrogate). Delete it or paste the text again."
        ) from exc


def _prompt(resolved: Resolved, history: tuple[StoredMessage, ...]) -> ChatInput:
    return chat_input(resolved, (stored.message for stored in history))
