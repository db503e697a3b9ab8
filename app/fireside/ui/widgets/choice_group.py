"""Buttons of which one is chosen."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QAbstractButton, QButtonGroup


class ChoiceGroup(QButtonGroup):
    """Tab and Shift+Tab reach the chosen button alone; the others take the focus by click and arrow keys.

    Qt by itself sees to that only once a button of the group has had the focus, so that the first Shift+Tab
    would land on the last one.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.buttonToggled.connect(_take_or_leave)

    def add(self, button: QAbstractButton) -> None:
        """Take ``button`` in; one that is checkable. Some button of the group must get chosen."""
        self.addButton(button)
        _take_or_leave(button, button.isChecked())


def _take_or_leave(button: QAbstractButton, is_chosen: bool) -> None:
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus if is_chosen else Qt.FocusPolicy.ClickFocus)
