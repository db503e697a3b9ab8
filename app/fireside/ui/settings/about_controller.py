"""Controller of the rows about the program and its updates."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

from PySide6.QtCore import QObject

from fireside.core.about import About, UpdateProgressed
from fireside.core.errors import FiresideError
from fireside.core.i18n import tr
from fireside.settings.definitions import DAILY_KEY
from fireside.ui.commands import Command
from fireside.ui.settings.about_rows import UpdateRow, VersionRow
from fireside.ui.window_context import WindowContext


class AboutController(QObject):
    """Owns both rows. GUI thread only."""

    def __init__(
        self, context: WindowContext, *, on_first_known: Callable[[], None], parent: QObject
    ) -> None:
        """``on_first_known`` is called once it is known whether this installation can update
        itself."""
        super().__init__(parent)
        self._context = context
        self._client = context.client.about
        self._tasks = context.tasks
        self._on_first_known = on_first_known
        self._about: About | None = None
        self._running: asyncio.Task[About] | None = None
        self.version = VersionRow(self)
        self.update = UpdateRow(self)
        self.version.shown.connect(self.refresh)

    def hides(self, key: str) -> bool:
        """Return whether a setting does not apply to this installation."""
        return key == DAILY_KEY and not (self._about is not None and self._about.is_published)

    def handle(self, progress: UpdateProgressed) -> None:
        """Show the progress of the update that this window started."""
        if self._running is not None:
            self.update.show_progress(progress)

    def refresh(self) -> None:
        """Request version and state of updates."""
        if self._running is None:
            self._tasks.run(self._client.about(), on_done=self._show)

    def check_for_update(self) -> None:
        self._run(self._client.check_for_updates(), text=tr("Checking for updates…"))

    def install(self) -> None:
        self._run(self._client.install(), text=tr("Downloading…"))

    def roll_back(self) -> None:
        self._run(self._client.roll_back(), text=tr("Going back…"))

    def cancel(self) -> None:
        if self._running is not None:
            self._running.cancel()

    def quit(self) -> None:
        self._context.router.quit()

    def show_licences(self) -> None:
        self._context.commands.actions[Command.ABOUT].trigger()

    def show_data(self) -> None:
        if self._about is not None:
            self._context.reveal(self._about.data_folder)

    def _run(self, work: Coroutine[object, object, About], *, text: str) -> None:
        if self._running is not None:
            work.close()
            return
        self.update.show_busy(text)
        self._running = self._tasks.run(work, on_done=self._show, on_error=self._on_error)
        if self._running is not None:
            self._running.add_done_callback(self._end)

    def _end(self, task: asyncio.Task[About]) -> None:
        self._running = None
        if task.cancelled():
            self.refresh()

    def _show(self, about: About) -> None:
        was_known, self._about = self._about is not None, about
        self.version.show_about(about)
        self.update.show_about(about)
        if not was_known:
            self._on_first_known()

    def _on_error(self, error: FiresideError) -> None:
        self.update.show_error(error.sentence())
