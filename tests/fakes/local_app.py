"""The real ``App`` on the loop of the window: its database in memory, its engine played by a test.

Everything of ours is the program's own: services, SQL, settings, client. What differs is that nothing is done
in another thread, so that a test needs no patience and costs some milliseconds.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache, wraps
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from fakes.about import about_parts
from fakes.children import rule_checks
from fakes.engine import FakeEngine
from fakes.fake_machine import FakeMachine
from fakes.fake_web import web_parts
from fakes.keyrings import WorkingKeyring
from fakes.requests import Requests
from fakes.skills import skill_parts
from fakes.speech import speech_parts
from fakes.tool_servers_harness import parts_in
from fakes.tuning import tuning_parts
from fireside.bridge.engine_thread import EngineThread, FramePump
from fireside.chat.app import App, AppParts
from fireside.core.errors import ErrorInfo
from fireside.core.events import AppEvent
from fireside.core.for_window import for_window, is_for_window
from fireside.core.ids import ModelId
from fireside.core.model import ModelEntry
from fireside.documents.page_rendering import render
from fireside.engine.runtimes.runtime_store import RuntimeStore
from fireside.library.library import Library
from fireside.services.hub.hub_service import HubParts
from fireside.services.machine.runtime_service import RuntimeParts
from fireside.services.transfer.backups import BackupLocation
from fireside.settings.service import Settings
from fireside.storage.database import MEMORY, StorageThread, ThreadStopped
from fireside.storage.database_opening import open_database
from fireside.storage.migrations import load_migrations
from fireside.storage.recovery import identity_of
from fireside.storage.store import Store
from fireside.wire.cache_files import SavedStatePurge
from fireside.wire.runner_modes import ExampleReply

T = TypeVar("T")

EXAMPLE: Final = "<|im_start|>user\nWhy?<|im_end|>\n"
"""What a runner says that a chat template makes of a conversation."""
CLIENTS: Final = {"contexts": "context", "preferences": "settings"}
"""Services that the window knows by another name."""


class InlineStorage(StorageThread):
    """A storage thread that is none: work is done where it is handed over."""

    def __init__(self) -> None:
        self._is_stopped = False

    async def run(self, work: Callable[[], T]) -> T:
        if self._is_stopped:
            raise ThreadStopped
        return work()

    async def stop(self, *, last: Callable[[], None] | None = None) -> None:
        if not self._is_stopped and last is not None:
            last()
        self._is_stopped = True


def open_store(clock: Callable[[], float], file: Path | None = None) -> Store:
    """Return a store with nothing in it yet, in ``file`` or in memory."""
    if file is not None:
        file.write_bytes(_empty_database())
        migrations = load_migrations()
        database = open_database(file, migrations=migrations, give_up=threading.Event())
    else:
        database = open_database(MEMORY, migrations=(), give_up=threading.Event())
        database.connection.deserialize("main", _empty_database())
    return Store(
        thread=InlineStorage(),
        database=database,
        clock=clock,
        closing=threading.Event(),
        identity=identity_of(database),
        n_interrupted=0,
    )


@cache
def _empty_database() -> bytes:
    """The newest version of the database, made once: all migrations take longer than most tests."""
    database = open_database(MEMORY, migrations=load_migrations(), give_up=threading.Event())
    try:
        return database.connection.serialize("main")
    finally:
        database.close()


def done(work: Coroutine[Any, Any, T]) -> T:
    """Return what ``work`` returns, which waits for nothing but an ``InlineStorage``."""
    try:
        work.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    raise AssertionError(f"{work} waits for something")


class ListedLibrary(Library):
    """A library whose files are those that a test lists; there is nothing on the disk but its notes."""

    def __init__(self, folder: Path, entries: Sequence[ModelEntry]) -> None:
        super().__init__(
            library_folder=folder / "models",
            starter_folder=folder,
            added=(),
            cache_path=folder / "models.json",
            trash=lambda _: None,
        )
        self._entries = tuple(entries)

    def scan(
        self, on_found: Callable[[tuple[ModelEntry, ...]], None] | None = None
    ) -> tuple[ModelEntry, ...]:
        return self._entries or ()

    def note_used(self, model_id: ModelId) -> tuple[ModelEntry, ...]:
        return self._entries or ()


class InlineExecutor(ThreadPoolExecutor):
    """An executor without threads: work is done where it is handed over."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except BaseException as exc:  # noqa: BLE001 - raised where the work is awaited
            future.set_exception(exc)
        return future


class RecordedApp:
    """An app whose services note each request in ``requests``, as ``branches.pin``; there they may fail."""

    def __init__(self, app: object, requests: Requests, *, path: str = "") -> None:
        self._app = app
        self._requests = requests
        self._path = path

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._app, name)
        path = f"{self._path}{CLIENTS.get(name, name)}"
        if not iscoroutinefunction(found):
            return RecordedApp(found, self._requests, path=f"{path}.")

        @wraps(found)
        async def call(*arguments: object, **named: object) -> object:
            await self._requests.enter(path, *arguments, *named.values())
            if path in self._requests.replies:
                return self._requests.replies[path]
            return await found(*arguments, **named)

        if is_for_window(getattr(type(self._app), name, None)):
            for_window(call)  # also where a test has put another function in its place
        return call


class LoopThread(EngineThread[App]):
    """Stands for the engine thread on the window's own loop; events and replies leave at once, in order."""

    def __init__(self) -> None:
        async def build(_: object) -> App:
            raise AssertionError("never started")

        super().__init__(build=build)
        self._loop = asyncio.get_running_loop()
        self._loop.set_default_executor(InlineExecutor())
        self._pump = FramePump(loop=self._loop, deliver=self.frame.emit)
        self._pump.close()
        self._stopping = asyncio.Event()
        self._built = self._loop.create_future()

    def report(self, event: AppEvent) -> None:
        """Report an event of the app."""
        assert self._pump is not None
        self._pump.add(event)

    def become(self, app: App | RecordedApp) -> None:
        """From now on this app is asked."""
        assert self._built is not None
        self._built.set_result(cast("App", app))

    def _start(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:  # type: ignore[override]
        return asyncio.ensure_future(work)


def local_app(
    folder: Path,
    *,
    store: Store,
    engine: FakeEngine,
    library: Library,
    machine: FakeMachine,
    emit: Callable[[AppEvent], None],
    hub: HubParts,
    settings: Settings,
    problem: ErrorInfo | None = None,
    database: Path | None = None,
) -> App:
    """Return an app, not started: nothing is watched or indexed behind a test."""
    parts = AppParts(
        planner=machine.planner(),
        store=store,
        engine=engine,
        library=library,
        settings=settings,
        about=about_parts(folder),
        emit=emit,
        states=SavedStatePurge(None),
        hub=hub,
        show_template=lambda _: ExampleReply(text=EXAMPLE),
        runtimes=RuntimeParts(store=RuntimeStore(folder / "runtimes"), smoke_test=machine.trial),
        tuning=tuning_parts(folder),
        speech=speech_parts(folder),
        read_files=machine.read_files,
        render_page=render,
        check_rule=rule_checks(),
        list_devices=machine.list_devices,
        device_memory=machine.device_memory(),
        problem=problem,
        tool_servers=parts_in(folder, WorkingKeyring()),
        skills=skill_parts(folder),
        web=web_parts(folder),
        backup_location=BackupLocation(
            database=database or folder / "fireside.db", usual_folder=folder / "backups"
        ),
    )
    return App(parts)
