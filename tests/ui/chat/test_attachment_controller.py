"""Attaching files by button, paste and drop: chips, token counts, reasons not to send."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

import msgspec
import pytest
from PIL import Image
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient
from fakes.model_entries import STARTER_ID, loaded_state, starter_spec
from fakes.widgets import child
from fakes.window import shown_pane
from fireside.core.attachment import MAX_ATTACHED, Attachment
from fireside.core.components import ComponentsChanged
from fireside.core.errors import StorageFull
from fireside.core.ids import DraftId, DraftKey
from fireside.core.message import DocumentPart, ImagePart
from fireside.core.model import ModelEntry
from fireside.core.status import ModelStatus, Unloaded
from fireside.documents.messages import ReadReply
from fireside.ui.chat.answer.question import QuestionView
from fireside.ui.chat.composer.attachment_chip import AttachmentChip
from fireside.ui.chat.composer.attachment_sheet import AttachmentSheet
from fireside.ui.chat.pane.attachment_controller import PASTED_IMAGE
from fireside.ui.chat.pane.chat_pane import ChatPane
from fireside.ui.chat.pane.queued_messages import QueuedMessageBubble
from fireside.ui.tasks import TaskRunner
from fireside.ui.widgets.tab_stops import is_tab_stop
from fireside.ui.window_context import MEDIA_ROW

NEW = DraftId("new")
NOTES, REPORT, PHOTO = "notes.txt", "report.pdf", "photo.png"
"""Files in the working directory of a test."""


def document() -> Attachment:
    text = "Remember the milk."
    part = DocumentPart(name=NOTES, media_type="text/plain", text=text, size_bytes=len(text))
    return Attachment(part=part, size_bytes=len(text))


def photo() -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (400, 300), (90, 140, 200)).save(buffer, "PNG")
    return buffer.getvalue()


@pytest.fixture
def client(loop: asyncio.AbstractEventLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppClient:
    monkeypatch.chdir(tmp_path)
    Path(NOTES).write_text("Remember the milk.")
    Path(REPORT).write_bytes(b"%PDF-")
    Path(PHOTO).write_bytes(photo())
    client = AppClient()
    pages = ReadReply(media_type="application/pdf", text="Quarterly figures.", n_pages=12)
    client.machine.readings[REPORT] = pages
    client.set_state(STARTER_ID, loaded_state(starter_spec()))
    return client


@pytest.fixture
def tasks(loop: asyncio.AbstractEventLoop) -> TaskRunner:
    def failing(error: BaseException) -> None:
        raise error

    return TaskRunner(loop, on_error=failing)


@pytest.fixture
def pane(qtbot: QtBot, tasks: TaskRunner, client: AppClient) -> ChatPane:
    pane = shown_pane(client, tasks=tasks, qtbot=qtbot)
    pane.open_new(draft="", draft_id=NEW)
    use_model(pane, client.entries[0])
    return pane


def use_model(pane: ChatPane, entry: ModelEntry) -> None:
    assert entry.spec is not None
    pane.set_model(entry, ModelStatus(model_id=STARTER_ID, state=loaded_state(entry.spec)))


def with_vision(entry: ModelEntry) -> ModelEntry:
    assert entry.spec is not None
    return msgspec.structs.replace(
        entry, spec=msgspec.structs.replace(entry.spec, projector_path="/models/mmproj.gguf")
    )


def chips(pane: ChatPane) -> list[AttachmentChip]:
    return pane.composer.tray.chips


def lines(pane: ChatPane) -> list[str]:
    return [chip.facts.line for chip in chips(pane)]


def attach(qtbot: QtBot, pane: ChatPane, tasks: TaskRunner, *paths: str) -> None:
    pane.attachments.add_files(paths)
    qtbot.waitUntil(lambda: tasks.n_running == 0)


def press_send(qtbot: QtBot, pane: ChatPane, tasks: TaskRunner) -> None:
    QTest.keyClick(pane.composer.editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: tasks.n_running == 0)


def paste(pane: ChatPane, data: QMimeData) -> None:
    QGuiApplication.clipboard().setMimeData(data)
    QTest.keyClick(pane.composer.editor, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    QGuiApplication.clipboard().clear()  # it must not outlive Python


def files(*paths: str) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(path) for path in paths])
    data.setText("\n".join(paths))
    return data


def drop(pane: ChatPane, data: QMimeData) -> bool:
    """Drop ``data`` on the pane; return whether the pane accepts it."""
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(5, 5), copy, data, left, none)
    QApplication.sendEvent(pane, enter)
    if enter.isAccepted():
        QApplication.sendEvent(pane, QDropEvent(QPointF(5, 5), copy, data, left, none))
    return enter.isAccepted()


# Attaching


def test_nothing_is_suggested_that_a_file_is_not_about(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner
) -> None:
    usual = pane.start.suggestions
    attach(qtbot, pane, tasks, NOTES)
    assert pane.start.suggestions == ()
    pane.attachments.remove_all()
    assert pane.start.suggestions == usual != ()


def test_the_button_opens_a_dialog_whose_files_are_attached(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner
) -> None:
    QTest.mouseClick(pane.composer.attach_button, Qt.MouseButton.LeftButton)
    dialog = pane.findChild(QFileDialog)
    assert dialog is not None
    dialog.filesSelected.emit([NOTES])
    dialog.reject()
    qtbot.waitUntil(lambda: tasks.n_running == 0)
    assert [chip.facts.name for chip in chips(pane)] == ["notes.txt"]


def test_pasted_files_are_attached(qtbot: QtBot, pane: ChatPane, tasks: TaskRunner) -> None:
    paste(pane, files(NOTES, REPORT))
    qtbot.waitUntil(lambda: tasks.n_running == 0)
    assert [chip.facts.name for chip in chips(pane)] == ["notes.txt", "report.pdf"]
    assert pane.composer.text() == ""


def test_a_pasted_picture_is_attached(qtbot: QtBot, pane: ChatPane, tasks: TaskRunner) -> None:
    image = QImage(20, 10, QImage.Format.Format_RGB32)
    image.fill(QColor("red"))
    data = QMimeData()
    data.setImageData(image)
    paste(pane, data)
    qtbot.waitUntil(lambda: tasks.n_running == 0)
    [attached] = pane.attachments.parts
    assert isinstance(attached, ImagePart)
    assert Image.open(io.BytesIO(attached.data)).size == (20, 10)
    assert attached.name == PASTED_IMAGE


def test_text_is_preferred_to_an_image_of_it_on_the_clipboard(pane: ChatPane, client: AppClient) -> None:
    data = QMimeData()
    data.setText("cells")
    data.setImageData(QImage(2, 2, QImage.Format.Format_RGB32))
    paste(pane, data)
    assert pane.composer.text() == "cells"
    assert client.asked("attachments") == []


def test_dropped_files_are_attached(qtbot: QtBot, pane: ChatPane, tasks: TaskRunner) -> None:
    assert drop(pane, files(NOTES))
    qtbot.waitUntil(lambda: tasks.n_running == 0)
    assert [chip.facts.name for chip in chips(pane)] == ["notes.txt"]
    assert pane.attachments.drop_area.isHidden()


@pytest.mark.parametrize("path", ["/home/me/model.gguf", "/home/me/models"])
def test_models_and_folders_are_left_to_the_window(pane: ChatPane, path: str) -> None:
    assert not drop(pane, files(path))


# Chips


def test_a_chip_shows_kind_and_token_count(qtbot: QtBot, pane: ChatPane, tasks: TaskRunner) -> None:
    attach(qtbot, pane, tasks, REPORT)
    assert lines(pane) == ["PDF · 12 pages · 8 tokens"]


def test_an_estimate_says_so(qtbot: QtBot, pane: ChatPane, tasks: TaskRunner, client: AppClient) -> None:
    client.set_state(STARTER_ID, Unloaded())
    client.machine.readings[REPORT] = ReadReply(media_type="application/pdf", text="Figures " * 1_700)
    attach(qtbot, pane, tasks, REPORT)
    assert lines(pane)[0].endswith("about 3.0k tokens")


def test_a_file_being_read_blocks_sending(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner, client: AppClient
) -> None:
    client.hold("attachments.read_file")
    pane.attachments.add_files([NOTES])
    QTest.keyClicks(pane.composer.editor, "What is this?")
    QTest.keyClick(pane.composer.editor, Qt.Key.Key_Return)
    assert lines(pane) == ["Reading…"]
    assert client.called("generations.send") == []
    client.release("attachments.read_file")
    qtbot.waitUntil(lambda: tasks.n_running == 0)
    assert pane.composer.reason_not_to_send() == ""


def test_a_file_that_needs_a_component_leads_to_it_and_is_read_once_it_is_there(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner, client: AppClient
) -> None:
    client.machine.readings[NOTES] = ReadReply(problem="it needs more.", needs_component=True)
    pane.attachments.add_files([NOTES, REPORT])
    qtbot.waitUntil(lambda: tasks.n_running == 0)
    assert lines(pane)[0] == "Waits for “Media formats”"
    assert chips(pane)[0].facts.tooltip == "Not sent: It needs more."
    with qtbot.waitSignal(pane.setting_requested) as caught:
        QTest.mouseClick(pane.composer.component_button, Qt.MouseButton.LeftButton)
    assert caught.args == [MEDIA_ROW]
    client.machine.readings[NOTES] = ReadReply(text="Read.", media_type="text/plain")
    pane.handle(ComponentsChanged())
    qtbot.waitUntil(lambda: tasks.n_running == 0)
    assert [part.name for part in pane.attachments.parts] == [REPORT, NOTES]
    assert not pane.composer.component_button.isVisible()


def test_a_file_that_waits_for_a_component_stays_when_the_others_are_sent(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner, client: AppClient
) -> None:
    client.machine.readings[NOTES] = ReadReply(problem="it needs more.", needs_component=True)
    attach(qtbot, pane, tasks, NOTES, REPORT)
    QTest.keyClicks(pane.composer.editor, "What is this?")
    QTest.keyClick(pane.composer.editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: [chip.facts.name for chip in chips(pane)] == [Path(NOTES).name])
    assert [part.name for part in pane.transcript.entries[0].message.message.attached] == [Path(REPORT).name]
    qtbot.waitUntil(lambda: saved_files(client, pane.conversation_id) == [Path(NOTES).name])


def test_an_unreadable_file_says_why_and_can_be_removed(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner, client: AppClient
) -> None:
    client.machine.readings[NOTES] = ReadReply(problem="it is damaged.")
    attach(qtbot, pane, tasks, NOTES)
    assert lines(pane) == ["Not sent: It is damaged."]
    assert pane.composer.note == "", "its chip says it"
    assert pane.composer.reason_not_to_send() == "Write a message first"
    button = chips(pane)[0].remove_button
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert chips(pane) == []
    assert pane.composer.tray.isHidden()


def test_an_unreadable_file_does_not_block_the_others(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner, client: AppClient
) -> None:
    client.machine.readings[NOTES] = ReadReply(problem="it is damaged.")
    attach(qtbot, pane, tasks, NOTES, REPORT)
    assert pane.composer.reason_not_to_send() == ""
    QTest.keyClicks(pane.composer.editor, "What is this?")
    QTest.keyClick(pane.composer.editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: chips(pane) == [])
    assert [part.name for part in pane.transcript.entries[0].message.message.attached] == ["report.pdf"]


def test_all_files_are_removed_at_once(qtbot: QtBot, pane: ChatPane, tasks: TaskRunner) -> None:
    attach(qtbot, pane, tasks, NOTES)
    assert not pane.composer.tray.clear_button.isVisible()
    attach(qtbot, pane, tasks, REPORT, REPORT)
    QTest.mouseClick(pane.composer.tray.clear_button, Qt.MouseButton.LeftButton)
    assert chips(pane) == []
    assert pane.composer.tray.isHidden()


def test_delete_removes_the_focused_chip(qtbot: QtBot, pane: ChatPane, tasks: TaskRunner) -> None:
    attach(qtbot, pane, tasks, NOTES, REPORT)
    QTest.keyClick(chips(pane)[0], Qt.Key.Key_Delete)
    assert [chip.facts.name for chip in chips(pane)] == ["report.pdf"]


def test_tab_goes_from_the_editor_over_the_files_to_the_buttons(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner
) -> None:
    attach(qtbot, pane, tasks, NOTES, REPORT)
    composer = pane.composer
    met: list[QWidget] = []
    at: QWidget | None = composer.editor
    while at is not None and at is not composer.attach_button:
        at = at.nextInFocusChain()
        if at is not None and is_tab_stop(at):
            met.append(at)
    *files, rest, button = met
    assert [chip for chip in chips(pane) if chip in files] == chips(pane)
    assert all(composer.tray.isAncestorOf(each) for each in files)
    assert (rest, button) == (composer.tray.clear_button, composer.attach_button)


def test_a_click_on_a_chip_shows_the_text_for_the_model(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner
) -> None:
    attach(qtbot, pane, tasks, NOTES)
    QTest.mouseClick(chips(pane)[0], Qt.MouseButton.LeftButton)
    sheet = pane.findChild(AttachmentSheet)
    assert sheet is not None
    assert child(sheet, QPlainTextEdit).toPlainText() == "Remember the milk."
    sheet.accept()


@pytest.mark.parametrize(("n_beyond", "expected"), [(1, "(1 skipped)"), (2, "(2 skipped)"), (0, "")])
def test_files_beyond_the_limit_are_skipped_with_a_note(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner, n_beyond: int, expected: str
) -> None:
    attach(qtbot, pane, tasks, *[NOTES] * (MAX_ATTACHED + n_beyond))
    assert len(chips(pane)) == MAX_ATTACHED
    assert pane.composer.note == (expected and f"Limit: {MAX_ATTACHED} files {expected}")
    assert pane.composer.reason_not_to_send() == ""


def test_the_note_about_skipped_files_stays_until_a_file_is_removed(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner
) -> None:
    attach(qtbot, pane, tasks, *[NOTES] * MAX_ATTACHED)
    pane.composer.editor.image_pasted.emit(b"any")
    assert pane.composer.note.startswith("Limit:")
    QTest.keyClick(chips(pane)[0], Qt.Key.Key_Delete)
    assert pane.composer.note == ""


def test_a_file_larger_than_the_context_warns_before_sending(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner, client: AppClient
) -> None:
    client.set_state(STARTER_ID, Unloaded())
    client.machine.readings[REPORT] = ReadReply(media_type="application/pdf", text="Figures " * 20_000)
    attach(qtbot, pane, tasks, REPORT)
    assert lines(pane) == ["Too long for this model"]
    assert "about 36k tokens" in chips(pane)[0].facts.tooltip


# Sending


def test_files_go_with_the_message_and_leave_the_composer(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner, client: AppClient
) -> None:
    attach(qtbot, pane, tasks, NOTES)
    QTest.keyClicks(pane.composer.editor, "What is this?")
    press_send(qtbot, pane, tasks)
    [(_, text, _, attached, *_)] = client.called("generations.send")
    assert (text, attached) == ("What is this?", (document().part,))
    assert chips(pane) == []


def test_a_message_may_be_a_file_alone(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner, client: AppClient
) -> None:
    attach(qtbot, pane, tasks, NOTES)
    press_send(qtbot, pane, tasks)
    assert len(client.called("generations.send")) == 1


def test_a_sent_message_shows_its_files(qtbot: QtBot, pane: ChatPane, tasks: TaskRunner) -> None:
    attach(qtbot, pane, tasks, NOTES)
    press_send(qtbot, pane, tasks)
    view = pane.transcript.findChild(QuestionView)
    assert view is not None
    [chip] = view.findChildren(AttachmentChip)
    assert chip.facts.name == "notes.txt"
    assert view.accessibleDescription() == "Message 1 of 2. Attached: notes.txt"
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert pane.window().findChild(AttachmentSheet) is not None


def test_an_image_for_a_model_without_vision_is_refused_with_the_reason(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner, client: AppClient
) -> None:
    attach(qtbot, pane, tasks, PHOTO)
    press_send(qtbot, pane, tasks)
    assert client.called("generations.send") == []
    assert "No image support" in lines(pane)[0]
    assert "does not support images" in pane.composer.reason_not_to_send()


def test_a_picture_goes_to_a_model_with_vision(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner, client: AppClient
) -> None:
    attach(qtbot, pane, tasks, PHOTO)
    use_model(pane, with_vision(client.entries[0]))
    press_send(qtbot, pane, tasks)
    assert len(client.called("generations.send")) == 1


def test_attachments_are_counted_in_the_meter(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner, client: AppClient
) -> None:
    attach(qtbot, pane, tasks, NOTES, REPORT)

    def names() -> list[str]:
        _, _, attached, *_ = client.called("context.plan")[-1]
        assert isinstance(attached, tuple)
        return [part.name for part in attached]

    qtbot.waitUntil(lambda: len(client.called("context.plan")) > 0 and len(names()) == 2)
    assert names() == ["notes.txt", "report.pdf"]


def test_a_queued_message_names_its_files_and_returns_them(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner
) -> None:
    QTest.keyClicks(pane.composer.editor, "First")
    press_send(qtbot, pane, tasks)
    attach(qtbot, pane, tasks, NOTES)
    press_send(qtbot, pane, tasks)
    [row] = pane.queue_area.findChildren(QueuedMessageBubble)
    assert row.accessibleName() == "Queued: notes.txt"
    assert chips(pane) == []
    QTest.mouseClick(row.remove_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: tasks.n_running == 0)
    assert [chip.facts.name for chip in chips(pane)] == ["notes.txt"]


def test_each_conversation_keeps_its_own_files(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner, client: AppClient
) -> None:
    attach(qtbot, pane, tasks, NOTES)
    other = client.add_conversation("Other", turns=["Hi", "Hello"])
    pane.open(client.opened(other))
    assert chips(pane) == []
    pane.open_new(draft="", draft_id=NEW, attached=client.draft_files(NEW))
    assert [chip.facts.name for chip in chips(pane)] == ["notes.txt"]


def test_chips_of_every_state_fit_a_narrow_window(qtbot: QtBot, pane: ChatPane, tasks: TaskRunner) -> None:
    named = Path("long name " * 12 + ".py")
    named.write_text("pass")
    pane.resize(560, 700)
    attach(qtbot, pane, tasks, NOTES, REPORT, PHOTO, str(named), "broken.docx")
    for chip in chips(pane):
        inside = chip.mapTo(pane, QPoint(chip.width(), 0))
        assert inside.x() <= pane.width()


# Drafts


def saved_files(client: AppClient, draft_key: DraftKey | None = NEW) -> list[str]:
    assert draft_key is not None
    return [each.name for each in client.draft_files(draft_key)]


def test_a_file_that_waits_for_a_component_is_kept_and_read_once_it_is_there(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner, client: AppClient
) -> None:
    client.machine.readings[NOTES] = ReadReply(problem="it needs more.", needs_component=True)
    attach(qtbot, pane, tasks, NOTES, REPORT)
    stored = client.draft_files(NEW)
    assert {each.name: (each.is_unread, each.path) for each in stored} == {
        "notes.txt": (True, NOTES),
        "report.pdf": (False, REPORT),
    }
    pane.open_new(draft="", draft_id=DraftId("after a restart"), attached=stored)
    qtbot.waitUntil(lambda: tasks.n_running == 0)
    assert [part.name for part in pane.attachments.parts] == [Path(REPORT).name], "an unread file is not sent"
    assert pane.composer.component_button.isVisible()
    pane.open_new(draft="", draft_id=NEW, attached=stored)
    assert len(chips(pane)) == 2, "no second chip for the one that still waits here"
    client.machine.readings[NOTES] = ReadReply(text="Read.", media_type="text/plain")
    pane.handle(ComponentsChanged())
    qtbot.waitUntil(lambda: tasks.n_running == 0)
    assert [each.is_unread for each in client.draft_files(NEW)] == [False, False]


def test_attachments_are_saved_with_the_draft_until_removed(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner, client: AppClient
) -> None:
    attach(qtbot, pane, tasks, NOTES, REPORT, "broken.docx")
    assert saved_files(client) == ["notes.txt", "report.pdf"]
    remove = chips(pane)[0].remove_button
    assert remove is not None
    QTest.mouseClick(remove, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: tasks.n_running == 0)
    assert saved_files(client) == ["report.pdf"]


def test_stored_attachments_are_restored_with_their_token_counts(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner, client: AppClient
) -> None:
    chat = client.add_conversation("Bread", turns=["Hi", "Hello"])
    part = ImagePart(data=photo(), media_type="image/png", name=PHOTO)
    picture = Attachment(part=part, size_bytes=len(part.data))
    client.keep_draft(chat, attached=(document(), picture))
    pane.open(client.opened(chat))
    qtbot.waitUntil(lambda: tasks.n_running == 0)
    assert [chip.facts.name for chip in chips(pane)] == ["notes.txt", "photo.png"]
    assert lines(pane)[0].endswith(" 9 tokens")
    assert chips(pane)[1].facts.image is not None


def test_sending_clears_the_draft_but_keeps_files_attached_meanwhile(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner, client: AppClient
) -> None:
    attach(qtbot, pane, tasks, NOTES)
    QTest.keyClicks(pane.composer.editor, "Read this")
    QTest.keyClick(pane.composer.editor, Qt.Key.Key_Return)
    pane.attachments.add_files([REPORT])
    qtbot.waitUntil(lambda: tasks.n_running == 0)
    assert saved_files(client) == []
    chat = pane.conversation_id
    assert chat is not None
    assert saved_files(client, chat) == ["report.pdf"]
    assert [chip.facts.name for chip in chips(pane)] == ["report.pdf"]


def test_a_failed_send_keeps_text_and_files_as_draft(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner, client: AppClient
) -> None:
    attach(qtbot, pane, tasks, NOTES)
    QTest.keyClicks(pane.composer.editor, "Read this")
    client.fail("generations.send", StorageFull(path="/x"))
    press_send(qtbot, pane, tasks)
    assert client.draft(NEW) == "Read this"
    assert saved_files(client) == ["notes.txt"]


def test_files_of_a_withdrawn_message_are_saved_again(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner, client: AppClient
) -> None:
    QTest.keyClicks(pane.composer.editor, "First")
    press_send(qtbot, pane, tasks)
    attach(qtbot, pane, tasks, NOTES)
    press_send(qtbot, pane, tasks)
    [row] = pane.queue_area.findChildren(QueuedMessageBubble)
    QTest.mouseClick(row.remove_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: tasks.n_running == 0)
    assert saved_files(client, pane.conversation_id) == ["notes.txt"]
