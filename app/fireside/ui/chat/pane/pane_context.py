"""What the controllers of one chat pane share: engine client, the pane's parts, current chat and model."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from PySide6.QtWidgets import QWidget

from fireside.bridge.client import EngineClient
from fireside.core.errors import ErrorInfo
from fireside.core.ids import ConversationId, ModelId
from fireside.ui.chat.composer.composer import Composer
from fireside.ui.chat.pane.notices import Notices
from fireside.ui.chat.transcript.transcript import Transcript
from fireside.ui.tasks import Result, TaskRunner


@dataclass(frozen=True, kw_only=True)
class PaneContext:
    """Made by ``ChatPane`` for its controllers. GUI thread only."""

    client: EngineClient
    tasks: TaskRunner
    transcript: Transcript
    composer: Composer
    notices: Notices
    conversation_id: Callable[[], ConversationId | None]
    """The conversation that is shown; ``None`` for a new chat."""
    model_id: Callable[[], ModelId | None]
    """The model that answers here."""
    prompt_for_model: Callable[[], None]
    """Opens the model picker."""
    show_setting: Callable[[str], None]
    """Shows a setting, or a named row, on the settings page."""
    show_error: Callable[[ErrorInfo], None]
    saves_drafts: bool
    """Whether what is typed and not sent is stored."""
    pane: QWidget

    def run(
        self, work: Coroutine[Any, Any, Result], *, on_done: Callable[[Result], None] | None = None
    ) -> None:
        """Run a request of the user: remove an older error notice, and show an error of this one."""
        self.notices.clear()
        self.run_quietly(work, on_done=on_done)

    def run_quietly(
        self, work: Coroutine[Any, Any, Result], *, on_done: Callable[[Result], None] | None = None
    ) -> None:
        """Run a background request: an older error notice stays, an error is shown."""
        self.tasks.run(work, on_done=on_done, on_error=lambda error: self.show_error(error.info()))

    def with_model(self, work: Callable[[ModelId], None]) -> None:
        """Call ``work`` with the model that answers here; without one, open the model picker."""
        model_id = self.model_id()
        if model_id is None:
            self.prompt_for_model()
        else:
            work(model_id)
