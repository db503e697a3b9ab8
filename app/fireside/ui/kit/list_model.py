"""A list of values of any type as a Qt model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, TypeVar

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

Item = TypeVar("Item")
Index = QModelIndex | QPersistentModelIndex
ITEM_ROLE: Final = int(Qt.ItemDataRole.UserRole)
"""The value itself."""
_ROOT: Final = QModelIndex()


class ListModel(QAbstractListModel, Generic[Item]):
    """Rows of values, each with a display text and a text for screen readers."""

    def __init__(
        self,
        text: Callable[[Item], str],
        *,
        accessible_text: Callable[[Item], str] | None = None,
        parent: QObject | None = None,
    ) -> None:
        """``accessible_text`` is by default ``text``."""
        super().__init__(parent)
        self._text = text
        self._accessible_text = accessible_text or text
        self._items: tuple[Item, ...] = ()

    @property
    def items(self) -> tuple[Item, ...]:
        return self._items

    def item(self, index: Index) -> Item | None:
        """Return the value at ``index``, or ``None``."""
        return self._items[index.row()] if 0 <= index.row() < len(self._items) else None

    def replace(self, items: Sequence[Item]) -> None:
        """Show only ``items``; equal items do not reset the model."""
        if tuple(items) == self._items:
            return
        self.beginResetModel()
        self._items = tuple(items)
        self.endResetModel()

    def extend(self, items: Sequence[Item]) -> None:
        """Append ``items``."""
        if items:
            self.beginInsertRows(_ROOT, len(self._items), len(self._items) + len(items) - 1)
            self._items = (*self._items, *items)
            self.endInsertRows()

    def refresh(self) -> None:
        """Redraw every row, after a change of something other than the values."""
        if self._items:
            self.dataChanged.emit(self.index(0), self.index(len(self._items) - 1))

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._items)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        item = self.item(index)
        if item is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._text(item)
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._accessible_text(item)
            case _:
                return item if role == ITEM_ROLE else None
