"""Shortcuts are changed in their sheet by real keys, apply at once, and are stored in the settings."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fireside.core.errors import FiresideError, SettingsUnwritable
from fireside.settings.values import AppLayer
from fireside.ui.commands import Command
from fireside.ui.page import Page
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.shortcuts import ShortcutsSheet
from fireside.ui.shortcuts.sheet import LISTENING, NO_KEYS, ShortcutRow

CTRL = Qt.KeyboardModifier.ControlModifier
KEY = "shortcuts.changed"


@pytest.fixture
def sheet(qtbot: QtBot, window: MainWindow) -> ShortcutsSheet:
    window.commands.actions[Command.SHORTCUTS].trigger()
    made = window.findChild(ShortcutsSheet)
    assert made is not None
    made.activateWindow()
    qtbot.waitUntil(made.isVisible)
    return made


def choose(qtbot: QtBot, row: ShortcutRow, key: Qt.Key, modifiers: Qt.KeyboardModifier = CTRL) -> None:
    QTest.mouseClick(row.button, Qt.MouseButton.LeftButton)
    assert row.button.is_listening
    QTest.keyClick(row.button, key, modifiers)


def kept(client: AppClient) -> object:
    return client.layers.get(AppLayer(), {}).get(KEY)


def press(qtbot: QtBot, window: MainWindow, keys: str) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keySequence(QApplication.focusWidget() or window, keys)


def test_new_keys_are_stored_shown_and_work_at_once(
    qtbot: QtBot, client: AppClient, window: MainWindow, sheet: ShortcutsSheet
) -> None:
    row = sheet.rows[Page.MODELS]
    choose(qtbot, row, Qt.Key.Key_7)
    settled()
    assert kept(client) == ("models=Ctrl+7",)
    assert row.button.text() == "Ctrl+7"
    assert row.reset.isVisible()
    sheet.accept()
    press(qtbot, window, "Ctrl+7")
    assert window.page is Page.MODELS


def test_the_old_keys_do_nothing_any_more(qtbot: QtBot, window: MainWindow, sheet: ShortcutsSheet) -> None:
    choose(qtbot, sheet.rows[Page.MODELS], Qt.Key.Key_7)
    settled()
    sheet.accept()
    press(qtbot, window, "Ctrl+M")
    assert window.page is Page.CHAT


def test_keys_of_another_command_are_reassigned_only_on_request(
    qtbot: QtBot, client: AppClient, sheet: ShortcutsSheet
) -> None:
    row = sheet.rows[Command.ABOUT]
    choose(qtbot, row, Qt.Key.Key_N)
    assert row.problem.text() == "Ctrl+N is used by “New chat”."
    assert kept(client) is None
    QTest.mouseClick(row.take, Qt.MouseButton.LeftButton)
    settled()
    assert kept(client) == ("about=Ctrl+N", "new_chat=")
    assert sheet.rows[Command.NEW_CHAT].button.text() == NO_KEYS
    assert not row.problem.isVisible()


def test_keys_that_writing_needs_are_refused(qtbot: QtBot, client: AppClient, sheet: ShortcutsSheet) -> None:
    row = sheet.rows[Command.ABOUT]
    choose(qtbot, row, Qt.Key.Key_N, Qt.KeyboardModifier.NoModifier)
    assert row.problem.text().startswith("N is not available.")
    assert not row.take.isVisible()
    assert kept(client) is None


def test_even_tab_with_ctrl_can_be_chosen(qtbot: QtBot, client: AppClient, sheet: ShortcutsSheet) -> None:
    choose(qtbot, sheet.rows[Command.NEXT_CHAT], Qt.Key.Key_Tab)
    settled()
    assert kept(client) == ("next_chat=Ctrl+Tab",)


def test_escape_leaves_the_keys_as_they_are(qtbot: QtBot, client: AppClient, sheet: ShortcutsSheet) -> None:
    row = sheet.rows[Command.NEW_CHAT]
    choose(qtbot, row, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)
    assert row.button.text() == "Ctrl+N"
    assert sheet.isVisible()
    assert client.called("settings.change") == []


def test_backspace_takes_the_keys_away(qtbot: QtBot, client: AppClient, sheet: ShortcutsSheet) -> None:
    row = sheet.rows[Command.QUIT]
    choose(qtbot, row, Qt.Key.Key_Backspace, Qt.KeyboardModifier.NoModifier)
    settled()
    assert row.button.text() == NO_KEYS
    assert kept(client) == ("quit=",)


def test_leaving_the_button_ends_listening(sheet: ShortcutsSheet) -> None:
    row = sheet.rows[Command.NEW_CHAT]
    QTest.mouseClick(row.button, Qt.MouseButton.LeftButton)
    row.button.setFocus()
    assert row.button.text() == LISTENING
    sheet.filter.setFocus()
    assert row.button.text() == "Ctrl+N"


def test_reset_brings_the_usual_keys_back(qtbot: QtBot, client: AppClient, sheet: ShortcutsSheet) -> None:
    row = sheet.rows[Page.MODELS]
    choose(qtbot, row, Qt.Key.Key_7)
    settled()
    QTest.mouseClick(row.reset, Qt.MouseButton.LeftButton)
    settled()
    assert kept(client) is None
    assert row.button.text() == "Ctrl+M"
    assert not row.reset.isVisible()


def test_reset_all_brings_all_back(qtbot: QtBot, client: AppClient, sheet: ShortcutsSheet) -> None:
    assert not sheet.reset_all.isEnabled()
    choose(qtbot, sheet.rows[Page.MODELS], Qt.Key.Key_7)
    choose(qtbot, sheet.rows[Page.SETTINGS], Qt.Key.Key_8)
    settled()
    QTest.mouseClick(sheet.reset_all, Qt.MouseButton.LeftButton)
    settled()
    assert kept(client) is None
    assert sheet.rows[Page.SETTINGS].button.text() == "Ctrl+,"


def test_keys_from_the_settings_hold_from_the_start(
    qtbot: QtBot, client: AppClient, show_window: Callable[..., MainWindow]
) -> None:
    client.layers[AppLayer()] = {KEY: ("settings=F6", "no_such=F7", "quit=nonsense")}
    window = show_window()
    assert window.commands.shortcut_text(Command.QUIT) == "Ctrl+Q"
    press(qtbot, window, "F6")
    assert window.page is Page.SETTINGS


def test_the_palette_shows_the_keys_in_force(qtbot: QtBot, window: MainWindow, sheet: ShortcutsSheet) -> None:
    choose(qtbot, sheet.rows[Page.MODELS], Qt.Key.Key_7)
    settled()
    sheet.accept()
    told = {target.key: target.shortcut for target in window.command_palette.targets()}
    assert told[Page.MODELS] == "Ctrl+7"


def test_an_unwritable_file_is_reported(
    qtbot: QtBot, client: AppClient, window: MainWindow, sheet: ShortcutsSheet
) -> None:
    error: FiresideError = SettingsUnwritable(path="/x", reason="the disk is full.")
    client.fail("settings.change", error)
    choose(qtbot, sheet.rows[Page.MODELS], Qt.Key.Key_7)
    settled()
    assert window.banners.isVisibleTo(window)


def test_a_shortcut_is_found_by_words_and_by_keys(sheet: ShortcutsSheet) -> None:
    for words in ("rename", "f2"):
        sheet.filter.setText(words)
        visible = [command for command, row in sheet.rows.items() if row.isVisibleTo(sheet)]
        assert Command.RENAME_CHAT in visible
        assert Command.QUIT not in visible


def test_every_key_button_says_its_command(sheet: ShortcutsSheet) -> None:
    for row in sheet.rows.values():
        assert row.button.accessibleName().startswith(f"{row.spec.label}: ")


def test_the_list_explains_how_to_ask_from_other_programs(sheet: ShortcutsSheet) -> None:
    assert "fireside ask-window" in sheet.note.text()
    assert sheet.note.isVisibleTo(sheet)
