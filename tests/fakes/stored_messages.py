"""Stored messages and a transcript to show them, for tests of the conversation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count

from pytestqt.qtbot import QtBot

from fakes.message_actions import record_actions
from fireside.core.chat import GenerationRecord, MessageState, StoredMessage
from fireside.core.errors import ErrorInfo
from fireside.core.generation import FinishReason, Timings, Truncation, Usage
from fireside.core.ids import ConversationId, MessageId, ModelId
from fireside.core.message import Role, text_message
from fireside.ui.chat.transcript.transcript import Transcript


class Messages:
    """Makes stored messages with numbers of their own."""

    def __init__(self) -> None:
        self._ids = count(1)

    def user(self, text: str) -> StoredMessage:
        return self.make(Role.USER, text)

    def answer(
        self,
        text: str,
        *,
        state: MessageState = MessageState.COMPLETE,
        error: ErrorInfo | None = None,
        reason: FinishReason | None = FinishReason.STOP,
        truncation: Truncation | None = None,
        context_full: bool = False,
        n_cached: int = 391,
    ) -> StoredMessage:
        record = GenerationRecord(
            model_id=ModelId("test/model"),
            model_name="Test 1B",
            finish_reason=reason,
            context_full=context_full,
            usage=Usage(n_prompt=400, n_cached=n_cached, n_completion=312),
            timings=Timings(prompt_s=0.2, decode_s=6.4523, first_token_s=0.3),
            truncation=truncation,
        )
        return self.make(Role.ASSISTANT, text, state=state, error=error, generation=record)

    def running(self, text: str = "") -> StoredMessage:
        return self.make(
            Role.ASSISTANT,
            text,
            state=MessageState.STREAMING,
            generation=GenerationRecord(model_id=ModelId("test/model"), model_name="Test 1B"),
        )

    def make(
        self,
        role: Role,
        text: str,
        *,
        state: MessageState = MessageState.COMPLETE,
        error: ErrorInfo | None = None,
        generation: GenerationRecord | None = None,
    ) -> StoredMessage:
        number = next(self._ids)
        return StoredMessage(
            id=MessageId(number),
            conversation_id=ConversationId(1),
            # Only a question is ever first: an answer made alone follows one that is not shown.
            parent_id=MessageId(number - 1) if number > 1 or role is not Role.USER else None,
            message=text_message(role, text),
            state=state,
            created_at=0.0,
            error=error,
            generation=generation,
        )


class TranscriptScene(Messages):
    """Shows stored messages in a visible transcript; ``opened`` lists the addresses that it opened."""

    def __init__(self, qtbot: QtBot, *, opened: list[str]) -> None:
        super().__init__()
        self.qtbot = qtbot
        self.opened = opened

    def show(self, stored: Sequence[StoredMessage]) -> Transcript:
        transcript = Transcript(open_url=self.opened.append)
        self.qtbot.addWidget(transcript)
        record_actions(transcript)
        transcript.resize(900, 600)
        transcript.show()
        self.qtbot.waitExposed(transcript)
        transcript.set_messages(stored)
        return transcript

    def wait_until(self, is_so: Callable[[], bool | None]) -> None:
        """Let Qt go on until ``is_so``."""
        self.qtbot.waitUntil(is_so)

    def lay_out(self, transcript: Transcript) -> None:
        """Let Qt go on until every message is laid out."""
        self.wait_until(lambda: all(view.is_laid_out for view in transcript.live.values()))
