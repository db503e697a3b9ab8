"""Temporary chats in the window: begun, marked, asked about before they close, kept."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QFrame

from fakes.client import AppClient, settled
from fakes.widgets import child
from fireside.core.ids import ConversationId, is_temporary
from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.commands import Command
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.shell.temporary_sheet import TemporarySheet


def run(window: MainWindow, command: Command) -> None:
    window.commands.actions[command].trigger()
    settled()


def sheet_of(window: MainWindow) -> TemporarySheet | None:
    sheets = window.findChildren(TemporarySheet)
    return sheets[-1] if sheets else None


def ask(client: AppClient, window: MainWindow, text: str = "Why?") -> None:
    window.chat.send_controller.send(text)
    settled()
    open_id = window.chat.conversation_id
    assert open_id is not None
    client.stream(open_id, text="Because.")
    client.finish(open_id)
    settled()


@pytest.fixture
def temporary(window: MainWindow) -> ConversationId:
    """A temporary chat in front."""
    run(window, Command.TEMPORARY_CHAT)
    open_id = window.conversations.conversation_id
    assert open_id is not None
    assert is_temporary(open_id)
    return open_id


def test_it_is_marked_and_in_no_list(
    client: AppClient, window: MainWindow, temporary: ConversationId
) -> None:
    ask(client, window)
    assert [entry.message.message.text for entry in window.chat.transcript.entries] == ["Why?", "Because."]
    assert window.header.temporary_mark.isVisible()
    assert not window.header.temporary.isVisible()
    assert window.chat.composer.property("temporary") is True
    assert window.windowTitle() == "Temporary chat"
    assert window.sidebar.model.displayed_ids == ()
    assert client.conversations_kept == ()
    assert window.window_state().last_conversation is None
    assert all(target.label != "Temporary chat" for target in window.command_palette._chat_targets())
    assert MessageAction.FORK not in window.chat.transcript.message_actions.possible(
        window.chat.transcript.entries[-1]
    )


def test_an_empty_one_closes_without_a_question(
    client: AppClient, window: MainWindow, temporary: ConversationId
) -> None:
    run(window, Command.NEW_CHAT)
    assert sheet_of(window) is None
    assert window.conversations.conversation_id is None
    assert window.header.temporary.isVisible()
    assert not window.header.temporary_mark.isVisible()
    assert window.chat.composer.property("temporary") is False
    assert client.called("conversations.close_temporary") == [(temporary,)]


def test_keep_is_offered_once_there_is_something_to_keep(
    client: AppClient, window: MainWindow, temporary: ConversationId
) -> None:
    keep = window.header.keep
    assert not keep.isVisible()
    window.chat.composer.editor.insertPlainText("a thought")
    assert keep.isVisible()
    window.chat.composer.clear_text()
    assert not keep.isVisible()
    ask(client, window)
    assert keep.isVisible()
    window.conversations.open(client.add_conversation("Outside", turns=("Why?", "So.")))
    settled()
    sheet = sheet_of(window)
    assert sheet is not None
    sheet.close_chat.click()
    settled()
    assert not keep.isVisible()


@pytest.mark.parametrize("answer", ["close", "keep", "stay"])
def test_what_has_messages_is_asked_about(
    client: AppClient, window: MainWindow, chat: ConversationId, answer: str
) -> None:
    run(window, Command.TEMPORARY_CHAT)
    ask(client, window, text="Where does the owl live?")
    temporary = window.conversations.conversation_id
    window.conversations.open(chat)
    settled()
    assert window.conversations.conversation_id == temporary
    sheet = sheet_of(window)
    assert sheet is not None
    {"close": sheet.close_chat.click, "keep": sheet.keep.click, "stay": sheet.reject}[answer]()
    settled()
    assert window.conversations.conversation_id == (temporary if answer == "stay" else chat)
    titles = [summary.title for summary in client.conversations_kept]
    assert ("Where does the owl live?" in titles) is (answer == "keep")


def test_keep_stores_all_of_it_and_opens_it(
    client: AppClient, window: MainWindow, temporary: ConversationId
) -> None:
    ask(client, window)
    window.chat.composer.editor.insertPlainText("a thought")
    window.chat.transcript.editor.begin_last()
    settled()
    run(window, Command.KEEP_CHAT)
    kept = window.conversations.conversation_id
    assert kept is not None
    assert not is_temporary(kept)
    assert [each.message.text for each in client.messages[kept]] == ["Why?", "Because."]
    assert window.chat.composer.text() == client.draft(kept) == "a thought"
    assert window.sidebar.model.displayed_ids == (kept,)
    assert not window.header.keep.isVisible()


def test_a_window_with_one_asks_before_it_closes(
    client: AppClient, window: MainWindow, temporary: ConversationId
) -> None:
    window.chat.composer.editor.insertPlainText("only typed")
    assert not window.close()
    sheet = sheet_of(window)
    assert sheet is not None
    assert window.isVisible()
    sheet.close_chat.click()
    settled()
    assert not window.isVisible()
    assert client.called("conversations.close_temporary")


@pytest.mark.parametrize("command", [Command.RENAME_CHAT, Command.PIN_CHAT, Command.ARCHIVE_CHAT])
def test_what_needs_a_place_in_the_list_says_so(
    window: MainWindow, temporary: ConversationId, command: Command
) -> None:
    run(window, command)
    assert window.toast.text == "Keep this temporary chat first"


def test_a_restored_backup_leaves_it_open(
    client: AppClient, window: MainWindow, temporary: ConversationId
) -> None:
    ask(client, window)
    window.transfers.restored.emit()
    settled()
    assert window.conversations.conversation_id == temporary
    assert child(window, QFrame, "temporaryMark").isVisible()
