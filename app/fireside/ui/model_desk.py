"""Do what is asked of models: load, unload, add, remove."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject

from fireside.bridge.client import EngineClient
from fireside.core.errors import FiresideError, LoadError, RunnerError
from fireside.core.ids import ConversationId, ModelId
from fireside.core.model import LibraryFailure
from fireside.ui.library import LibraryPage
from fireside.ui.tasks import OnError, TaskRunner


class ModelDesk(QObject):
    """Asks the engine on behalf of header, library page and settings page. GUI thread only."""

    def __init__(
        self,
        *,
        client: EngineClient,
        tasks: TaskRunner,
        page: LibraryPage,
        on_error: OnError,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._client = client
        self._tasks = tasks
        self._page = page
        self._on_error = on_error
        page.unload_wanted.connect(self.unload)
        page.add_wanted.connect(self.add)
        page.remove_wanted.connect(self._on_remove)
        page.rescan_wanted.connect(self._on_rescan)

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

    def add(self, paths: Sequence[str]) -> None:
        """Add files and folders; the page says which could not be."""

        def on_done(failures: tuple[LibraryFailure, ...]) -> None:
            self._page.show_failures(failures)

        self._tasks.run(self._client.add_models(paths), on_done=on_done, on_error=self._on_page_error)

    def _on_remove(self, path: str) -> None:
        self._tasks.run(self._client.remove_model(path), on_error=self._on_page_error)

    def _on_rescan(self) -> None:
        self._page.rescan.setEnabled(False)
        task = self._tasks.run(self._client.rescan_library(), on_error=self._on_page_error)
        if task is not None:
            task.add_done_callback(lambda _task: self._page.rescan.setEnabled(True))

    def _on_page_error(self, error: FiresideError) -> None:
        self._page.show_problem(error.sentence())
