"""Load models, let them go, and show how they load."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from fireside.bridge.client import EngineClient
from fireside.core.errors import FiresideError, LoadError, RunnerError
from fireside.core.ids import ModelId
from fireside.core.plan import LoadPlan
from fireside.ui.chat.chat_pane import ChatPane
from fireside.ui.chat.load_recovery import RecoveryController
from fireside.ui.conversation_controller import ConversationController
from fireside.ui.header import Header
from fireside.ui.library import LibraryPage
from fireside.ui.loading.load_text import change_words
from fireside.ui.loading.panel import LoadPanel
from fireside.ui.loading.panel_controller import PanelController
from fireside.ui.loading.sheet import LoadSheet
from fireside.ui.models_view import ModelsView
from fireside.ui.settings import SettingsPage
from fireside.ui.tasks import OnError, TaskRunner
from fireside.ui.theme import Theme


class ModelController(QObject):
    """Asks the engine on behalf of header, library, settings and chat. GUI thread only."""

    def __init__(
        self,
        *,
        client: EngineClient,
        tasks: TaskRunner,
        theme: Theme,
        models: ModelsView,
        desk: ConversationController,
        header: Header,
        library: LibraryPage,
        settings: SettingsPage,
        chat: ChatPane,
        on_error: OnError,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._client = client
        self._tasks = tasks
        self._theme = theme
        self._models = models
        self._desk = desk
        self._on_error = on_error
        self._window = window
        self.rescue = RecoveryController(
            client=client,
            tasks=tasks,
            transcript=chat.transcript,
            conversation_id=lambda: desk.conversation_id,
            model_id=lambda: desk.model_id,
            words=self._smaller_words,
            parent=self,
        )
        self.rescue.failed.connect(chat.notices.show_error)
        for load_wanted in (header.load_wanted, library.load_wanted, settings.reload_wanted):
            load_wanted.connect(self.load)
        for unload_wanted in (header.unload_wanted, library.unload_wanted):
            unload_wanted.connect(self.unload)
        for details_wanted in (header.details_wanted, settings.details_wanted, self.rescue.details_wanted):
            details_wanted.connect(self.show_details)
        library.wishes.load_panel.connect(self.serve_in_library)

    def load(self, model_id: str) -> None:
        """Load, or load again, with the settings of the conversation in front."""

        def on_error(error: FiresideError) -> None:
            # A failed load is the model's state, which header and library show where the model is.
            if not isinstance(error, LoadError | RunnerError):
                self._on_error(error)

        loading = self._client.models.load(ModelId(model_id), conversation_id=self._desk.conversation_id)
        self._tasks.run(loading, on_error=on_error)

    def unload(self, model_id: str) -> None:
        """Let a model go, or stop loading it."""
        self._tasks.run(self._client.models.unload(ModelId(model_id)), on_error=self._on_error)

    def show_details(self, model_id: str) -> None:
        """Show how a model loads, with the settings of the conversation in front."""
        entry = self._models.entry(ModelId(model_id))
        if entry is None or entry.spec is None:
            return
        state = self._models.state(ModelId(model_id))
        sheet = LoadSheet(entry.spec, state=state, theme=self._theme, parent=self._window)
        PanelController(
            sheet.panel,
            client=self._client,
            tasks=self._tasks,
            models=self._models,
            conversation_id=lambda: self._desk.conversation_id,
        )
        sheet.open()

    def serve_in_library(self, panel: LoadPanel) -> None:
        """Answer for the panel of a model's page, where no chat's settings count."""
        PanelController(
            panel,
            client=self._client,
            tasks=self._tasks,
            models=self._models,
            conversation_id=lambda: None,
        )

    def _smaller_words(self, smaller: LoadPlan, usual: LoadPlan) -> str:
        """Say what a smaller plan changes of the usual one."""
        entry = self._models.entry(smaller.model_id)
        n_layers = entry.spec.n_layers if entry is not None and entry.spec is not None else 0
        changes = change_words(smaller.options, before=usual.options, n_layers=n_layers)
        return changes or smaller.words.rstrip(".")
