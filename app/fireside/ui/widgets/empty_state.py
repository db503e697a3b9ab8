"""Shown in place of a list that is empty."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XL
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.text import ElidedLabel, WrappedLabel

_TEXT_WIDTH = 460


class EmptyState(QWidget):
    """An icon, a line, an explanation and buttons, centred in the available space."""

    def __init__(self, icon: str, *, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        middle = Qt.AlignmentFlag.AlignHCenter
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL)
        column.setSpacing(SPACE_S)
        column.addStretch(2)
        column.addWidget(Picture(icon, tint="dim", size=36), 0, middle)
        column.addSpacing(SPACE_M)
        column.addWidget(ElidedLabel(title, role="heading"), 0, middle)
        self.explanation = WrappedLabel(text, role="mute")
        self.explanation.setAlignment(middle)
        self.explanation.setMaximumWidth(_TEXT_WIDTH)
        line = QHBoxLayout()
        line.addStretch(1)
        # No alignment here: a layout asks a wrapped label for its height only where it may stretch it.
        line.addWidget(self.explanation, 1000)
        line.addStretch(1)
        column.addLayout(line)
        column.addSpacing(SPACE_M)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(SPACE_S)
        self._buttons.addStretch()
        self._buttons.addStretch()
        column.addLayout(self._buttons)
        column.addStretch(3)

    def add_button(self, button: Button) -> None:
        """Put a button under the explanation."""
        self._buttons.insertWidget(self._buttons.count() - 1, button)
