"""Text views that draw their document, compared with Qt's own widget for it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QAccessible, QTextCursor
from PySide6.QtWidgets import QTextEdit, QWidget

from fakes.stored_messages import TranscriptScene
from fireside.ui.chat.answer.text_view import TextView, TextWidget

ANSWER = (
    "Some **words** with a [link](https://example.org) and `code`, which go on until they are wrapped: "
    "one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen.\n\n"
    "- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```python\nx = 1  # one\ny = 2\n```\n\n> quoted\n"
)


@pytest.fixture
def text_views(scene: TranscriptScene) -> list[TextWidget]:
    """The texts of a question and of an answer with everything in it."""
    transcript = scene.show([scene.user("Why?"), scene.answer(ANSWER)])
    return [text_view for view in transcript.live.values() for text_view in view.text_views]


def test_a_text_is_one_widget(text_views: list[TextWidget]) -> None:
    assert len(text_views) == 5
    assert [text_view.findChildren(QWidget) for text_view in text_views] == [[]] * len(text_views)


def test_a_text_view_looks_and_measures_like_qts_own_widget(text_views: list[TextWidget]) -> None:
    for text_view in text_views:
        assert isinstance(text_view, TextView)
        mark = QTextEdit.ExtraSelection()
        mark.cursor = QTextCursor(text_view.document())
        mark.cursor.setPosition(1)
        mark.cursor.setPosition(4, QTextCursor.MoveMode.KeepAnchor)
        mark.format.setBackground(text_view.palette().highlight())
        plain = text_view.grab().toImage()
        text_view.setExtraSelections([mark])
        marked = text_view.grab().toImage()
        own = text_view.browser
        assert marked == text_view.grab().toImage()
        assert marked != plain
        assert own.extraSelections()
        for at in (QPoint(0, 0), QPoint(30, 8), QPoint(text_view.width() // 2, text_view.height() - 4)):
            cursor = own.cursorForPosition(at)
            assert text_view.cursorForPosition(at).position() == cursor.position()
            assert text_view.anchorAt(at) == own.anchorAt(at)
            ours, theirs = text_view.cursorRect(cursor), own.cursorRect(cursor)
            assert abs(ours.left() - theirs.left()) <= 1
            assert abs(ours.center().y() - theirs.center().y()) <= 1


def test_the_widget_for_screen_readers_follows_the_text(text_views: list[TextWidget]) -> None:
    text_view = text_views[1]
    assert isinstance(text_view, TextView)
    interface = QAccessible.queryAccessibleInterface(text_view).child(0)
    assert interface.text(QAccessible.Text.Name) == "Text"
    text_view.resize(300, text_view.height_for(300))
    assert text_view.browser.size() == text_view.size()
    assert text_view.browser.document() is text_view.document()
    assert text_view.browser.verticalScrollBar().maximum() == 0
    QTextCursor(text_view.document()).insertText("New ")
    assert interface.textInterface().text(0, 8) == "New Some"
