"""A table of plain texts with an optional bar column; its rows can be filtered and copied."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final

import msgspec
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyleOptionViewItem,
    QTreeView,
)

from fireside.core.i18n import tr
from fireside.ui.kit.list_model import Index
from fireside.ui.kit.row_painter import RowDelegate, RowPainter
from fireside.ui.theme import SPACE_S, theme
from fireside.ui.widgets.text import one_line, plain_tooltip

_ROW_HEIGHT: Final = 32
_BAR_PX: Final = 8
_FRAME: Final = 8
"""Pixels of frame and padding above and below the rows."""
_MIN_STRETCH_PX: Final = 150
"""Minimum width of the stretching column, at the normal text size."""


class CellKind(StrEnum):
    """How a column is drawn."""

    TEXT = "text"
    NUMBER = "number"
    CODE = "code"
    BAR = "bar"
    """The row's ``share`` as a bar; a screen reader reads the cell's text."""


class TableColumn(msgspec.Struct, frozen=True, kw_only=True):
    """A column. ``width`` is in pixels at the normal text size, at least the title's width; 0 stretches."""

    title: str
    kind: CellKind = CellKind.TEXT
    width: int = 0
    hide_priority: int = 0
    """Where the table is too narrow, the column with the highest value is hidden first; 0 is never hidden."""


class TableRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row: one text a column, the share (0 to 1) of its bar, and the caller's key."""

    cells: tuple[str, ...]
    share: float = 0.0
    key: str = ""


TABLE_ROW_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 1


class TableModel(QAbstractTableModel):
    """The rows that contain every word of the filter."""

    def __init__(self, columns: Sequence[TableColumn], *, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self._all: tuple[TableRow, ...] = ()
        self._matching: tuple[TableRow, ...] = ()
        self._filter = ""

    def set_rows(self, rows: Sequence[TableRow]) -> None:
        self._all = tuple(rows)
        self._apply_filter()

    def set_filter(self, text: str) -> None:
        self._filter = text
        self._apply_filter()

    @property
    def rows(self) -> tuple[TableRow, ...]:
        """The rows that pass the filter."""
        return self._matching

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._matching)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or section >= len(self.columns):
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            is_number = column.kind is CellKind.NUMBER
            side = Qt.AlignmentFlag.AlignRight if is_number else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._matching):
            return None
        row = self._matching[index.row()]
        text = row.cells[index.column()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return one_line(text)
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tooltip(text)
            case Qt.ItemDataRole.AccessibleTextRole if index.column() == 0:
                return self.accessible_row_text(index.row())
            case _ if role == TABLE_ROW_ROLE:
                return row
        return None

    def accessible_row_text(self, row: int) -> str:
        """Return what a screen reader reads for a row: every cell with its column's title."""
        first, *others = zip(self.columns, self._matching[row].cells, strict=True)
        return ", ".join(
            (one_line(first[1]), *(f"{c.title}: {one_line(text)}" for c, text in others if text))
        )

    def _apply_filter(self) -> None:
        terms = self._filter.casefold().split()
        self.beginResetModel()
        self._matching = tuple(
            row
            for row in self._all
            if not terms or all(term in " ".join(row.cells).casefold() for term in terms)
        )
        self.endResetModel()


class _RowDelegate(RowDelegate):
    def __init__(self, *, table: DataTable) -> None:
        super().__init__(view=table)
        self._table = table

    def row_height(self, index: Index) -> float:  # noqa: ARG002 - all rows have one height
        return _ROW_HEIGHT

    def draw(self, painter: RowPainter, box: QRect, option: QStyleOptionViewItem, index: Index) -> None:  # noqa: ARG002 - no state is drawn here
        row = index.data(TABLE_ROW_ROLE)
        if not isinstance(row, TableRow):
            return
        kind = self._table.row_model.columns[index.column()].kind
        # The cell itself, not the given box: QTreeView widens the first one's by what it would indent.
        box = self._table.visualRect(index).adjusted(SPACE_S, 0, -SPACE_S, 0)
        if kind is CellKind.BAR:
            bar = QRectF(box.left(), box.center().y() - _BAR_PX / 2 + 0.5, box.width(), _BAR_PX)
            painter.fill(bar, "card2", radius=4)
            if row.share > 0:
                bar.setWidth(max(3.0, box.width() * min(1.0, row.share)))
                painter.fill(bar, "accent", radius=4)
            return
        painter.draw_text(
            str(index.data()),
            within=box,
            px=12 if kind is CellKind.CODE else 13,
            tint="text" if index.column() == 0 and kind is not CellKind.CODE else "text2",
            is_code=kind is CellKind.CODE,
            at_right=kind is CellKind.NUMBER,
        )


class DataTable(QTreeView):
    """The table's view. Ctrl+C copies the current row."""

    current_changed = Signal()
    """Another row is the current one, or none is."""

    def __init__(
        self,
        columns: Sequence[TableColumn],
        *,
        name: str,
        max_visible_rows: int = 0,
        marks_current: bool = False,
    ) -> None:
        """Let the table grow to ``max_visible_rows`` before it scrolls; with 0 it fills its layout.

        ``marks_current``: mark the current row also while the table has no keyboard focus.
        """
        super().__init__()
        self._max_visible_rows = max_visible_rows
        self._marks_current = marks_current
        self.row_model = TableModel(columns, parent=self)
        self.setObjectName("factTable")
        self.setAccessibleName(name)
        self.setModel(self.row_model)
        self.row_model.modelReset.connect(self.current_changed)
        self.setRootIsDecorated(False)
        self.setItemsExpandable(False)
        self.setUniformRowHeights(True)
        self.setIndentation(0)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setItemDelegate(_RowDelegate(table=self))
        head = self.header()
        head.setAccessibleName(tr("Columns of {name}").format(name=name))
        head.setStretchLastSection(False)
        head.setSectionsMovable(False)
        head.setMinimumSectionSize(24)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        theme().changed.connect(self._on_theme_changed)

    def set_rows(self, rows: Sequence[TableRow]) -> None:
        self.row_model.set_rows(rows)
        self._fit_columns()
        self._fit_height()

    def set_filter(self, text: str) -> None:
        """Show only the rows that contain every word of ``text``."""
        self.row_model.set_filter(text)

    @property
    def current_key(self) -> str:
        """The key of the current row; empty for none."""
        row = self.currentIndex().data(TABLE_ROW_ROLE)
        return row.key if isinstance(row, TableRow) else ""

    def select_key(self, key: str) -> None:
        """Make the row with this key the current one, if there is one."""
        for index, row in enumerate(self.row_model.rows):
            if key and row.key == key:
                self.setCurrentIndex(self.row_model.index(index, 0))
                return

    def copy_current(self) -> str:
        """Copy the current row, cells separated by tabs; return the copied text."""
        row = self.currentIndex().data(TABLE_ROW_ROLE)
        text = "\t".join(row.cells) if isinstance(row, TableRow) else ""
        if text:
            QGuiApplication.clipboard().setText(text)
        return text

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_current()
        elif event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def drawRow(self, painter: QPainter, options: QStyleOptionViewItem, index: Index) -> None:
        if index.row() == self.currentIndex().row() and (self.hasFocus() or self._marks_current):
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            has_focus = self.hasFocus()
            painter.setPen(QPen(theme().colour("accent"), 1) if has_focus else Qt.PenStyle.NoPen)
            painter.setBrush(theme().colour("selected"))
            box = QRectF(1, options.rect.top() + 1, self.viewport().width() - 2, options.rect.height() - 2)
            painter.drawRoundedRect(box, 6, 6)
            painter.restore()
        options.state &= ~QStyle.StateFlag.State_HasFocus
        super().drawRow(painter, options, index)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.isValid() and current.column() != 0:
            self.setCurrentIndex(current.sibling(current.row(), 0))
        self.viewport().update()
        self.current_changed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def _fit_columns(self) -> None:
        columns, header = self.row_model.columns, self.header()
        available = self.viewport().width()
        min_stretch = theme().scaled(_MIN_STRETCH_PX)
        for index in range(len(columns)):
            self.setColumnHidden(index, False)  # the title of a hidden column has no width
        widths = {
            index: max(theme().scaled(column.width), header.sectionSizeHint(index)) if column.width else 0
            for index, column in enumerate(columns)
        }

        def excess() -> int:
            return sum(px or min_stretch for px in widths.values()) - available

        for index in sorted(widths, key=lambda i: -columns[i].hide_priority):
            if columns[index].hide_priority and excess() > 0:
                del widths[index]
        for index in sorted(
            widths, key=lambda i: -widths[i]
        ):  # the widest shrink first, down to their titles
            if widths[index] and columns[index].kind is CellKind.TEXT:
                shrink_by = min(max(0, excess()), widths[index] - header.sectionSizeHint(index))
                widths[index] -= shrink_by
        n_stretching = sum(not px for px in widths.values())
        stretch_width = max(24, (available - sum(widths.values())) // max(1, n_stretching))
        for index in range(len(columns)):
            if index in widths:
                self.setColumnWidth(index, widths[index] or stretch_width)
            else:
                self.setColumnHidden(index, True)

    def _fit_height(self) -> None:
        if self._max_visible_rows:
            n_rows = min(self._max_visible_rows, max(1, len(self.row_model.rows)))
            rows_height = n_rows * theme().scaled(_ROW_HEIGHT)
            self.setFixedHeight(self.header().sizeHint().height() + rows_height + _FRAME)

    def _on_theme_changed(self) -> None:
        self.scheduleDelayedItemsLayout()
        self._fit_columns()
        self._fit_height()
        self.viewport().update()
