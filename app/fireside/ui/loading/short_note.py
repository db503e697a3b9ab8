"""What a person should know of how a model is loaded, with what helps where memory ran short."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr
from fireside.core.status import ModelState, Ready
from fireside.ui.kit.layout import at_top, row, stretch
from fireside.ui.theme import Theme
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
        row(stretch(self.words), at_top(self.smaller), on=self)
        self.hide()

    def show_state(self, state: ModelState) -> None:
        """Show the note of a loaded model, or nothing."""
        note = state.note if isinstance(state, Ready) else ""
        self.words.setText(note)
        self.smaller.setVisible(isinstance(state, Ready) and state.is_short)
        self.setVisible(bool(note))
