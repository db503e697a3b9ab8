"""A transcript with one question and its answer, and the desk that looks behind it."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from fakes.client import AppClient
from fakes.window import window_context
from fireside.core.chat import StoredMessage
from fireside.ui.answer_inspection.inspection_controller import InspectionController
from fireside.ui.chat.transcript import Transcript
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import Theme


class Inspected:
    """The moon was asked about; ``answer`` is what a model said."""

    def __init__(self, client: AppClient, tasks: TaskRunner, theme: Theme, window: QWidget) -> None:
        self.client = client
        conversation_id = client.add_conversation("Tides", turns=["Why?", "The moon."])
        self.answer: StoredMessage = client.messages[conversation_id][1]
        self.transcript = Transcript(theme=theme, open_url=lambda _url: None, parent=window)
        self.transcript.set_messages(client.messages[conversation_id])
        self.desk = InspectionController(
            window_context(client, tasks=tasks, theme=theme, window=window),
            transcript=self.transcript,
            conversation_id=lambda: conversation_id,
        )
