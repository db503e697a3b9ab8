"""The icon in the system's tray: the way back to Fireside, a quick question, and notes of the system."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from fireside.core.i18n import tr
from fireside.ui.shortcuts.sheet import FROM_ANYWHERE

_SHOWN_MS: Final = 8_000


class Tray(QObject):
    """One icon a program: there while the user wants it kept, and while there is a note to read.

    Where the system has no tray nothing happens. Also a ``Notifier``. GUI thread only.
    """

    show_wanted = Signal()
    """A click on the icon, on a note, or on the first line of the menu."""
    chat_wanted = Signal()
    ask_wanted = Signal()
    quit_wanted = Signal()

    def __init__(self, *, icon: QIcon, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._picture = icon
        self._tray: QSystemTrayIcon | None = None
        self._menu: QMenu | None = None
        self._is_kept = False
        self._words = "Fireside"

    @property
    def is_shown(self) -> bool:
        """Whether the icon is there, so that a hidden window can be had back."""
        return self._is_kept and self._tray is not None and self._tray.isVisible()

    @property
    def menu(self) -> QMenu | None:
        """What a click with the other button opens; ``None`` before the icon was first there."""
        return self._menu

    @property
    def words(self) -> str:
        """What the icon says when it is pointed at."""
        return self._words

    def keep(self, *, is_wanted: bool) -> None:
        """Leave the icon there from now on, or only while there is a note."""
        self._is_kept = is_wanted
        if is_wanted and QSystemTrayIcon.isSystemTrayAvailable():
            self._icon().show()
        elif self._tray is not None and not is_wanted:
            self._tray.hide()

    def say(self, words: str) -> None:
        """Say this when the icon is pointed at: what runs."""
        self._words = words
        if self._tray is not None:
            self._tray.setToolTip(words)

    def show(self, *, title: str, text: str) -> None:
        """Show a note; nothing happens where the system has no place for one."""
        if QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages():
            self._icon().show()
            self._icon().showMessage(title, text, self._picture, _SHOWN_MS)

    def clear(self) -> None:
        """Take the note back: a window is in front."""
        if self._tray is not None and not self._is_kept:
            self._tray.hide()

    def close(self) -> None:
        """Leave nothing behind."""
        if self._tray is not None:
            self._tray.hide()
        if self._menu is not None:
            self._menu.deleteLater()
            self._menu = None

    def _icon(self) -> QSystemTrayIcon:
        if self._tray is None:
            self._tray = QSystemTrayIcon(self._picture, self)
            self._tray.setToolTip(self._words)
            self._tray.messageClicked.connect(self.show_wanted)
            self._tray.activated.connect(self._on_activated)
            self._menu = self._make_menu()
            self._tray.setContextMenu(self._menu)
        return self._tray

    def _make_menu(self) -> QMenu:
        menu = QMenu()
        menu.addAction(tr("Show Fireside"), self.show_wanted.emit)
        menu.addAction(tr("New chat"), self.chat_wanted.emit)
        ask = menu.addAction(tr("Quick question…"), self.ask_wanted.emit)
        ask.setToolTip(tr(FROM_ANYWHERE))
        menu.setToolTipsVisible(True)
        menu.addSeparator()
        menu.addAction(tr("Quit"), self.quit_wanted.emit)
        return menu

    @Slot(QSystemTrayIcon.ActivationReason)
    def _on_activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is not QSystemTrayIcon.ActivationReason.Context:
            self.show_wanted.emit()
