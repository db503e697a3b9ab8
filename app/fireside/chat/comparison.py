"""Answer one question with two to four models or settings, in sibling branches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fireside.chat.change_counter import ChangeCounter
from fireside.chat.generation_service import GenerationService
from fireside.chat.user_message import build_user_message, initial_record, title_from
from fireside.core.chat import (
    MAX_COLUMNS,
    MIN_COLUMNS,
    ComparedColumn,
    Comparison,
    MessageState,
    StoredMessage,
)
from fireside.core.errors import InvalidParameter, RecordNotFound
from fireside.core.events import BranchChanged, ConversationChanged, MessageAdded
from fireside.core.for_window import for_window
from fireside.core.i18n import tr_noop
from fireside.core.ids import ConversationId, DraftId, MessageId, ModelId
from fireside.core.message import AttachedPart, Role, text_message
from fireside.core.model import ModelSpec
from fireside.core.options import SettingValue
from fireside.services.service_context import ServiceContext

_Runs = Sequence[tuple[ModelSpec, Mapping[str, SettingValue]]]


class ComparisonService:
    """Compares answers of several models, which are siblings; nothing else is stored.

    They are ordinary branches, of which ``Branching.choose_branch`` selects one. Their events are the usual
    ones, with the id of the answer. The engine runs answers one after the other where their models do not fit
    into memory together.
    """

    def __init__(
        self, context: ServiceContext, *, generations: GenerationService, changes: ChangeCounter
    ) -> None:
        self._store = context.store
        self._models = context.models
        self._preferences = context.preferences
        self._emit = context.emit
        self._generations = generations
        self._changes = changes

    @for_window
    async def ask(
        self,
        conversation_id: ConversationId | None,
        *,
        text: str,
        columns: Sequence[ComparedColumn],
        attached: Sequence[AttachedPart] = (),
        draft_id: DraftId | None = None,
    ) -> Comparison:
        """Send a message and generate one answer for each of two to four ``columns``.

        ``None`` creates a conversation from the new chat ``draft_id``. Raises what ``GenerationClient.send``
        raises, and ``answer_running`` while an answer is generated.
        """
        runs = await self._runs(columns, conversation_id=conversation_id)
        message = build_user_message(text, attached=attached, specs=[spec for spec, _ in runs])
        title = title_from(text if text.strip() else attached[0].name)
        questions: list[StoredMessage] = []

        async def commit() -> tuple[StoredMessage, ...]:
            stored = await self._store.messages.add_turn(
                conversation_id,
                title=title,
                message=message,
                generation=initial_record(runs[0][0]),
                draft_id=draft_id,
            )
            questions.append(stored.question)
            others = [await self._add_answer(stored.question, spec=spec) for spec, _ in runs[1:]]
            await self._store.messages.set_active_leaf(stored.answer.id)
            self._emit(ConversationChanged(summary=stored.summary))
            for added in (stored.question, stored.answer, *others):
                self._emit(MessageAdded(message=added))
            self._emit(BranchChanged(conversation_id=stored.summary.id))
            return (stored.answer, *others)

        answers = await self._generations.answer_several(conversation_id, runs=runs, commit=commit)
        return await self._comparison(questions[0], [answer.id for answer in answers])

    @for_window
    async def answer(self, message_id: MessageId, *, columns: Sequence[ComparedColumn]) -> Comparison:
        """Generate one answer for each of ``columns``, as siblings of an answer or after a question.

        The result has the new answers only.

        Raises:
            InvalidParameter: fewer than two columns or more than four.
            answer_running, ModelNotFound, SettingInvalid, RecordNotFound.
        """
        question = await self._question_of(message_id)
        runs = await self._runs(columns, conversation_id=question.conversation_id)

        async def commit() -> tuple[StoredMessage, ...]:
            answers = [await self._add_answer(question, spec=spec) for spec, _ in runs]
            await self._store.messages.set_active_leaf(answers[0].id)
            self._emit(BranchChanged(conversation_id=question.conversation_id))
            for stored in answers:
                self._emit(MessageAdded(message=stored))
            return tuple(answers)

        answers = await self._generations.answer_several(question.conversation_id, runs=runs, commit=commit)
        return await self._comparison(question, [answer.id for answer in answers])

    @for_window
    async def open(self, message_id: MessageId) -> Comparison:
        """Return all answers to a question, which is the message itself or the one that it answers."""
        question = await self._question_of(message_id)
        return await self._comparison(question, await self._store.messages.answers_to(question.id))

    @for_window
    async def stop(self, message_id: MessageId) -> None:
        """Cancel one answer; the others continue. Its text so far is kept."""
        await self._generations.stop_answer(message_id)

    async def _comparison(self, question: StoredMessage, ids: Sequence[MessageId]) -> Comparison:
        """Return the answers as reported so far."""

        async def read() -> list[StoredMessage]:
            return [await self._store.messages.get(each) for each in ids]

        answers = tuple(self._generations.reported(answer) for answer in await self._changes.unchanged(read))
        return Comparison(conversation_id=question.conversation_id, question=question, answers=answers)

    async def _question_of(self, message_id: MessageId) -> StoredMessage:
        stored = await self._store.messages.get(message_id)
        if stored.message.role is Role.USER:
            return stored
        if stored.parent_id is None:
            raise RecordNotFound(what="answer", id=message_id)
        return await self._store.messages.get(stored.parent_id)

    async def _runs(
        self, columns: Sequence[ComparedColumn], *, conversation_id: ConversationId | None
    ) -> _Runs:
        """Return model and settings of each answer; raise now what would otherwise fail later."""
        if not MIN_COLUMNS <= len(columns) <= MAX_COLUMNS:
            raise InvalidParameter(name="columns", reason=tr_noop("compare two to four answers."))
        runs = []
        for column in columns:
            spec = self._models.answering_spec(ModelId(column.model_id))
            await self._preferences.resolved(
                model_id=spec.id, conversation_id=conversation_id, run=column.settings
            )
            runs.append((spec, column.settings))
        return runs

    async def _add_answer(self, question: StoredMessage, *, spec: ModelSpec) -> StoredMessage:
        return await self._store.messages.add(
            question.conversation_id,
            parent_id=question.id,
            message=text_message(Role.ASSISTANT, ""),
            state=MessageState.STREAMING,
            generation=initial_record(spec),
        )
