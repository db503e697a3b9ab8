"""What the window does with answers beyond the chat: looking behind them, and comparing them."""

from __future__ import annotations

from typing import Protocol

from fireside.bridge.client import EngineClient
from fireside.ui.answer_inspection import InspectionController
from fireside.ui.chat.chat_pane import ChatPane
from fireside.ui.chat.links import OpenUrl
from fireside.ui.commands import Commands
from fireside.ui.compare import CompareController
from fireside.ui.models_view import ModelsView
from fireside.ui.notices import WindowNotices
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import Theme


class ChatWindow(Protocol):
    """What it needs of the window that it belongs to."""

    chat: ChatPane
    models: ModelsView
    commands: Commands
    notices: WindowNotices


class AnswerDesks:
    """Both listen to the chat in front. GUI thread only."""

    def __init__(
        self, window: ChatWindow, *, client: EngineClient, tasks: TaskRunner, theme: Theme, open_url: OpenUrl
    ) -> None:
        chat = window.chat
        self.inspection = InspectionController(
            client=client,
            tasks=tasks,
            theme=theme,
            transcript=chat.transcript,
            conversation_id=lambda: chat.conversation_id,
            window=chat.window(),
        )
        self.comparison = CompareController(
            client=client,
            tasks=tasks,
            theme=theme,
            models=window.models,
            chat=chat,
            commands=window.commands,
            open_url=open_url,
            window=chat.window(),
        )
        self.comparison.failed.connect(window.notices.show_error)
