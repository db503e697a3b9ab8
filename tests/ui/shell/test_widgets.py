"""Small widgets: text shown verbatim, notices, banners, switches."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QAction, QCursor, QEnterEvent, QHelpEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QPushButton,
    QRadioButton,
    QStyle,
    QStyleOptionComboBox,
    QToolButton,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

from fireside.ui.kit.layout import column, form
from fireside.ui.sidebar.nav_button import NavButton
from fireside.ui.theme import Theme
from fireside.ui.widgets.banner import BannerArea, Tone
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.check_box import CheckBox
from fireside.ui.widgets.choice_group import ChoiceGroup
from fireside.ui.widgets.combo_box import ComboBox
from fireside.ui.widgets.folding_button import FoldingButton
from fireside.ui.widgets.popup import Menu, Popup
from fireside.ui.widgets.segmented_control import SegmentedControl
from fireside.ui.widgets.text import (
    ElidedLabel,
    NameLabel,
    WrappedLabel,
    escape_mnemonic,
    one_line,
    plain_tooltip,
)
from fireside.ui.widgets.toast import SHOWN_MS, Toast


@given(st.text(max_size=600))
def test_one_line_is_one_short_line_without_text_direction_tricks(text: str) -> None:
    line = one_line(text)
    assert len(line) <= 400
    assert not set(line) & set("\n\r\t\0\x1b\u2028\u2029\u202a\u202e\u2066\u2069")


def test_one_line_keeps_visible_characters() -> None:
    assert one_line("<b>A & B</b>  ·  日本 👩‍🚀") == "<b>A & B</b>  ·  日本 👩‍🚀"


def test_an_ampersand_in_a_button_is_an_ampersand(qtbot: QtBot) -> None:
    button = Button("Q&A")
    qtbot.addWidget(button)
    assert button.text() == escape_mnemonic("Q&A") == "Q&&A"
    assert button.accessibleName() == "Q&A"
    assert button.shortcut().isEmpty()


def test_a_tooltip_never_reads_markup() -> None:
    assert "<img" not in plain_tooltip("<img src='file:///etc/passwd'>")


@pytest.mark.parametrize("x", [20, 400, 740])
@pytest.mark.parametrize("y", [20, 400, 740])
@pytest.mark.parametrize("kind", ["icon", "folded", "row"])
def test_a_tip_stands_beside_its_button(qtbot: QtBot, kind: str, x: int, y: int) -> None:
    button: QPushButton | QToolButton
    if kind == "icon":
        button = IconButton("x", name="Clear the selection")
    elif kind == "row":
        action = QAction("Models")
        action.setShortcut("Ctrl+M")
        button = NavButton("Models", icon="box", action=action)
    else:
        button = FoldingButton("Add folder", icon="folder")
        button.fold(is_folded=True)
    qtbot.addWidget(button)
    button.move(x, y)
    button.resize(40, 30)
    button.show()
    at = button.rect().center()
    QApplication.sendEvent(button, QHelpEvent(QEvent.Type.ToolTip, at, button.mapToGlobal(at)))
    (tip,) = [w for w in QApplication.topLevelWidgets() if w.inherits("QTipLabel") and w.isVisible()]
    box = QRect(button.mapToGlobal(QPoint(0, 0)), button.size())
    assert not tip.geometry().intersects(box)
    assert tip.geometry().adjusted(-6, -6, 6, 6).intersects(box)
    screen = button.screen().geometry().adjusted(-2, -2, 2, 2)  # Qt adds its border later
    assert screen.contains(tip.geometry())
    QToolTip.hideText()


def test_no_elided_label_ends_in_two_ellipses(qtbot: QtBot) -> None:
    label = ElidedLabel("Reading the model… 30%")
    qtbot.addWidget(label)
    texts = {label.text_for_width(px) for px in range(20, label.sizeHint().width() + 1)}
    assert "Reading the model…" in texts
    assert not any("……" in text for text in texts)


def test_the_label_of_a_field_is_on_one_line_if_it_fits(qtbot: QtBot) -> None:
    place, field = QWidget(), QWidget()
    name, short = NameLabel("Folders that it may read and change"), NameLabel("Name")
    form((name, field), (short, QWidget()), on=place)
    qtbot.addWidget(place)
    place.resize(600, 200)
    place.show()
    # Not compared with the height of the font: which font is in force differs, and a label may round it up.
    one_line_px = name.heightForWidth(10_000)
    assert name.heightForWidth(name.width()) == one_line_px
    assert short.sizeHint().width() >= 100
    place.resize(160, 200)
    qtbot.waitUntil(lambda: name.width() < name.fontMetrics().horizontalAdvance(name.text()))
    assert name.heightForWidth(name.width()) > one_line_px


def test_a_check_box_that_is_too_narrow_elides_its_label(qtbot: QtBot) -> None:
    label = "Fish & chips on the big machine in the cellar (127.0.0.1:34669)"
    box = CheckBox(label)
    qtbot.addWidget(box)
    box.show()
    whole = box.sizeHint()
    assert box.minimumSizeHint().width() < whole.width() // 2
    for width in (whole.width() - 1, whole.width() // 2, box.minimumSizeHint().width()):
        box.resize(width, whole.height())
        displayed = box.text().replace("&&", "&")
        assert displayed.endswith("…")
        assert label.startswith(displayed.removesuffix("…"))
        assert "&amp; chips" in box.toolTip()
        assert box.sizeHint() == whole
    box.resize(whole)
    assert box.text().replace("&&", "&") == label
    assert box.toolTip() == ""


def test_the_arrow_of_a_combo_box_is_at_the_end_of_its_line(qtbot: QtBot) -> None:
    combo = ComboBox(name="Choice")
    qtbot.addWidget(combo)
    combo.resize(160, 32)
    rightwards = combo.grab().toImage()
    combo.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    leftwards = combo.grab().toImage()
    assert rightwards != leftwards
    assert arrow_px(rightwards) == [160 - 1 - px for px in reversed(arrow_px(leftwards))]


def test_a_drop_down_without_room_for_its_choice_ends_it_in_an_ellipsis(qtbot: QtBot) -> None:
    combo = ComboBox(name="Choice")
    qtbot.addWidget(combo)
    combo.addItem("A quarter of the memory, and some loss of quality")
    whole = combo.sizeHint().width()
    assert combo.minimumSizeHint().width() < whole
    option = QStyleOptionComboBox()
    combo.resize(whole, 32)
    combo.initStyleOption(option)
    assert option.currentText == combo.currentText()
    combo.resize(combo.minimumSizeHint())
    combo.initStyleOption(option)
    assert option.currentText.endswith("…")
    assert combo.currentText().startswith(option.currentText.removesuffix("…"))


def test_a_menu_s_tick_is_as_large_as_an_icon(qtbot: QtBot, theme: Theme) -> None:
    menu = Menu()
    qtbot.addWidget(menu)
    action = menu.addAction("Last used")
    action.setCheckable(True)
    menu.resize(menu.sizeHint())
    before = menu.grab().toImage()
    action.setChecked(True)
    after = menu.grab().toImage()
    ratio = after.devicePixelRatio()
    changed = [
        x / ratio
        for x in range(after.width())
        if any(before.pixel(x, y) != after.pixel(x, y) for y in range(after.height()))
    ]
    assert 10 <= changed[-1] - changed[0] <= theme.scaled(16)
    assert changed[0] >= 5


def arrow_px(image: QImage) -> list[int]:
    """Return the columns inside the frame that are not all of the ground's colour."""
    background = image.pixel(80, 16)
    return [x for x in range(6, 154) if any(image.pixel(x, y) != background for y in range(8, 24))]


def test_an_elided_label_asks_for_all_its_text_and_lives_with_less(qtbot: QtBot) -> None:
    label = ElidedLabel("A rather long name of a model", role="strong")
    qtbot.addWidget(label)
    wanted = label.fontMetrics().horizontalAdvance(label.text())
    assert label.sizeHint().width() >= wanted
    assert label.minimumSizeHint().width() < 40
    assert "A rather long name" in label.toolTip()


@pytest.fixture
def parent_widget(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.resize(600, 400)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def test_a_note_lies_inside_the_window_also_when_it_shrinks(parent_widget: QWidget) -> None:
    toast = Toast(parent=parent_widget)
    toast.show_message("Deleted “" + "W" * 300 + "”.", action="Undo", on_action=lambda: None)
    assert parent_widget.rect().contains(toast.geometry())
    parent_widget.resize(360, 300)
    assert parent_widget.rect().contains(toast.geometry())


def test_a_long_note_wraps_to_five_lines_and_is_elided_only_then(parent_widget: QWidget) -> None:
    toast = Toast(parent=parent_widget)
    heights = []
    for n_words in (2, 12, 34):
        toast.show_message("tools off: " + "calculator " * n_words, action="Undo", on_action=lambda: None)
        heights.append(toast._n_lines)
        assert toast._label.text().endswith("…") == (n_words == 34)
        assert toast.text.count("calculator") == n_words
    assert heights[0] == 1 < heights[1] <= heights[2] == 5
    assert toast._timer.interval() == 5 * SHOWN_MS


def test_a_notes_action_happens_once(parent_widget: QWidget) -> None:
    done: list[None] = []
    toast = Toast(parent=parent_widget)
    toast.show_message("Deleted.", action="Undo", on_action=lambda: done.append(None))
    assert toast.trigger_action()
    assert not toast.trigger_action()
    assert done == [None]
    assert not toast.isVisible()


def test_a_note_stays_while_the_pointer_is_on_it(parent_widget: QWidget) -> None:
    toast = Toast(parent=parent_widget)
    toast.show_message("Deleted.")
    at = QPointF(5, 5)
    QApplication.sendEvent(toast, QEnterEvent(at, at, at))
    assert not toast._timer.isActive()
    QApplication.sendEvent(toast, QEvent(QEvent.Type.Leave))
    assert toast._timer.isActive()


def test_a_notice_replaces_the_one_of_the_same_kind(qtbot: QtBot) -> None:
    area = BannerArea()
    qtbot.addWidget(area)
    area.show_banner("storage", "One", tone=Tone.WARN)
    area.show_banner("session", "Two", tone=Tone.DANGER)
    area.show_banner("storage", "Three", tone=Tone.INFO)
    assert area.texts == ("Two", "Three")
    area.remove("no such notice")
    assert area.texts == ("Two", "Three")


def test_arrow_keys_move_along_the_segments_and_skip_what_is_closed(qtbot: QtBot) -> None:
    segments = SegmentedControl((("a", "A"), ("b", "B"), ("c", "C")), name="Show")
    qtbot.addWidget(segments)
    segments.button("b").setEnabled(False)
    segments.show()
    with qtbot.waitSignal(segments.key_selected) as chosen:
        QTest.keyClick(segments.button("a"), Qt.Key.Key_Right)
    assert chosen.args == ["c"]
    assert segments.selected_key == "c"
    assert segments.button("c").accessibleName() == "Show: C"


def test_the_text_of_a_combo_box_begins_at_its_edge_in_both_directions(qtbot: QtBot, theme: Theme) -> None:
    combo = ComboBox(name="Choice")
    qtbot.addWidget(combo)
    combo.resize(160, 32)
    combo.ensurePolished()

    def words() -> QRect:
        option = QStyleOptionComboBox()
        combo.initStyleOption(option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        return combo.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, combo)

    rightwards = words()
    combo.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    leftwards = words()
    assert rightwards.left() == 160 - 1 - leftwards.right() <= 12
    assert rightwards.width() == leftwards.width()
    assert leftwards.left() >= theme.scaled_up(15) + 9, "the arrow stands there"


def test_tab_in_both_directions_reaches_only_the_selected_control_of_a_group(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    group = ChoiceGroup(page)
    before = QPushButton("before", page)
    buttons = [QRadioButton(words, page) for words in "abc"]
    after = QPushButton("after", page)
    column(before, *buttons, after, on=page)
    for button in buttons:
        group.add(button)
    buttons[1].setChecked(True)
    page.show()
    qtbot.waitExposed(page)
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)

    def reached(*keys: Qt.Key) -> list[QWidget | None]:
        found: list[QWidget | None] = []
        for key in keys:
            QTest.keyClick(page.focusWidget() or page, key)
            found.append(page.focusWidget())
        return found

    after.setFocus()
    assert reached(Qt.Key.Key_Backtab, Qt.Key.Key_Backtab) == [buttons[1], before]
    assert reached(Qt.Key.Key_Tab, Qt.Key.Key_Down, Qt.Key.Key_Tab) == [buttons[1], buttons[2], after]
    assert buttons[2].isChecked()
    buttons[0].setChecked(True)
    assert reached(Qt.Key.Key_Backtab, Qt.Key.Key_Backtab) == [buttons[0], before]


def test_the_question_mark_of_a_hebrew_title_is_at_its_end(qtbot: QtBot, theme: Theme) -> None:
    def ink(text: str) -> list[int]:
        """How much is drawn in each column of pixels."""
        label = ElidedLabel(text)
        qtbot.addWidget(label)
        label.setFont(theme.ui_font())
        label.resize(label.sizeHint())
        picture = label.grab().toImage()
        paper = picture.pixelColor(picture.width() - 1, 0)
        return [
            sum(picture.pixelColor(x, y) != paper for y in range(picture.height()))
            for x in range(picture.width())
        ]

    mark = [n for n in ink("?") if n]
    asked = [n for n in ink("\N{HEBREW LETTER SHIN}\N{HEBREW LETTER LAMED}?") if n]
    assert asked[: len(mark) - 1] == mark[:-1]


def test_windows_that_open_over_the_page_have_no_corners(qtbot: QtBot) -> None:
    """A desktop without a compositor would show them in black."""
    page = QWidget()
    qtbot.addWidget(page)
    menu, popup = Menu(page), Popup(page)
    menu.addAction("One")
    combo = ComboBox(name="Choice", parent=page)
    combo.addItems(["One", "Two"])
    page.resize(300, 200)
    page.show()
    popup.resize(120, 90)
    menu.popup(page.mapToGlobal(QPoint(5, 5)))
    popup.show()
    combo.showPopup()
    for window in (menu, popup, combo.view().window()):
        assert window is not page
        corners = (window.rect().topLeft(), window.rect().topRight(), window.rect().bottomRight())
        assert not any(window.mask().contains(corner) for corner in corners)
        assert window.mask().contains(window.rect().center())
        assert not window.testAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
    for window in (menu, popup):
        window.close()
    combo.hidePopup()


def test_a_button_is_no_longer_hovered_once_its_menu_closes_elsewhere(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    button = Button("Copy", parent=page)
    menu = Menu(page)
    menu.addAction("One")
    button.setMenu(menu)
    page.show()
    inside = QPointF(button.rect().center())
    QApplication.sendEvent(button, QEnterEvent(inside, inside, inside))
    menu.popup(page.mapToGlobal(QPoint(5, 5)))
    QCursor.setPos(page.mapToGlobal(button.geometry().bottomRight() + QPoint(50, 50)))
    assert button.underMouse()
    menu.close()
    assert not button.underMouse()


def test_a_combo_box_marks_the_selected_item_and_shows_each_item_completely(
    qtbot: QtBot, theme: Theme
) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    combo = ComboBox(name="Choice", parent=page)
    combo.addItems(["One", "Two", "Three, which is much longer than the field is wide"])
    combo.resize(120, 34)
    combo.setCurrentIndex(1)
    page.show()
    combo.showPopup()
    view = combo.view()
    picture = view.viewport().grab().toImage()
    accent = theme.colour("accent").rgb()

    def is_marked(row: int) -> bool:
        box = view.visualRect(combo.model().index(row, 0))
        return any(
            picture.pixel(x, y) == accent
            for x in range(max(0, box.right() - 30), min(box.right(), picture.width()))
            for y in range(box.top(), box.bottom())
        )

    assert [is_marked(row) for row in range(3)] == [False, True, False]
    assert view.viewport().width() >= view.sizeHintForColumn(0)
    combo.hidePopup()


@pytest.mark.parametrize("direction", Qt.LayoutDirection)
def test_text_begins_at_the_side_of_the_layout_direction_in_any_language(
    qtbot: QtBot, direction: Qt.LayoutDirection
) -> None:
    around = QWidget()
    qtbot.addWidget(around)
    around.setLayoutDirection(direction)
    labels = [WrappedLabel("Words", parent=around), ElidedLabel("Words", parent=around)]
    for label in labels:
        label.resize(400, 40)
        left, right = (ink_in(label, QRect(x, 0, 200, 40)) for x in (0, 200))
        is_at_left = direction is not Qt.LayoutDirection.RightToLeft
        assert (left, right) == (is_at_left, not is_at_left)


def ink_in(widget: QWidget, area: QRect) -> bool:
    """Tell whether anything is painted in a part of a widget."""
    image = QImage(area.size(), QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    widget.render(image, QPoint(), area, QWidget.RenderFlag.DrawChildren)
    clear = QImage(area.size(), QImage.Format.Format_ARGB32)
    clear.fill(Qt.GlobalColor.transparent)
    return image != clear
