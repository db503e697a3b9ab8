"""A whole ``App`` over a real database and a scripted engine, for tests of the chat layer."""

from __future__ import annotations

import time
from contextlib import asynccontextmanager
from collections.abc import AsyncIterator
from pathlib import Path

from fakes.engine import FakeEngine, Script
from fireside.chat.app import App
from fireside.core.events import AppEvent
from fireside.core.ids import ModelId
from fireside.library.library import Library
from fireside.settings.file import SettingsFile
from fireside.settings.service import Settings
from fireside.storage.store import Store


class Place:
    """The app, its engine, and everything that it reported."""

    def __init__(self, *, app: App, engine: FakeEngine, store: Store, events: list[AppEvent]) -> None:
        self.app = app
        self.engine = engine
        self.store = store
        self.events = events

    @property
    def model_id(self) -> ModelId:
        first = self.app.models.first()
        assert first is not None
        return first

    def seen(self, kind: type[AppEvent]) -> list[AppEvent]:
        return [event for event in self.events if isinstance(event, kind)]


@asynccontextmanager
async def app_place(
    folder: Path, *, starter: Path, script: Script, database: str | Path = ":memory:"
) -> AsyncIterator[Place]:
    """Open an app whose models are the real starter model and whose settings are in ``folder``."""
    events: list[AppEvent] = []
    store = await Store.open(database, clock=time.time)
    engine = FakeEngine(script)
    settings = Settings(file=SettingsFile(folder / "settings.json"), environ={})
    settings.load()
    library = Library(
        library_folder=folder / "models",
        starter_folder=starter.parent,
        added=(),
        cache_path=folder / "models.json",
        trash=lambda _: None,
    )
    app = App(
        store=store,
        engine=engine,  # type: ignore[arg-type]
        library=library,
        settings=settings,
        emit=events.append,
        clock=time.monotonic,
    )
    await app.start()
    try:
        yield Place(app=app, engine=engine, store=store, events=events)
    finally:
        await app.close()
