"""Linux: the progress bar on a dock's icon, set over D-Bus.

KDE, Ubuntu's dock, Dash to Dock and Plank listen to ``com.canonical.Unity.LauncherEntry``; others ignore it.
https://wiki.ubuntu.com/Unity/LauncherAPI
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Final

from fireside.ui.taskbar.taskbar import TaskbarProgress

INTERFACE: Final = "com.canonical.Unity.LauncherEntry"
Properties = dict[str, float | bool]
Send = Callable[[str, str, Properties], None]
"""Sends ``Update(application_uri, properties)`` from an object path."""


class LauncherEntryTaskbar:
    """Emits one D-Bus signal for each change, with only the properties that all docks agree on."""

    def __init__(self, *, desktop_file: str, send: Send) -> None:
        """``desktop_file`` is the name of the program's ``.desktop`` file without the suffix."""
        self._uri = f"application://{desktop_file}.desktop"
        # Any path is valid, but it has to stay the same.
        self._path = f"/com/canonical/unity/launcherentry/{zlib.crc32(self._uri.encode())}"
        self._send = send

    def show(self, progress: TaskbarProgress) -> None:
        properties: Properties = {"progress": progress.percent / 100, "progress-visible": True}
        self._send(self._path, self._uri, properties)

    def clear(self) -> None:
        self._send(self._path, self._uri, {"progress": 0.0, "progress-visible": False})


def send_on_session_bus(path: str, uri: str, properties: Properties) -> None:
    """Emit the signal on the session bus, if there is one, without waiting."""
    from PySide6.QtDBus import QDBusConnection, QDBusMessage

    bus = QDBusConnection.sessionBus()
    if bus.isConnected():
        signal = QDBusMessage.createSignal(path, INTERFACE, "Update")
        signal.setArguments([uri, properties])
        bus.send(signal)
