"""The line at the upper edge stays where it is, whatever the width and size of the text."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint
from PySide6.QtGui import QTextCursor

from fakes.stored_messages import TranscriptScene
from fireside.core.chat import StoredMessage
from fireside.core.generation import OutputKind, TextDelta
from fireside.ui.chat.answer.text_view import TextView
from fireside.ui.chat.transcript.transcript import Transcript
from fireside.ui.theme import Theme, ThemeChoice

_PROSE = " ".join(f"Sentence {n} says as much as the others, and a little more." for n in range(60))
_CODE = "\n".join(f"    value_{n} = compute(value_{n - 1}, {n})  # of the step before" for n in range(80))
_ROWS = "\n".join(
    f"| row {n} | {'wide words ' * (1 + n % 9)} | {'other ' * (1 + n % 5)} |" for n in range(90)
)
_ITEMS = "\n".join(f"{n}. item {n} {'with more text ' * (n % 9)}" for n in range(1, 60))
_FORMULAS = "\n\n".join(f"So $x_{n}$ follows:\n\n$$x_{n} = \\frac{{{n}}}{{2}}$$" for n in range(8))
ANSWER = "\n\n".join(
    (
        _PROSE,
        f"```python\n{_CODE}\n```",
        f"| a | b | c |\n|---|---|---|\n{_ROWS}",
        _ITEMS,
        f"> {_PROSE}",
        _FORMULAS,
        "עברית " * 400,
        _PROSE,
    )
)


class Line(msgspec.Struct, frozen=True):
    """A line on the screen, by its text widget and a position in that."""

    text: TextView
    position: int
    top: int
    """Pixels from the upper edge."""


def top_of(transcript: Transcript, text: TextView, position: int) -> int:
    """Return how far below the edge the line is that has ``position``."""
    cursor = QTextCursor(text.document())
    cursor.setPosition(position)
    edge = transcript.viewport().mapToGlobal(QPoint(0, 0)).y()
    return text.mapToGlobal(text.cursorRect(cursor).topLeft()).y() - edge


def line_at_edge(transcript: Transcript) -> Line | None:
    """Return the first line that the upper edge crosses, found without the code that is tested."""
    for index in sorted(transcript.live):
        for text in transcript.live[index].text_views:
            if not isinstance(text, TextView) or not text.isVisible():
                continue
            block = text.document().begin()
            while block.isValid():
                for n in range(block.layout().lineCount()):
                    line = block.layout().lineAt(n)
                    position = block.position() + line.textStart()
                    top = top_of(transcript, text, position)
                    if top <= 0 < top + line.height() - 1:
                        return Line(text, position, top)
                block = block.next()
    return None


@pytest.fixture
def long_chat(scene: TranscriptScene) -> Transcript:
    transcript = scene.show([scene.user(_PROSE), scene.answer(ANSWER), scene.user(_PROSE)])
    scene.lay_out(transcript)
    transcript.verticalScrollBar().setValue(0)
    return transcript


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    at=st.floats(0.0, 0.97),
    widths=st.lists(st.integers(min_value=320, max_value=1200), min_size=1, max_size=6),
)
def test_the_line_at_the_edge_stays_at_any_width_and_back(
    scene: TranscriptScene, long_chat: Transcript, at: float, widths: list[int]
) -> None:
    transcript, bar = long_chat, long_chat.verticalScrollBar()
    transcript.resize(900, 600)
    bar.setValue(0)
    bar.setValue(round(bar.maximum() * at))
    scene.lay_out(transcript)
    bar.setValue(bar.value() + 1)
    line = line_at_edge(transcript)
    for width in (*widths, 900):
        transcript.resize(width, 600)
        scene.lay_out(transcript)
        if line is not None and bar.value() < bar.maximum():
            assert abs(top_of(transcript, line.text, line.position) - line.top) <= 1


def scrolled_into(transcript: Transcript, words: str) -> Line:
    """Scroll until a line with ``words`` is at the edge, and return that."""
    bar = transcript.verticalScrollBar()
    for index in range(len(transcript.entries)):
        for text in transcript.view_of(index).text_views:
            cursor = text.document().find(words)
            if not cursor.isNull():
                assert isinstance(text, TextView)
                transcript.column.show_message(index)
                bar.setValue(bar.value() + top_of(transcript, text, cursor.selectionStart()) + 3)
                line = line_at_edge(transcript)
                assert line is not None
                return line
    raise AssertionError(words)


@pytest.mark.parametrize("words", ["Sentence 40", "value_50 =", "row 60", "item 44", "עברית"])
def test_the_line_stays_when_the_text_has_another_size(
    scene: TranscriptScene, long_chat: Transcript, theme: Theme, words: str
) -> None:
    line = scrolled_into(long_chat, words)
    theme.set_text_size(20)
    scene.lay_out(long_chat)
    assert abs(top_of(long_chat, line.text, line.position) - line.top) <= 1
    theme.set_choice(ThemeChoice.LIGHT)
    theme.set_text_size(14)
    assert abs(top_of(long_chat, line.text, line.position) - line.top) <= 1


def test_very_long_code_is_whole_and_where_it_was_in_another_theme(
    scene: TranscriptScene, theme: Theme
) -> None:
    lines = "\n".join(f"x{n} = {n}" for n in range(1500))
    transcript = scene.show([scene.user("Go"), scene.answer(f"```python\n{lines}\n```")])
    scene.lay_out(transcript)
    line = scrolled_into(transcript, "x700 =")
    height = line.text.height()
    theme.set_choice(ThemeChoice.LIGHT)
    assert line.text.height() == height
    assert abs(top_of(transcript, line.text, line.position) - line.top) <= 1


@pytest.mark.parametrize("words", ["Sentence 40", "value_50 =", "row 60", "item 44"])
def test_the_line_is_found_again_in_a_chat_that_is_opened_anew_at_another_width(
    scene: TranscriptScene, long_chat: Transcript, words: str
) -> None:
    line = scrolled_into(long_chat, words)
    stored: list[StoredMessage] = [entry.message for entry in long_chat.entries]
    part = long_chat.live[1].text_views.index(line.text) if 1 in long_chat.live else 0
    other = scene.show(stored)
    other.resize(560, 600)
    other.column.scroll_to(long_chat.column.scroll_position)
    scene.lay_out(other)
    text = other.view_of(other.column.index_at(0)).text_views[part]
    assert isinstance(text, TextView)
    assert abs(top_of(other, text, line.position) - line.top) <= 1


def test_the_line_stays_while_thoughts_above_it_are_folded_and_text_below_it_grows(
    scene: TranscriptScene,
) -> None:
    running = scene.running()
    transcript = scene.show([scene.user("Go"), running])
    thoughts = TextDelta(text="I think. " * 400, kind=OutputKind.REASONING, n_completion=1)
    transcript.append_text(running.id, thoughts)
    transcript.append_text(running.id, TextDelta(text=f"{_PROSE}\n\n{_PROSE}", n_completion=9))
    transcript.entries[1].is_unfolded = True
    transcript.column.refresh(1)
    line = scrolled_into(transcript, "Sentence 30")
    transcript.entries[1].is_unfolded = False
    transcript.column.refresh(1)
    assert abs(top_of(transcript, line.text, line.position) - line.top) <= 1
    for _ in range(5):
        transcript.append_text(running.id, TextDelta(text=f"\n\n{_PROSE}", n_completion=99))
        transcript.resize(transcript.width() - 60, 600)
        assert abs(top_of(transcript, line.text, line.position) - line.top) <= 1
