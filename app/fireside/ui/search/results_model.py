"""What a search found as a Qt model: a row for each chat, and one for each of its messages below it."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from fireside.core.i18n import tr
from fireside.core.ids import ConversationId, MessageId
from fireside.core.message import Role
from fireside.core.search import FoundConversation, Hit, SearchResult
from fireside.ui.widgets.text import one_line

ROW_ROLE = Qt.ItemDataRole.UserRole
ACTIVE_ROLE = Qt.ItemDataRole.UserRole + 1
Index = QModelIndex | QPersistentModelIndex
_ROOT: Final = QModelIndex()


class ChatRow(msgspec.Struct, frozen=True):
    """A chat in which something was found."""

    found: FoundConversation


class HitRow(msgspec.Struct, frozen=True):
    """A message that has the words."""

    conversation_id: ConversationId
    hit: Hit


class MoreRow(msgspec.Struct, frozen=True):
    """How many more messages of a chat have the words."""

    n: int


FoundRow = ChatRow | HitRow | MoreRow


class ResultsModel(QAbstractListModel):
    """The last answer, the best first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[FoundRow, ...] = ()
        self._active: MessageId | None = None

    @property
    def rows(self) -> tuple[FoundRow, ...]:
        return self._rows

    def show_result(self, result: SearchResult) -> None:
        """Take another answer; one that is as the last changes nothing."""
        rows = tuple(row for found in result.found for row in _rows_of(found))
        if rows != self._rows:
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()

    def set_active(self, message_id: MessageId | None) -> None:
        """Mark the message that was opened last."""
        self._active = message_id
        if self._rows:
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1), [ACTIVE_ROLE])

    def row_at(self, index: Index) -> FoundRow | None:
        return self._rows[index.row()] if index.isValid() else None

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if isinstance(self.row_at(index), ChatRow | HitRow):
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row_at(index)
        if row is None:
            return None
        if role == ROW_ROLE:
            return row
        if role == ACTIVE_ROLE:
            return isinstance(row, HitRow) and row.hit.message_id == self._active
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return words_of(row)
        return None


def words_of(row: FoundRow) -> str:
    """Return all that a row says, in one line."""
    match row:
        case ChatRow(found=found):
            title = one_line(found.summary.title)
            if not found.n_hits:
                return title
            words = tr("{title}, found in %n message|{title}, found in %n messages", "", found.n_hits)
            return words.format(title=title)
        case HitRow(hit=hit):
            author = tr("You") if hit.role is Role.USER else tr("Answer")
            return f"{author}: {hit.snippet.text}"
        case MoreRow(n=n):
            return tr("and %n message more|and %n messages more", "", n)


def _rows_of(found: FoundConversation) -> tuple[FoundRow, ...]:
    hits = tuple(HitRow(found.summary.id, hit) for hit in found.hits)
    n_more = found.n_hits - len(hits)
    return (ChatRow(found), *hits, *((MoreRow(n_more),) if n_more > 0 else ()))
