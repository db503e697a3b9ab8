"""Inspect an answer: the prompt that its model saw, and the probability of each token."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import aclosing
from typing import Final

from msgspec.structs import replace

from fireside.chat.generation_service import GenerationService
from fireside.chat.token_scoring import TokenScores, unpack_ids, unpack_scores
from fireside.core.chat import StoredMessage
from fireside.core.errors import RecordNotFound, error_from_info
from fireside.core.for_window import for_window
from fireside.core.generation import Failed, Finished, FinishReason, Priority, PromptProgress, TextDelta
from fireside.core.i18n import number, tr
from fireside.core.ids import ConversationId, MessageId, ModelId
from fireside.core.inspection import N_ALTERNATIVES, AnswerProbabilities, ScoringProgressed, SeenPrompt
from fireside.core.message import ChatMessage, Role
from fireside.core.options import SettingValue
from fireside.core.preset import SYSTEM_PROMPT_KEY
from fireside.core.project import PROJECT_INSTRUCTIONS_KEY
from fireside.core.prompt_input import ChatInput
from fireside.core.prompt_query import PromptPreviewRequest
from fireside.core.status import ready_state
from fireside.core.task import Replay
from fireside.engine.request import GenerationRequest
from fireside.services.service_context import ServiceContext
from fireside.settings import conversions
from fireside.storage.store import RunParameters

REASONING_KEY: Final = "answer.reasoning"


class InspectionService:
    """Shows an answer's prompt as tokens and the probabilities of its tokens.

    All methods raise ``RecordNotFound`` for messages that are not answers, and ``ModelNotFound``.
    """

    def __init__(self, context: ServiceContext, *, generations: GenerationService) -> None:
        self._store = context.store
        self._engine = context.engine
        self._models = context.models
        self._preferences = context.preferences
        self._emit = context.emit
        self._generations = generations

    @for_window
    async def prompt(self, message_id: MessageId) -> SeenPrompt | None:
        """Return the prompt of an answer as tokens; ``None`` while its model is not loaded.

        The model's runner builds it with the settings of that time, as far as they were stored.
        ``SeenPrompt.notes`` says what differs.

        Raises:
            RequestError: the prompt does not fit, or its template fails.
        """
        answer, parameters = await self._answer(message_id)
        request = await self._request(answer, parameters)
        preview = await self._engine.ask(request.spec.id, PromptPreviewRequest(task=request.task))
        ready = ready_state(self._engine.statuses(), request.spec.id)
        if preview is None or ready is None:
            return None
        prompt = SeenPrompt(
            tokens=preview.tokens,
            truncation=preview.truncation,
            n_ctx=ready.loaded.n_ctx,
            model_name=request.spec.name,
            project=await self._project(answer, request),
        )
        changed = await self._has_changed(answer, parameters)
        return replace(
            prompt, notes=_notes(prompt, answer=answer, parameters=parameters, has_changed=changed)
        )

    @for_window
    async def probabilities(self, message_id: MessageId) -> AnswerProbabilities | None:
        """Return the probability of each token of an answer; ``None`` if the engine was stopped meanwhile.

        Probabilities that were stored with the answer are returned at once. Otherwise the model evaluates the
        answer again with the lowest priority, until the call is cancelled; progress arrives as
        ``ScoringProgressed``.

        Raises:
            FiresideError: the answer could not be evaluated.
        """
        answer, parameters = await self._answer(message_id)
        if parameters is not None and (tokens := unpack_scores(parameters.probabilities)):
            return AnswerProbabilities(tokens=tokens, is_recorded=True)
        replay = await self._replay(answer, parameters)
        request = await self._request(answer, parameters)
        task = replace(
            request.task,
            replay=replay,
            priority=Priority.BACKGROUND,
            constraint=None,
            sampling=replace(request.task.sampling, top_logprobs=N_ALTERNATIVES),
        )
        return await self._score(replace(request, task=task), answer=answer, replay=replay)

    @for_window
    async def continue_from(self, message_id: MessageId, *, tokens: tuple[int, ...]) -> None:
        """Generate a sibling of this answer that begins with ``tokens`` of its model.

        Raises ``answer_running``.
        """
        answer, parameters = await self._answer(message_id)
        await self._generations.regenerate(
            message_id,
            model_id=_model_of(answer),
            settings=_settings_of(parameters),
            replay=Replay(tokens=tokens),
        )

    async def _answer(self, message_id: MessageId) -> tuple[StoredMessage, RunParameters | None]:
        answer = await self._store.messages.get(message_id)
        if answer.message.role is not Role.ASSISTANT:
            raise RecordNotFound(what="answer", id=message_id)
        return answer, await self._store.messages.run_parameters(message_id)

    async def _project(self, answer: StoredMessage, request: GenerationRequest) -> str:
        """Return the project whose instructions are in the prompt of an answer."""
        folder = await self._store.folders.folder_of(answer.conversation_id)
        prompt = request.task.prompt
        if folder is None or not folder.instructions.strip() or not isinstance(prompt, ChatInput):
            return ""
        first = next(iter(prompt.messages), None)
        is_in = first is not None and first.role is Role.SYSTEM and folder.instructions.strip() in first.text
        return folder.name if is_in else ""

    async def _request(self, answer: StoredMessage, parameters: RunParameters | None) -> GenerationRequest:
        """Return the request of the answer; a loaded model keeps its load options."""
        spec = self._models.chat_spec(_model_of(answer))
        empty = replace(answer, message=ChatMessage(role=Role.ASSISTANT, parts=()))
        request = await self._generations.request_for(spec, answer=empty, run=_settings_of(parameters))
        ready = ready_state(self._engine.statuses(), spec.id)
        return request if ready is None else replace(request, options=ready.options)

    async def _replay(self, answer: StoredMessage, parameters: RunParameters | None) -> Replay:
        if parameters is not None and (ids := unpack_ids(parameters.tokens)):
            return Replay(tokens=ids, ends=True)
        raw = await self._store.messages.raw_output(answer.id)
        if raw is not None:
            return Replay(text=raw, parse_special=True, ends=True)
        return Replay(text=answer.message.text, ends=True)

    async def _score(
        self, request: GenerationRequest, *, answer: StoredMessage, replay: Replay
    ) -> AnswerProbabilities | None:
        scores = TokenScores(
            replay, report=lambda fraction: self._report(answer.conversation_id, answer.id, fraction)
        )
        async with aclosing(self._engine.generate(request)) as stream:
            async for event in stream:
                match event:
                    case PromptProgress():
                        scores.on_prompt(n_done=event.n_done, n_total=event.n_total)
                    case TextDelta():
                        scores.on_output(event)
                    case Failed(error=error):
                        raise error_from_info(error)
                    case Finished(reason=FinishReason.CANCELLED):
                        return None
                    case _:
                        pass
        return AnswerProbabilities(tokens=tuple(scores.tokens), is_retokenised=not replay.tokens)

    def _report(self, conversation_id: ConversationId, message_id: MessageId, fraction: float) -> None:
        self._emit(
            ScoringProgressed(conversation_id=conversation_id, message_id=message_id, fraction=fraction)
        )

    async def _has_changed(self, answer: StoredMessage, parameters: RunParameters | None) -> bool:
        if parameters is None:
            return False
        resolved = await self._preferences.resolved(
            model_id=_model_of(answer), conversation_id=answer.conversation_id
        )
        current = (conversions.system_prompt(resolved), conversions.reasoning(resolved))
        return current != (parameters.system_prompt, parameters.reasoning)


def _model_of(answer: StoredMessage) -> ModelId:
    return ModelId("") if answer.generation is None else answer.generation.model_id


def _settings_of(parameters: RunParameters | None) -> Mapping[str, SettingValue]:
    """Return the recorded settings that affect the prompt."""
    if parameters is None:
        return {}
    settings: dict[str, SettingValue] = {REASONING_KEY: parameters.reasoning.value}
    if parameters.system_prompt is not None:
        # It was recorded with the instructions of the project.
        settings |= {SYSTEM_PROMPT_KEY: parameters.system_prompt, PROJECT_INSTRUCTIONS_KEY: ""}
    return settings


def _notes(
    seen: SeenPrompt, *, answer: StoredMessage, parameters: RunParameters | None, has_changed: bool
) -> tuple[str, ...]:
    notes = []
    record = answer.generation
    if parameters is None or parameters.system_prompt is None:
        notes.append(
            tr("This answer’s settings were not recorded. The prompt is built with the current ones.")
        )
    elif has_changed:
        notes.append(
            tr("Settings have changed since. This is the original prompt, not that of a new answer.")
        )
    if record is not None and record.n_ctx is not None and record.n_ctx != seen.n_ctx:
        notes.append(
            tr("The context length is {now} tokens now; it was {then} for this answer.").format(
                now=number(seen.n_ctx), then=number(record.n_ctx)
            )
        )
    usage = None if record is None else record.usage
    if usage is not None and usage.n_prompt != len(seen.tokens):
        notes.append(
            tr("This answer’s prompt had {read} tokens, not {expected}: something differed.").format(
                read=number(usage.n_prompt), expected=number(len(seen.tokens))
            )
        )
    return tuple(notes)
