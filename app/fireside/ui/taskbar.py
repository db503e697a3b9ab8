"""Download progress in the system's taskbar, dock or launcher.

Windows: the shell's ``ITaskbarList3``,
https://learn.microsoft.com/windows/win32/api/shobjidl_core/nn-shobjidl_core-itaskbarlist3
Linux: a signal over D-Bus, to which KDE, Ubuntu's dock, Dash to Dock and Plank listen and others do not,
https://wiki.ubuntu.com/Unity/LauncherAPI
"""

from __future__ import annotations

import ctypes
import logging
import sys
import uuid
import zlib
from collections.abc import Callable
from typing import Final, Protocol

import msgspec
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget


class TaskbarProgress(msgspec.Struct, frozen=True, kw_only=True):
    """The progress of all running downloads together."""

    percent: int
    """0 to 100."""
    n_downloads: int
    is_held_up: bool = False
    """Whether all of them are stalled, for example paused or waiting."""


class Taskbar(Protocol):
    """Shows progress at the program's icon. Methods do not block and never raise; GUI thread only."""

    def show(self, progress: TaskbarProgress) -> None: ...

    def clear(self) -> None:
        """Remove the progress."""


log = logging.getLogger(__name__)

_CLASS_ID: Final = uuid.UUID("56fdf344-fd6d-11d0-958a-006097c9a090")
_INTERFACE_ID: Final = uuid.UUID("ea1afb91-9e28-4b86-90e9-9e9f8a5eefaf")
_IN_PROCESS: Final = 1

NO_PROGRESS: Final = 0
NORMAL: Final = 2
PAUSED: Final = 8

# Indexes in the vtable: after three of IUnknown, five of ITaskbarList and one of ITaskbarList2.
_HR_INIT: Final = 3
_SET_PROGRESS_VALUE: Final = 9
_SET_PROGRESS_STATE: Final = 10


class TaskbarList(Protocol):
    """The methods of ``ITaskbarList3`` in use. They return an ``HRESULT``, negative for a failure."""

    def set_progress_value(self, window: int, *, done: int, total: int) -> int: ...

    def set_progress_state(self, window: int, state: int) -> int: ...


class ListTaskbar:
    """Shows the progress at one window's button. Without a button, the next change is shown once there is
    one."""

    def __init__(self, taskbar_list: TaskbarList, *, handle: Callable[[], int]) -> None:
        """``handle`` returns the window's ``HWND``, which Qt may replace."""
        self._list = taskbar_list
        self._handle = handle

    def show(self, progress: TaskbarProgress) -> None:
        window = self._handle()
        self._list.set_progress_state(window, PAUSED if progress.is_held_up else NORMAL)
        self._list.set_progress_value(window, done=progress.percent, total=100)

    def clear(self) -> None:
        self._list.set_progress_state(self._handle(), NO_PROGRESS)


class ComTaskbarList:
    """Calls the methods of the COM object at an address, which is never released."""

    def __init__(self, address: int) -> None:
        self._this = ctypes.c_void_p(address)
        self._table = ctypes.cast(address, ctypes.POINTER(ctypes.POINTER(ctypes.c_void_p))).contents
        # Qt supports 64 bits only, where COM uses the calling convention of C.
        plain = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)
        value = ctypes.CFUNCTYPE(
            ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64
        )
        state = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32)
        self._hr_init = plain(self._method(_HR_INIT))
        self._set_value = value(self._method(_SET_PROGRESS_VALUE))
        self._set_state = state(self._method(_SET_PROGRESS_STATE))

    def initialise(self) -> int:
        """Must be called before any other method."""
        return int(self._hr_init(self._this))

    def set_progress_value(self, window: int, *, done: int, total: int) -> int:
        return int(self._set_value(self._this, window, done, total))

    def set_progress_state(self, window: int, state: int) -> int:
        return int(self._set_state(self._this, window, state))

    def _method(self, index: int) -> int:
        address = self._table[index]
        assert isinstance(address, int)
        return address


def make_taskbar_list() -> ComTaskbarList | None:
    """Return the shell's object; ``None`` where it has none. Qt has initialised COM in the GUI thread."""
    if sys.platform != "win32":
        return None
    pointer = ctypes.c_void_p()
    result = ctypes.WinDLL("ole32").CoCreateInstance(
        _guid(_CLASS_ID), None, _IN_PROCESS, _guid(_INTERFACE_ID), ctypes.byref(pointer)
    )
    if result != 0 or not pointer.value:
        log.info("The taskbar shows no progress: error %#x.", result & 0xFFFFFFFF)
        return None
    taskbar_list = ComTaskbarList(pointer.value)
    return taskbar_list if taskbar_list.initialise() >= 0 else None


def _guid(value: uuid.UUID) -> ctypes.Array[ctypes.c_char]:
    return ctypes.create_string_buffer(value.bytes_le, 16)


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


class BadgeTaskbar:
    """The fallback, and macOS: a badge with the number of running downloads."""

    def __init__(self, *, set_number: Callable[[int], None]) -> None:
        self._set_number = set_number

    def show(self, progress: TaskbarProgress) -> None:
        self._set_number(progress.n_downloads)

    def clear(self) -> None:
        self._set_number(0)


def make_taskbar(window: QWidget) -> Taskbar:
    """Return the taskbar for the icon of ``window``."""
    if sys.platform == "win32" and (taskbar_list := make_taskbar_list()) is not None:
        return ListTaskbar(taskbar_list, handle=lambda: int(window.winId()))
    if sys.platform == "linux":
        return LauncherEntryTaskbar(desktop_file=QGuiApplication.desktopFileName(), send=send_on_session_bus)
    return BadgeTaskbar(set_number=_set_badge)


def _set_badge(number: int) -> None:
    application = QGuiApplication.instance()
    if isinstance(application, QGuiApplication):
        application.setBadgeNumber(number)
