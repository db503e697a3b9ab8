"""Windows: the progress bar in the taskbar's button, through the shell's ``ITaskbarList3``.

https://learn.microsoft.com/windows/win32/api/shobjidl_core/nn-shobjidl_core-itaskbarlist3
"""

from __future__ import annotations

import ctypes
import logging
import sys
import uuid
from collections.abc import Callable
from typing import Final, Protocol

from fireside.ui.taskbar.taskbar import TaskbarProgress

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
