"""Two widgets side by side, stacked where the row is too narrow for both."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from fireside.ui.widgets.responsive_row import ResponsiveRow


@pytest.mark.parametrize("is_stacked", [True, False])
def test_a_widget_with_a_least_width_never_lies_under_the_other(qtbot: QtBot, is_stacked: bool) -> None:
    field, button = QLineEdit(), QPushButton("Add")
    field.setMinimumWidth(field.sizeHint().width() + 100)
    button.setFixedWidth(100)
    page = QWidget()
    qtbot.addWidget(page)
    row = ResponsiveRow(field, button, spacing=8, parent=page)
    page.show()
    both = field.minimumWidth() + 8 + button.width()
    row.resize(both - 1 if is_stacked else both, 80)
    assert row.is_stacked is is_stacked
    QApplication.processEvents()
    assert not field.geometry().intersects(button.geometry())
