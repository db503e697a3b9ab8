"""Set, change and remove the passphrase in the settings; lock on demand and when idle."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.keyrings import WorkingKeyring
from fakes.window import router_calls, window_context
from fireside.services.data_lock import KEYRING_NAME, DataLock, DataPlaces
from fireside.services.passphrase_service import PassphraseParts, PassphraseService
from fireside.settings.redaction import Redaction
from fireside.settings.secrets import SERVICE, SecretFile, Secrets
from fireside.ui.privacy.locking import IdleLock, LockController
from fireside.ui.privacy.passphrase_sheets import (
    ChangePassphraseSheet,
    RemovePassphraseSheet,
    SetPassphraseSheet,
    strength_text,
)
from fireside.ui.settings.passphrase_row import PassphraseController
from fireside.ui.tasks import TaskRunner

WORD, OTHER = "correct horse battery", "staple horse battery"
LEFT = Qt.MouseButton.LeftButton


class Scene:
    """The row over a real lock and a keyring in memory."""

    def __init__(self, qtbot: QtBot, folder: Path, tasks: TaskRunner) -> None:
        self.client, self.tasks, self.settled = AppClient(), tasks, settled
        places = DataPlaces(folder=folder, databases=(), states=folder / "states", backups=lambda: ())
        self.lock, self.keyring = DataLock(places, cost=2**14), WorkingKeyring()
        self.is_answering = False
        self.client.app.passphrase = PassphraseService(
            PassphraseParts(
                lock=self.lock,
                secrets=Secrets(
                    file=SecretFile(folder / "secrets"),
                    environ={},
                    redaction=Redaction(),
                    find_backend=lambda: self.keyring,
                ),
            ),
            is_answering=lambda: self.is_answering,
        )
        self.around = QWidget()
        self.around.resize(900, 900)
        qtbot.addWidget(self.around)
        self.context = window_context(self.client, tasks=tasks, window=self.around)
        self.controller = PassphraseController(self.context, parent=self.around)
        self.row = self.controller.row
        QVBoxLayout(self.around).addWidget(self.row)
        self.around.show()
        settled()

    @property
    def routed(self) -> list[str]:
        return [str(call[0]) for call in router_calls(self.context)]


@pytest.fixture
def scene(qtbot: QtBot, tmp_path: Path, tasks: TaskRunner, client: AppClient) -> Scene:
    return Scene(qtbot, tmp_path, tasks)


def fill(sheet: SetPassphraseSheet | ChangePassphraseSheet | RemovePassphraseSheet, *texts: str) -> None:
    for field, text in zip(sheet.fields, texts, strict=True):
        field.clear()
        QTest.keyClicks(field, text)


def test_setting_it_waits_for_everything_and_then_reopens(scene: Scene) -> None:
    assert scene.row.set_up.isVisible()
    assert not scene.row.change.isVisible()
    QTest.mouseClick(scene.row.set_up, LEFT)
    sheet = scene.controller.sheet
    assert isinstance(sheet, SetPassphraseSheet)
    for first, second, is_final in (
        ("", "", True),
        ("short", "short", True),
        (WORD, OTHER, True),
        (WORD, WORD, False),
    ):
        fill(sheet, first, second)
        sheet.is_final.setChecked(is_final)
        assert not sheet.done_button.isEnabled()
    sheet.is_final.setChecked(True)
    sheet.in_keyring.setChecked(True)
    QTest.mouseClick(sheet.done_button, LEFT)
    scene.settled()
    assert scene.routed == ["reopen"]
    assert scene.lock.needs_work()
    stored = scene.keyring.get_password(SERVICE, KEYRING_NAME)
    assert stored is not None
    scene.lock.finish()
    scene.lock.lock()
    assert scene.lock.unlock_with(bytes.fromhex(stored))


def test_changing_and_removing_ask_for_the_old_one(scene: Scene) -> None:
    scene.lock.set_up(WORD)
    scene.lock.finish()
    scene.controller.refresh()
    scene.settled()
    assert not scene.row.set_up.isVisible()
    QTest.mouseClick(scene.row.change, LEFT)
    sheet = scene.controller.sheet
    assert isinstance(sheet, ChangePassphraseSheet)
    sheet.is_final.setChecked(True)
    fill(sheet, "wrong", OTHER, OTHER)
    QTest.mouseClick(sheet.done_button, LEFT)
    scene.settled()
    assert "not the passphrase" in sheet.status.text()
    assert sheet.fields[1].text() == OTHER
    fill(sheet, WORD, OTHER, OTHER)
    QTest.mouseClick(sheet.done_button, LEFT)
    scene.settled()
    scene.lock.lock()
    scene.lock.unlock(OTHER)
    QTest.mouseClick(scene.row.remove, LEFT)
    removal = scene.controller.sheet
    assert isinstance(removal, RemovePassphraseSheet)
    fill(removal, OTHER)
    QTest.mouseClick(removal.done_button, LEFT)
    scene.settled()
    assert scene.routed == ["reopen"]
    scene.lock.finish()
    assert not scene.lock.has_passphrase


def test_the_keyring_can_be_told_and_untold(scene: Scene) -> None:
    scene.lock.set_up(WORD)
    scene.lock.finish()
    scene.controller.refresh()
    scene.settled()
    for is_kept in (True, False):
        scene.row.in_keyring.click()
        scene.settled()
        assert (scene.keyring.get_password(SERVICE, KEYRING_NAME) is not None) is is_kept
        content = scene.lock.read()
        assert content is not None
        assert content.in_keyring is is_kept


def test_locking_leads_to_the_settings_asks_or_locks(scene: Scene) -> None:
    controller = LockController(scene.context)
    controller.lock()
    scene.settled()
    assert scene.routed == ["show_settings_section"]
    scene.lock.set_up(WORD)
    scene.is_answering = True
    controller.lock()
    scene.settled()
    assert controller.sheet is not None
    controller.sheet.reject()
    scene.is_answering = False
    controller.lock()
    scene.settled()
    assert scene.routed[-1] == "lock_now"


def test_it_locks_when_idle_and_not_while_an_answer_is_written(scene: Scene, qapp: QApplication) -> None:
    now, locked = [1000.0], []
    scene.lock.set_up(WORD)
    scene.around.activateWindow()
    QTest.qWaitForWindowActive(scene.around)
    window = scene.around.windowHandle()
    assert window is not None
    idle = IdleLock(
        qapp,
        scene.client,
        scene.tasks,
        limit_s=lambda: 60.0,
        lock=lambda: locked.append(now[0]),
        clock=lambda: now[0],
    )
    try:
        for later, is_answering in ((59.0, False), (61.0, True)):
            now[0] += later
            scene.is_answering = is_answering
            idle.check()
            scene.settled()
            assert locked == []
        scene.is_answering = False
        now[0] += 59.0
        QTest.keyClick(window, Qt.Key.Key_A)
        now[0] += 59.0
        idle.check()
        scene.settled()
        assert locked == []
        now[0] += 2.0
        idle.check()
        scene.settled()
        assert locked == [now[0]]
    finally:
        idle.close()


@pytest.mark.parametrize(
    ("passphrase", "hint"),
    [
        ("", ""),
        ("short", "At least 8"),
        ("aaaaaaaaaaaaaaaa", "Weak"),
        ("correct horse", "Weak"),
        ("correct horse battery staple", "Fair"),
        ("correct horse battery staple lantern", "Strong"),
        ("xK3!f9$Qz7&wP", "Strong"),
    ],
)
def test_the_hint_says_how_strong_it_is(passphrase: str, hint: str) -> None:
    text, _ = strength_text(passphrase)
    assert text.startswith(hint)
    assert bool(text) is bool(hint)
