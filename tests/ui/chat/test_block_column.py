"""The widgets of one answer: made in slices, kept while their block is unchanged."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from fireside.ui.chat.answer.block_column import BlockColumn
from fireside.ui.chat.answer.highlight import Lexers
from fireside.ui.chat.answer.transcript_style import TranscriptStyle

MakeColumn = Callable[[Callable[[], float]], BlockColumn]


@pytest.fixture
def _at_once() -> None:
    """Slices as long as in the program."""


@pytest.fixture
def make_column(qtbot: QtBot) -> MakeColumn:
    parent = QWidget()
    qtbot.addWidget(parent)
    return lambda clock: BlockColumn(TranscriptStyle(Lexers()), parent, clock=clock)


def ticking(step_s: float) -> Callable[[], float]:
    """A clock that advances by ``step_s`` with each reading."""
    times = count()
    return lambda: next(times) * step_s


def test_widgets_are_made_in_slices_of_25_ms(make_column: MakeColumn) -> None:
    column = make_column(ticking(0.005))
    column.append("```\ncode\n```\n\n" * 30)
    column.build()
    assert len(column.text_views) == 6
    assert not column.is_built
    for _ in range(4):
        column.build()
    assert column.is_built
    assert len(column.text_views) == 30


def test_an_answer_of_very_many_blocks_makes_more_widgets_on_request(make_column: MakeColumn) -> None:
    column = make_column(lambda: 0.0)
    column.append("```\ncode\n```\n\n" * 600)
    column.build()
    assert (len(column.text_views), column.is_built) == (500, True)
    assert column.n_hidden == 100 * len("```\ncode\n```\n\n")
    column.allow_more()
    column.build()
    assert (len(column.text_views), column.n_hidden) == (600, 0)


def test_an_unchanged_block_keeps_its_widget_while_text_streams(make_column: MakeColumn) -> None:
    column = make_column(lambda: 0.0)
    column.append("First.\n\n```\na\n")
    column.build()
    before = list(column.text_views)
    column.append("b\n```\n\nLast.")
    column.build()
    assert list(column.text_views[:2]) == before
    assert [text_view.toPlainText() for text_view in column.text_views] == ["First.", "a\nb", "Last."]


def test_a_block_that_turns_into_another_kind_gets_another_widget(make_column: MakeColumn) -> None:
    column = make_column(lambda: 0.0)
    column.append("para\n\na | b\n")
    column.build()
    column.append("---|---\n1 | 2\n")
    column.build()
    assert column.text_views[0].toPlainText() == "para"
    assert column.text_views[1].document().toPlainText().split() == ["a", "b", "1", "2"]
