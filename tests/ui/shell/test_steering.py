"""Message actions in the whole window: toasts with Undo, forks, branches and editing by shortcut."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fireside.core.ids import ConversationId
from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.commands import Command
from fireside.ui.page import Page
from fireside.ui.shell.main_window import MainWindow


@pytest.fixture
def chat(client: AppClient) -> ConversationId:
    return client.add_conversation("Tides", turns=["Why?", "The moon.", "And then?", "The sun."])


@pytest.fixture
def window(chat: ConversationId, show_window: Callable[..., MainWindow]) -> MainWindow:
    window = show_window()
    window.conversations.open(chat)
    settled()
    return window


def texts(window: MainWindow) -> list[str]:
    return [entry.text for entry in window.chat.transcript.entries]


def act(window: MainWindow, index: int, action: MessageAction) -> None:
    transcript = window.chat.transcript
    transcript.act(transcript.entries[index].message.id, action)


def test_undo_restores_a_deleted_message(qtbot: QtBot, window: MainWindow) -> None:
    act(window, 2, MessageAction.DELETE)
    settled()
    assert texts(window) == ["Why?", "The moon."]
    assert "deleted" in window.toast.text
    window.commands.actions[Command.UNDO_DELETE].trigger()
    qtbot.waitUntil(lambda: texts(window)[2:] == ["And then?", "The sun."])


def test_a_command_deletes_the_last_message_and_undo_restores_it(qtbot: QtBot, window: MainWindow) -> None:
    window.commands.actions[Command.DELETE_LAST].trigger()
    settled()
    assert texts(window) == ["Why?", "The moon.", "And then?"]
    window.commands.actions[Command.UNDO_DELETE].trigger()
    qtbot.waitUntil(lambda: texts(window)[3:] == ["The sun."])


def test_a_fork_is_opened(qtbot: QtBot, window: MainWindow, chat: ConversationId) -> None:
    act(window, 1, MessageAction.FORK)
    qtbot.waitUntil(lambda: window.conversations.conversation_id not in (None, chat))
    assert texts(window) == ["Why?", "The moon."]
    assert window.windowTitle().startswith("Tides (2)")


def test_the_shortcut_shows_all_branches_and_goes_to_one(qtbot: QtBot, window: MainWindow) -> None:
    window.show_page(Page.SETTINGS)
    window.commands.actions[Command.BRANCHES].trigger()
    assert window.page is Page.CHAT
    qtbot.waitUntil(lambda: window.chat.branch_controller.tree_sheet is not None)
    sheet = window.chat.branch_controller.tree_sheet
    assert sheet is not None
    assert len(sheet.tree.rows) == 4
    sheet.tree.message_selected.emit(sheet.tree.rows[0].node.id)
    window.activateWindow()
    qtbot.waitUntil(lambda: window.chat.transcript.column.focused_index() == 0)


def test_a_new_chat_has_no_branches_to_show(window: MainWindow) -> None:
    window.conversations.new_chat()
    window.commands.actions[Command.BRANCHES].trigger()
    window.commands.actions[Command.EDIT_LAST].trigger()
    settled()
    assert window.chat.branch_controller.tree_sheet is None


def test_a_shortcut_edits_the_last_message(window: MainWindow) -> None:
    window.commands.actions[Command.EDIT_LAST].trigger()
    assert [entry.is_being_edited for entry in window.chat.transcript.entries] == [False, False, True, False]


def test_the_models_of_the_library_are_offered_for_another_answer(window: MainWindow) -> None:
    act(window, 3, MessageAction.REGENERATE_WITH)
    menu = window.chat.branch_controller.menu
    assert menu is not None
    lines = [line.text() for line in menu.actions() if line.text()]
    menu.close()
    assert lines[-1] == "Different settings…"
    assert len(lines) == 1 + len(window.models.usable)
