"""Text views that draw their document, compared with Qt's own widget for it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QAccessible, QTextCursor
from PySide6.QtWidgets import QTextEdit, QWidget

from fakes.stored_messages import Messages, ShowTranscript
from fireside.ui.chat.text_view import TextView, TextWidget

ANSWER = (
    "Some **words** with a [link](https://example.org) and `code`, which go on until they are wrapped: "
    "one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen.\n\n"
    "- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```python\nx = 1  # one\ny = 2\n```\n\n> quoted\n"
)


@pytest.fixture
def edits(show_transcript: ShowTranscript, messages: Messages) -> list[TextWidget]:
    """The texts of a question and of an answer with everything in it."""
    transcript = show_transcript([messages.user("Why?"), messages.answer(ANSWER)])
    return [edit for view in transcript.live.values() for edit in view.text_views]


def test_a_text_is_one_widget(edits: list[TextWidget]) -> None:
    assert len(edits) == 5
    assert [edit.findChildren(QWidget) for edit in edits] == [[]] * len(edits)


def test_a_text_view_looks_and_measures_like_qts_own_widget(edits: list[TextWidget]) -> None:
    for edit in edits:
        assert isinstance(edit, TextView)
        mark = QTextEdit.ExtraSelection()
        mark.cursor = QTextCursor(edit.document())
        mark.cursor.setPosition(1)
        mark.cursor.setPosition(4, QTextCursor.MoveMode.KeepAnchor)
        mark.format.setBackground(edit.palette().highlight())
        plain = edit.grab().toImage()
        edit.setExtraSelections([mark])
        marked = edit.grab().toImage()
        own = edit.browser
        assert marked == edit.grab().toImage()
        assert marked != plain
        assert own.extraSelections()
        for at in (QPoint(0, 0), QPoint(30, 8), QPoint(edit.width() // 2, edit.height() - 4)):
            cursor = own.cursorForPosition(at)
            assert edit.cursorForPosition(at).position() == cursor.position()
            assert edit.anchorAt(at) == own.anchorAt(at)
            ours, theirs = edit.cursorRect(cursor), own.cursorRect(cursor)
            assert abs(ours.left() - theirs.left()) <= 1
            assert abs(ours.center().y() - theirs.center().y()) <= 1


def test_the_widget_for_screen_readers_follows_the_text(edits: list[TextWidget]) -> None:
    edit = edits[1]
    assert isinstance(edit, TextView)
    interface = QAccessible.queryAccessibleInterface(edit).child(0)
    assert interface.text(QAccessible.Text.Name) == "Text"
    edit.resize(300, edit.height_for(300))
    assert edit.browser.size() == edit.size()
    assert edit.browser.document() is edit.document()
    assert edit.browser.verticalScrollBar().maximum() == 0
    QTextCursor(edit.document()).insertText("New ")
    assert interface.textInterface().text(0, 8) == "New Some"
