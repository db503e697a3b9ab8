"""Tool tips are small, on one line, and never over what they explain."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QLabel, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from fireside.ui.widgets.buttons import IconButton
from fireside.ui.widgets.text import plain_tooltip


@pytest.fixture
def hidden_afterwards() -> Iterator[None]:
    yield
    QToolTip.hideText()


def tip_of(button: QWidget) -> QWidget:
    middle = button.rect().center()
    event = QHelpEvent(QEvent.Type.ToolTip, middle, button.mapToGlobal(middle))
    QApplication.sendEvent(button, event)
    return next(each for each in QApplication.topLevelWidgets() if each.inherits("QTipLabel"))


@pytest.mark.usefixtures("hidden_afterwards")
@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
@pytest.mark.parametrize("at_bottom", [False, True])
def test_a_tip_is_beside_its_button_and_on_the_screen(
    qtbot: QtBot, direction: Qt.LayoutDirection, at_bottom: bool
) -> None:
    button = IconButton("search", name="Search in this chat and in every other one")
    qtbot.addWidget(button)
    button.setLayoutDirection(direction)
    screen = button.screen().availableGeometry()
    button.move(QPoint(200, screen.bottom() - 40) if at_bottom else QPoint(200, 100))
    button.show()
    tip = tip_of(button)
    assert not tip.geometry().intersects(QRect(button.mapToGlobal(QPoint()), button.size()))
    assert screen.contains(tip.geometry())
    assert tip.height() < 2.5 * tip.fontMetrics().height()


@pytest.mark.parametrize(
    ("text", "n_lines"), [("Hide sidebar   Ctrl+B", 1), ("<b> & that", 1), ("a " * 90, 2)]
)
def test_a_short_tip_is_one_line(qtbot: QtBot, text: str, n_lines: int) -> None:
    label = QLabel(plain_tooltip(text))
    qtbot.addWidget(label)
    label.setWordWrap(True)
    lines = label.sizeHint().height() / label.fontMetrics().lineSpacing()
    assert (lines < 1.7) is (n_lines == 1)
