"""The column of messages: which have widgets, scrolling, following the stream."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPointF, Qt, QTimer
from PySide6.QtGui import QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QPushButton

from fakes.message_actions import record_actions
from fakes.stored_messages import TranscriptScene
from fakes.widgets import child
from fireside.core.chat import MessageState, StoredMessage
from fireside.core.errors import NextStep, OutOfMemory, RunnerCrashed
from fireside.core.generation import (
    FinishReason,
    PromptProgress,
    ReadingDocuments,
    Stopping,
    TextDelta,
    Truncation,
)
from fireside.core.ids import ConversationId
from fireside.core.message import text_message
from fireside.ui.chat.answer import code_colouring
from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.chat.answer.answer import AnswerFooter, AnswerView
from fireside.ui.chat.answer.blocks import HorizontalScrollArea
from fireside.ui.chat.answer.code import CodeView
from fireside.ui.chat.answer.inline_notices import NoteCard, ProgressRow
from fireside.ui.chat.transcript.transcript import Transcript
from fireside.ui.theme import Theme, ThemeChoice

ANSWER = (
    "A list is:\n\n- one\n- two\n\n```python\nx = [1, 2]\n```\n\nDone.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
)


def view(transcript: Transcript, index: int) -> AnswerView:
    answer = transcript.live[index]
    assert isinstance(answer, AnswerView)
    return answer


def displayed_texts(transcript: Transcript, index: int) -> list[str]:
    return [text_view.toPlainText() for text_view in transcript.live[index].text_views]


def finished(message: StoredMessage, text: str) -> StoredMessage:
    return msgspec.structs.replace(
        message, message=text_message(message.message.role, text), state=MessageState.COMPLETE
    )


def top_of(transcript: Transcript, index: int) -> int:
    return transcript.live[index].y()


def test_only_messages_near_the_visible_part_have_widgets(scene: TranscriptScene) -> None:
    many = [scene.user(f"Question {n}") for n in range(2000)]
    transcript = scene.show(many)
    assert 0 < len(transcript.live) < 60
    assert max(transcript.live) == 1999


def test_widgets_follow_the_scroll_bar(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.user(f"Question {n}") for n in range(500)])
    transcript.verticalScrollBar().setValue(0)
    assert 0 in transcript.live
    assert 499 not in transcript.live


def test_a_conversation_opens_at_its_end(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.answer(ANSWER) for _ in range(30)])
    bar = transcript.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0


def test_scrolling_back_shows_the_same_messages_at_the_same_positions(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.answer(ANSWER * (1 + n % 3)) for n in range(60)])
    bar = transcript.verticalScrollBar()
    for value in range(bar.value(), 0, -300):
        bar.setValue(value)
    bar.setValue(0)
    tops = {index: top_of(transcript, index) for index in transcript.live}
    bar.setValue(700)
    assert {i: top_of(transcript, i) + 700 for i in tops if i in transcript.live} == {
        i: tops[i] for i in tops if i in transcript.live
    }


def test_the_first_visible_message_stays_while_an_estimate_above_becomes_a_height(
    scene: TranscriptScene,
) -> None:
    transcript = scene.show([scene.answer(ANSWER * 3) for _ in range(200)])
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    index = transcript.column.index_at(300)
    before = top_of(transcript, index)
    for _ in range(5):
        bar.setValue(bar.value() - 40)
    assert top_of(transcript, index) == before + 200


def test_a_resize_keeps_the_first_visible_message_in_view(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.answer(ANSWER * 2) for _ in range(100)])
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    first = transcript.column.index_at(0)
    transcript.resize(520, 500)
    assert transcript.column.index_at(0) == first


# Streaming


def test_streamed_text_is_shown_as_the_same_text_opened_at_once(scene: TranscriptScene) -> None:
    running = scene.running()
    transcript = scene.show([scene.user("Go"), running])
    for n, start in enumerate(range(0, len(ANSWER), 7)):
        transcript.append_text(running.id, TextDelta(text=ANSWER[start : start + 7], n_completion=n))
        scene.qtbot.wait(1)

    def is_whole() -> bool:
        """Longer work is laid out in several slices."""
        return {"Done.", "\na\nb\n1\n2\n"} <= set(displayed_texts(transcript, 1))

    scene.wait_until(is_whole)
    streamed = displayed_texts(transcript, 1)
    transcript.replace_message(finished(running, ANSWER))
    scene.wait_until(is_whole)
    assert displayed_texts(transcript, 1) == streamed
    transcript.set_messages([scene.user("Go"), scene.answer(ANSWER)])
    scene.wait_until(is_whole)
    assert displayed_texts(transcript, 1) == streamed


def test_the_stored_text_wins_over_what_was_streamed(scene: TranscriptScene) -> None:
    running, other = scene.running(), scene.running()
    transcript = scene.show([running, other])
    transcript.append_text(running.id, TextDelta(text="lost a par", n_completion=1))
    transcript.replace_message(finished(running, "Whole text."))
    transcript.append_text(other.id, TextDelta(text="later", n_completion=1))
    scene.wait_until(lambda: transcript.entries[1].text == "later")
    assert displayed_texts(transcript, 0) == ["Whole text."]


def test_the_page_follows_the_stream_while_at_the_bottom(scene: TranscriptScene) -> None:
    running = scene.running()
    transcript = scene.show([scene.answer(ANSWER), running])
    bar = transcript.verticalScrollBar()
    transcript.append_text(running.id, TextDelta(text="line\n\n" * 200, n_completion=200))
    scene.wait_until(lambda: transcript.entries[1].text != "")
    assert bar.value() == bar.maximum() > 2000


def test_the_page_stays_where_it_was_scrolled_to_while_text_streams(scene: TranscriptScene) -> None:
    running = scene.running()
    transcript = scene.show([scene.answer(ANSWER * 8), running])
    bar = transcript.verticalScrollBar()
    scene.wait_until(lambda: bar.maximum() > 400)  # laid out in several slices
    bar.setValue(bar.maximum() - 300)
    before = bar.value()
    transcript.append_text(running.id, TextDelta(text="line\n\n" * 100, n_completion=100))
    scene.wait_until(lambda: transcript.entries[1].text != "")
    assert bar.value() == before


def test_the_button_to_the_latest_message_appears_when_scrolled_away_and_follows_again(
    scene: TranscriptScene,
) -> None:
    running = scene.running("text")
    transcript = scene.show([scene.answer(ANSWER * 8), running])
    scene.wait_until(lambda: transcript.verticalScrollBar().maximum() > 400)  # laid out in several slices
    transcript.verticalScrollBar().setValue(0)
    button = child(transcript, QAbstractButton, "jumpToLatest")
    assert button.isVisible()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert transcript.column.scroll_position is None
    assert not button.isVisible()


def test_a_new_question_scrolls_into_view(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.answer(ANSWER * 8) for _ in range(4)])
    transcript.verticalScrollBar().setValue(0)
    transcript.add_message(scene.user("New question"))
    assert transcript.verticalScrollBar().value() == transcript.verticalScrollBar().maximum()


def test_text_for_a_message_that_is_not_shown_is_ignored(scene: TranscriptScene) -> None:
    answer = scene.running()
    transcript = scene.show([scene.user("Go"), answer])
    transcript.append_text(scene.running().id, TextDelta(text="stray", n_completion=1))
    transcript.append_text(answer.id, TextDelta(text="later", n_completion=1))
    scene.wait_until(lambda: transcript.entries[1].text == "later")
    assert displayed_texts(transcript, 0) == ["Go"]


def test_text_for_the_previous_conversation_is_ignored(scene: TranscriptScene) -> None:
    running = scene.running()
    transcript = scene.show([running])
    transcript.append_text(running.id, TextDelta(text="old", n_completion=1))
    other = scene.running("new")
    transcript.set_messages([other])
    transcript.append_text(other.id, TextDelta(text=" and later", n_completion=1))
    scene.wait_until(lambda: transcript.entries[0].text.endswith("later"))
    assert transcript.entries[0].text == "new and later"


def test_a_long_answer_is_laid_out_in_slices(scene: TranscriptScene) -> None:
    text = "".join(f"Paragraph {n} of a long answer.\n\n" for n in range(1500))
    transcript = scene.show([scene.answer(text)])
    assert "Paragraph 1499" not in "".join(displayed_texts(transcript, 0))
    scene.wait_until(lambda: "Paragraph 1499" in "".join(displayed_texts(transcript, 0)))


def test_the_rest_of_an_enormous_answer_is_shown_on_request(scene: TranscriptScene) -> None:
    text = "".join(f"Paragraph {n} of an enormous answer.\n\n" for n in range(2000)) + "The end."
    transcript = scene.show([scene.answer(text)])
    more = next(b for b in view(transcript, 0).findChildren(QPushButton) if b.objectName() == "showMore")
    scene.wait_until(lambda: more.isVisible())
    more.click()
    scene.wait_until(lambda: "The end." in "".join(displayed_texts(transcript, 0)[-1:]))


def test_a_table_of_very_many_rows_is_shown_whole(scene: TranscriptScene) -> None:
    text = "| a | b |\n|---|---|\n" + "".join(f"| row {n} | {n} |\n" for n in range(1400))
    transcript = scene.show([scene.answer(text)])
    scene.wait_until(lambda: "row 1399" in displayed_texts(transcript, 0)[-1])


# Around the text


def test_a_long_question_is_folded_and_unfolds(scene: TranscriptScene) -> None:
    text = "\n".join(f"line {n}" for n in range(200))
    transcript = scene.show([scene.user(text)])
    more, less = (b for b in transcript.live[0].findChildren(QPushButton) if b.objectName() == "showMore")
    assert "line 150" not in displayed_texts(transcript, 0)[0]
    more.click()
    assert displayed_texts(transcript, 0)[0] == text
    less.click()
    assert "line 150" not in displayed_texts(transcript, 0)[0]


def test_a_ten_megabyte_question_lays_out_only_its_beginning(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.user("word " * 2_000_000)])
    assert len(displayed_texts(transcript, 0)[0]) < 2_000


def test_a_question_is_shown_as_plain_text(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.user("**not bold** <b>tag</b> ![x](y)")])
    assert displayed_texts(transcript, 0) == ["**not bold** <b>tag</b> ![x](y)"]


def test_returning_to_a_chat_restores_its_scroll_position(scene: TranscriptScene) -> None:
    first = [scene.answer(f"Answer {number}\n\n{ANSWER}") for number in range(12)]
    second = [replace(scene.answer(ANSWER), conversation_id=ConversationId(2)) for _ in range(12)]
    transcript = scene.show(first)
    transcript.verticalScrollBar().setValue(700)
    index = transcript.column.index_at(0)
    top = transcript.live[index].y()
    transcript.set_messages(second)
    assert transcript.column.scroll_position is None
    transcript.set_messages(first)
    assert transcript.column.scroll_position is not None
    assert (transcript.column.index_at(0), transcript.live[index].y()) == (index, top)


def test_returning_to_a_streaming_chat_shows_its_end(scene: TranscriptScene) -> None:
    first = [scene.answer(ANSWER) for _ in range(12)]
    transcript = scene.show(first)
    transcript.verticalScrollBar().setValue(300)
    transcript.set_messages([replace(scene.answer(ANSWER), conversation_id=ConversationId(2))])
    transcript.set_messages([*first, scene.running("Well")])
    assert transcript.column.scroll_position is None


def test_a_chat_left_at_its_end_is_shown_at_its_end(scene: TranscriptScene) -> None:
    first = [scene.answer(ANSWER) for _ in range(12)]
    transcript = scene.show(first)
    transcript.set_messages([replace(scene.answer(ANSWER), conversation_id=ConversationId(2))])
    transcript.set_messages([*first, scene.answer("More")])
    assert transcript.column.scroll_position is None


def test_an_empty_answer_is_not_continued(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.user("Hi"), scene.answer("", reason=FinishReason.CANCELLED)])
    buttons = [button for button in transcript.findChildren(QPushButton) if button.text() == "Continue"]
    assert not any(button.isVisible() for button in buttons)


def test_the_continue_button_does_not_move_when_the_answer_is_hovered(scene: TranscriptScene) -> None:
    cut = scene.answer("One, two,", reason=FinishReason.REPETITION)
    transcript = scene.show([scene.user("Count"), cut])
    transcript.resize(700, 500)
    button = next(b for b in transcript.findChildren(QPushButton) if b.text() == "Continue")
    scene.wait_until(button.isVisible)
    at = button.mapToGlobal(button.rect().center())
    view = transcript.live[1]
    inside = QPointF(view.mapFromGlobal(at))
    QApplication.sendEvent(view, QEnterEvent(inside, inside, QPointF(at)))
    scene.wait_until(lambda: "tokens/s" in child(view, AnswerFooter).label.text())
    assert view.childAt(view.mapFromGlobal(at)) is button
    assert button.mapToGlobal(button.rect().center()) == at


def test_copy_puts_the_source_on_the_clipboard(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.answer(ANSWER)])
    child(view(transcript, 0), AnswerFooter).action_row.button(MessageAction.COPY).click()
    assert QApplication.clipboard().text() == ANSWER


def test_regenerate_requests_that_answer(scene: TranscriptScene) -> None:
    answer = scene.answer(ANSWER)
    transcript = scene.show([scene.user("Q"), answer])
    asked = record_actions(transcript)
    child(view(transcript, 1), AnswerFooter).action_row.button(MessageAction.REGENERATE).click()
    assert asked == [(answer.id, MessageAction.REGENERATE)]


def test_parts_of_the_progress_text_that_do_not_fit_are_omitted_whole(scene: TranscriptScene) -> None:
    running = scene.running()
    transcript = scene.show([running])
    transcript.set_phase(running.id, ReadingDocuments(fraction=0.4, name="contract.pdf " * 20))
    label = child(view(transcript, 0), ProgressRow).label
    assert label.text_for_width(label.width()) == "Reading everything… 40%"
    assert "contract.pdf" in label.toolTip()


def test_a_running_answer_shows_its_phase_until_text_arrives(scene: TranscriptScene) -> None:
    running = scene.running()
    transcript = scene.show([running])
    transcript.set_phase(running.id, PromptProgress(n_done=512, n_total=1801, n_cached=0))
    row = child(view(transcript, 0), ProgressRow)
    assert row.accessibleName() == "Processing prompt… 512 of 1,801 tokens"
    transcript.append_text(running.id, TextDelta(text="Hi", n_completion=1))
    scene.wait_until(lambda: view(transcript, 0).findChild(ProgressRow) is None)
    transcript.set_phase(running.id, Stopping())
    assert child(view(transcript, 0), AnswerFooter).label.text().startswith("Stopping…")


def test_a_running_answer_offers_neither_copy_nor_regenerate(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.running("some text")])
    assert not child(view(transcript, 0), AnswerFooter).action_row.isVisible()


def cards(transcript: Transcript, index: int) -> list[NoteCard]:
    return [card for card in view(transcript, index).findChildren(NoteCard) if card.isVisible()]


def test_a_failed_answer_shows_the_sentence_and_both_next_steps(scene: TranscriptScene) -> None:
    error = OutOfMemory(model="Big", needed_bytes=9_000_000_000, available_bytes=4_000_000_000).info()
    answer = scene.answer("", state=MessageState.FAILED, error=error)
    transcript = scene.show([answer])
    (card,) = cards(transcript, 0)
    settings, again = card.findChildren(QPushButton)
    assert card.accessibleName() == error.sentence
    with scene.qtbot.waitSignal(transcript.step_requested) as caught:
        settings.click()
    assert caught.args == [NextStep.OPEN_MODEL_SETTINGS]
    asked = record_actions(transcript)
    again.click()
    assert asked == [(answer.id, MessageAction.REGENERATE)]


def test_a_crash_offers_to_try_again_once(scene: TranscriptScene) -> None:
    error = RunnerCrashed(model="M", cause="out of memory").info()
    transcript = scene.show([scene.answer("part", state=MessageState.FAILED, error=error)])
    (card,) = cards(transcript, 0)
    assert [b.text() for b in card.findChildren(QPushButton)] == ["Try again"]


def test_an_interrupted_answer_keeps_its_text_and_offers_to_answer_again(scene: TranscriptScene) -> None:
    answer = scene.answer("Partial answ", state=MessageState.INTERRUPTED)
    transcript = scene.show([answer])
    assert displayed_texts(transcript, 0) == ["Partial answ"]
    (card,) = cards(transcript, 0)
    assert card.accessibleName() == "Interrupted. The partial answer was saved."
    asked = record_actions(transcript)
    card.findChildren(QPushButton)[0].click()
    assert asked == [(answer.id, MessageAction.REGENERATE)]


def test_an_answer_interrupted_before_it_began_does_not_claim_to_be_saved(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.answer("", state=MessageState.INTERRUPTED)])
    (card,) = cards(transcript, 0)
    assert card.accessibleName() == "Interrupted before the answer began."


def test_truncation_is_reported(scene: TranscriptScene) -> None:
    answer = scene.answer("Hi", truncation=Truncation(n_messages=4, n_tokens=900))
    transcript = scene.show([answer])
    (card,) = cards(transcript, 0)
    assert "the 4 oldest messages were dropped" in card.accessibleName()


# Code


def code(transcript: Transcript, index: int) -> CodeView:
    code_view = transcript.live[index].findChild(CodeView)
    assert isinstance(code_view, CodeView)
    return code_view


def test_the_copy_button_of_code_copies_the_code_and_says_so(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.answer(ANSWER)])
    button = code(transcript, 0).copy_button
    button.click()
    assert QApplication.clipboard().text() == "x = [1, 2]"
    assert button.text().strip() == "Copied"
    scene.wait_until(lambda: button.text().strip() == "Copy")


def colours(block: CodeView, line: int) -> set[str]:
    assert block.text_view is not None
    layout = block.text_view.document().findBlockByNumber(line).layout()
    return {f.format.foreground().color().name() for f in layout.formats()}


def all_colours(block: CodeView) -> list[set[str]]:
    return [colours(block, line) for line in range(block.source.count("\n") + 1)]


def test_streamed_code_ends_with_the_colours_of_the_same_code_opened_at_once(scene: TranscriptScene) -> None:
    lines = ['"""a docstring', *(f"line {n} of it" for n in range(60)), '"""', "def f(): return 1", ""]
    text = "```python\n" + "\n".join(lines) + "```\n"
    running = scene.running()
    transcript = scene.show([running])
    for start in range(0, len(text), 60):
        transcript.append_text(running.id, TextDelta(text=text[start : start + 60], n_completion=1))
        scene.qtbot.wait(1)
    transcript.replace_message(finished(running, text))
    whole = scene.show([scene.answer(text)])
    scene.wait_until(lambda: bool(colours(code(whole, 0), len(lines) - 2)))
    scene.wait_until(lambda: all_colours(code(transcript, 0)) == all_colours(code(whole, 0)))


def test_code_changes_size_and_scheme_without_being_lexed_again(
    scene: TranscriptScene, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "```python\n" + "\n".join(f'def f{n}(): return "{n}"  # {n}' for n in range(9)) + "\n```\n"
    theme.set_choice(ThemeChoice.LIGHT)
    transcript = scene.show([scene.answer(text)])
    scene.wait_until(lambda: bool(colours(code(transcript, 0), 8)))
    # Code that is still being coloured would be lexed again.
    scene.wait_until(lambda: not any(each.isActive() for each in code(transcript, 0).findChildren(QTimer)))
    light = all_colours(code(transcript, 0))
    with monkeypatch.context() as patch:
        patch.setattr(code_colouring, "runs", lambda *_, **__: pytest.fail("read again"))
        theme.set_text_size(20)
        assert all_colours(code(transcript, 0)) == light
        theme.set_choice(ThemeChoice.DARK)
    dark = all_colours(code(transcript, 0))
    assert dark != light
    fresh = scene.show([scene.answer(text)])
    scene.wait_until(lambda: all_colours(code(fresh, 0)) == dark)


def test_a_code_line_longer_than_qt_can_lay_out_is_wrapped_and_copied_whole(scene: TranscriptScene) -> None:
    line = "x" * 30_000
    transcript = scene.show([scene.answer(f"```\n{line}\n```")])
    block = code(transcript, 0)
    assert block.text_view is not None
    document = block.text_view.document()
    scene.wait_until(lambda: block.source == line)
    assert max(document.findBlockByNumber(n).length() for n in range(document.blockCount())) <= 5_000
    block.copy_button.click()
    assert QApplication.clipboard().text() == line


def test_wide_code_scrolls_by_itself_and_starts_at_its_left(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.answer("```\n" + "wide " * 100 + "\n```")])
    bar = child(code(transcript, 0), HorizontalScrollArea).horizontalScrollBar()
    assert bar.maximum() > 0
    assert bar.value() == 0


# Look


def test_a_theme_change_repaints_what_is_on_the_screen(scene: TranscriptScene, theme: Theme) -> None:
    transcript = scene.show([scene.user("Q"), scene.answer(ANSWER)])
    dark, dark_ground = transcript.grab().toImage().pixelColor(5, 5), theme.colour("bg")
    theme.set_choice(ThemeChoice.LIGHT)
    scene.qtbot.wait(1)
    light = transcript.grab().toImage().pixelColor(5, 5)
    assert (dark, light) == (dark_ground, theme.colour("bg"))
    assert dark.lightness() < 50 < 200 < light.lightness()
    scene.wait_until(lambda: bool(colours(code(transcript, 1), 0)))
    assert displayed_texts(transcript, 1)[0].startswith("A list is:")


@pytest.mark.parametrize("width", [320, 600, 1400])
def test_the_column_is_centred_and_never_wider_than_its_limit(scene: TranscriptScene, width: int) -> None:
    transcript = scene.show([scene.answer("Hello")])
    transcript.resize(width, 500)
    frame = transcript.live[0].geometry()
    assert frame.width() <= 760 + 24
    assert abs((frame.left() + frame.right()) / 2 - width / 2) <= 1


def test_a_large_table_is_complete_once_its_answer_has_ended(scene: TranscriptScene) -> None:
    rows = "| a | b |\n|---|---|\n" + "".join(f"| row {n} | {n} |\n" for n in range(300))
    running = scene.running()
    transcript = scene.show([running])
    for start in range(0, len(rows), 500):
        transcript.append_text(running.id, TextDelta(text=rows[start : start + 500], n_completion=1))
    done = scene.answer(rows)
    transcript.replace_message(replace(done, id=running.id))
    scene.wait_until(lambda: "row 299" in transcript.live[0].text_views[-1].toPlainText())
