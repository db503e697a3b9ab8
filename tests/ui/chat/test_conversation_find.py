"""Finding words in a conversation: counted everywhere, marked where they are seen, gone through by keys."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fakes.stored_messages import Messages, ShowTranscript
from fireside.core.chat import StoredMessage
from fireside.core.generation import TextDelta
from fireside.core.message import ReasoningPart
from fireside.ui.chat.find_bar import FindBar
from fireside.ui.chat.message_item import make_entry
from fireside.ui.chat.selected_text import text_between, written_text
from fireside.ui.chat.text_search import (
    MatchCounts,
    MatchPosition,
    Query,
    count_matches,
    match_spans,
    shown_texts,
)
from fireside.ui.chat.transcript import Transcript

Shift = Qt.KeyboardModifier.ShiftModifier
ANSWER = (
    "A **needle** and _nee_dle, [needle](https://example.org/needle).\n\n"
    "| a | b |\n|---|---|\n| needle | x |\n\n```\nneedle = 1\nNeedle\n```\n"
)


def bar_of(transcript: Transcript) -> FindBar:
    found = transcript.findChild(FindBar)
    assert found is not None
    return found


class Find:
    """Opens the bar and types, as a user does."""

    def __init__(self, qtbot: QtBot, transcript: Transcript) -> None:
        self._qtbot = qtbot
        self.transcript = transcript
        transcript.finder.open()
        self.bar = bar_of(transcript)

    def type(self, text: str) -> str:
        self.bar.field.clear()
        QTest.keyClicks(self.bar.field, text)
        return self.count()

    def count(self) -> str:
        self._qtbot.waitUntil(lambda: not self.transcript.finder.is_searching)
        return self.bar.count.text()

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> str:
        QTest.keyClick(self.bar.field, key, modifiers)
        return self.count()


@pytest.fixture
def find(qtbot: QtBot, show_transcript: ShowTranscript, messages: Messages) -> Find:
    shown = [messages.user("Where is the needle?"), messages.answer(ANSWER)]
    for number in range(60):
        shown += [messages.user(f"Question {number}"), messages.answer(f"Answer {number}.\n\n" * 6)]
    shown += [messages.answer("The last needle")]
    return Find(qtbot, show_transcript(shown))


def test_all_are_counted_also_in_messages_that_are_far_away(find: Find) -> None:
    assert find.type("needle").endswith(" of 7")


def test_the_one_nearest_to_what_is_seen_is_shown_first(find: Find) -> None:
    assert find.type("needle") == "7 of 7"


def test_enter_goes_on_and_after_the_last_comes_the_first(find: Find) -> None:
    find.type("needle")
    assert find.key(Qt.Key.Key_Return) == "1 of 7"
    assert 0 in find.transcript.live
    assert find.transcript.column.scroll_position is not None


def test_enter_with_shift_goes_back(find: Find) -> None:
    find.type("needle")
    assert find.key(Qt.Key.Key_Return, Shift) == "6 of 7"
    assert find.key(Qt.Key.Key_F3, Shift) == "5 of 7"


def test_each_one_gone_to_is_seen_and_marked_apart(find: Find) -> None:
    find.type("needle")
    for _ in range(7):
        find.key(Qt.Key.Key_F3)
        place = find.transcript.finder.current
        assert place is not None
        edit = find.transcript.live[place.message].text_views[place.part]
        marks = edit.extraSelections()
        here = [mark for mark in marks if mark.format == find.transcript.column.transcript_style.found_here]
        assert [mark.cursor.selectedText().lower() for mark in here] == ["needle"]
        y = edit.viewport().mapTo(find.transcript, edit.cursorRect(here[0].cursor).center()).y()
        assert 0 < y < find.transcript.height()


def test_upper_and_lower_case_count_when_asked_to(find: Find) -> None:
    find.type("Needle")
    find.bar.match_case.click()
    assert find.count().endswith(" of 1")


def test_whole_words_alone_count_when_asked_to(find: Find) -> None:
    assert find.type("questio").endswith(" of 60")
    find.bar.whole_words.click()
    assert find.count() == "No results"


def test_what_is_not_there_is_said_and_leads_nowhere(find: Find) -> None:
    assert find.type("haystack") == "No results"
    assert not find.bar.next.isEnabled()
    assert find.key(Qt.Key.Key_Return) == "No results"


def test_escape_takes_bar_and_marks_away_and_gives_the_keyboard_back(find: Find) -> None:
    find.type("needle")
    find.key(Qt.Key.Key_Escape)
    assert find.bar.isHidden()
    assert all(not e.extraSelections() for view in find.transcript.live.values() for e in view.text_views)
    assert QApplication.focusWidget() is find.transcript


def test_text_that_streams_in_is_found_too(
    qtbot: QtBot, show_transcript: ShowTranscript, messages: Messages
) -> None:
    running = messages.running()
    find = Find(qtbot, show_transcript([messages.user("needle"), running]))
    assert find.type("needle") == "1 of 1"
    find.transcript.append_text(running.id, TextDelta(text="a needle, a needle", n_completion=3))
    assert bar_of(find.transcript).count.text() == "1 of 3"


def test_another_conversation_is_looked_through_anew(find: Find, messages: Messages) -> None:
    find.type("needle")
    find.transcript.set_messages([messages.user("one needle")])
    assert find.count() == "1 of 1"


def test_one_in_the_folded_part_of_a_long_message_unfolds_it(
    qtbot: QtBot, show_transcript: ShowTranscript, messages: Messages
) -> None:
    find = Find(qtbot, show_transcript([messages.user("word " * 2000 + "needle"), messages.answer("x")]))
    assert find.type("needle") == "1 of 1"
    assert "needle" in find.transcript.live[0].text_views[0].toPlainText()


def test_selected_words_are_what_is_looked_for_first(find: Find) -> None:
    find.transcript.selection.select_all()
    find.transcript.finder.open()
    assert find.bar.field.text() == ""


def test_a_selection_and_what_was_found_are_marked_together(find: Find) -> None:
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
    ],
)
def test_texts_of_a_message_are_those_of_its_widgets(
    show_transcript: ShowTranscript, messages: Messages, source: str
) -> None:
    message = messages.answer(source)
    transcript = show_transcript([message])
    view = transcript.view_of(0)
    view.finish_layout()
    widgets = [written_text(edit.document()).text.split() for edit in view.text_views]
    texts = [text.replace("☐", "").split() for text in shown_texts(make_entry(message))]
    assert widgets == texts


def test_the_source_of_a_formula_is_found_and_its_picture_marked(
    qtbot: QtBot, show_transcript: ShowTranscript, messages: Messages
) -> None:
    transcript = show_transcript([messages.answer("Half 𝔘 $\\frac{1}{2}$ and $x_i$ here.")])
    edit = transcript.view_of(0).text_views[0]
    qtbot.waitUntil(lambda: not any(x in edit.toPlainText() for x in ("frac", "x_i")))
    find = Find(qtbot, transcript)
    for wanted, source in (("frac", "$\\frac{1}{2}$"), ("x_i", "$x_i$"), ("here", "here")):
        assert find.type(wanted) == "1 of 1"
        (mark,) = edit.extraSelections()
        cursor = mark.cursor
        tr_noop = text_between(edit.document(), cursor.selectionStart(), cursor.selectionEnd())
        assert tr_noop == source


def test_places_are_counted_as_qt_does() -> None:
    assert match_spans("𝔘 x 𝔘x", Query(text="x").pattern()) == [(3, 4), (7, 8)]


def test_any_space_stands_for_any_other() -> None:
    assert count_matches(["two\nwords two  words"], Query(text="two words").pattern()) == [2]


def test_signs_of_patterns_are_letters_like_others() -> None:
    assert count_matches(["a.c abc (a"], Query(text="a.c").pattern()) == [1]
    assert count_matches(["a.c abc (a"], Query(text="(a").pattern()) == [1]


def test_a_tally_goes_round_in_both_directions() -> None:
    tally = MatchCounts()
    tally.set(3, [0, 2])
    tally.set(9, [1])
    places = [
        MatchPosition(message=3, part=1, nth=0),
        MatchPosition(message=3, part=1, nth=1),
        MatchPosition(message=9, part=0, nth=0),
    ]
    assert [tally.after(place) for place in places] == [*places[1:], places[0]]
    assert [tally.before(place) for place in places] == [places[-1], *places[:-1]]
    assert [tally.number(place) for place in places] == [1, 2, 3]
    tally.truncate(5)
    assert tally.total == 2


def marked_here(transcript: Transcript) -> tuple[str, int]:
    """What is marked apart from the others, and how far its middle is from the middle of the page."""
    place = transcript.finder.current
    assert place is not None
    edit = transcript.live[place.message].text_views[place.part]
    marks = [
        mark
        for mark in edit.extraSelections()
        if mark.format == transcript.column.transcript_style.found_here
    ]
    y = edit.viewport().mapTo(transcript.viewport(), edit.cursorRect(marks[0].cursor).center()).y()
    return marks[0].cursor.selectedText(), abs(y - transcript.viewport().height() // 2)


def thoughtful(message: StoredMessage, reasoning: str) -> StoredMessage:
    if not reasoning:
        return message
    parts = (ReasoningPart(text=reasoning), *message.message.parts)
    return msgspec.structs.replace(message, message=msgspec.structs.replace(message.message, parts=parts))


def long_chat(messages: Messages, answer: str, *, reasoning: str = "") -> list[StoredMessage]:
    shown = [messages.user(f"Question {number}") for number in range(40)]
    shown += [thoughtful(messages.answer(answer), reasoning)]
    return [*shown, *(messages.user(f"Other question {number}") for number in range(40))]


def test_a_message_that_a_search_found_shows_the_words_in_the_middle(
    qtbot: QtBot, show_transcript: ShowTranscript, messages: Messages
) -> None:
    answer = "A line.\n\n" * 200 + "The Ærøskøbing Café.\n\n" + "A line.\n\n" * 200
    transcript = show_transcript(long_chat(messages, answer))
    transcript.show_query(40, "cafe")
    qtbot.waitUntil(lambda: transcript.finder.current is not None)
    word, off = marked_here(transcript)
    assert word == "Café"
    assert off < 40


def test_words_in_the_part_of_a_message_that_is_folded_are_shown(
    qtbot: QtBot, show_transcript: ShowTranscript, messages: Messages
) -> None:
    shown = [messages.user("word " * 2000 + "needle"), *long_chat(messages, "x")]
    transcript = show_transcript(shown)
    transcript.show_query(0, "need")
    qtbot.waitUntil(lambda: transcript.finder.current is not None)
    assert marked_here(transcript)[0] == "need"


def test_words_that_only_the_reasoning_has_open_it(
    qtbot: QtBot, show_transcript: ShowTranscript, messages: Messages
) -> None:
    thought = "Hm.\n" * 200 + "A needle!\n" + "Hm.\n" * 200
    transcript = show_transcript(long_chat(messages, "Yes.", reasoning=thought))
    transcript.show_query(40, "needle")
    qtbot.waitUntil(lambda: transcript.finder.current is not None)
    word, off = marked_here(transcript)
    assert word == "needle"
    assert off < 40


def test_the_marks_of_a_search_go_with_escape_and_with_the_chat(
    qtbot: QtBot, show_transcript: ShowTranscript, messages: Messages
) -> None:
    transcript = show_transcript(long_chat(messages, "needle"))
    transcript.show_query(40, "needle")
    qtbot.waitUntil(lambda: transcript.finder.current is not None)
    assert transcript.finder.clear_query()
    assert not any(e.extraSelections() for view in transcript.live.values() for e in view.text_views)
    assert not transcript.finder.clear_query()
    transcript.show_query(40, "needle")
    transcript.set_messages([messages.user("needle")])
    assert not transcript.finder.is_active
