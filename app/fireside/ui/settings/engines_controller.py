"""Controller of the rows about other engines and about connections."""

from __future__ import annotations

import asyncio
from functools import partial

from PySide6.QtCore import QObject

from fireside.core.errors import FiresideError, SettingInvalid
from fireside.core.i18n import render, tr
from fireside.core.remote import NewEngine, RemoteEngine
from fireside.ui.settings.connections_row import ConnectionsRow
from fireside.ui.settings.engine_sheets import AddEngineSheet, KeySheet, ModelsSheet
from fireside.ui.settings.engine_text import test_result_text
from fireside.ui.settings.engines_row import EnginesRow
from fireside.ui.tasks import task
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
        self.sheet: AddEngineSheet | ModelsSheet | KeySheet | None = None
        """The sheet opened last."""
        self._adding: asyncio.Task[None] | None = None

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
