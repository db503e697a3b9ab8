"""Edit, regenerate, continue, fork, delete and restore messages, and switch between branches."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection

from msgspec.structs import replace

from fireside.chat.generation_service import GenerationService
from fireside.chat.user_message import check_text, initial_record, with_whole_reading
from fireside.core.chat import GenerationRecord, MessageState, StoredMessage, TreeNode
from fireside.core.errors import InvalidParameter, RecordNotFound
from fireside.core.events import (
    BranchChanged,
    ConversationChanged,
    MessageAdded,
    MessagePinned,
    MessageReplaced,
    QueuedMessagesChanged,
)
from fireside.core.for_window import for_window
from fireside.core.i18n import tr_noop
from fireside.core.ids import ConversationId, MessageId, ModelId, QueuedMessageId
from fireside.core.message import AttachedPart, ChatMessage, PassagesPart, Role, TextPart, ToolCallPart
from fireside.core.model import ModelSpec
from fireside.services.service_context import ServiceContext


class Branching:
    """Edits, regenerates and continues messages, and shows and deletes branches.

    Changes are stored before they are reported; an edit makes a new branch. They arrive as events:
    ``BranchChanged`` when another branch is shown, ``MessageReplaced``, ``MessagePinned``,
    ``QueuedMessagesChanged``. Methods that start an answer raise ``answer_running`` while one is being
    generated. All raise ``RecordNotFound`` for a message that no longer exists, and ``StorageError``.
    """

    def __init__(self, context: ServiceContext, *, generations: GenerationService) -> None:
        self._store = context.store
        self._models = context.models
        self._emit = context.emit
        self._generations = generations

    # Edits

    @for_window
    async def edit_question(
        self, message_id: MessageId, *, text: str, model_id: ModelId, without: Collection[int] = ()
    ) -> None:
        """Send an edited question as a sibling of the original, and generate its answer.

        Its attachments stay, but for those at the indexes ``without`` of ``ChatMessage.attached``. Raises
        ``InvalidText``, ``answer_running`` or ``ModelNotFound``.
        """
        spec = self._models.answering_spec(model_id)
        question = await self._of_role(message_id, Role.USER)
        message = _edited_question(question.message, text, without=without)
        # Passages are found anew for the new text.
        parts = tuple(part for part in message.parts if not isinstance(part, PassagesPart))
        await self._add_sibling_question(question, replace(message, parts=parts), spec=spec)

    @for_window
    async def read_everything(self, message_id: MessageId, *, model_id: ModelId) -> None:
        """Ask a question, or that of an answer, again as a sibling, with all documents of the chat read.

        Raises ``answer_running`` or ``ModelNotFound``.
        """
        spec = self._models.answering_spec(model_id)
        question = await self._question_of(message_id)
        await self._add_sibling_question(question, with_whole_reading(question.message), spec=spec)

    @for_window
    async def answer_from_read(self, message_id: MessageId, *, model_id: ModelId) -> None:
        """End reading all documents for a question, and answer from what was read so far.

        Raises ``answer_running``, ``ModelNotFound``, or ``RecordNotFound`` where nothing is being read.
        """
        question = await self._question_of(message_id)
        part = question.message.passages
        if part is None or part.reading is None:
            raise RecordNotFound(what="question", id=message_id)
        self._generations.refuse_if_running(question.conversation_id)
        closed = replace(part, reading=replace(part.reading, is_enough=True))
        self._emit(MessageReplaced(message=await self._store.messages.set_passages(question.id, closed)))
        await self._generations.regenerate(message_id, model_id=model_id)

    async def _add_sibling_question(
        self, sibling: StoredMessage, message: ChatMessage, *, spec: ModelSpec
    ) -> None:
        """Store a question as a sibling of another one, and start its answer."""
        record = initial_record(spec)

        async def commit() -> StoredMessage:
            stored = await self._store.branches.add_sibling_turn(
                sibling.id, message=message, generation=record
            )
            self._emit(ConversationChanged(summary=stored.summary))
            self._emit(BranchChanged(conversation_id=sibling.conversation_id))
            self._emit(MessageAdded(message=stored.question))
            self._emit(MessageAdded(message=stored.answer))
            return stored.answer

        await self._generations.answer(sibling.conversation_id, spec=spec, commit=commit)

    @for_window
    async def replace_question(
        self, message_id: MessageId, *, text: str, without: Collection[int] = ()
    ) -> None:
        """Edit a question in a new branch that keeps its answers. Generates nothing.

        ``without`` is as in ``edit_question``. Raises ``InvalidText`` or ``answer_running``.
        """
        question = await self._of_role(message_id, Role.USER)
        message = _edited_question(question.message, text, without=without)
        self._generations.refuse_if_running(question.conversation_id)
        await self._store.branches.replace_message(message_id, message=message)
        self._emit(BranchChanged(conversation_id=question.conversation_id))

    @for_window
    async def edit_answer(self, message_id: MessageId, *, text: str) -> None:
        """Store an edited answer as a sibling of the original. Generates nothing.

        Raises ``InvalidText`` or ``answer_running``.
        """
        check_text(text)
        answer = await self._of_role(message_id, Role.ASSISTANT)
        self._generations.refuse_if_running(answer.conversation_id)
        record = answer.generation
        await self._store.messages.add(
            answer.conversation_id,
            parent_id=answer.parent_id,
            message=_with_text(answer.message, text),
            generation=GenerationRecord(
                model_id=ModelId("") if record is None else record.model_id,
                model_name="" if record is None else record.model_name,
                edited=True,
            ),
        )
        await self._store.drafts.save_edit(message_id, text=None)
        self._emit(BranchChanged(conversation_id=answer.conversation_id))

    @for_window
    async def save_edit(self, message_id: MessageId, *, text: str | None) -> None:
        """Save the unfinished edit of a message; ``None`` discards it."""
        await self._store.drafts.save_edit(message_id, text=text)

    # Answers

    @for_window
    async def continue_answer(self, message_id: MessageId, *, model_id: ModelId) -> None:
        """Continue an answer from its end, in the same message.

        Raises ``InvalidParameter`` where other messages follow it or it called a tool, ``answer_running`` or
        ``ModelNotFound``.
        """
        spec = self._models.answering_spec(model_id)
        old = await self._of_role(message_id, Role.ASSISTANT)
        if old.message.parts and isinstance(old.message.parts[-1], ToolCallPart):
            raise InvalidParameter(name="message", reason=tr_noop("it ends with a complete tool call."))

        async def commit() -> StoredMessage:
            answer, was_shown = await self._store.branches.reopen_answer(message_id)
            if not was_shown:
                self._emit(BranchChanged(conversation_id=answer.conversation_id))
            self._emit(MessageReplaced(message=answer))
            return answer

        await self._generations.answer(old.conversation_id, spec=spec, commit=commit)

    # Branches

    @for_window
    async def choose_branch(self, message_id: MessageId) -> None:
        """Show the branch that contains this message, down to its newest leaf."""
        conversation_id, has_changed = await self._store.branches.show(message_id)
        if has_changed:
            self._emit(BranchChanged(conversation_id=conversation_id))

    @for_window
    async def tree(self, conversation_id: ConversationId) -> tuple[TreeNode, ...]:
        """Return every message, each after its parent."""
        return await self._store.branches.tree(conversation_id)

    @for_window
    async def fork(self, message_id: MessageId) -> ConversationId:
        """Copy the branch up to a message into a new conversation and return its id.

        The copy uses the same cached prompts: a prefix is identified by its tokens.
        """
        summary = await self._store.branches.fork(message_id)
        self._emit(ConversationChanged(summary=summary))
        return summary.id

    @for_window
    async def delete_from(self, message_id: MessageId) -> None:
        """Hide a message and its descendants; an answer that is being generated there is stopped first."""

        async def is_hidden(running: MessageId) -> bool:
            path = await self._store.messages.path_to(running)
            return any(stored.id == message_id for stored in path)

        await self._hide(message_id, self._store.branches.delete_from, is_hidden=is_hidden)

    @for_window
    async def delete_only(self, message_id: MessageId) -> None:
        """Hide one message; its children take its position."""

        async def is_hidden(running: MessageId) -> bool:
            return running == message_id

        await self._hide(message_id, self._store.branches.delete_only, is_hidden=is_hidden)

    @for_window
    async def restore_from(self, message_id: MessageId) -> None:
        """Restore what ``delete_from`` or ``delete_only`` hid. Possible until the program restarts."""
        self._emit(BranchChanged(conversation_id=await self._store.branches.restore_from(message_id)))

    @for_window
    async def set_pinned(self, message_id: MessageId, *, pinned: bool) -> None:
        conversation_id = await self._store.branches.set_pinned(message_id, pinned=pinned)
        self._emit(MessagePinned(conversation_id=conversation_id, message_id=message_id, pinned=pinned))

    # Queued messages

    @for_window
    async def edit_queued(self, queued_id: QueuedMessageId, *, text: str) -> None:
        """Change the text of a queued message. Raises ``InvalidText``."""
        check_text(text)
        queued = await self._store.queue.get(queued_id)
        waiting = await self._store.queue.change(queued_id, message=_with_text(queued.message, text))
        self._emit(QueuedMessagesChanged(conversation_id=queued.conversation_id, waiting=waiting))

    @for_window
    async def save_queued_edit(self, queued_id: QueuedMessageId, *, text: str | None) -> None:
        """Save the unfinished edit of a queued message; ``None`` discards it."""
        await self._store.queue.save_edit(queued_id, text=text)

    @for_window
    async def cancel_queued(self, queued_id: QueuedMessageId) -> None:
        """Remove a message from the queue; its text and files become the draft."""
        queued = await self._store.queue.get(queued_id)
        waiting = await self._store.queue.remove(queued_id)
        self._emit(QueuedMessagesChanged(conversation_id=queued.conversation_id, waiting=waiting))

    # Internals

    async def _hide(
        self,
        message_id: MessageId,
        hide: Callable[[MessageId], Awaitable[ConversationId]],
        *,
        is_hidden: Callable[[MessageId], Awaitable[bool]],
    ) -> None:
        conversation_id = (await self._store.messages.get(message_id)).conversation_id
        while True:
            for running in self._generations.running_answers(conversation_id):
                if await is_hidden(running):
                    await self._generations.stop_answer(running)
            # An answer may have started meanwhile; it would be written into a hidden branch.
            async with self._generations.starts_blocked():
                running_now = self._generations.running_answers(conversation_id)
                if not any([await is_hidden(running) for running in running_now]):
                    await hide(message_id)
                    break
        self._emit(BranchChanged(conversation_id=conversation_id))

    async def _question_of(self, message_id: MessageId) -> StoredMessage:
        """Return the question of an answer, or the message itself if it is a question."""
        stored = await self._store.messages.get(message_id)
        if stored.message.role is Role.USER:
            return stored
        if stored.parent_id is None:
            raise RecordNotFound(what="question", id=message_id)
        return await self._of_role(stored.parent_id, Role.USER)

    async def _of_role(self, message_id: MessageId, role: Role) -> StoredMessage:
        stored = await self._store.messages.get(message_id)
        if stored.message.role is not role:
            raise RecordNotFound(what="question" if role is Role.USER else "answer", id=message_id)
        if stored.state is MessageState.STREAMING and role is Role.ASSISTANT:
            self._generations.refuse_if_running(stored.conversation_id)
        return stored


def _edited_question(message: ChatMessage, text: str, *, without: Collection[int]) -> ChatMessage:
    """Return a question with a new text, without some of its attachments. Raises ``InvalidText``."""
    attached = [n for n, part in enumerate(message.parts) if isinstance(part, AttachedPart)]
    removed = {place for index, place in enumerate(attached) if index in without}
    if text.strip() or len(removed) == len(attached):
        check_text(text)
    kept = tuple(part for n, part in enumerate(message.parts) if n not in removed)
    if not text.strip():
        return replace(message, parts=tuple(part for part in kept if not isinstance(part, TextPart)))
    return _with_text(replace(message, parts=kept), text)


def _with_text(message: ChatMessage, text: str) -> ChatMessage:
    """Return a message whose only text is ``text``: where its first one was, or after its tool calls."""
    new = TextPart(text=text)
    parts = list(message.parts)
    indexes = [index for index, part in enumerate(parts) if isinstance(part, TextPart)]
    if not indexes or message.tool_calls:
        return replace(message, parts=(*(part for part in parts if not isinstance(part, TextPart)), new))
    parts[indexes[0]] = new
    return replace(message, parts=tuple(part for n, part in enumerate(parts) if n not in indexes[1:]))
