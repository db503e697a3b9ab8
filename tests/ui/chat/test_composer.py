"""Writing a message: keys, long texts, drafts, the meter, Send and Stop."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QImage, QInputMethodEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QTextEdit,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from fakes.clipped_text import cut_off
from fakes.context_plans import plan_of
from fakes.widgets import child, parent_of
from fireside.ui.chat.composer.attachment_sheet import AttachmentSheet
from fireside.ui.chat.composer.composer import Composer
from fireside.ui.chat.pane.chips import ChatChips, ChipContent
from fireside.ui.chat.style import LINE_PERCENT
from fireside.ui.kit.layout import column
from fireside.ui.theme import MESSAGE_PX, Theme
from fireside.ui.widgets.edit_menu import EditMenus, edit_menu
from fireside.ui.widgets.popup import Menu


@pytest.fixture
def composer(qtbot: QtBot) -> Composer:
    composer = Composer()
    qtbot.addWidget(composer)
    composer.resize(700, 200)
    composer.show()
    qtbot.waitExposed(composer)
    composer.editor.setFocus()
    return composer


@pytest.fixture
def sent(composer: Composer) -> list[str]:
    texts: list[str] = []
    composer.send_requested.connect(texts.append)
    return texts


def paste(composer: Composer, text: str) -> None:
    data = QMimeData()
    data.setText(text)
    composer.editor.insertFromMimeData(data)


def chips(composer: Composer) -> list[QToolButton]:
    return [
        button
        for button in composer.findChildren(QToolButton)
        if button.accessibleName().startswith("Remove: ") and not parent_of(button).isHidden()
    ]


def test_a_click_on_a_pasted_text_shows_it(composer: Composer) -> None:
    paste(composer, "word " * 2_000)
    (show,) = [
        button for button in composer.findChildren(QPushButton) if button.toolTip() == "Show this text"
    ]
    QTest.mouseClick(show, Qt.MouseButton.LeftButton)
    sheet = composer.findChild(AttachmentSheet)
    assert sheet is not None
    assert child(sheet, QPlainTextEdit).toPlainText().startswith("word word")
    sheet.accept()


def test_enter_sends_what_was_typed(composer: Composer, sent: list[str]) -> None:
    QTest.keyClicks(composer.editor, "Hello")
    QTest.keyClick(composer.editor, Qt.Key.Key_Return)
    assert sent == ["Hello"]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_shift_and_enter_start_a_new_line(composer: Composer, sent: list[str], key: Qt.Key) -> None:
    QTest.keyClicks(composer.editor, "a")
    QTest.keyClick(composer.editor, key, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(composer.editor, "b")
    assert composer.text() == "a\nb"
    assert sent == []


def test_enter_does_not_send_while_an_input_method_is_composing(composer: Composer, sent: list[str]) -> None:
    QTest.keyClicks(composer.editor, "x")
    QApplication.sendEvent(composer.editor, QInputMethodEvent("にほ", []))
    QTest.keyClick(composer.editor, Qt.Key.Key_Return)
    assert sent == []
    done = QInputMethodEvent("", [])
    done.setCommitString("日本")
    QApplication.sendEvent(composer.editor, done)
    QTest.keyClick(composer.editor, Qt.Key.Key_Return)
    assert sent == ["x日本"]


@pytest.mark.parametrize("text", ["", "   ", "\n\n"])
def test_an_empty_message_is_not_sent(composer: Composer, sent: list[str], text: str) -> None:
    composer.set_text(text)
    QTest.keyClick(composer.editor, Qt.Key.Key_Return)
    assert sent == []
    assert not composer.send_button.isEnabled()
    assert composer.send_button.toolTip() == "Write a message first"


def test_sending_is_disabled_with_the_reason_without_a_model(composer: Composer, sent: list[str]) -> None:
    composer.set_text("Hello")
    composer.set_blocked("Choose model first")
    QTest.keyClick(composer.editor, Qt.Key.Key_Return)
    assert sent == []
    assert not composer.send_button.isEnabled()
    assert composer.send_button.toolTip() == "Choose model first"


def test_stop_replaces_send_while_an_answer_runs(qtbot: QtBot, composer: Composer, sent: list[str]) -> None:
    composer.set_running(True)
    assert composer.send_button.accessibleName() == "Stop"
    with qtbot.waitSignal(composer.stop_requested):
        composer.send_button.click()
    composer.set_running(False)
    assert composer.send_button.accessibleName() == "Send"
    assert sent == []


def test_escape_stops_a_running_answer_and_does_nothing_else(qtbot: QtBot, composer: Composer) -> None:
    composer.set_text("draft")
    with qtbot.assertNotEmitted(composer.stop_requested):
        QTest.keyClick(composer.editor, Qt.Key.Key_Escape)
    composer.set_running(True)
    with qtbot.waitSignal(composer.stop_requested):
        QTest.keyClick(composer.editor, Qt.Key.Key_Escape)
    assert composer.text() == "draft"


def test_enter_while_an_answer_runs_sends_it_too(composer: Composer, sent: list[str]) -> None:
    composer.set_text("next question")
    composer.set_running(True)
    QTest.keyClick(composer.editor, Qt.Key.Key_Return)
    assert sent == ["next question"]


def test_a_button_beside_stop_sends_while_an_answer_runs(composer: Composer, sent: list[str]) -> None:
    assert composer.queue_button.isHidden()
    composer.set_running(True)
    assert composer.queue_button.isHidden()
    composer.set_text("next question")
    assert not composer.queue_button.isHidden()
    composer.queue_button.click()
    assert sent == ["next question"]


def test_restored_text_is_appended_below_the_typed_text(composer: Composer) -> None:
    composer.restore_text("first")
    assert composer.text() == "first"
    composer.restore_text("second")
    assert composer.text() == "first\n\nsecond"


# Paste


def test_pasted_text_is_plain(composer: Composer) -> None:
    data = QMimeData()
    data.setHtml("<b>bold</b><img src='file:///x.png'>")
    data.setText("bold")
    composer.editor.insertFromMimeData(data)
    assert composer.text() == "bold"
    assert "font-weight:7" not in composer.editor.toHtml()


def dragged(data: QMimeData) -> QDragEnterEvent:
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    event = QDragEnterEvent(QPoint(5, 5), Qt.DropAction.CopyAction, data, left, none)
    event.ignore()
    return event


def test_dropped_files_are_left_to_the_window(composer: Composer) -> None:
    files, text = QMimeData(), QMimeData()
    files.setUrls([QUrl("file:///tmp/model.gguf")])
    text.setText("words")
    for data, is_taken in ((files, False), (text, True)):
        event = dragged(data)
        QApplication.sendEvent(composer.editor.viewport(), event)
        assert event.isAccepted() == is_taken


def menu_actions(field: QTextEdit) -> dict[str, QAction]:
    menu = edit_menu(field, QPoint(5, 5))
    assert menu is not None
    return {action.objectName(): action for action in menu.actions()}


@pytest.mark.parametrize("kind", ["text", "files", "image", "web address", "nothing"])
def test_the_menu_pastes_what_the_key_pastes(composer: Composer, kind: str) -> None:
    data = QMimeData()
    pasted: list[object] = []
    composer.editor.files_pasted.connect(pasted.append)
    composer.editor.image_pasted.connect(pasted.append)
    composer.editor.text_pasted.connect(pasted.append)
    match kind:
        case "text":
            data.setText("words")
        case "files":
            data.setUrls([QUrl.fromLocalFile("/tmp/notes.pdf"), QUrl.fromLocalFile("/tmp/x.png")])
        case "image":
            image = QImage(4, 4, QImage.Format.Format_RGB32)
            image.fill(Qt.GlobalColor.red)
            data.setImageData(image)
        case "web address":
            data.setUrls([QUrl("https://example.org/x")])
            data.setText("https://example.org/x")
        case _:
            data.setData("application/x-unknown", b"x")
    QApplication.clipboard().setMimeData(data)
    action = menu_actions(composer.editor)["edit-paste"]
    assert action.isEnabled() == (kind != "nothing")
    action.trigger()
    assert len(pasted) == (kind != "nothing")
    QApplication.clipboard().clear()


def test_the_menu_of_every_field_shows_its_keys_and_no_mnemonics(composer: Composer, qtbot: QtBot) -> None:
    undo = QAction(composer)  # a command of the window with the same key, for which Qt leaves it out
    undo.setShortcut(QKeySequence.StandardKey.Undo)
    composer.addAction(undo)
    labels = {name: action.text() for name, action in menu_actions(composer.editor).items()}
    assert labels["edit-undo"] == "Undo\tCtrl+Z"
    assert labels["edit-paste"] == "Paste\tCtrl+V"
    assert not any("&" in label for label in labels.values())


def test_a_field_has_its_menu_from_its_first_focus_on(
    composer: Composer, qapp: QApplication, qtbot: QtBot
) -> None:
    parts = QWidget()
    qtbot.addWidget(parts)
    fields = [QLineEdit(), QPlainTextEdit(), QTextEdit(), QSpinBox()]
    column(*fields, on=parts)
    menus = EditMenus(qapp, parent=parts)
    parts.show()
    qtbot.waitExposed(parts)
    for field in fields:
        field.setFocus()
        qtbot.waitUntil(field.hasFocus)
        assert field.contextMenuPolicy() is Qt.ContextMenuPolicy.CustomContextMenu
        field.customContextMenuRequested.emit(QPoint(3, 3))
        popup = QApplication.activePopupWidget()
        assert isinstance(popup, Menu)
        assert "Select All\tCtrl+A" in [action.text() for action in popup.actions()]
        popup.close()
    menus.deleteLater()


def test_a_long_paste_is_kept_folded_and_sent_whole(composer: Composer, sent: list[str]) -> None:
    long = "line of text\n" * 10_000
    QTest.keyClicks(composer.editor, "Summarise this:")
    paste(composer, long)
    assert composer.editor.toPlainText() == "Summarise this:"
    QTest.keyClick(composer.editor, Qt.Key.Key_Return)
    assert sent == [f"Summarise this:\n\n{long}"]


def test_a_folded_text_can_be_removed(composer: Composer) -> None:
    paste(composer, "x" * 6_000)
    (remove,) = chips(composer)
    remove.click()
    assert composer.text() == ""
    assert not composer.send_button.isEnabled()


def test_a_ten_megabyte_paste_is_refused_and_says_that_it_is_still_on_the_clipboard(
    composer: Composer,
) -> None:
    composer.set_text("kept")
    paste(composer, "word " * 2_097_152)
    assert composer.text() == "kept"
    notes = composer.findChildren(QLabel, "composerNote")
    assert any("10,485,760" in note.text() and note.isVisible() for note in notes)


@pytest.mark.parametrize("text", ["a\x00b", "a\ud800b", "a\ufdd0b"])
def test_characters_that_cannot_be_stored_are_replaced(
    composer: Composer, sent: list[str], text: str
) -> None:
    composer.insert_text(text)
    QTest.keyClick(composer.editor, Qt.Key.Key_Return)
    assert sent == ["a\ufffdb"]


# Drafts


def test_a_draft_is_reported_after_a_pause(qtbot: QtBot, composer: Composer) -> None:
    drafts: list[str] = []
    composer.draft_changed.connect(drafts.append)
    QTest.keyClicks(composer.editor, "Hello")
    qtbot.waitUntil(lambda: drafts == ["Hello"])


def test_flushing_reports_a_pending_draft_at_once(composer: Composer) -> None:
    drafts: list[str] = []
    composer.draft_changed.connect(drafts.append)
    QTest.keyClicks(composer.editor, "Hel")
    composer.flush_draft()
    composer.flush_draft()
    assert drafts == ["Hel"]


def test_a_restored_draft_is_not_reported_as_changed(qtbot: QtBot, composer: Composer) -> None:
    with qtbot.assertNotEmitted(composer.draft_changed, wait=450):
        composer.set_text("from before")
    assert composer.text() == "from before"


def test_a_long_draft_comes_back_folded(composer: Composer) -> None:
    long = "x" * 6_000
    composer.set_text(long)
    assert composer.editor.toPlainText() == ""
    assert composer.text() == long


# Size and meter


def test_the_editor_grows_with_the_text_up_to_a_share_of_the_pane(composer: Composer) -> None:
    composer.set_available_height(500)
    min_height = composer.editor.height()
    composer.set_text("line\n" * 5)
    assert composer.editor.height() > min_height
    composer.set_text("line\n" * 100)
    assert composer.editor.height() == 200
    composer.set_text("")
    assert composer.editor.height() == min_height


def test_the_meter_shows_exact_counts_and_warns_when_nearly_full(composer: Composer) -> None:
    assert not composer.meter.isVisible()
    composer.meter.set_plan(plan_of(n_ctx=32768))
    assert composer.meter.displayed_text == "1.9k / 32k"
    assert "1,740" in composer.meter.toolTip()
    assert "% full" not in composer.meter.toolTip()
    composer.setFixedWidth(composer.meter.sizeHint().width() + 260)  # as beside a panel
    QApplication.processEvents()
    assert composer.meter.width() < composer.meter.sizeHint().width()
    assert cut_off(composer) == []
    composer.meter.set_plan(plan_of(n_prompt=8000))
    assert "98% full" in composer.meter.toolTip()
    composer.meter.set_plan(None)
    assert not composer.meter.isVisible()


# Preedit text, long drafts, undo


def test_a_click_on_send_commits_preedit_text_without_sending(composer: Composer, sent: list[str]) -> None:
    QTest.keyClicks(composer.editor, "x")
    QApplication.sendEvent(composer.editor, QInputMethodEvent("にほ", []))
    QTest.mouseClick(composer.send_button, Qt.MouseButton.LeftButton)
    assert sent == []
    assert composer.text() == "xにほ"
    QTest.mouseClick(composer.send_button, Qt.MouseButton.LeftButton)
    assert sent == ["xにほ"]


def test_preedit_text_is_committed_when_the_chat_is_left(composer: Composer) -> None:
    drafts: list[str] = []
    composer.draft_changed.connect(drafts.append)
    QApplication.sendEvent(composer.editor, QInputMethodEvent("にほ", []))
    composer.flush_draft()
    assert drafts == ["にほ"]


def test_continuous_typing_is_reported_too(qtbot: QtBot, composer: Composer) -> None:
    drafts: list[str] = []
    composer.draft_changed.connect(drafts.append)

    def type_on() -> bool:
        QTest.keyClicks(composer.editor, "a")
        return bool(drafts)

    qtbot.waitUntil(type_on, timeout=20_000)
    assert drafts[0]


def test_the_text_before_a_long_paste_is_restored_in_the_editor(composer: Composer) -> None:
    long = "line of a log\n" * 70_000
    QTest.keyClicks(composer.editor, "What is wrong here?")
    paste(composer, long)
    whole = composer.text()
    assert len(whole) > 900_000
    composer.set_text("")
    composer.set_text(whole)
    assert composer.editor.toPlainText() == "What is wrong here?"
    assert len(chips(composer)) == 1
    assert composer.text() == whole


def test_a_draft_of_one_long_text_is_restored_exactly(composer: Composer) -> None:
    for text in (
        "x" * 60_000,
        "\n\n" + "y\n\n" * 30_000,
        "a\n\n\n\n" + "z" * 60_000,
        "Title\n\n" + "z" * 60_000,
    ):
        composer.set_text(text)
        assert composer.text() == text


def test_undo_and_redo_stay_within_the_chat(composer: Composer) -> None:
    control = Qt.KeyboardModifier.ControlModifier
    composer.set_text("of another chat")
    composer.set_text("")
    QTest.keyClicks(composer.editor, "one")
    paste(composer, " two")
    QTest.keyClick(composer.editor, Qt.Key.Key_Z, control)
    assert composer.text() == "one"
    QTest.keyClick(composer.editor, Qt.Key.Key_Z, control | Qt.KeyboardModifier.ShiftModifier)
    assert composer.text() == "one two"
    for _ in range(9):
        QTest.keyClick(composer.editor, Qt.Key.Key_Z, control)
    assert composer.text() == ""


def test_text_typed_while_a_message_was_stored_is_reported_at_once(composer: Composer) -> None:
    drafts: list[str] = []
    composer.draft_changed.connect(drafts.append)
    QTest.keyClicks(composer.editor, "Hello and more")
    composer.remove_sent("Hello")
    assert drafts == [" and more"]


def test_what_is_typed_has_the_size_and_line_height_of_messages(composer: Composer, theme: Theme) -> None:
    for text_px, message_px in ((14, 15), (28, 30)):
        theme.set_text_size(text_px)
        assert theme.ui_font(MESSAGE_PX).pixelSize() == message_px
        assert composer.editor.viewport().font().pixelSize() == message_px  # of the placeholder
        assert composer.editor.document().defaultFont().pixelSize() == message_px
    for text in ("one", "two\nlines", ""):
        composer.set_text(text)
        QTest.keyClicks(composer.editor, "x")
        composer.editor.textCursor().insertBlock()
        block = composer.editor.document().begin()
        while block.isValid():
            assert block.blockFormat().lineHeight() == LINE_PERCENT
            block = block.next()


def test_undo_restores_cleared_text(composer: Composer) -> None:
    QTest.keyClicks(composer.editor, "half a thought")
    composer.clear_text()
    assert composer.text() == ""
    QTest.keyClick(composer.editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert composer.text() == "half a thought"


def test_a_chip_is_elided_in_a_narrow_pane_and_whole_in_a_wide_one(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    chips = ChatChips(parent=parent)
    column(chips, on=parent)
    parent.resize(600, 80)
    parent.show()
    label = "House · whole documents · about 481 tokens"
    chips.set_chips(
        (ChipContent(kind="a", label=label, icon="file-text", tooltip="Collections", remove_label="Remove"),)
    )
    chip = chips.chips["a"]
    qtbot.waitUntil(lambda: chip.open.text().strip() == label)
    parent.resize(200, 80)
    qtbot.waitUntil(lambda: chip.open.text().endswith("…"))
    assert chip.remove.geometry().right() <= chip.width()
    assert chip.open.width() >= chip.open.sizeHint().width()
    parent.resize(600, 80)
    qtbot.waitUntil(lambda: chip.open.text().strip() == label)


def test_the_placeholder_is_elided_to_one_line(composer: Composer) -> None:
    composer.set_model_name("A model with a very long name @ 127.0.0.1:37613, 127.0.0.1:41101")
    whole = composer.editor.placeholderText()
    assert whole.endswith("41101")
    composer.resize(360, 200)
    elided = composer.editor.placeholderText()
    assert elided.endswith("…")
    assert composer.editor.fontMetrics().horizontalAdvance(elided) < composer.editor.viewport().width()
    composer.resize(700, 200)
    assert composer.editor.placeholderText() == whole


def test_the_menu_closes_with_a_click(composer: Composer) -> None:
    """The standard menu owns the actions. As a part of the menu it would take the click that closes it."""
    menu = edit_menu(composer.editor, QPoint(5, 5))
    assert menu is not None
    (standard,) = menu.findChildren(QMenu)
    assert standard.isWindow()
