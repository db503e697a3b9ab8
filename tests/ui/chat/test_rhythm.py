"""One rule for the space between the parts of an answer, at every text size."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QRectF

from fakes.stored_messages import TranscriptScene
from fireside.ui.chat.answer.tables import TableView
from fireside.ui.chat.style import LINE_PERCENT
from fireside.ui.theme import Theme

PARTS = (
    "one\n\ntwo\n\n- item\n- last\n\n1. first\n2. second\n   - inner\n3. third\n\nafter\n\n"
    "## Heading\n\nbeneath\n"
)


def gaps(boxes: dict[str, QRectF], *pairs: tuple[str, str]) -> Iterator[float]:
    """Yield the distance from the top of one paragraph to that of the next."""
    for above, below in pairs:
        yield boxes[below].top() - boxes[above].top()


@pytest.mark.parametrize("text_px", [14, 28])
def test_the_space_between_blocks_follows_one_rule(
    scene: TranscriptScene, theme: Theme, text_px: int
) -> None:
    theme.set_text_size(text_px)
    (text,) = scene.show([scene.answer(PARTS)]).column.view_of(0).text_views
    document, boxes = text.document(), {}
    block = document.begin()
    while block.isValid():
        boxes[block.text()] = document.documentLayout().blockBoundingRect(block)
        block = block.next()
    paragraph, to_list, between_lists, from_list = gaps(
        boxes, ("one", "two"), ("two", "item"), ("last", "first"), ("third", "after")
    )
    assert to_list == pytest.approx(paragraph, abs=0.5)
    assert between_lists == pytest.approx(paragraph, abs=0.5)
    assert from_list == pytest.approx(paragraph, abs=0.5)
    item, to_inner, from_inner = gaps(boxes, ("first", "second"), ("second", "inner"), ("inner", "third"))
    assert item < paragraph
    assert to_inner == pytest.approx(item, abs=0.5)
    assert from_inner == pytest.approx(item, abs=0.5)
    above = boxes["Heading"].top() - boxes["after"].bottom()
    below = boxes["beneath"].top() - boxes["Heading"].bottom()
    assert above > 1.5 * below


@pytest.mark.parametrize("end", ["\n\nafter\n", "\n\n1. after\n", "\n\n```\nafter\n```\n\nlast\n"])
def test_a_list_that_ends_with_an_inner_list_is_as_far_from_what_follows(
    scene: TranscriptScene, end: str
) -> None:
    source = f"one\n\ntwo\n\n- item\n- outer\n  - inner\n  - deep{end}"
    (text, *_) = scene.show([scene.answer(source)]).column.view_of(0).text_views
    block, below = text.document().begin(), {}
    while block.isValid():
        below[block.text()] = block.blockFormat().bottomMargin()
        block = block.next()
    assert below["deep"] == below["one"]
    assert below["item"] == below["outer"] == below["inner"] < below["one"]


def test_a_heading_after_code_keeps_its_distance(scene: TranscriptScene) -> None:
    source = "one\n\n```\ncode\n```\n\n## Heading\n\ntwo\n\n```\ncode\n```\n\nthree\n"
    views = scene.show([scene.answer(source)]).column.view_of(0).text_views
    tops = [each.mapTo(each.window(), QPoint()).y() for each in views]
    _, code, heading, second_code, text = tops
    assert heading - code > text - second_code


def test_cells_have_the_line_height_of_text(scene: TranscriptScene) -> None:
    views = scene.show([scene.answer("| a | b |\n|---|---|\n| one | two |\n")])
    (table,) = views.findChildren(TableView)
    assert table.text_view is not None
    document = table.text_view.document()
    cells = [document.findBlockByNumber(n) for n in range(document.blockCount())]
    assert {cell.blockFormat().lineHeight() for cell in cells if cell.text()} == {LINE_PERCENT}


def test_a_table_that_fits_has_no_scroll_bar_at_any_width(scene: TranscriptScene) -> None:
    source = (
        "| Planet | Radius | Days in a year | Moons |\n|---|--:|--:|:-:|\n| Venus | 6,052 km | 225 | 0 |\n"
    )
    (table,) = scene.show([scene.answer(source)]).findChildren(TableView)
    assert table.text_view is not None
    for width in range(500, 800):
        assert table.height_for(width) == table.text_view.height(), width
