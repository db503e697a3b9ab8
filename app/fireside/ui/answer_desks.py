"""What the window does with answers beyond the chat: looking behind them, and comparing them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from fireside.bridge.client import EngineClient
from fireside.core.errors import FiresideError
from fireside.ui.chat.chat_pane import ChatPane
from fireside.ui.chat.links import OpenUrl
from fireside.ui.commands import Commands
from fireside.ui.compare import CompareDesk
from fireside.ui.inspect import InspectionDesk
from fireside.ui.models_view import ModelsView
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import Theme


class AnswerDesks:
    """Both listen to the chat in front. GUI thread only."""

    def __init__(
        self,
        *,
        client: EngineClient,
        tasks: TaskRunner,
        theme: Theme,
        models: ModelsView,
        chat: ChatPane,
        commands: Commands,
        open_url: OpenUrl,
        on_error: Callable[[FiresideError], None],
        window: QWidget,
    ) -> None:
        self.inspection = InspectionDesk(
            client=client,
            tasks=tasks,
            theme=theme,
            transcript=chat.transcript,
            conversation_id=lambda: chat.conversation_id,
            window=window,
        )
        self.comparison = CompareDesk(
            client=client,
            tasks=tasks,
            theme=theme,
            models=models,
            chat=chat,
            commands=commands,
            open_url=open_url,
            window=window,
        )
        self.comparison.failed.connect(on_error)
