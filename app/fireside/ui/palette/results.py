"""The list of matching targets in the palette and the slash menu, and its delegate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, QPointF, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontMetrics, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QListView, QStyle, QStyleOptionViewItem

from fireside.core.text_folding import composed
from fireside.ui.kit.list_model import ITEM_ROLE, Index, ListModel
from fireside.ui.kit.row_painter import RowDelegate, RowPainter
from fireside.ui.palette.targets import TargetHit
from fireside.ui.theme import RADIUS_S, SPACE_M, SPACE_S, theme
from fireside.ui.widgets.text import one_line

_ICON_PX: Final = 16
_GAP: Final = 12


def accessible_text(hit: TargetHit) -> str:
    """Return what a screen reader reads for a row."""
    target = hit.target
    return ", ".join(part for part in (displayed_text(hit), target.location, target.shortcut) if part)


def displayed_text(hit: TargetHit) -> str:
    """Return a row's label with the characters that ``Hit.positions`` counts."""
    return composed(one_line(hit.target.label))


class TargetList(QListView):
    """A list whose current row moves while the focus stays in the text field."""

    picked = Signal()
    """A row was clicked, and is current."""

    def __init__(self, *, name: str) -> None:
        super().__init__()
        self.hits = ListModel[TargetHit](displayed_text, accessible_text=accessible_text, parent=self)
        self.setObjectName("popupList")
        self.setAccessibleName(name)
        self.setModel(self.hits)
        self.setItemDelegate(_HitDelegate(view=self))
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMouseTracking(True)
        self.entered.connect(self.setCurrentIndex)
        self.clicked.connect(self._on_clicked)

    @property
    def current(self) -> TargetHit | None:
        """The current row's hit."""
        return self.hits.item(self.currentIndex())

    @property
    def row_height(self) -> int:
        """Pixels of a row."""
        return theme().scaled(_row_px())

    def set_hits(self, hits: Sequence[TargetHit]) -> None:
        """Show ``hits`` and make the first one current."""
        self.hits.replace(hits)
        self.set_current_row(0)

    def set_current_row(self, row: int) -> None:
        """Make a row current."""
        self.setCurrentIndex(self.hits.index(row, 0))

    def step(self, by: int) -> None:
        """Move the current row by ``by``: single steps wrap around, larger ones stop at the ends."""
        n_rows = len(self.hits.items)
        if n_rows:
            row = self.currentIndex().row() + by
            self.set_current_row(row % n_rows if abs(by) == 1 else max(0, min(n_rows - 1, row)))

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self.setCurrentIndex(index)
        self.picked.emit()


def _row_px() -> float:
    return 21 + theme().density_scaled(15)


class _HitDelegate(RowDelegate):
    """Draws the icon, the label with the matched characters highlighted, the location and the shortcut."""

    def row_height(self, index: Index) -> float:  # noqa: ARG002 - all are the same
        return _row_px()

    def draw(self, row: RowPainter, box: QRect, option: QStyleOptionViewItem, index: Index) -> None:
        hit: TargetHit = index.data(ITEM_ROLE)
        is_marked = bool(option.state & QStyle.StateFlag.State_Selected)
        if is_marked:
            row.fill(QRectF(box).adjusted(0.5, 1, -0.5, -1), "selected", radius=RADIUS_S)
        area = box.adjusted(SPACE_M, 0, -SPACE_M, 0)
        if hit.target.icon:
            row.draw_icon(hit.target.icon, at=area, tint="accent" if is_marked else "mute", px=_ICON_PX)
        area.setLeft(area.left() + theme().scaled_up(_ICON_PX) + SPACE_M)
        area.setRight(self._draw_keys(row, area, hit.target.shortcut))
        location_rect = QRect(area)
        location_rect.setLeft(area.right() - area.width() // 3)
        left = row.draw_text(hit.target.location, within=location_rect, px=12.5, tint="dim", at_right=True)
        area.setRight(left - _GAP)
        self._draw_label(row, area, hit, tint="text" if is_marked else "text2")

    def _draw_keys(self, row: RowPainter, area: QRect, keys: str) -> int:
        """Draw the shortcut as a key cap; return the right edge of the space left of it."""
        if not keys:
            return area.right()
        font = theme().ui_font(12)
        metrics = QFontMetrics(font)
        width, height = metrics.horizontalAdvance(keys) + 2 * 6, metrics.height() + 4
        box = QRectF(area.right() - width, area.center().y() - height / 2 + 1, width, height)
        row.painter.setPen(theme().colour("edge"))
        row.painter.setBrush(theme().colour("card2"))
        row.painter.drawRoundedRect(box, 5, 5)
        row.painter.setFont(font)
        row.painter.setPen(theme().colour("text2"))
        row.painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), keys)
        return int(box.left()) - _GAP

    def _draw_label(self, row: RowPainter, area: QRect, hit: TargetHit, *, tint: str) -> None:
        font = theme().ui_font(14)
        label = QFontMetrics(font).elidedText(
            displayed_text(hit), Qt.TextElideMode.ElideRight, area.width() - SPACE_S
        )
        match_format = QTextCharFormat()
        match_format.setFontWeight(QFont.Weight.Bold)
        match_format.setForeground(theme().colour("accent"))
        layout = QTextLayout(label, font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.NoWrap)
        layout.setTextOption(option)
        layout.setFormats([_range(at, match_format) for at in hit.positions if at < len(label)])
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(area.width())
        layout.endLayout()
        row.painter.setPen(theme().colour(tint))
        layout.draw(row.painter, QPointF(area.left(), area.center().y() - line.height() / 2 + 1))


def _range(at: int, style: QTextCharFormat) -> QTextLayout.FormatRange:
    format_range = QTextLayout.FormatRange()
    format_range.start, format_range.length, format_range.format = at, 1, style
    return format_range
