"""The list of what a search found."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QListView, QWidget

from fireside.core.discovery import FoundModel
from fireside.core.wording import tr
from fireside.ui.discover.results_delegate import FoundDelegate
from fireside.ui.discover.results_model import FOUND_ROLE, ResultsModel
from fireside.ui.theme import Theme

_AHEAD_PX: Final = 900
"""The next page is asked for while there is still this much to scroll."""


class ResultsList(QListView):
    """One row a model; a click or Enter opens it. Asks for more before the end is reached."""

    opened = Signal(str)
    """Carries ``owner/name``."""
    more_wanted = Signal()
    field_wanted = Signal()
    """Arrow up on the first row, or Esc."""

    def __init__(self, *, model: ResultsModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setItemDelegate(FoundDelegate(theme=theme, view=self))
        self.setAccessibleName(tr("Models found"))
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QListView.SelectionMode.NoSelection)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.clicked.connect(self._on_clicked)
        self.verticalScrollBar().valueChanged.connect(self.ask_if_near_end)
        theme.changed.connect(self.scheduleDelayedItemsLayout)

    @property
    def is_near_end(self) -> bool:
        bar = self.verticalScrollBar()
        return bar.maximum() - bar.value() < _AHEAD_PX

    def go_to_top(self) -> None:
        self.scrollToTop()
        self.setCurrentIndex(QModelIndex())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if self.currentIndex().isValid():
                self._on_clicked(self.currentIndex())
            case Qt.Key.Key_Escape:
                self.field_wanted.emit()
            case Qt.Key.Key_Up if self.currentIndex().row() <= 0:
                self.field_wanted.emit()
            case _:
                super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self.model().rowCount():
            self.setCurrentIndex(self.model().index(0, 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # Once it is laid out: a taller list may show its end without being scrolled.
        QTimer.singleShot(0, self, self.ask_if_near_end)

    def _on_clicked(self, index: QModelIndex) -> None:
        found = index.data(FOUND_ROLE)
        if isinstance(found, FoundModel):
            self.opened.emit(found.repo)

    def ask_if_near_end(self) -> None:
        """Ask for more where what there is ends within sight."""
        self.executeDelayedItemsLayout()
        if self.is_near_end:
            self.more_wanted.emit()
