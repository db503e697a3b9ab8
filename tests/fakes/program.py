"""The whole program in one process: real window, engine thread, database, runner and model."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from fireside.bridge.client import EngineClient
from fireside.bridge.engine_thread import EngineThread
from fireside.bridge.garbage import GuiGarbageCollector
from fireside.chat.app import App
from fireside.core.chat import StoredMessage
from fireside.core.events import AppEvent, MessageReplaced
from fireside.main.build import EngineSharing, Persistence, ProgramLifetime, build_app
from fireside.main.startup_context import StartupContext, load_context
from fireside.main.window import _cancel_remaining_tasks, make_windows
from fireside.settings.log import LogFile
from fireside.settings.parse import parse_assignments
from fireside.settings.redaction import Redaction
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.shell.windows import Windows

EventT = TypeVar("EventT", bound=AppEvent)
_PATIENCE_S: Final = 60.0


class Program:
    """What a test needs of the running program."""

    def __init__(self, *, window: MainWindow, client: EngineClient, loop: QEventLoop) -> None:
        self.window = window
        self.client = client
        self.events: list[AppEvent] = []
        self.loop = loop
        self._happened = asyncio.Event()
        client.frame.connect(self._on_frame)

    def _on_frame(self, events: tuple[AppEvent, ...]) -> None:
        self.events.extend(events)
        self._happened.set()

    def run(self, scenario: Callable[[], Awaitable[None]]) -> None:
        """Do ``scenario`` on the event loop that Qt and asyncio share; three minutes at most."""
        self.loop.run_until_complete(asyncio.wait_for(scenario(), 180))

    def seen(self, kind: type[EventT]) -> list[EventT]:
        return [event for event in self.events if isinstance(event, kind)]

    async def until(self, condition: Callable[[], bool]) -> None:
        """Return when ``condition`` holds; it is looked at after each frame."""
        while not condition():
            self._happened.clear()
            await self._happened.wait()

    async def ready(self) -> None:
        """Return when the window shows a model that can be talked to."""
        snapshot = await self.client.snapshot()
        assert snapshot.default_model is not None
        await self.client.models.load(snapshot.default_model, conversation_id=None)
        await self.until(lambda: self.window.conversations.model_id is not None)

    def type(self, text: str) -> None:
        """Type into the composer, as keys."""
        editor = self.window.chat.composer.editor
        editor.setFocus()
        QTest.keyClicks(editor, text)

    def press(self, key: Qt.Key) -> None:
        QTest.keyClick(self.window.chat.composer.editor, key)

    async def ask(self, text: str) -> StoredMessage:
        """Type a message, send it with Enter, and return its finished answer."""
        self.type(text)
        await self.send()
        return self.seen(MessageReplaced)[-1].message

    async def send(self) -> None:
        """Send what is typed with Enter, and return when its answer is finished."""
        n_before = len(self.seen(MessageReplaced))
        self.press(Qt.Key.Key_Return)
        await self.until(lambda: len(self.seen(MessageReplaced)) > n_before)


async def until(condition: Callable[[], bool]) -> None:
    """Return when ``condition`` holds, as ``qtbot.waitUntil`` would; the window goes on meanwhile."""
    holds = asyncio.Event()
    look = QTimer(interval=10)
    look.timeout.connect(lambda: holds.set() if condition() else None)
    look.start()
    try:
        await asyncio.wait_for(holds.wait(), _PATIENCE_S)
    finally:
        look.stop()


async def _settled(windows: Windows) -> None:
    """End as the program does: what was asked for last, a draft among it, is kept."""
    await windows.settled()
    await _cancel_remaining_tasks()


@contextmanager
def running_program(
    application: QApplication, *, home: Path, settings: Sequence[str] = (), passphrase: str = ""
) -> Iterator[Program]:
    """Start the program in ``home``, with the passphrase of its data, and end it in order."""
    # Several threads wait for each other most of the time on a machine with other work.
    environ = {"FIRESIDE_HOME": str(home), "FIRESIDE_LOAD_N_THREADS": "1"}
    context = load_context(environ, command_line=parse_assignments(settings))
    if passphrase:
        context.lock.unlock(passphrase)
    with LogFile(context.paths.logs_folder, redaction=Redaction()):
        yield from _running(application, context)


def _running(application: QApplication, context: StartupContext) -> Iterator[Program]:
    garbage = GuiGarbageCollector()
    thread = EngineThread[App](
        build=lambda pump: build_app(
            context,
            emit=pump.add,
            next_frame=pump.next_frame,
            persistence=Persistence.AS_OWNER,
            sharing=EngineSharing(name="window", lifetime=ProgramLifetime.LONG),
        )
    )
    client = EngineClient(thread)
    thread.start()
    loop = QEventLoop(application)
    asyncio.set_event_loop(loop)
    try:

        async def make() -> Windows:
            return make_windows(context, application, client, on_end=lambda _: None)

        windows = loop.run_until_complete(make())
        window = windows.front
        program = Program(window=window, client=client, loop=loop)
        windows.show()
        try:
            yield program
        finally:
            # Also where a scenario failed in the middle: a sheet that it leaves open would take the keys and
            # the pointer of every test behind it.
            window.close()
            loop.run_until_complete(_settled(windows))
            window.deleteLater()
    finally:
        ended = thread.stop()
        loop.close()
        asyncio.set_event_loop(None)
        application.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        garbage.close()
        assert ended, "the engine thread did not end in time"
