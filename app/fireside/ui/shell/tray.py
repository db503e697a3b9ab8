"""The icon in the system tray: its menu, tooltip and notifications."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from fireside.core.i18n import tr
from fireside.ui.shortcuts.sheet import FROM_ANYWHERE

_NOTE_MS: Final = 8_000


class Tray(QObject):
    """The program's tray icon: visible while the setting asks for it, and while a notification is shown.

    Does nothing where the system has no tray. Implements ``Notifier``. GUI thread only.
    """

    show_requested = Signal()
    """The icon, a notification, or the first entry of the menu was clicked."""
    chat_requested = Signal()
    quick_question_requested = Signal()
    quit_requested = Signal()

    def __init__(self, *, icon: QIcon, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._image = icon
        self._tray: QSystemTrayIcon | None = None
        self._menu: QMenu | None = None
        self._is_persistent = False
        self._tooltip = "Fireside"

    @property
    def is_visible(self) -> bool:
        """Whether the icon is permanently visible, so that a hidden window can be restored."""
        return self._is_persistent and self._tray is not None and self._tray.isVisible()

    @property
    def menu(self) -> QMenu | None:
        """The context menu; ``None`` before the icon was first shown."""
        return self._menu

    @property
    def tooltip(self) -> str:
        """The tooltip of the icon."""
        return self._tooltip

    def set_persistent(self, *, is_persistent: bool) -> None:
        """Show the icon permanently, or only while there is a notification."""
        self._is_persistent = is_persistent
        if is_persistent and QSystemTrayIcon.isSystemTrayAvailable():
            self._icon().show()
        elif self._tray is not None and not is_persistent:
            self._tray.hide()

    def set_tooltip(self, text: str) -> None:
        """Set the tooltip of the icon."""
        self._tooltip = text
        if self._tray is not None:
            self._tray.setToolTip(text)

    def show(self, *, title: str, text: str) -> None:
        """Show a notification; does nothing where the system supports none."""
        if QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages():
            self._icon().show()
            self._icon().showMessage(title, text, self._image, _NOTE_MS)

    def clear(self) -> None:
        """Withdraw the notification: a window is active."""
        if self._tray is not None and not self._is_persistent:
            self._tray.hide()

    def close(self) -> None:
        """Hide the icon and delete its menu."""
        if self._tray is not None:
            self._tray.hide()
        if self._menu is not None:
            self._menu.deleteLater()
            self._menu = None

    def _icon(self) -> QSystemTrayIcon:
        if self._tray is None:
            self._tray = QSystemTrayIcon(self._image, self)
            self._tray.setToolTip(self._tooltip)
            self._tray.messageClicked.connect(self.show_requested)
            self._tray.activated.connect(self._on_activated)
            self._menu = self._make_menu()
            self._tray.setContextMenu(self._menu)
        return self._tray

    def _make_menu(self) -> QMenu:
        menu = QMenu()
        menu.addAction(tr("Show Fireside"), self.show_requested.emit)
        menu.addAction(tr("New chat"), self.chat_requested.emit)
        action = menu.addAction(tr("Quick question…"), self.quick_question_requested.emit)
        action.setToolTip(tr(FROM_ANYWHERE))
        menu.setToolTipsVisible(True)
        menu.addSeparator()
        menu.addAction(tr("Quit"), self.quit_requested.emit)
        return menu

    @Slot(QSystemTrayIcon.ActivationReason)
    def _on_activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is not QSystemTrayIcon.ActivationReason.Context:
            self.show_requested.emit()
