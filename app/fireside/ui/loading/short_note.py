"""What a person should know of how a model is loaded, with what helps where memory ran short."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from fireside.core.i18n import tr
from fireside.core.status import ModelState, Ready
from fireside.ui.theme import SPACE_S, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import WrappedLabel


class ShortNote(QWidget):
    """Takes no room where all is as asked."""

    smaller_wanted = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = WrappedLabel(role="mute")
        self.smaller = Button(tr("Reload smaller"), theme=theme)
        self.smaller.clicked.connect(self.smaller_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE_S)
        row.addWidget(self.words, 1)
        row.addWidget(self.smaller, 0, Qt.AlignmentFlag.AlignTop)
        self.hide()

    def show_state(self, state: ModelState) -> None:
        """Show the note of a loaded model, or nothing."""
        note = state.note if isinstance(state, Ready) else ""
        self.words.setText(note)
        self.smaller.setVisible(isinstance(state, Ready) and state.is_short)
        self.setVisible(bool(note))
