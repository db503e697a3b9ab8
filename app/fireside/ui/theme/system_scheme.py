"""Whether the system prefers light or dark, and changes of that preference."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import SLOT, QObject, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication

from fireside.ui.theme.tokens import Scheme

if TYPE_CHECKING:
    from PySide6.QtDBus import QDBusVariant

_SERVICE = "org.freedesktop.portal.Desktop"
_PATH = "/org/freedesktop/portal/desktop"
_INTERFACE = "org.freedesktop.portal.Settings"
_NAMESPACE = "org.freedesktop.appearance"
_KEY = "color-scheme"
_TIMEOUT_MS = 2000
_PORTAL_DARK = 1


class SystemScheme(QObject):
    """The system's scheme: from Qt, else from the desktop portal, else light.

    Qt reports ``Unknown`` on Linux desktops whose platform theme has no scheme; those report it on D-Bus. The
    portal is called asynchronously, so that its reply may arrive after the window is shown.
    """

    changed = Signal()

    def __init__(self, application: QGuiApplication, *, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hints = application.styleHints()
        self._portal: Scheme | None = None
        self._hints.colorSchemeChanged.connect(self._on_qt_scheme_changed)
        if sys.platform.startswith("linux"):
            self._query_portal()

    @property
    def scheme(self) -> Scheme:
        match self._hints.colorScheme():
            case Qt.ColorScheme.Dark:
                return Scheme.DARK
            case Qt.ColorScheme.Light:
                return Scheme.LIGHT
            case _:
                return self._portal or Scheme.LIGHT

    def _query_portal(self) -> None:
        from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher

        bus = QDBusConnection.sessionBus()
        if not bus.isConnected():
            return
        # PySide's stub has bytes here, its run time needs str.
        slot: Any = SLOT("on_setting_changed(QString,QString,QDBusVariant)")
        bus.connect(_SERVICE, _PATH, _INTERFACE, "SettingChanged", self, slot)
        call = QDBusMessage.createMethodCall(_SERVICE, _PATH, _INTERFACE, "Read")
        call.setArguments([_NAMESPACE, _KEY])
        self._watcher = QDBusPendingCallWatcher(bus.asyncCall(call, _TIMEOUT_MS), self)
        self._watcher.finished.connect(self._on_portal_answered)

    @Slot()
    def _on_portal_answered(self) -> None:
        reply = self._watcher.reply()
        if arguments := reply.arguments():
            self._apply_portal_value(arguments[0])
        self._watcher.deleteLater()

    @Slot(str, str, "QDBusVariant")
    def on_setting_changed(self, namespace: str, key: str, value: QDBusVariant) -> None:
        """Handle the portal's signal; public because Qt finds the slot by its name."""
        if (namespace, key) == (_NAMESPACE, _KEY):
            self._apply_portal_value(value)

    def _apply_portal_value(self, value: object) -> None:
        while hasattr(value, "variant"):
            value = value.variant()
        if not isinstance(value, int):
            return
        self._portal = Scheme.DARK if value == _PORTAL_DARK else Scheme.LIGHT
        self.changed.emit()

    @Slot()
    def _on_qt_scheme_changed(self) -> None:
        self.changed.emit()
