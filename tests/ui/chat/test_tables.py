"""Long tables: parts that look, scroll and copy like one table."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from fakes.stored_messages import TranscriptScene
from fakes.widgets import parent_of
from fireside.markup.block_stream import BlockKind, MarkdownStream, split_blocks
from fireside.ui.chat.answer.block_column import BlockColumn
from fireside.ui.chat.answer.blocks import QuoteView
from fireside.ui.chat.answer.highlight import Lexers
from fireside.ui.chat.answer.tables import TableView
from fireside.ui.chat.answer.transcript_style import TranscriptStyle
from fireside.ui.chat.transcript.plain_copy import markdown_to_html, markdown_to_text
from fireside.ui.chat.transcript.selection_controller import Point, Selection

HEAD = "| name | value |\n|---|--:|\n"
Show = Callable[[str], BlockColumn]


def rows(first: int, last: int) -> str:
    return "".join(f"| row {n} | {n} |\n" for n in range(first, last))


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    parent = QWidget()
    parent.resize(600, 400)
    qtbot.addWidget(parent)
    return parent


@pytest.fixture
def column(parent: QWidget) -> BlockColumn:
    return BlockColumn(TranscriptStyle(Lexers()), parent, clock=lambda: 0.0)


def show(column: BlockColumn, text: str, *, width: int = 600) -> list[TableView]:
    column.append(text)
    column.build()
    column.layout(x=0, y=0, width=width)
    return parts_of(column)


def parts_of(column: BlockColumn) -> list[TableView]:
    return [view for _, view in column._views if isinstance(view, TableView)]


def test_a_long_table_is_split_into_parts_with_all_rows(column: BlockColumn) -> None:
    parts = show(column, HEAD + rows(0, 100))
    assert len(parts) > 2
    lines = "\n".join(text_view.toPlainText() for text_view in column.text_views).split()
    assert [word for word in lines if word.isdigit()] == [str(n) for n in range(100) for _ in range(2)]


lines = st.sampled_from(
    ["| a | b |", "|---|:-:|", "| [x] | `c` |", "| d", "text", "", "> quote", "| - | 1", "- item"]
)


@given(st.lists(lines, max_size=6), st.integers(0, 80), st.lists(lines, max_size=6), st.data())
def test_a_streamed_table_equals_the_table_parsed_whole(
    before: list[str], n_rows: int, after: list[str], data: st.DataObject
) -> None:
    text = "\n".join([*before, "| x | y |", "|---|---|", *(f"| {n} | z |" for n in range(n_rows)), *after])
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=20)))
    stream = MarkdownStream()
    for start, end in pairwise([0, *cuts, len(text)]):
        stream.append(text[start:end])
    assert list(stream.blocks) == list(split_blocks(text))
    assert "".join(text[block.start : block.end] for block in stream.blocks) in text


def test_rows_above_are_not_laid_out_again_while_more_stream_in(column: BlockColumn) -> None:
    parts = show(column, HEAD + rows(0, 60))
    revisions = [part.text_view.document().revision() for part in parts[:-1] if part.text_view is not None]
    parts = show(column, rows(60, 62))
    assert [p.text_view.document().revision() for p in parts if p.text_view is not None][
        : len(revisions)
    ] == revisions


def test_the_parts_have_no_gap_and_the_same_columns(column: BlockColumn) -> None:
    parts = show(column, HEAD + rows(0, 80))
    assert len({part._widths() for part in parts}) == 1
    for above, below in pairwise(parts):
        assert above.geometry().bottom() + 1 == below.geometry().top()


@pytest.mark.parametrize("width", [600, 150])
def test_a_longer_word_further_down_widens_the_columns_of_all_parts(column: BlockColumn, width: int) -> None:
    before = show(column, HEAD + rows(0, 60), width=width)[0]._widths()
    parts = show(column, f"| {'unbreakable' * 6} | 1 |\n", width=width)
    assert parts[0]._widths()[0] > before[0]
    assert len({part._widths() for part in parts}) == 1


def test_a_narrower_window_lays_out_all_parts_with_the_same_columns(column: BlockColumn) -> None:
    wide = show(column, HEAD + rows(0, 80))[0]._widths()
    parts = show(column, "", width=300)
    assert sum(parts[0]._widths()) < sum(wide)
    assert len({part._widths() for part in parts}) == 1


def test_a_wide_table_scrolls_as_one_with_one_bar_below_it(
    qtbot: QtBot, parent: QWidget, column: BlockColumn
) -> None:
    head = "|" + "|".join(f"column{n}" for n in range(12)) + "|\n|" + "-|" * 12 + "\n"
    wide = "|" + "unbreakable|" * 12 + "\n"
    parts = show(column, head + wide * 50)
    with qtbot.waitExposed(parent):
        parent.show()
    parts[0].horizontalScrollBar().setValue(40)
    assert [part.horizontalScrollBar().value() for part in parts] == [40] * len(parts)
    *above, last = [part.horizontalScrollBar().isVisible() for part in parts]
    assert not any(above)
    assert last
    more = show(column, wide * 30)
    assert len(more) > len(parts)
    qtbot.waitUntil(lambda: [part.horizontalScrollBar().value() for part in more] == [40] * len(more))


def test_the_columns_agree_again_after_the_theme_changed(column: BlockColumn) -> None:
    show(column, HEAD + rows(0, 80))
    column.restyle(TranscriptStyle(Lexers()))
    assert len({part._widths() for part in show(column, "")}) == 1


def test_a_removed_part_leaves_the_columns_to_the_others(column: BlockColumn) -> None:
    parts = show(column, HEAD + rows(0, 60))
    column.clear()
    assert parts[0].columns.parts == []
    assert len(show(column, HEAD + rows(0, 2))) == 1


def test_rows_of_several_parts_are_copied_without_a_gap(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.answer(f"{HEAD}{rows(0, 60)}\nend")])
    scene.wait_until(lambda: len(transcript.live[0].text_views) == 4)
    transcript.selection._selection = Selection(
        anchor=Point(message=0, block=0, position=0), caret=Point(message=0, block=3, position=2)
    )
    assert (
        transcript.selection.text()
        == "name\tvalue\n" + "".join(f"row {n}\t{n}\n" for n in range(60)) + "\nen"
    )
    assert transcript.selection.markdown() == f"{HEAD}{rows(0, 60)}\nen"
    transcript.selection.select_all()
    assert "row 23\t23\nrow 24\t24\nrow 25\t25\n" in transcript.selection.text()


def test_a_match_far_down_a_table_is_scrolled_to(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.answer(HEAD + rows(0, 300) + "| needle | 1 |\n" + rows(301, 400))])
    transcript.finder.open()
    QApplication.processEvents()
    transcript.finder.bar.field.setText("needle")
    scene.wait_until(lambda: transcript.finder.bar.count.text() == "1 of 1")
    position = transcript.finder.current
    assert position is not None
    text_view = transcript.live[0].text_views[position.part]
    assert "needle" in text_view.toPlainText()

    def is_in_view() -> bool:
        lines = parent_of(parent_of(text_view))
        assert isinstance(lines, QScrollArea)
        top = lines.mapTo(transcript.viewport(), lines.rect().topLeft()).y()
        return top < transcript.viewport().height() and top + lines.height() > 0

    scene.wait_until(is_in_view)


def test_a_table_of_too_many_columns_is_shown_as_source() -> None:
    text = "|" + "a|" * 500 + "\n|" + "-|" * 500 + "\n"
    assert [block.kind for block in split_blocks(text)] == [BlockKind.PROSE]


def needed_by(column: BlockColumn) -> int:
    """Return the width of the widest part's text in pixels."""
    return max(text_view.width() for text_view in column.text_views)


@pytest.mark.parametrize("n_rows", [3, 60], ids=["one part", "several parts"])
def test_a_table_that_nearly_fits_breaks_its_words_and_a_much_wider_one_scrolls(
    column: BlockColumn, n_rows: int
) -> None:
    head = f"| {'word_' * 9} | {'name_' * 9} | c |\n|---|---|---|\n"
    show(column, head + "| a | b | c |\n" * n_rows, width=4_000)
    columns = parts_of(column)[0].columns
    whole = sum(parts_of(column)[0].natural_widths(10))
    for share, scrolls in ((1.1, False), (0.9, False), (0.8, False), (0.6, True), (1.1, False)):
        width = round(whole * share)
        columns.invalidate()
        column.layout(x=0, y=0, width=width)
        assert (needed_by(column) > width) is scrolls, share
    assert len(parts_of(column)) == (1 if n_rows == 3 else 3)


@pytest.mark.parametrize("spare", [1, -20, -60])
def test_longer_numbers_further_down_are_not_broken(column: BlockColumn, spare: int) -> None:
    head = "| no | name | value | note | more |\n|--:|---|:-:|---|---|\n"
    text = "a rather long text"
    some = "".join(f"| {n} | {text} | {n} | {text} {n} | {n} |\n" for n in range(60, 130))
    parts = show(column, head + some, width=2_000)
    width = round(sum(parts[0].natural_widths(10))) + spare
    parts[0].columns.invalidate()
    column.layout(x=0, y=0, width=width)
    assert parts[0].columns.breaks_words
    for text_view in column.text_views:
        block = text_view.document().begin()
        while block.isValid():
            assert block.layout().lineCount() <= 1 or not block.text().isdigit(), block.text()
            block = block.next()


def test_a_quotation_in_arabic_has_its_bar_at_the_right(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.answer("> البنفسجي يتشتت أكثر.")])
    (quote,) = transcript.live[0].findChildren(QuoteView)
    (bar,) = quote.bars
    assert bar.right() == quote.width()
    assert quote.text_view is not None
    assert quote.text_view.geometry().right() < bar.left()


def test_a_nested_quotation_has_its_own_bar(scene: TranscriptScene) -> None:
    text = "> One\n>\n> > Two\n> >\n> > > Three\n>\n> One again\n>\n> > Two again"
    transcript = scene.show([scene.answer(text)])
    (quote,) = transcript.live[0].findChildren(QuoteView)
    outer, second, third, again = quote.bars
    assert (second.left() - outer.left(), third.left() - second.left()) == (16, 14)
    assert second.top() <= third.top() < third.bottom() <= second.bottom() < again.top()
    assert outer.bottom() >= again.bottom() - 4
    assert again.left() == second.left()


def test_a_table_in_a_quotation_stands_beside_one_bar_with_the_text_around_it(scene: TranscriptScene) -> None:
    text = (
        "> before\n>\n> | a | b |\n> |---|---|\n> | 1 | 2 |\n>\n> after\n\n- x\n\n  | a | b |\n  |---|---|\n"
    )
    view = scene.show([scene.answer(text)]).live[0]
    quoted, listed = view.findChildren(TableView)
    before, after = view.findChildren(QuoteView)
    (bar,) = (bar for bar in view.findChildren(QFrame, "quoteBar") if bar.isVisible())
    assert (bar.x(), bar.y()) == (before.x(), before.y() + 2)
    assert before.geometry().bottom() < quoted.y() < quoted.geometry().bottom() < after.y()
    assert bar.geometry().bottom() == after.geometry().bottom() - 2
    assert quoted.x() > bar.geometry().right()
    assert listed.x() > before.x()
    assert all("Option" not in table.text_view.toPlainText() for table in (quoted, listed) if table.text_view)


@pytest.mark.parametrize(
    ("prefix", "lead"), [("  ", "- x\n\n"), ("> ", "> x\n>\n"), ("> > ", "> x\n> > y\n> >\n")]
)
def test_a_table_in_a_list_or_quotation_is_copied_as_a_table(prefix: str, lead: str) -> None:
    table = "".join(f"{prefix}{line}\n" for line in ("| a | b |", "|---|---|", "| 1 | 2 |"))
    end = f"{prefix.rstrip()}\n{prefix}end" if ">" in prefix else "\n  end"
    html = markdown_to_html(f"{lead}{table}{end}")
    assert html.count("<table") == html.count("</table>") == 1
    assert html.index("<table") < html.index("<tr>") < html.index("</table>") < html.index("end")
    assert html.count("<blockquote>") == html.count("</blockquote>")
    assert markdown_to_text(f"{lead}{table}{end}").split("\n\n")[-2:] == ["a\tb\n1\t2", "end"]


def test_a_quotation_with_a_table_is_copied_as_one() -> None:
    html = markdown_to_html("> x\n>\n> | a |\n> |---|\n> | 1 |\n>\n> y")
    assert html.count("<blockquote>") == 1
    assert html.endswith("<p>y</p></blockquote>")
