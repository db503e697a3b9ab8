"""Each system's taskbar is updated by its own interface."""

from __future__ import annotations

import ctypes
import sys

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from fireside.ui.taskbar import (
    NO_PROGRESS,
    NORMAL,
    PAUSED,
    BadgeTaskbar,
    ComTaskbarList,
    LauncherEntryTaskbar,
    ListTaskbar,
    Properties,
    TaskbarProgress,
    make_taskbar,
    make_taskbar_list,
)

HALF = TaskbarProgress(percent=50, n_downloads=3)


# Linux


def test_a_dock_receives_the_fraction_and_its_visibility() -> None:
    sent: list[tuple[str, str, Properties]] = []
    taskbar = LauncherEntryTaskbar(desktop_file="fireside", send=lambda *signal: sent.append(signal))
    taskbar.show(HALF)
    taskbar.clear()
    (path, address, shown), (other_path, _, cleared) = sent
    assert address == "application://fireside.desktop"
    assert path == other_path
    assert path.removeprefix("/com/canonical/unity/launcherentry/").isdigit()
    assert shown == {"progress": 0.5, "progress-visible": True}
    assert cleared == {"progress": 0.0, "progress-visible": False}


# macOS


def test_a_badge_counts_the_downloads() -> None:
    numbers: list[int] = []
    taskbar = BadgeTaskbar(set_number=numbers.append)
    taskbar.show(HALF)
    taskbar.clear()
    assert numbers == [3, 0]


# Windows


class ListLog:
    """Records the calls of a taskbar button."""

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []

    def set_progress_value(self, window: int, *, done: int, total: int) -> int:
        self.calls.append(("value", window, done, total))
        return 0

    def set_progress_state(self, window: int, state: int) -> int:
        self.calls.append(("state", window, state))
        return 0


@pytest.mark.parametrize(("is_held_up", "state"), [(False, NORMAL), (True, PAUSED)])
def test_a_button_shows_the_progress_and_whether_it_waits(is_held_up: bool, state: int) -> None:
    log = ListLog()
    taskbar = ListTaskbar(log, handle=lambda: 77)
    taskbar.show(TaskbarProgress(percent=42, n_downloads=1, is_held_up=is_held_up))
    assert log.calls == [("state", 77, state), ("value", 77, 42, 100)]


def test_a_cleared_button_shows_no_progress() -> None:
    log = ListLog()
    ListTaskbar(log, handle=lambda: 77).clear()
    assert log.calls == [("state", 77, NO_PROGRESS)]


class ComObject:
    """A COM object in memory: a pointer to a table of methods, each of which returns its index."""

    N_METHODS = 21

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []
        value = ctypes.CFUNCTYPE(
            ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64
        )
        state = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32)
        plain = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)
        # As the shell declares them: HrInit is the fourth, SetProgressValue the tenth, SetProgressState the
        # eleventh.
        kinds = {9: value, 10: state}
        self._methods = [
            kinds.get(place, plain)(lambda *arguments, place=place: self._called(place, *arguments))
            for place in range(self.N_METHODS)
        ]
        self._table = (ctypes.c_void_p * self.N_METHODS)(
            *(ctypes.cast(method, ctypes.c_void_p).value for method in self._methods)
        )
        self._object = ctypes.c_void_p(ctypes.addressof(self._table))
        self.address = ctypes.addressof(self._object)

    def _called(self, place: int, *arguments: object) -> int:
        self.calls.append((place, *arguments))
        return -5 if place == 10 else 0


def test_com_methods_are_called_at_their_indexes_with_their_arguments() -> None:
    shell = ComObject()
    taskbar_list = ComTaskbarList(shell.address)
    large = 2**40 + 1
    assert taskbar_list.initialise() == 0
    assert taskbar_list.set_progress_value(large, done=42, total=2**33) == 0
    assert taskbar_list.set_progress_state(large, PAUSED) == -5
    this = shell.address
    assert shell.calls == [(3, this), (9, this, large, 42, 2**33), (10, this, large, PAUSED)]


@pytest.mark.skipif(sys.platform == "win32", reason="the shell is there")
def test_without_the_shell_there_is_no_list() -> None:
    assert make_taskbar_list() is None


def test_the_taskbar_of_this_system_accepts_everything(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    taskbar = make_taskbar(window)
    taskbar.show(HALF)
    taskbar.clear()
