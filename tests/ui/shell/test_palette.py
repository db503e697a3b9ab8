"""The palette in the real window, by real keys and clicks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fakes.client import AppClient
from fakes.model_entries import STARTER_ID
from fireside.settings.definitions import DEFINITIONS
from fireside.settings.window_state import WindowState
from fireside.ui.commands import COMMANDS, Command
from fireside.ui.page import Page
from fireside.ui.palette import Palette
from fireside.ui.palette.targets import Index
from fireside.ui.shell.main_window import MainWindow

ShowWindow = Callable[..., MainWindow]


def open_palette(qtbot: QtBot, window: MainWindow) -> Palette:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keySequence(QApplication.focusWidget() or window, "Ctrl+K")
    palette = window.command_palette.palette
    assert palette.isVisible()
    return palette


def press(qtbot: QtBot, palette: Palette, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(palette.field, key)


def shown(palette: Palette) -> list[str]:
    return [hit.target.label for hit in palette.hits]


def test_it_opens_with_every_command_its_menu_and_its_key(qtbot: QtBot, window: MainWindow) -> None:
    palette = open_palette(qtbot, window)
    targets = {target.key: target for target in window.command_palette.targets()}
    by_state = {Command.PIN_CHAT: "Pin chat", Command.ARCHIVE_CHAT: "Archive chat"}
    for spec in COMMANDS:
        if spec.command is not Command.PALETTE:
            words = by_state.get(spec.command, spec.label)
            assert (targets[spec.command].label, targets[spec.command].location) == (words, spec.menu)
            assert bool(targets[spec.command].shortcut) == bool(spec.keys)
    assert shown(palette)[0] == "New chat"


def test_letters_and_return_do_a_command(qtbot: QtBot, window: MainWindow) -> None:
    palette = open_palette(qtbot, window)
    QTest.keyClicks(palette.field, "downl")
    press(qtbot, palette, Qt.Key.Key_Return)
    assert not palette.isVisible()
    assert window.page is Page.DOWNLOADS


@pytest.mark.parametrize(
    ("words", "setting"), [("dark", "Theme"), ("deutsch", "Language"), ("font size", "Text size")]
)
def test_a_setting_is_found_by_what_can_be_chosen_and_what_is_said_of_it(
    qtbot: QtBot, window: MainWindow, words: str, setting: str
) -> None:
    palette = open_palette(qtbot, window)
    QTest.keyClicks(palette.field, words)
    assert setting in shown(palette)


def test_a_part_of_a_word_in_what_is_said_of_a_setting_is_not_enough(
    qtbot: QtBot, window: MainWindow
) -> None:
    palette = open_palette(qtbot, window)
    QTest.keyClicks(palette.field, "eutsch")
    assert "Language" not in shown(palette)


def test_it_takes_no_more_room_than_there_is_to_show(qtbot: QtBot, window: MainWindow) -> None:
    palette = open_palette(qtbot, window)
    whole = palette.height()
    QTest.keyClicks(palette.field, "archive this")
    assert len(palette.hits) < 4
    assert palette.height() < whole / 2
    assert palette.list.verticalScrollBar().maximum() == 0
    palette.field.clear()
    assert palette.height() == whole


def test_a_chat_is_opened(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow, settled: Callable[[], None]
) -> None:
    bread = client.add_conversation("Bread and butter", turns=("Why?", "So."))
    client.add_conversation("Ropes")
    window = show_window()
    palette = open_palette(qtbot, window)
    QTest.keyClicks(palette.field, "butter")
    press(qtbot, palette, Qt.Key.Key_Return)
    settled()
    assert window.conversations.conversation_id == bread


def test_a_chat_that_came_or_went_meanwhile_is_known(window: MainWindow, settled: Callable[[], None]) -> None:
    window.chat.composer.editor.setPlainText("Why is the sea salty?")
    QTest.keyClick(window.chat.composer.editor, Qt.Key.Key_Return)
    settled()
    assert "Why is the sea salty?" in [target.label for target in window.command_palette.targets()]
    window.commands.actions[Command.DELETE_CHAT].trigger()
    settled()
    assert "Why is the sea salty?" not in [target.label for target in window.command_palette.targets()]


def test_a_model_is_used(qtbot: QtBot, client: AppClient, window: MainWindow) -> None:
    palette = open_palette(qtbot, window)
    QTest.keyClicks(palette.field, "smol q4")
    press(qtbot, palette, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(client.called("conversations.choose_model")))
    assert client.called("conversations.choose_model")[0] == (None, STARTER_ID)


def test_a_setting_is_shown(qtbot: QtBot, window: MainWindow, settled: Callable[[], None]) -> None:
    palette = open_palette(qtbot, window)
    QTest.keyClicks(palette.field, "flash att")
    press(qtbot, palette, Qt.Key.Key_Return)
    settled()
    assert window.page is Page.SETTINGS
    row = window.settings.list.row("load.flash_attn")
    assert window.focusWidget() in row.editor.fields()


@pytest.mark.parametrize(
    ("words", "section"),
    [("add engine", "Engines"), ("pool", "Engines"), ("base url", "Local API"), ("licences", "About")],
)
def test_a_section_of_the_settings_is_found_by_what_it_holds(
    window: MainWindow, words: str, section: str
) -> None:
    first, *_ = Index(window.command_palette.targets(), recent=()).hits(words)
    assert first.target.label == section


def test_a_section_of_the_settings_is_found_before_what_only_speaks_of_it(
    qtbot: QtBot, window: MainWindow, settled: Callable[[], None]
) -> None:
    palette = open_palette(qtbot, window)
    QTest.keyClicks(palette.field, "engines")
    assert shown(palette)[0] == "Engines"
    press(qtbot, palette, Qt.Key.Key_Return)
    settled()
    assert window.page is Page.SETTINGS
    section = window.settings.sections.currentItem()
    assert section is not None
    assert section.text() == "Engines"


def test_every_setting_that_has_a_row_is_listed(window: MainWindow) -> None:
    listed = {target.key for target in window.command_palette.targets()}
    assert {definition.key for definition in DEFINITIONS if not definition.hidden} <= listed


def test_arrows_move_the_mark_and_go_round(qtbot: QtBot, window: MainWindow) -> None:
    palette = open_palette(qtbot, window)
    first = palette.current
    press(qtbot, palette, Qt.Key.Key_Down)
    assert palette.current == palette.hits[1]
    press(qtbot, palette, Qt.Key.Key_Up, Qt.Key.Key_Up)
    assert palette.current == palette.hits[-1]
    press(qtbot, palette, Qt.Key.Key_Down)
    assert palette.current == first
    press(qtbot, palette, Qt.Key.Key_PageDown)
    assert palette.current == palette.hits[10]
    press(qtbot, palette, Qt.Key.Key_PageUp, Qt.Key.Key_PageUp)
    assert palette.current == first


def test_escape_closes_and_does_nothing(qtbot: QtBot, window: MainWindow) -> None:
    palette = open_palette(qtbot, window)
    press(qtbot, palette, Qt.Key.Key_Down, Qt.Key.Key_Escape)
    assert not palette.isVisible()
    assert window.page is Page.CHAT
    assert window.command_palette.recent == ()


def test_a_click_takes_a_line(qtbot: QtBot, window: MainWindow) -> None:
    palette = open_palette(qtbot, window)
    QTest.keyClicks(palette.field, "settings")
    row = shown(palette).index("Settings")
    rect = palette.list.visualRect(palette.list.hits.index(row, 0))
    QTest.mouseClick(palette.list.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    assert window.page is Page.SETTINGS


def test_what_fits_nothing_is_said_and_return_does_nothing(qtbot: QtBot, window: MainWindow) -> None:
    palette = open_palette(qtbot, window)
    QTest.keyClicks(palette.field, "qqqqq")
    assert palette._empty_label.isVisible()
    press(qtbot, palette, Qt.Key.Key_Down, Qt.Key.Key_Return)
    assert palette.isVisible()
    palette.hide()


def test_what_was_taken_comes_first_the_next_time_and_after_a_restart(
    qtbot: QtBot, window: MainWindow, show_window: ShowWindow
) -> None:
    palette = open_palette(qtbot, window)
    QTest.keyClicks(palette.field, "larger")
    press(qtbot, palette, Qt.Key.Key_Return)
    palette = open_palette(qtbot, window)
    assert shown(palette)[:2] == ["Larger text", "New chat"]
    palette.hide()
    state = window.window_state()
    again = show_window(state=WindowState(recent_targets=state.recent_targets))
    assert shown(open_palette(qtbot, again))[0] == "Larger text"
    again.command_palette.palette.hide()


def test_a_screen_reader_hears_the_marked_line(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(QAccessible, "updateAccessibility", lambda event: said.append(event.message()))
    palette = open_palette(qtbot, window)
    press(qtbot, palette, Qt.Key.Key_Down)
    assert said[-1].startswith("Search chats, Chat, Ctrl+Shift+F, 2 of ")
    palette.hide()


def test_its_parts_have_names(qtbot: QtBot, window: MainWindow) -> None:
    palette = open_palette(qtbot, window)
    for part in (palette, palette.field, palette.list):
        interface = QAccessible.queryAccessibleInterface(part)
        assert interface is not None
        assert interface.text(QAccessible.Text.Name)
    palette.hide()


def test_the_words_of_others_are_only_words(qtbot: QtBot, client: AppClient, show_window: ShowWindow) -> None:
    client.add_conversation("<b>x</b>\n\u202egnp.exe &amp; " + "long " * 200)
    window = show_window()
    palette = open_palette(qtbot, window)
    QTest.keyClicks(palette.field, "gnp")
    assert len(palette.hits) == 1
    assert "\u202e" not in str(palette.list.hits.index(0, 0).data())
    assert not palette.grab().isNull()
    palette.hide()
