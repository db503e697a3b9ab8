"""Notes of the system: what a person sees although the window is not in front."""

from __future__ import annotations

from typing import Final, Protocol

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QSystemTrayIcon, QWidget

_SHOWN_MS: Final = 8_000


class Notifier(Protocol):
    """Shows notes outside of the window. GUI thread only."""

    def show(self, *, title: str, text: str) -> None:
        """Show a note; nothing happens where the system has no place for one."""

    def clear(self) -> None:
        """Take the note back: the window is in front."""


class TrayNotifier(QObject):
    """A ``Notifier`` by an icon in the tray that is there only while there is something to say.

    A click on the note or the icon brings the window to the front.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._tray: QSystemTrayIcon | None = None

    def show(self, *, title: str, text: str) -> None:
        if not QSystemTrayIcon.isSystemTrayAvailable() or not QSystemTrayIcon.supportsMessages():
            return
        if self._tray is None:
            self._tray = QSystemTrayIcon(self._window.windowIcon(), self)
            self._tray.setToolTip(title)
            self._tray.messageClicked.connect(self._on_clicked)
            self._tray.activated.connect(self._on_clicked)
        self._tray.show()
        self._tray.showMessage(title, text, QIcon(self._window.windowIcon()), _SHOWN_MS)

    def clear(self) -> None:
        if self._tray is not None:
            self._tray.hide()

    @Slot()
    def _on_clicked(self) -> None:
        self._window.showNormal() if self._window.isMinimized() else self._window.show()
        self._window.raise_()
        self._window.activateWindow()


def make_notifier(window: QWidget) -> Notifier:
    """Return what shows notes for ``window``."""
    return TrayNotifier(window)
