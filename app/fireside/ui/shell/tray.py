"""The icon in the system tray: its menu, tooltip and notifications."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from fireside.core.chat import MessageState
from fireside.core.events import AppEvent, MessageAdded, MessageReplaced, ModelStatusChanged
from fireside.core.i18n import tr
from fireside.core.ids import MessageId, ModelId
from fireside.core.model import display_name
from fireside.core.status import Ready
from fireside.settings.conversions import keeps_in_tray
from fireside.settings.values import ResolvedSetting
from fireside.ui.app_settings import AppSettings
from fireside.ui.shell.windows import Windows
from fireside.ui.shortcuts.sheet import FROM_ANYWHERE
from fireside.ui.widgets.text import one_line

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


# Connects the tray icon to its setting, to the running generations and to the windows


class TrayController(QObject):
    """Shows the tray icon as the setting says, what runs in its tooltip, and runs its menu. GUI thread
    only."""

    def __init__(self, windows: Windows, *, tray: Tray, open_quick_question: Callable[[], None]) -> None:
        """``open_quick_question`` is called when that is chosen in the menu."""
        super().__init__(windows)
        self._windows = windows
        self._tray = tray
        self._running: set[MessageId] = set()
        self._ready: set[ModelId] = set()
        windows.hides_on_close = lambda: tray.is_visible
        tray.show_requested.connect(self._on_show)
        tray.chat_requested.connect(self._on_chat)
        tray.quick_question_requested.connect(open_quick_question)
        tray.quit_requested.connect(windows.request_quit)
        program = windows.program
        self._settings = AppSettings(client=program.client, tasks=program.tasks, parent=self)
        self._settings.changed.connect(self._on_settings_changed)
        program.client.frame.connect(self._on_frame)

    def refresh(self) -> None:
        """Read the setting and apply it."""
        self._settings.read()

    @Slot(object)
    def _on_settings_changed(self, resolved: Sequence[ResolvedSetting]) -> None:
        self._tray.set_persistent(is_persistent=keeps_in_tray(resolved))

    @Slot()
    def _on_show(self) -> None:
        self._windows.raise_front()

    @Slot()
    def _on_chat(self) -> None:
        self._windows.raise_front().router.new_chat()

    @Slot(object)
    def _on_frame(self, events: tuple[AppEvent, ...]) -> None:
        before = (set(self._running), set(self._ready))
        for event in events:
            self._settings.handle(event)
            match event:
                case MessageAdded(message=message) if message.state is MessageState.STREAMING:
                    self._running.add(message.id)
                case MessageReplaced(message=message):
                    self._running.discard(message.id)
                case ModelStatusChanged(status=status) if isinstance(status.state, Ready):
                    self._ready.add(status.model_id)
                case ModelStatusChanged(status=status):
                    self._ready.discard(status.model_id)
                case _:
                    pass
        # The models end last, when every window has closed.
        if before != (self._running, self._ready) and self._windows.all:
            self._tray.set_tooltip(self._tooltip())

    def _tooltip(self) -> str:
        if self._running:
            return tr(
                "Fireside: generating %n answer|Fireside: generating %n answers",
                "",
                len(self._running),
            )
        entries = (self._windows.front.models.entry(model_id) for model_id in sorted(self._ready))
        names = ", ".join(one_line(display_name(entry)) for entry in entries if entry is not None)
        return tr("Fireside: {models} loaded").format(models=names) if names else "Fireside"
