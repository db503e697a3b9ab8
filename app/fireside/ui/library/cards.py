"""The library as a grid of cards."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

from PySide6.QtCore import QRect, QRectF, QSize
from PySide6.QtGui import QFont, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyleOptionViewItem, QWidget

from fireside.core.i18n import tr
from fireside.ui.kit.list_model import Index
from fireside.ui.kit.row_painter import RowPainter
from fireside.ui.library.columns import Column
from fireside.ui.library.library_controller import LibraryController
from fireside.ui.library.model_delegate import ModelDelegate, Part, name_tint, paint_problem
from fireside.ui.library.row_input import RowInput
from fireside.ui.library.rows import (
    ModelRow,
    kind_text,
    list_badge,
    location_text,
    name_of,
    params_text,
    problem_tint,
    quant_label,
    size_text,
    trained_context_text,
)
from fireside.ui.library.table_model import ROW_ROLE, LibraryModel
from fireside.ui.model_text import SEPARATOR
from fireside.ui.theme import RADIUS_M, SPACE_L, SPACE_M, SPACE_S, theme
from fireside.ui.time_text import last_used_phrase

_MIN_WIDTH: Final = 268
"""Minimum width of a card at the normal text size."""
_HEIGHT: Final = 132
_GAP: Final = SPACE_M
_BUTTON_PX: Final = 28
_ICON_PX: Final = 16
_SCROLL_BAR_PX: Final = 22
"""Reserved for the scroll bar, so that cards do not move when it appears."""


class CardDelegate(ModelDelegate):
    """Draws one card."""

    def __init__(self, *, view: ModelCards, now: Callable[[], datetime]) -> None:
        super().__init__(view=view)
        self._cards = view
        self._now = now

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002 - Qt's signature
        return self._cards.gridSize()

    def draw(self, painter: RowPainter, box: QRect, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW_ROLE)
        if not isinstance(row, ModelRow):
            return
        card = self._card(box)
        is_current = index.row() == self._cards.currentIndex().row()
        is_active = is_current or bool(option.state & QStyle.StateFlag.State_MouseOver)
        self._paint_background(painter.painter, card, option, row, is_current=is_current)
        inner = card.adjusted(SPACE_L, SPACE_M, -SPACE_M, -SPACE_M)
        line = theme().scaled(22)
        top = QRect(inner.left(), inner.top(), inner.width(), line + 2)
        self._paint_top(painter, row, top, is_active=is_active)
        second = QRect(inner.left(), top.bottom() + 3, inner.width(), line)
        self._paint_badges(painter, row, second)
        third = QRect(inner.left(), second.bottom() + 4, inner.width(), line)
        self._paint_facts(painter, row, third)
        foot = QRect(inner.left(), inner.bottom() - line + 1, inner.width(), line)
        self._paint_footer(painter, row, foot, is_active=is_active)

    def parts(self, index: Index) -> dict[Part, QRect]:
        row = index.data(ROW_ROLE)
        if not isinstance(row, ModelRow):
            return {}
        card = self._card(self._cards.visualRect(index))
        right, bottom = card.right() - SPACE_S, card.bottom() - SPACE_S
        side = theme().scaled_up(_BUTTON_PX)
        rects = {Part.MORE: QRect(right - side, bottom - side, side, side)}
        if row.entry.can_chat:
            rects[Part.CHAT] = rects[Part.MORE].translated(-side - 2, 0)
        if row.entry.spec is not None:
            rects[Part.STAR] = QRect(right - side, card.top() + SPACE_S, side, side)
        return rects

    def name_box(self, index: Index) -> QRect:
        card = self._card(self._cards.visualRect(index))
        return QRect(
            card.left() + SPACE_S, card.top() + SPACE_S, card.width() - 2 * SPACE_S, theme().scaled(32)
        )

    def _card(self, cell: QRect) -> QRect:
        return QRect(cell).adjusted(0, 0, -_GAP, -_GAP)

    def _paint_background(
        self,
        painter: QPainter,
        card: QRect,
        option: QStyleOptionViewItem,
        row: ModelRow,
        *,
        is_current: bool,
    ) -> None:
        has_focus = is_current and self._cards.hasFocus()
        is_hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        edge = "accent" if has_focus else "edge" if is_hovered or is_current else "line"
        if row.entry.spec is None and not has_focus:
            edge = "line" if row.entry.is_disconnected else problem_tint(row)
        painter.setBrush(theme().colour("hover" if is_hovered else "card"))
        painter.setPen(QPen(theme().colour(edge), 1.6 if has_focus else 1))
        painter.drawRoundedRect(QRectF(card).adjusted(0.8, 0.8, -0.8, -0.8), RADIUS_M, RADIUS_M)

    def _paint_top(self, painter: RowPainter, row: ModelRow, line: QRect, *, is_active: bool) -> None:
        name = line.adjusted(0, 0, -self.star_px - SPACE_S, 0)
        weight = QFont.Weight.DemiBold
        painter.draw_text(name_of(row), within=name, px=14.5, tint=name_tint(row), weight=weight)
        star = QRect(line.right() - self.star_px - 1, line.top(), self.star_px, line.height())
        self.paint_star(painter, row, star, is_active=is_active)

    def _paint_badges(self, painter: RowPainter, row: ModelRow, line: QRect) -> None:
        if paint_problem(painter, row, line):
            return
        left = line.left()
        for label in filter(None, (quant_label(row), params_text(row))):
            left = painter.draw_badge(
                label, within=QRect(left, line.top(), line.right() - left, line.height())
            )
        rest = QRect(left + 2, line.top(), line.right() - left, line.height())
        self.paint_second_line(painter, row, rest, fallback=kind_text(row))

    def _paint_facts(self, painter: RowPainter, row: ModelRow, line: QRect) -> None:
        context = trained_context_text(row)
        used = (
            last_used_phrase(row.entry.user_metadata.last_used_s, now=self._now()) if row.entry.spec else ""
        )
        parts = (
            size_text(row),
            tr("{context} context").format(context=context) if context else "",
            used,
        )
        painter.draw_text(SEPARATOR.join(filter(None, parts)), within=line, px=12.5, tint="mute")

    def _paint_footer(self, painter: RowPainter, row: ModelRow, line: QRect, *, is_active: bool) -> None:
        side = theme().scaled_up(_BUTTON_PX)
        area = line.adjusted(0, 0, -2 * side - SPACE_S, 0)
        text = location_text(row)
        if badge := list_badge(row):
            left = painter.draw_icon(badge.icon, at=area, tint=badge.tint, px=14) + 6
            area = area.adjusted(left - area.left(), 0, 0, 0)
            text = f"{badge.text}{SEPARATOR}{text}"
        painter.draw_text(text, within=area, px=12, tint="dim")
        right = line.right() + SPACE_M - SPACE_S
        icon = theme().scaled_up(_ICON_PX)
        more = QRect(right - (side + icon) // 2, line.top(), icon, line.height())
        painter.draw_icon("ellipsis", at=more, tint="mute" if is_active else "dim", px=_ICON_PX)
        if row.entry.can_chat and is_active:
            painter.draw_icon("message-square", at=more.translated(-side - 2, 0), tint="accent", px=_ICON_PX)


class ModelCards(QListView):
    """Shows the models as cards; arrow keys move between cards."""

    def __init__(
        self, *, model: LibraryModel, library: LibraryController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("modelCards")
        self.setAccessibleName(tr("Models"))
        self.setModel(model)
        self.setModelColumn(int(Column.NAME))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setSelectionRectVisible(False)
        self._delegate = CardDelegate(view=self, now=model.now)
        self.setItemDelegate(self._delegate)
        self.input = RowInput(self, delegate=self._delegate, library=library)
        theme().changed.connect(self._on_theme_changed)
        self._fit()

    @property
    def n_columns(self) -> int:
        """The number of cards in a row."""
        return max(1, (self.width() - _SCROLL_BAR_PX) // self.gridSize().width())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()
        super().resizeEvent(event)

    def _fit(self) -> None:
        available_px = max(1, self.width() - _SCROLL_BAR_PX)
        n_columns = max(1, available_px // theme().scaled(_MIN_WIDTH))
        size = QSize(available_px // n_columns, theme().scaled(_HEIGHT) + _GAP)
        if size != self.gridSize():
            self.setGridSize(size)

    def _on_theme_changed(self) -> None:
        self._fit()
        self.scheduleDelayedItemsLayout()
        self.viewport().update()
