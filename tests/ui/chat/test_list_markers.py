"""Bullets and boxes of lists, as they are painted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QColor, QImage, QTextBlockFormat

from fakes.stored_messages import Messages, ShowTranscript
from fireside.ui.chat.text_view import TextView
from fireside.ui.theme import Theme

LISTS = "- one\n  - two\n    - three\n- [ ] open\n- [x] done\n\n1. first\n"


@pytest.fixture
def texts(show_transcript: ShowTranscript, messages: Messages) -> list[TextView]:
    transcript = show_transcript([messages.user("Why?"), messages.answer(LISTS)])
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
            if items is not None and not items.itemText(block).startswith("1"):
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
