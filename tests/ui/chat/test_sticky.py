"""Headings of code and tables, and horizontal scroll bars, stay in sight while long blocks are scrolled."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFrame, QScrollBar, QWidget

from fakes.stored_messages import TranscriptScene
from fakes.widgets import child
from fireside.ui.chat.answer.code import CodeView
from fireside.ui.chat.answer.tables import TableView
from fireside.ui.chat.transcript.transcript import Transcript
from fireside.ui.theme import Theme, ThemeChoice

CODE = (
    "Before.\n\n```python\n" + "\n".join(f"x{n} = '{'wide ' * 60}'" for n in range(200)) + "\n```\n\nAfter."
)
TABLE = "| Name | Value |\n|---|---|\n" + "\n".join(f"| {'W' * 150} | {n} |" for n in range(120))


def shown(scene: TranscriptScene, text: str) -> Transcript:
    transcript = scene.show([scene.user("Go"), scene.answer(f"{text}\n\n{'Words. ' * 2000}")])
    scene.lay_out(transcript)
    transcript.verticalScrollBar().setValue(900)
    return transcript


def top_in(transcript: Transcript, widget: QWidget) -> int:
    return transcript.viewport().mapFromGlobal(widget.mapToGlobal(QPoint(0, 0))).y()


def floating_bars(transcript: Transcript) -> list[QScrollBar]:
    """The visible scroll bars at the lower edge of the view."""
    edge = transcript.viewport().height()
    bars = transcript.viewport().findChildren(QScrollBar)
    return [bar for bar in bars if bar.isVisible() and top_in(transcript, bar) + bar.height() == edge]


def test_language_and_copy_of_long_code_stay_at_the_upper_edge(scene: TranscriptScene, theme: Theme) -> None:
    transcript = shown(scene, CODE)
    code = child(transcript.live[1], CodeView)
    head = child(code, QFrame, "codeHead")
    assert top_in(transcript, head) == 0
    QTest.mouseClick(code.copy_button, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text() == code.source
    theme.set_choice(ThemeChoice.LIGHT)
    assert top_in(transcript, head) == 0
    transcript.verticalScrollBar().setValue(0)
    assert head.y() == 1


def test_the_heading_leaves_with_the_end_of_its_code(scene: TranscriptScene) -> None:
    transcript = shown(scene, CODE)
    code = child(transcript.live[1], CodeView)
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.value() + top_in(transcript, code) + code.height() - 5)
    assert top_in(transcript, child(code, QFrame, "codeHead")) < 0


def test_the_scroll_bar_of_long_wide_code_is_at_the_lower_edge(scene: TranscriptScene) -> None:
    transcript = shown(scene, CODE)
    code = child(transcript.live[1], CodeView)
    (bar,) = floating_bars(transcript)
    own = code.scroll_bar
    assert own is not None
    bar.setValue(120)
    assert own.value() == 120
    own.setValue(60)
    assert bar.value() == 60
    scroll = transcript.verticalScrollBar()
    scroll.setValue(scroll.maximum())
    assert floating_bars(transcript) == []


def test_the_names_of_columns_stay_and_all_parts_of_a_table_scroll_by_one_bar(scene: TranscriptScene) -> None:
    transcript = shown(scene, TABLE)
    parts = transcript.live[1].findChildren(TableView)
    assert len(parts) > 2
    (bar,) = floating_bars(transcript)
    bar.setValue(80)
    assert {part.scroll_bar.value() for part in parts} == {80}
    first = parts[0]
    at_edge = [
        each
        for each in transcript.live[1].children()
        if isinstance(each, QWidget) and each.isVisible() and top_in(transcript, each) == 0
    ]
    (head,) = [each for each in at_edge if each.height() == first.head_height]
    assert head.x() == first.x()
    transcript.verticalScrollBar().setValue(0)
    assert not head.isVisible()
