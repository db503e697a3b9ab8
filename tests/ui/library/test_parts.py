"""Single widgets of the library's pages."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from fireside.ui.chat.answer.highlight import Lexers
from fireside.ui.library.detail.template import MAX_SHOWN, TemplateView
from fireside.ui.theme import Theme, ThemeChoice
from fireside.ui.widgets.flow import FlowLayout, flow_row
from fireside.ui.widgets.folding_button import FoldingButton


@pytest.fixture
def flow(qtbot: QtBot) -> tuple[QWidget, FlowLayout, list[QLabel]]:
    """Five labels of 100 by 20, ten pixels apart."""
    body, layout = flow_row(spacing=10)
    qtbot.addWidget(body)
    labels = [QLabel(str(n)) for n in range(5)]
    for label in labels:
        label.setFixedSize(100, 20)
        layout.addWidget(label)
    return body, layout, labels


@pytest.mark.parametrize(("width", "height"), [(540, 20), (539, 50), (210, 80), (99, 140)])
def test_what_does_not_fit_flows_into_the_next_line(
    flow: tuple[QWidget, FlowLayout, list[QLabel]], width: int, height: int
) -> None:
    assert flow[1].heightForWidth(width) == height


def test_what_is_hidden_takes_no_room(flow: tuple[QWidget, FlowLayout, list[QLabel]]) -> None:
    body, layout, labels = flow
    labels[0].hide()
    body.resize(540, 20)
    body.show()
    assert labels[1].x() == 0
    assert layout.heightForWidth(430) == 20


def test_a_mirrored_line_begins_at_the_right(flow: tuple[QWidget, FlowLayout, list[QLabel]]) -> None:
    body, _layout, labels = flow
    body.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    body.resize(540, 20)
    body.show()
    assert [label.x() for label in labels[:2]] == [440, 330]


def test_a_widget_can_be_put_before_others(flow: tuple[QWidget, FlowLayout, list[QLabel]]) -> None:
    body, layout, labels = flow
    first = QLabel("first")
    first.setFixedSize(100, 20)
    layout.insertWidget(0, first)
    body.resize(800, 20)
    body.show()
    assert (first.x(), labels[0].x()) == (0, 110)


def test_a_lower_widget_stands_in_the_middle_of_its_line(
    flow: tuple[QWidget, FlowLayout, list[QLabel]],
) -> None:
    body, _layout, labels = flow
    labels[0].setFixedSize(100, 40)
    body.resize(540, 40)
    body.show()
    assert labels[1].y() == 10


def test_a_folded_button_says_its_words_in_its_tool_tip(qtbot: QtBot) -> None:
    button = FoldingButton("Add file…", icon="file-plus")
    qtbot.addWidget(button)
    wide = button.sizeHint().width()
    button.fold(is_folded=True)
    assert button.text() == ""
    assert button.accessibleName() == "Add file…"
    assert "Add file…" in button.toolTip()
    assert button.sizeHint().width() < wide
    button.fold(is_folded=False)
    assert button.toolTip() == ""


@pytest.fixture
def source(qtbot: QtBot) -> TemplateView:
    view = TemplateView(name="Template", lexers=Lexers(), language="jinja")
    qtbot.addWidget(view)
    view.resize(500, 300)
    view.show()
    return view


def n_coloured(view: TemplateView) -> int:
    return sum(
        len(view.document().findBlockByNumber(n).layout().formats())
        for n in range(view.document().blockCount())
    )


def test_a_template_gets_its_colours(qtbot: QtBot, source: TemplateView, theme: Theme) -> None:
    source.show_text("{% for m in messages %}\n{{ m['role'] }}\n{% endfor %}")
    qtbot.waitUntil(lambda: n_coloured(source) > 5)
    theme.set_choice(ThemeChoice.DARK)
    qtbot.waitUntil(lambda: n_coloured(source) > 5)


def test_a_text_that_is_too_long_is_cut_with_a_word_about_it(source: TemplateView) -> None:
    source.show_text("x\n" * MAX_SHOWN)
    assert source.toPlainText().endswith(f"… and {MAX_SHOWN:,} more characters")


def test_a_line_that_is_too_long_to_lay_out_is_broken(source: TemplateView) -> None:
    source.show_text("x" * 12_000)
    assert source.document().blockCount() == 3
    assert source.toPlainText().replace("\n", "") == "x" * 12_000


def test_another_text_takes_the_place_of_the_first(source: TemplateView) -> None:
    source.show_text("{% if a %}")
    source.show_text("b")
    assert source.toPlainText() == "b"
