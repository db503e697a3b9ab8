"""Does with runtimes what the page of this computer says is wanted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

from PySide6.QtCore import QObject, Signal, Slot

from fireside.bridge.runtime_client import RuntimeClient
from fireside.core.errors import FiresideError
from fireside.core.events import AppEvent, SettingsChanged
from fireside.core.i18n import tr
from fireside.core.runtime import RUNTIME_KEY, Runtime, RuntimeProgressed, RuntimesChanged
from fireside.ui.hardware.hardware_page import HardwarePage
from fireside.ui.hardware.runtime_list import RuntimesBox
from fireside.ui.hardware.runtime_text import runtime_name
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import Theme
from fireside.ui.widgets.toast import Toast


class RuntimesController(QObject):
    """Stands behind the ``RuntimesBox``. One thing is done at a time. GUI thread only."""

    used = Signal()
    """Models run with another runtime from now on."""

    def __init__(
        self, *, client: RuntimeClient, tasks: TaskRunner, box: RuntimesBox, toast: Toast, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._client = client
        self._tasks = tasks
        self._box = box
        self._toast = toast
        self._running: asyncio.Task[Runtime] | None = None
        box.add_wanted.connect(self.add)
        box.test_wanted.connect(self._test)
        box.use_wanted.connect(self._use)
        box.roll_back_wanted.connect(self._roll_back)
        box.remove_wanted.connect(self._remove)
        box.cancel_wanted.connect(self._cancel)

    @Slot()
    def look(self) -> None:
        """Ask which runtimes there are."""
        self._tasks.run(
            self._client.choice(),
            on_done=self._box.show_choice,
            on_error=lambda error: self._box.show_no_list(error.sentence()),
        )

    def handle(self, event: AppEvent) -> None:
        """Take over one fact from the engine thread."""
        match event:
            case RuntimeProgressed():
                if self._running is not None:
                    self._box.show_progress(event)
            case RuntimesChanged(note=note):
                if note:
                    self._toast.show_note(note)
                if self._box.isVisible():
                    self.look()
            case SettingsChanged(keys=keys):
                if RUNTIME_KEY in keys and self._box.isVisible():
                    self.look()
            case _:
                pass

    @Slot(str)
    def add(self, path: str) -> None:
        """Take a runtime in, and test it."""
        self._run(self._client.add(path), words=tr("Looking at it…"))

    @Slot(str)
    def _test(self, name: str) -> None:
        self._run(self._client.test(name), words=tr("Testing “{name}”…").format(name=runtime_name(name)))

    @Slot(str)
    def _use(self, name: str) -> None:
        self._box.hide_problem()
        self._tasks.run(
            self._client.use(name),
            on_done=lambda _: self._say_used(name),
            on_error=self._show_error,
        )

    @Slot()
    def _roll_back(self) -> None:
        self._box.hide_problem()
        self._tasks.run(self._client.roll_back(), on_done=self._say_used, on_error=self._show_error)

    @Slot(str)
    def _remove(self, name: str) -> None:
        self._box.hide_problem()
        self._tasks.run(
            self._client.remove(name),
            on_done=lambda _: self._toast.show_note(
                tr("“{name}” is removed.").format(name=runtime_name(name))
            ),
            on_error=self._show_error,
        )

    @Slot()
    def _cancel(self) -> None:
        if self._running is not None:
            self._running.cancel()

    def _run(self, work: Coroutine[object, object, Runtime], *, words: str) -> None:
        if self._running is not None:
            work.close()
            return
        self._box.hide_problem()
        self._box.set_busy(words)
        task = self._tasks.run(work, on_done=self._say_tested, on_error=self._show_error)
        if task is not None:
            self._running = task
            task.add_done_callback(self._end)

    def _end(self, _task: asyncio.Task[Runtime]) -> None:
        self._running = None
        self._box.set_busy("")
        self.look()

    def _say_tested(self, runtime: Runtime) -> None:
        if runtime.test is None or not runtime.test.works:
            self._toast.show_note(
                tr("“{name}” does not work on this computer.").format(name=runtime_name(runtime.name))
            )
        else:
            self._toast.show_note(
                tr("“{name}” works on this computer.").format(name=runtime_name(runtime.name))
            )

    def _say_used(self, name: str) -> None:
        self.used.emit()
        self._toast.show_note(
            tr("Models run with “{name}” from their next answer on.").format(name=runtime_name(name))
        )

    def _show_error(self, error: FiresideError) -> None:
        self._box.show_problem(error.sentence())


def show_runtimes(
    page: HardwarePage,
    *,
    client: RuntimeClient,
    tasks: TaskRunner,
    look_at_devices: Callable[[], None],
    theme: Theme,
    toast: Toast,
) -> RuntimesController:
    """Put the runtimes on the page of this computer and return what stands behind them."""
    box = RuntimesBox(theme=theme)
    page.runtimes.addWidget(box)
    desk = RuntimesController(client=client, tasks=tasks, box=box, toast=toast, parent=page)
    page.came_up.connect(desk.look)
    # Another build may know other devices.
    desk.used.connect(look_at_devices)
    return desk
