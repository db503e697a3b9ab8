"""Find in chat: matches counted everywhere, highlighted where visible, visited by keys."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fakes.stored_messages import Messages, TranscriptScene
from fireside.core.chat import StoredMessage
from fireside.core.generation import TextDelta
from fireside.core.message import ReasoningPart
from fireside.ui.chat.answer.message_item import make_entry
from fireside.ui.chat.transcript.conversation_find import FindBar
from fireside.ui.chat.transcript.selected_text import text_between, written_text
from fireside.ui.chat.transcript.text_search import (
    MatchCounts,
    MatchPosition,
    Query,
    count_matches,
    displayed_texts,
    match_spans,
    read_texts,
)
from fireside.ui.chat.transcript.transcript import Transcript

Shift = Qt.KeyboardModifier.ShiftModifier
ANSWER = (
    "A **needle** and _nee_dle, [needle](https://example.org/needle).\n\n"
    "| a | b |\n|---|---|\n| needle | x |\n\n```\nneedle = 1\nNeedle\n```\n"
)


def bar_of(transcript: Transcript) -> FindBar:
    bar = transcript.findChild(FindBar)
    assert bar is not None
    return bar


class Find:
    """Opens the bar and types a query."""

    def __init__(self, qtbot: QtBot, transcript: Transcript) -> None:
        self._qtbot = qtbot
        self.transcript = transcript
        transcript.finder.open()
        self.bar = bar_of(transcript)

    def type(self, text: str) -> str:
        self.bar.field.clear()
        if text.isascii():
            QTest.keyClicks(self.bar.field, text)
        else:  # QTest has no keys for other letters
            self.bar.field.insert(text)
        return self.count()

    def count(self) -> str:
        self._qtbot.waitUntil(lambda: not self.transcript.finder.is_searching)
        return self.bar.count.text()

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> str:
        QTest.keyClick(self.bar.field, key, modifiers)
        return self.count()


@pytest.fixture
def find(scene: TranscriptScene) -> Find:
    stored = [scene.user("Where is the needle?"), scene.answer(ANSWER)]
    for number in range(60):
        stored += [scene.user(f"Question {number}"), scene.answer(f"Answer {number}.\n\n" * 6)]
    stored += [scene.answer("The last needle")]
    return Find(scene.qtbot, scene.show(stored))


def test_matches_far_from_the_viewport_are_counted(find: Find) -> None:
    assert find.type("needle").endswith(" of 7")


def test_the_match_nearest_to_the_viewport_is_first(find: Find) -> None:
    assert find.type("needle") == "7 of 7"


def test_enter_goes_to_the_next_match_and_wraps_around(find: Find) -> None:
    find.type("needle")
    assert find.key(Qt.Key.Key_Return) == "1 of 7"
    assert 0 in find.transcript.live
    assert find.transcript.column.scroll_position is not None


def test_shift_enter_goes_to_the_previous_match(find: Find) -> None:
    find.type("needle")
    assert find.key(Qt.Key.Key_Return, Shift) == "6 of 7"
    assert find.key(Qt.Key.Key_F3, Shift) == "5 of 7"


def test_the_current_match_is_visible_and_has_its_own_highlight(find: Find) -> None:
    find.type("needle")
    for _ in range(7):
        find.key(Qt.Key.Key_F3)
        position = find.transcript.finder.current
        assert position is not None
        text_view = find.transcript.live[position.message].text_views[position.part]
        style = find.transcript.column.transcript_style
        current = [
            highlight
            for highlight in text_view.extraSelections()
            if highlight.format == style.current_match_format
        ]
        assert [highlight.cursor.selectedText().lower() for highlight in current] == ["needle"]
        y = text_view.viewport().mapTo(find.transcript, text_view.cursorRect(current[0].cursor).center()).y()
        assert 0 < y < find.transcript.height()


def test_case_is_matched_on_request(find: Find) -> None:
    find.type("Needle")
    find.bar.match_case.click()
    assert find.count().endswith(" of 1")


def test_whole_words_are_matched_on_request(find: Find) -> None:
    assert find.type("questio").endswith(" of 60")
    find.bar.whole_words.click()
    assert find.count() == "No results"


def test_a_query_without_matches_is_reported_and_goes_nowhere(find: Find) -> None:
    assert find.type("haystack") == "No results"
    assert not find.bar.next.isEnabled()
    assert find.key(Qt.Key.Key_Return) == "No results"


def test_escape_closes_the_bar_and_restores_the_focus(find: Find) -> None:
    find.type("needle")
    find.key(Qt.Key.Key_Escape)
    assert find.bar.isHidden()
    assert all(not e.extraSelections() for view in find.transcript.live.values() for e in view.text_views)
    assert QApplication.focusWidget() is find.transcript


def test_streamed_text_is_searched_too(scene: TranscriptScene) -> None:
    running = scene.running()
    find = Find(scene.qtbot, scene.show([scene.user("needle"), running]))
    assert find.type("needle") == "1 of 1"
    find.transcript.append_text(running.id, TextDelta(text="a needle, a needle", n_completion=3))
    assert bar_of(find.transcript).count.text() == "1 of 3"


def test_another_conversation_is_searched_again(find: Find, messages: Messages) -> None:
    find.type("needle")
    find.transcript.set_messages([messages.user("one needle")])
    assert find.count() == "1 of 1"


def test_a_match_in_the_folded_part_of_a_long_message_unfolds_it(scene: TranscriptScene) -> None:
    find = Find(scene.qtbot, scene.show([scene.user("word " * 2000 + "needle"), scene.answer("x")]))
    assert find.type("needle") == "1 of 1"
    assert "needle" in find.transcript.live[0].text_views[0].toPlainText()


def is_visible(find: Find) -> bool:
    """Return whether the current match is laid out and in sight."""
    position = find.transcript.finder.current
    if position is None or position.message not in find.transcript.live:
        return False
    text_views = find.transcript.live[position.message].text_views
    if position.part >= len(text_views):
        return False
    text_view = text_views[position.part]
    (first, *_) = find.transcript.finder.spans(text_view) or [(0, 0)]
    cursor = QTextCursor(text_view.document())
    cursor.setPosition(first[0])
    y = text_view.viewport().mapTo(find.transcript, text_view.cursorRect(cursor).center()).y()
    return 0 < y < find.transcript.height()


@pytest.mark.parametrize(
    "answer",
    [
        "\n\n---\n\n".join(f"Paragraph {n}" for n in range(400)) + "\n\nThe needle.",
        "| a | b |\n|---|---|\n"
        + "\n".join(f"| row {n} | {'words ' * 9} |" for n in range(1500))
        + "\n| needle | |",
        "```\n" + "\n".join(f"line {n} {'word ' * 20}" for n in range(1000)) + "\nneedle\n```",
    ],
    ids=["blocks", "table", "code"],
)
def test_a_match_behind_the_rest_of_an_answer_is_reached_in_slices(
    scene: TranscriptScene, answer: str
) -> None:
    transcript = scene.show([scene.user("Go"), scene.answer(answer), scene.user("On")])
    find = Find(scene.qtbot, transcript)
    find.bar.field.setText("needle")
    assert not is_visible(find), "nothing long is laid out at once"
    assert find.count() == "1 of 1"
    assert is_visible(find)


def test_a_long_text_is_read_in_small_parts(messages: Messages) -> None:
    rows = "\n".join(f"| row {n} | x |" for n in range(4000))
    reading = read_texts(make_entry(messages.answer(f"| a | b |\n|---|---|\n{rows}")))
    assert sum(1 for _ in reading) > 100


def test_only_texts_near_the_visible_part_are_searched_for_highlights(scene: TranscriptScene) -> None:
    answer = "\n\n---\n\n".join(f"Paragraph {n}" for n in range(200))
    transcript = scene.show([scene.answer(answer)])
    scene.wait_until(lambda: transcript.live[0].is_laid_out)
    Find(scene.qtbot, transcript).type("Paragraph")
    shown = [text for text in transcript.live[0].text_views if text.extraSelections()]
    assert 10 < len(shown) < 100


def test_the_selected_text_is_the_first_query(find: Find) -> None:
    find.transcript.selection.select_all()
    find.transcript.finder.open()
    assert find.bar.field.text() == ""


def test_selection_and_matches_are_highlighted_together(find: Find) -> None:
    find.type("needle")
    find.transcript.selection.select_all()
    last = find.transcript.live[len(find.transcript.entries) - 1]
    assert len(last.text_views[0].extraSelections()) == 2


@pytest.mark.parametrize(
    "source",
    [
        ANSWER,
        "# Title\n\n1. one\n2. two\n\n> quote\n>\n> more\n\n---\n\n    code\n",
        "a  b\n\n$x^2$ c[^1]\n\n[^1]: n",
        "98. a\n99. b\n   1. c\n   1. d\n\n   more\n100. ```\n     x\n     ```\n101.\n102. - # e\n\n> 7. q\n",
        "مع `code()` و https://a.example/\n\n1. بند `x`\n\nو`y`",
    ],
)
def test_displayed_texts_equal_those_of_the_widgets(scene: TranscriptScene, source: str) -> None:
    message = scene.answer(source)
    transcript = scene.show([message])
    view = transcript.view_of(0)
    view.finish_layout()
    widgets = [written_text(text_view.document()).text.split() for text_view in view.text_views]
    texts = [text.replace("☐", "").split() for text in displayed_texts(make_entry(message))]
    assert widgets == texts


def test_the_source_of_a_formula_is_matched_and_its_image_highlighted(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.answer("Half 𝔘 $\\frac{1}{2}$ and $x_i$ here.")])
    text_view = transcript.view_of(0).text_views[0]
    scene.wait_until(lambda: not any(x in text_view.toPlainText() for x in ("frac", "x_i")))
    find = Find(scene.qtbot, transcript)
    for query, source in (("frac", "$\\frac{1}{2}$"), ("x_i", "$x_i$"), ("here", "here")):
        assert find.type(query) == "1 of 1"
        (mark,) = text_view.extraSelections()
        cursor = mark.cursor
        matched = text_between(text_view.document(), cursor.selectionStart(), cursor.selectionEnd())
        assert matched == source


def test_numbers_of_lists_are_found_and_highlighted(scene: TranscriptScene) -> None:
    source = "1. one\n1. two\n1. three 3.\n\n- bullet\n\n  99. 𝔘 nested\n"
    transcript = scene.show([scene.answer(source)])
    text_view = transcript.view_of(0).text_views[0]
    find = Find(scene.qtbot, transcript)
    plain = text_view.grab().toImage()
    for query, count, matched in (
        ("3.", "1 of 2", ""),
        ("99.", "1 of 1", ""),
        ("99. 𝔘 n", "1 of 1", "  99. 𝔘 n"),
    ):
        assert find.type(query) == count
        cursor = text_view.extraSelections()[0].cursor
        assert text_between(text_view.document(), cursor.selectionStart(), cursor.selectionEnd()) == matched
        assert text_view.grab().toImage() != plain


def test_words_are_found_across_isolated_code(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.answer("مع `code()` ثم `𝔘x` y")])
    text_view = transcript.view_of(0).text_views[0]
    find = Find(scene.qtbot, transcript)
    for query in ("مع code()", "𝔘x y", "code() ثم"):
        assert find.type(query) == "1 of 1"
        (mark,) = text_view.extraSelections()
        start, end = mark.cursor.selectionStart(), mark.cursor.selectionEnd()
        assert text_between(text_view.document(), start, end) == query


def test_spans_are_in_utf16_code_units() -> None:
    assert match_spans("𝔘 x 𝔘x", Query(text="x").pattern()) == [(3, 4), (7, 8)]


def test_any_white_space_matches_any_other() -> None:
    assert count_matches(["two\nwords two  words"], Query(text="two words").pattern()) == [2]


def test_pattern_characters_are_literal() -> None:
    assert count_matches(["a.c abc (a"], Query(text="a.c").pattern()) == [1]
    assert count_matches(["a.c abc (a"], Query(text="(a").pattern()) == [1]


def test_match_counts_wrap_around_in_both_directions() -> None:
    counts = MatchCounts()
    counts.set(3, [0, 2])
    counts.set(9, [1])
    positions = [
        MatchPosition(message=3, part=1, nth=0),
        MatchPosition(message=3, part=1, nth=1),
        MatchPosition(message=9, part=0, nth=0),
    ]
    assert [counts.after(position) for position in positions] == [*positions[1:], positions[0]]
    assert [counts.before(position) for position in positions] == [positions[-1], *positions[:-1]]
    assert [counts.number(position) for position in positions] == [1, 2, 3]
    counts.truncate(5)
    assert counts.total == 2


def current_match(transcript: Transcript) -> tuple[str, int]:
    """Return the text of the current match, and the distance of its middle from that of the page."""
    position = transcript.finder.current
    assert position is not None
    text_view = transcript.live[position.message].text_views[position.part]
    marks = [
        mark
        for mark in text_view.extraSelections()
        if mark.format == transcript.column.transcript_style.current_match_format
    ]
    y = text_view.viewport().mapTo(transcript.viewport(), text_view.cursorRect(marks[0].cursor).center()).y()
    return marks[0].cursor.selectedText(), abs(y - transcript.viewport().height() // 2)


def thoughtful(message: StoredMessage, reasoning: str) -> StoredMessage:
    if not reasoning:
        return message
    parts = (ReasoningPart(text=reasoning), *message.message.parts)
    return msgspec.structs.replace(message, message=msgspec.structs.replace(message.message, parts=parts))


def long_chat(messages: Messages, answer: str, *, reasoning: str = "") -> list[StoredMessage]:
    questions = [messages.user(f"Question {number}") for number in range(40)]
    questions += [thoughtful(messages.answer(answer), reasoning)]
    return [*questions, *(messages.user(f"Other question {number}") for number in range(40))]


def test_a_search_result_is_scrolled_to_the_middle(scene: TranscriptScene) -> None:
    answer = "A line.\n\n" * 200 + "The Ærøskøbing Café.\n\n" + "A line.\n\n" * 200
    transcript = scene.show(long_chat(scene, answer))
    transcript.show_query(40, "cafe")
    scene.wait_until(lambda: transcript.finder.current is not None)
    word, off = current_match(transcript)
    assert word == "Café"
    assert off < 40


def test_a_search_result_without_the_word_in_its_text_stays_in_view(scene: TranscriptScene) -> None:
    """The word is in the name of an attached file."""
    transcript = scene.show([*long_chat(scene, "A line."), scene.user("needle")])
    transcript.show_query(40, "needle")
    scene.wait_until(lambda: not transcript.finder.is_searching)
    assert transcript.finder.current is not None
    assert 40 in transcript.live
    area = transcript.viewport().rect()
    view = transcript.live[40]
    assert area.intersects(view.rect().translated(view.mapTo(transcript.viewport(), view.rect().topLeft())))


def test_a_search_result_in_folded_text_is_unfolded(scene: TranscriptScene) -> None:
    stored = [scene.user("word " * 2000 + "needle"), *long_chat(scene, "x")]
    transcript = scene.show(stored)
    transcript.show_query(0, "need")
    scene.wait_until(lambda: transcript.finder.current is not None)
    assert current_match(transcript)[0] == "need"


def test_a_search_result_in_the_reasoning_unfolds_it(scene: TranscriptScene) -> None:
    thought = "Hm.\n" * 200 + "A needle!\n" + "Hm.\n" * 200
    transcript = scene.show(long_chat(scene, "Yes.", reasoning=thought))
    transcript.show_query(40, "needle")
    scene.wait_until(lambda: transcript.finder.current is not None)
    word, off = current_match(transcript)
    assert word == "needle"
    assert off < 40


def test_highlights_of_a_search_end_with_escape_and_with_the_chat(scene: TranscriptScene) -> None:
    transcript = scene.show(long_chat(scene, "needle"))
    transcript.show_query(40, "needle")
    scene.wait_until(lambda: transcript.finder.current is not None)
    assert transcript.finder.clear_query()
    assert not any(e.extraSelections() for view in transcript.live.values() for e in view.text_views)
    assert not transcript.finder.clear_query()
    transcript.show_query(40, "needle")
    transcript.set_messages([scene.user("needle")])
    assert not transcript.finder.is_active
