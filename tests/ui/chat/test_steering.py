"""What a user does to messages: by buttons, keys and menus of the conversation."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QTextEdit, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient
from fakes.model_entries import STARTER_ID, loaded_state
from fakes.stored_messages import Messages, ShowTranscript
from fakes.widgets import focused
from fakes.window import shown_pane
from fireside.core.chat import Branches
from fireside.core.errors import AnswerRunning, InvalidText, NextStep, RecordNotFound
from fireside.core.generation import FinishReason
from fireside.core.ids import ConversationId, MessageId
from fireside.core.status import ModelStatus
from fireside.ui.chat.actions import (
    ACTION_LABELS,
    BUTTON,
    ActionRow,
    MessageAction,
    actions_for,
    can_continue,
)
from fireside.ui.chat.chat_pane import ChatPane
from fireside.ui.chat.message import MessageView
from fireside.ui.chat.message_editor import MessageEditor
from fireside.ui.chat.message_item import Entry
from fireside.ui.chat.switcher import BranchSwitcher
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import Theme

CTRL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
Notes = list[tuple[str, str, Callable[[], None] | None]]


def fail(error: BaseException) -> None:
    pytest.fail(repr(error))


@pytest.fixture
def pane(
    qtbot: QtBot,
    theme: Theme,
    loop: asyncio.AbstractEventLoop,
    client: AppClient,
    opened: list[str],
) -> ChatPane:
    tasks = TaskRunner(loop, on_error=fail, on_bug=fail)
    made = shown_pane(client, tasks=tasks, theme=theme, qtbot=qtbot, open_url=opened.append)
    spec = client.entries[0].spec
    assert spec is not None
    made.set_model(client.entries[0], ModelStatus(model_id=STARTER_ID, state=loaded_state(spec)))
    made.branch_controller.set_models(lambda: client.entries)
    return made


@pytest.fixture
def notes(pane: ChatPane) -> Notes:
    heard: Notes = []
    pane.branch_controller.note_requested.connect(lambda *note: heard.append(note))
    return heard


@pytest.fixture
def chat(qtbot: QtBot, pane: ChatPane, client: AppClient, loop: asyncio.AbstractEventLoop) -> ConversationId:
    """A conversation of two turns, in front."""
    made = client.add_conversation("Tides", turns=["Why?", "The moon.", "And then?", "The sun."])
    show(qtbot, pane, client, made)
    return made


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
    """Point at a message and click the button of that name, else that line of its menu."""
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
    found = view(pane, index).findChild(MessageEditor)
    assert found is not None
    return found


def retype(pane: ChatPane, index: int, text: str) -> QWidget:
    words = editor(pane, index).tab_stops[0]
    QTest.keyClick(words, Qt.Key.Key_A, CTRL)
    QTest.keyClicks(words, text)
    return words


# Offering


def test_actions_come_with_the_pointer_and_go_with_it(pane: ChatPane, chat: ConversationId) -> None:
    assert "Edit" not in names(pane, 0)
    hover(view(pane, 0))
    expected = ["Copy", "Edit", "Branch into new chat", "More"]
    assert names(pane, 0) == expected
    hover(view(pane, 0), inside=False)
    assert "Edit" not in names(pane, 0)


def test_actions_come_with_the_keyboard(qtbot: QtBot, pane: ChatPane, chat: ConversationId) -> None:
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


def test_what_has_no_room_is_under_more(qtbot: QtBot, pane: ChatPane, chat: ConversationId) -> None:
    row = ActionRow(pane.transcript.column.transcript_style, pane, about="Answer details")
    assert row.show_actions(actions_for(entry(pane, 0)), room=300) == 4 * BUTTON
    assert row.show_actions(actions_for(entry(pane, 0)), room=3 * BUTTON) == 3 * BUTTON
    assert [button.accessibleName() for button in row.buttons] == ["Copy", "Edit", "More"]
    with qtbot.waitSignal(row.menu_requested) as wanted:
        row.buttons[-1].click()
    assert wanted.args is not None
    menu = pane.transcript.menu.build_more(entry(pane, 0), wanted.args[0])
    offered = [line.data() for line in menu.actions() if not line.isSeparator()]
    assert (offered[0], offered[-1]) == (MessageAction.FORK, MessageAction.DELETE)


def test_the_menu_of_a_message_offers_the_same(pane: ChatPane, chat: ConversationId) -> None:
    place = view(pane, 3).mapToGlobal(QPoint(20, 20))
    menu = pane.transcript.menu.build(place)
    words = [action.text() for action in menu.findChildren(QAction)]
    for action in actions_for(entry(pane, 3)):
        assert ACTION_LABELS[action].label in words
    assert "Show all branches…" in words


# Editing


def test_other_words_of_a_question_are_sent_and_shown_in_a_branch(
    qtbot: QtBot, pane: ChatPane, client: AppClient, chat: ConversationId
) -> None:
    asked = message_id(pane, 2)
    click(pane, 2, "Edit")
    words = retype(pane, 2, "And before?")
    QTest.keyClick(words, Qt.Key.Key_Return, CTRL)
    qtbot.waitUntil(lambda: texts(pane) == ["Why?", "The moon.", "And before?", ""])
    assert client.called("branches.edit_question") == [(asked, "And before?", STARTER_ID)]
    assert entry(pane, 3).is_running
    assert len(entry(pane, 2).siblings) == 2


def test_enter_alone_is_a_new_line(pane: ChatPane, client: AppClient, chat: ConversationId) -> None:
    click(pane, 0, "Edit")
    words = retype(pane, 0, "One")
    QTest.keyClick(words, Qt.Key.Key_Return)
    QTest.keyClicks(words, "two")
    assert editor(pane, 0).text == "One\ntwo"
    assert client.asked("branches") == []


def test_other_words_of_an_answer_are_kept_and_nothing_runs(
    qtbot: QtBot, pane: ChatPane, chat: ConversationId
) -> None:
    click(pane, 3, "Edit")
    retype(pane, 3, "The wind.")
    QTest.mouseClick(editor(pane, 3).tab_stops[-1], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: texts(pane)[-1] == "The wind.")
    assert not entry(pane, 3).is_running
    assert view(pane, 3).findChild(MessageEditor) is None


def test_an_answer_saved_as_it_was_makes_no_branch(
    pane: ChatPane, client: AppClient, chat: ConversationId
) -> None:
    click(pane, 3, "Edit")
    QTest.keyClick(editor(pane, 3).tab_stops[0], Qt.Key.Key_Return, CTRL)
    assert client.asked("branches") == []
    assert not entry(pane, 3).is_being_edited


def test_what_was_typed_is_there_again_after_escape(pane: ChatPane, chat: ConversationId) -> None:
    click(pane, 0, "Edit")
    QTest.keyClick(retype(pane, 0, "Half a thou"), Qt.Key.Key_Escape)
    assert not entry(pane, 0).is_being_edited
    assert texts(pane)[0] == "Why?"
    pane.transcript.editor.begin(message_id(pane, 0))
    assert editor(pane, 0).text == "Half a thou"


def test_what_was_typed_is_there_again_in_another_chat_and_back(
    qtbot: QtBot, pane: ChatPane, client: AppClient, chat: ConversationId
) -> None:
    click(pane, 0, "Edit")
    retype(pane, 0, "Half a thou")
    show(qtbot, pane, client, client.add_conversation("Other", turns=["Q", "A"]))
    show(qtbot, pane, client, chat)
    assert editor(pane, 0).text == "Half a thou"


def test_what_cannot_be_saved_stays_in_the_editor_with_the_reason(
    qtbot: QtBot, pane: ChatPane, client: AppClient, chat: ConversationId
) -> None:
    client.fail("branches.edit_question", InvalidText(reason="it is odd."))
    click(pane, 0, "Edit")
    QTest.keyClick(retype(pane, 0, "Odd"), Qt.Key.Key_Return, CTRL)
    qtbot.waitUntil(lambda: "it is odd" in pane.notices.displayed_text)
    assert editor(pane, 0).text == "Odd"


def test_nothing_but_space_cannot_be_saved(pane: ChatPane, client: AppClient, chat: ConversationId) -> None:
    click(pane, 0, "Edit")
    QTest.keyClick(retype(pane, 0, "  "), Qt.Key.Key_Return, CTRL)
    assert client.asked("branches") == []
    assert entry(pane, 0).is_being_edited


def test_what_was_saved_is_not_found_in_the_editor_of_the_old_branch(
    qtbot: QtBot, pane: ChatPane, chat: ConversationId
) -> None:
    old = message_id(pane, 3)
    click(pane, 3, "Edit")
    QTest.keyClick(retype(pane, 3, "The wind."), Qt.Key.Key_Return, CTRL)
    qtbot.waitUntil(lambda: texts(pane)[-1] == "The wind.")
    pane.transcript.branch_requested.emit(old)
    qtbot.waitUntil(lambda: texts(pane)[-1] == "The sun.")
    assert entry(pane, 3).edit_draft is None
    assert not entry(pane, 3).is_being_edited


def test_a_running_answer_is_not_edited(qtbot: QtBot, pane: ChatPane, chat: ConversationId) -> None:
    click(pane, 3, "Regenerate")
    qtbot.waitUntil(lambda: entry(pane, 3).is_running)
    assert MessageAction.EDIT not in actions_for(entry(pane, 3))
    pane.transcript.editor.begin(message_id(pane, 3))
    assert not entry(pane, 3).is_being_edited


# Branches


@pytest.fixture
def branched(qtbot: QtBot, pane: ChatPane, client: AppClient, chat: ConversationId) -> ConversationId:
    """The second question has another branch, which is shown."""
    click(pane, 2, "Edit")
    QTest.keyClick(retype(pane, 2, "And before?"), Qt.Key.Key_Return, CTRL)
    qtbot.waitUntil(lambda: texts(pane)[-2] == "And before?")
    client.stream(chat, text="Nothing.")
    client.finish(chat)
    qtbot.waitUntil(lambda: texts(pane)[-1] == "Nothing.")
    return chat


def switcher(pane: ChatPane, index: int) -> BranchSwitcher:
    found = view(pane, index).findChild(BranchSwitcher)
    assert found is not None
    return found


def test_the_arrows_go_between_branches(qtbot: QtBot, pane: ChatPane, branched: ConversationId) -> None:
    assert switcher(pane, 2).position_label.text() == "2/2"
    assert not switcher(pane, 2).after.isEnabled()
    QTest.mouseClick(switcher(pane, 2).before, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: texts(pane) == ["Why?", "The moon.", "And then?", "The sun."])
    assert switcher(pane, 2).position_label.text() == "1/2"
    assert not switcher(pane, 2).before.isEnabled()


def test_alt_with_arrows_does_so_for_the_message_with_the_focus(
    qtbot: QtBot, pane: ChatPane, branched: ConversationId
) -> None:
    pane.activateWindow()
    view(pane, 2).setFocus()
    qtbot.waitUntil(view(pane, 2).hasFocus)
    QTest.keyClick(view(pane, 2), Qt.Key.Key_Left, ALT)
    qtbot.waitUntil(lambda: texts(pane)[2] == "And then?")


def test_the_messages_before_a_branch_keep_their_widgets(
    qtbot: QtBot, pane: ChatPane, branched: ConversationId
) -> None:
    before = [view(pane, index) for index in (0, 1)]
    switcher(pane, 2).step(-1)
    qtbot.waitUntil(lambda: texts(pane)[2] == "And then?")
    assert [view(pane, index) for index in (0, 1)] == before


def test_a_screen_reader_hears_of_the_branches(pane: ChatPane, branched: ConversationId) -> None:
    assert view(pane, 2).accessibleName().endswith("Version 2 of 2.")


def test_the_page_stays_where_it_is_when_branches_change(
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


def test_answer_again_with_another_model(
    qtbot: QtBot, pane: ChatPane, client: AppClient, chat: ConversationId
) -> None:
    answer = message_id(pane, 3)
    click(pane, 3, "Regenerate with…")
    menu = pane.branch_controller.menu
    assert menu is not None
    menu.actions()[0].trigger()
    menu.close()
    qtbot.waitUntil(lambda: entry(pane, 3).is_running)
    assert client.called("branches.answer_again") == [(answer, STARTER_ID, {})]


def test_answer_again_with_other_settings(
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
    assert client.called("branches.answer_again") == [(answer, STARTER_ID, {"sampling.temperature": 0.1})]


@pytest.mark.parametrize("reason", [FinishReason.LENGTH, FinishReason.CANCELLED, FinishReason.REPETITION])
def test_a_cut_answer_is_continued(
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


def test_an_answer_that_others_follow_is_not_continued(
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


def test_a_deleted_message_is_brought_back_by_the_note(
    qtbot: QtBot, pane: ChatPane, chat: ConversationId, notes: Notes
) -> None:
    click(pane, 2, "Delete this and everything after")
    qtbot.waitUntil(lambda: texts(pane) == ["Why?", "The moon."])
    ((words, action, undo),) = notes
    assert (words, action) == ("Message and replies deleted", "Undo")
    assert undo is not None
    undo()
    qtbot.waitUntil(lambda: texts(pane)[2:] == ["And then?", "The sun."])
    assert pane.transcript.column.focused_index() == 2  # and it is in view


def test_a_message_is_deleted_alone_by_its_menu_and_brought_back(
    qtbot: QtBot, pane: ChatPane, chat: ConversationId, notes: Notes
) -> None:
    click(pane, 1, "Delete only this message")
    qtbot.waitUntil(lambda: texts(pane) == ["Why?", "And then?", "The sun."])
    ((words, action, undo),) = notes
    assert (words, action) == ("Message deleted", "Undo")
    assert undo is not None
    undo()
    qtbot.waitUntil(lambda: texts(pane) == ["Why?", "The moon.", "And then?", "The sun."])


def test_an_answer_without_its_question_is_not_regenerated(
    qtbot: QtBot, pane: ChatPane, chat: ConversationId, notes: Notes
) -> None:
    assert MessageAction.REGENERATE in actions_for(pane.transcript.entries[1])
    click(pane, 0, "Delete only this message")
    qtbot.waitUntil(lambda: texts(pane) == ["The moon.", "And then?", "The sun."])
    offered = [actions_for(entry) for entry in pane.transcript.entries]
    assert [MessageAction.REGENERATE in each for each in offered] == [False, False, True]


def test_the_delete_key_deletes_the_message_that_has_the_keyboard(
    qtbot: QtBot, pane: ChatPane, chat: ConversationId, notes: Notes
) -> None:
    pane.transcript.column.view_of(1).setFocus()
    QTest.keyClick(pane.transcript.column.view_of(1), Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: texts(pane) == ["Why?", "And then?", "The sun."])
    assert pane.transcript.column.focused_index() == 1, "the keyboard is where the message was"
    QTest.keyClick(pane.transcript.column.view_of(1), Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: texts(pane) == ["Why?", "The sun."])


def test_when_all_is_deleted_the_greeting_is_there(
    qtbot: QtBot, pane: ChatPane, chat: ConversationId
) -> None:
    click(pane, 0, "Delete this and everything after")
    qtbot.waitUntil(pane.empty.isVisible)


def test_a_fork_is_brought_to_the_front(qtbot: QtBot, pane: ChatPane, chat: ConversationId) -> None:
    with qtbot.waitSignal(pane.branch_controller.chat_requested) as wanted:
        click(pane, 1, "Branch into new chat")
    assert wanted.args != [chat]


def test_a_question_is_saved_without_being_sent_again(
    qtbot: QtBot, pane: ChatPane, client: AppClient, chat: ConversationId
) -> None:
    pane.transcript.act(pane.transcript.entries[0].message.id, MessageAction.EDIT)
    editor = pane.transcript.live[0].findChild(MessageEditor)
    assert editor is not None
    assert editor.hint.text() == "Ctrl+Enter to send, Esc to cancel"  # “save” is the button beside it
    QTest.keyClicks(focused(), " Really")
    QTest.mouseClick(editor.save_only_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: pane.transcript.entries[0].text == "Why? Really")
    assert [entry.text for entry in pane.transcript.entries[1:]] == ["The moon.", "And then?", "The sun."]
    assert not pane.is_running
    assert client.called("branches.edit_question") == []


def test_a_match_is_seen_below_the_bar_also_where_messages_are_pinned(
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
    place = finder.current
    assert place is not None
    edit = pane.transcript.live[place.message].text_views[place.part]
    (mark,) = [mark for mark in edit.extraSelections() if mark.cursor.selectedText() == "needle"]
    assert edit.viewport().mapTo(pane.transcript, edit.cursorRect(mark.cursor).topLeft()).y() > bar.height()


def test_a_pinned_message_is_marked_and_reached_from_the_corner(
    qtbot: QtBot, pane: ChatPane, chat: ConversationId
) -> None:
    assert pane.branch_controller.pins.isHidden()
    click(pane, 0, "Pin message")
    qtbot.waitUntil(pane.branch_controller.pins.isVisible)
    assert pane.branch_controller.pins.accessibleName() == "1 pinned message"
    assert MessageAction.UNPIN in actions_for(entry(pane, 0))
    QTest.mouseClick(pane.branch_controller.pins, Qt.MouseButton.LeftButton)
    menu = pane.branch_controller.pins.menu_shown
    assert menu is not None
    assert [line.text() for line in menu.actions()] == ["You: Why?"]
    menu.actions()[0].trigger()
    menu.close()
    qtbot.waitUntil(lambda: pane.transcript.column.focused_index() == 0)
    click(pane, 0, "Unpin message")
    qtbot.waitUntil(pane.branch_controller.pins.isHidden)


def test_an_error_is_said_where_it_happened(
    qtbot: QtBot, pane: ChatPane, client: AppClient, chat: ConversationId
) -> None:
    client.fail("branches.fork", RecordNotFound(what="message", id=1))
    click(pane, 1, "Branch into new chat")
    qtbot.waitUntil(lambda: "no longer exists" in pane.notices.displayed_text)


def test_without_a_model_one_is_asked_for(qtbot: QtBot, pane: ChatPane, chat: ConversationId) -> None:
    pane.set_model(None, None)
    with qtbot.waitSignal(pane.step_requested) as step:
        pane.transcript.act(message_id(pane, 3), MessageAction.CONTINUE)
    assert step.args == [NextStep.CHOOSE_MODEL]


# What waits


@pytest.fixture
def waiting(qtbot: QtBot, pane: ChatPane, client: AppClient, chat: ConversationId) -> ConversationId:
    """An answer runs, and two messages wait."""
    for text in ("One?", "Two?", "Three?"):
        QTest.keyClicks(pane.composer.editor, text)
        QTest.keyClick(pane.composer.editor, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: pane.composer.text() == "")
    assert len(pane.queue_area.bubbles) == 2
    return chat


def words_waiting(pane: ChatPane) -> list[str]:
    return [bubble.waiting.message.text for bubble in pane.queue_area.bubbles]


def test_what_is_sent_while_an_answer_runs_is_shown_waiting(pane: ChatPane, waiting: ConversationId) -> None:
    assert words_waiting(pane) == ["Two?", "Three?"]
    assert texts(pane)[4:] == ["One?", ""]
    assert all(bubble.send.isHidden() for bubble in pane.queue_area.bubbles)


def test_it_is_sent_when_the_answer_is_done(
    qtbot: QtBot, pane: ChatPane, client: AppClient, waiting: ConversationId
) -> None:
    client.finish(waiting)
    qtbot.waitUntil(lambda: texts(pane)[6:] == ["Two?", ""])
    assert words_waiting(pane) == ["Three?"]
    client.finish(waiting)
    qtbot.waitUntil(lambda: texts(pane)[8:] == ["Three?", ""])
    assert pane.queue_area.isHidden()


def test_after_stop_a_user_sends_it(qtbot: QtBot, pane: ChatPane, waiting: ConversationId) -> None:
    pane.composer.stop_requested.emit()
    qtbot.waitUntil(lambda: not pane.queue_area.bubbles[1].send.isHidden())
    QTest.mouseClick(pane.queue_area.bubbles[1].send, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: texts(pane)[6:] == ["Three?", ""])
    assert words_waiting(pane) == ["Two?"]


def test_its_words_are_changed_in_place(qtbot: QtBot, pane: ChatPane, waiting: ConversationId) -> None:
    bubble = pane.queue_area.bubbles[0]
    QTest.mouseClick(bubble.edit, Qt.MouseButton.LeftButton)
    field = bubble.findChild(MessageEditor)
    assert field is not None
    QTest.keyClicks(field.tab_stops[0], " Really?")
    QTest.keyClick(field.tab_stops[0], Qt.Key.Key_Return, CTRL)
    qtbot.waitUntil(lambda: words_waiting(pane) == ["Two? Really?", "Three?"])
    qtbot.waitUntil(lambda: not pane.queue_area.bubbles[0].is_edited)


def test_a_message_taken_back_is_in_the_composer(
    qtbot: QtBot, pane: ChatPane, waiting: ConversationId
) -> None:
    QTest.keyClicks(pane.composer.editor, "typed since")
    QTest.mouseClick(pane.queue_area.bubbles[0].remove_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: words_waiting(pane) == ["Three?"])
    qtbot.waitUntil(lambda: pane.composer.text() == "typed since\n\nTwo?")


def test_what_waits_belongs_to_its_chat(
    qtbot: QtBot, pane: ChatPane, client: AppClient, waiting: ConversationId
) -> None:
    show(qtbot, pane, client, client.add_conversation("Other", turns=["Q", "A"]))
    assert pane.queue_area.isHidden()
    show(qtbot, pane, client, waiting)
    assert words_waiting(pane) == ["Two?", "Three?"]


def test_an_editor_of_what_waits_stays_when_others_come(
    qtbot: QtBot, pane: ChatPane, client: AppClient, waiting: ConversationId
) -> None:
    bubble = pane.queue_area.bubbles[1]
    bubble.start_edit()
    client.finish(waiting)
    qtbot.waitUntil(lambda: words_waiting(pane) == ["Three?"])
    assert pane.queue_area.bubbles == (bubble,)
    assert bubble.is_edited


def test_sending_now_while_something_runs_says_why_not(
    qtbot: QtBot, pane: ChatPane, client: AppClient, waiting: ConversationId
) -> None:
    client.fail("branches.send_queued", AnswerRunning())
    pane.queue.send(pane.queue_area.bubbles[0].waiting.id)
    qtbot.waitUntil(lambda: "still answering" in pane.notices.displayed_text)
    assert len(pane.queue_area.bubbles) == 2


def test_stop_works_while_another_branch_is_shown(qtbot: QtBot, pane: ChatPane, chat: ConversationId) -> None:
    shown = message_id(pane, 3)
    pane.transcript.act(shown, MessageAction.REGENERATE)
    qtbot.waitUntil(lambda: entry(pane, 3).is_running)
    assert pane.composer.send_button.accessibleName() == "Stop"
    pane.transcript.branch_requested.emit(shown)
    qtbot.waitUntil(lambda: texts(pane)[3] == "The sun.")
    assert pane.composer.send_button.accessibleName() == "Stop"


def test_an_edit_that_was_saved_after_its_branch_had_gone_is_forgotten(
    show_transcript: ShowTranscript, messages: Messages
) -> None:
    asked, other = messages.user("Why?"), messages.user("How?")
    transcript = show_transcript([asked])
    transcript.editor.begin(asked.id)
    field = transcript.view_of(0).findChild(MessageEditor)
    assert field is not None
    QTest.keyClicks(field.tab_stops[0], " Really?")
    transcript.show_branch([other], branches=Branches())
    transcript.editor.end(asked.id)
    transcript.show_branch([asked], branches=Branches())
    assert transcript.entries[0].edit_draft is None
    assert not transcript.entries[0].is_being_edited


def test_long_words_that_are_changed_end_before_the_scroll_bar(
    show_transcript: ShowTranscript, messages: Messages
) -> None:
    asked = messages.user("The owl loved taking risks. " * 400)
    transcript = show_transcript([asked])
    transcript.editor.begin(asked.id)
    field = transcript.view_of(0).findChild(MessageEditor)
    assert field is not None
    words = field.tab_stops[0]
    assert isinstance(words, QTextEdit)
    assert words.verticalScrollBar().isVisible()
    assert words.document().size().width() <= words.viewport().width()
