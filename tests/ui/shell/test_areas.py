"""The window by keyboard: between areas, into the messages and back to the message field."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.widgets import focused
from fireside.settings.window_state import WindowState
from fireside.ui.page import Page
from fireside.ui.shell.main_window import MainWindow

TURNS = ("Why?", "The moon. " * 400, "And when?", "Twice a day.")
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def front(qtbot: QtBot, client: AppClient, show_window: Callable[..., MainWindow]) -> MainWindow:
    """The window, active, with a chat in front that is taller than it."""
    window = show_window(state=WindowState(last_conversation=client.add_conversation("Tides", turns=TURNS)))
    settled()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.chat.focus_composer()
    return window


def walk(qtbot: QtBot, window: MainWindow, keys: str, n: int) -> list[QWidget]:
    """Press ``keys`` so often; return what had the keyboard each time."""
    met = []
    for _ in range(n):
        qtbot.keySequence(focused(), keys)
        met.append(focused())
    return met


def test_f6_goes_round_the_areas_and_shift_f6_back(qtbot: QtBot, front: MainWindow) -> None:
    there = walk(qtbot, front, "F6", 4)
    chat = front.chat
    areas: list[QWidget] = [front.sidebar, front.header, chat.transcript, chat.composer]
    assert [area.isAncestorOf(met) for area, met in zip(areas, there, strict=True)] == [True] * 4
    assert there[-1] is chat.composer.editor
    back = walk(qtbot, front, "Shift+F6", 4)
    assert back == [*there[2::-1], chat.composer.editor]


def test_f6_returns_to_the_control_last_focused_in_an_area(qtbot: QtBot, front: MainWindow) -> None:
    front.sidebar.list.setFocus()
    walk(qtbot, front, "F6", 3)
    assert walk(qtbot, front, "F6", 1) == [front.sidebar.list]


def test_f6_passes_what_is_hidden(qtbot: QtBot, front: MainWindow) -> None:
    front.navigation.toggle_sidebar()
    met = walk(qtbot, front, "F6", 3)
    assert not any(front.sidebar.isAncestorOf(widget) for widget in met)
    assert met[-1] is front.chat.composer.editor


def test_f6_reaches_every_page(qtbot: QtBot, front: MainWindow) -> None:
    for page in [page for page in Page if page is not Page.CHAT]:
        front.show_page(page)
        front.sidebar.list.setFocus()
        _, met = walk(qtbot, front, "F6", 2)
        assert front.navigation.stack.isAncestorOf(met), page


def test_tab_follows_the_reading_order_of_the_message_field(qtbot: QtBot, front: MainWindow) -> None:
    composer = front.chat.composer
    composer.editor.setPlainText("Why?")
    buttons = (composer.attach_button, composer.menu_button, composer.tools_button, composer.compare_button)
    speech = (composer.dictate_button, composer.talk_button)
    row = [part for part in (*buttons, composer.meter, *speech, composer.send_button) if part.isVisible()]
    assert walk(qtbot, front, "Tab", len(row)) == row
    composer.editor.setFocus()
    front.chat.composer.meter.show()
    assert walk(qtbot, front, "Tab", 5) == [*buttons, composer.meter]


def test_tab_stops_only_at_visible_controls(qtbot: QtBot, front: MainWindow) -> None:
    """The page of messages itself shows no ring."""
    met = walk(qtbot, front, "Tab", 60)
    assert front.chat.composer.editor in met
    assert any(front.chat.transcript.isAncestorOf(widget) for widget in met)
    assert front.chat.transcript not in met


def test_shift_tab_moves_from_a_message_to_the_control_before_it(qtbot: QtBot, front: MainWindow) -> None:
    transcript = front.chat.transcript
    transcript.show_message(0)
    for _ in front.chat.transcript.entries:
        qtbot.keySequence(focused(), "Ctrl+Up")
    assert focused() is transcript.live[0]
    assert front.header.isAncestorOf(*walk(qtbot, front, "Shift+Tab", 1))


def test_the_keyboard_is_back_in_the_message_field_after_a_search(qtbot: QtBot, front: MainWindow) -> None:
    qtbot.keySequence(focused(), "Ctrl+F")
    assert focused() is front.chat.transcript.finder.bar.field
    qtbot.keySequence(focused(), "Esc")
    assert focused() is front.chat.composer.editor


@pytest.mark.parametrize(("key", "held"), [(Qt.Key.Key_Up, CTRL), (Qt.Key.Key_PageUp, None)])
def test_keys_of_the_message_field_lead_into_the_messages(
    front: MainWindow, key: Qt.Key, held: Qt.KeyboardModifier | None
) -> None:
    QTest.keyClick(focused(), key, held or Qt.KeyboardModifier.NoModifier)
    message = focused()
    assert message is front.chat.transcript.live[3]
    said = QAccessible.queryAccessibleInterface(message)
    assert said.text(QAccessible.Text.Name) == "Answer: Twice a day."
    assert said.state().focusable
    assert said.state().focused
    QTest.keyClick(message, Qt.Key.Key_Up)
    assert focused() is front.chat.transcript.live[2]


def test_page_up_scrolls_a_long_text_before_it_leaves(front: MainWindow) -> None:
    editor = front.chat.composer.editor
    front.chat.composer.set_text("\n".join("line" for _ in range(60)))
    QTest.keyClick(editor, Qt.Key.Key_PageUp)
    assert focused() is editor
    while editor.verticalScrollBar().value():
        QTest.keyClick(editor, Qt.Key.Key_PageUp)
    QTest.keyClick(editor, Qt.Key.Key_PageUp)
    assert front.chat.transcript.isAncestorOf(focused())


def test_a_message_taller_than_the_window_is_read_to_its_end(front: MainWindow) -> None:
    transcript = front.chat.transcript
    transcript.go_to(transcript.entries[1].message.id)
    tops = []
    while focused() is transcript.live.get(1):
        tops.append(focused().y())
        QTest.keyClick(focused(), Qt.Key.Key_PageDown)
    assert len(tops) > 1
    assert tops == sorted(tops, reverse=True)
    assert focused() is transcript.live[2]


def test_escape_and_typing_lead_back(front: MainWindow) -> None:
    QTest.keyClick(focused(), Qt.Key.Key_PageUp)
    QTest.keyClick(focused(), Qt.Key.Key_Escape)
    assert focused() is front.chat.composer.editor
    QTest.keyClick(focused(), Qt.Key.Key_PageUp)
    QTest.keyClick(focused(), Qt.Key.Key_H)
    assert focused() is front.chat.composer.editor
    assert front.chat.composer.text() == "h"


def test_up_in_an_empty_field_edits_the_last_message(front: MainWindow) -> None:
    composer = front.chat.composer
    composer.set_text("x")
    QTest.keyClick(composer.editor, Qt.Key.Key_Up)
    assert focused() is composer.editor
    composer.set_text("")
    QTest.keyClick(composer.editor, Qt.Key.Key_Up)
    assert front.chat.transcript.live[2].isAncestorOf(focused())
    assert front.chat.transcript.entries[2].is_being_edited


def test_tab_follows_the_reading_order_of_the_window(front: MainWindow) -> None:
    front.sidebar.new_chat.setFocus()
    areas: list[QWidget] = [front.sidebar, front.header, front.chat.transcript, front.chat.composer]
    met: list[int] = []
    for _ in range(200):
        here = next(n for n, area in enumerate(areas) if area is focused() or area.isAncestorOf(focused()))
        if not met or met[-1] != here:
            met.append(here)
        QTest.keyClick(focused(), Qt.Key.Key_Tab)
        if QApplication.focusWidget() is front.sidebar.new_chat:
            break
    assert met == [0, 1, 2, 3, 0]


def test_tab_moves_from_a_message_to_its_buttons(front: MainWindow) -> None:
    transcript = front.chat.transcript
    transcript.go_to(transcript.entries[2].message.id)
    QTest.keyClick(focused(), Qt.Key.Key_Tab)
    assert transcript.live[2].isAncestorOf(focused())
