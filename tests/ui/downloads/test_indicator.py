"""Sidebar and taskbar show the progress of all downloads, updated only when it changes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QImage
from pytestqt.qtbot import QtBot

from fakes.downloads import download_of
from fakes.window import TaskbarLog
from fireside.core.hub import DownloadState
from fireside.ui.downloads.indicator import DownloadIndicator
from fireside.ui.downloads_view import DownloadsView
from fireside.ui.sidebar.nav_button import DownloadButton
from fireside.ui.taskbar import TaskbarProgress


class Scene:
    def __init__(self, qtbot: QtBot) -> None:
        self.view = DownloadsView()
        self.button = DownloadButton(action=QAction())
        self.taskbar = TaskbarLog()
        qtbot.addWidget(self.button)
        self.button.resize(220, 36)
        self.indicator = DownloadIndicator(
            downloads=self.view, button=self.button, taskbar=self.taskbar, parent=self.view
        )

    def picture(self) -> QImage:
        return self.button.grab().toImage()


@pytest.fixture
def scene(qtbot: QtBot) -> Scene:
    return Scene(qtbot)


def test_without_downloads_the_taskbar_is_empty(scene: Scene) -> None:
    scene.view.set_initial([download_of("a", state=DownloadState.PAUSED)])
    assert scene.button.percent is None
    assert scene.button.accessibleName() == "Downloads: 1 paused"
    assert scene.taskbar.shown == []


def test_the_row_and_the_taskbar_show_the_total_progress(scene: Scene) -> None:
    scene.view.set_initial(
        [download_of("a", size_bytes=400, n_bytes=100), download_of("b", size_bytes=400, n_bytes=0)]
    )
    assert scene.button.percent == 12
    assert scene.button.accessibleName() == "Downloads: 2 active, 12%"
    assert scene.taskbar.shown == [TaskbarProgress(percent=12, n_downloads=2)]


def test_the_row_is_there_while_there_is_something_to_see(scene: Scene) -> None:
    assert scene.button.isHidden()
    for state in (DownloadState.RUNNING, DownloadState.PAUSED, DownloadState.FAILED):
        scene.view.set_downloads([download_of("a", state=state)])
        assert scene.button.isVisible(), state
    scene.view.set_downloads([download_of("a", state=DownloadState.DONE)])
    assert scene.button.isHidden()
    scene.button.setChecked(True)
    scene.button.update_visible()
    assert scene.button.isVisible(), "its page is open"


def test_the_line_grows(scene: Scene) -> None:
    scene.view.set_initial([download_of("a", size_bytes=100, n_bytes=10)])
    early = scene.picture()
    scene.view.set_progress(download_of("a", size_bytes=100, n_bytes=80))
    assert scene.picture() != early


def test_each_percentage_is_reported_once(scene: Scene) -> None:
    scene.view.set_initial([download_of("a", size_bytes=1_000_000, n_bytes=500_000)])
    for extra in range(1, 100):
        scene.view.set_progress(download_of("a", size_bytes=1_000_000, n_bytes=500_000 + extra))
    assert len(scene.taskbar.shown) == 1


def test_waiting_downloads_are_shown_as_held_up(scene: Scene) -> None:
    scene.view.set_initial(
        [download_of("a", state=DownloadState.WAITING_FOR_NETWORK, size_bytes=100, n_bytes=50)]
    )
    assert scene.taskbar.shown == [TaskbarProgress(percent=50, n_downloads=1, is_held_up=True)]
    assert "queued" in scene.button.accessibleName()


def test_the_end_of_the_last_download_clears_the_taskbar(scene: Scene) -> None:
    scene.view.set_initial([download_of("a")])
    scene.view.set_downloads([download_of("a", state=DownloadState.DONE)])
    assert scene.taskbar.shown[-1] is None
    assert scene.button.percent is None


def test_closing_leaves_nothing_in_the_taskbar(scene: Scene) -> None:
    scene.view.set_initial([download_of("a")])
    scene.indicator.close()
    assert scene.taskbar.shown[-1] is None
    scene.indicator.close()
    assert len(scene.taskbar.shown) == 2


def test_a_failure_shows_a_dot_and_a_text(scene: Scene) -> None:
    scene.view.set_initial([])
    plain = scene.picture()
    scene.view.set_downloads([download_of("a", state=DownloadState.FAILED)])
    assert scene.button.needs_help
    assert scene.picture() != plain
    assert scene.button.accessibleName() == "Downloads: 1 failed"


def test_the_focused_button_has_a_focus_ring(qtbot: QtBot, scene: Scene) -> None:
    scene.view.set_initial([download_of("a")])
    scene.button.activateWindow()
    qtbot.waitUntil(scene.button.isActiveWindow)
    scene.button.clearFocus()
    before = scene.picture()
    scene.button.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(scene.button.hasFocus)
    assert scene.picture() != before
