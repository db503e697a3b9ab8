"""A table in CSV as rows and columns, drawn as far as it is in sight."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from fireside.core.i18n import tr
from fireside.ui.kit.list_model import Index
from fireside.ui.theme import SPACE_L, SPACE_M, theme
from fireside.ui.widgets.text import one_line, plain_tooltip

_N_MEASURED: Final = 200
"""Rows from which the widths of the columns follow."""
_MIN_WIDTH: Final = 48
_MAX_WIDTH: Final = 320
"""Pixels of a column at the normal text size, until the user drags it."""
_MAX_SHOWN: Final = 300
"""Characters of a cell that are drawn; its tool tip has all."""
_MAX_COPIED: Final = 1_000_000
"""Cells that are copied at once."""
_NUMBER_MARKS: Final = str.maketrans("", "", ".,-+%€$£ \u00a0\u202f−'")


class _Rows(QAbstractTableModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.head: list[str] = []
        self.rows: list[list[str]] = []
        self.numeric: list[bool] = []

    def set_rows(self, rows: list[list[str]]) -> None:
        self.beginResetModel()
        self.head, self.rows = (rows[0], rows[1:]) if rows else ([], [])
        width = max(map(len, rows), default=0)
        self.head = [*self.head, *[""] * (width - len(self.head))]
        sample = self.rows[:_N_MEASURED]
        self.numeric = [_is_numeric([row[n] for row in sample if n < len(row)]) for n in range(width)]
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self.head)

    def text(self, row: int, column: int) -> str:
        cells = self.rows[row]
        return cells[column] if column < len(cells) else ""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return one_line(self.text(index.row(), index.column())[:_MAX_SHOWN])
            case Qt.ItemDataRole.ToolTipRole:
                text = self.text(index.row(), index.column())
                return plain_tooltip(text[: 10 * _MAX_SHOWN]) if len(text) > _MAX_SHOWN // 10 else None
            case Qt.ItemDataRole.TextAlignmentRole:
                side = (
                    Qt.AlignmentFlag.AlignRight
                    if self.numeric[index.column()]
                    else Qt.AlignmentFlag.AlignLeft
                )
                return int(side | Qt.AlignmentFlag.AlignVCenter)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            is_head = orientation == Qt.Orientation.Horizontal
            return one_line(self.head[section][:_MAX_SHOWN]) if is_head else str(section + 1)
        if role == Qt.ItemDataRole.TextAlignmentRole and orientation == Qt.Orientation.Horizontal:
            side = Qt.AlignmentFlag.AlignRight if self.numeric[section] else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        return None


def _is_numeric(cells: list[str]) -> bool:
    """Return whether what is in a column are numbers."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    return bool(filled) and all(cell.translate(_NUMBER_MARKS).isdigit() for cell in filled)


class CsvView(QTableView):
    """Rows and columns; Ctrl+C copies the selected cells. GUI thread only."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("artifactTable")
        self.setAccessibleName(tr("Table"))
        self._rows = _Rows(self)
        self.setModel(self._rows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.horizontalHeader().setHighlightSections(False)
        # Rows of one height are not measured one by one.
        self.verticalHeader().setSectionResizeMode(self.verticalHeader().ResizeMode.Fixed)
        self.verticalHeader().setHighlightSections(False)
        theme().changed.connect(self._fit)

    @property
    def n_rows(self) -> int:
        """Rows below the head."""
        return self._rows.rowCount()

    @property
    def n_columns(self) -> int:
        return self._rows.columnCount()

    def show_rows(self, rows: list[list[str]]) -> None:
        """Show these rows; the first is the head."""
        self._rows.set_rows(rows)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_selected()
        elif event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def copy_selected(self) -> None:
        """Copy the selected cells, as programs for tables paste them."""
        selection = self.selectionModel().selection()
        if selection.isEmpty():
            return
        area = selection.first()
        columns = range(area.left(), area.right() + 1)
        rows = range(area.top(), min(area.bottom() + 1, area.top() + _MAX_COPIED // max(1, len(columns))))
        lines = ("\t".join(self._cell(row, column) for column in columns) for row in rows)
        QGuiApplication.clipboard().setText("\n".join(lines))

    def _cell(self, row: int, column: int) -> str:
        return one_line(self._rows.text(row, column))

    def _fit(self) -> None:
        metrics = self.fontMetrics()
        self.verticalHeader().setDefaultSectionSize(metrics.height() + SPACE_M)
        sample = range(min(_N_MEASURED, self.n_rows))
        for column in range(min(self.n_columns, _N_MEASURED)):
            texts = [self._rows.head[column], *(self._rows.text(row, column) for row in sample)]
            widest = max(metrics.horizontalAdvance(one_line(text[:_MAX_SHOWN])) for text in texts) + SPACE_L
            least, most = theme().scaled(_MIN_WIDTH), theme().scaled(_MAX_WIDTH)
            self.setColumnWidth(column, min(max(widest, least), most))
