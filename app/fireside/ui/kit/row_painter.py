"""Draw the rows of long lists without widgets: texts, badges and icons."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from fireside.ui.kit.list_model import Index
from fireside.ui.theme import RADIUS_S, SPACE_S, SPACE_XS, theme
from fireside.ui.widgets.text import isolate_direction

_LEFT: Final = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
_RIGHT: Final = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
_BADGE_PADDING: Final = 6


class RowDelegate(QStyledItemDelegate):
    """Draws the rows of a view. A subclass implements their height and content."""

    def __init__(self, *, view: QWidget) -> None:
        super().__init__(view)
        self.view = view

    def row_height(self, index: Index) -> float:
        """Return the height of a row, in pixels at the normal text size."""
        raise NotImplementedError

    def draw(self, row: RowPainter, box: QRect, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw a row into ``box``."""
        raise NotImplementedError

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002 - Qt's signature
        return QSize(0, theme().scaled(self.row_height(index)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # Rows are laid out by hand: a mirrored window would draw their texts over each other.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.draw(RowPainter(painter, on=self.view), QRect(option.rect), option, index)
        painter.restore()


class RowPainter:
    """Draws with one painter in one theme; methods return the x at which the next part may begin.

    Text sizes are pixels at the normal text size, colours are names of theme tokens.
    """

    def __init__(self, painter: QPainter, *, on: QWidget) -> None:
        self.painter = painter
        self._ratio = on.devicePixelRatio()

    def draw_text(
        self,
        text: str,
        *,
        within: QRect,
        px: float = 14,
        tint: str = "text",
        weight: QFont.Weight = QFont.Weight.Normal,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        is_code: bool = False,
        at_right: bool = False,
    ) -> int:
        """Draw one line of text, elided; return its right edge, or with ``at_right`` its left edge."""
        if within.width() <= 0 or not text:
            return within.right() if at_right else within.left()
        painter = self.painter
        painter.setFont(theme().mono_font(px) if is_code else theme().ui_font(px, weight))
        painter.setPen(theme().colour(tint))
        metrics = painter.fontMetrics()
        elided = metrics.elidedText(text, mode, within.width())
        painter.drawText(within, _RIGHT if at_right else _LEFT, isolate_direction(elided))
        width = min(within.width(), metrics.horizontalAdvance(elided))
        return within.right() - width if at_right else within.left() + width

    def draw_badge(self, text: str, *, within: QRect, tint: str = "mute", background: str = "card2") -> int:
        """Draw a badge if it fits; return its right edge, or the left of ``within``."""
        painter = self.painter
        painter.setFont(theme().ui_font(11, QFont.Weight.Medium))
        metrics = painter.fontMetrics()
        width = metrics.horizontalAdvance(text) + 2 * _BADGE_PADDING
        if width > within.width():
            return within.left()
        height = metrics.height() + 3
        box = QRect(within.left(), within.center().y() - height // 2 + 1, width, height)
        self.fill(QRectF(box), background, radius=6)
        painter.setPen(theme().colour(tint))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)
        return box.right() + SPACE_XS

    def text_width(self, text: str, *, px: float = 14, weight: QFont.Weight = QFont.Weight.Normal) -> int:
        self.painter.setFont(theme().ui_font(px, weight))
        return self.painter.fontMetrics().horizontalAdvance(text)

    def draw_icon(self, name: str, *, at: QRect, tint: str, px: int = 16, at_right: bool = False) -> int:
        """Draw an icon at the left of ``at``, vertically centred; return its right edge, or with ``at_right``
        its left edge."""
        side = theme().scaled_up(px)
        left = at.right() - side if at_right else at.left()
        pixmap = theme().pixmap(name, tint, px, ratio=self._ratio)
        self.painter.drawPixmap(left, at.center().y() - side // 2 + 1, pixmap)
        return left if at_right else left + side

    def draw_dot(self, *, at: QRect, tint: str, px: int = 8) -> int:
        px = theme().scaled_up(px)
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(theme().colour(tint))
        self.painter.drawEllipse(QRectF(at.left(), at.center().y() - px / 2 + 0.5, px, px))
        return at.left() + px

    def draw_background(
        self,
        box: QRect,
        option: QStyleOptionViewItem,
        *,
        is_marked: bool | None = None,
        marked: str = "selected",
        radius: float = RADIUS_S + 1,
        inset: tuple[float, float] = (0.75, 0.75),
    ) -> None:
        """Draw a row's background: marked, under the pointer, focused.

        By default a row is marked if it is selected; ``inset`` is the margin within ``box``.
        """
        state = option.state
        if is_marked is None:
            is_marked = bool(state & QStyle.StateFlag.State_Selected)
        x, y = inset
        shape = QRectF(box).adjusted(x, y, -x, -y)
        if is_marked or state & QStyle.StateFlag.State_MouseOver:
            self.fill(shape, marked if is_marked else "hover", radius=radius)
        if state & QStyle.StateFlag.State_HasFocus:
            self.painter.setPen(QPen(theme().colour("accent"), 1.5))
            self.painter.setBrush(Qt.BrushStyle.NoBrush)
            self.painter.drawRoundedRect(shape, radius, radius)

    def fill(self, shape: QRectF, tint: str, *, radius: float) -> None:
        """Fill a rounded rectangle, without an outline."""
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(theme().colour(tint))
        self.painter.drawRoundedRect(shape, radius, radius)


def upper_half(box: QRect) -> QRect:
    """Return the rectangle of the first of two lines."""
    return QRect(box.left(), box.top() + SPACE_S - 1, box.width(), box.height() // 2 - SPACE_XS)


def lower_half(box: QRect) -> QRect:
    """Return the rectangle of the second of two lines."""
    top = box.top() + box.height() // 2
    return QRect(box.left(), top, box.width(), box.height() // 2 - SPACE_XS - 1)
