"""Linux: the progress bar that docks draw over an icon, asked for over D-Bus.

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
"""Sends ``Update`` from an object's path, about an application's address, with its properties."""


class LauncherEntryTaskbar:
    """Emits one signal for each change. Only what every dock reads the same way is in it."""

    def __init__(self, *, desktop_file: str, send: Send) -> None:
        """Take ``desktop_file`` as the name of the program's ``.desktop`` file, without its ending."""
        self._address = f"application://{desktop_file}.desktop"
        # Any path will do; it must be the same each time.
        self._path = f"/com/canonical/unity/launcherentry/{zlib.crc32(self._address.encode())}"
        self._send = send

    def show(self, progress: TaskbarProgress) -> None:
        properties: Properties = {"progress": progress.percent / 100, "progress-visible": True}
        self._send(self._path, self._address, properties)

    def clear(self) -> None:
        self._send(self._path, self._address, {"progress": 0.0, "progress-visible": False})


def send_on_session_bus(path: str, address: str, properties: Properties) -> None:
    """Emit the signal on the session bus, if there is one. Does not wait."""
    from PySide6.QtDBus import QDBusConnection, QDBusMessage

    bus = QDBusConnection.sessionBus()
    if bus.isConnected():
        signal = QDBusMessage.createSignal(path, INTERFACE, "Update")
        signal.setArguments([address, properties])
        bus.send(signal)
