"""The filters of a search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QGridLayout, QWidget

from fireside.core.chat import Folder
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import FolderId, ModelId
from fireside.core.message import Role
from fireside.core.search import SearchQuery
from fireside.ui.theme import SPACE_XS
from fireside.ui.widgets.combo_box import ComboBox
from fireside.ui.widgets.text import escape_mnemonic


class Age(StrEnum):
    """The age of a message."""

    ANY = "any"
    TODAY = "today"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"
    OLDER = "older"


_ROLES: Final = (
    (None, tr_noop("Anyone")),
    (Role.USER, tr_noop("You")),
    (Role.ASSISTANT, tr_noop("The model")),
)
_AGES: Final = (
    (Age.ANY, tr_noop("Any time")),
    (Age.TODAY, tr_noop("Today")),
    (Age.WEEK, tr_noop("7 days")),
    (Age.MONTH, tr_noop("30 days")),
    (Age.YEAR, tr_noop("12 months")),
    (Age.OLDER, tr_noop("Older")),
)
_DAYS: Final = {Age.TODAY: 0, Age.WEEK: 7, Age.MONTH: 30, Age.YEAR: 365, Age.OLDER: 365}
_ARCHIVED: Final = (
    (None, tr_noop("Include archived")),
    (False, tr_noop("Without archived")),
    (True, tr_noop("Archived only")),
)
_ALL_MODELS: Final = tr_noop("Any model")
_ALL_FOLDERS: Final = tr_noop("Any folder")


class Filters(QWidget):
    """Five combo boxes; the first entry of each does not filter."""

    changed = Signal()

    def __init__(self, *, now: Callable[[], datetime]) -> None:
        super().__init__()
        self._now = now
        self.role = ComboBox(name=tr("Author"))
        self.age = ComboBox(name=tr("Date"))
        self.model = ComboBox(name=tr("Model"))
        self.folder = ComboBox(name=tr("Folder"))
        self.archived = ComboBox(name=tr("Archive"))
        for select, choices in ((self.role, _ROLES), (self.age, _AGES), (self.archived, _ARCHIVED)):
            for value, label in choices:
                select.addItem(tr(label), value)
        self.model.addItem(tr(_ALL_MODELS), None)
        self.folder.addItem(tr(_ALL_FOLDERS), None)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(SPACE_XS)
        cells = ((self.role, 0, 0), (self.age, 0, 1), (self.model, 1, 0), (self.folder, 1, 1))
        for select, row, column in cells:
            grid.addWidget(select, row, column)
        grid.addWidget(self.archived, 2, 0, 1, 2)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        for select in self._all:
            select.setProperty("kind", "small")
            select.setMinimumWidth(0)
            select.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            select.setMinimumContentsLength(4)
            select.currentIndexChanged.connect(self.changed)

    @property
    def _all(self) -> tuple[ComboBox, ...]:
        return (self.role, self.age, self.model, self.folder, self.archived)

    @property
    def n_active(self) -> int:
        """The number of active filters."""
        return sum(select.currentIndex() > 0 for select in self._all)

    def query_for(self, text: str) -> SearchQuery:
        """Return a query for ``text`` with these filters."""
        since, before = self._span()
        return SearchQuery(
            text=text,
            role=self.role.currentData(),
            model_id=self.model.currentData(),
            folder_id=self.folder.currentData(),
            archived=self.archived.currentData(),
            since=since,
            before=before,
        )

    def set_models(self, models: Sequence[tuple[ModelId, str]]) -> None:
        """Offer ``models``, each with its name; keep the selection if it is among them."""
        _refill(self.model, models)

    def set_folders(self, folders: Sequence[Folder]) -> None:
        """Offer ``folders``; keep the selection if it is among them."""
        _refill(self.folder, [(folder.id, folder.name) for folder in folders])

    @Slot()
    def clear(self) -> None:
        """Remove all filters."""
        if self.n_active:
            for select in self._all:
                select.blockSignals(True)
                select.setCurrentIndex(0)
                select.blockSignals(False)
            self.changed.emit()

    def _span(self) -> tuple[float | None, float | None]:
        age = Age(self.age.currentData())
        if age is Age.ANY:
            return None, None
        now = self._now()
        midnight = datetime.combine(now.date(), datetime.min.time(), tzinfo=now.tzinfo)
        limit = (midnight - timedelta(days=_DAYS[age])).timestamp()
        return (None, limit) if age is Age.OLDER else (limit, None)


def _refill(select: ComboBox, choices: Sequence[tuple[ModelId | FolderId, str]]) -> None:
    """Replace the choices below the first; emit a change only if the selected one is missing."""
    selected = select.currentData()
    select.blockSignals(True)
    while select.count() > 1:
        select.removeItem(1)
    for value, name in choices:
        select.addItem(escape_mnemonic(name), value)
    index = select.findData(selected) if selected is not None else 0
    select.setCurrentIndex(index if index >= 0 else select.currentIndex())
    select.blockSignals(False)
    if index < 0:
        select.setCurrentIndex(0)
        select.currentIndexChanged.emit(0)
