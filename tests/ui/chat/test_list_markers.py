"""Numbers, bullets and boxes of lists, as they are painted."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QTextBlock, QTextBlockFormat

from fakes.stored_messages import TranscriptScene
from fireside.bridge.list_markers import number_of
from fireside.core.generation import TextDelta
from fireside.markup.block_stream import BlockKind, MarkdownStream, split_blocks
from fireside.markup.list_numbers import list_numbers
from fireside.ui.chat.answer.code import CodeView
from fireside.ui.chat.answer.text_view import TextView
from fireside.ui.chat.transcript.plain_copy import markdown_to_html, markdown_to_text
from fireside.ui.theme import Theme

NUMBERS = (
    "98. a\n99. b\n100. c\n101. d\n\nYears:\n\n1986. A year\n1987. Another\n\nLarge:\n\n123456789. One\n\n"
    "- nested\n\n  100. in bullets\n       1. in numbers\n\n> 1998. quoted\n> > 12345. twice\n\n"
    "7. # heading\n8. [x] done\n9. [ ] open\n\nmore\n\n1000. [ ] open"
)
ARABIC_NUMBERS = (
    "98. مع\n99. ثم\n100. وأخيرا\n\nسنوات\n\n1986. سنة\n\n      123456789. كبير\n\n> 1998. اقتباس"
)
LISTS = "- one\n  - two\n    - three\n- [ ] open\n- [x] done\n\n1. first\n"


@pytest.fixture
def texts(scene: TranscriptScene) -> list[TextView]:
    transcript = scene.show([scene.user("Why?"), scene.answer(LISTS)])
    text_views = [text_view for view in transcript.live.values() for text_view in view.text_views]
    return [
        text_view
        for text_view in text_views
        if isinstance(text_view, TextView) and text_view.document().begin().textList()
    ]


def margins(text_views: list[TextView]) -> Iterator[tuple[str, QImage]]:
    """Yield the picture of the marker before each unnumbered item, with the item's text."""
    for text_view in text_views:
        picture = text_view.grab().toImage()
        ratio = picture.devicePixelRatio()
        layout, block = text_view.document().documentLayout(), text_view.document().begin()
        while block.isValid():
            items = block.textList()
            if items is not None and not number_of(block):
                box = layout.blockBoundingRect(block)
                text = box.left() + block.layout().lineAt(0).naturalTextRect().left()
                area = [round(side * ratio) for side in (text - 22, box.top(), 22, box.height())]
                yield block.text(), picture.copy(*area)
            block = block.next()


def colours(picture: QImage) -> list[str]:
    return [picture.pixelColor(x, y).name() for y in range(picture.height()) for x in range(picture.width())]


def columns(picture: QImage) -> list[int]:
    """Return the columns that are painted."""
    ground = picture.pixelColor(0, 0)
    return [
        x
        for x in range(picture.width())
        if any(picture.pixelColor(x, y) != ground for y in range(picture.height()))
    ]


def test_bullets_are_separated_from_their_text(texts: list[TextView]) -> None:
    pictures = dict(margins(texts))
    assert set(pictures) == {"one", "two", "three", "open", "done"}
    for picture in pictures.values():
        painted = columns(picture)
        free = picture.width() - 1 - painted[-1]
        assert 5 <= free / picture.devicePixelRatio() <= 10


def test_check_boxes_have_the_colours_of_the_theme(texts: list[TextView], theme: Theme) -> None:
    pictures = dict(margins(texts))
    accent = QColor(theme.tokens.accent).name()
    assert colours(pictures["done"]).count(accent) > 40
    assert accent not in colours(pictures["open"])
    marks = {
        block.text(): block.blockFormat().marker()
        for text_view in texts
        for block in [text_view.document().begin()]
        if block.text() in ("open", "done")
    }
    assert QTextBlockFormat.MarkerType.NoMarker not in marks.values()


def test_large_text_leaves_space_for_its_markers(texts: list[TextView], theme: Theme) -> None:
    theme.set_text_size(28)
    for text_view in texts:
        assert columns(text_view.grab().toImage())[0] > 0


def test_qts_own_widget_for_screen_readers_shows_the_same(texts: list[TextView]) -> None:
    for text_view in texts:
        before = text_view.grab().toImage()
        assert text_view.browser.isVisible()
        assert text_view.grab().toImage() == before


def items_of(text_view: TextView) -> Iterator[tuple[QTextBlock, QRectF]]:
    """Yield the numbered items of a text with the place of their first lines."""
    layout, block = text_view.document().documentLayout(), text_view.document().begin()
    while block.isValid():
        if number_of(block):
            origin = layout.blockBoundingRect(block).topLeft()
            yield block, block.layout().lineAt(0).naturalTextRect().translated(origin)
        block = block.next()


def ink_width(picture: QImage) -> float:
    painted = columns(picture)
    return (painted[-1] - painted[0] + 1) / picture.devicePixelRatio()


def alone(number: str, font: QFont, *, right_to_left: bool) -> QImage:
    """Return the picture of a number by itself."""
    picture = QImage(400, 80, QImage.Format.Format_RGB32)
    picture.fill(QColor("white"))
    painter = QPainter(picture)
    font = QFont(font)
    font.setPixelSize(font.pixelSize())  # else the painter prefers the size of the application's
    painter.setFont(font)
    painter.setLayoutDirection(
        Qt.LayoutDirection.RightToLeft if right_to_left else Qt.LayoutDirection.LeftToRight
    )
    painter.drawText(QPointF(20, 50), number)
    painter.end()
    return picture


@pytest.mark.parametrize("text_px", [10, 14, 28])
@pytest.mark.parametrize("source", [NUMBERS, ARABIC_NUMBERS], ids=["english", "arabic"])
def test_numbers_are_painted_whole(scene: TranscriptScene, theme: Theme, source: str, text_px: int) -> None:
    theme.set_text_size(text_px)
    transcript = scene.show([scene.user("Why?"), scene.answer(source)])
    seen = []
    for text_view in [text for view in transcript.live.values() for text in view.text_views]:
        assert isinstance(text_view, TextView)
        picture = text_view.grab().toImage()
        ratio = picture.devicePixelRatio()
        for block, line in items_of(text_view):
            is_mirrored = block.textDirection() is Qt.LayoutDirection.RightToLeft
            start = (line.right() + 1) if is_mirrored else 0.0
            width = (text_view.width() if is_mirrored else line.left() - 1) - start
            if block.blockFormat().marker() != QTextBlockFormat.MarkerType.NoMarker:
                width -= 1.4 * block.charFormat().font().pixelSize()
            area = [round(side * ratio) for side in (start, line.top(), width, line.height())]
            expected = ink_width(
                alone(number_of(block), block.charFormat().font(), right_to_left=is_mirrored)
            )
            assert abs(ink_width(picture.copy(*area)) - expected) <= 1.5, number_of(block)
            seen.append(number_of(block))
    assert len(seen) == source.count(". ")


def test_an_item_without_text_of_its_own_keeps_its_number(scene: TranscriptScene) -> None:
    source = "99. one\n100. ```\n     code\n     ```\n101.\n102. - bullet\n103. last\n"
    transcript = scene.show([scene.user("Why?"), scene.answer(source)])
    shown = [
        text for view in transcript.live.values() for text in view.text_views if isinstance(text, TextView)
    ]
    assert [number_of(block) for text in shown for block, _ in items_of(text)] == [
        "99.", "100.", "101.", "102.", "103."
    ]  # fmt: skip
    copied = markdown_to_text(source) + markdown_to_html(source)
    assert "\u200b" not in copied


def test_the_parts_of_a_long_list_are_indented_alike(scene: TranscriptScene) -> None:
    items = [f"{number}. {'word ' * 30}" for number in range(60, 106)]
    items.insert(5, "    ```\n    code\n    ```")
    transcript = scene.show([scene.user("Why?"), scene.answer("\n".join(items))])
    answer = transcript.live[1]
    texts = [text for text in answer.text_views if isinstance(text, TextView)]
    lefts = {round(line.left()) for text in texts for _, line in items_of(text)}
    codes = {code.x() - texts[0].x() for code in answer.findChildren(CodeView)}
    assert len(lefts) == 1
    assert codes == lefts


def test_what_an_item_from_right_to_left_contains_is_indented_at_its_right(scene: TranscriptScene) -> None:
    source = "99. بند\n100. بند\n\n     ```c\n     x\n     ```\n\n     ثم\n"
    transcript = scene.show([scene.user("Why?"), scene.answer(source)])
    answer = transcript.live[1]
    first, _code, after = (text for text in answer.text_views if isinstance(text, TextView))
    code = answer.findChild(CodeView)
    assert code is not None
    ((_, line), *_) = items_of(first)
    assert code.x() == first.x()
    assert abs(code.geometry().right() + 1 - (first.x() + line.right())) <= 1
    assert after.geometry().right() == code.geometry().right()


def test_a_list_that_streams_is_indented_further_as_its_numbers_grow(scene: TranscriptScene) -> None:
    running = scene.running()
    transcript = scene.show([scene.user("Why?"), running])
    answer = transcript.live[1]

    def lefts() -> set[int]:
        texts = [text for text in answer.text_views if isinstance(text, TextView)]
        return {round(line.left()) for text in texts for _, line in items_of(text)}

    def is_shown(number: str) -> bool:
        texts = [text for text in answer.text_views if isinstance(text, TextView)]
        return any(number_of(block) == number for text in texts for block, _ in items_of(text))

    seen = []
    for last in (99, 130):
        first = 60 if last == 99 else 100
        items = "".join(f"{number}. {'word ' * 30}\n" for number in range(first, last + 1))
        transcript.append_text(running.id, TextDelta(text=items, n_completion=last))
        scene.wait_until(partial(is_shown, f"{last}."))
        assert len(lefts()) == 1
        seen.append(lefts().pop())
    assert seen[0] < seen[1]


@given(
    first=st.integers(1, 1200),
    lengths=st.lists(st.integers(1, 900), min_size=1, max_size=40),
    code=st.sets(st.integers(0, 39), max_size=3),
    is_loose=st.booleans(),
)
def test_each_part_of_a_list_knows_its_widest_number(
    first: int, lengths: list[int], code: set[int], is_loose: bool
) -> None:
    last = first + len(lengths) - 1
    items = []
    for index, length in enumerate(lengths):
        items.append(f"{first + index}. {'word ' * (length // 5)}end")
        items += ["", "      ```", "      code", "      ```"] if index in code else []
        items += [""] if is_loose else []
    source = "\n".join(items)
    stream = MarkdownStream()
    stream.append(source)
    stream.finish()
    assert stream.blocks == split_blocks(source)
    for block, numbers in zip(stream.blocks, list_numbers(stream.blocks), strict=True):
        if block.kind is BlockKind.PROSE and block.body.startswith("<ol"):
            assert list(numbers.widest.values()) == [last]
        else:
            assert numbers.around == last
