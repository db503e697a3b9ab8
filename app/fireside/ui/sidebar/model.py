"""The conversations as a Qt model: headings and lines, changed with as few moves as possible."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from fireside.core.chat import ConversationSummary
from fireside.core.ids import ConversationId
from fireside.ui.sidebar.groups import Heading, Line, Row, rows_of, time_words
from fireside.ui.widgets.text import one_line, plain_tooltip

ROW_ROLE = Qt.ItemDataRole.UserRole
TIME_ROLE = Qt.ItemDataRole.UserRole + 1
ACTIVE_ROLE = Qt.ItemDataRole.UserRole + 2

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class ConversationModel(QAbstractListModel):
    """What the sidebar shows of the conversations it was told of."""

    rename_wanted = Signal(object, str)

    def __init__(self, *, now: Callable[[], datetime], parent: QObject | None = None) -> None:
        """Take ``now`` as the local time with its zone."""
        super().__init__(parent)
        self._now = now
        self._summaries: dict[ConversationId, ConversationSummary] = {}
        self._rows: tuple[Row, ...] = ()
        self._words = ""
        self._active: ConversationId | None = None

    @property
    def active(self) -> ConversationId | None:
        """The conversation that is open in the pane."""
        return self._active

    @property
    def n_conversations(self) -> int:
        """How many there are, shown or filtered out."""
        return len(self._summaries)

    @property
    def shown_ids(self) -> tuple[ConversationId, ...]:
        """The conversations that are shown, from top to bottom."""
        return tuple(row.summary.id for row in self._rows if isinstance(row, Line))

    def replace_all(self, summaries: Iterable[ConversationSummary]) -> None:
        """Start again with these conversations."""
        self._summaries = {summary.id: summary for summary in summaries}
        self.regroup()

    def put(self, summary: ConversationSummary) -> None:
        """Add a conversation or take its new state."""
        self._summaries[summary.id] = summary
        self.regroup()

    def remove(self, conversation_id: ConversationId) -> None:
        if self._summaries.pop(conversation_id, None) is not None:
            self.regroup()

    def summary(self, conversation_id: ConversationId) -> ConversationSummary | None:
        return self._summaries.get(conversation_id)

    def set_words(self, words: str) -> None:
        """Show only the conversations whose title has all of ``words``."""
        self._words = words
        self.regroup()

    def set_active(self, conversation_id: ConversationId | None) -> None:
        for changed in (self._active, conversation_id):
            index = self.index_of(changed)
            if index.isValid():
                self.dataChanged.emit(index, index, [ACTIVE_ROLE])
        self._active = conversation_id

    def index_of(self, conversation_id: ConversationId | None) -> QModelIndex:
        """Return where a conversation stands; invalid where it is not shown."""
        for row, line in enumerate(self._rows):
            if isinstance(line, Line) and line.summary.id == conversation_id:
                return self.index(row)
        return QModelIndex()

    def id_at(self, index: Index) -> ConversationId | None:
        """Return the conversation at ``index``; ``None`` for a heading or no row."""
        row = self._rows[index.row()] if index.isValid() else None
        return row.summary.id if isinstance(row, Line) else None

    def regroup(self) -> None:
        """Work the rows out again, for the present time, and change only what differs."""
        new = rows_of(self._summaries.values(), now=self._now(), words=self._words)
        old = self._rows
        start = 0
        while start < min(len(old), len(new)) and _same(old[start], new[start]):
            start += 1
        end = 0
        while end < min(len(old), len(new)) - start and _same(old[-1 - end], new[-1 - end]):
            end += 1
        if start < len(old) - end:
            self.beginRemoveRows(_ROOT, start, len(old) - end - 1)
            self._rows = old[:start] + old[len(old) - end :]
            self.endRemoveRows()
        if start < len(new) - end:
            self.beginInsertRows(_ROOT, start, len(new) - end - 1)
            self._rows = new
            self.endInsertRows()
        self._rows = new
        if new:
            # Titles and times may differ where the rows are the same ones.
            self.dataChanged.emit(self.index(0), self.index(len(new) - 1))

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if self.id_at(index) is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        if isinstance(row, Heading):
            return row.text if role == Qt.ItemDataRole.DisplayRole else None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return one_line(row.summary.title)
            case Qt.ItemDataRole.EditRole:
                return row.summary.title
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tooltip(row.summary.title)
            case Qt.ItemDataRole.AccessibleTextRole:
                pinned = ", pinned" if row.summary.pinned else ""
                return f"{one_line(row.summary.title)}{pinned}"
            case _ if role == TIME_ROLE:
                return time_words(row.summary.updated_at, now=self._now())
            case _ if role == ACTIVE_ROLE:
                return row.summary.id == self._active
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Ask for a new title; the row changes when the store says that it has it."""
        conversation_id = self.id_at(index)
        title = one_line(str(value))
        if role != Qt.ItemDataRole.EditRole or conversation_id is None or not title:
            return False
        if title != self._summaries[conversation_id].title:
            self.rename_wanted.emit(conversation_id, title)
        return True


def _same(left: Row, right: Row) -> bool:
    match left, right:
        case Heading(), Heading():
            return left == right
        case Line(), Line():
            return left.summary.id == right.summary.id
        case _:
            return False
