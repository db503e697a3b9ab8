"""Controller of the hardware page: reads the hardware, and memory use once a second."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QGuiApplication

from fireside.core.errors import FiresideError
from fireside.core.hardware import Hardware, MemoryBreakdown
from fireside.core.i18n import tr
from fireside.ui.window_context import WindowContext

if TYPE_CHECKING:
    from fireside.ui.hardware.hardware_page import HardwarePage

_REFRESH_MS: Final = 1000


class HardwareController(QObject):
    """Sends the requests of ``HardwarePage``, none while it is hidden. GUI thread only."""

    def __init__(self, context: WindowContext, *, page: HardwarePage, parent: QObject) -> None:
        super().__init__(parent)
        self._client = context.client.hardware
        self._tasks = context.tasks
        self._toast = context.toast
        self._page = page
        self._is_refreshing = False
        self._is_measuring = False
        # Restarted after each reply, so that slow replies never pile up.
        self._timer = QTimer(self, singleShot=True, interval=_REFRESH_MS)
        self._timer.timeout.connect(self._measure)

    @property
    def is_running(self) -> bool:
        """Whether memory use is requested, now or after the pause."""
        return self._is_measuring or self._timer.isActive()

    def refresh(self) -> None:
        """Read the hardware again."""
        if self._is_refreshing:
            return
        self._is_refreshing = True
        self._page.show_refreshing()
        self._tasks.run(self._client.hardware(), on_done=self._on_hardware, on_error=self._on_hardware_error)

    def start(self) -> None:
        """The page became visible: read the hardware, and follow memory use."""
        self.refresh()
        self._measure()

    def stop(self) -> None:
        """The page was hidden: stop following memory use."""
        self._timer.stop()

    def copy(self, text: str) -> None:
        """Copy the hardware report to the clipboard."""
        QGuiApplication.clipboard().setText(text)
        self._toast.show_message(tr("Hardware report copied"))

    def _measure(self) -> None:
        if self._is_measuring or not self._page.isVisible():
            return
        self._is_measuring = True
        self._tasks.run(self._client.memory_bars(), on_done=self._on_bars, on_error=self._on_bars_error)

    def _on_hardware(self, hardware: Hardware) -> None:
        self._is_refreshing = False
        self._page.show_hardware(hardware)

    def _on_hardware_error(self, error: FiresideError) -> None:
        self._is_refreshing = False
        self._page.show_problem(error.sentence())

    def _on_bars(self, bars: tuple[MemoryBreakdown, ...]) -> None:
        self._page.show_bars(bars)
        self._schedule_next()

    def _on_bars_error(self, error: FiresideError) -> None:
        self._page.show_problem(error.sentence())
        self._schedule_next()

    def _schedule_next(self) -> None:
        self._is_measuring = False
        if self._page.isVisible():
            self._timer.start()
