"""The focus ring is shown after keys, not after a click."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.switch import Switch


@pytest.fixture
def place(qtbot: QtBot) -> QWidget:
    """A window with a field, two buttons and a switch."""
    made = QWidget()
    qtbot.addWidget(made)
    column = QVBoxLayout(made)
    column.addWidget(QLineEdit())
    for words in ("One", "Two"):
        column.addWidget(Button(words))
    column.addWidget(Switch(name="On"))
    made.show()
    qtbot.waitExposed(made)
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    return made


def handle(place: QWidget) -> QWindow:
    made = place.windowHandle()
    assert made is not None
    return made


def looks(widget: QWidget, qtbot: QtBot) -> tuple[QImage, QImage]:
    """Return a picture without the focus, and one with it."""
    before = widget.grab().toImage()
    widget.setFocus(Qt.FocusReason.OtherFocusReason)
    qtbot.waitUntil(widget.hasFocus)
    return before, widget.grab().toImage()


def test_a_clicked_control_has_no_focus_ring_until_a_key_is_pressed(qtbot: QtBot, place: QWidget) -> None:
    one, two = place.findChildren(Button)
    QTest.mouseClick(handle(place), Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    before, now = looks(one, qtbot)
    assert now == before
    QTest.keyClick(handle(place), Qt.Key.Key_Shift)
    assert one.grab().toImage() == before
    QTest.keyClick(handle(place), Qt.Key.Key_Tab)
    qtbot.waitUntil(two.hasFocus)
    assert two.property("ring") is True
    assert one.grab().toImage() == before
    QTest.keyClick(handle(place), Qt.Key.Key_Backtab)
    qtbot.waitUntil(one.hasFocus)
    assert one.grab().toImage() != before


@pytest.mark.parametrize("kind", [Button, Switch])
def test_a_control_focused_by_keys_has_a_focus_ring(
    qtbot: QtBot, place: QWidget, kind: type[QWidget]
) -> None:
    QTest.keyClick(handle(place), Qt.Key.Key_Tab)
    before, now = looks(place.findChildren(kind)[-1], qtbot)
    assert now != before


def test_a_field_shows_that_it_is_typed_into_whatever_led_there(qtbot: QtBot, place: QWidget) -> None:
    place.findChildren(Button)[0].setFocus()
    QTest.mouseClick(handle(place), Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    before, now = looks(place.findChildren(QLineEdit)[0], qtbot)
    assert now != before
