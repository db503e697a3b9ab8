"""The palette's lines: a model over hits, and how one is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from fireside.core.text_folding import composed
from fireside.ui.palette.targets import Hit
from fireside.ui.theme import RADIUS_S, SPACE_M, SPACE_S, Theme
from fireside.ui.widgets.text import one_line

Index = QModelIndex | QPersistentModelIndex
HIT_ROLE: Final = Qt.ItemDataRole.UserRole + 1
_ICON_PX: Final = 16
_GAP: Final = 12
_NOTHING: Final = QModelIndex()


def row_px(theme: Theme) -> int:
    """Return how tall a line is."""
    return theme.scaled(21 + theme.airy(15))


class ResultsModel(QAbstractListModel):
    """What the query found."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._hits: tuple[Hit, ...] = ()

    @property
    def hits(self) -> tuple[Hit, ...]:
        return self._hits

    def set_hits(self, hits: Sequence[Hit]) -> None:
        self.beginResetModel()
        self._hits = tuple(hits)
        self.endResetModel()

    def rowCount(self, parent: Index = _NOTHING) -> int:
        return 0 if parent.isValid() else len(self._hits)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        hit = self._hits[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return shown_words(hit)
            case Qt.ItemDataRole.AccessibleTextRole:
                return spoken(hit)
            case _ if role == HIT_ROLE:
                return hit
            case _:
                return None


def spoken(hit: Hit) -> str:
    """Return what a screen reader says of a line."""
    target = hit.target
    return ", ".join(part for part in (shown_words(hit), target.place, target.shortcut) if part)


def shown_words(hit: Hit) -> str:
    """Return a line's words, character by character as ``Hit.places`` counts them."""
    return composed(one_line(hit.target.words))


class ResultsDelegate(QStyledItemDelegate):
    """Paints icon, words with the letters that were meant, place and keys."""

    def __init__(self, *, theme: Theme, view: QWidget) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002 - Qt's signature
        return QSize(0, row_px(self._theme))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        hit = index.data(HIT_ROLE)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.colour("selected"))
            painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 1, -0.5, -1), RADIUS_S, RADIUS_S)
        area = option.rect.adjusted(SPACE_M, 0, -SPACE_M, 0)
        self._paint_icon(painter, area, hit, chosen=chosen)
        area.setLeft(area.left() + _ICON_PX + SPACE_M)
        area.setRight(self._paint_keys(painter, area, hit.target.shortcut))
        area.setRight(self._paint_place(painter, area, hit.target.place))
        self._paint_words(painter, area, hit, chosen=chosen)
        painter.restore()

    def _paint_icon(self, painter: QPainter, area: QRect, hit: Hit, *, chosen: bool) -> None:
        if not hit.target.icon:
            return
        ratio = self._view.devicePixelRatio()
        tint = "accent" if chosen else "mute"
        icon = self._theme.pixmap(hit.target.icon, tint, _ICON_PX, ratio=ratio)
        painter.drawPixmap(area.left(), area.center().y() - _ICON_PX // 2 + 1, icon)

    def _paint_keys(self, painter: QPainter, area: QRect, keys: str) -> int:
        """Draw the keys as a cap and return where the room beside them ends."""
        if not keys:
            return area.right()
        font = self._theme.ui_font(12)
        metrics = QFontMetrics(font)
        width, height = metrics.horizontalAdvance(keys) + 2 * 6, metrics.height() + 4
        box = QRectF(area.right() - width, area.center().y() - height / 2 + 1, width, height)
        painter.setPen(self._theme.colour("edge"))
        painter.setBrush(self._theme.colour("card2"))
        painter.drawRoundedRect(box, 5, 5)
        painter.setFont(font)
        painter.setPen(self._theme.colour("text2"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), keys)
        return int(box.left()) - _GAP

    def _paint_place(self, painter: QPainter, area: QRect, place: str) -> int:
        font = self._theme.ui_font(12.5)
        metrics = QFontMetrics(font)
        room = area.width() // 3
        words = metrics.elidedText(place, Qt.TextElideMode.ElideRight, room)
        painter.setFont(font)
        painter.setPen(self._theme.colour("dim"))
        right = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
        painter.drawText(area, right, words)
        return area.right() - metrics.horizontalAdvance(words) - _GAP

    def _paint_words(self, painter: QPainter, area: QRect, hit: Hit, *, chosen: bool) -> None:
        font = self._theme.ui_font(14)
        shown = QFontMetrics(font).elidedText(
            shown_words(hit), Qt.TextElideMode.ElideRight, area.width() - SPACE_S
        )
        meant = QTextCharFormat()
        meant.setFontWeight(QFont.Weight.Bold)
        meant.setForeground(self._theme.colour("accent"))
        layout = QTextLayout(shown, font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.NoWrap)
        layout.setTextOption(option)
        layout.setFormats([_range(at, meant) for at in hit.places if at < len(shown)])
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(area.width())
        layout.endLayout()
        painter.setPen(self._theme.colour("text" if chosen else "text2"))
        layout.draw(painter, QPointF(area.left(), area.center().y() - line.height() / 2 + 1))


def _range(at: int, look: QTextCharFormat) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    made.start, made.length, made.format = at, 1, look
    return made
