"""Does with runtimes what the page of this computer says is wanted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from PySide6.QtCore import QObject

from fireside.core.errors import FiresideError
from fireside.core.events import AppEvent, SettingsChanged
from fireside.core.i18n import tr
from fireside.core.runtime import RUNTIME_KEY, Runtime, RuntimeProgressed, RuntimesChanged
from fireside.ui.hardware.runtime_list import RuntimesBox
from fireside.ui.hardware.runtime_text import runtime_name
from fireside.ui.window_context import WindowContext

T = TypeVar("T")


class RuntimesController(QObject):
    """Stands behind its ``box``. One thing is done at a time. GUI thread only."""

    def __init__(self, context: WindowContext, *, on_used: Callable[[], None], parent: QObject) -> None:
        """Take ``on_used`` as what is to be done once models run with another runtime."""
        super().__init__(parent)
        self._client = context.client.runtimes
        self._tasks = context.tasks
        self._toast = context.toast
        self._on_runtime_changed = on_used
        self._running: asyncio.Task[Any] | None = None
        self.box = RuntimesBox(self, theme=context.theme)

    def refresh(self) -> None:
        """Ask which runtimes there are."""
        self._tasks.run(
            self._client.choice(),
            on_done=self.box.show_choice,
            on_error=lambda error: self.box.show_no_list(error.sentence()),
        )

    def handle(self, event: AppEvent) -> None:
        """Take over one fact from the engine thread."""
        match event:
            case RuntimeProgressed():
                if self._running is not None:
                    self.box.show_progress(event)
            case RuntimesChanged(note=note):
                if note:
                    self._toast.show_message(note)
                if self.box.isVisible():
                    self.refresh()
            case SettingsChanged(keys=keys):
                if RUNTIME_KEY in keys and self.box.isVisible():
                    self.refresh()
            case _:
                pass

    def find(self) -> None:
        """Ask which runtimes there are to be had."""
        self._run(
            self._client.check_for_updates(),
            text=tr("Asking Fireside’s releases…"),
            on_done=self.box.show_choice,
        )

    def install(self, name: str) -> None:
        """Download a runtime, and test it."""
        self._run(
            self._client.install(name),
            text=tr("Downloading “{name}”…").format(name=runtime_name(name)),
            on_done=self._show_tested_note,
        )

    def add(self, path: str) -> None:
        """Take a runtime in, and test it."""
        self._run(self._client.add(path), text=tr("Loading…"), on_done=self._show_tested_note)

    def test(self, name: str) -> None:
        """Let the starter model answer with a runtime."""
        self._run(
            self._client.test(name),
            text=tr("Testing “{name}”…").format(name=runtime_name(name)),
            on_done=self._show_tested_note,
        )

    def use(self, name: str) -> None:
        """Have models run with a runtime from now on."""
        self.box.hide_problem()
        self._tasks.run(
            self._client.use(name),
            on_done=lambda _: self._show_used_note(name),
            on_error=self._show_error,
        )

    def roll_back(self) -> None:
        """Use the runtime that was used before."""
        self.box.hide_problem()
        self._tasks.run(self._client.roll_back(), on_done=self._show_used_note, on_error=self._show_error)

    def remove(self, name: str) -> None:
        """Delete the files of a runtime."""
        self.box.hide_problem()
        self._tasks.run(
            self._client.remove(name),
            on_done=lambda _: self._toast.show_message(
                tr("“{name}” removed").format(name=runtime_name(name))
            ),
            on_error=self._show_error,
        )

    def cancel(self) -> None:
        """End what is being done."""
        if self._running is not None:
            self._running.cancel()

    def _run(self, work: Coroutine[object, object, T], *, text: str, on_done: Callable[[T], None]) -> None:
        if self._running is not None:
            work.close()
            return
        self.box.hide_problem()
        self.box.set_busy(text)
        task = self._tasks.run(work, on_done=on_done, on_error=self._show_error)
        if task is not None:
            self._running = task
            task.add_done_callback(self._end)

    def _end(self, _task: asyncio.Task[Any]) -> None:
        self._running = None
        self.box.set_busy("")
        self.refresh()

    def _show_tested_note(self, runtime: Runtime) -> None:
        if runtime.test is None or not runtime.test.works:
            self._toast.show_message(
                tr("“{name}” failed on this computer").format(name=runtime_name(runtime.name))
            )
        else:
            self._toast.show_message(
                tr("“{name}” works on this computer").format(name=runtime_name(runtime.name))
            )

    def _show_used_note(self, name: str) -> None:
        self._on_runtime_changed()
        self._toast.show_message(tr("“{name}” is used from the next load").format(name=runtime_name(name)))

    def _show_error(self, error: FiresideError) -> None:
        self.box.show_problem(error.sentence())
