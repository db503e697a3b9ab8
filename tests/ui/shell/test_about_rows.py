"""Settings, About: the installed version and its updates, by mouse and keyboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.window import WindowLog, window_context
from fireside.core.about import About, PackageKind, Release, UpdateFound, UpdateProgressed, UpdateStep
from fireside.core.errors import StorageError, UpdateError
from fireside.settings.definitions import DAILY_KEY
from fireside.ui.commands import Command
from fireside.ui.page import Page
from fireside.ui.settings.about_rows import AboutController
from fireside.ui.shell.about_sheet import AboutSheet
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.tasks import TaskRunner

RELEASE: Final = Release(version="0.2.0", released="2026-11-23", notes="Faster.", n_bytes=4_000_000)
COPY: Final = About(
    version="0.1.0", kind=PackageKind.FOLDERS, data_folder="/home/a/.local/share/fireside", is_published=True
)


def changed(**changes: Any) -> About:
    return msgspec.structs.replace(COPY, **changes)


ShowWindow = Callable[..., MainWindow]


class Scene:
    """Both rows with their controller, over a client in memory."""

    def __init__(self, qtbot: QtBot, *, tasks: TaskRunner) -> None:
        self.client = AppClient()
        self.settled = settled
        self.log = WindowLog()
        self.n_known = 0
        self.around = QWidget()
        qtbot.addWidget(self.around)
        context = window_context(self.client, tasks=tasks, window=self.around, log=self.log)
        self.controller = AboutController(context, on_first_known=self._on_known, parent=self.around)
        column = QVBoxLayout(self.around)
        column.addWidget(self.controller.version)
        column.addWidget(self.controller.update)
        self.around.resize(700, 500)

    def _on_known(self) -> None:
        self.n_known += 1

    def show(self, about: About) -> None:
        self.client.reply("about.about", about)
        self.around.show()
        self.settled()

    @property
    def state(self) -> str:
        return self.controller.update.state.text()

    @property
    def offered(self) -> list[str]:
        buttons = self.controller.update.findChildren(QPushButton)
        return [button.text() for button in buttons if button.isVisible()]

    def press(self, button: QPushButton) -> None:
        button.setFocus()
        QTest.keyClick(button, Qt.Key.Key_Space)
        self.settled()


@pytest.fixture
def scene(qtbot: QtBot, tasks: TaskRunner) -> Scene:
    return Scene(qtbot, tasks=tasks)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (PackageKind.SOURCE, "git pull"),
        (PackageKind.SYSTEM, "package manager"),
        (PackageKind.FOLDERS, "names no address"),
        (PackageKind.OTHER, "the way you installed it"),
    ],
)
def test_an_installation_without_updater_says_what_updates_it(
    scene: Scene, kind: PackageKind, words: str
) -> None:
    scene.show(changed(kind=kind, is_published=False))
    assert words in scene.state
    assert scene.offered == []
    assert scene.controller.hides(DAILY_KEY)
    assert scene.n_known == 1


def test_the_row_shows_version_and_data_folder(scene: Scene) -> None:
    scene.show(COPY)
    assert "0.1.0" in scene.controller.version.version.text()
    assert COPY.data_folder in scene.controller.version.data.text()
    scene.press(scene.controller.version.reveal)
    assert scene.log.revealed == [COPY.data_folder]
    assert not scene.controller.hides(DAILY_KEY)


def test_only_a_click_looks_for_updates(scene: Scene) -> None:
    scene.show(COPY)
    assert "Nothing is asked" in scene.state
    assert scene.client.called("about.check_for_updates") == []
    scene.client.reply("about.check_for_updates", changed(checked_at=1.0))
    scene.press(scene.controller.update.check)
    assert len(scene.client.called("about.check_for_updates")) == 1
    assert "up to date" in scene.state


def test_a_newer_version_is_installed_and_starts_the_next_time(scene: Scene) -> None:
    scene.show(changed(release=RELEASE, checked_at=1.0))
    assert "0.2.0" in scene.state
    assert "4.0 MB" in scene.state
    assert scene.controller.update.notes.text() == "Faster."
    assert scene.offered == ["Install"]
    scene.client.reply("about.install", changed(pending_version="0.2.0", release=RELEASE))
    scene.press(scene.controller.update.install)
    assert "next time" in scene.state
    assert scene.offered == ["Quit now"]


def test_a_running_update_shows_progress_and_can_be_cancelled(scene: Scene) -> None:
    scene.show(changed(release=RELEASE))
    row = scene.controller.update
    scene.client.hold("about.install")
    row.install.click()
    assert scene.offered == ["Cancel"]
    scene.controller.handle(UpdateProgressed(step=UpdateStep.DOWNLOADING, fraction=0.25))
    assert scene.state == "Downloading… 25%"
    assert row.bar.isVisible()
    scene.controller.handle(UpdateProgressed(step=UpdateStep.TESTING))
    assert not row.bar.isVisible()
    scene.press(row.cancel)
    assert scene.offered == ["Install"]
    assert row.error.text() == ""


def test_a_failed_update_is_reported_and_can_be_retried(scene: Scene) -> None:
    scene.show(COPY)
    scene.client.fail(
        "about.check_for_updates", UpdateError.of("update_untrusted", reason="its signature is wrong.")
    )
    scene.press(scene.controller.update.check)
    assert "signature is wrong" in scene.controller.update.error.text()
    assert scene.controller.update.error.isVisible()
    assert scene.offered == ["Check for updates"]


def test_one_click_leads_back(scene: Scene) -> None:
    scene.show(changed(version="0.2.0", previous_version="0.1.0"))
    assert scene.offered == ["Check for updates", "Back to version 0.1.0"]
    scene.client.reply("about.roll_back", changed(version="0.2.0", pending_version="0.1.0"))
    scene.press(scene.controller.update.back)
    assert "Version 0.1.0 starts the next time" in scene.state


def test_a_version_that_did_not_start_is_named(scene: Scene) -> None:
    scene.show(changed(failed_version="0.2.0"))
    assert "0.2.0 did not start twice" in scene.state


def test_chats_of_a_newer_version_can_be_read_and_each_attempt_to_write_says_why(
    client: AppClient, show_window: ShowWindow
) -> None:
    kept = client.add_conversation("Kept", turns=("Why?", "Because."))
    why = StorageError.of("storage_read_only")
    client.store._database.read_only = why
    client.set_problem(why.info())
    window = show_window()
    window.conversations.open(kept)
    settled()
    composer = window.chat.composer
    QTest.keyClicks(composer.editor, "More")
    QTest.keyClick(composer.editor, Qt.Key.Key_Return)
    settled()
    assert composer.text() == "More", "what is not stored is not lost"
    (banner,) = window.banners.texts
    assert "update Fireside" in banner
    next(each for each in window.banners.findChildren(QPushButton) if each.text() == "Updates").click()
    settled()
    assert window.page is Page.SETTINGS
    assert window.pages.settings.about.update.isVisible()


def test_a_newer_version_is_reported_with_a_link_to_its_installation(
    client: AppClient, window: MainWindow
) -> None:
    client.publish(UpdateFound(release=RELEASE))
    settled()
    assert window.banners.texts == ("Fireside 0.2.0 is available.",)
    next(each for each in window.banners.findChildren(QPushButton) if each.text() == "Show").click()
    settled()
    assert window.page is Page.SETTINGS


def test_the_sheet_has_the_licences_of_all_that_is_installed(window: MainWindow) -> None:
    window.commands.actions[Command.ABOUT].trigger()
    settled()
    sheet = window.findChild(AboutSheet)
    assert sheet is not None
    assert "Redistribution and use in source and binary forms" in sheet.licences.toPlainText()
    assert "Apache License 2.0" in sheet.licences.toPlainText()
    sheet.close()
