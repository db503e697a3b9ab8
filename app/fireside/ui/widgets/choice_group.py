"""A group of exclusive buttons."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QAbstractButton, QButtonGroup


class ChoiceGroup(QButtonGroup):
    """Tab and Shift+Tab reach only the chosen button; the others take the focus by click and arrow keys.

    Qt does so by itself only once a button of the group has had the focus: the first Shift+Tab would reach
    the last one.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.buttonToggled.connect(_update_focus_policy)

    def add(self, button: QAbstractButton) -> None:
        """Add a checkable ``button``. The caller checks one button of the group."""
        self.addButton(button)
        _update_focus_policy(button, button.isChecked())


def _update_focus_policy(button: QAbstractButton, is_chosen: bool) -> None:
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus if is_chosen else Qt.FocusPolicy.ClickFocus)
