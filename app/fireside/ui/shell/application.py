"""Creates and sets up the ``QApplication`` (names, style, fonts, icon) and the theme."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QObject, QProcess, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QAccessible, QAccessibleInterface, QDesktopServices, QGuiApplication, QIcon
from PySide6.QtWidgets import QAccessibleWidget, QApplication, QWidget

from fireside.bridge.file_opening import FiresideApplication
from fireside.ui.chat.answer.message import MessageView
from fireside.ui.chat.answer.text_view import TextView
from fireside.ui.chat.style import chat_qss
from fireside.ui.chat.transcript.transcript import Transcript
from fireside.ui.kit.sheet import Sheet
from fireside.ui.library.style import library_qss
from fireside.ui.theme import Theme, load_fonts, use_theme
from fireside.ui.widgets.edit_menu import EditMenus
from fireside.ui.widgets.focus_ring import FocusRing

log = logging.getLogger(__name__)


def make_application(argv: Sequence[str], *, resources: Path) -> FiresideApplication:
    """Return the application of the process, with style, fonts and icon set; no window yet."""
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    # The first argument is the window's instance name on X11, by which docks group windows.
    application = FiresideApplication(["fireside", *argv[1:]])
    application.setApplicationName("fireside")
    application.setApplicationDisplayName("Fireside")
    application.setOrganizationName("Fireside")
    application.setDesktopFileName("fireside")
    # Closing the window starts an asynchronous shutdown; the program quits when that has ended.
    application.setQuitOnLastWindowClosed(False)
    # Native styles obey a style sheet only in part, and each differs.
    application.setStyle("Fusion")
    application.setWindowIcon(QIcon(str(resources / "icons" / "fireside.svg")))
    install_roles()
    for name in load_fonts(resources):
        log.warning("the font %s could not be read", name)
    return application


def make_theme(application: QApplication, *, resources: Path) -> Theme:
    """Put the theme of all windows in use, and return it. Raises ``OSError`` or ``msgspec.ValidationError``
    where resource files are missing or invalid."""
    look = Theme(resources=resources, application=application, sheets=(chat_qss, library_qss))
    FocusRing(application, parent=look)
    EditMenus(application, parent=look)
    use_theme(look)
    return look


# Reveals a file in the system's file manager


_SERVICE = "org.freedesktop.FileManager1"
_PATH = "/org/freedesktop/FileManager1"


def show_in_folder(path: str) -> None:
    """Open the folder of ``path``, with the file selected where the system can do that. Does not wait."""
    if sys.platform == "darwin":
        QProcess.startDetached("open", ["-R", path])
    elif sys.platform == "win32":
        QProcess.startDetached("explorer", [f"/select,{Path(path)}"])
    elif not _ask_file_manager(path):
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(Path(path).parent)))


def _ask_file_manager(path: str) -> bool:
    from PySide6.QtDBus import QDBusConnection, QDBusMessage

    bus = QDBusConnection.sessionBus()
    if not bus.isConnected():
        return False
    is_registered = bus.interface().isServiceRegistered(_SERVICE)
    if not is_registered.value():
        return False
    call = QDBusMessage.createMethodCall(_SERVICE, _PATH, _SERVICE, "ShowItems")
    call.setArguments([[QUrl.fromLocalFile(path).toString()], ""])
    return bus.send(call)


# Detects when a window is painted for the first time


_TIMEOUT_MS: Final = 500


class FirstPaint(QObject):
    """Emits ``painted`` once ``window`` has been painted. GUI thread only."""

    painted = Signal()
    """Emitted once; after ``_TIMEOUT_MS`` also for a window that opened minimised and is not painted."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._timer = QTimer(self, singleShot=True, interval=_TIMEOUT_MS)
        self._timer.timeout.connect(self._on_painted)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show:
            self._timer.start()
        elif event.type() == QEvent.Type.Paint:
            # The next turn of the event loop: by then all child widgets are painted too.
            self._timer.start(0)
            watched.removeEventFilter(self)
        return False

    def _on_painted(self) -> None:
        self._window.removeEventFilter(self)
        self.painted.emit()


# Accessibility roles: the transcript is a list, a message a list item, a sheet a modal dialog


class _Message(QAccessibleWidget):
    """A list item that keys can focus though Tab does not stop at it."""

    def state(self) -> QAccessible.State:
        state = super().state()
        state.focusable = True
        return state


class _Dialog(QAccessibleWidget):
    """A dialog over its window; Qt calls only windows modal."""

    def state(self) -> QAccessible.State:
        state = super().state()
        state.modal = True
        return state


def install_roles() -> None:
    """Register the roles with Qt. Call once per process, after the application object was made."""
    QAccessible.installFactory(_interface)


def _interface(_class_name: str, item: QObject | None) -> QAccessibleInterface | None:
    if isinstance(item, Transcript):
        return QAccessibleWidget(item, QAccessible.Role.List)
    if isinstance(item, MessageView):
        return _Message(item, QAccessible.Role.ListItem)
    if isinstance(item, Sheet):
        return _Dialog(item, QAccessible.Role.Dialog)
    if isinstance(item, TextView):
        _ = item.browser  # makes Qt's text widget, which a screen reader can read
    return None
