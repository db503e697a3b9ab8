"""The timer that delays saving a draft while its text is being typed."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

_DELAY_MS = 400
_MAX_DELAY_MS = 2000


class DraftTimer(QObject):
    """Emits ``due`` when the text has not changed for 400 ms, or has been changing for two seconds."""

    due = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._since_last = QTimer(self, singleShot=True, interval=_DELAY_MS)
        self._since_first = QTimer(self, singleShot=True, interval=_MAX_DELAY_MS)
        self._since_last.timeout.connect(self._on_timeout)
        self._since_first.timeout.connect(self._on_timeout)

    @property
    def is_active(self) -> bool:
        """Whether a change is waiting to be saved."""
        return self._since_last.isActive()

    def start(self) -> None:
        """Note a change of the text."""
        self._since_last.start()
        if not self._since_first.isActive():
            self._since_first.start()

    def stop(self) -> None:
        """Drop the change: it was saved, or need not be."""
        self._since_last.stop()
        self._since_first.stop()

    def _on_timeout(self) -> None:
        self.stop()
        self.due.emit()
