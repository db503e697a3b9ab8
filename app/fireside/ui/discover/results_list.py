"""The list of what a search found."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from fireside.core.discovery import FoundModel
from fireside.core.i18n import tr
from fireside.ui.discover.results_delegate import FoundDelegate
from fireside.ui.discover.results_model import FOUND_ROLE, ResultsModel
from fireside.ui.kit.found_list import FoundList
from fireside.ui.theme import Theme

_AHEAD_PX: Final = 900
"""The next page is asked for while there is still this much to scroll."""


class ResultsList(FoundList):
    """One row a model, which picking opens. Asks for more before the end is reached."""

    opened = Signal(str)
    """Carries ``owner/name``."""
    more_wanted = Signal()

    def __init__(self, *, model: ResultsModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(name=tr("Models found"), model=model, theme=theme, parent=parent)
        self.setItemDelegate(FoundDelegate(theme=theme, view=self))
        self.setUniformItemSizes(True)
        self.setSelectionMode(FoundList.SelectionMode.NoSelection)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.picked.connect(self._on_picked)
        self.ended.connect(self.field_wanted)
        self.verticalScrollBar().valueChanged.connect(self.ask_if_near_end)

    @property
    def is_near_end(self) -> bool:
        bar = self.verticalScrollBar()
        return bar.maximum() - bar.value() < _AHEAD_PX

    def go_to_top(self) -> None:
        self.scrollToTop()
        self.setCurrentIndex(QModelIndex())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # Once it is laid out: a taller list may show its end without being scrolled.
        QTimer.singleShot(0, self, self.ask_if_near_end)

    def _on_picked(self, index: QModelIndex) -> None:
        found = index.data(FOUND_ROLE)
        if isinstance(found, FoundModel):
            self.opened.emit(found.repo)

    def ask_if_near_end(self) -> None:
        """Ask for more where what there is ends within sight."""
        self.executeDelayedItemsLayout()
        if self.is_near_end:
            self.more_wanted.emit()
