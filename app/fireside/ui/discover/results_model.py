"""The models that a search found, as Qt's list asks for them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from fireside.core.discovery import FoundModel
from fireside.ui.discover.discover_text import found_sentence, name_of

FOUND_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 1
"""The ``FoundModel``."""
IN_LIBRARY_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 2
NOW_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 3
"""When the search was answered: what “3 days ago” counts from."""

Index = QModelIndex | QPersistentModelIndex
_TOP: Final = QModelIndex()


class ResultsModel(QAbstractListModel):
    """Grows as pages arrive; a model that two pages have is listed once."""

    def __init__(self, *, now: datetime, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._found: list[FoundModel] = []
        self._repos: set[str] = set()
        self._here: frozenset[str] = frozenset()
        self._now = now

    @property
    def found(self) -> tuple[FoundModel, ...]:
        return tuple(self._found)

    @property
    def now(self) -> datetime:
        """When the search was answered."""
        return self._now

    def replace(self, found: Sequence[FoundModel], *, now: datetime) -> None:
        """Show only these."""
        self.beginResetModel()
        self._found, self._repos, self._now = [], set(), now
        self._take(found)
        self.endResetModel()

    def extend(self, found: Sequence[FoundModel]) -> None:
        """Show these too."""
        fresh = list({model.repo: model for model in found if model.repo not in self._repos}.values())
        if not fresh:
            return
        first = len(self._found)
        self.beginInsertRows(_TOP, first, first + len(fresh) - 1)
        self._take(fresh)
        self.endInsertRows()

    def set_here(self, repos: frozenset[str]) -> None:
        """Take ``repos`` (in small letters) as those that the library has models of."""
        self._here = repos
        if self._found:
            self.dataChanged.emit(self.index(0), self.index(len(self._found) - 1), [IN_LIBRARY_ROLE])

    def rowCount(self, parent: Index = _TOP) -> int:
        return 0 if parent.isValid() else len(self._found)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or not 0 <= index.row() < len(self._found):
            return None
        found = self._found[index.row()]
        here = found.repo.casefold() in self._here
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return name_of(found.repo)
            case Qt.ItemDataRole.AccessibleTextRole:
                return found_sentence(found, in_library=here, now=self._now)
            case _ if role == FOUND_ROLE:
                return found
            case _ if role == IN_LIBRARY_ROLE:
                return here
            case _ if role == NOW_ROLE:
                return self._now
            case _:
                return None

    def _take(self, found: Sequence[FoundModel]) -> None:
        for model in found:
            if model.repo not in self._repos:
                self._repos.add(model.repo)
                self._found.append(model)
