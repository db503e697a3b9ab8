"""The kit: layouts, sheets and their default button, lists, fields and drop areas."""

from __future__ import annotations

from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QRect, QStandardPaths, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from fireside.settings.definitions import DEFINITIONS
from fireside.settings.values import Kind
from fireside.ui.kit.data_table import DataTable, TableColumn, TableRow
from fireside.ui.kit.file_dialogs import choose_save_path
from fireside.ui.kit.layout import at_left, boxed, card, column, form, row, scrolled, space, stretch
from fireside.ui.kit.list_model import ITEM_ROLE, ListModel
from fireside.ui.kit.row_painter import RowPainter
from fireside.ui.kit.setting_editors import LineEditor
from fireside.ui.theme import Theme
from fireside.ui.widgets.page_scroll import SCROLL_BAR_PX
from fireside.ui.widgets.text import Label


def shown(widget: QWidget, qtbot: QtBot, *, width: int = 400, height: int = 300) -> QWidget:
    qtbot.addWidget(widget)
    widget.resize(width, height)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


# Layouts


def test_parts_stand_in_their_order_and_one_takes_the_room(qtbot: QtBot) -> None:
    first, second, third = Label("a"), Label("b"), Label("c")
    inside = boxed(row(first, None, space(20), stretch(second), third, spacing=4, margins=(10, 0)))
    shown(inside, qtbot)
    assert first.x() == 10
    assert second.x() == first.geometry().right() + 1 + 4 + 20
    assert third.geometry().right() == 400 - 10 - 1
    assert second.width() > 300


def test_free_room_moves_what_follows_to_the_end(qtbot: QtBot) -> None:
    last = Label("last")
    body = shown(boxed(column(Label("first"), stretch(), last, margins=(1, 2, 3, 4))), qtbot)
    assert last.geometry().bottom() == body.height() - 4 - 1
    assert last.x() == 1


def test_a_part_at_the_left_is_no_wider_than_it_likes(qtbot: QtBot) -> None:
    label = Label("words")
    body = shown(boxed(column(at_left(label), stretch())), qtbot)
    assert body.width() == 400
    assert label.width() == label.sizeHint().width()


def test_a_form_has_its_fields_below_each_other(qtbot: QtBot) -> None:
    first, second = QLineEdit(), QLineEdit()
    body = shown(boxed(form(("A", first), ("A much longer name", second))), qtbot)
    assert first.x() == second.x() > 100
    assert first.y() < second.y()
    assert first.geometry().right() == body.width() - 1


def test_a_card_is_drawn_as_one() -> None:
    assert card(Label("x")).objectName() == "card"


# Lists


class _Steps(QWidget):
    """Higher where it is wider, as text beside a button that stood below it."""

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return 400 if width % 20 < 10 else 100


@pytest.mark.usefixtures("theme")
@pytest.mark.parametrize("width", range(300, 340))
def test_content_whose_height_goes_up_and_down_with_the_width_is_laid_out(qtbot: QtBot, width: int) -> None:
    """A scroll bar that changed the width came and went for ever, until the program crashed."""
    steps = _Steps()
    area = scrolled(column(steps, spacing=0, margins=0))
    qtbot.addWidget(area)
    area.resize(width, 200)
    area.show()
    qtbot.waitExposed(area)
    assert steps.width() == width - SCROLL_BAR_PX
    assert steps.height() == max(200, steps.heightForWidth(steps.width()))


def test_a_list_gives_words_what_is_spoken_and_the_value() -> None:
    model = ListModel[int](str, accessible_text=lambda n: f"number {n}")
    model.replace([3, 4])
    index = model.index(1)
    assert model.rowCount() == 2
    assert index.data() == "4"
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "number 4"
    assert index.data(ITEM_ROLE) == model.item(index) == 4
    assert model.item(model.index(2)) is None


def test_a_list_tells_what_changes_and_nothing_else(qtbot: QtBot) -> None:
    model = ListModel[int](str)
    with qtbot.waitSignal(model.modelReset):
        model.replace([1])
    with qtbot.assertNotEmitted(model.modelReset):
        model.replace([1])
    with qtbot.waitSignal(model.rowsInserted) as inserted:
        model.extend([2, 3])
    assert inserted.args[1:] == [1, 2]
    assert model.items == (1, 2, 3)
    with qtbot.waitSignal(model.dataChanged):
        model.refresh()


# Files


def test_files_are_asked_for_among_the_documents_and_then_where_they_were(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents, elsewhere = tmp_path / "Documents", tmp_path / "elsewhere"
    for folder in (documents, elsewhere):
        folder.mkdir()
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _kind: str(documents))
    window = shown(QWidget(), qtbot)
    first = choose_save_path(window, "Save it", lambda _path: None, name="table.csv")
    assert first.directory().absolutePath() == str(documents)
    first.setDirectory(str(elsewhere))
    first.accept()
    second = choose_save_path(window, "Save it", lambda _path: None, name="other.csv")
    assert second.directory().absolutePath() == str(elsewhere)
    second.reject()
    qtbot.waitUntil(lambda: not shiboken6.isValid(first) and not shiboken6.isValid(second))


def test_a_place_to_save_has_the_ending_of_its_name(qtbot: QtBot, tmp_path: Path) -> None:
    window = shown(QWidget(), qtbot)
    chosen: list[str] = []
    dialog = choose_save_path(window, "Save it", chosen.append, name="table.csv")
    assert dialog.defaultSuffix() == "csv"
    dialog.fileSelected.emit(str(tmp_path / "table.csv"))
    assert chosen == [str(tmp_path / "table.csv")]
    dialog.reject()
    qtbot.waitUntil(lambda: not shiboken6.isValid(dialog))


# Editors


def test_a_line_that_is_being_typed_stays_when_its_setting_changes(qtbot: QtBot) -> None:
    definition = next(each for each in DEFINITIONS if each.kind is Kind.LINE)
    editor = LineEditor(definition)
    shown(editor, qtbot)
    (field,) = editor.fields()
    assert isinstance(field, QLineEdit)
    editor.show_value("stored")
    editor.activateWindow()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    QTest.keyClicks(field, "x")
    editor.show_value("changed elsewhere")
    assert field.text() == "storedx"
    with qtbot.waitSignal(editor.edited) as edited:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert edited.args == ["storedx"]
    editor.show_value("later")
    assert field.text() == "later"


def test_what_a_row_draws_grows_with_the_text(theme: Theme) -> None:
    theme.set_text_size(28)
    ground = QPixmap(200, 60)
    painter = QPainter(ground)
    row = RowPainter(painter, on=QLabel())
    area = QRect(10, 0, 100, 60)
    assert row.draw_icon("pin", at=area, tint="mute", px=16) == 10 + 32
    assert row.draw_icon("pin", at=area, tint="mute", px=16, at_right=True) == area.right() - 32
    painter.end()


def test_texts_give_way_to_the_column_that_takes_what_is_left(qtbot: QtBot, theme: Theme) -> None:
    columns = (TableColumn(title="File", width=220), TableColumn(title="Reason"))
    table = DataTable(columns, name="Files")
    qtbot.addWidget(table)
    table.set_rows([TableRow(cells=("contract.pdf", "It is damaged."))])
    table.resize(300, 200)
    table.show()
    qtbot.waitExposed(table)
    assert table.columnWidth(1) >= 140
    assert table.columnWidth(0) >= table.header().sectionSizeHint(0)
    table.resize(600, 200)
    assert table.columnWidth(0) == theme.scaled(220)
