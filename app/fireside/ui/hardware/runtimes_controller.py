"""Controller of the builds of llama.cpp: find, install, test, use, remove."""

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
from fireside.ui.tasks import task
from fireside.ui.window_context import WindowContext

T = TypeVar("T")


class RuntimesController(QObject):
    """Owns ``box``. One operation at a time. GUI thread only."""

    def __init__(
        self, context: WindowContext, *, on_runtime_changed: Callable[[], None], parent: QObject
    ) -> None:
        """``on_runtime_changed`` is called when models use another runtime from now on."""
        super().__init__(parent)
        self._client = context.client.runtimes
        self._tasks = context.tasks
        self._toast = context.toast
        self._on_runtime_changed = on_runtime_changed
        self._running: asyncio.Task[Any] | None = None
        self.box = RuntimesBox(self)

    def refresh(self) -> None:
        """Request the list of runtimes."""
        self._tasks.run(
            self._client.choice(),
            on_done=self.box.show_choice,
            on_error=lambda error: self.box.show_list_error(error.sentence()),
        )

    def handle(self, event: AppEvent) -> None:
        """Handle one event of the engine thread."""
        match event:
            case RuntimeProgressed():
                if self._running is not None:
                    self.box.show_progress(event)
            case RuntimesChanged():
                if self.box.isVisible():
                    self.refresh()
            case SettingsChanged(keys=keys):
                if RUNTIME_KEY in keys and self.box.isVisible():
                    self.refresh()
            case _:
                pass

    def find(self) -> None:
        """Request the runtimes on offer."""
        self._run(
            self._client.check_for_updates(),
            text=tr("Asking Fireside’s releases…"),
            on_done=self.box.show_choice,
        )

    def install(self, name: str) -> None:
        """Download a runtime and test it."""
        self._run(
            self._client.install(name),
            text=tr("Downloading “{name}”…").format(name=runtime_name(name)),
            on_done=self._show_tested_note,
        )

    def add(self, path: str) -> None:
        """Add a runtime from a file or folder and test it."""
        self._run(self._client.add(path), text=tr("Loading…"), on_done=self._show_tested_note)

    def test(self, name: str) -> None:
        """Test a runtime: the starter model answers with it."""
        self._run(
            self._client.test(name),
            text=tr("Testing “{name}”…").format(name=runtime_name(name)),
            on_done=self._show_tested_note,
        )

    @task
    async def use(self, name: str) -> None:
        """Use a runtime for all models."""
        self.box.hide_problem()
        await self._client.use(name)
        self._show_used_note(name)

    @task
    async def roll_back(self) -> None:
        """Use the previous runtime again."""
        self.box.hide_problem()
        self._show_used_note(await self._client.roll_back())

    @task
    async def remove(self, name: str) -> None:
        """Delete the files of a runtime."""
        self.box.hide_problem()
        await self._client.remove(name)
        self._toast.show_message(tr("“{name}” removed").format(name=runtime_name(name)))

    def cancel(self) -> None:
        """Cancel the running operation."""
        if self._running is not None:
            self._running.cancel()

    def _run(self, work: Coroutine[object, object, T], *, text: str, on_done: Callable[[T], None]) -> None:
        if self._running is not None:
            work.close()
            return
        self.box.hide_problem()
        self.box.set_busy(text)
        running = self._tasks.run(work, on_done=on_done, on_error=self._on_error)
        if running is not None:
            self._running = running
            running.add_done_callback(self._end)

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

    def _on_error(self, error: FiresideError) -> None:
        self.box.show_problem(error.sentence())
