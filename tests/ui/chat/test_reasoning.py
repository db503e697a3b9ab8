"""Reasoning: shown while it streams, folded when the answer begins, unfolded by the user."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTextEdit
from pytestqt.qtbot import QtBot

from fakes.fake_clock import ManualClock
from fakes.stored_messages import Messages
from fakes.widgets import child
from fireside.core.chat import MessageState, StoredMessage
from fireside.core.generation import OutputKind, TextDelta
from fireside.core.message import ReasoningPart, TextPart
from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.chat.answer.answer import AnswerFooter, AnswerView
from fireside.ui.chat.answer.inline_notices import ProgressRow
from fireside.ui.chat.answer.phase import Starting
from fireside.ui.chat.answer.reasoning import OPEN_HEIGHT, RUNNING_HEIGHT, ReasoningView, _Text
from fireside.ui.chat.transcript.transcript import Transcript
from fireside.ui.theme import Theme, ThemeChoice

THOUGHT = "The person asks *why*.\nLight scatters."
LONG = "\n".join(f"{n}. One more thought about the sky." for n in range(200))


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(100.0)


class Page:
    """A transcript whose last message is an answer."""

    def __init__(self, transcript: Transcript, answer: StoredMessage) -> None:
        self.transcript = transcript
        self.answer = answer

    @property
    def view(self) -> AnswerView:
        answer = self.transcript.live[len(self.transcript.entries) - 1]
        assert isinstance(answer, AnswerView)
        return answer

    @property
    def thoughts(self) -> ReasoningView:
        (reasoning,) = self.view.findChildren(ReasoningView)
        return reasoning

    @property
    def text(self) -> QTextEdit:
        text_view = self.thoughts.text_view
        assert text_view is not None
        return text_view

    def say(self, text: str, kind: OutputKind = OutputKind.ANSWER) -> None:
        self.transcript.append_text(self.answer.id, TextDelta(text=text, n_completion=1, kind=kind))

    def think(self, text: str) -> None:
        self.say(text, OutputKind.REASONING)

    def finish(
        self, *, thought: str = THOUGHT, answer_text: str = "Because.", thought_s: float | None = None
    ) -> None:
        record = self.answer.generation
        assert record is not None
        self.transcript.replace_message(
            replace(
                with_thought(self.answer, thought, answer_text),
                state=MessageState.COMPLETE,
                generation=replace(record, thought_s=thought_s),
            )
        )


def with_thought(message: StoredMessage, thought: str, answer_text: str) -> StoredMessage:
    parts = (ReasoningPart(text=thought), TextPart(text=answer_text))
    return replace(message, message=replace(message.message, parts=parts))


Show = Callable[[Sequence[StoredMessage], StoredMessage], Page]


@pytest.fixture
def show(qtbot: QtBot, clock: ManualClock) -> Show:
    def shown(before: Sequence[StoredMessage], answer: StoredMessage) -> Page:
        transcript = Transcript(open_url=lambda _url: None, clock=clock)
        qtbot.addWidget(transcript)
        transcript.resize(900, 600)
        transcript.show()
        qtbot.waitExposed(transcript)
        transcript.set_messages([*before, answer])
        return Page(transcript, answer)

    return shown


@pytest.fixture
def running(show: Show, messages: Messages) -> Page:
    return show([messages.user("Why?")], messages.running())


@pytest.fixture
def stored(show: Show, messages: Messages) -> Page:
    return show([messages.user("Why?")], with_thought(messages.answer(""), THOUGHT, "Because."))


# While it runs


def test_reasoning_streams_as_plain_text(running: Page) -> None:
    running.think("The person ")
    running.think("asks *why*.\nLight scatters.")
    assert running.thoughts.is_open
    assert running.text.toPlainText() == THOUGHT


def test_the_heading_shows_the_thinking_time(running: Page, clock: ManualClock) -> None:
    running.think("Hm")
    assert running.thoughts.head.text() == "Thinking…"
    clock.now += 75
    running.think("m")
    assert running.thoughts.head.text() == "Thinking… 1 min 15 s"


def test_the_thinking_time_advances_without_text(running: Page, clock: ManualClock) -> None:
    running.think("Hm")
    clock.now += 12
    running.thoughts._tick.timeout.emit()
    assert running.thoughts.head.text() == "Thinking… 12 s"


def test_the_accessible_name_does_not_change_each_second(running: Page, clock: ManualClock) -> None:
    running.think("Hm")
    clock.now += 12
    running.think("m")
    assert running.thoughts.head.accessibleName() == "Thinking"


def test_thinking_replaces_the_progress_row(running: Page) -> None:
    running.transcript.set_phase(running.answer.id, Starting())
    assert running.view.findChildren(ProgressRow)
    running.think("Hm")
    assert all(row.isHidden() for row in running.view.findChildren(ProgressRow))


def test_reasoning_folds_when_the_answer_begins_and_shows_its_time(running: Page, clock: ManualClock) -> None:
    running.think(THOUGHT)
    clock.now += 4.2
    running.say("Because.")
    assert not running.thoughts.is_open
    assert running.thoughts.head.text() == "Thought for 4 s"
    assert [text_view.toPlainText() for text_view in running.view.text_views] == ["Because."]


def test_reasoning_that_the_user_folded_stays_folded_while_it_streams(running: Page) -> None:
    running.think("Hm")
    running.thoughts.head.click()
    running.think("m")
    assert not running.thoughts.is_open


def test_reasoning_that_the_user_unfolded_stays_open_while_the_answer_streams(running: Page) -> None:
    running.think("Hm")
    running.say("Be")
    running.thoughts.head.click()
    running.say("cause")
    running.finish(thought="Hm", answer_text="Because")
    assert running.thoughts.is_open
    assert [text_view.toPlainText() for text_view in running.view.text_views] == ["Hm", "Because"]


def test_reasoning_unfolds_when_the_model_thinks_again(running: Page) -> None:
    running.think("Hm. ")
    running.say("Because")
    running.think("Or not?")
    assert running.thoughts.is_open
    assert running.text.toPlainText() == "Hm. Or not?"


def test_markup_is_not_shown(running: Page) -> None:
    running.say("<think>", OutputKind.MARKUP)
    running.think("Hm")
    running.say("</think>", OutputKind.MARKUP)
    running.say("Because")
    assert running.transcript.entries[-1].text == "Because"
    assert running.transcript.entries[-1].reasoning == "Hm"


def test_long_reasoning_is_bounded_and_shows_its_end(running: Page, theme: Theme) -> None:
    for line in LONG.splitlines(keepends=True):
        running.think(line)
    assert running.text.height() == theme.scaled(RUNNING_HEIGHT)
    bar = running.text.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0


def test_reasoning_scrolled_up_stays_there(running: Page) -> None:
    running.think(LONG)
    running.text.verticalScrollBar().setValue(10)
    running.think(LONG)
    assert running.text.verticalScrollBar().value() == 10


def test_a_line_longer_than_qt_can_lay_out_is_cut_into_lines(running: Page) -> None:
    running.think("x" * 12_000)
    running.think("y" * 12_000)
    blocks = running.text.document()
    assert blocks.blockCount() > 4
    assert running.text.toPlainText().replace("\n", "") == "x" * 12_000 + "y" * 12_000


def test_endless_reasoning_shows_its_last_part(running: Page) -> None:
    for _ in range(30):
        running.think("word " * 2_000 + "\n")
    displayed = running.text.toPlainText()
    assert 100_000 <= len(displayed) <= 210_000
    assert running.transcript.entries[-1].reasoning == ("word " * 2_000 + "\n") * 30


def test_streaming_the_answer_does_not_lay_out_the_reasoning_again(
    running: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    running.think(THOUGHT)
    running.say("Be")
    n_laid_out = 0
    append = type(running.thoughts._text).append_plain

    def counted(text: _Text, added: str) -> None:
        nonlocal n_laid_out
        n_laid_out += 1
        append(text, added)

    monkeypatch.setattr(type(running.thoughts._text), "append_plain", counted)
    for _ in range(20):
        running.say("cause ")
    assert n_laid_out == 0


def test_returning_to_a_thinking_model_continues_counting(
    show: Show, messages: Messages, clock: ManualClock
) -> None:
    answer = messages.running()
    answer = replace(answer, message=replace(answer.message, parts=(ReasoningPart(text="Hm"),)))
    page = show([messages.user("Why?")], answer)
    page.transcript.set_thinking_since(answer.id, clock.now - 30)
    assert page.thoughts.is_open
    assert page.thoughts.head.text() == "Thinking… 30 s"


# Stored


def test_a_stored_answer_shows_its_reasoning_folded(stored: Page) -> None:
    assert not stored.thoughts.is_open
    assert stored.thoughts.head.text() == "Thinking"
    assert stored.thoughts._text.toPlainText() == ""


def test_the_stored_thinking_time_is_shown(running: Page) -> None:
    running.think("Hm")
    running.finish(thought_s=3.7)
    assert running.thoughts.head.text() == "Thought for 3 s"


def test_very_short_thinking_took_a_moment(running: Page) -> None:
    running.think("Hm")
    running.finish(thought_s=0.2)
    assert running.thoughts.head.text() == "Thought for a moment"


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_keys_fold_and_unfold_reasoning(stored: Page, key: Qt.Key) -> None:
    QTest.keyClick(stored.thoughts.head, key)
    assert stored.thoughts.is_open
    assert stored.text.toPlainText() == THOUGHT
    QTest.keyClick(stored.thoughts.head, key)
    assert not stored.thoughts.is_open


def test_a_click_unfolds_reasoning_in_place(show: Show, messages: Messages) -> None:
    before = [messages.answer("A line.\n\n" * 40), messages.user("Why?")]
    page = show(before, with_thought(messages.answer(""), LONG, "Because.\n\n" * 3))
    top = page.thoughts.mapTo(page.transcript, QPoint(0, 0)).y()
    QTest.mouseClick(page.thoughts.head, Qt.MouseButton.LeftButton)
    assert page.thoughts.is_open
    assert page.thoughts.mapTo(page.transcript, QPoint(0, 0)).y() == top


def test_reasoning_unfolded_by_the_user_is_taller_but_bounded(
    show: Show, messages: Messages, theme: Theme
) -> None:
    page = show([], with_thought(messages.answer(""), LONG, "Because."))
    page.thoughts.head.click()
    assert page.text.height() == theme.scaled(OPEN_HEIGHT)
    assert page.text.verticalScrollBar().value() == 0


def test_finished_reasoning_unfolds_at_its_beginning(running: Page) -> None:
    running.think(LONG)
    running.finish(thought=LONG)
    running.thoughts.head.click()
    assert running.text.verticalScrollBar().value() == 0


def test_reasoning_stays_open_when_scrolled_away_and_back(show: Show, messages: Messages) -> None:
    page = show([messages.answer("Line\n\n" * 400)], with_thought(messages.answer(""), THOUGHT, "Because."))
    page.thoughts.head.click()
    page.transcript.verticalScrollBar().setValue(0)
    assert len(page.transcript.entries) - 1 not in page.transcript.live
    page.transcript.column.jump_to_latest()
    assert page.thoughts.is_open


def test_an_answer_without_reasoning_has_no_heading_for_it(show: Show, messages: Messages) -> None:
    page = show([], messages.answer("Because."))
    assert not page.view.findChildren(ReasoningView)


# Reading


def test_open_reasoning_can_be_selected_and_copied(stored: Page) -> None:
    stored.thoughts.head.click()
    text = stored.text
    start = text.mapToGlobal(QPoint(1, 5))
    stored.transcript.selection.double_click(start)
    assert stored.transcript.selection.text() == "The"


def test_copying_a_whole_answer_leaves_the_reasoning_out(stored: Page) -> None:
    stored.thoughts.head.click()
    stored.transcript.selection.select_all()
    assert stored.transcript.selection.text().endswith("Because.")
    assert "scatters" not in stored.transcript.selection.text()
    child(stored.view, AnswerFooter).action_row.button(MessageAction.COPY).click()
    assert QApplication.clipboard().text() == "Because."


def test_a_selection_ends_when_the_blocks_under_it_move(stored: Page) -> None:
    stored.transcript.selection.select_all()
    stored.thoughts.head.click()
    assert stored.transcript.selection.is_empty


def test_the_wheel_scrolls_reasoning_and_then_the_page(show: Show, messages: Messages) -> None:
    page = show([messages.answer("Line\n\n" * 50)], with_thought(messages.answer(""), LONG, "Because."))
    page.thoughts.head.click()
    bar = page.text.verticalScrollBar()

    def turn(steps: int) -> bool:
        event = QWheelEvent(
            QPointF(5, 5), QPointF(5, 5), QPoint(0, 0), QPoint(0, 120 * steps), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        return QApplication.sendEvent(page.text, event)

    turn(-1)
    assert bar.value() > 0
    bar.setValue(bar.maximum())
    before = bar.value()
    turn(-1)
    assert bar.value() == before


def test_reasoning_is_a_tab_stop(stored: Page) -> None:
    assert stored.thoughts.head in stored.view.tab_stops
    stored.thoughts.head.click()
    assert stored.text in stored.view.tab_stops


def test_reasoning_has_an_accessible_name(stored: Page) -> None:
    head = stored.thoughts.head
    assert head.accessibleName() == "Thinking"
    assert "the model’s thinking" in head.accessibleDescription()
    assert head.isCheckable()


def test_another_scheme_keeps_the_reasoning_and_its_state(stored: Page, theme: Theme) -> None:
    stored.thoughts.head.click()
    theme.set_choice(ThemeChoice.LIGHT)
    assert stored.thoughts.is_open
    assert stored.text.toPlainText() == THOUGHT


# Tools
