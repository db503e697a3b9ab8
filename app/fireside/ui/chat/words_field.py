"""Words that a tool would send or keep, whole, for the user to read and change before."""

from __future__ import annotations

import math

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from fireside.ui.chat.transcript_style import TranscriptStyle

_PADDING = 8


class WordsField(QPlainTextEdit):
    """As high as its words, so that none is out of sight."""

    height_changed = Signal()

    def __init__(self, parent: QWidget, *, text: str, name: str) -> None:
        super().__init__(text, parent)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self._n_lines = 0
        self.textChanged.connect(self._on_changed)

    def height_for(self, width: int) -> int:
        """Lay out for ``width`` pixels and return the height."""
        self.resize(width, self.height())
        self._n_lines = max(1, math.ceil(self.document().size().height()))
        return self._n_lines * self.fontMetrics().lineSpacing() + 2 * _PADDING + 2 * self.frameWidth()

    def restyle(self, style: TranscriptStyle) -> None:
        """The style sheet has all that changes."""

    def _on_changed(self) -> None:
        if math.ceil(self.document().size().height()) != self._n_lines:
            self.height_changed.emit()
