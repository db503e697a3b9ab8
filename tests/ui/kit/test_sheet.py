"""Sheets: cards in their window, over the rest of it, which nothing reaches until they close."""

from __future__ import annotations

import pytest
import shiboken6
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QAction, QDragEnterEvent, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMainWindow, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from fakes.widgets import focused
from fireside.ui.kit.layout import boxed, column
from fireside.ui.kit.sheet import Sheet, SheetSize, open_sheets
from fireside.ui.theme import SPACE_L


class Window(QMainWindow):
    """A window with a field, a button, a command with a key, and another key that counts too."""

    def __init__(self) -> None:
        super().__init__()
        self.n_pressed = 0
        self.field = QLineEdit()
        self.button = QPushButton("Behind")
        self.button.clicked.connect(self._count)
        self.command = QAction("Command", self)
        self.command.setShortcut(QKeySequence("Ctrl+N"))
        self.command.triggered.connect(self._count)
        self.addAction(self.command)
        QShortcut(QKeySequence("Ctrl+J"), self).activated.connect(self._count)
        body = boxed(column(self.field, self.button))
        self.setCentralWidget(body)
        self.setAcceptDrops(True)
        self.n_drags = 0
        self.resize(900, 700)

    def _count(self) -> None:
        self.n_pressed += 1

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self.n_drags += 1
        event.accept()


class FormSheet(Sheet):
    """Something is typed in it."""

    def __init__(self, *, parent: QWidget, n_fields: int = 2, size: SheetSize = SheetSize.MEDIUM) -> None:
        super().__init__("A question", parent=parent, size=size)
        self.n_done = 0
        self.fields = [QLineEdit() for _ in range(n_fields)]
        self.go = self.make_button("Go", self._on_go, kind="primary", is_default=True)
        self.cancel = self.make_cancel()
        self.set_content(column(*self.fields), about="About it", buttons=(self.cancel, self.go))

    def _on_go(self) -> None:
        self.n_done += 1


class TextSheet(Sheet):
    """Something is shown in it."""

    def __init__(self, *, parent: QWidget) -> None:
        super().__init__("A text", parent=parent)
        self.close_button = self.make_close(is_default=True)
        self.set_content(about="It says this.", buttons=(self.close_button,))


@pytest.fixture
def window(qtbot: QtBot) -> Window:
    made = Window()
    qtbot.addWidget(made)
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    made.field.setFocus()
    return made


@pytest.fixture
def sheet(window: Window, qtbot: QtBot) -> FormSheet:
    opened = FormSheet(parent=window.button)
    opened.open()
    qtbot.waitUntil(opened.isVisible)
    return opened


def test_enter_presses_the_default_button_alone(sheet: FormSheet) -> None:
    QTest.keyClick(sheet.fields[0], Qt.Key.Key_Return)
    assert sheet.n_done == 1
    assert sheet.isVisible()


def test_escape_closes_a_sheet_and_then_it_is_gone(sheet: FormSheet, qtbot: QtBot) -> None:
    with qtbot.waitSignals([sheet.rejected, sheet.finished]):
        QTest.keyClick(sheet.fields[0], Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not shiboken6.isValid(sheet))


def test_cancel_closes_it(sheet: FormSheet, qtbot: QtBot) -> None:
    with qtbot.waitSignal(sheet.rejected):
        sheet.cancel.click()


def test_it_is_a_part_of_the_window_and_covers_it(sheet: FormSheet, window: Window) -> None:
    assert not sheet.isWindow()
    assert sheet.geometry() == window.rect()
    assert window.childAt(window.button.mapTo(window, QPoint(3, 3))) in (sheet, sheet.card, sheet.page)


@pytest.mark.parametrize("key", [Qt.Key.Key_N, Qt.Key.Key_J])
def test_no_key_reaches_what_is_behind(sheet: FormSheet, window: Window, key: Qt.Key) -> None:
    QTest.keyClick(focused(), key, Qt.KeyboardModifier.ControlModifier)
    assert window.n_pressed == 0
    sheet.reject()
    QTest.keyClick(focused(), key, Qt.KeyboardModifier.ControlModifier)
    assert window.n_pressed == 1


def test_the_commands_of_a_menu_bar_are_off_until_the_last_sheet_closes(
    sheet: FormSheet, window: Window
) -> None:
    second = TextSheet(parent=sheet)
    second.open()
    assert open_sheets(window) == [sheet, second]
    second.accept()
    assert not window.command.isEnabled()
    sheet.reject()
    assert window.command.isEnabled()


def test_what_is_dragged_over_it_does_not_reach_the_window(sheet: FormSheet, window: Window) -> None:
    event = QDragEnterEvent(
        QPoint(5, 5),
        Qt.DropAction.CopyAction,
        QMimeData(),
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(sheet, event)
    assert window.n_drags == 0
    assert sheet.acceptDrops()
    assert event.dropAction() is Qt.DropAction.IgnoreAction


def test_tab_stays_within(sheet: FormSheet, window: Window) -> None:
    seen = []
    for key in [Qt.Key.Key_Tab] * 6 + [Qt.Key.Key_Backtab] * 6:
        QTest.keyClick(focused(), key)
        seen.append(focused())
    assert set(seen) == {*sheet.fields, sheet.cancel, sheet.go}


def test_the_focus_goes_in_and_back(sheet: FormSheet, window: Window) -> None:
    assert focused() is sheet.fields[0]
    sheet.reject()
    assert focused() is window.field


def test_what_asks_for_the_focus_meanwhile_gets_it_afterwards(sheet: FormSheet, window: Window) -> None:
    sheet.fields[1].setFocus()
    window.button.setFocus()
    assert focused() is sheet.fields[1]
    sheet.reject()
    assert focused() is window.button


def test_a_sheet_disabled_while_another_window_is_active_gives_the_focus_back_where_it_was(
    window: Window, qtbot: QtBot
) -> None:
    window.button.setFocus()
    sheet = FormSheet(parent=window)
    sheet.open()
    dialog = Window()
    qtbot.addWidget(dialog)
    with qtbot.waitActive(dialog):
        dialog.show()
        dialog.activateWindow()
    sheet.page.setEnabled(False)
    assert window.focusWidget() is None
    with qtbot.waitActive(window):
        dialog.hide()
        window.activateWindow()
    sheet.accept()
    assert focused() is window.button


def test_a_sheet_whose_focused_button_is_turned_off_still_hears_escape(window: Window, qtbot: QtBot) -> None:
    shown = TextSheet(parent=window)
    shown.open()
    shown.close_button.setFocus()
    shown.close_button.setEnabled(False)
    assert shown.isAncestorOf(focused()) or focused() is shown
    with qtbot.waitSignal(shown.rejected):
        QTest.keyClick(focused(), Qt.Key.Key_Escape)


def test_a_sheet_over_a_sheet_gives_the_focus_back_to_it(sheet: FormSheet, window: Window) -> None:
    second = FormSheet(parent=sheet)
    second.open()
    assert focused() is second.fields[0]
    sheet.fields[1].setFocus()
    assert focused() is second.fields[0]
    second.reject()
    assert focused() is sheet.fields[1]
    sheet.reject()
    assert focused() is window.field


def test_a_sheet_closes_with_the_one_that_it_is_over(sheet: FormSheet, window: Window, qtbot: QtBot) -> None:
    second = FormSheet(parent=sheet.go)
    second.open()
    with qtbot.waitSignal(second.rejected):
        sheet.reject()
    assert open_sheets(window) == []
    assert focused() is window.field


def test_a_click_beside_it_closes_only_what_loses_nothing(sheet: FormSheet, window: Window) -> None:
    QTest.mouseClick(sheet, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert open_sheets(window) == [sheet]
    shown = TextSheet(parent=window)
    shown.open()
    QTest.mouseClick(shown, Qt.MouseButton.LeftButton, pos=shown.card.geometry().center())
    assert open_sheets(window) == [sheet, shown]
    QTest.mouseClick(shown, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert open_sheets(window) == [sheet]


def test_it_is_as_high_as_its_content(sheet: FormSheet, qtbot: QtBot) -> None:
    bar = sheet.page.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() == 0)
    last = sheet.fields[-1]
    end = last.mapTo(sheet.card, last.rect().bottomLeft()).y()
    assert 0 < sheet.go.mapTo(sheet.card, QPoint()).y() - end < 40


@pytest.mark.parametrize("size", list(SheetSize))
def test_what_the_window_has_no_room_for_can_be_scrolled_to(
    window: Window, qtbot: QtBot, size: SheetSize
) -> None:
    long = FormSheet(parent=window, n_fields=30, size=size)
    long.open()
    for width, height in ((640, 600), (900, 700), (500, 420)):
        window.resize(width, height)
        qtbot.waitUntil(lambda: long.geometry() == window.rect())
        assert window.rect().adjusted(SPACE_L, SPACE_L, -SPACE_L, -SPACE_L).contains(long.card.geometry())
        qtbot.waitUntil(lambda: long.page.verticalScrollBar().maximum() > 0)
        for button in (long.cancel, long.go):
            at = button.mapTo(long.card, QPointF(button.rect().bottomRight()))
            assert long.card.rect().contains(at.toPoint())
    for _ in range(29):
        QTest.keyClick(focused(), Qt.Key.Key_Tab)
    assert not long.fields[29].visibleRegion().isEmpty()


def test_it_grows_with_its_content_and_moves_nothing(sheet: FormSheet, qtbot: QtBot) -> None:
    before = sheet.card.geometry()
    sheet.show_status("\n".join(["That is too long."] * 4))
    qtbot.waitUntil(lambda: sheet.card.height() > before.height())
    assert sheet.card.y() == before.y()
    sheet.show_status("")
    QApplication.processEvents()
    assert sheet.card.height() > before.height()


def test_the_fields_end_where_the_buttons_end(sheet: FormSheet, qtbot: QtBot) -> None:
    def right(widget: QWidget) -> int:
        return widget.mapTo(sheet.card, widget.rect().topRight()).x()

    qtbot.waitUntil(lambda: right(sheet.fields[0]) == right(sheet.go))
    assert sheet.cancel.geometry().right() < sheet.go.x()


def test_buttons_without_room_beside_each_other_stand_below_each_other(
    qtbot: QtBot, sheet: FormSheet, window: Window
) -> None:
    sheet.go.set_label("Something that takes many words to be said, on a button that is very wide")
    window.resize(500, 600)
    qtbot.waitUntil(lambda: sheet.go.y() > sheet.cancel.geometry().bottom())
    assert sheet.go.geometry().right() == sheet.cancel.geometry().right()


def test_what_is_wrong_is_said_and_taken_back(sheet: FormSheet) -> None:
    assert not sheet.status.isVisible()
    sheet.show_status("That is too long.")
    assert sheet.status.isVisible()
    assert sheet.status.property("role") == "error"
    sheet.show_status("")
    assert not sheet.status.isVisible()


def test_a_screen_reader_hears_of_a_dialog_by_its_heading(sheet: FormSheet) -> None:
    interface = QAccessible.queryAccessibleInterface(sheet)
    assert interface.role() is QAccessible.Role.Dialog
    assert interface.text(QAccessible.Text.Name) == "A question"
    assert interface.state().modal


def test_a_sheet_that_is_made_before_its_window_appears_waits_until_it_is_opened(qtbot: QtBot) -> None:
    window = Window()
    qtbot.addWidget(window)
    early = FormSheet(parent=window)
    window.show()
    assert not early.isVisible()
    early.open()
    assert early.isVisible()


def test_a_window_hidden_meanwhile_still_has_its_sheet(
    sheet: FormSheet, window: Window, qtbot: QtBot
) -> None:
    window.hide()
    assert open_sheets(window) == [sheet]
    assert not window.command.isEnabled()
    window.show()
    qtbot.waitUntil(sheet.isVisible)
    sheet.reject()
    assert window.command.isEnabled()


def test_a_sheet_of_another_window_leaves_this_one_alone(sheet: FormSheet, qtbot: QtBot) -> None:
    other = Window()
    qtbot.addWidget(other)
    other.show()
    assert open_sheets(other) == []
    assert other.command.isEnabled()
    other.field.setFocus()
    assert other.focusWidget() is other.field
