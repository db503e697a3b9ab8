"""The list of what a search found: keyboard and mouse."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QListView, QWidget

from fireside.core.wording import tr
from fireside.ui.search.results_delegate import ResultsDelegate
from fireside.ui.search.results_model import ChatRow, HitRow, ResultsModel
from fireside.ui.theme import Theme


class ResultsList(QListView):
    """A click or Enter opens the chat, at the message if it is one's row."""

    opened = Signal(object, object)
    """Carries a ``ConversationId``, and the ``MessageId`` to show or ``None``."""
    field_wanted = Signal()
    """Arrow up on the first row."""
    ended = Signal()
    """Esc: the search is over."""

    def __init__(
        self,
        *,
        model: ResultsModel,
        theme: Theme,
        now: Callable[[], datetime],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._results = model
        self.setModel(model)
        self.setItemDelegate(ResultsDelegate(theme=theme, now=now, view=self))
        self.setAccessibleName(tr("Found"))
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QListView.SelectionMode.SingleSelection)
        theme.changed.connect(self.scheduleDelayedItemsLayout)
        model.modelReset.connect(self.scrollToTop)

    def open_first(self) -> None:
        """Open the best: the first message, or the chat where only its title has the words."""
        rows = self._results.rows
        if not rows:
            return
        at = 1 if len(rows) > 1 and isinstance(rows[1], HitRow) else 0
        self._open(self._results.index(at))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if self.currentIndex().isValid():
                self._open(self.currentIndex())
            case Qt.Key.Key_Escape:
                self.ended.emit()
            case Qt.Key.Key_Up if self.currentIndex().row() <= 0:
                self.field_wanted.emit()
            case _:
                super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self._results.rowCount():
            self.setCurrentIndex(self._results.index(0))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self._open(self.indexAt(event.position().toPoint()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            # Snippets take one line or two.
            self.scheduleDelayedItemsLayout()

    def _open(self, index: QModelIndex) -> None:
        match self._results.row_at(index):
            case ChatRow(found=found):
                self.opened.emit(found.summary.id, None)
            case HitRow(conversation_id=conversation_id, hit=hit):
                self._results.set_active(hit.message_id)
                self.opened.emit(conversation_id, hit.message_id)
            case _:
                pass
