"""The conversations as a Qt item model: headings, folders and chats, updated with as few row moves as
possible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from fireside.core.chat import Colour, ConversationSummary, Folder
from fireside.core.i18n import tr
from fireside.core.ids import ConversationId, FolderId
from fireside.ui.sidebar.colours import colour_name
from fireside.ui.sidebar.groups import (
    ArchiveRow,
    ConversationRow,
    EmptyFolderRow,
    FolderRow,
    GroupHeading,
    Row,
    Sort,
    rows_of,
    time_of,
)
from fireside.ui.time_text import format_relative_time
from fireside.ui.widgets.text import one_line, plain_tooltip

ROW_ROLE = Qt.ItemDataRole.UserRole
TIME_ROLE = Qt.ItemDataRole.UserRole + 1
ACTIVE_ROLE = Qt.ItemDataRole.UserRole + 2

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_USABLE = Qt.ItemFlag.ItemIsEnabled


class ConversationModel(QAbstractListModel):
    """The rows of the sidebar, derived from the conversations and folders that it was given."""

    rename_requested = Signal(object, str)
    folder_rename_requested = Signal(object, str)
    about_to_regroup = Signal()
    regrouped = Signal()

    def __init__(self, *, now: Callable[[], datetime], parent: QObject | None = None) -> None:
        """``now`` returns the local time with its zone."""
        super().__init__(parent)
        self._now = now
        self._summaries: dict[ConversationId, ConversationSummary] = {}
        self._folders: tuple[Folder, ...] = ()
        self._rows: tuple[Row, ...] = ()
        self._sort = Sort.USED
        self._is_archive_open = False
        self._active: ConversationId | None = None
        self._n_changing = 0
        self._is_stale = False

    # Contents

    @property
    def active(self) -> ConversationId | None:
        """The conversation that is open in the chat pane."""
        return self._active

    @property
    def n_conversations(self) -> int:
        """The number of conversations, whether their rows are shown or not."""
        return len(self.summaries())

    @property
    def folders(self) -> tuple[Folder, ...]:
        return self._folders

    @property
    def sort_order(self) -> Sort:
        return self._sort

    @property
    def rows(self) -> tuple[Row, ...]:
        return self._rows

    @property
    def displayed_ids(self) -> tuple[ConversationId, ...]:
        """The conversations whose rows are shown, from top to bottom."""
        return tuple(row.summary.id for row in self._rows if isinstance(row, ConversationRow))

    def summary(self, conversation_id: ConversationId) -> ConversationSummary | None:
        return self._summaries.get(conversation_id)

    def summaries(self) -> tuple[ConversationSummary, ...]:
        """Return the conversations that have their place here: all but temporary ones."""
        return tuple(summary for summary in self._summaries.values() if not summary.is_temporary)

    def folder(self, folder_id: FolderId | None) -> Folder | None:
        return next((folder for folder in self._folders if folder.id == folder_id), None)

    # Changes

    def replace_all(
        self, summaries: Iterable[ConversationSummary], *, folders: Sequence[Folder] = ()
    ) -> None:
        """Replace all conversations and folders."""
        open_only = {id_: summary for id_, summary in self._summaries.items() if summary.is_temporary}
        self._summaries = open_only | {summary.id: summary for summary in summaries}
        self._folders = tuple(folders)
        self.regroup()

    def update(self, summary: ConversationSummary) -> None:
        """Add a conversation or replace its summary."""
        self._summaries[summary.id] = summary
        self.regroup()

    def remove(self, conversation_id: ConversationId) -> None:
        if self._summaries.pop(conversation_id, None) is not None:
            self.regroup()

    def set_folders(self, folders: Sequence[Folder]) -> None:
        """Replace all folders, in order from the top."""
        self._folders = tuple(folders)
        self.regroup()

    def set_sort(self, sort: Sort) -> None:
        self._sort = sort
        self.regroup()

    def set_archive_open(self, is_open: bool) -> None:
        self._is_archive_open = is_open
        self.regroup()

    def set_active(self, conversation_id: ConversationId | None) -> None:
        for changed in (self._active, conversation_id):
            index = self.index_of(changed)
            if index.isValid():
                self.dataChanged.emit(index, index, [ACTIVE_ROLE])
        self._active = conversation_id

    @contextmanager
    def batch_changes(self) -> Iterator[None]:
        """Recompute the rows once, at the end of the block."""
        self._n_changing += 1
        try:
            yield
        finally:
            self._n_changing -= 1
            if not self._n_changing and self._is_stale:
                self.regroup()

    def regroup(self) -> None:
        """Recompute the rows for the present time, and change only those that differ."""
        self._is_stale = self._n_changing > 0
        if self._is_stale:
            return
        self.about_to_regroup.emit()
        new = rows_of(
            self.summaries(),
            now=self._now(),
            folders=self._folders,
            sort=self._sort,
            is_archive_open=self._is_archive_open,
        )
        self._apply_rows(new)
        self.regrouped.emit()

    def _apply_rows(self, new: tuple[Row, ...]) -> None:
        old = self._rows
        start = 0
        while start < min(len(old), len(new)) and _is_same_row(old[start], new[start]):
            start += 1
        end = 0
        while end < min(len(old), len(new)) - start and _is_same_row(old[-1 - end], new[-1 - end]):
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
            # Titles and times may have changed in rows that did not move.
            self.dataChanged.emit(self.index(0), self.index(len(new) - 1))

    # Positions

    def index_of(self, conversation_id: ConversationId | None) -> QModelIndex:
        """Return the index of a conversation's row; invalid where it is not shown."""
        return self._index_where(
            lambda row: isinstance(row, ConversationRow) and row.summary.id == conversation_id
        )

    def _index_where(self, matches: Callable[[Row], bool]) -> QModelIndex:
        return self.index(next((number for number, row in enumerate(self._rows) if matches(row)), -1))

    def indexes_of(self, ids: Iterable[ConversationId]) -> list[QModelIndex]:
        """Return the indexes of those conversations that are shown."""
        id_set = frozenset(ids)
        return [
            self.index(number)
            for number, row in enumerate(self._rows)
            if isinstance(row, ConversationRow) and row.summary.id in id_set
        ]

    def folder_index(self, folder_id: FolderId) -> QModelIndex:
        """Return the index of a folder's row."""
        return self._index_where(lambda row: isinstance(row, FolderRow) and row.folder.id == folder_id)

    def archive_index(self) -> QModelIndex:
        """Return the index of the archive's row."""
        return self._index_where(lambda row: isinstance(row, ArchiveRow))

    def end_of_folders(self) -> QModelIndex:
        """Return the index of the last folder, or of the last chat shown in it."""
        last = -1
        for number, row in enumerate(self._rows):
            if isinstance(row, FolderRow) or (last >= 0 and isinstance(row, ConversationRow)):
                last = number
            elif last >= 0:
                break
        return self.index(last)

    def row_at(self, index: Index) -> Row | None:
        return self._rows[index.row()] if index.isValid() else None

    def id_at(self, index: Index) -> ConversationId | None:
        """Return the conversation at ``index``; ``None`` for any other row."""
        row = self.row_at(index)
        return row.summary.id if isinstance(row, ConversationRow) else None

    # QAbstractListModel

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        match self.row_at(index):
            case ConversationRow():
                return _USABLE | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable
            case FolderRow():
                return _USABLE | Qt.ItemFlag.ItemIsEditable
            case ArchiveRow():
                return _USABLE
            case _:
                return Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row_at(index)
        if row is None:
            return None
        if role == ROW_ROLE:
            return row
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return one_line(_name_of(row))
            case Qt.ItemDataRole.EditRole:
                return _name_of(row)
            case Qt.ItemDataRole.ToolTipRole if isinstance(row, ConversationRow | FolderRow):
                return plain_tooltip(_name_of(row))
            case Qt.ItemDataRole.AccessibleTextRole:
                return _accessible_text(row)
            case _ if role == TIME_ROLE and isinstance(row, ConversationRow):
                return (
                    ""
                    if not row.is_dated
                    else format_relative_time(time_of(row.summary, self._sort), now=self._now())
                )
            case _ if role == ACTIVE_ROLE:
                return isinstance(row, ConversationRow) and row.summary.id == self._active
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Request a new name; the row changes once the store reports it as saved."""
        row = self.row_at(index)
        name = one_line(str(value))
        if role != Qt.ItemDataRole.EditRole or not name:
            return False
        match row:
            case ConversationRow(summary=summary):
                if name != summary.title:
                    self.rename_requested.emit(summary.id, name)
            case FolderRow(folder=folder):
                if name != folder.name:
                    self.folder_rename_requested.emit(folder.id, name)
            case _:
                return False
        return True


def _name_of(row: Row) -> str:
    match row:
        case GroupHeading(text=text):
            return text
        case FolderRow(folder=folder):
            return folder.name
        case EmptyFolderRow():
            return tr("Drag chats here")
        case ArchiveRow():
            return tr("Archive")
        case ConversationRow(summary=summary):
            return summary.title


def _accessible_text(row: Row) -> str:
    """Return the screen reader's text for a row: everything that is shown next to the name."""
    name = one_line(_name_of(row))
    match row:
        case FolderRow(folder=folder, n_chats=n_chats):
            parts = (
                tr("Folder {name}").format(name=name),
                chat_count(n_chats),
                _expanded_text(is_open=folder.is_open),
                _colour_text(folder.colour),
            )
        case ArchiveRow(n_chats=n_chats, is_open=is_open):
            parts = (name, chat_count(n_chats), _expanded_text(is_open=is_open), "")
        case ConversationRow(summary=summary):
            parts = (
                name,
                tr("pinned") if summary.pinned else "",
                tr("archived") if summary.archived else "",
                _colour_text(summary.colour),
            )
        case GroupHeading() | EmptyFolderRow():
            return name
    return ", ".join((parts[0], *(part for part in parts[1:] if part)))


def chat_count(n: int) -> str:
    """Return the text for a number of chats: “1 chat”, “2 chats”."""
    return tr("%n chat|%n chats", "", n)


def _expanded_text(*, is_open: bool) -> str:
    return tr("open", "as a folder is") if is_open else tr("closed", "as a folder is")


def _colour_text(colour: Colour | None) -> str:
    return colour_name(colour).lower() if colour is not None else ""


def _is_same_row(left: Row, right: Row) -> bool:
    match left, right:
        case GroupHeading(), GroupHeading():
            return left == right
        case ConversationRow(), ConversationRow():
            return left.summary.id == right.summary.id
        case FolderRow(), FolderRow():
            return left.folder.id == right.folder.id
        case EmptyFolderRow(), EmptyFolderRow():
            return left == right
        case ArchiveRow(), ArchiveRow():
            return True
        case _:
            return False
