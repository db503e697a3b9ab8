"""What a user does to messages: by buttons, keys and menus of the conversation."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFrame, QMenu, QTextEdit, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient
from fakes.model_entries import STARTER_ID, loaded_state
from fakes.stored_messages import Messages, TranscriptScene
from fakes.widgets import child, focused
from fakes.window import shown_pane
from fireside.core.chat import Branches
from fireside.core.errors import InvalidText, NextStep, RecordNotFound, RequestError
from fireside.core.generation import FinishReason
from fireside.core.ids import ConversationId, MessageId
from fireside.core.message import DocumentPart
from fireside.core.status import ModelStatus
from fireside.ui.chat.answer.actions import (
    ACTIONS,
    BUTTON,
    ActionRow,
    MessageAction,
    can_continue,
)
from fireside.ui.chat.answer.answer import AnswerFooter
from fireside.ui.chat.answer.message import MessageView
from fireside.ui.chat.answer.message_editor import MessageEditor
from fireside.ui.chat.answer.message_item import Entry
from fireside.ui.chat.answer.switcher import BranchSwitcher
from fireside.ui.chat.composer.attachment_chip import AttachmentChip
from fireside.ui.chat.pane.chat_pane import ChatPane
from fireside.ui.tasks import TaskRunner

CTRL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
Notes = list[tuple[str, str, Callable[[], None] | None]]


def fail(error: BaseException) -> None:
    pytest.fail(repr(error))


@pytest.fixture
def pane(qtbot: QtBot, loop: asyncio.AbstractEventLoop, client: AppClient, opened: list[str]) -> ChatPane:
    tasks = TaskRunner(loop, on_error=fail, on_bug=fail)
    pane = shown_pane(client, tasks=tasks, qtbot=qtbot, open_url=opened.append)
    spec = client.entries[0].spec
    assert spec is not None
    pane.set_model(client.entries[0], ModelStatus(model_id=STARTER_ID, state=loaded_state(spec)))
    pane.branch_controller.set_models(lambda: client.entries)
    return pane


@pytest.fixture
def notes(pane: ChatPane) -> Notes:
    heard: Notes = []
    pane.branch_controller.note_requested.connect(lambda *note: heard.append(note))
    return heard


@pytest.fixture
def chat(qtbot: QtBot, pane: ChatPane, client: AppClient, loop: asyncio.AbstractEventLoop) -> ConversationId:
    """An open conversation of two turns."""
    conversation_id = client.add_conversation("Tides", turns=["Why?", "The moon.", "And then?", "The sun."])
    show(qtbot, pane, client, conversation_id)
    return conversation_id


def show(qtbot: QtBot, pane: ChatPane, client: AppClient, conversation_id: ConversationId) -> None:
    pane.pane_context.tasks.run(client.conversations.open(conversation_id), on_done=pane.open)
    qtbot.waitUntil(lambda: pane.conversation_id == conversation_id)


def texts(pane: ChatPane) -> list[str]:
    return [entry.text for entry in pane.transcript.entries]


def entry(pane: ChatPane, index: int) -> Entry:
    return pane.transcript.entries[index]


def message_id(pane: ChatPane, index: int) -> MessageId:
    return entry(pane, index).message.id


def hover(view: QWidget, *, inside: bool = True) -> None:
    at = QPointF(5, 5)
    event = QEnterEvent(at, at, at) if inside else QEvent(QEvent.Type.Leave)
    QApplication.sendEvent(view, event)


def view(pane: ChatPane, index: int) -> MessageView:
    return pane.transcript.view_of(index)


def click(pane: ChatPane, index: int, name: str) -> None:
    """Hover a message and click the button of that name, or choose that entry of its menu."""
    hover(view(pane, index))
    buttons = [b for b in view(pane, index).findChildren(QToolButton) if b.isVisible()]
    by_name = {button.accessibleName(): button for button in buttons}
    QTest.mouseClick(by_name.get(name, by_name["More"]), Qt.MouseButton.LeftButton)
    if name not in by_name:
        (menu,) = [menu for menu in pane.transcript.findChildren(QMenu) if menu.isVisible()]
        (line,) = [line for line in menu.actions() if line.text() == name]
        line.trigger()
        menu.close()
        pane.activateWindow()


def names(pane: ChatPane, index: int) -> list[str]:
    buttons = view(pane, index).findChildren(QToolButton)
    return [b.accessibleName() for b in buttons if b.isVisible()]


def editor(pane: ChatPane, index: int) -> MessageEditor:
    message_editor = view(pane, index).findChild(MessageEditor)
    assert message_editor is not None
    return message_editor


def retype(pane: ChatPane, index: int, text: str) -> QWidget:
    field = editor(pane, index).tab_stops[0]
    QTest.keyClick(field, Qt.Key.Key_A, CTRL)
    QTest.keyClicks(field, text)
    return field


# Actions


def test_actions_are_shown_while_the_message_is_hovered(pane: ChatPane, chat: ConversationId) -> None:
    assert "Edit" not in names(pane, 0)
    hover(view(pane, 0))
    expected = ["Copy", "Edit", "Branch into new chat", "More"]
    assert names(pane, 0) == expected
    hover(view(pane, 0), inside=False)
    assert "Edit" not in names(pane, 0)


def test_actions_are_shown_while_the_message_is_focused(
    qtbot: QtBot, pane: ChatPane, chat: ConversationId
) -> None:
    pane.activateWindow()
    pane.transcript.setFocus()
    qtbot.waitUntil(pane.transcript.hasFocus)
    QTest.keyClick(pane.transcript, Qt.Key.Key_Up, CTRL)
    index = pane.transcript.column.focused_index()
    assert index is not None
    if not entry(pane, index).is_user:
        QTest.keyClick(focused(), Qt.Key.Key_Up, CTRL)
        index -= 1
    assert "Edit" in names(pane, index)
    QTest.keyClick(focused(), Qt.Key.Key_Up, CTRL)
    assert "Edit" not in names(pane, index)


def test_actions_that_do_not_fit_are_under_more(qtbot: QtBot, pane: ChatPane, chat: ConversationId) -> None:
    row = ActionRow(pane, about="Answer details")
    assert (
        row.show_actions(pane.transcript.message_actions.possible(entry(pane, 0)), max_width=300)
        == 4 * BUTTON
    )
    assert (
        row.show_actions(pane.transcript.message_actions.possible(entry(pane, 0)), max_width=3 * BUTTON)
        == 3 * BUTTON
    )
    assert [button.accessibleName() for button in row.buttons] == ["Copy", "Edit", "More"]
    with qtbot.waitSignal(row.menu_requested) as requested:
        row.buttons[-1].click()
    assert requested.args is not None
    menu = pane.transcript.menu.build_more(entry(pane, 0), requested.args[0])
    offered = [line.data() for line in menu.actions() if not line.isSeparator()]
    assert (offered[0], offered[-1]) == (MessageAction.FORK, MessageAction.DELETE)


def test_the_context_menu_offers_the_same_actions(pane: ChatPane, chat: ConversationId) -> None:
    position = view(pane, 3).mapToGlobal(QPoint(20, 20))
    menu = pane.transcript.menu.build(position)
    labels = [action.text() for action in menu.findChildren(QAction)]
    for action in pane.transcript.message_actions.possible(entry(pane, 3)):
        assert ACTIONS[action].label in labels
    assert "Show all branches…" in labels


# Editing


def test_an_edited_question_is_sent_in_a_new_branch(
    qtbot: QtBot, pane: ChatPane, client: AppClient, chat: ConversationId
) -> None:
    question_id = message_id(pane, 2)
    click(pane, 2, "Edit")
    field = retype(pane, 2, "And before?")
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: texts(pane) == ["Why?", "The moon.", "And before?", ""])
    assert client.called("branches.edit_question") == [(question_id, "And before?", STARTER_ID, frozenset())]
    qtbot.waitUntil(pane.composer.editor.hasFocus)
    assert entry(pane, 3).is_running
    assert len(entry(pane, 2).siblings) == 2


def test_attachments_can_be_removed_while_editing(
    qtbot: QtBot, pane: ChatPane, client: AppClient, messages: Messages
) -> None:
    files = tuple(
        DocumentPart(name=name, media_type="text/plain", text=name) for name in ("a.txt", "b.txt", "c.txt")
    )
    asked = messages.user("Compare")
    asked = replace(asked, message=replace(asked.message, parts=(*files, *asked.message.parts)))
    conversation = client.add_conversation("Files")
    client.keep_messages(conversation, [asked, messages.answer("So")])
    show(qtbot, pane, client, conversation)

    def chips() -> list[AttachmentChip]:
        return [chip for chip in view(pane, 0).findChildren(AttachmentChip) if chip.isVisible()]

    def names() -> list[str]:
        return [chip.facts.name for chip in chips()]

    def remove(name: str) -> None:
        chip = next(chip for chip in chips() if chip.facts.name == name)
        assert chip.remove_button is not None
        chip.remove_button.click()

    def cancel() -> None:
        editor(pane, 0).cancel.click()
        qtbot.waitUntil(lambda: view(pane, 0).findChild(MessageEditor) is None)

    assert names() == ["a.txt", "b.txt", "c.txt"]
    assert not any(chip.remove_button for chip in chips())
    click(pane, 0, "Edit")
    remove("b.txt")
    assert names() == ["a.txt", "c.txt"]
    cancel()
    assert names() == ["a.txt", "b.txt", "c.txt"]
    click(pane, 0, "Edit")
    for name in ("a.txt", "b.txt", "c.txt"):
        QTest.keyClick(retype(pane, 0, "x"), Qt.Key.Key_Backspace)
        assert editor(pane, 0).save_only_button.isEnabled()  # the files are a message
        remove(name)
    assert not editor(pane, 0).save_only_button.isEnabled()
    cancel()
    click(pane, 0, "Edit")
    remove("a.txt")
    remove("c.txt")
    QTest.keyClick(retype(pane, 0, "Only b"), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: texts(pane)[0] == "Only b")
    assert client.called("branches.edit_question")[0][3] == frozenset({0, 2})
    assert names() == ["b.txt"]
    qtbot.waitUntil(lambda: len(entry(pane, 0).siblings) == 2)


def test_shift_enter_is_a_new_line_as_in_the_composer(
    pane: ChatPane, client: AppClient, chat: ConversationId
) -> None:
    click(pane, 0, "Edit")
    field = retype(pane, 0, "One")
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(field, "two")
    assert editor(pane, 0).text == "One\ntwo"
    assert client.asked("branches") == []


def test_an_edited_answer_is_stored_without_generating(
    qtbot: QtBot, pane: ChatPane, chat: ConversationId
) -> None:
    click(pane, 3, "Edit")
    retype(pane, 3, "The wind.")
    QTest.mouseClick(editor(pane, 3).tab_stops[-1], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: texts(pane)[-1] == "The wind.")
    assert not entry(pane, 3).is_running
    assert view(pane, 3).findChild(MessageEditor) is None


def test_saving_an_unchanged_answer_makes_no_branch(
    pane: ChatPane, client: AppClient, chat: ConversationId
) -> None:
    click(pane, 3, "Edit")
    QTest.keyClick(editor(pane, 3).tab_stops[0], Qt.Key.Key_Return)
    assert client.asked("branches") == []
    assert not entry(pane, 3).is_being_edited


def test_an_edit_is_restored_after_escape(pane: ChatPane, chat: ConversationId) -> None:
    click(pane, 0, "Edit")
    QTest.keyClick(retype(pane, 0, "Half a thou"), Qt.Key.Key_Escape)
    assert not entry(pane, 0).is_being_edited
    assert texts(pane)[0] == "Why?"
    pane.transcript.editor.begin(message_id(pane, 0))
    assert editor(pane, 0).text == "Half a thou"


def test_an_edit_is_restored_after_visiting_another_chat(
    qtbot: QtBot, pane: ChatPane, client: AppClient, chat: ConversationId
) -> None:
    click(pane, 0, "Edit")
    retype(pane, 0, "Half a thou")
    show(qtbot, pane, client, client.add_conversation("Other", turns=["Q", "A"]))
    show(qtbot, pane, client, chat)
    assert editor(pane, 0).text == "Half a thou"


def test_an_edit_that_cannot_be_saved_stays_open_with_the_reason(
    qtbot: QtBot, pane: ChatPane, client: AppClient, chat: ConversationId
) -> None:
    client.fail("branches.edit_question", InvalidText(reason="it is odd."))
    click(pane, 0, "Edit")
    QTest.keyClick(retype(pane, 0, "Odd"), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "it is odd" in pane.notices.displayed_text)
    assert editor(pane, 0).text == "Odd"


def test_white_space_alone_cannot_be_saved(pane: ChatPane, client: AppClient, chat: ConversationId) -> None:
    click(pane, 0, "Edit")
    QTest.keyClick(retype(pane, 0, "  "), Qt.Key.Key_Return)
    assert client.asked("branches") == []
    assert entry(pane, 0).is_being_edited


def test_a_saved_edit_is_gone_from_the_old_branch(qtbot: QtBot, pane: ChatPane, chat: ConversationId) -> None:
    old = message_id(pane, 3)
    click(pane, 3, "Edit")
    QTest.keyClick(retype(pane, 3, "The wind."), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: texts(pane)[-1] == "The wind.")
    pane.transcript.branch_requested.emit(old)
    qtbot.waitUntil(lambda: texts(pane)[-1] == "The sun.")
    assert entry(pane, 3).edit_draft is None
    assert not entry(pane, 3).is_being_edited


def test_a_running_answer_is_not_edited(qtbot: QtBot, pane: ChatPane, chat: ConversationId) -> None:
    click(pane, 3, "Regenerate")
    qtbot.waitUntil(lambda: entry(pane, 3).is_running)
    assert MessageAction.EDIT not in pane.transcript.message_actions.possible(entry(pane, 3))
    pane.transcript.editor.begin(message_id(pane, 3))
    assert not entry(pane, 3).is_being_edited


# Branches


@pytest.fixture
def branched(qtbot: QtBot, pane: ChatPane, client: AppClient, chat: ConversationId) -> ConversationId:
    """The second question has another branch, which is shown."""
    click(pane, 2, "Edit")
    QTest.keyClick(retype(pane, 2, "And before?"), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: texts(pane)[-2] == "And before?")
    client.stream(chat, text="Nothing.")
    client.finish(chat)
    qtbot.waitUntil(lambda: texts(pane)[-1] == "Nothing.")
    return chat


def switcher(pane: ChatPane, index: int) -> BranchSwitcher:
    branch_switcher = view(pane, index).findChild(BranchSwitcher)
    assert branch_switcher is not None
    return branch_switcher


def test_the_arrows_go_between_branches(qtbot: QtBot, pane: ChatPane, branched: ConversationId) -> None:
    assert switcher(pane, 2).position_label.text() == "2/2"
    assert not switcher(pane, 2).after.isEnabled()
    QTest.mouseClick(switcher(pane, 2).before, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: texts(pane) == ["Why?", "The moon.", "And then?", "The sun."])
    assert switcher(pane, 2).position_label.text() == "1/2"
    assert not switcher(pane, 2).before.isEnabled()


def test_alt_with_arrows_switches_branches_of_the_focused_message(
    qtbot: QtBot, pane: ChatPane, branched: ConversationId
) -> None:
    pane.activateWindow()
    view(pane, 2).setFocus()
    qtbot.waitUntil(view(pane, 2).hasFocus)
    QTest.keyClick(view(pane, 2), Qt.Key.Key_Left, ALT)
    qtbot.waitUntil(lambda: texts(pane)[2] == "And then?")


def test_the_buttons_of_an_answer_stay_where_they_are_when_it_has_versions(
    qtbot: QtBot, pane: ChatPane, chat: ConversationId
) -> None:
    def left_of(part: QWidget, index: int) -> int:
        return part.mapTo(view(pane, index), QPoint(0, 0)).x()

    def copy_button(index: int) -> QToolButton:
        return child(view(pane, index), AnswerFooter).action_row.button(MessageAction.COPY)

    before = left_of(copy_button(3), 3)
    click(pane, 3, "Edit")
    QTest.keyClick(retype(pane, 3, "The wind."), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(entry(pane, 3).siblings) == 2)
    QTest.qWait(1)
    assert left_of(copy_button(3), 3) == before
    assert left_of(switcher(pane, 3), 3) > before


def test_the_icons_of_a_question_are_at_its_last_line(pane: ChatPane, chat: ConversationId) -> None:
    question = view(pane, 0)
    question.setFocus()
    text = question.text_views[0]
    middle = text.mapTo(question, text.cursorRect(text.cursorForPosition(QPoint(0, 0))).center()).y()
    row = child(question, ActionRow)
    assert abs(row.geometry().center().y() - middle) <= 1


def test_the_editor_of_a_question_is_where_its_bubble_was(pane: ChatPane, chat: ConversationId) -> None:
    bubble = child(view(pane, 0), QFrame, "bubble")
    right = bubble.geometry().right()
    pane.transcript.editor.begin(message_id(pane, 0))
    box = editor(pane, 0).geometry()
    assert box.right() == right
    assert box.width() < view(pane, 0).width() * 0.8


def test_the_messages_before_a_branch_keep_their_widgets(
    qtbot: QtBot, pane: ChatPane, branched: ConversationId
) -> None:
    before = [view(pane, index) for index in (0, 1)]
    switcher(pane, 2).step(-1)
    qtbot.waitUntil(lambda: texts(pane)[2] == "And then?")
    assert [view(pane, index) for index in (0, 1)] == before


def test_branches_are_in_the_accessible_name(pane: ChatPane, branched: ConversationId) -> None:
    assert view(pane, 2).accessibleName().endswith("Version 2 of 2.")


def test_the_scroll_position_stays_when_branches_change(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    turns = [f"{n} " + "words " * 60 for n in range(40)]
    long = client.add_conversation("Long", turns=turns)
    show(qtbot, pane, client, long)
    pane.pane_context.tasks.run(client.branches.edit_answer(message_id(pane, 39), text="Other"))
    qtbot.waitUntil(lambda: texts(pane)[-1] == "Other")
    bar = pane.transcript.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    top = bar.value()
    pane.transcript.branch_requested.emit(entry(pane, 39).siblings[0])
    qtbot.waitUntil(lambda: texts(pane)[-1].startswith("39"))
    assert bar.value() == top


# Answers


def test_regenerate_with_another_model(
    qtbot: QtBot, pane: ChatPane, client: AppClient, chat: ConversationId
) -> None:
    answer = message_id(pane, 3)
    click(pane, 3, "Regenerate with…")
    menu = pane.branch_controller.menu
    assert menu is not None
    menu.actions()[0].trigger()
    menu.close()
    qtbot.waitUntil(lambda: entry(pane, 3).is_running)
    assert client.called("generations.regenerate") == [(answer, STARTER_ID, {})]


def test_regenerate_with_other_settings(
    qtbot: QtBot, pane: ChatPane, client: AppClient, chat: ConversationId
) -> None:
    answer = message_id(pane, 3)
    pane.transcript.act(answer, MessageAction.REGENERATE_WITH)
    menu = pane.branch_controller.menu
    assert menu is not None
    menu.actions()[-1].trigger()
    menu.close()
    qtbot.waitUntil(lambda: pane.branch_controller.regenerate_sheet is not None)
    sheet = pane.branch_controller.regenerate_sheet
    assert sheet is not None
    sheet.form.editors["sampling.temperature"].edited.emit(0.1)
    QTest.mouseClick(sheet.answer, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: entry(pane, 3).is_running)
    assert client.called("generations.regenerate") == [(answer, STARTER_ID, {"sampling.temperature": 0.1})]


@pytest.mark.parametrize("reason", [FinishReason.LENGTH, FinishReason.CANCELLED, FinishReason.REPETITION])
def test_a_truncated_answer_is_continued(
    qtbot: QtBot, pane: ChatPane, client: AppClient, chat: ConversationId, reason: FinishReason
) -> None:
    click(pane, 3, "Regenerate")
    qtbot.waitUntil(lambda: entry(pane, 3).is_running)
    client.stream(chat, text="First")
    client.finish(chat, reason=reason)
    qtbot.waitUntil(lambda: can_continue(entry(pane, 3)))
    answer = message_id(pane, 3)
    pane.transcript.act(answer, MessageAction.CONTINUE)
    qtbot.waitUntil(lambda: entry(pane, 3).is_running)
    client.stream(chat, text=" and more")
    client.finish(chat)
    qtbot.waitUntil(lambda: texts(pane)[3] == "First and more" and not entry(pane, 3).is_running)
    assert message_id(pane, 3) == answer
    assert not can_continue(entry(pane, 3))


def test_only_the_last_answer_is_continued(
    qtbot: QtBot, pane: ChatPane, client: AppClient, chat: ConversationId
) -> None:
    click(pane, 3, "Regenerate")
    qtbot.waitUntil(lambda: entry(pane, 3).is_running)
    client.stream(chat, text="First")
    client.finish(chat, reason=FinishReason.LENGTH)
    qtbot.waitUntil(lambda: can_continue(entry(pane, 3)))
    pane.composer.send_requested.emit("More?")
    qtbot.waitUntil(lambda: len(texts(pane)) == 6)
    assert not can_continue(entry(pane, 3))


# Deleting, forking, pinning


def test_a_deleted_message_is_restored_from_the_toast(
    qtbot: QtBot, pane: ChatPane, chat: ConversationId, notes: Notes
) -> None:
    click(pane, 2, "Delete this and everything after")
    qtbot.waitUntil(lambda: texts(pane) == ["Why?", "The moon."])
    ((text, action, undo),) = notes
    assert (text, action) == ("Message and replies deleted", "Undo")
    assert undo is not None
    undo()
    qtbot.waitUntil(lambda: texts(pane)[2:] == ["And then?", "The sun."])
    assert pane.transcript.column.focused_index() == 2  # and it is visible


def test_a_single_message_is_deleted_by_its_menu_and_restored(
    qtbot: QtBot, pane: ChatPane, chat: ConversationId, notes: Notes
) -> None:
    click(pane, 1, "Delete only this message")
    qtbot.waitUntil(lambda: texts(pane) == ["Why?", "And then?", "The sun."])
    ((text, action, undo),) = notes
    assert (text, action) == ("Message deleted", "Undo")
    assert undo is not None
    undo()
    qtbot.waitUntil(lambda: texts(pane) == ["Why?", "The moon.", "And then?", "The sun."])


def test_an_answer_without_its_question_is_not_regenerated(
    qtbot: QtBot, pane: ChatPane, chat: ConversationId, notes: Notes
) -> None:
    assert MessageAction.REGENERATE in pane.transcript.message_actions.possible(pane.transcript.entries[1])
    click(pane, 0, "Delete only this message")
    qtbot.waitUntil(lambda: texts(pane) == ["The moon.", "And then?", "The sun."])
    offered = [pane.transcript.message_actions.possible(entry) for entry in pane.transcript.entries]
    assert [MessageAction.REGENERATE in each for each in offered] == [False, False, True]


def test_the_delete_key_deletes_the_focused_message(
    qtbot: QtBot, pane: ChatPane, chat: ConversationId, notes: Notes
) -> None:
    pane.transcript.column.view_of(1).setFocus()
    QTest.keyClick(pane.transcript.column.view_of(1), Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: texts(pane) == ["Why?", "And then?", "The sun."])
    assert pane.transcript.column.focused_index() == 1, "the keyboard is where the message was"
    QTest.keyClick(pane.transcript.column.view_of(1), Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: texts(pane) == ["Why?", "The sun."])


def test_deleting_all_messages_shows_the_greeting(qtbot: QtBot, pane: ChatPane, chat: ConversationId) -> None:
    click(pane, 0, "Delete this and everything after")
    qtbot.waitUntil(pane.empty.isVisible)


def test_a_fork_is_opened(qtbot: QtBot, pane: ChatPane, chat: ConversationId) -> None:
    with qtbot.waitSignal(pane.branch_controller.chat_requested) as requested:
        click(pane, 1, "Branch into new chat")
    assert requested.args != [chat]


def test_a_question_is_saved_without_being_sent_again(
    qtbot: QtBot, pane: ChatPane, client: AppClient, chat: ConversationId
) -> None:
    pane.transcript.act(pane.transcript.entries[0].message.id, MessageAction.EDIT)
    editor = pane.transcript.live[0].findChild(MessageEditor)
    assert editor is not None
    assert editor.hint.text() == "Enter to send, Esc to cancel"  # “save” is the button beside it
    QTest.keyClicks(focused(), " Really")
    QTest.mouseClick(editor.save_only_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: pane.transcript.entries[0].text == "Why? Really")
    assert [entry.text for entry in pane.transcript.entries[1:]] == ["The moon.", "And then?", "The sun."]
    assert not pane.is_running
    assert client.called("branches.edit_question") == []


def test_a_match_is_visible_below_the_find_bar_and_the_pins(
    qtbot: QtBot, pane: ChatPane, client: AppClient, chat: ConversationId
) -> None:
    long = client.add_conversation(
        "Long", turns=["Why?", "Tide.\n\n" * 60 + "The needle.\n\n" + "Ebb.\n\n" * 60]
    )
    show(qtbot, pane, client, long)
    finder = pane.transcript.finder
    finder.open()
    bar = finder.bar
    for width in (900, 500):
        pane.resize(width, 700)
        assert pane.transcript.viewport().y() >= bar.height()
    click(pane, 0, "Pin message")
    qtbot.waitUntil(pane.branch_controller.pins.isVisible)
    assert pane.branch_controller.pins.y() >= bar.height()
    bar.field.setText("needle")
    qtbot.waitUntil(lambda: bar.count.text() == "1 of 1")
    position = finder.current
    assert position is not None
    text_view = pane.transcript.live[position.message].text_views[position.part]
    (highlight,) = [
        highlight for highlight in text_view.extraSelections() if highlight.cursor.selectedText() == "needle"
    ]
    assert (
        text_view.viewport().mapTo(pane.transcript, text_view.cursorRect(highlight.cursor).topLeft()).y()
        > bar.height()
    )


def test_a_pinned_message_is_marked_and_listed_in_the_corner(
    qtbot: QtBot, pane: ChatPane, chat: ConversationId
) -> None:
    assert pane.branch_controller.pins.isHidden()
    click(pane, 0, "Pin message")
    qtbot.waitUntil(pane.branch_controller.pins.isVisible)
    assert pane.branch_controller.pins.accessibleName() == "1 pinned message"
    assert MessageAction.UNPIN in pane.transcript.message_actions.possible(entry(pane, 0))
    QTest.mouseClick(pane.branch_controller.pins, Qt.MouseButton.LeftButton)
    menu = pane.branch_controller.pins.menu_shown
    assert menu is not None
    assert [line.text() for line in menu.actions()] == ["You: Why?"]
    menu.actions()[0].trigger()
    menu.close()
    qtbot.waitUntil(lambda: pane.transcript.column.focused_index() == 0)
    click(pane, 0, "Unpin message")
    qtbot.waitUntil(pane.branch_controller.pins.isHidden)


def test_an_error_is_shown_in_its_pane(
    qtbot: QtBot, pane: ChatPane, client: AppClient, chat: ConversationId
) -> None:
    client.fail("branches.fork", RecordNotFound(what="message", id=1))
    click(pane, 1, "Branch into new chat")
    qtbot.waitUntil(lambda: "no longer exists" in pane.notices.displayed_text)


def test_without_a_model_the_picker_is_requested(qtbot: QtBot, pane: ChatPane, chat: ConversationId) -> None:
    pane.set_model(None, None)
    with qtbot.waitSignal(pane.step_requested) as step:
        pane.transcript.act(message_id(pane, 3), MessageAction.CONTINUE)
    assert step.args == [NextStep.CHOOSE_MODEL]


# The queue


@pytest.fixture
def waiting(qtbot: QtBot, pane: ChatPane, client: AppClient, chat: ConversationId) -> ConversationId:
    """A conversation with a running answer and two queued messages."""
    for text in ("One?", "Two?", "Three?"):
        QTest.keyClicks(pane.composer.editor, text)
        QTest.keyClick(pane.composer.editor, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: pane.composer.text() == "")
    assert len(pane.queue_area.bubbles) == 2
    return chat


def queued_texts(pane: ChatPane) -> list[str]:
    return [bubble.queued.message.text for bubble in pane.queue_area.bubbles]


def test_messages_sent_while_an_answer_runs_are_queued(pane: ChatPane, waiting: ConversationId) -> None:
    assert queued_texts(pane) == ["Two?", "Three?"]
    assert texts(pane)[4:] == ["One?", ""]
    assert all(bubble.send.isHidden() for bubble in pane.queue_area.bubbles)


def test_a_queued_message_is_sent_when_the_answer_ends(
    qtbot: QtBot, pane: ChatPane, client: AppClient, waiting: ConversationId
) -> None:
    client.finish(waiting)
    qtbot.waitUntil(lambda: texts(pane)[6:] == ["Two?", ""])
    assert queued_texts(pane) == ["Three?"]
    client.finish(waiting)
    qtbot.waitUntil(lambda: texts(pane)[8:] == ["Three?", ""])
    assert pane.queue_area.isHidden()


def test_after_stop_queued_messages_wait_for_the_user(
    qtbot: QtBot, pane: ChatPane, waiting: ConversationId
) -> None:
    pane.composer.stop_requested.emit()
    qtbot.waitUntil(lambda: not pane.queue_area.bubbles[1].send.isHidden())
    QTest.mouseClick(pane.queue_area.bubbles[1].send, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: texts(pane)[6:] == ["Three?", ""])
    assert queued_texts(pane) == ["Two?"]


def test_a_queued_message_is_edited_in_place(qtbot: QtBot, pane: ChatPane, waiting: ConversationId) -> None:
    bubble = pane.queue_area.bubbles[0]
    QTest.mouseClick(bubble.edit, Qt.MouseButton.LeftButton)
    field = bubble.findChild(MessageEditor)
    assert field is not None
    QTest.keyClicks(field.tab_stops[0], " Really?")
    QTest.keyClick(field.tab_stops[0], Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: queued_texts(pane) == ["Two? Really?", "Three?"])
    qtbot.waitUntil(lambda: not pane.queue_area.bubbles[0].is_edited)


def test_a_message_removed_from_the_queue_is_restored_in_the_composer(
    qtbot: QtBot, pane: ChatPane, waiting: ConversationId
) -> None:
    QTest.keyClicks(pane.composer.editor, "typed since")
    QTest.mouseClick(pane.queue_area.bubbles[0].remove_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: queued_texts(pane) == ["Three?"])
    qtbot.waitUntil(lambda: pane.composer.text() == "typed since\n\nTwo?")


def test_queued_messages_belong_to_their_chat(
    qtbot: QtBot, pane: ChatPane, client: AppClient, waiting: ConversationId
) -> None:
    show(qtbot, pane, client, client.add_conversation("Other", turns=["Q", "A"]))
    assert pane.queue_area.isHidden()
    show(qtbot, pane, client, waiting)
    assert queued_texts(pane) == ["Two?", "Three?"]


def test_the_editor_of_a_queued_message_stays_when_the_queue_changes(
    qtbot: QtBot, pane: ChatPane, client: AppClient, waiting: ConversationId
) -> None:
    bubble = pane.queue_area.bubbles[1]
    bubble.start_edit()
    client.finish(waiting)
    qtbot.waitUntil(lambda: queued_texts(pane) == ["Three?"])
    assert pane.queue_area.bubbles == (bubble,)
    assert bubble.is_edited


def test_sending_now_while_an_answer_runs_shows_the_error(
    qtbot: QtBot, pane: ChatPane, client: AppClient, waiting: ConversationId
) -> None:
    client.fail("generations.send_queued", RequestError.of("answer_running"))
    pane.queue.send(pane.queue_area.bubbles[0].queued.id)
    qtbot.waitUntil(lambda: "still answering" in pane.notices.displayed_text)
    assert len(pane.queue_area.bubbles) == 2


def test_stop_works_while_another_branch_is_shown(qtbot: QtBot, pane: ChatPane, chat: ConversationId) -> None:
    first_answer = message_id(pane, 3)
    pane.transcript.act(first_answer, MessageAction.REGENERATE)
    qtbot.waitUntil(lambda: entry(pane, 3).is_running)
    assert pane.composer.send_button.accessibleName() == "Stop"
    pane.transcript.branch_requested.emit(first_answer)
    qtbot.waitUntil(lambda: texts(pane)[3] == "The sun.")
    assert pane.composer.send_button.accessibleName() == "Stop"


def test_an_edit_saved_after_its_branch_was_left_is_dropped(scene: TranscriptScene) -> None:
    question, other = scene.user("Why?"), scene.user("How?")
    transcript = scene.show([question])
    transcript.editor.begin(question.id)
    field = transcript.view_of(0).findChild(MessageEditor)
    assert field is not None
    QTest.keyClicks(field.tab_stops[0], " Really?")
    transcript.show_branch([other], branches=Branches())
    transcript.editor.end(question.id)
    transcript.show_branch([question], branches=Branches())
    assert transcript.entries[0].edit_draft is None
    assert not transcript.entries[0].is_being_edited


def test_the_text_of_a_long_edit_ends_before_the_scroll_bar(scene: TranscriptScene) -> None:
    question = scene.user("The owl loved taking risks. " * 400)
    transcript = scene.show([question])
    transcript.editor.begin(question.id)
    field = transcript.view_of(0).findChild(MessageEditor)
    assert field is not None
    text_edit = field.tab_stops[0]
    assert isinstance(text_edit, QTextEdit)
    assert text_edit.verticalScrollBar().isVisible()
    assert text_edit.document().size().width() <= text_edit.viewport().width()
