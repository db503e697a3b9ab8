"""Code in an answer: the card of a call that runs some, its files, and blocks that the user runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from fakes.stored_messages import Messages
from fireside.core.chat import MessageState, StoredMessage
from fireside.core.message import MadeFile, TextPart, ToolCallPart, ToolResultPart
from fireside.core.tools import CallState
from fireside.ui.chat.answer.answer import AnswerView
from fireside.ui.chat.answer.code import CodeView
from fireside.ui.chat.answer.result_pictures import ResultPictures
from fireside.ui.chat.answer.tool_card import MadeFiles, ToolCard
from fireside.ui.chat.pane.run_sheet import RunSheet
from fireside.ui.chat.transcript.transcript import Transcript
from tools.screenshots.tool_states import with_parts

CALL = ToolCallPart(id="1", name="python", arguments='{"code": "1 +\\n1"}')
DONE = ToolResultPart(call_id="1", name="python", text="2", memory_bytes=14_000_000, seconds=0.1)
BLOCK = "See:\n\n```python\n6 * 7\n```\n\n```sh\nls\n```\n\nDone."


@pytest.fixture
def transcript(qtbot: QtBot) -> Transcript:
    transcript = Transcript(open_url=lambda _url: None)
    qtbot.addWidget(transcript)
    transcript.runs_code = True
    transcript.resize(900, 900)
    transcript.show()
    qtbot.waitExposed(transcript)
    return transcript


def shown(transcript: Transcript, messages: Messages, answer: StoredMessage) -> AnswerView:
    transcript.set_messages([messages.user("Go"), answer])
    view = transcript.live[1]
    assert isinstance(view, AnswerView)
    return view


def test_the_card_shows_code_and_what_the_process_took(transcript: Transcript, messages: Messages) -> None:
    answer = with_parts(messages.answer(""), CALL, replace(DONE, by_user=True))
    view = shown(transcript, messages, answer)
    (card,) = view.findChildren(ToolCard)
    assert card.head.text() == "Python · 0.1 s · 14.0 MB · run by you"
    assert [code.source for code in card.codes] == ["1 +\n1", "2"]
    asked: list[tuple[object, ...]] = []
    transcript.run_requested.connect(lambda *what: asked.append(what))
    again = card.codes[0].run_button
    assert again in card.tab_stops
    QTest.mouseClick(again, Qt.MouseButton.LeftButton)
    assert asked == [(answer.id, "1 +\n1", 0, True)]
    assert card.codes[1].run_button.isHidden()


def test_output_that_streams_stays_in_sight_when_the_code_ends(
    transcript: Transcript, messages: Messages
) -> None:
    running = replace(DONE, state=CallState.RUNNING, text="one", seconds=None, memory_bytes=None)
    answer = with_parts(messages.running(), CALL, running)
    view = shown(transcript, messages, answer)
    (card,) = view.findChildren(ToolCard)
    assert [code.source for code in card.codes] == ["1 +\n1", "one"]
    transcript.replace_message(with_parts(answer, CALL, replace(running, text="one\ntwo")))
    assert card.codes[1].source == "one\ntwo"
    transcript.replace_message(replace(with_parts(answer, CALL, DONE), state=MessageState.COMPLETE))
    assert card.codes[1].source == "2"


def test_a_block_of_python_can_be_run_where_it_stands(transcript: Transcript, messages: Messages) -> None:
    answer = messages.answer(BLOCK)
    view = shown(transcript, messages, answer)
    first, second = view.findChildren(CodeView)
    asked: list[tuple[object, ...]] = []
    transcript.run_requested.connect(lambda *what: asked.append(what))
    assert second.run_button.isHidden()
    QTest.mouseClick(first.run_button, Qt.MouseButton.LeftButton)
    assert asked == [(answer.id, "6 * 7", BLOCK.index("\n\n```sh"), False)]
    # What comes of it is shown under the block.
    head, tail = BLOCK.split("\n\n```sh")
    parts = TextPart(text=head), CALL, DONE, TextPart(text=f"\n\n```sh{tail}")
    view = shown(transcript, messages, with_parts(messages.answer(""), *parts))
    first, second = (code for code in view.findChildren(CodeView) if code.parent() is view)
    (card,) = view.findChildren(ToolCard)
    assert first.y() < card.y() < second.y()


def test_no_run_is_offered_where_nobody_hears_of_it(transcript: Transcript, messages: Messages) -> None:
    transcript.runs_code = False
    parts = TextPart(text=BLOCK), CALL, replace(DONE, by_user=True)
    view = shown(transcript, messages, with_parts(messages.answer(""), *parts))
    assert all(code.run_button.isHidden() for code in view.findChildren(CodeView))


def test_files_that_code_made_are_saved_and_opened(
    transcript: Transcript, messages: Messages, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = MadeFile(name="a/table.csv", data=b"1,2\n"), MadeFile(name="run.sh", data=b"x")
    view = shown(transcript, messages, with_parts(messages.answer(""), CALL, replace(DONE, files=made)))
    (files,) = view.findChildren(MadeFiles)
    names = [button.accessibleName() for button in files.buttons]
    assert names == ["Open a/table.csv", "Save a/table.csv as…", "Save run.sh as…"]
    opened: list[str] = []
    monkeypatch.setattr(
        "fireside.ui.chat.answer.tool_card.QDesktopServices.openUrl",
        lambda url: opened.append(url.toLocalFile()),
    )
    QTest.mouseClick(files.buttons[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(opened))
    assert Path(opened[0]).name == "table.csv"
    assert Path(opened[0]).read_bytes() == b"1,2\n"
    QTest.mouseClick(files.buttons[1], Qt.MouseButton.LeftButton)
    (dialog,) = transcript.window().findChildren(QFileDialog)
    dialog.fileSelected.emit(str(tmp_path / "kept.csv"))
    qtbot.waitUntil((tmp_path / "kept.csv").exists)
    dialog.close()
    QTest.mouseClick(files.buttons[2], Qt.MouseButton.LeftButton)
    dialog = transcript.window().findChildren(QFileDialog)[-1]
    dialog.fileSelected.emit(str(tmp_path / "no" / "run.sh"))
    qtbot.waitUntil(lambda: not files.status.isHidden())
    assert "Not saved" in files.status.text()
    dialog.close()


def test_code_is_changed_before_it_runs(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(900, 700)
    window.show()
    qtbot.waitExposed(window)
    ran: list[str] = []
    left: list[str] = []
    sheet = RunSheet("1", reach="It can do anything.", on_run=ran.append, on_left=left.append, parent=window)
    sheet.open()
    assert any("anything" in label.text() for label in sheet.findChildren(QWidget) if hasattr(label, "text"))
    sheet.editor.setPlainText(" \n")
    QTest.mouseClick(sheet.run, Qt.MouseButton.LeftButton)
    assert ran == []
    sheet.editor.setPlainText("1 + 1")
    QTest.keyClick(sheet.editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert ran == ["1 + 1"]
    assert isinstance(sheet.run, QPushButton)


def test_code_that_is_left_is_not_lost(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(900, 700)
    window.show()
    qtbot.waitExposed(window)
    left: list[str] = []
    sheet = RunSheet("1", reach="", on_run=lambda _: None, on_left=left.append, parent=window)
    sheet.open()
    sheet.editor.setPlainText("1 + 1")
    QTest.keyClick(sheet.editor, Qt.Key.Key_Escape)
    assert left == ["1 + 1"]


def test_code_that_stands_above_its_card_is_not_repeated(transcript: Transcript, messages: Messages) -> None:
    head, tail = BLOCK.split("\n\n```sh")
    call = replace(CALL, arguments='{"code": "6 * 7"}')
    parts = (
        TextPart(text=head),
        call,
        replace(DONE, text="42", by_user=True),
        TextPart(text=f"\n\n```sh{tail}"),
    )
    view = shown(transcript, messages, with_parts(messages.answer(""), *parts))
    (card,) = view.findChildren(ToolCard)
    assert [code.source for code in card.codes] == ["42"]
    asked: list[tuple[object, ...]] = []
    transcript.run_requested.connect(lambda *what: asked.append(what))
    QTest.mouseClick(card.codes[0].run_button, Qt.MouseButton.LeftButton)
    assert asked[0][1:] == ("6 * 7", len(head), True)


def test_an_svg_that_code_made_is_shown(transcript: Transcript, messages: Messages, qtbot: QtBot) -> None:
    drawn = MadeFile(name="a.svg", data=b"<svg viewBox='0 0 9 9'><rect width='9' height='9'/></svg>")
    broken = MadeFile(name="b.svg", data=b"<svg")
    view = shown(
        transcript, messages, with_parts(messages.answer(""), CALL, replace(DONE, files=(drawn, broken)))
    )
    qtbot.waitUntil(lambda: bool(view.findChildren(ResultPictures)))
    (pictures,) = view.findChildren(ResultPictures)
    assert [image.name for image in pictures.images] == ["a.svg"]
    assert not pictures.buttons[0].icon().isNull()
