"""One conversation with an engine: sending, streaming, switching, stopping, failing."""

from __future__ import annotations

import asyncio
import time

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient
from fakes.context_plans import counts
from fakes.model_entries import STARTER_ID, entry_of, loaded_state, starter_spec
from fakes.widgets import child
from fakes.window import shown_pane
from fireside.core.chat import Conversation, MessageState
from fireside.core.errors import EngineStopped, InvalidText, NextStep, StorageFull
from fireside.core.events import (
    AnswerProgressed,
    BranchChanged,
    ConversationDeleted,
    MessageAdded,
    TextAppended,
)
from fireside.core.generation import Loading, OutputKind, PromptProgress, Queued, TextDelta, WaitReason
from fireside.core.ids import ConversationId, DraftId, MessageId
from fireside.core.status import LoadingModel, LoadStage, ModelStatus, Unloaded
from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.chat.answer.answer import AnswerFooter
from fireside.ui.chat.answer.code import CodeView
from fireside.ui.chat.answer.inline_notices import ProgressRow
from fireside.ui.chat.pane.chat_pane import ChatPane
from fireside.ui.tasks import TaskRunner

NEW = DraftId("new")


@pytest.fixture
def bugs() -> list[BaseException]:
    return []


@pytest.fixture
def pane(
    qtbot: QtBot,
    loop: asyncio.AbstractEventLoop,
    client: AppClient,
    opened: list[str],
    bugs: list[BaseException],
) -> ChatPane:
    tasks = TaskRunner(loop, on_error=lambda error: bugs.append(error), on_bug=bugs.append)
    pane = shown_pane(client, tasks=tasks, qtbot=qtbot, open_url=opened.append)
    pane.open_new(draft="", draft_id=NEW)
    spec = client.entries[0].spec
    assert spec is not None
    pane.set_model(client.entries[0], ModelStatus(model_id=STARTER_ID, state=loaded_state(spec)))
    return pane


def texts(pane: ChatPane) -> list[str]:
    return [entry.text for entry in pane.transcript.entries]


def type_and_send(pane: ChatPane, text: str) -> None:
    QTest.keyClicks(pane.composer.editor, text)
    QTest.keyClick(pane.composer.editor, Qt.Key.Key_Return)


def stored(client: AppClient, conversation_id: ConversationId) -> Conversation:
    return client.opened(conversation_id)


def sent(client: AppClient) -> list[str]:
    """Return the texts of all messages that were sent."""
    return [str(call[1]) for call in client.called("generations.send")]


def start(qtbot: QtBot, pane: ChatPane, text: str = "Hello") -> ConversationId:
    """Send the first message and wait for the conversation."""
    with qtbot.waitSignal(pane.conversation_created) as caught:
        type_and_send(pane, text)
    assert caught.args is not None
    created: ConversationId = caught.args[0]
    return created


def test_the_first_message_creates_the_conversation_and_shows_its_start(qtbot: QtBot, pane: ChatPane) -> None:
    created = start(qtbot, pane)
    assert pane.conversation_id == created
    assert texts(pane) == ["Hello", ""]
    assert pane.composer.text() == ""
    assert pane.transcript.isVisible()
    assert not pane.empty.isVisible()


def test_an_answer_streams_in_and_ends_with_its_figures(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    created = start(qtbot, pane)
    client.stream(created, text="Good ", n_completion=1)
    client.stream(created, text="day.", n_completion=2)
    qtbot.waitUntil(lambda: texts(pane)[-1] == "Good day.")
    assert pane.composer.send_button.accessibleName() == "Stop"
    client.finish(created)
    assert pane.composer.send_button.accessibleName() == "Send"
    footer = child(pane.transcript.live[1], AnswerFooter)
    assert "312 tokens" in footer.label.accessibleName()


def test_stop_asks_the_engine_to_stop_this_conversation(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    created = start(qtbot, pane)
    client.stream(created, text="Some of it")
    pane.composer.send_button.click()
    qtbot.waitUntil(lambda: client.called("generations.stop") == [(created,)])
    qtbot.waitUntil(lambda: "Stopped" in child(pane.transcript.live[1], AnswerFooter).label.text())
    assert texts(pane)[-1] == "Some of it"


def test_escape_stops_wherever_the_focus_is(qtbot: QtBot, pane: ChatPane, client: AppClient) -> None:
    created = start(qtbot, pane)
    pane.transcript.setFocus()
    QTest.keyClick(pane.transcript, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: client.called("generations.stop") == [(created,)])


def test_a_message_that_cannot_be_stored_stays_in_the_composer_with_the_reason(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    client.fail("generations.send", StorageFull(path="/data"))
    with qtbot.waitSignal(pane.error_shown):
        type_and_send(pane, "Precious text")
    assert pane.composer.text() == "Precious text"
    assert "The disk is full" in pane.notices.displayed_text
    assert pane.conversation_id is None
    type_and_send(pane, "")
    qtbot.waitUntil(lambda: texts(pane) == ["Precious text", ""])
    assert pane.notices.displayed_text == ""


def test_text_typed_while_a_message_is_being_stored_is_kept(qtbot: QtBot, pane: ChatPane) -> None:
    type_and_send(pane, "First")
    QTest.keyClicks(pane.composer.editor, " and more")
    qtbot.waitUntil(lambda: texts(pane) == ["First", ""])
    assert pane.composer.text() == " and more"


def test_a_message_sent_while_another_is_being_stored_follows_it(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    client.hold("generations.send")
    for text in ("First", "Second", "Third"):
        type_and_send(pane, text)
    QTest.keyClicks(pane.composer.editor, "Fourth")
    client.release("generations.send")
    qtbot.waitUntil(lambda: pane.composer.text() == "Fourth")
    assert sent(client) == ["First", "Second", "Third"]


@pytest.mark.parametrize("leaves", [False, True])
def test_a_message_that_reads_all_documents_still_does_so_behind_another(
    leaves: bool, qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    chat = client.add_conversation("Chat", turns=["Q", "A"])
    pane.open(stored(client, chat))
    client.hold("generations.send")
    type_and_send(pane, "First")
    QTest.keyClicks(pane.composer.editor, "Second")
    pane.send_controller.send(pane.composer.text(), reads_all=True)
    if leaves:
        pane.open(stored(client, client.add_conversation("Other", turns=["Q", "A"])))
    client.release("generations.send")
    qtbot.waitUntil(lambda: sent(client) == ["First", "Second"])
    assert [call[-1] for call in client.called("generations.send")] == [False, True]


def test_a_message_is_sent_even_if_its_chat_is_left_meanwhile(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    left, other = (client.add_conversation(title, turns=["Q", "A"]) for title in ("Left", "Other"))
    pane.open(stored(client, left))
    client.hold("generations.send")
    for text in ("First", "Second"):
        type_and_send(pane, text)
    QTest.keyClicks(pane.composer.editor, "Third")
    pane.open(stored(client, other))
    client.release("generations.send")
    qtbot.waitUntil(lambda: sent(client) == ["First", "Second"])
    qtbot.waitUntil(lambda: client.draft(left) == "Third")
    assert pane.composer.text() == ""


def test_nothing_follows_a_message_that_cannot_be_stored(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    client.hold("generations.send")
    client.fail("generations.send", StorageFull(path="/data"))
    for text in ("First", "Second"):
        type_and_send(pane, text)
    with qtbot.waitSignal(pane.error_shown):
        client.release("generations.send")
    assert pane.composer.text() == "FirstSecond"
    assert sent(client) == ["First"]


def test_enter_pressed_twice_sends_once(qtbot: QtBot, pane: ChatPane, client: AppClient) -> None:
    type_and_send(pane, "Once")
    QTest.keyClick(pane.composer.editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: texts(pane) == ["Once", ""])
    assert len(client.called("generations.send")) == 1


def test_an_example_sends_its_prompt(qtbot: QtBot, pane: ChatPane) -> None:
    prompt = pane.start.suggestions[0]
    pane.start.buttons[0].click()
    qtbot.waitUntil(lambda: texts(pane)[:1] == [prompt])


@pytest.mark.parametrize("size", [(1180, 800), (2000, 1300), (640, 500)])
def test_the_composer_stands_in_the_middle_until_the_first_message(
    qtbot: QtBot, pane: ChatPane, size: tuple[int, int]
) -> None:
    pane.resize(*size)
    qtbot.waitUntil(lambda: pane.start.height() > 0)

    def middle() -> float:
        return (pane.foot.y() + pane.foot.height() / 2) / pane.height()

    qtbot.waitUntil(lambda: 0.25 < middle() < 0.55)
    type_and_send(pane, "Hello")
    qtbot.waitUntil(lambda: pane.height() - pane.foot.geometry().bottom() < 30)
    assert not pane.start.isVisible()


def test_nothing_moves_while_the_model_loads(qtbot: QtBot, pane: ChatPane) -> None:
    pane.resize(900, 700)
    model = entry_of(starter_spec())
    states = (
        Unloaded(),
        LoadingModel(stage=LoadStage.PREPARING, fraction=0.4, left_s=90),
        LoadingModel(fraction=0.5),
        loaded_state(starter_spec()),
    )
    places = set()
    for state in states:
        pane.set_model(model, ModelStatus(model_id=starter_spec().id, state=state))
        qtbot.wait(50)
        tops = (each.mapTo(pane, QPoint()).y() for each in (pane.composer, pane.start.buttons[0]))
        places.add(tuple(tops))
    assert len(places) == 1


def test_events_of_other_conversations_change_nothing(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    created = start(qtbot, pane)
    other = client.add_conversation("Other", turns=["Q", "A"])
    before = texts(pane)
    pane.handle(MessageAdded(message=client.messages[other][0]))
    pane.handle(
        TextAppended(
            conversation_id=other,
            message_id=client.messages[other][1].id,
            delta=TextDelta(text="x", n_completion=1),
        )
    )
    pane.handle(BranchChanged(conversation_id=other))
    pane.handle(ConversationDeleted(conversation_id=other))
    client.stream(created, text="later")
    qtbot.waitUntil(lambda: texts(pane)[-1] == "later")
    assert texts(pane) == [*before[:-1], "later"]
    assert pane.conversation_id == created


def test_opening_another_conversation_saves_the_draft_of_the_previous_one(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    first = client.add_conversation("First", turns=["Q", "A"])
    second = client.add_conversation("Second", turns=["Q2", "A2"])
    client.keep_draft(second, text="kept from before")
    pane.open(stored(client, first))
    QTest.keyClicks(pane.composer.editor, "unfinished")
    pane.open(stored(client, second))
    assert pane.composer.text() == "kept from before"
    assert texts(pane) == ["Q2", "A2"]
    qtbot.waitUntil(lambda: client.draft(first) == "unfinished")


def test_the_draft_of_a_new_chat_is_saved_as_such(qtbot: QtBot, pane: ChatPane, client: AppClient) -> None:
    QTest.keyClicks(pane.composer.editor, "idea")
    qtbot.waitUntil(lambda: client.draft(NEW) == "idea")


def test_sending_does_not_save_the_sent_text_as_a_draft(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    client.hold("generations.send")
    type_and_send(pane, "Hello")
    qtbot.waitUntil(lambda: not any(timer.isActive() for timer in pane.composer.findChildren(QTimer)))
    with qtbot.waitSignal(pane.conversation_created):
        client.release("generations.send")
    assert not [call for call in client.called("conversations.save_draft") if "Hello" in call]


def test_regenerating_reloads_the_branch(qtbot: QtBot, pane: ChatPane, client: AppClient) -> None:
    conversation_id = client.add_conversation("C", turns=["Q", "old answer"])
    pane.open(stored(client, conversation_id))
    pane.composer.editor.setPlainText("draft in progress")
    child(pane.transcript.live[1], AnswerFooter).action_row.button(MessageAction.REGENERATE).click()
    qtbot.waitUntil(lambda: texts(pane) == ["Q", ""])
    client.stream(conversation_id, text="new answer")
    qtbot.waitUntil(lambda: texts(pane) == ["Q", "new answer"])
    assert pane.composer.text() == "draft in progress"


def test_without_a_model_regenerating_prompts_for_one(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    conversation_id = client.add_conversation("C", turns=["Q", "A"])
    pane.open(stored(client, conversation_id))
    pane.set_model(None, None)
    with qtbot.waitSignal(pane.step_requested) as caught:
        child(pane.transcript.live[1], AnswerFooter).action_row.button(MessageAction.REGENERATE).click()
    assert caught.args == [NextStep.CHOOSE_MODEL]
    assert client.called("generations.regenerate") == []


def test_without_a_model_send_is_disabled_with_the_reason(pane: ChatPane) -> None:
    pane.set_model(None, None)
    pane.composer.set_text("Hello")
    assert not pane.composer.send_button.isEnabled()
    assert pane.composer.send_button.toolTip() == "Choose a model first"


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (
            AnswerProgressed(
                conversation_id=ConversationId(1), message_id=MessageId(2), progress=Queued(position=1)
            ),
            "Waiting for one",
        ),
        (
            AnswerProgressed(
                conversation_id=ConversationId(1),
                message_id=MessageId(2),
                progress=Queued(position=2, waits_for=WaitReason.OTHER_MODEL, model="Qwen3"),
            ),
            "Waiting for Qwen3 to finish… · 2 ahead",
        ),
        (
            AnswerProgressed(
                conversation_id=ConversationId(1), message_id=MessageId(2), progress=Loading(fraction=0.5)
            ),
            "Loading model… 50%",
        ),
        (
            AnswerProgressed(
                conversation_id=ConversationId(1),
                message_id=MessageId(2),
                progress=PromptProgress(n_done=1, n_total=9, n_cached=0),
            ),
            "Processing prompt… 1 of 9 tokens",
        ),
    ],
)
def test_the_phase_of_a_running_answer_is_shown_under_it(
    qtbot: QtBot, pane: ChatPane, client: AppClient, event: AnswerProgressed, expected: str
) -> None:
    created = start(qtbot, pane)
    answer = client.streaming_message(created)
    pane.handle(msgspec.structs.replace(event, conversation_id=created, message_id=answer.id))
    row = child(pane.transcript.live[1], ProgressRow)
    assert row.accessibleName().startswith(expected)


def test_the_context_meter_grows_with_an_answer(qtbot: QtBot, pane: ChatPane, client: AppClient) -> None:
    client.engine.measured = counts(105)
    client.set_state(STARTER_ID, loaded_state(starter_spec(), n_ctx=2048))
    created = start(qtbot, pane)
    qtbot.waitUntil(lambda: pane.composer.meter.displayed_text == "105 / 2k")
    client.stream(created, text="One two ", n_completion=100)
    qtbot.waitUntil(lambda: pane.composer.meter.displayed_text == "205 / 2k")
    client.stream(created, text="three ", n_completion=140)
    qtbot.waitUntil(lambda: pane.composer.meter.displayed_text == "245 / 2k")


def test_the_context_meter_shows_exact_counts_of_a_loaded_model(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    client.engine.measured = counts(105)
    client.set_state(STARTER_ID, loaded_state(starter_spec(), n_ctx=2048))
    pane.composer.editor.setPlainText("some draft")
    qtbot.waitUntil(lambda: pane.composer.meter.displayed_text == "105 / 2k")
    assert client.called("context.plan")[-1] == (None, "some draft", (), None, STARTER_ID, {})
    client.set_state(STARTER_ID, Unloaded())
    pane.set_model(client.entries[0], ModelStatus(model_id=STARTER_ID, state=Unloaded()))
    qtbot.waitUntil(lambda: pane.composer.meter.displayed_text.startswith("about "))


def test_a_deleted_conversation_leaves_a_new_chat(qtbot: QtBot, pane: ChatPane) -> None:
    start(qtbot, pane)
    assert pane.conversation_id is not None
    pane.handle(ConversationDeleted(conversation_id=pane.conversation_id))
    assert pane.conversation_id is None
    assert pane.empty.isVisible()


def test_a_reply_for_the_previous_conversation_does_not_reach_the_open_one(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    other = client.add_conversation("Other", turns=["Q", "A"])
    with qtbot.waitSignal(pane.conversation_created) as caught:
        type_and_send(pane, "Hello")
        pane.open(stored(client, other))
    assert caught.args is not None
    assert caught.args[0] != other
    assert pane.conversation_id == other
    assert texts(pane) == ["Q", "A"]


def test_returning_to_a_running_answer_shows_the_text_streamed_meanwhile(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    created = start(qtbot, pane)
    client.stream(created, text="Seen, ")
    pane.open_new(draft="")
    client.stream(created, text="missed, ")
    pane.open(stored(client, created))
    client.stream(created, text="seen again.")
    qtbot.waitUntil(lambda: texts(pane)[-1] == "Seen, missed, seen again.")


def test_returning_to_a_thinking_model_shows_its_reasoning_and_time(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    chat = start(qtbot, pane)
    client.stream(chat, text="Hm, ", kind=OutputKind.REASONING)
    other = client.add_conversation("Other")
    pane.open(stored(client, other))
    client.stream(chat, text="well", kind=OutputKind.REASONING)
    pane.open(msgspec.structs.replace(stored(client, chat), thinking_since=time.monotonic()))
    entry = pane.transcript.entries[-1]
    assert entry.reasoning == "Hm, well"
    assert entry.is_thinking
    assert entry.thinking_since is not None
    client.stream(chat, text="So.")
    client.finish(chat)
    assert (entry.reasoning, entry.text, entry.is_thinking) == ("Hm, well", "So.", False)


def test_text_that_arrives_while_the_branch_cannot_be_read_is_shown(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    created = start(qtbot, pane)
    client.stream(created, text="one ")
    client.fail("conversations.open", EngineStopped())
    pane.handle(BranchChanged(conversation_id=created))
    client.stream(created, text="two ")
    qtbot.waitUntil(lambda: texts(pane)[-1] == "one two ")
    client.stream(created, text="three")
    qtbot.waitUntil(lambda: texts(pane)[-1] == "one two three")


def test_text_that_arrives_while_the_branch_is_read_is_shown_once(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    created = start(qtbot, pane)
    client.stream(created, text="one ")
    pane.handle(BranchChanged(conversation_id=created))
    client.stream(created, text="two ")
    qtbot.waitUntil(lambda: texts(pane)[-1] == "one two ")
    client.stream(created, text="three")
    qtbot.waitUntil(lambda: texts(pane)[-1] != "one two ")
    assert texts(pane)[-1] == "one two three"


@pytest.mark.parametrize("width", [700, 901, 1100, 1101])
def test_the_composer_is_aligned_with_the_text(
    qtbot: QtBot, pane: ChatPane, client: AppClient, width: int
) -> None:
    conversation_id = client.add_conversation("C", turns=["Q", "```\ncode\n```"])
    pane.open(stored(client, conversation_id))
    pane.resize(width, 700)
    qtbot.waitUntil(lambda: edges(pane.composer, pane) == edges(child(pane, CodeView), pane))


def edges(widget: QWidget, pane: ChatPane) -> tuple[int, int]:
    return widget.mapTo(pane, widget.rect().topLeft()).x(), widget.width()


def test_an_error_of_a_request_offers_its_next_step(
    qtbot: QtBot, pane: ChatPane, client: AppClient, bugs: list[BaseException]
) -> None:
    client.fail("generations.send", InvalidText(reason="control characters"))
    type_and_send(pane, "Hello")
    qtbot.waitUntil(lambda: pane.notices.displayed_text != "")
    close = next(b for b in pane.notices.findChildren(QAbstractButton) if b.accessibleName() == "Dismiss")
    close.click()
    assert pane.notices.displayed_text == ""
    assert bugs == []


def test_an_answer_that_ran_before_the_pane_was_opened_continues_streaming(
    qtbot: QtBot, pane: ChatPane, client: AppClient
) -> None:
    created = start(qtbot, pane)
    client.stream(created, text="First half")
    pane.open_new(draft="")
    pane.open(stored(client, created))
    assert pane.transcript.entries[-1].message.state is MessageState.STREAMING
    assert pane.composer.send_button.accessibleName() == "Stop"
    client.stream(created, text=", second half")
    qtbot.waitUntil(lambda: texts(pane)[-1] == "First half, second half")


def test_after_an_example_the_composer_has_the_focus(pane: ChatPane, qtbot: QtBot) -> None:
    with qtbot.waitActive(pane):
        pane.activateWindow()
    QTest.mouseClick(pane.start.buttons[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(pane.transcript.entries))
    assert pane.focusWidget() is pane.composer.editor


def test_typing_over_the_conversation_goes_to_the_composer(pane: ChatPane, qtbot: QtBot) -> None:
    type_and_send(pane, "Hello")
    qtbot.waitUntil(lambda: bool(pane.transcript.entries))
    pane.transcript.setFocus()
    QTest.keyClicks(pane.transcript, "W", Qt.KeyboardModifier.ShiftModifier)
    assert pane.composer.editor.toPlainText() == "W"
    assert pane.focusWidget() is pane.composer.editor


@pytest.mark.parametrize(
    ("key", "held"),
    [
        (Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier),
        (Qt.Key.Key_J, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier),
    ],
)
def test_keys_that_enter_no_text_do_not_change_the_message(
    pane: ChatPane, qtbot: QtBot, key: Qt.Key, held: Qt.KeyboardModifier
) -> None:
    type_and_send(pane, "Hello")
    qtbot.waitUntil(lambda: bool(pane.transcript.entries))
    pane.transcript.setFocus()
    QTest.keyClick(pane.transcript, key, held)
    assert pane.composer.editor.toPlainText() == ""
