"""Have the model give a conversation its title, once the first answer is there and no request waits."""

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
from fireside.core.ids import ConversationId, ModelId
from fireside.core.message import Role, text_message
from fireside.core.options import LoadOptions, SamplingParams
from fireside.core.status import Ready
from fireside.core.task import GenerationTask
from fireside.engine.request import GenerationRequest
from fireside.services.request_builder import chat_input
from fireside.services.service_context import ServiceContext
from fireside.settings.conversions import keep_alive_s, titles_by_model

log = logging.getLogger(__name__)

LEAST_PARAMETERS: Final = 1_000_000_000
"""Small models name a conversation worse than its first words do: of ten by SmolLM2 135M none was as good."""
SETTLE_S: Final = 1.5
"""Pause after the answer: until then the runner has saved the conversation's state, and a user who goes on at
once is not kept waiting."""
QUESTION: Final = (
    "Write a title for this conversation: two to six words, in the language of the conversation. "
    "Answer with the title alone."
)
_SAMPLING: Final = SamplingParams(temperature=0, max_tokens=16)
_ENDED_WELL: Final = (FinishReason.STOP, FinishReason.LENGTH)
_LABEL: Final = re.compile(r"(?:the )?(?:title|titel|titre|título|标题|タイトル)\s*[:：]\s*", re.IGNORECASE)
_AROUND: Final = " \t\"'`*_#“”„‘’«»「」『』《》.,;:!-–—"
_TALK: Final = re.compile(
    r"(?:sure|certainly|of course|here is|here[’']s|i[’']m|i am|i can|i cannot|sorry|as an ai|okay|ok)\b",
    re.IGNORECASE,
)
_LEAST_LETTERS: Final = 2


class Titles:
    """Listens to what turns report, and asks at the lowest priority. All methods on the engine's loop.

    A title that the user gave is never replaced, and no model is loaded for one. The conversation's own cache
    stays, since what is asked begins as the conversation does and has no owner.
    """

    def __init__(self, context: ServiceContext, *, settle_s: float = SETTLE_S) -> None:
        """Take ``settle_s`` as the pause between an answer and the request for a title."""
        self._store = context.store
        self._engine = context.engine
        self._models = context.models
        self._preferences = context.preferences
        self._emit = context.emit
        self._next_id = context.next_id
        self._settle_s = settle_s
        self._running: dict[ConversationId, asyncio.Task[None]] = {}

    def observe(self, event: AppEvent) -> None:
        """Begin a title after a first answer; give it up when the conversation goes on."""
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
        """Return when no title is being made."""
        while self._running:
            await asyncio.gather(*self._running.values(), return_exceptions=True)

    async def close(self) -> None:
        """Give up what is being made."""
        for conversation_id in tuple(self._running):
            self._cancel(conversation_id)
        await self.settled()

    def _may_name(self, answer: StoredMessage) -> bool:
        record = answer.generation
        ended_well = (
            answer.state is MessageState.COMPLETE
            and answer.message.role is Role.ASSISTANT
            and bool(answer.message.text.strip())
            and record is not None
            and record.finish_reason in _ENDED_WELL
        )
        return ended_well and record is not None and self._is_able(record.model_id)

    def _is_able(self, model_id: ModelId) -> bool:
        return any(
            entry.spec is not None
            and entry.spec.id == model_id
            and (entry.spec.n_params or 0) >= LEAST_PARAMETERS
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
            title = "" if request is None else title_of(await self._ask(request))
            if title:
                summary = await self._store.conversations.rename(
                    answer.conversation_id, title=title, by=TitleSource.MODEL
                )
                self._emit(ConversationChanged(summary=summary))
        except FiresideError as exc:
            log.info("a conversation keeps its first title: %s", exc)

    async def _request(self, answer: StoredMessage) -> GenerationRequest | None:
        """Return what to ask; nothing where no title is wanted, or none can be had without a load."""
        record, conversation_id = answer.generation, answer.conversation_id
        if record is None or not await self._is_first(answer):
            return None
        conversation = await self._store.conversations.open(conversation_id)
        resolved = await self._preferences.resolved(model_id=record.model_id, conversation_id=conversation_id)
        said = [stored.message for stored in conversation.messages]
        is_named = conversation.summary.title_by is not TitleSource.START
        if is_named or conversation.messages[-1].id != answer.id or not titles_by_model(resolved):
            return None
        spec = self._models.chat_spec(record.model_id)
        # Nothing is awaited from here until the engine is asked: what is loaded now is loaded then.
        options = self._loaded_options(spec.id)
        if options is None:
            return None
        return GenerationRequest(
            request_id=self._next_id(),
            spec=spec,
            options=options,
            task=GenerationTask(
                prompt=chat_input(resolved, (*said, text_message(Role.USER, QUESTION))),
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

    def _loaded_options(self, model_id: ModelId) -> LoadOptions | None:
        """Return how a model is loaded; ``None`` unless it is, and stays."""
        return next(
            (
                status.state.options
                for status in self._engine.statuses()
                if status.model_id == model_id and isinstance(status.state, Ready)
            ),
            None,
        )

    async def _ask(self, request: GenerationRequest) -> str:
        """Return what the model wrote; nothing if it did not come to an end by itself."""
        written = ""
        async with aclosing(self._engine.generate(request)) as stream:
            async for event in stream:
                match event:
                    case TextDelta(text=text, kind=OutputKind.ANSWER):
                        written += text
                    case Finished(reason=reason):
                        # A line that has ended is whole, whatever the model went on to write.
                        is_whole = reason is FinishReason.STOP or "\n" in written.lstrip()
                        return written if is_whole else ""
                    case Failed(error=error):
                        log.info("a conversation keeps its first title: %s", error.sentence)
                    case _:
                        pass
        return ""


def title_of(written: str) -> str:
    """Return the title in what a model wrote; empty where there is none to be seen."""
    line = next((line for line in written.splitlines() if line.strip()), "")
    line = " ".join(_LABEL.sub("", line.strip(_AROUND), count=1).strip(_AROUND).split())
    letters = sum(character.isalnum() for character in line)
    is_title = letters >= _LEAST_LETTERS and len(line) <= TITLE_CHARACTERS and not _TALK.match(line)
    return line if is_title and line.isprintable() else ""
