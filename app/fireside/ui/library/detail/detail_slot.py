"""Room on a model's page for a part that is made elsewhere."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from fireside.ui.kit.layout import column


class Annex(QWidget):
    """Empty until somebody fills it."""

    model_shown = Signal(object)
    """Carries the ``ModelSpec`` that the page is about now."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = column(on=self)

    def fill(self, part: QWidget) -> None:
        """Put the part where there is room for it."""
        self._column.addWidget(part)
