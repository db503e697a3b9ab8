"""The slash menu: presets and commands for a message that begins with a slash."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAccessible, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTextEdit

from fakes.client import AppClient, settled
from fireside.core.ids import ConversationId
from fireside.settings.values import ConversationLayer
from fireside.ui.palette.targets import TargetKind
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.slash import SlashMenu, query_of


@pytest.fixture
def menu(window: MainWindow) -> SlashMenu:
    settled()
    window.activateWindow()
    window.chat.focus_composer()
    settled()
    return window.slash.menu


@pytest.fixture
def editor(window: MainWindow) -> QTextEdit:
    return window.chat.composer.editor


def labels(menu: SlashMenu) -> list[str]:
    return [hit.target.label for hit in menu.list.hits.items]


def test_a_slash_lists_presets_and_commands(menu: SlashMenu, editor: QTextEdit) -> None:
    QTest.keyClicks(editor, "/")
    assert menu.isVisible()
    assert {"Translator", "Explain simply", "/schema", "/seed", "/clear"} - set(labels(menu)) == {"/seed"}
    assert editor.hasFocus()


def test_typing_filters_and_enter_accepts(
    menu: SlashMenu, editor: QTextEdit, client: AppClient, chat: ConversationId
) -> None:
    QTest.keyClicks(editor, "/revi")
    assert labels(menu) == ["Code reviewer"]
    QTest.keyClick(editor, Qt.Key.Key_Return)
    settled()
    assert editor.toPlainText() == ""
    assert not menu.isVisible()
    assert client.layers[ConversationLayer(conversation_id=chat)]["chat.preset"] == "Code reviewer"
    assert client.called("generations.send") == []


def test_arrows_wrap_around_and_tab_accepts(menu: SlashMenu, editor: QTextEdit, window: MainWindow) -> None:
    QTest.keyClicks(editor, "/")
    QTest.keyClick(editor, Qt.Key.Key_Up)
    assert menu.current is not None
    assert menu.current.target.label == "/clear"
    QTest.keyClick(editor, Qt.Key.Key_Down)
    assert menu.current.target.label == labels(menu)[0]
    QTest.keyClick(editor, Qt.Key.Key_Down)
    QTest.keyClick(editor, Qt.Key.Key_Down)
    assert menu.current.target.label == "Code reviewer"
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    settled()
    assert [chip.label for chip in window.chat.chips.displayed] == ["Code reviewer"]


def test_a_click_accepts(menu: SlashMenu, editor: QTextEdit, window: MainWindow) -> None:
    QTest.keyClicks(editor, "/revi")
    box = menu.list.visualRect(menu.list.hits.index(0, 0))
    QTest.mouseClick(menu.list.viewport(), Qt.MouseButton.LeftButton, pos=box.center())
    settled()
    assert [chip.label for chip in window.chat.chips.displayed] == ["Code reviewer"]


def test_escape_closes_and_the_message_with_its_slash_can_be_sent(
    menu: SlashMenu, editor: QTextEdit, client: AppClient
) -> None:
    QTest.keyClicks(editor, "/sum")
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert not menu.isVisible()
    QTest.keyClicks(editor, "m")
    assert not menu.isVisible()
    QTest.keyClick(editor, Qt.Key.Key_Return)
    settled()
    assert [call[1] for call in client.called("generations.send")] == ["/summ"]


@pytest.mark.parametrize("text", ["/usr/bin is what?", "//", "/xyzzy qqq", "/" + "word " * 20])
def test_an_unknown_command_is_a_message(
    menu: SlashMenu, editor: QTextEdit, client: AppClient, text: str
) -> None:
    QTest.keyClicks(editor, text)
    assert not menu.isVisible()
    QTest.keyClick(editor, Qt.Key.Key_Return)
    settled()
    assert [call[1] for call in client.called("generations.send")] == [text]


@pytest.mark.parametrize("text", ["a /b", "line\n/x", "/x\ny", ""])
def test_a_slash_elsewhere_is_text(text: str) -> None:
    assert query_of(text) is None


def test_an_open_composition_never_opens_the_menu(menu: SlashMenu, editor: QTextEdit) -> None:
    compose = QInputMethodEvent("/かな", [])
    QCoreApplication.sendEvent(editor, compose)
    assert not menu.isVisible()
    QCoreApplication.sendEvent(editor, QInputMethodEvent("", []))
    QTest.keyClicks(editor, "/")
    assert menu.isVisible()
    QCoreApplication.sendEvent(editor, QInputMethodEvent("か", []))
    assert not menu.isVisible()


def test_a_command_runs_as_in_the_palette(menu: SlashMenu, editor: QTextEdit, window: MainWindow) -> None:
    QTest.keyClicks(editor, "/schema")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    settled()
    assert window.presets.rule_sheet is not None
    window.presets.rule_sheet.reject()


def test_a_seed_and_a_title_take_an_argument(
    menu: SlashMenu, editor: QTextEdit, client: AppClient, chat: ConversationId
) -> None:
    QTest.keyClicks(editor, "/seed 42")
    assert labels(menu) == ["/seed 42"]
    QTest.keyClick(editor, Qt.Key.Key_Return)
    settled()
    assert client.layers[ConversationLayer(conversation_id=chat)]["sampling.seed"] == 42
    QTest.keyClicks(editor, "/title A day at the sea")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    settled()
    assert client.summaries[chat].title == "A day at the sea"


def test_a_text_is_inserted_into_the_message(menu: SlashMenu, editor: QTextEdit, window: MainWindow) -> None:
    QTest.keyClicks(editor, "/explain")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    sheet = window.presets.values_sheet
    assert sheet is not None
    QTest.keyClicks(sheet.fields["topic"], "tides")
    sheet.use.click()
    settled()
    assert window.chat.composer.text().startswith("Explain tides in simple words")


def test_the_button_opens_the_menu_and_keeps_what_was_written(
    menu: SlashMenu, editor: QTextEdit, window: MainWindow
) -> None:
    QTest.keyClicks(editor, "Some words")
    window.chat.composer.menu_button.click()
    assert menu.isVisible()
    while menu.current is not None and menu.current.target.label != "Code reviewer":
        QTest.keyClick(editor, Qt.Key.Key_Down)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    settled()
    assert editor.toPlainText() == "Some words"
    assert [chip.label for chip in window.chat.chips.displayed] == ["Code reviewer"]


def test_leaving_the_message_closes_the_menu(menu: SlashMenu, editor: QTextEdit, window: MainWindow) -> None:
    QTest.keyClicks(editor, "/")
    window.chat.composer.send_button.setFocus()
    settled()
    assert not menu.isVisible()


def test_the_menu_is_announced_and_its_rows_are_readable(
    menu: SlashMenu, editor: QTextEdit, monkeypatch: pytest.MonkeyPatch
) -> None:
    announced: list[str] = []
    monkeypatch.setattr(QAccessible, "updateAccessibility", lambda event: announced.append(event.message()))
    QTest.keyClicks(editor, "/revi")
    assert announced[0].startswith("Presets and commands")
    assert announced[-1] == "Code reviewer, Preset, 1 of 1"
    line = menu.list.hits.data(menu.list.hits.index(0, 0), Qt.ItemDataRole.AccessibleTextRole)
    assert line == "Code reviewer, Preset"


def test_the_palette_lists_presets_too(window: MainWindow) -> None:
    settled()
    names = [t.label for t in window.command_palette.targets() if t.kind is TargetKind.PRESET]
    assert "Translator" in names
