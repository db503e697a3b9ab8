"""Reveals a file in the system's file manager."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QProcess, QUrl
from PySide6.QtGui import QDesktopServices

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
