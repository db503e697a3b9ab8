"""A list of search results, below its search field."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QListView, QWidget

from fireside.ui.theme import theme


class ResultList(QListView):
    """A click or Enter picks a row; the first row becomes current when the list gets the focus."""

    picked = Signal(QModelIndex)
    focus_field_requested = Signal()
    """Arrow up on the first row."""
    cancelled = Signal()
    """Esc."""

    def __init__(self, *, name: str, model: QAbstractItemModel, parent: QWidget | None = None) -> None:
        """``name`` is the accessible name."""
        super().__init__(parent)
        self.setModel(model)
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.clicked.connect(self.picked)
        theme().changed.connect(self.scheduleDelayedItemsLayout)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if self.currentIndex().isValid():
                self.picked.emit(self.currentIndex())
            case Qt.Key.Key_Escape:
                self.cancelled.emit()
            case Qt.Key.Key_Up if self.currentIndex().row() <= 0:
                self.focus_field_requested.emit()
            case _:
                super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self.model().rowCount():
            self.setCurrentIndex(self.model().index(0, 0))
