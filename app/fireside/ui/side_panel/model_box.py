"""The state of the model of the chat in front, and the actions on it."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr
from fireside.core.ids import ModelId
from fireside.core.status import Broken, LoadingModel, ModelState, OnRemoteEngine, Ready, Unloaded, Unloading
from fireside.ui.kit.layout import column
from fireside.ui.loading.load_text import loading_text
from fireside.ui.model_text import file_summary, loaded_summary, state_label
from fireside.ui.settings.setting_row import RELOAD_NOTE
from fireside.ui.theme import SPACE_S, SPACE_XS
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.text import WrappedLabel
from fireside.ui.window_context import WindowContext


class ModelBox(QWidget):
    """Shows what is passed to ``show_model``."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self._models, self._router = context.models, context.router
        self._model_id: ModelId | None = None
        self.state = WrappedLabel(role="small")
        self.note = WrappedLabel(tr(RELOAD_NOTE), role="warning")
        self.load = Button(tr("Load"), on_click=self._on_load)
        self.unload = Button(tr("Unload"), on_click=self._on_unload)
        self.cancel = Button(tr("Cancel"), on_click=self._on_unload)
        self.cancel.setAccessibleDescription(tr("Cancels loading"))
        self.reload = Button(tr("Reload now"), on_click=self._on_load)
        self.details = Button(tr("Load settings…"), kind="quiet", on_click=self._on_details)
        buttons, flow = flow_row(spacing=SPACE_S)
        for button in (self.load, self.reload, self.cancel, self.unload, self.details):
            flow.addWidget(button)
        column(self.state, self.note, buttons, spacing=SPACE_XS + 2, on=self)

    def show_model(self, model_id: ModelId | None, *, needs_reload: bool) -> None:
        """Show a model and its state; ``None`` where there is none.

        ``needs_reload``: it is loaded with other settings than the chat requires.
        """
        self._model_id = model_id
        entry = self._models.entry(model_id)
        spec = entry.spec if entry is not None else None
        state = self._models.state(model_id) if model_id is not None and spec is not None else None
        is_ready = isinstance(state, Ready)
        self.load.setVisible(isinstance(state, Unloaded | Broken))
        self.unload.setVisible(is_ready)
        self.cancel.setVisible(isinstance(state, LoadingModel))
        self.reload.setVisible(is_ready and needs_reload)
        self.note.setVisible(is_ready and needs_reload)
        self.details.setVisible(state is not None and not isinstance(state, OnRemoteEngine))
        if spec is None or state is None:
            self.state.show_text("")
        elif isinstance(state, Ready):
            self.state.show_text(state.note or loaded_summary(state.loaded))
        else:
            self.state.show_text(_state_text(state) or file_summary(spec))
        self.state.set_role("error" if isinstance(state, Broken) else "small")

    def _on_load(self) -> None:
        if self._model_id is not None:
            self._router.load_model(self._model_id)

    def _on_unload(self) -> None:
        if self._model_id is not None:
            self._router.unload_model(self._model_id)

    def _on_details(self) -> None:
        if self._model_id is not None:
            self._router.show_load_details(self._model_id)


def _state_text(state: ModelState) -> str:
    match state:
        case LoadingModel():
            return loading_text(state)
        case Broken():
            return state.error.sentence
        case Unloaded():
            return state.note or state_label(state).text
        case OnRemoteEngine():
            return ""  # the model's details are shown there instead
        case Unloading() | Ready():
            return state_label(state).text
