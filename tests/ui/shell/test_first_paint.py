"""The first paint of a window is detected, after which expensive work begins."""

from __future__ import annotations

from PySide6.QtGui import QPaintEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from fireside.ui.shell.application import FirstPaint


class Painted(QWidget):
    n_paints = 0

    def paintEvent(self, event: QPaintEvent) -> None:
        self.n_paints += 1


def test_painted_is_emitted_once_the_window_is_painted(qtbot: QtBot) -> None:
    window, said = Painted(), []
    qtbot.addWidget(window)
    first = FirstPaint(window)
    first.painted.connect(lambda: said.append(window.n_paints))
    assert said == []
    with qtbot.waitSignal(first.painted):
        window.show()
    window.repaint()
    window.hide()
    with qtbot.waitExposed(window):
        window.show()
    assert said[0] > 0
    assert len(said) == 1


def test_a_window_that_is_not_painted_keeps_nothing_waiting(qtbot: QtBot) -> None:
    window = Painted()
    qtbot.addWidget(window)
    first = FirstPaint(window)
    with qtbot.waitSignal(first.painted):
        QApplication.sendEvent(window, QShowEvent())
    assert window.n_paints == 0
