"""Names, roles, keys and announcements: the conversation by keyboard and screen reader."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QWidget
from pytestqt.qtbot import QtBot

from fakes.context_plans import plan_of
from fakes.stored_messages import TranscriptScene
from fakes.widgets import focused
from fireside.core.chat import MessageState
from fireside.core.errors import OutOfMemory
from fireside.core.generation import TextDelta
from fireside.ui.chat.answer.answer import AnswerView
from fireside.ui.chat.answer.links import LinkDialog
from fireside.ui.chat.answer.phase import Phase, Writing
from fireside.ui.chat.composer.composer import Composer
from fireside.ui.chat.pane.empty_state import StartArea
from fireside.ui.chat.pane.notices import Notices
from fireside.ui.chat.transcript.transcript import Transcript

CODE = "Text\n\n```python\nx = 1\n```\n\n```\nplain\n```\n"


def nameless(widget: QWidget) -> list[str]:
    """Return buttons without an accessible name."""
    buttons = widget.findChildren(QAbstractButton)
    assert buttons
    return [f"{b.metaObject().className()} {b.objectName()}" for b in buttons if not b.accessibleName()]


def error() -> OutOfMemory:
    return OutOfMemory(model="M")


@pytest.fixture
def widgets(scene: TranscriptScene) -> Iterator[list[QWidget]]:
    transcript = scene.show(
        [
            scene.user("word " * 1000),
            scene.answer(CODE),
            scene.answer("part", state=MessageState.INTERRUPTED),
            scene.answer("", state=MessageState.FAILED, error=error().info()),
            scene.running(),
        ]
    )
    transcript.resize(900, 3000)
    composer = Composer()
    composer.insert_text("x" * 6_000)
    composer.meter.set_plan(plan_of())
    notices = Notices()
    notices.show_error(error().info())
    dialog = LinkDialog("https://a.example", open_url=lambda _url: None, parent=transcript)
    widgets: list[QWidget] = [transcript, composer, StartArea(), notices, dialog]
    for widget in widgets[1:4]:
        scene.qtbot.addWidget(widget)
    yield widgets
    dialog.close()


def test_every_button_has_a_name(widgets: list[QWidget]) -> None:
    assert [button for widget in widgets for button in nameless(widget)] == []


def test_messages_are_named_by_their_author(scene: TranscriptScene) -> None:
    transcript = scene.show(
        [
            scene.user("Hello there"),
            scene.answer("Good day"),
            scene.answer("part", state=MessageState.INTERRUPTED),
            scene.answer("", state=MessageState.FAILED, error=error().info()),
            scene.running(),
        ]
    )
    names = [transcript.live[n].accessibleName() for n in range(5)]
    assert names == [
        "You: Hello there",
        "Answer: Good day",
        "Answer, interrupted: part",
        f"Answer failed: {error().sentence()}",
        "Answer: working",
    ]


def test_the_transcript_is_a_list_of_items(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.user("Hello"), scene.answer("Good day")])
    whole = QAccessible.queryAccessibleInterface(transcript)
    assert whole.role() is QAccessible.Role.List
    assert whole.text(QAccessible.Text.Name) == "Chat"
    item = QAccessible.queryAccessibleInterface(transcript.live[0])
    assert item.role() is QAccessible.Role.ListItem
    assert item.text(QAccessible.Text.Name) == "You: Hello"


def test_text_can_be_read_by_a_screen_reader(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.answer("Good **day**")])
    interface = (
        QAccessible.queryAccessibleInterface(transcript.live[0].text_views[0]).child(0).textInterface()
    )
    assert interface is not None
    assert interface.text(0, 8) == "Good day"


def test_the_end_of_an_answer_is_announced(scene: TranscriptScene, monkeypatch: pytest.MonkeyPatch) -> None:
    running = scene.running("Good day")
    transcript = scene.show([running])
    announced: list[str] = []
    monkeypatch.setattr(transcript, "announce", announced.append)
    done = msgspec.structs.replace(running, state=MessageState.COMPLETE)
    transcript.replace_message(done)
    transcript.replace_message(done)
    assert announced == ["Answer finished"]


def wait_for_phase(qtbot: QtBot, transcript: Transcript, phase: Phase) -> None:
    qtbot.waitUntil(lambda: transcript.entries[0].phase == phase)


@pytest.fixture
def reader() -> Iterator[None]:
    """Pretend that a screen reader is active."""
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


def test_streamed_text_is_announced_by_sentence(
    scene: TranscriptScene, reader: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = scene.running()
    transcript = scene.show([running])
    announced: list[str] = []
    monkeypatch.setattr(transcript, "announce", announced.append)
    for n, (text, so_far) in enumerate(
        [
            ("The **sky** is", []),
            (" blue. It ", ["The sky is blue."]),
            ("is not", ["The sky is blue."]),
            (" green.\n", ["The sky is blue.", "It is not green."]),
        ],
        start=1,
    ):
        transcript.append_text(running.id, TextDelta(text=text, n_completion=n))
        wait_for_phase(scene.qtbot, transcript, Writing(n_completion=n))
        assert announced == so_far
    transcript.append_text(running.id, TextDelta(text="The end", n_completion=9))
    scene.wait_until(lambda: transcript.entries[0].text.endswith("end"))
    transcript.replace_message(msgspec.structs.replace(running, state=MessageState.COMPLETE))
    assert announced[-1] == "The end Answer finished"


def test_announcements_are_polite(scene: TranscriptScene) -> None:
    event = QAccessibleAnnouncementEvent(scene.show([scene.user("Hello")]), "Good day.")
    assert event.politeness() is QAccessible.AnnouncementPoliteness.Polite


def test_each_message_has_its_position_as_description(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.user("Hello"), scene.answer("Good day")])
    items = [QAccessible.queryAccessibleInterface(transcript.live[n]) for n in (0, 1)]
    assert [i.text(QAccessible.Text.Description) for i in items] == ["Message 1 of 2.", "Message 2 of 2."]
    transcript.add_message(scene.user("And you?"))
    assert items[0].text(QAccessible.Text.Description) == "Message 1 of 3."


def test_a_failed_answer_is_announced_with_its_reason(
    scene: TranscriptScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = scene.running()
    transcript = scene.show([running])
    announced: list[str] = []
    monkeypatch.setattr(transcript, "announce", announced.append)
    failed = msgspec.structs.replace(running, state=MessageState.FAILED, error=error().info())
    transcript.replace_message(failed)
    assert announced == [f"Answer failed. {error().sentence()}"]


def test_an_announcement_reaches_qt(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.user("Hello")])
    QAccessible.setActive(True)
    transcript.announce("Answer finished")
    QAccessible.setActive(False)


# Keys


@pytest.fixture
def long(scene: TranscriptScene) -> Transcript:
    transcript = scene.show([scene.answer(f"Answer {n}. " + "word " * 120) for n in range(60)])
    transcript.setFocus()
    return transcript


def test_home_and_end_go_to_the_ends(long: Transcript) -> None:
    QTest.keyClick(long, Qt.Key.Key_Home)
    assert long.verticalScrollBar().value() == 0
    QTest.keyClick(long, Qt.Key.Key_End)
    assert long.verticalScrollBar().value() == long.verticalScrollBar().maximum()
    assert long.column.scroll_position is None


def test_arrows_and_page_keys_scroll_a_line_and_a_page(long: Transcript) -> None:
    QTest.keyClick(long, Qt.Key.Key_Home)
    QTest.keyClick(long, Qt.Key.Key_Down)
    line = long.verticalScrollBar().value()
    QTest.keyClick(long, Qt.Key.Key_PageDown)
    page = long.verticalScrollBar().value() - line
    assert 0 < line < 100
    assert 0.7 * long.viewport().height() < page < long.viewport().height()
    QTest.keyClick(long, Qt.Key.Key_PageUp)
    QTest.keyClick(long, Qt.Key.Key_Up)
    assert long.verticalScrollBar().value() == 0


def test_control_with_arrows_moves_the_focus_from_message_to_message(long: Transcript) -> None:
    QTest.keyClick(long, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    assert long.column.focused_index() == 59
    for _ in range(3):
        QTest.keyClick(focused(), Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    assert long.column.focused_index() == 56
    middle = long.live[56]
    assert middle.hasFocus()
    assert 0 <= middle.y() < long.viewport().height()
    QTest.keyClick(middle, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    assert long.column.focused_index() == 57


def test_the_letters_k_and_j_do_the_same(long: Transcript) -> None:
    QTest.keyClick(long, Qt.Key.Key_K)
    QTest.keyClick(focused(), Qt.Key.Key_K)
    assert long.column.focused_index() == 58
    QTest.keyClick(focused(), Qt.Key.Key_J)
    assert long.column.focused_index() == 59


def test_control_with_home_and_end_goes_to_the_ends(long: Transcript) -> None:
    bar = long.verticalScrollBar()
    QTest.keyClick(long, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    assert bar.value() == 0
    QTest.keyClick(long, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert bar.value() == bar.maximum()
    assert long.column.scroll_position is None


def test_a_focused_message_shows_it(long: Transcript) -> None:
    QTest.keyClick(long, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    view = long.live[59]
    before = view.grab().toImage()
    view.clearFocus()
    assert view.grab().toImage() != before


def test_the_focus_is_not_lost_when_its_message_scrolls_away(long: Transcript) -> None:
    QTest.keyClick(long, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    long.verticalScrollBar().setValue(0)
    assert 59 not in long.live
    assert focused() is long


_CODE_BUTTONS = ("Wrap long lines", "Save code as", "Copy code")


def test_tab_goes_through_the_buttons_of_an_answer_from_the_top(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.answer(CODE), scene.answer("Second")])
    transcript.activateWindow()
    transcript.setFocus()
    scene.wait_until(transcript.hasFocus)
    names: list[str] = []
    for _ in range(10):
        QTest.keyClick(focused(), Qt.Key.Key_Tab)
        names.append(focused().accessibleName())
    codes = [f"{label}, {name}" for name in ("python", "text") for label in _CODE_BUTTONS]
    assert names == [*codes, "Copy", "Regenerate", "Edit", "Branch into new chat"]
    assert isinstance(transcript.live[0], AnswerView)
