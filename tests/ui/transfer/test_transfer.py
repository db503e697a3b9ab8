"""Exporting, importing and restoring by clicks on the real window."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.local_app import done
from fakes.stores import names
from fakes.transcripts import archive, asked, damaged, everything, transcript
from fakes.window import WindowLog
from fireside.core.ids import ConversationId
from fireside.core.transfer import FILE_ENDINGS, ExportFormat, TransferProgressed
from fireside.settings.values import AppLayer
from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.commands import Command
from fireside.ui.page import Page
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.transfer.backups_sheet import BackupsSheet
from fireside.ui.transfer.export_sheet import ExportSheet
from fireside.ui.transfer.import_sheet import ImportSheet

LEFT = Qt.MouseButton.LeftButton
BREAD = ConversationId(1)


@pytest.fixture
def bread(window: MainWindow) -> ConversationId:
    """The conversation that is in front."""
    window.conversations.open(BREAD)
    settled()
    return BREAD


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    """A file of ours with four chats, one of them empty, one that ``everything`` is."""
    salt, yeast = (
        transcript(asked("How much?"), title=title, origin=f"test:{title}") for title in ("Salt", "Yeast")
    )
    tea = transcript(title="Tea", origin="test:tea")
    file = tmp_path / "chats.json"
    file.write_text(json.dumps(archive(salt, everything(), tea, yeast)))
    return file


def run(window: MainWindow, command: Command) -> None:
    window.commands.actions[command].trigger()


def export_sheet(window: MainWindow) -> ExportSheet:
    assert window.transfers.export_sheet is not None
    return window.transfers.export_sheet


def backups_sheet(window: MainWindow) -> BackupsSheet:
    run(window, Command.BACKUPS)
    settled()
    assert window.transfers.backups_sheet is not None
    return window.transfers.backups_sheet


def choose(qtbot: QtBot, dialog: QFileDialog, path: str) -> None:
    """Answer a file dialog as a user would who chose this."""
    dialog.fileSelected.emit(path)
    dialog.filesSelected.emit([path])
    dialog.reject()
    qtbot.wait(0)


def take(qtbot: QtBot, sheet: ExportSheet, form: ExportFormat) -> None:
    """Click on a format: a radio button takes clicks on its words, not beside them."""
    button = sheet.forms[form]
    QTest.mouseClick(button, LEFT, pos=QPoint(10, button.height() // 2))


# Export


@pytest.mark.usefixtures("bread")
def test_the_header_exports_the_chat_in_front(
    qtbot: QtBot, window: MainWindow, log: WindowLog, tmp_path: Path
) -> None:
    target = tmp_path / "Bread.html"
    QTest.mouseClick(window.header.export, LEFT)
    sheet = export_sheet(window)
    take(qtbot, sheet, ExportFormat.HTML)
    QTest.mouseClick(sheet.export, LEFT)
    (dialog,) = sheet.findChildren(QFileDialog)
    assert dialog.defaultSuffix() == "html"
    choose(qtbot, dialog, str(target))
    settled()
    assert "Like this." in target.read_text()
    assert window.toast.text == "1 chat exported."
    assert window.toast.trigger_action()
    assert log.revealed == [str(target)]
    qtbot.waitUntil(lambda: window.transfers.export_sheet is None)


@pytest.mark.usefixtures("bread")
@pytest.mark.parametrize("form", [ExportFormat.DOCX, ExportFormat.PDF, ExportFormat.MARKDOWN])
def test_an_answer_is_saved_as_a_file(
    form: ExportFormat, qtbot: QtBot, window: MainWindow, log: WindowLog, tmp_path: Path
) -> None:
    target = tmp_path / f"Bread{FILE_ENDINGS[form]}"
    transcript = window.chat.transcript
    transcript.act(transcript.entries[-1].message.id, MessageAction.SAVE_AS)
    sheet = export_sheet(window)
    assert ExportFormat.JSON not in sheet.forms
    take(qtbot, sheet, form)
    QTest.mouseClick(sheet.export, LEFT)
    (dialog,) = sheet.findChildren(QFileDialog)
    choose(qtbot, dialog, str(target))
    qtbot.waitUntil(lambda: window.toast.text == f"Saved as {target.name}.")
    begins = {ExportFormat.DOCX: b"PK", ExportFormat.PDF: b"%PDF", ExportFormat.MARKDOWN: b"Like this."}
    assert target.read_bytes().startswith(begins[form])
    assert window.toast.trigger_action()
    assert log.revealed == [str(target)]
    qtbot.waitUntil(lambda: window.transfers.export_sheet is None)


@pytest.mark.usefixtures("bread")
def test_shift_and_tab_from_the_buttons_lead_to_the_format_that_is_chosen(
    qtbot: QtBot, window: MainWindow
) -> None:
    run(window, Command.EXPORT_CHAT)
    sheet = export_sheet(window)
    qtbot.waitExposed(sheet)
    for key in (Qt.Key.Key_Backtab, Qt.Key.Key_Tab):
        sheet.cancel.setFocus()
        passed = [sheet.focusWidget()]
        while len(passed) < 2 or passed[-1] is not sheet.cancel:
            QTest.keyClick(passed[-1] or sheet, key)
            passed.append(sheet.focusWidget())
        assert [part for part in passed if part in sheet.forms.values()] == [
            sheet.forms[ExportFormat.MARKDOWN]
        ]
    sheet.reject()


@pytest.mark.usefixtures("bread")
def test_all_chats_go_into_a_folder_but_as_json_into_one_file(qtbot: QtBot, window: MainWindow) -> None:
    run(window, Command.EXPORT_ALL)
    sheet = export_sheet(window)
    assert sheet.ids is None
    folder = sheet.choose_path()
    assert folder.fileMode() is QFileDialog.FileMode.Directory
    folder.reject()
    take(qtbot, sheet, ExportFormat.JSON)
    file = sheet.choose_path()
    assert file.fileMode() is QFileDialog.FileMode.AnyFile
    file.reject()
    sheet.reject()


@pytest.mark.usefixtures("bread")
def test_an_export_says_how_far_it_is_and_can_be_stopped(
    qtbot: QtBot, window: MainWindow, client: AppClient
) -> None:
    client.hold("transfer.export")
    run(window, Command.EXPORT_CHAT)
    sheet = export_sheet(window)
    choose(qtbot, sheet.choose_path(), "/out/x.md")
    client.publish(TransferProgressed(n_done=3, n_total=12))
    assert sheet.status.text() == "3 of 12 chats"
    QTest.keyClick(sheet, Qt.Key.Key_Escape)
    settled()
    assert not sheet.is_busy
    assert sheet.status.text().startswith("Cancelled;")
    sheet.reject()


@pytest.mark.usefixtures("bread")
def test_an_export_that_fails_says_so_in_the_sheet_and_can_be_tried_again(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    run(window, Command.EXPORT_CHAT)
    sheet = export_sheet(window)
    choose(qtbot, sheet.choose_path(), str(tmp_path / "file" / "x.md"))
    settled()
    assert "Export to" in sheet.status.text()
    assert sheet.export.isEnabled()
    sheet.reject()


def test_damaged_messages_are_told_after_an_export(
    qtbot: QtBot, window: MainWindow, client: AppClient, tmp_path: Path
) -> None:
    done(client.store.transcripts.add(transcript(asked("x"), damaged(parent=0))))
    run(window, Command.EXPORT_ALL)
    choose(qtbot, export_sheet(window).choose_path(), str(tmp_path / "out"))
    settled()
    assert "1 damaged message was replaced by a note" in window.toast.text


def test_several_chats_of_the_sidebar_are_exported_together(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    summaries = [summary for id_ in (1, 2) if (summary := window.sidebar.model.summary(ConversationId(id_)))]
    menu = window.sidebar._menus.for_chats(summaries, folders=())
    next(action for action in menu.actions() if action.text() == "Export 2 chats…").trigger()
    qtbot.waitUntil(lambda: window.transfers.export_sheet is not None)
    sheet = export_sheet(window)
    assert sheet.scope.button("these").text() == "2 chats"
    choose(qtbot, sheet.choose_path(), str(tmp_path / "out"))
    settled()
    assert names(tmp_path / "out") == ["Bread.md", "Rope.md"]


# Import


def test_an_import_says_what_came_and_what_did_not(
    qtbot: QtBot, window: MainWindow, client: AppClient, chats: Path
) -> None:
    done(client.store.transcripts.add(everything()))
    run(window, Command.IMPORT_CHATS)
    sheet = window.transfers.import_sheet
    assert isinstance(sheet, ImportSheet)
    QTest.mouseClick(sheet.files, LEFT)
    (dialog,) = sheet.findChildren(QFileDialog)
    choose(qtbot, dialog, str(chats))
    settled()
    assert sheet.message.text() == ("2 chats imported. 1 existing chat skipped. 1 failed:")
    assert sheet.skipped.toPlainText() == "Tea – there is no message in it."
    assert [client.summaries[id_].title for id_ in client.summaries][-2:] == ["Salt", "Yeast"]
    sheet.reject()


def test_the_frame_of_the_keyboard_is_around_what_return_does(qtbot: QtBot, window: MainWindow) -> None:
    sheet = window.transfers.show_import()
    qtbot.waitUntil(sheet.isActiveWindow)
    assert sheet.focusWidget() is sheet.files
    assert sheet.files.isDefault()
    sheet.reject()


def test_a_file_that_was_cut_short_is_imported_up_to_there(window: MainWindow, chats: Path) -> None:
    chats.write_bytes(chats.read_bytes()[:-100])
    sheet = window.transfers.show_import()
    sheet.start([str(chats)])
    settled()
    assert sheet.message.text() == "3 chats imported. 1 incomplete, 1 failed:"
    assert sheet.skipped.toPlainText().splitlines() == [
        "Yeast – it is damaged or cut short; all before that was imported.",
        "Tea – there is no message in it.",
    ]
    sheet.reject()


def test_a_file_that_cannot_be_imported_is_said_in_the_sheet(window: MainWindow, chats: Path) -> None:
    chats.write_bytes(b"no chats")
    sheet = window.transfers.show_import()
    sheet.start([str(chats)])
    settled()
    assert "no chats in a supported format" in sheet.message.text()
    assert sheet.files.isEnabled()
    sheet.reject()


def drop(window: MainWindow, *paths: str) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(path) for path in paths])
    kind = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    enter = QDragEnterEvent(QPointF(50, 50).toPoint(), *kind)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    assert window.drop.title.text() == "Drop to import chats"
    QApplication.sendEvent(window, QDropEvent(QPointF(50, 50), *kind))


def test_chats_that_are_dropped_on_the_window_are_imported(
    window: MainWindow, client: AppClient, chats: Path
) -> None:
    drop(window, str(chats))
    settled()
    assert len(client.summaries) == 5
    assert window.transfers.import_sheet is not None
    window.transfers.import_sheet.reject()


def test_other_files_that_are_dropped_are_not_imported(
    window: MainWindow, client: AppClient, tmp_path: Path
) -> None:
    package = tmp_path / "package.json"
    package.write_text('{"name": "bread"}')
    drop(window, str(package))
    settled()
    assert client.called("transfer.import_files") == []
    assert "No supported chats" in window.toast.text


# Backups


def test_a_backup_is_brought_back_after_two_clicks_and_all_is_asked_anew(
    window: MainWindow, client: AppClient
) -> None:
    old = client.result(client.backups.back_up())
    client.result(client.folders.delete_conversations((BREAD,)))
    later = client.add_conversation("Salt")
    client.result(client.backups.back_up())
    sheet = backups_sheet(window)
    sheet.list.setCurrentRow(1)
    assert sheet.selected_backup == old.path
    QTest.mouseClick(sheet.restore, LEFT)
    assert client.called("backups.restore") == []
    QTest.mouseClick(sheet.confirm, LEFT)
    settled()
    assert sheet.status.text().startswith("Backup restored.")
    assert [window.sidebar.model.summary(id_) is not None for id_ in (BREAD, later)] == [True, False]
    # What was there before is a backup too.
    assert sheet.list.count() == 3
    sheet.reject()


def test_escape_keeps_everything_as_it_is(qtbot: QtBot, window: MainWindow, client: AppClient) -> None:
    client.result(client.backups.back_up())
    sheet = backups_sheet(window)
    sheet.list.setCurrentRow(0)
    QTest.keyClick(sheet.list, Qt.Key.Key_Return)
    assert sheet.confirm.isVisible()
    QTest.keyClick(sheet, Qt.Key.Key_Escape)
    assert not sheet.confirm.isVisible()
    QTest.keyClick(sheet, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.transfers.backups_sheet is None)
    assert client.called("backups.restore") == []


def test_a_backup_that_cannot_be_used_is_said_in_the_sheet(window: MainWindow, client: AppClient) -> None:
    Path(client.result(client.backups.back_up()).path).write_text("Not a database.")
    sheet = backups_sheet(window)
    sheet.list.setCurrentRow(0)
    QTest.mouseClick(sheet.restore, LEFT)
    QTest.mouseClick(sheet.confirm, LEFT)
    settled()
    assert "nothing was changed" in sheet.status.text()
    assert window.sidebar.model.summary(BREAD) is not None
    assert not sheet.is_busy
    sheet.reject()
    sheet.reject()


def test_return_restores_with_the_passphrase_that_was_asked_for(
    window: MainWindow, client: AppClient
) -> None:
    old = client.result(client.backups.back_up())
    sheet = backups_sheet(window)
    sheet.list.setCurrentRow(0)
    QTest.mouseClick(sheet.restore, LEFT)
    sheet.ask_passphrase("It has another passphrase.")
    QTest.keyClicks(sheet.passphrase, "correct horse")
    QTest.keyClick(sheet.passphrase, Qt.Key.Key_Return)
    settled()
    assert client.called("backups.restore") == [(old.path, "correct horse")]
    assert sheet.status.text().startswith("Backup restored.")
    sheet.reject()


def test_without_backups_there_is_nothing_to_bring_back(window: MainWindow) -> None:
    sheet = backups_sheet(window)
    assert sheet.empty.isVisible()
    assert not sheet.restore.isEnabled()
    sheet.reject()


def test_the_settings_back_up_now_and_say_how_things_stand(window: MainWindow) -> None:
    window.show_page(Page.SETTINGS)
    settled()
    row = window.pages.settings.backups
    window.pages.settings.filter.setText("backup")
    assert row.state.text() == "No backups yet"
    QTest.mouseClick(row.back_up, LEFT)
    settled()
    assert "1 backup" in row.state.text()
    QTest.mouseClick(row.restore, LEFT)
    settled()
    assert window.transfers.backups_sheet is not None
    window.transfers.backups_sheet.reject()


def test_the_settings_say_why_the_last_backup_failed(
    window: MainWindow, client: AppClient, tmp_path: Path
) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    client.layers[AppLayer()] = {"backups.folder": str(folder)}
    folder.rmdir()
    folder.write_text("Not a folder any more.")
    client.result(client.app.backups.back_up_if_due())
    window.show_page(Page.SETTINGS)
    settled()
    assert "Backup to" in window.pages.settings.backups.error.text()
