"""Selecting with mouse and keys, across messages, and what is copied."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from fakes.stored_messages import TranscriptScene
from fireside.core.generation import TextDelta
from fireside.ui.chat.answer.text_view import TextWidget
from fireside.ui.chat.transcript.transcript import Transcript

ANSWER = "A list is:\n\n- one\n- two\n\n```python\nx = [1, 2]\n```\n\nDone."

Left = Qt.MouseButton.LeftButton


@pytest.fixture
def transcript(scene: TranscriptScene) -> Transcript:
    stored = [scene.user("What is a **list**?"), scene.answer(ANSWER), scene.user("Thanks a lot")]
    return scene.show(stored)


def point_of(text_view: TextWidget, position: int) -> QPoint:
    """Return the global position of a character."""
    cursor = QTextCursor(text_view.document())
    cursor.setPosition(position)
    return text_view.viewport().mapToGlobal(text_view.cursorRect(cursor).center())


def send(
    transcript: Transcript, kind: QMouseEvent.Type, at: QPoint, *, buttons: Qt.MouseButton = Left
) -> None:
    """Deliver a mouse event to the widget at a global position, as the window would."""
    local = transcript.mapFromGlobal(at)
    inside = QPoint(
        max(0, min(transcript.viewport().width() - 1, local.x())),
        max(0, min(transcript.viewport().height() - 1, local.y())),
    )
    under = transcript.childAt(inside) or transcript
    assert isinstance(under, QWidget)
    event = QMouseEvent(
        kind, QPointF(under.mapFromGlobal(at)), QPointF(at), Left, buttons, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(under, event)


def press(transcript: Transcript, at: QPoint) -> None:
    send(transcript, QMouseEvent.Type.MouseButtonPress, at)


def move(transcript: Transcript, at: QPoint) -> None:
    send(transcript, QMouseEvent.Type.MouseMove, at)


def release(transcript: Transcript, at: QPoint) -> None:
    send(transcript, QMouseEvent.Type.MouseButtonRelease, at, buttons=Qt.MouseButton.NoButton)


def drag(transcript: Transcript, start: QPoint, end: QPoint) -> None:
    press(transcript, start)
    move(transcript, end)
    release(transcript, end)


def text_views(transcript: Transcript, index: int) -> list[TextWidget]:
    return list(transcript.live[index].text_views)


def copied(transcript: Transcript) -> str:
    QTest.keyClick(transcript, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    return QApplication.clipboard().text()


def test_a_drag_inside_one_paragraph_copies_those_characters(transcript: Transcript) -> None:
    text_view = text_views(transcript, 2)[0]
    drag(transcript, point_of(text_view, 0), point_of(text_view, 6))
    assert copied(transcript) == "Thanks"


def test_a_drag_across_messages_copies_parts_and_whole_messages(transcript: Transcript) -> None:
    drag(
        transcript,
        point_of(text_views(transcript, 0)[0], 10),
        point_of(text_views(transcript, 2)[0], 6),
    )
    assert copied(transcript) == f"**list**?\n\n{ANSWER}\n\nThanks"


def test_a_drag_upwards_copies_the_same_as_one_downwards(transcript: Transcript) -> None:
    drag(
        transcript,
        point_of(text_views(transcript, 2)[0], 6),
        point_of(text_views(transcript, 0)[0], 10),
    )
    assert copied(transcript) == f"**list**?\n\n{ANSWER}\n\nThanks"


def test_part_of_an_answer_is_copied_as_displayed_with_bullets(transcript: Transcript) -> None:
    prose, code, _ = text_views(transcript, 1)
    drag(transcript, point_of(prose, 2), point_of(code, 6))
    assert copied(transcript) == "list is:\n- one\n- two\n\nx = [1"


def test_copy_as_markdown_keeps_fences_of_blocks_selected_whole(transcript: Transcript) -> None:
    prose, _, last = text_views(transcript, 1)
    drag(transcript, point_of(prose, 2), point_of(last, 4))
    assert copied(transcript) == "list is:\n- one\n- two\n\n```python\nx = [1, 2]\n```\n\nDone"


def test_code_selected_by_itself_is_copied_without_fences(transcript: Transcript) -> None:
    code = text_views(transcript, 1)[1]
    drag(transcript, point_of(code, 0), point_of(code, 10))
    assert copied(transcript) == "x = [1, 2]"


def test_messages_are_copied_as_plain_text_on_request(transcript: Transcript) -> None:
    transcript.selection.select_all()
    assert transcript.selection.copy_plain()
    plain = "A list is:\n- one\n- two\n\nx = [1, 2]\n\nDone."
    assert QApplication.clipboard().text() == f"What is a **list**?\n\n{plain}\n\nThanks a lot"


def test_a_part_of_a_task_list_is_copied_with_its_boxes(scene: TranscriptScene) -> None:
    tasks = "Do this:\n\n- [ ] water the plants\n- [x] feed the cat\n- [ ] sleep"
    transcript = scene.show([scene.user("What is to be done?"), scene.answer(tasks)])
    drag(
        transcript,
        point_of(text_views(transcript, 1)[0], 0),
        point_of(text_views(transcript, 1)[-1], 38),
    )
    assert "- [ ] water the plants\n- [x] feed the cat" in transcript.selection.text()


@pytest.mark.parametrize("as_markdown", [True, False])
def test_folded_text_within_the_selection_is_copied(scene: TranscriptScene, *, as_markdown: bool) -> None:
    lines = "\n".join(f"line {number}" for number in range(60))
    transcript = scene.show([scene.user(lines), scene.answer("I see. That is long.")])
    assert transcript.entries[0].n_hidden
    drag(
        transcript,
        point_of(text_views(transcript, 0)[0], 9),
        point_of(text_views(transcript, 1)[0], 7),
    )
    copied = transcript.selection.markdown() if as_markdown else transcript.selection.text()
    assert copied.endswith("line 58\nline 59\n\nI see. ")
    assert "…" not in copied


def test_folded_text_after_the_selection_is_not_copied(scene: TranscriptScene) -> None:
    lines = "\n".join(f"line {number}" for number in range(60))
    transcript = scene.show([scene.user(lines), scene.answer("I see.")])
    drag(
        transcript,
        point_of(text_views(transcript, 0)[0], 0),
        point_of(text_views(transcript, 0)[0], 13),
    )
    assert transcript.selection.text() == "line 0\nline 1"


def test_without_a_selection_the_last_answer_is_copied_as_plain_text(transcript: Transcript) -> None:
    assert transcript.selection.copy_plain()
    assert QApplication.clipboard().text().startswith("A list is:\n- one")


def test_plain_text_has_tabs_between_cells_and_sources_of_formulas(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.answer("| a | b |\n|---|---|\n| 1 | $x^2$ |\n\n---\n\n**end**")])
    assert transcript.selection.copy_plain()
    assert QApplication.clipboard().text() == "a\tb\n1\t$x^2$\n\nend"


def test_the_menu_of_a_message_copies_it_whole_as_plain_text(transcript: Transcript) -> None:
    at = point_of(text_views(transcript, 1)[0], 2)
    menu = transcript.menu.build(at)
    (line,) = [a for a in menu.actions() if a.text() == "Copy as plain text"]
    line.trigger()
    assert QApplication.clipboard().text().endswith("x = [1, 2]\n\nDone.")


def test_table_cells_are_copied_with_tabs_between_them(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.answer("| a | b |\n|---|---|\n| 1 | 2 |\n\nend")])
    table, end = text_views(transcript, 0)
    drag(transcript, point_of(table, 0), point_of(end, 0))
    assert copied(transcript) == "a\tb\n1\t2"


def test_code_with_wrapped_lines_is_copied_without_the_wraps(scene: TranscriptScene) -> None:
    line = "x" * 9_000
    transcript = scene.show([scene.answer(f"```\n{line}\nshort\n```\n\nend")])
    scene.wait_until(lambda: len(text_views(transcript, 0)) == 2)
    code, end = text_views(transcript, 0)
    drag(transcript, point_of(code, 0), point_of(end, 0))
    assert copied(transcript) == f"{line}\nshort"


def test_a_double_click_selects_the_word(transcript: Transcript) -> None:
    at = point_of(text_views(transcript, 2)[0], 2)
    send(transcript, QMouseEvent.Type.MouseButtonDblClick, at)
    assert copied(transcript) == "Thanks"


def test_a_third_click_selects_the_paragraph(transcript: Transcript) -> None:
    at = point_of(text_views(transcript, 2)[0], 2)
    send(transcript, QMouseEvent.Type.MouseButtonDblClick, at)
    release(transcript, at)
    press(transcript, at)
    assert copied(transcript) == "Thanks a lot"


def test_a_click_clears_the_selection(transcript: Transcript) -> None:
    text_view = text_views(transcript, 2)[0]
    drag(transcript, point_of(text_view, 0), point_of(text_view, 6))
    press(transcript, point_of(text_view, 3))
    release(transcript, point_of(text_view, 3))
    assert transcript.selection.is_empty
    assert text_view.extraSelections() == []


def test_select_all_copies_every_message_even_those_without_a_widget(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.user(f"Question {n}") for n in range(400)])
    QTest.keyClick(transcript, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert copied(transcript) == "\n\n".join(f"Question {n}" for n in range(400))


def test_a_selection_survives_scrolling_its_start_away(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.answer(f"Answer number {n}. " * 40) for n in range(100)])
    transcript.verticalScrollBar().setValue(0)
    press(transcript, point_of(text_views(transcript, 0)[0], 7))
    transcript.verticalScrollBar().setValue(transcript.verticalScrollBar().maximum())
    assert 0 not in transcript.live
    move(transcript, point_of(text_views(transcript, 99)[0], 6))
    text = copied(transcript)
    assert text.startswith("number 0.")
    assert text.endswith("Answer")
    assert text.count("Answer number 50") == 40


def test_dragging_below_the_edge_scrolls_on(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.answer("word " * 300) for _ in range(20)])
    transcript.verticalScrollBar().setValue(0)
    press(transcript, point_of(text_views(transcript, 0)[0], 5))
    move(transcript, transcript.viewport().mapToGlobal(QPoint(300, transcript.viewport().height() + 80)))
    scene.wait_until(lambda: transcript.verticalScrollBar().value() > 300)
    release(transcript, transcript.viewport().mapToGlobal(QPoint(300, 100)))
    stopped = transcript.verticalScrollBar().value()
    scene.qtbot.wait(80)
    assert transcript.verticalScrollBar().value() == stopped


def test_shift_and_arrows_move_the_caret_across_blocks(transcript: Transcript) -> None:
    code = text_views(transcript, 1)[1]
    drag(transcript, point_of(code, 4), point_of(code, 9))
    for _ in range(3):
        QTest.keyClick(transcript, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert copied(transcript) == "[1, 2]\n\nD"
    for _ in range(2):
        QTest.keyClick(transcript, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert copied(transcript) == "[1, 2]"


def test_the_menu_offers_copying_only_with_a_selection(transcript: Transcript) -> None:
    def enabled() -> dict[str, bool]:
        menu = transcript.menu.build(QPoint(0, 0))
        return {action.text(): action.isEnabled() for action in menu.actions()[:4]}

    copies = ("Copy", "Copy as formatted text", "Copy as plain text")
    assert enabled() == dict.fromkeys(copies, False) | {"Select all": True}
    transcript.selection.select_all()
    assert enabled() == dict.fromkeys(copies, True) | {"Select all": True}


def test_a_selection_stays_while_the_answer_below_it_streams(scene: TranscriptScene) -> None:
    running = scene.running("Beginning of it.")
    transcript = scene.show([scene.user("A question here"), running])
    text_view = text_views(transcript, 0)[0]
    drag(transcript, point_of(text_view, 2), point_of(text_view, 10))
    transcript.append_text(running.id, TextDelta(text="\n\nMore.\n\n```\ncode\n```\n", n_completion=3))
    scene.wait_until(lambda: len(transcript.live[1].text_views) == 2)
    assert copied(transcript) == "question"


def test_emoji_before_the_selection_do_not_shift_it(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.user("😀😀 smile")])
    text_view = text_views(transcript, 0)[0]
    drag(transcript, point_of(text_view, 5), point_of(text_view, 10))
    assert copied(transcript) == "smile"
