"""A whole ``App`` over a real database and a scripted engine, for tests of the chat layer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fakes.engine import FakeEngine, Script
from fireside.chat.app import App
from fireside.core.chat import StoredMessage
from fireside.core.events import AppEvent
from fireside.core.ids import ConversationId, ModelId
from fireside.engine.forgetting import KeptStates
from fireside.library.library import Library
from fireside.settings.file import SettingsFile
from fireside.settings.service import Settings
from fireside.storage.store import Store


class Place:
    """The app, its engine, and everything that it reported."""

    def __init__(self, *, engine: FakeEngine, store: Store) -> None:
        self.app: App
        self.engine = engine
        self.store = store
        self.events: list[AppEvent] = []
        self._happened = asyncio.Event()

    def emit(self, event: AppEvent) -> None:
        self.events.append(event)
        self._happened.set()

    async def until(self, kind: type[AppEvent], *, n_times: int = 1) -> None:
        """Return once so many events of this kind have been reported."""
        while len(self.seen(kind)) < n_times:
            self._happened.clear()
            await self._happened.wait()

    async def settled(self, conversation: ConversationId) -> StoredMessage:
        """Wait until no answer runs and return the conversation's last message as stored."""
        await self.app.turns.settled(conversation)
        return (await self.store.open_conversation(conversation)).messages[-1]

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
    place = Place(engine=engine, store=store)
    app = App(
        store=store,
        engine=engine,  # type: ignore[arg-type]
        library=library,
        settings=settings,
        emit=place.emit,
        clock=time.monotonic,
        states=KeptStates(folder / "states"),
    )
    place.app = app
    await app.start()
    try:
        yield place
    finally:
        await app.close()
