"""Controller of the rows about other engines and about connections."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import QObject, Slot

from fireside.core.errors import FiresideError, SettingInvalid
from fireside.core.i18n import render, tr
from fireside.core.remote import EngineTestResult, NewEngine, RemoteEngine
from fireside.ui.settings.connections_row import ConnectionsRow
from fireside.ui.settings.engine_sheets import AddEngineSheet, KeySheet, ModelsSheet, PoolsSheet
from fireside.ui.settings.engine_text import test_result_text
from fireside.ui.settings.engines_row import EnginesRow
from fireside.ui.widgets.text import one_line
from fireside.ui.window_context import WindowContext


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
        self.sheet: AddEngineSheet | ModelsSheet | PoolsSheet | KeySheet | None = None
        """The sheet opened last."""
        self._adding: asyncio.Task[EngineTestResult] | None = None

    # Engines

    def refresh(self) -> None:
        """Request the engines."""
        self._tasks.run(self._client.engines(), on_done=self.row.show_engines, on_error=self._on_error)

    def add(self) -> None:
        self.row.show_error("")
        window = self._context.window
        self.sheet = AddEngineSheet(self._add, self._end_adding, parent=window)
        self.sheet.open()

    def _add(self, sheet: AddEngineSheet, new: NewEngine) -> None:
        def on_done(result: EngineTestResult) -> None:
            self._adding = None
            sheet.accept()
            self.row.show_note(test_result_text(result))
            self.refresh()

        def on_error(error: FiresideError) -> None:
            self._adding = None
            sheet.show_error(error)

        self._adding = self._tasks.run(self._client.add(new), on_done=on_done, on_error=on_error)

    def _end_adding(self) -> None:
        """The sheet was closed: cancel its request."""
        if self._adding is not None:
            self._adding.cancel()
            self._adding = None

    def test(self, engine: RemoteEngine) -> None:
        self._show_result(engine, tr("Checking…"), role="small")

        def on_done(result: EngineTestResult) -> None:
            self._show_result(engine, test_result_text(result), role="success")
            self.refresh()

        self._tasks.run(
            self._client.test(engine.id),
            on_done=on_done,
            on_error=lambda error: self._show_result(engine, error.sentence(), role="error"),
        )

    def show_models(self, engine: RemoteEngine) -> None:
        def on_allowed(model: str, is_allowed: bool) -> None:
            self._tasks.run(
                self._client.set_model_allowed(engine.id, model=model, is_allowed=is_allowed),
                on_done=lambda _: self.refresh(),
                on_error=self._on_error,
            )

        self.sheet = ModelsSheet(engine, on_allowed, parent=self._context.window)
        self.sheet.open()

    def show_pools(self) -> None:
        def on_joined(model: str, engine_ids: tuple[str, ...]) -> None:
            self._tasks.run(
                self._client.set_pool(model, engine_ids),
                on_done=lambda _: self.refresh(),
                on_error=self._on_error,
            )

        def show(engines: tuple[RemoteEngine, ...]) -> None:
            self.sheet = PoolsSheet(engines, on_joined, parent=self._context.window)
            self.sheet.open()

        self._tasks.run(self._client.engines(), on_done=show, on_error=self._on_error)

    def change_key(self, engine: RemoteEngine) -> None:
        def on_saved(key: str) -> None:
            self._tasks.run(
                self._client.store_key(engine.id, key),
                on_done=lambda _: self.test(engine),
                on_error=lambda error: self._show_result(engine, _error_message(error), role="error"),
            )

        self.sheet = KeySheet(engine, on_saved, parent=self._context.window)
        self.sheet.open()

    def remove(self, engine: RemoteEngine) -> None:
        def on_done(_: None) -> None:
            self.row.show_note(tr("Removed {name}").format(name=one_line(engine.name)))
            self.refresh()

        self._tasks.run(self._client.remove(engine.id), on_done=on_done, on_error=self._on_error)

    def _show_result(self, engine: RemoteEngine, text: str, *, role: str) -> None:
        if (box := self.row.boxes.get(engine.id)) is not None:
            box.show_result(text, role=role)

    def _on_error(self, error: FiresideError) -> None:
        self.row.show_error(_error_message(error))

    # Connections

    def _clear_connections(self) -> None:
        self._tasks.run(
            self._client.clear_connections(),
            on_done=lambda _: self._show_connections(),
            on_error=self._on_error,
        )

    @Slot()
    def _show_connections(self) -> None:
        self._tasks.run(
            self._client.connections(), on_done=self.connections.show_connections, on_error=self._on_error
        )


def _error_message(error: FiresideError) -> str:
    return render(error.reason) if isinstance(error, SettingInvalid) else error.sentence()
