"""What the controllers of one chat pane share: the engine, the pane's parts, and what is in front in it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from PySide6.QtWidgets import QWidget

from fireside.bridge.client import EngineClient
from fireside.core.errors import ErrorInfo
from fireside.core.ids import ConversationId, ModelId
from fireside.ui.chat.composer import Composer
from fireside.ui.chat.notices import Notices
from fireside.ui.chat.transcript import Transcript
from fireside.ui.tasks import Result, TaskRunner
from fireside.ui.theme import Theme


@dataclass(frozen=True, kw_only=True)
class PaneContext:
    """Made by the pane for its controllers. GUI thread only."""

    client: EngineClient
    tasks: TaskRunner
    theme: Theme
    transcript: Transcript
    composer: Composer
    notices: Notices
    conversation_id: Callable[[], ConversationId | None]
    """The conversation that is shown; ``None`` for a new chat."""
    model_id: Callable[[], ModelId | None]
    """The model that answers here."""
    prompt_for_model: Callable[[], None]
    """Leads the user to where a model is chosen."""
    show_error: Callable[[ErrorInfo], None]
    saves_drafts: bool
    """Whether what is typed and not sent is stored."""
    pane: QWidget

    def run(
        self, work: Coroutine[Any, Any, Result], *, on_done: Callable[[Result], None] | None = None
    ) -> None:
        """Do what the user asked for: an older error is taken away, one of this request is shown."""
        self.notices.clear()
        self.run_quietly(work, on_done=on_done)

    def run_quietly(
        self, work: Coroutine[Any, Any, Result], *, on_done: Callable[[Result], None] | None = None
    ) -> None:
        """Do something that the user did not ask for just now; an error is shown all the same."""
        self.tasks.run(work, on_done=on_done, on_error=lambda error: self.show_error(error.info()))

    def with_model(self, work: Callable[[ModelId], None]) -> None:
        """Call ``work`` with the model that answers here; without one, ask for a model."""
        model_id = self.model_id()
        if model_id is None:
            self.prompt_for_model()
        else:
            work(model_id)
