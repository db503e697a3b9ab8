"""Qt item model of the library: filtered and sorted rows, whose texts are made when they are drawn."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt, Signal, Slot

from fireside.core.i18n import tr
from fireside.core.ids import ModelId
from fireside.core.model import ModelEntry
from fireside.ui.kit.list_model import Index
from fireside.ui.library.check_results import CheckResults
from fireside.ui.library.columns import SPECS, Column
from fireside.ui.library.filter_sort import (
    FilterChoices,
    LibraryQuery,
    Order,
    arrange,
    filter_choices,
    matches,
)
from fireside.ui.library.rows import (
    NAME_LIMIT,
    ModelRow,
    accessible_text,
    last_used_text,
    list_badge,
    location_text,
    make_row,
    name_of,
    params_text,
    problem_of,
    quant_label,
    quant_meaning,
    size_text,
    source_text,
    trained_context_text,
)
from fireside.ui.models_view import ModelsView
from fireside.ui.time_text import last_used_label
from fireside.ui.widgets.text import plain_tooltip

ROW_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 1
"""Item data role: the ``ModelRow``."""
# Combined once: Qt asks for the flags of every row at each layout.
_PLAIN: Final = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
_EDITABLE: Final = _PLAIN | Qt.ItemFlag.ItemIsEditable


def local_now() -> datetime:
    """Return the current time in the local time zone."""
    return datetime.now().astimezone()


class LibraryModel(QAbstractTableModel):
    """One row per model file. It filters and sorts by itself: for thousands of rows that is far faster than
    Qt's proxy model, which calls back for each comparison. GUI thread only."""

    rename_requested = Signal(str, str)
    """Carries a model's id and its new name."""

    def __init__(
        self,
        *,
        models: ModelsView,
        check_results: CheckResults,
        now: Callable[[], datetime] = local_now,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._models = models
        self._check_results = check_results
        self.now = now
        self._query = LibraryQuery()
        self._order = Order()
        self._rows: list[ModelRow] = []
        self._positions: dict[str, int] = {}
        models.entries_changed.connect(self.refresh)
        models.state_changed.connect(self._on_state_changed)
        check_results.check_changed.connect(self._on_check_changed)
        check_results.updates_changed.connect(self.refresh)
        self.refresh()

    @property
    def order(self) -> Order:
        return self._order

    @property
    def rows(self) -> tuple[ModelRow, ...]:
        """The filtered and sorted rows."""
        return tuple(self._rows)

    def filter_choices(self) -> FilterChoices:
        """Return the filters that any model matches, shown or not."""
        return filter_choices([self._row(entry) for entry in self._models.entries])

    def row_at(self, index: Index) -> ModelRow | None:
        inside = index.isValid() and index.row() < len(self._rows)
        return self._rows[index.row()] if inside else None

    def index_of(self, path: str) -> QModelIndex:
        """Return the index of a file; invalid if it is not shown."""
        position = self._positions.get(path)
        return QModelIndex() if position is None else self.index(position, int(Column.NAME))

    def set_query(self, query: LibraryQuery) -> None:
        if query != self._query:
            self._query = query
            self.refresh()

    def set_order(self, order: Order) -> None:
        if order != self._order:
            self._order = order
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(Column) - 1)
            self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Rebuild all rows. If the files and their order stay the same, rows are redrawn without a reset."""
        rows = arrange(
            (self._row(entry) for entry in self._models.entries), query=self._query, order=self._order
        )
        if [row.entry.path for row in rows] == [row.entry.path for row in self._rows]:
            self._rows = rows
            if rows:
                self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(Column) - 1))
            return
        self.beginResetModel()
        self._rows = rows
        self._positions = {row.entry.path: position for position, row in enumerate(rows)}
        self.endResetModel()

    # Qt

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(Column)

    def flags(self, index: Index) -> Qt.ItemFlag:
        row = self.row_at(index)
        if row is None:
            return Qt.ItemFlag.NoItemFlags
        can_rename = index.column() == Column.NAME and row.entry.spec is not None
        return _EDITABLE if can_rename else _PLAIN

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or section not in list(Column):
            return None
        spec = SPECS[Column(section)]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return f"{tr(spec.title)}{self._arrow(Column(section))}"
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tooltip(tr(spec.explanation)) if spec.explanation else None
            case Qt.ItemDataRole.AccessibleTextRole:
                is_sorted = self._order.column == section
                return _sorted_title(tr(spec.title), order=self._order) if is_sorted else tr(spec.title)
            case Qt.ItemDataRole.TextAlignmentRole:
                side = Qt.AlignmentFlag.AlignRight if spec.is_number else Qt.AlignmentFlag.AlignLeft
                return int(side | Qt.AlignmentFlag.AlignVCenter)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row_at(index)
        if row is None:
            return None
        column = Column(index.column())
        match role:
            case _ if role == ROW_ROLE:
                return row
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole:
                return cell_text(row, column, now=self.now())
            case Qt.ItemDataRole.ToolTipRole:
                return self._tooltip(row, column)
            case Qt.ItemDataRole.AccessibleTextRole if column is Column.NAME:
                return accessible_text(row, now=self.now())
            case Qt.ItemDataRole.AccessibleTextRole:
                title = tr(SPECS[column].title) or tr("Actions")
                return f"{title}: {cell_text(row, column, now=self.now())}"
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Request a new name; the row changes when the library reports it."""
        row = self.row_at(index)
        if role != Qt.ItemDataRole.EditRole or row is None or row.entry.spec is None:
            return False
        name = " ".join(str(value).split())[:NAME_LIMIT]
        if name != name_of(row):
            self.rename_requested.emit(row.entry.spec.id, name)
        return True

    # Inside

    def _arrow(self, column: Column) -> str:
        if column is not self._order.column:
            return ""
        return "  ↓" if self._order.descending else "  ↑"

    def _row(self, entry: ModelEntry) -> ModelRow:
        return make_row(entry, models=self._models, check_results=self._check_results)

    def _tooltip(self, row: ModelRow, column: Column) -> str | None:
        match column:
            case Column.NAME:
                return plain_tooltip("\n".join(filter(None, (name_of(row), problem_of(row), row.entry.path))))
            case Column.QUANT if quant_meaning(row):
                return plain_tooltip(f"{quant_label(row)}: {quant_meaning(row)}")
            case Column.WHERE:
                copies = (f"{source_text(copy.source)}: {copy.path}" for copy in row.entry.places)
                return plain_tooltip("\n".join((row.entry.path, *copies)))
        return None

    @Slot(str)
    def _on_state_changed(self, model_id: str) -> None:
        self._update_row(self._models.entry(ModelId(model_id)))

    @Slot(str)
    def _on_check_changed(self, path: str) -> None:
        self._update_row(self._models.entry_at(path))

    def _update_row(self, entry: ModelEntry | None) -> None:
        """Update one row; refresh all where it now passes the filters, or no longer does."""
        if entry is None:
            return
        row, position = self._row(entry), self._positions.get(entry.path)
        if matches(row, self._query) != (position is not None):
            self.refresh()
        elif position is not None:
            self._rows[position] = row
            self.dataChanged.emit(self.index(position, 0), self.index(position, len(Column) - 1))


def cell_text(row: ModelRow, column: Column, *, now: datetime) -> str:
    """Return the text of a cell."""
    match column:
        case Column.NAME:
            return name_of(row)
        case Column.QUANT:
            return quant_label(row)
        case Column.SIZE:
            return size_text(row)
        case Column.PARAMS:
            return params_text(row)
        case Column.CONTEXT:
            return trained_context_text(row)
        case Column.USED:
            return last_used_text(row, now=now)
        case Column.CHECKED:
            badge = list_badge(row)
            return badge.text if badge is not None else ""
        case Column.WHERE:
            return location_text(row)
        case Column.ADDED:
            return last_used_label(row.entry.added_s, now=now) if row.entry.added_s is not None else ""
        case Column.ACTIONS:
            return ""


def _sorted_title(title: str, *, order: Order) -> str:
    title_format = tr("{title}, sorted descending") if order.descending else tr("{title}, sorted ascending")
    return title_format.format(title=title)
