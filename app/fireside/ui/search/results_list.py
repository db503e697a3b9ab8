"""The list of what a search through the chats found."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr
from fireside.ui.kit.found_list import FoundList
from fireside.ui.search.results_delegate import FoundDelegate
from fireside.ui.search.results_model import ChatRow, FoundModel, HitRow
from fireside.ui.theme import Theme


class ResultsList(FoundList):
    """Picking a row opens its chat, at the message if it is one's."""

    opened = Signal(object, object)
    """Carries a ``ConversationId``, and the ``MessageId`` to show or ``None``."""

    def __init__(
        self,
        *,
        model: FoundModel,
        theme: Theme,
        now: Callable[[], datetime],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(name=tr("Found"), model=model, theme=theme, parent=parent)
        self._results = model
        self.setItemDelegate(FoundDelegate(model, theme=theme, now=now, view=self))
        self.setSelectionMode(FoundList.SelectionMode.SingleSelection)
        self.picked.connect(self._open)
        model.modelReset.connect(self.scrollToTop)

    def open_first(self) -> None:
        """Open the best: the first message, or the chat where only its title has the words."""
        rows = self._results.items
        if not rows:
            return
        at = 1 if len(rows) > 1 and isinstance(rows[1], HitRow) else 0
        self._open(self._results.index(at))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            # Snippets take one line or two.
            self.scheduleDelayedItemsLayout()

    def _open(self, index: QModelIndex) -> None:
        match self._results.item(index):
            case ChatRow(found=found):
                self.opened.emit(found.summary.id, None)
            case HitRow(conversation_id=conversation_id, hit=hit):
                self._results.set_active(hit.message_id)
                self.opened.emit(conversation_id, hit.message_id)
            case _:
                pass
