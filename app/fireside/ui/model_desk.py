"""Load models, and let them go."""

from __future__ import annotations

from PySide6.QtCore import QObject

from fireside.bridge.client import EngineClient
from fireside.core.errors import FiresideError, LoadError, RunnerError
from fireside.core.ids import ConversationId, ModelId
from fireside.ui.tasks import OnError, TaskRunner


class ModelDesk(QObject):
    """Asks the engine on behalf of header, library and settings pages. GUI thread only."""

    def __init__(
        self,
        *,
        client: EngineClient,
        tasks: TaskRunner,
        on_error: OnError,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._client = client
        self._tasks = tasks
        self._on_error = on_error

    def load(self, model_id: ModelId, *, conversation_id: ConversationId | None) -> None:
        """Load, or load again, with the settings of a conversation."""

        def on_error(error: FiresideError) -> None:
            # A failed load is the model's state, which header and library show where the model is.
            if not isinstance(error, LoadError | RunnerError):
                self._on_error(error)

        loading = self._client.load_model(model_id, conversation_id=conversation_id)
        self._tasks.run(loading, on_error=on_error)

    def unload(self, model_id: ModelId) -> None:
        self._tasks.run(self._client.unload_model(model_id), on_error=self._on_error)
