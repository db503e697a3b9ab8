"""The library as a table: one row per file; less important columns are hidden where it is narrow."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QFrame, QHeaderView, QStyle, QStyleOptionViewItem, QTreeView, QWidget

from fireside.core.i18n import tr
from fireside.ui.kit.list_model import Index
from fireside.ui.kit.row_painter import RowPainter, lower_half, upper_half
from fireside.ui.library.columns import SORTABLE, SPECS, Column, fit_columns
from fireside.ui.library.filter_sort import BIGGEST_FIRST, Order
from fireside.ui.library.library_controller import LibraryController
from fireside.ui.library.model_delegate import ModelDelegate, Part, name_tint, paint_problem
from fireside.ui.library.row_input import RowInput
from fireside.ui.library.rows import (
    Integrity,
    ModelRow,
    integrity,
    integrity_badge,
    kind_text,
    name_of,
    problem_of,
    quant_meaning,
)
from fireside.ui.library.table_model import ROW_ROLE, LibraryModel, cell_text
from fireside.ui.theme import SPACE_S, SPACE_XS, theme

_HEIGHT: Final = 54
_BUTTON_PX: Final = 30
_ICON_PX: Final = 17


class TableDelegate(ModelDelegate):
    """Draws the cells; the background of a row is drawn by the table."""

    def __init__(self, *, view: ModelTable, now: Callable[[], datetime]) -> None:
        super().__init__(view=view)
        self._table = view
        self._now = now

    def row_height(self, index: Index) -> float:  # noqa: ARG002 - all rows have one height
        return _HEIGHT

    def draw(self, painter: RowPainter, box: QRect, option: QStyleOptionViewItem, index: Index) -> None:  # noqa: ARG002 - the table draws the state
        row = index.data(ROW_ROLE)
        if not isinstance(row, ModelRow):
            return
        column = Column(index.column())
        box = box.adjusted(SPACE_S, 0, -SPACE_S, 0)
        match column:
            case Column.NAME:
                self._paint_name(painter, row, index)
            case Column.QUANT:
                self._paint_quant(painter, row, box)
            case Column.CHECKED:
                self._paint_integrity(painter, row, box)
            case Column.ACTIONS:
                self._paint_actions(painter, row, index)
            case _:
                self._paint_plain(painter, row, column, box)

    def parts(self, index: Index) -> dict[Part, QRect]:
        row = index.data(ROW_ROLE)
        rects: dict[Part, QRect] = {}
        if not isinstance(row, ModelRow):
            return rects
        table = self._table
        if row.entry.spec is not None:
            cell = table.visualRect(index.sibling(index.row(), int(Column.NAME)))
            rects[Part.STAR] = self._star_box(cell)
        cell = table.visualRect(index.sibling(index.row(), int(Column.ACTIONS)))
        if cell.width() > 0:
            side = theme().scaled_up(_BUTTON_PX)
            top = cell.center().y() - side // 2
            right = cell.right() - SPACE_XS
            rects[Part.MORE] = QRect(right - side, top, side, side)
            if row.entry.can_chat:
                rects[Part.CHAT] = QRect(right - 2 * side - 2, top, side, side)
        return rects

    def name_box(self, index: Index) -> QRect:
        cell = self._table.visualRect(index.sibling(index.row(), int(Column.NAME)))
        return cell.adjusted(SPACE_XS, SPACE_S, -self._star_box(cell).width(), -SPACE_S)

    @property
    def name_margins_px(self) -> int:
        """The width of a name's cell beside the name."""
        return 3 * SPACE_S + self.star_px

    def _star_box(self, cell: QRect) -> QRect:
        """Return the right end of the cell of a name, where its star is."""
        width = 2 * SPACE_S + self.star_px
        return QRect(cell.right() - width, cell.top(), width, cell.height())

    def _paint_name(self, painter: RowPainter, row: ModelRow, index: Index) -> None:
        # Not option.rect: QTreeView widens that of the first column by the indentation.
        cell = self._table.visualRect(index)
        star = self._star_box(cell)
        at = self._single(row, star.adjusted(SPACE_S, 0, 0, 0))
        self.paint_star(painter, row, at, is_active=self.is_active(index))
        box = cell.adjusted(SPACE_S, 0, -star.width(), 0)
        weight = QFont.Weight.DemiBold
        painter.draw_text(name_of(row), within=upper_half(box), tint=name_tint(row), weight=weight)
        if not problem_of(row):
            self.paint_second_line(painter, row, lower_half(box), fallback=kind_text(row))

    def _paint_quant(self, painter: RowPainter, row: ModelRow, box: QRect) -> None:
        label = cell_text(row, Column.QUANT, now=self._now())
        meaning = quant_meaning(row)
        if meaning and not problem_of(row):
            painter.draw_text(label, within=upper_half(box), tint="text2", px=13)
            painter.draw_text(meaning, within=lower_half(box), px=12, tint="dim")
        else:
            painter.draw_text(label, within=self._single(row, box), tint="text2", px=13)

    def _paint_integrity(self, painter: RowPainter, row: ModelRow, box: QRect) -> None:
        # Of most files of other programs nothing is known, which is no reason to worry.
        if (row.entry.spec is None and row.check is None) or integrity(row) is Integrity.UNKNOWN:
            return
        badge = integrity_badge(row)
        line = self._single(row, box)
        left = painter.draw_icon(badge.icon, at=line, tint=badge.tint, px=15) + 6
        tint = "text2" if badge.tint == "ok" else badge.tint
        painter.draw_text(badge.text, within=line.adjusted(left - line.left(), 0, 0, 0), px=13, tint=tint)

    def _paint_plain(self, painter: RowPainter, row: ModelRow, column: Column, box: QRect) -> None:
        painter.draw_text(
            cell_text(row, column, now=self._now()),
            within=self._single(row, box),
            px=13,
            tint=_fact_tint(row, column),
            mode=Qt.TextElideMode.ElideMiddle if column is Column.WHERE else Qt.TextElideMode.ElideRight,
            at_right=SPECS[column].is_number,
        )

    def _paint_actions(self, painter: RowPainter, row: ModelRow, index: Index) -> None:
        is_active = self.is_active(index)
        for part, box in self.parts(index).items():
            inner = box.adjusted((box.width() - theme().scaled_up(_ICON_PX)) // 2, 0, 0, 0)
            if part is Part.MORE:
                painter.draw_icon("ellipsis", at=inner, tint="mute" if is_active else "dim", px=_ICON_PX)
            elif part is Part.CHAT and is_active and row.entry.can_chat:
                painter.draw_icon("message-square", at=inner, tint="accent", px=_ICON_PX)

    def _single(self, row: ModelRow, box: QRect) -> QRect:
        """Return the rectangle of a single line: centred, or in the upper half where a problem is drawn
        below."""
        return upper_half(box) if problem_of(row) else box

    def is_active(self, index: Index) -> bool:
        """Return whether the row is hovered or current."""
        return index.row() in (self._table.hovered, self._table.currentIndex().row())


def _fact_tint(row: ModelRow, column: Column) -> str:
    if row.entry.is_disconnected:
        return name_tint(row)
    return "text2" if column in (Column.SIZE, Column.PARAMS, Column.CONTEXT) else "mute"


class ModelTable(QTreeView):
    """Shows the rows; sorts by a click on a header section, or by Left, Right and Space in the header."""

    order_requested = Signal(object)
    """Carries an ``Order``."""

    def __init__(
        self, *, model: LibraryModel, library: LibraryController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._rows = model
        self.hovered = -1
        self.setObjectName("modelTable")
        self.setAccessibleName(tr("Models"))
        self.setModel(model)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setRootIsDecorated(False)
        self.setItemsExpandable(False)
        self.setUniformRowHeights(True)
        self.setIndentation(0)
        self._delegate = TableDelegate(view=self, now=model.now)
        self.setItemDelegate(self._delegate)
        self.input = RowInput(self, delegate=self._delegate, library=library)
        self._set_up_header()
        model.modelReset.connect(self._on_reset)
        theme().changed.connect(self._on_theme_changed)

    def visible_columns(self) -> tuple[Column, ...]:
        return tuple(column for column in Column if not self.isColumnHidden(int(column)))

    def drawRow(self, painter: QPainter, options: QStyleOptionViewItem, index: Index) -> None:
        option = QStyleOptionViewItem(options)
        if index.row() == self.hovered:
            option.state |= QStyle.StateFlag.State_MouseOver
        if index.row() == self.currentIndex().row():
            option.state |= QStyle.StateFlag.State_Selected
            if self.hasFocus():
                option.state |= QStyle.StateFlag.State_HasFocus
        box = QRect(0, options.rect.top(), self.viewport().width(), options.rect.height())
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        row_painter = RowPainter(painter, on=self)
        row_painter.draw_background(box.adjusted(0, 1, 0, -1), option)
        row = index.data(ROW_ROLE)
        if isinstance(row, ModelRow):
            name = self.visualRect(index.sibling(index.row(), int(Column.NAME)))
            box.setLeft(name.left() + SPACE_S)
            # A mirrored table has its other columns to the left of the name.
            trailing_px = self.columnWidth(int(Column.ACTIONS)) if not self.isRightToLeft() else 0
            paint_problem(row_painter, row, lower_half(box.adjusted(0, 0, -SPACE_S - trailing_px, 0)))
        painter.restore()
        super().drawRow(painter, options, index)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.isValid() and current.column() != Column.NAME:
            # The name column has the accessible text of the whole row.
            self.setCurrentIndex(current.sibling(current.row(), int(Column.NAME)))
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def viewportEvent(self, event: QEvent) -> bool:
        match event.type():
            case QEvent.Type.HoverMove | QEvent.Type.HoverEnter | QEvent.Type.MouseMove:
                pos: QPoint = event.position().toPoint()  # type: ignore[attr-defined]
                self._hover(self.indexAt(pos).row())
            case QEvent.Type.Leave | QEvent.Type.HoverLeave:
                self._hover(-1)
        return super().viewportEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.header() and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            return self._on_header_key(event)
        return super().eventFilter(watched, event)

    # Inside

    def _set_up_header(self) -> None:
        head = self.header()
        head.setAccessibleName(tr("Columns"))
        head.setSectionsMovable(False)
        head.setSectionsClickable(True)
        head.setStretchLastSection(False)
        head.setMinimumSectionSize(24)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head.setHighlightSections(False)
        head.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        head.installEventFilter(self)
        head.sectionClicked.connect(self._on_header_clicked)

    def _fit_columns(self) -> None:
        metrics = QFontMetrics(theme().ui_font(14, QFont.Weight.DemiBold))
        names = (self._rows.index(row, 0).data(ROW_ROLE) for row in range(self._rows.rowCount()))
        longest = max((metrics.horizontalAdvance(name_of(row)) for row in names), default=0)
        widths = fit_columns(
            self.viewport().width(),
            scaled=theme().scaled,
            name_px=longest + self._delegate.name_margins_px,
        )
        for column in Column:
            self.setColumnHidden(int(column), column not in widths)
            if column in widths:
                self.setColumnWidth(int(column), widths[column])

    def _on_reset(self) -> None:
        self._hover(-1)
        self._fit_columns()

    def _hover(self, row: int) -> None:
        if row != self.hovered:
            self.hovered = row
            self.viewport().update()

    def _on_header_clicked(self, section: int) -> None:
        column = Column(section)
        if column not in SORTABLE:
            return
        order = self._rows.order
        descending = not order.descending if order.column is column else column in BIGGEST_FIRST
        self.order_requested.emit(Order(column=column, descending=descending))

    def _on_header_key(self, event: QKeyEvent) -> bool:
        sortable = [column for column in self.visible_columns() if column in SORTABLE]
        order = self._rows.order
        match event.key():
            case Qt.Key.Key_Left | Qt.Key.Key_Right:
                step = 1 if event.key() == Qt.Key.Key_Right else -1
                index = sortable.index(order.column) if order.column in sortable else 0
                column = sortable[(index + step) % len(sortable)]
                self.order_requested.emit(Order(column=column, descending=column in BIGGEST_FIRST))
            case Qt.Key.Key_Space | Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.order_requested.emit(Order(column=order.column, descending=not order.descending))
            case Qt.Key.Key_Down:
                self.setFocus(Qt.FocusReason.TabFocusReason)
            case _:
                return False
        return True

    def _on_theme_changed(self) -> None:
        self.scheduleDelayedItemsLayout()
        self._fit_columns()
        self.viewport().update()
