"""A theme, an event loop that Qt and asyncio share, and messages to show."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path

import pytest
import qasync
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fireside.core.chat import (
    GenerationRecord,
    MessageState,
    Role,
    StoredMessage,
    text_message,
)
from fireside.core.errors import ErrorInfo
from fireside.core.generation import FinishReason, Timings, Truncation, Usage
from fireside.core.ids import ConversationId, MessageId, ModelId
from fireside.ui.chat.accessibility import install_roles
from fireside.ui.chat.style import chat_qss
from fireside.ui.chat.transcript import Transcript
from fireside.ui.theme import Theme, ThemeChoice, load_fonts

RESOURCES = Path(__file__).resolve().parents[3] / "resources"


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
        return StoredMessage(
            id=MessageId(next(self._ids)),
            conversation_id=ConversationId(1),
            parent_id=None,
            message=text_message(role, text),
            state=state,
            created_at=0.0,
            error=error,
            generation=generation,
        )


@pytest.fixture
def messages() -> Messages:
    return Messages()


@pytest.fixture(scope="session")
def _prepared(qapp: QApplication) -> None:
    qapp.setStyle("Fusion")
    load_fonts(RESOURCES)
    install_roles()


@pytest.fixture
def theme(qapp: QApplication, _prepared: None) -> Iterator[Theme]:
    made = Theme(resources=RESOURCES, application=qapp, sheets=[chat_qss])
    made.set_choice(ThemeChoice.DARK)
    yield made
    made.deleteLater()


@pytest.fixture
def opened() -> list[str]:
    """Addresses that were handed to the system."""
    return []


ShowTranscript = Callable[[Sequence[StoredMessage]], Transcript]


@pytest.fixture
def show_transcript(qtbot: QtBot, theme: Theme, opened: list[str]) -> ShowTranscript:
    """Return a transcript on the screen with the messages given."""

    def show(shown: Sequence[StoredMessage]) -> Transcript:
        transcript = Transcript(theme=theme, open_url=opened.append)
        qtbot.addWidget(transcript)
        transcript.resize(900, 600)
        transcript.show()
        qtbot.waitExposed(transcript)
        transcript.set_messages(shown)
        return transcript

    return show


@pytest.fixture
def loop(qapp: QApplication) -> Iterator[asyncio.AbstractEventLoop]:
    """The loop that runs while Qt does."""
    made = qasync.QEventLoop(qapp, set_running_loop=True, already_running=True)
    yield made
    asyncio.events._set_running_loop(None)
    made._already_running = False
    made.close()
