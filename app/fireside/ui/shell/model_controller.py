"""Loads and unloads models, and opens the sheet of load settings."""

from __future__ import annotations

from PySide6.QtCore import QObject

from fireside.core.errors import FiresideError, LoadError, RunnerError
from fireside.core.ids import ModelId
from fireside.core.plan import LoadPlan
from fireside.ui.chat.pane.chat_pane import ChatPane
from fireside.ui.chat.pane.load_recovery import LoadRecoveryController
from fireside.ui.loading.load_text import change_text
from fireside.ui.shell.conversation_controller import ConversationController
from fireside.ui.window_context import WindowContext


class ModelController(QObject):
    """Sends load requests of all parts of the window to the engine. GUI thread only."""

    def __init__(
        self, context: WindowContext, *, conversations: ConversationController, chat: ChatPane
    ) -> None:
        super().__init__(context.window)
        self._context = context
        self._conversations = conversations
        self.recovery = LoadRecoveryController(
            chat.pane_context, describe_change=self._smaller_plan_text, show_details=self.show_details
        )

    def load(self, model_id: str) -> None:
        """Load or reload a model with the settings of the open conversation."""

        def on_error(error: FiresideError) -> None:
            # A failed load is the model's state, which header and library show where the model is.
            if not isinstance(error, LoadError | RunnerError):
                self._context.show_error(error)

        request = self._context.client.models.load(
            ModelId(model_id), conversation_id=self._conversations.conversation_id
        )
        self._context.tasks.run(request, on_error=on_error)

    def unload(self, model_id: str) -> None:
        """Unload a model, or cancel its load."""
        request = self._context.client.models.unload(ModelId(model_id))
        self._context.tasks.run(request, on_error=self._context.show_error)

    def show_details(self, model_id: str) -> None:
        """Open the load settings of a model, with the settings of the open conversation."""
        entry = self._context.models.entry(ModelId(model_id))
        if entry is None or entry.spec is None or entry.spec.remote is not None:
            return
        from fireside.ui.loading.load_controller import LoadController
        from fireside.ui.loading.panel import LoadSheet

        context = self._context
        controller = LoadController(context, conversation_id=lambda: self._conversations.conversation_id)
        state = context.models.state(ModelId(model_id))
        LoadSheet(controller.panel, entry.spec, state=state, parent=context.window).open()

    def _smaller_plan_text(self, smaller: LoadPlan, usual: LoadPlan) -> str:
        """Return how a smaller load plan differs from the usual one."""
        entry = self._context.models.entry(smaller.model_id)
        n_layers = entry.spec.n_layers if entry is not None and entry.spec is not None else 0
        changes = change_text(smaller.options, before=usual.options, n_layers=n_layers)
        return changes or smaller.text.rstrip(".")
