"""Asks what this computer is while its page is open, and who takes its memory once a second."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QGuiApplication

from fireside.bridge.hardware_client import HardwareClient
from fireside.core.errors import FiresideError
from fireside.core.hardware import Hardware, MemoryBar
from fireside.core.i18n import tr
from fireside.ui.hardware.hardware_page import HardwarePage
from fireside.ui.tasks import TaskRunner
from fireside.ui.widgets.toast import Toast

_REFRESH_MS: Final = 1000


class HardwareController(QObject):
    """Stands behind the ``HardwarePage``. Nothing is asked while the page cannot be seen. GUI thread only."""

    def __init__(
        self, *, client: HardwareClient, tasks: TaskRunner, page: HardwarePage, toast: Toast, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._client = client
        self._tasks = tasks
        self._page = page
        self._toast = toast
        self._is_looking = False
        self._is_measuring = False
        # Runs once after each answer, so that slow answers never pile up.
        self._next = QTimer(self)
        self._next.setSingleShot(True)
        self._next.setInterval(_REFRESH_MS)
        self._next.timeout.connect(self._measure)
        page.came_up.connect(self._on_came_up)
        page.went_away.connect(self._next.stop)
        page.refresh_wanted.connect(self.look)
        page.copy_wanted.connect(self._on_copy)

    @property
    def is_following(self) -> bool:
        """Whether the memories are asked for, now or in a moment."""
        return self._is_measuring or self._next.isActive()

    @Slot()
    def look(self) -> None:
        """Find out anew what this computer is."""
        if self._is_looking:
            return
        self._is_looking = True
        self._page.show_looking()
        self._tasks.run(self._client.hardware(), on_done=self._on_looked, on_error=self._on_not_looked)

    @Slot()
    def _on_came_up(self) -> None:
        self.look()
        self._measure()

    @Slot()
    def _measure(self) -> None:
        if self._is_measuring or not self._page.isVisible():
            return
        self._is_measuring = True
        self._tasks.run(self._client.memory_bars(), on_done=self._on_bars, on_error=self._on_no_bars)

    def _on_looked(self, hardware: Hardware) -> None:
        self._is_looking = False
        self._page.show_hardware(hardware)

    def _on_not_looked(self, error: FiresideError) -> None:
        self._is_looking = False
        self._page.show_problem(error.sentence())

    def _on_bars(self, bars: tuple[MemoryBar, ...]) -> None:
        self._page.show_bars(bars)
        self._go_on()

    def _on_no_bars(self, error: FiresideError) -> None:
        self._page.show_problem(error.sentence())
        self._go_on()

    def _go_on(self) -> None:
        self._is_measuring = False
        if self._page.isVisible():
            self._next.start()

    @Slot(str)
    def _on_copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self._toast.show_note(tr("The hardware report is copied."))
