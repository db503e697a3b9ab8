"""The palette in the real window, by real keys and clicks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.model_entries import STARTER_ID
from fireside.settings.definitions import DEFINITIONS
from fireside.settings.window_state import WindowState
from fireside.ui.commands import COMMANDS, Command, CommandId
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


def displayed_labels(palette: Palette) -> list[str]:
    return [hit.target.label for hit in palette.hits]


def test_it_opens_with_every_command_with_menu_and_shortcut(qtbot: QtBot, window: MainWindow) -> None:
    palette = open_palette(qtbot, window)
    targets = {target.key: target for target in window.command_palette.targets()}
    by_state: dict[CommandId, str] = {Command.PIN_CHAT: "Pin chat", Command.ARCHIVE_CHAT: "Archive chat"}
    for spec in COMMANDS:
        if spec.command is not Command.PALETTE:
            label = by_state.get(spec.command, spec.label)
            assert (targets[spec.command].label, targets[spec.command].location) == (label, spec.menu)
            assert bool(targets[spec.command].shortcut) == bool(spec.keys)
    assert displayed_labels(palette)[0] == "New chat"


def test_typing_and_return_run_a_command(qtbot: QtBot, window: MainWindow) -> None:
    palette = open_palette(qtbot, window)
    QTest.keyClicks(palette.field, "downl")
    press(qtbot, palette, Qt.Key.Key_Return)
    assert not palette.isVisible()
    assert window.page is Page.DOWNLOADS


@pytest.mark.parametrize(
    ("words", "setting"), [("dark", "Theme"), ("deutsch", "Language"), ("font size", "Text size")]
)
def test_a_setting_is_found_by_its_choices_and_description(
    qtbot: QtBot, window: MainWindow, words: str, setting: str
) -> None:
    palette = open_palette(qtbot, window)
    QTest.keyClicks(palette.field, words)
    assert setting in displayed_labels(palette)


def test_part_of_a_word_in_the_description_does_not_match(qtbot: QtBot, window: MainWindow) -> None:
    palette = open_palette(qtbot, window)
    QTest.keyClicks(palette.field, "eutsch")
    assert "Language" not in displayed_labels(palette)


def test_its_height_fits_the_hits(qtbot: QtBot, window: MainWindow) -> None:
    palette = open_palette(qtbot, window)
    whole = palette.height()
    QTest.keyClicks(palette.field, "archive this")
    assert len(palette.hits) < 4
    assert palette.height() < whole / 2
    assert palette.list.verticalScrollBar().maximum() == 0
    palette.field.clear()
    assert palette.height() == whole


def test_a_chat_is_opened(qtbot: QtBot, client: AppClient, show_window: ShowWindow) -> None:
    bread = client.add_conversation("Bread and butter", turns=("Why?", "So."))
    client.add_conversation("Ropes")
    window = show_window()
    palette = open_palette(qtbot, window)
    QTest.keyClicks(palette.field, "butter")
    press(qtbot, palette, Qt.Key.Key_Return)
    settled()
    assert window.conversations.conversation_id == bread


def test_chats_added_or_deleted_meanwhile_are_known(window: MainWindow) -> None:
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


def test_a_setting_is_shown(qtbot: QtBot, window: MainWindow) -> None:
    palette = open_palette(qtbot, window)
    QTest.keyClicks(palette.field, "flash att")
    press(qtbot, palette, Qt.Key.Key_Return)
    settled()
    assert window.page is Page.SETTINGS
    row = window.pages.settings.list.row("load.flash_attn")
    assert window.focusWidget() in row.editor.fields()


@pytest.mark.parametrize(
    ("words", "section"),
    [("add engine", "Servers"), ("base url", "Local API"), ("licences", "About")],
)
def test_a_settings_section_is_found_by_its_synonyms(window: MainWindow, words: str, section: str) -> None:
    first, *_ = Index(window.command_palette.targets(), recent=()).hits(words)
    assert first.target.label == section


def test_a_settings_section_ranks_before_descriptions_that_mention_it(
    qtbot: QtBot, window: MainWindow
) -> None:
    palette = open_palette(qtbot, window)
    QTest.keyClicks(palette.field, "servers")
    assert displayed_labels(palette)[0] == "Servers"
    press(qtbot, palette, Qt.Key.Key_Return)
    settled()
    assert window.page is Page.SETTINGS
    section = window.pages.settings.sections.currentItem()
    assert section is not None
    assert section.text() == "Servers"


def test_every_visible_setting_is_listed(window: MainWindow) -> None:
    listed = {target.key for target in window.command_palette.targets()}
    assert {definition.key for definition in DEFINITIONS if not definition.hidden} <= listed


def test_arrows_move_the_current_row_and_wrap_around(qtbot: QtBot, window: MainWindow) -> None:
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


def test_a_click_picks_a_row(qtbot: QtBot, window: MainWindow) -> None:
    palette = open_palette(qtbot, window)
    QTest.keyClicks(palette.field, "settings")
    row = displayed_labels(palette).index("Settings")
    rect = palette.list.visualRect(palette.list.hits.index(row, 0))
    QTest.mouseClick(palette.list.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    assert window.page is Page.SETTINGS


def test_no_results_are_reported_and_return_does_nothing(qtbot: QtBot, window: MainWindow) -> None:
    palette = open_palette(qtbot, window)
    QTest.keyClicks(palette.field, "qqqqq")
    assert palette._empty_label.isVisible()
    press(qtbot, palette, Qt.Key.Key_Down, Qt.Key.Key_Return)
    assert palette.isVisible()
    palette.hide()


def test_recent_targets_come_first_and_survive_a_restart(
    qtbot: QtBot, window: MainWindow, show_window: ShowWindow
) -> None:
    palette = open_palette(qtbot, window)
    QTest.keyClicks(palette.field, "larger")
    press(qtbot, palette, Qt.Key.Key_Return)
    palette = open_palette(qtbot, window)
    assert displayed_labels(palette)[:2] == ["Larger text", "New chat"]
    palette.hide()
    state = window.window_state()
    again = show_window(state=WindowState(recent_targets=state.recent_targets))
    assert displayed_labels(open_palette(qtbot, again))[0] == "Larger text"
    again.command_palette.palette.hide()


def test_the_current_row_is_announced(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    announced: list[str] = []
    monkeypatch.setattr(QAccessible, "updateAccessibility", lambda event: announced.append(event.message()))
    palette = open_palette(qtbot, window)
    press(qtbot, palette, Qt.Key.Key_Down)
    assert announced[-1].startswith("Temporary chat, Chat, Ctrl+Alt+N, 2 of ")
    palette.hide()


def test_its_widgets_have_accessible_names(qtbot: QtBot, window: MainWindow) -> None:
    palette = open_palette(qtbot, window)
    for part in (palette, palette.field, palette.list):
        interface = QAccessible.queryAccessibleInterface(part)
        assert interface is not None
        assert interface.text(QAccessible.Text.Name)
    palette.hide()


def test_hostile_titles_are_plain_text(qtbot: QtBot, client: AppClient, show_window: ShowWindow) -> None:
    client.add_conversation("<b>x</b>\n\u202egnp.exe &amp; " + "long " * 200)
    window = show_window()
    palette = open_palette(qtbot, window)
    QTest.keyClicks(palette.field, "gnp")
    assert len(palette.hits) == 1
    assert "\u202e" not in str(palette.list.hits.index(0, 0).data())
    assert not palette.grab().isNull()
    palette.hide()
