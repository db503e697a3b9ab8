"""A transcript with one question and its answer, and the controller of its inspection."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient
from fakes.window import window_context
from fireside.core.chat import StoredMessage
from fireside.core.generation import GenerationEvent
from fireside.ui.answer_inspection.inspection_controller import InspectionController
from fireside.ui.chat.transcript.transcript import Transcript
from fireside.ui.tasks import TaskRunner


class Inspected:
    """A transcript with a question about tides and its ``answer``."""

    def __init__(self, qtbot: QtBot, tasks: TaskRunner) -> None:
        self.client = AppClient()
        self.tasks = tasks
        self.conversation_id = self.client.add_conversation("Tides", turns=["Why?", "The moon."])
        self.answer: StoredMessage = self.client.messages[self.conversation_id][1]
        window = QWidget()
        window.resize(1000, 700)
        qtbot.addWidget(window)
        window.show()
        self.transcript = Transcript(open_url=lambda _url: None, parent=window)
        self.transcript.set_messages(self.client.messages[self.conversation_id])
        self.controller = InspectionController(
            window_context(self.client, tasks=tasks, window=window),
            transcript=self.transcript,
            conversation_id=lambda: self.conversation_id,
        )

    def read_again(self, *events: GenerationEvent) -> None:
        """Play ``events`` as those of the request that scores the answer, once it is made."""
        self.client.wait_until(lambda: bool(self.client.engine.requests))
        request_id = self.client.engine.requests[-1].request_id
        self.client.wait_until(lambda: self.client.engine.is_asked(request_id))
        for event in events:
            self.client.engine.play(request_id, event)
