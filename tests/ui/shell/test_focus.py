"""When the focused control disappears, the message field gets the focus."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.widgets import focused
from fakes.window import build_window
from fireside.core.chat import MessageState
from fireside.core.ids import ConversationId
from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.chat.composer.composer import PastedArea
from fireside.ui.chat.composer.pasted import FOLD_CHARS
from fireside.ui.commands import COMMANDS, Command, CommandId
from fireside.ui.kit.sheet import open_sheets
from fireside.ui.page import PAGES, Page
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.tasks import TaskRunner

ELSEWHERE = (
    Command.NEW_WINDOW,
    Command.CHAT_WINDOW,
    Command.QUICK_QUESTION,
    Command.CLOSE_WINDOW,
    Command.QUIT,
)
"""What other windows do, or what ends this one."""


@pytest.fixture
def chat(client: AppClient) -> ConversationId:
    return client.add_conversation("Tides", turns=("Why?", "The moon."))


@pytest.fixture
def front(qtbot: QtBot, window: MainWindow, chat: ConversationId) -> MainWindow:
    """The window, active, with a chat of one turn in front."""
    window.conversations.open(chat)
    qtbot.waitUntil(lambda: window.chat.conversation_id == chat)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def send(qtbot: QtBot, window: MainWindow, text: str) -> None:
    QTest.keyClicks(window.chat.composer.editor, text)
    QTest.keyClick(window.chat.composer.editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.chat.composer.text() == "")


def press(qtbot: QtBot, button: QWidget) -> None:
    """Give a button the keyboard and press it; wait until it has gone."""
    button.setFocus()
    assert focused() is button
    QTest.keyClick(button, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: focused() is not button)


@pytest.fixture
def queued(qtbot: QtBot, front: MainWindow) -> MainWindow:
    """The same, stopped, with one message that waits to be sent."""
    for text in ("One?", "Two?"):
        send(qtbot, front, text)
    front.chat.composer.stop_requested.emit()
    qtbot.waitUntil(lambda: not front.chat.queue_area.bubbles[0].send.isHidden())
    return front


@pytest.mark.parametrize("button", ["send", "remove_button"])
def test_a_queued_message_that_is_sent_or_taken_back(qtbot: QtBot, queued: MainWindow, button: str) -> None:
    press(qtbot, getattr(queued.chat.queue_area.bubbles[0], button))
    qtbot.waitUntil(lambda: not queued.chat.queue_area.bubbles)
    assert focused() is queued.chat.composer.editor


def test_a_pasted_text_that_is_removed(qtbot: QtBot, front: MainWindow) -> None:
    QApplication.clipboard().setText("x" * (FOLD_CHARS + 1))
    front.chat.composer.editor.paste()
    area = front.chat.composer.findChild(PastedArea)
    assert area is not None
    (remove,) = [b for b in area.findChildren(QAbstractButton) if b.accessibleName().startswith("Remove")]
    press(qtbot, remove)
    assert focused() is front.chat.composer.editor


def test_a_chat_that_is_deleted(qtbot: QtBot, front: MainWindow, chat: ConversationId) -> None:
    front.chat.focus_composer()
    front.commands.actions[Command.DELETE_CHAT].trigger()
    qtbot.waitUntil(lambda: front.chat.conversation_id != chat)
    assert focused() is front.chat.composer.editor


def test_a_note_that_is_answered(qtbot: QtBot, front: MainWindow, chat: ConversationId) -> None:
    front.commands.actions[Command.DELETE_CHAT].trigger()
    qtbot.waitUntil(lambda: front.toast.offers_undo)
    press(qtbot, front.toast.findChildren(QAbstractButton)[0])
    assert focused() is front.chat.composer.editor


def test_a_window_that_knows_no_chats_yet_has_the_focus_in_the_composer(
    qtbot: QtBot, client: AppClient, tasks: TaskRunner
) -> None:
    window = build_window(client, tasks=tasks)
    qtbot.addWidget(window)
    assert window.focusWidget() is window.chat.composer.editor


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_a_button_is_pressed_by_each_key_for_that(front: MainWindow, key: Qt.Key) -> None:
    front.header.parameters.setFocus()
    QTest.keyClick(focused(), key)
    assert front.chat_area.is_open
    (copy, *_) = (
        button
        for view in front.chat.transcript.live.values()
        for button in view.findChildren(QAbstractButton)
        if button.accessibleName().startswith("Copy")
    )
    QApplication.clipboard().clear()
    copy.setFocus()
    QTest.keyClick(focused(), key)
    assert QApplication.clipboard().text()


@pytest.mark.parametrize("place", [0, 1])
def test_no_action_of_a_message_leaves_the_keyboard_outside_of_the_chat(
    qtbot: QtBot, front: MainWindow, client: AppClient, tasks: TaskRunner, place: int
) -> None:
    pane = front.chat
    for action in [action for action in MessageAction if action is not MessageAction.READ_ALOUD]:
        made = client.add_conversation(f"For {action}", turns=("Why?", "The moon."))
        front.conversations.open(made)
        settled()
        assert pane.conversation_id == made
        view = pane.transcript.column.view_of(place)
        view.tab_stops[0].setFocus()
        pane.transcript.act(pane.transcript.entries[place].message.id, action)
        # A sheet that waits for the model does so until it is closed.
        qtbot.waitUntil(lambda: tasks.n_running == 0 or client.engine.is_busy)
        (*_, expected) = (pane, *open_sheets(front))
        assert expected.isAncestorOf(kept_by(front)), action
        close_what_opened(front)
        settled()
        assert pane.isAncestorOf(kept_by(front)), action
        if is_answered(client, made):
            client.finish(made)
            assert pane.isAncestorOf(kept_by(front)), action


def test_no_command_leaves_the_keyboard_outside_of_what_it_is_about(
    front: MainWindow, client: AppClient
) -> None:
    leads_to: dict[CommandId, QWidget] = {
        Command.FIND_CHAT: front.sidebar,
        Command.RENAME_CHAT: front.sidebar.list,
        Command.NEW_FOLDER: front.sidebar,
        Command.NEXT_AREA: front,
        Command.PREVIOUS_AREA: front,
        Command.CHAT_SETTINGS: front.chat_area,
        Command.SYSTEM_PROMPT: front.chat_area,
        Command.LOCK: front.navigation.stack,  # to where a passphrase is set, while there is none
        **dict.fromkeys(PAGES, front.navigation.stack),
    }
    for command in [spec.command for spec in COMMANDS if spec.command not in ELSEWHERE]:
        made = client.add_conversation(f"For {command}", turns=("Why?", "The moon."))
        front.show_page(Page.CHAT)
        front.conversations.open(made)
        client.result(client.conversations.rename(made, title=f"About {command}"))  # the list is told of it
        settled()
        front.chat.focus_composer()
        front.commands.actions[command].trigger()
        settled()
        close_what_opened(front)
        settled()
        kept = kept_by(front)
        assert kept.isVisible(), command
        assert leads_to.get(command, front.chat).isAncestorOf(kept), (command, kept)
        if is_answered(client, made):
            client.finish(made)


def test_no_button_of_the_message_field_leaves_the_keyboard_elsewhere(front: MainWindow) -> None:
    composer = front.chat.composer
    for button in composer.findChildren(QAbstractButton):
        if button.isVisible() and button.isEnabled():
            button.setFocus()
            QTest.keyClick(button, Qt.Key.Key_Space)
            settled()
            close_what_opened(front)
            settled()
            assert front.chat.isAncestorOf(kept_by(front)), button.accessibleName()


def is_answered(client: AppClient, conversation_id: ConversationId) -> bool:
    """Whether an answer is being written."""
    messages = client.messages.get(conversation_id, ())  # it may be deleted
    return any(message.state is MessageState.STREAMING for message in messages)


def kept_by(window: MainWindow) -> QWidget:
    """Return what has the keyboard, or gets it once the window is active again."""
    widget = window.focusWidget()
    assert widget is not None
    return widget


def close_what_opened(window: MainWindow) -> None:
    """Close sheets and popups as Escape does."""
    for sheet in reversed(open_sheets(window)):
        sheet.reject()
    while (popup := QApplication.activePopupWidget()) is not None:
        popup.hide()
