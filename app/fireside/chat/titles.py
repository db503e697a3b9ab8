"""Have the model write the title of a conversation after its first answer, while no request waits."""

from __future__ import annotations

import asyncio
import logging
import re
from contextlib import aclosing
from typing import Final

from fireside.chat.user_message import TITLE_CHARACTERS
from fireside.core.chat import MessageState, StoredMessage, TitleSource
from fireside.core.errors import FiresideError
from fireside.core.events import AppEvent, BranchChanged, ConversationChanged, MessageAdded, MessageReplaced
from fireside.core.generation import Failed, Finished, FinishReason, OutputKind, Overflow, Priority, TextDelta
from fireside.core.ids import ConversationId, ModelId, is_temporary
from fireside.core.message import Role, text_message
from fireside.core.options import SamplingParams
from fireside.core.status import ready_state
from fireside.core.task import GenerationTask
from fireside.engine.request import GenerationRequest
from fireside.services.request_builder import chat_input
from fireside.services.service_context import ServiceContext
from fireside.settings.conversions import keep_alive_s, titles_by_model

log = logging.getLogger(__name__)

MIN_PARAMETERS: Final = 1_000_000_000
"""Titles of smaller models are worse than a conversation's first words: all of ten by SmolLM2 135M were."""
SETTLE_S: Final = 1.5
"""Seconds after the answer: enough for the runner to save the conversation's state, and a user who sends the
next message at once does not have to wait."""
TITLE_PROMPT: Final = (
    "Write a title for this conversation: two to six words, in the language of the conversation. "
    "Answer with the title alone."
)
_SAMPLING: Final = SamplingParams(temperature=0, max_tokens=16)
_COMPLETED: Final = (FinishReason.STOP, FinishReason.LENGTH)
_LABEL: Final = re.compile(r"(?:the )?(?:title|titel|titre|título|标题|タイトル)\s*[:：]\s*", re.IGNORECASE)
_PUNCTUATION: Final = " \t\"'`*_#“”„‘’«»「」『』《》.,;:!-–—"
_CHATTER: Final = re.compile(
    r"(?:sure|certainly|of course|here is|here[’']s|i[’']m|i am|i can|i cannot|sorry|as an ai|okay|ok)\b",
    re.IGNORECASE,
)
_MIN_LETTERS: Final = 2


class Titles:
    """Requests titles at the lowest priority. All methods on the engine's loop.

    A title that the user gave is never replaced, and no model is loaded for one. The conversation stays in
    the prompt cache, since the request begins with the same messages and has no owner.
    """

    def __init__(self, context: ServiceContext, *, settle_s: float = SETTLE_S) -> None:
        """``settle_s`` is the pause between an answer and the request for a title."""
        self._store = context.store
        self._engine = context.engine
        self._models = context.models
        self._preferences = context.preferences
        self._emit = context.emit
        self._next_id = context.next_id
        self._settle_s = settle_s
        self._running: dict[ConversationId, asyncio.Task[None]] = {}

    def observe(self, event: AppEvent) -> None:
        """Request a title after a first answer; cancel that when the conversation continues."""
        match event:
            case MessageReplaced(message=message) if self._may_name(message):
                self._begin(message)
            case MessageAdded(message=message):
                self._cancel(message.conversation_id)
            case BranchChanged(conversation_id=conversation_id):
                self._cancel(conversation_id)
            case _:
                pass

    async def settled(self) -> None:
        """Return when no title is being written."""
        while self._running:
            await asyncio.gather(*self._running.values(), return_exceptions=True)

    async def close(self) -> None:
        """Cancel all requests for titles."""
        for conversation_id in tuple(self._running):
            self._cancel(conversation_id)
        await self.settled()

    def _may_name(self, answer: StoredMessage) -> bool:
        record = answer.generation
        is_complete = (
            answer.state is MessageState.COMPLETE
            and answer.message.role is Role.ASSISTANT
            and bool(answer.message.text.strip())
            and record is not None
            and record.finish_reason in _COMPLETED
        )
        if record is None or is_temporary(answer.conversation_id):
            return False
        return is_complete and self._is_large_enough(record.model_id)

    def _is_large_enough(self, model_id: ModelId) -> bool:
        return any(
            entry.spec is not None
            and entry.spec.id == model_id
            and (entry.spec.n_params or 0) >= MIN_PARAMETERS
            for entry in self._models.entries
        )

    def _begin(self, answer: StoredMessage) -> None:
        self._cancel(answer.conversation_id)
        task = asyncio.create_task(self._name(answer), name=f"title-{answer.conversation_id}")
        self._running[answer.conversation_id] = task
        task.add_done_callback(lambda done: self._forget(answer.conversation_id, done))

    def _cancel(self, conversation_id: ConversationId) -> None:
        if (task := self._running.get(conversation_id)) is not None:
            task.cancel()

    def _forget(self, conversation_id: ConversationId, task: asyncio.Task[None]) -> None:
        if self._running.get(conversation_id) is task:
            del self._running[conversation_id]

    async def _name(self, answer: StoredMessage) -> None:
        await asyncio.sleep(self._settle_s)
        try:
            request = await self._request(answer)
            title = "" if request is None else title_of(await self._generate(request))
            if title:
                summary = await self._store.conversations.rename(
                    answer.conversation_id, title=title, by=TitleSource.MODEL
                )
                self._emit(ConversationChanged(summary=summary))
        except FiresideError as exc:
            log.info("a conversation keeps its first title: %s", exc)

    async def _request(self, answer: StoredMessage) -> GenerationRequest | None:
        """Return the request; ``None`` where no title is wanted, or the model would have to be loaded."""
        record, conversation_id = answer.generation, answer.conversation_id
        if record is None or not await self._is_first(answer):
            return None
        conversation = await self._store.conversations.open(conversation_id)
        resolved = await self._preferences.resolved(model_id=record.model_id, conversation_id=conversation_id)
        messages = [stored.message for stored in conversation.messages]
        has_title = conversation.summary.title_by is not TitleSource.START
        if has_title or conversation.messages[-1].id != answer.id or not titles_by_model(resolved):
            return None
        spec = self._models.chat_spec(record.model_id)
        # Nothing is awaited between here and the request, so the model is still loaded then.
        ready = ready_state(self._engine.statuses(), spec.id)
        if ready is None:
            return None
        return GenerationRequest(
            request_id=self._next_id(),
            spec=spec,
            options=ready.options,
            task=GenerationTask(
                prompt=chat_input(resolved, (*messages, text_message(Role.USER, TITLE_PROMPT))),
                sampling=_SAMPLING,
                thinking_budget=0,
                overflow=Overflow.REFUSE,
                priority=Priority.BACKGROUND,
            ),
            keep_alive_s=keep_alive_s(resolved),
        )

    async def _is_first(self, answer: StoredMessage) -> bool:
        if answer.parent_id is None:
            return False
        return (await self._store.messages.get(answer.parent_id)).parent_id is None

    async def _generate(self, request: GenerationRequest) -> str:
        """Return the generated text; empty if the model did not end it by itself."""
        text = ""
        async with aclosing(self._engine.generate(request)) as stream:
            async for event in stream:
                match event:
                    case TextDelta(ends_reasoning=True):
                        text = ""
                    case TextDelta(text=piece, kind=OutputKind.ANSWER):
                        text += piece
                    case Finished(reason=reason):
                        # A finished line is complete, whatever follows it.
                        is_complete = reason is FinishReason.STOP or "\n" in text.lstrip()
                        return text if is_complete else ""
                    case Failed(error=error):
                        log.info("a conversation keeps its first title: %s", error.sentence)
                    case _:
                        pass
        return ""


def title_of(text: str) -> str:
    """Return the title in a model's output; empty where it contains none."""
    line = next((line for line in text.splitlines() if line.strip()), "")
    line = " ".join(_LABEL.sub("", line.strip(_PUNCTUATION), count=1).strip(_PUNCTUATION).split())
    letters = sum(character.isalnum() for character in line)
    is_title = letters >= _MIN_LETTERS and len(line) <= TITLE_CHARACTERS and not _CHATTER.match(line)
    return line if is_title and line.isprintable() else ""
