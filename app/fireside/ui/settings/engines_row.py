"""Row of the settings page that lists other engines, with their actions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QWidget

from fireside.core.errors import FiresideError, SettingInvalid, format_bytes
from fireside.core.i18n import render, tr, tr_noop
from fireside.core.pairing import FoundFireside
from fireside.core.remote import Connection, NewEngine, RemoteEngine
from fireside.ui.kit.layout import boxed, clear, column, in_middle, row, stretch
from fireside.ui.settings.engine_sheets import AddEngineSheet, KeySheet, ModelsSheet
from fireside.ui.settings.engine_text import engine_text, test_result_text
from fireside.ui.settings.extra_row import INSIDE, ExtraRow
from fireside.ui.tasks import task
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, one_line, set_style_property
from fireside.ui.window_context import WindowContext

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
        "lm studio llama-server openrouter provider cloud find look network mdns fireside pair"
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
        self.look = Button(tr("Look on this network"), on_click=actions.look)
        self._found = column(spacing=SPACE_S)
        self.found_box = boxed(self._found)
        self.found_box.hide()
        self._list = column(spacing=SPACE_L)
        column(
            self.titled(about, self.error, self.note),
            boxed(self._list),
            flow_row(self.add, self.look, spacing=SPACE_S)[0],
            self.found_box,
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

    def show_looking(self) -> None:
        """Show that the network is asked; the button ends that."""
        self.look.setText(tr("Stop looking"))
        self.found_box.hide()
        self.show_error("")

    def show_found(self, found: tuple[FoundFireside, ...] | None) -> None:
        """Show the Firesides that answered; ``None`` if that was ended."""
        self.look.setText(tr("Look on this network"))
        clear(self._found)
        self.found_box.setVisible(found is not None)
        if not found:
            self._found.addWidget(
                WrappedLabel(
                    tr(
                        "No other Fireside answered. It is found while “{setting}” is on there, on the same "
                        "network, unless a firewall keeps UDP port 5353 shut."
                    ).format(setting=tr("Serve other devices")),
                    role="small",
                )
            )
        for each in found or ():
            name = one_line(each.name)
            add = Button(tr("Add…"), on_click=partial(self._actions.add_found, each))
            add.setAccessibleName(tr("Add {name}").format(name=name))
            about = column(
                ElidedLabel(name, role="strong"), Label(each.address, role="small"), spacing=SPACE_XS
            )
            self._found.addWidget(boxed(row(stretch(boxed(about)), in_middle(add))))

    def show_error(self, sentence: str) -> None:
        """Show an error; empty hides it."""
        self.error.show_text(sentence)
        self.note.hide()

    def show_note(self, text: str) -> None:
        """Show what was done."""
        self.error.hide()
        self.note.show_text(text)


class EnginesController(QObject):
    """Owns both rows. GUI thread only."""

    def __init__(self, context: WindowContext, *, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._client = context.client.engines
        self._tasks = context.tasks
        self.row = EnginesRow(self)
        self.row.shown.connect(self.refresh)
        self.connections = ConnectionsRow(self._clear_connections)
        self.connections.poll(self._show_connections)
        self.sheet: AddEngineSheet | ModelsSheet | KeySheet | None = None
        """The sheet opened last."""
        self._adding: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[None] | None = None

    # Engines

    @task
    async def refresh(self) -> None:
        """Request the engines."""
        self.row.show_engines(await self._client.engines())

    def add(self) -> None:
        self.row.show_error("")
        window = self._context.window
        self.sheet = AddEngineSheet(self._add, self._end_adding, parent=window)
        self.sheet.open()

    def look(self) -> None:
        """Look for other Firesides on the network, or end that."""
        if self._looking is not None:
            self._looking.cancel()
            return
        self.row.show_looking()
        self._looking = self._look()

    @task
    async def _look(self) -> None:
        found: tuple[FoundFireside, ...] | None = None
        try:
            found = await self._client.look()
        finally:
            self._looking = None
            self.row.show_found(found)

    def add_found(self, found: FoundFireside) -> None:
        self.row.show_error("")
        self.sheet = AddEngineSheet(self._add, self._end_adding, parent=self._context.window, found=found)
        self.sheet.open()

    def _add(self, sheet: AddEngineSheet, new: NewEngine) -> None:
        self._adding = self._add_from(sheet, new)

    @task
    async def _add_from(self, sheet: AddEngineSheet, new: NewEngine) -> None:
        try:
            result = await self._client.add(new)
        except FiresideError as error:
            sheet.show_error(error)
            return
        finally:
            self._adding = None
        sheet.accept()
        self.row.show_note(test_result_text(result))
        self.refresh()

    def _end_adding(self) -> None:
        """The sheet was closed: cancel its request."""
        if self._adding is not None:
            self._adding.cancel()

    @task
    async def test(self, engine: RemoteEngine) -> None:
        self._show_result(engine, tr("Checking…"), role="small")
        try:
            result = await self._client.test(engine.id)
        except FiresideError as error:
            self._show_result(engine, error.sentence(), role="error")
        else:
            self._show_result(engine, test_result_text(result), role="success")
            self.refresh()

    def show_models(self, engine: RemoteEngine) -> None:
        allow = partial(self._allow_model, engine)
        self.sheet = ModelsSheet(engine, allow, parent=self._context.window)
        self.sheet.open()

    @task
    async def _allow_model(self, engine: RemoteEngine, model: str, is_allowed: bool) -> None:
        await self._client.set_model_allowed(engine.id, model=model, is_allowed=is_allowed)
        self.refresh()

    def change_key(self, engine: RemoteEngine) -> None:
        store = partial(self._store_key, engine)
        self.sheet = KeySheet(engine, store, parent=self._context.window)
        self.sheet.open()

    @task
    async def _store_key(self, engine: RemoteEngine, key: str) -> None:
        try:
            await self._client.store_key(engine.id, key)
        except FiresideError as error:
            self._show_result(engine, _error_message(error), role="error")
        else:
            self.test(engine)

    @task
    async def remove(self, engine: RemoteEngine) -> None:
        await self._client.remove(engine.id)
        self.row.show_note(tr("Removed {name}").format(name=one_line(engine.name)))
        self.refresh()

    def _show_result(self, engine: RemoteEngine, text: str, *, role: str) -> None:
        if (box := self.row.boxes.get(engine.id)) is not None:
            box.show_result(text, role=role)

    def _on_error(self, error: FiresideError) -> None:
        self.row.show_error(_error_message(error))

    # Connections

    @task
    async def _clear_connections(self) -> None:
        await self._client.clear_connections()
        self._show_connections()

    @task
    async def _show_connections(self) -> None:
        self.connections.show_connections(await self._client.connections())


def _error_message(error: FiresideError) -> str:
    return render(error.reason) if isinstance(error, SettingInvalid) else error.sentence()


# Row of the settings page with all connections since the start: host, purpose, bytes


_MAX_ROWS: Final = 20


class ConnectionsRow(ExtraRow):
    """Lists the newest connections; all of them can be copied."""

    label = tr_noop("Connections")
    search_terms = tr_noop("connections network privacy traffic requests hosts log telemetry internet")

    def __init__(self, on_clear: Callable[[], object]) -> None:
        super().__init__()
        self._all: tuple[Connection, ...] = ()
        self._visible: tuple[Connection, ...] | None = None
        about = WrappedLabel(
            tr("Every connection since Fireside started. The list is only in memory."), role="small"
        )
        self.state = WrappedLabel(role="small")
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(SPACE_L)
        self._grid.setVerticalSpacing(SPACE_S)
        for column_index, share in (
            (1, 5),
            (2, 6),
            (3, 9),
        ):  # the sizes are the longest texts, and rarely elided
            self._grid.setColumnStretch(column_index, share)
        self.copy = Button(tr("Copy all"), on_click=self._on_copy)
        self.copy.setAccessibleName(tr("Copy all connections"))
        self.clear_all = Button(tr("Clear"), on_click=on_clear)
        self.clear_all.setAccessibleName(tr("Clear the list of connections"))
        self._foot, _ = flow_row(self.copy, self.clear_all, spacing=SPACE_S)
        column(
            self.titled(about, self.state),
            boxed(self._grid),
            self._foot,
            spacing=SPACE_M,
            margins=INSIDE,
            on=self,
        )
        self.show_connections(())

    def show_connections(self, connections: tuple[Connection, ...]) -> None:
        """Show the connections, newest first."""
        self._all = connections
        self._foot.setVisible(bool(connections))
        visible = connections[:_MAX_ROWS]
        if visible == self._visible:
            return
        self._visible = visible
        summary = tr("%n connection|%n connections", "", len(connections)) if connections else tr("None")
        self.state.setText(summary)
        clear(self._grid)
        for line, connection in enumerate(visible):
            time, host, purpose, transferred = connection_cells(connection)
            self._grid.addWidget(Label(time, role="mute"), line, 0)
            self._grid.addWidget(ElidedLabel(host), line, 1)
            self._grid.addWidget(ElidedLabel(purpose, role="mute"), line, 2)
            transferred_label = ElidedLabel(transferred, role="mute")
            transferred_label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self._grid.addWidget(transferred_label, line, 3)

    @property
    def lines(self) -> list[tuple[str, str, str, str]]:
        """The text of each row: time, host, purpose, sizes."""
        return [connection_cells(connection) for connection in self._visible or ()]

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(
            "\n".join("\t".join(connection_cells(connection)) for connection in self._all)
        )


def connection_cells(connection: Connection) -> tuple[str, str, str, str]:
    """Return a connection as text: time, host, purpose, bytes sent and received."""
    then = datetime.fromtimestamp(connection.at_s).astimezone()
    sizes = tr("{sent} sent, {received} received").format(
        sent=format_bytes(connection.n_sent), received=format_bytes(connection.n_received)
    )
    return f"{then:%H:%M:%S}", one_line(connection.host), one_line(connection.why), sizes
