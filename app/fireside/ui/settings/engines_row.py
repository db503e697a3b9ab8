"""Row of the settings page that lists other engines, with their actions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.core.remote import RemoteEngine
from fireside.ui.kit.layout import boxed, clear, column, in_middle, row, stretch
from fireside.ui.settings.engine_text import engine_text
from fireside.ui.settings.extra_row import INSIDE, ExtraRow
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, one_line, set_style_property

if TYPE_CHECKING:
    from fireside.ui.settings.engines_controller import EnginesController

_STATES: Final = {
    "success": (tr_noop("Reachable"), "ok"),
    "error": (tr_noop("Not reachable"), "danger"),
}
"""State and tone of a tested server, by the role of what is said about it."""


class EngineBox(QWidget):
    """One engine: name, state, result of the last test, buttons."""

    def __init__(self, engine: RemoteEngine, actions: EnginesController) -> None:
        super().__init__()
        name = one_line(engine.name)
        self.state = Label(role="badge")
        self.state.hide()
        self.result = WrappedLabel(role="small")
        self.result.hide()
        self.buttons: dict[str, Button] = {}
        actions_of_engine = (
            (tr("Test"), tr("Test {name}"), actions.test, ""),
            (tr("Models…"), tr("Models of {name}"), actions.show_models, ""),
            (tr("API key…"), tr("API key of {name}"), actions.change_key, ""),
        )
        foot, flow = flow_row(spacing=SPACE_S)
        for label, accessible_name, act, kind in actions_of_engine:
            button = Button(label, kind=kind, on_click=partial(act, engine))
            button.setAccessibleName(accessible_name.format(name=name))
            self.buttons[label] = button
            flow.addWidget(button)
        remove = IconButton(
            "trash-2",
            name=tr("Remove {name}").format(name=name),
            size=16,
            on_click=partial(actions.remove, engine),
        )
        self.remove = remove
        head = row(ElidedLabel(name, role="strong"), in_middle(self.state), stretch(), remove)
        about = WrappedLabel(engine_text(engine), role="small")
        column(head, about, self.result, foot, spacing=SPACE_XS, on=self)

    def show_result(self, text: str, *, role: str) -> None:
        """Show the result of a test: its state beside the name, and what was said."""
        state, tone = _STATES.get(role, ("", "")) if text else ("", "")
        self.state.show_text(tr(state) if state else "")
        set_style_property(self.state, "tone", tone)
        self.result.set_role(role)
        self.result.show_text(text)


class EnginesRow(ExtraRow):
    """Lists the engines, with a button to add one."""

    label = tr_noop("Model servers")
    search_terms = tr_noop(
        "add model servers other engines remote server cluster api key base url openai vllm sglang ollama "
        "lm studio llama-server openrouter provider cloud"
    )

    def __init__(self, actions: EnginesController) -> None:
        super().__init__()
        self._actions = actions
        self._engines: tuple[RemoteEngine, ...] | None = None
        self.boxes: dict[str, EngineBox] = {}
        about = WrappedLabel(
            tr("Use models of another computer or a provider. Nothing is sent until you choose one."),
            role="small",
        )
        self.error = WrappedLabel(role="error")
        self.error.hide()
        self.note = WrappedLabel(role="success")
        self.note.hide()
        self.add = Button(tr("Add model server…"), on_click=actions.add)
        self._list = column(spacing=SPACE_L)
        column(
            self.titled(about, self.error, self.note),
            boxed(self._list),
            row(self.add, stretch()),
            spacing=SPACE_M,
            margins=INSIDE,
            on=self,
        )

    def show_engines(self, engines: tuple[RemoteEngine, ...]) -> None:
        """Show these engines."""
        if engines == self._engines:
            return
        self._engines = engines
        results = {key: (box.result.text(), box.result.property("role")) for key, box in self.boxes.items()}
        clear(self._list)
        self.boxes = {engine.id: EngineBox(engine, self._actions) for engine in engines}
        for key, box in self.boxes.items():
            label, role = results.get(key, ("", "small"))
            box.show_result(label, role=role)
            self._list.addWidget(box)

    def show_error(self, sentence: str) -> None:
        """Show an error; empty hides it."""
        self.error.show_text(sentence)
        self.note.hide()

    def show_note(self, text: str) -> None:
        """Show what was done."""
        self.error.hide()
        self.note.show_text(text)
