"""Draw one model that a search found: its name with badges, and a line of facts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from fireside.core.discovery import FoundModel
from fireside.core.i18n import tr, tr_noop
from fireside.ui.discover.discover_text import (
    ASKS_FOR_CONSENT,
    IS_PRIVATE,
    SEES_PICTURES,
    badges,
    found_facts,
    isolated,
    name_of,
)
from fireside.ui.discover.results_model import FOUND_ROLE, IN_LIBRARY_ROLE, NOW_ROLE, Index
from fireside.ui.model_text import SEPARATOR
from fireside.ui.theme import RADIUS_M, SPACE_L, SPACE_M, SPACE_S, Theme
from fireside.ui.widgets.page_scroll import SCROLL_BAR_PX
from fireside.ui.widgets.text import plain_tooltip

_ROW: Final = 62
_BADGE: Final = 20
_VERTICAL: Final = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_LEAST_NAME: Final = 140
"""Pixels of a name that badges leave free; what has no room then goes."""
_IN_LIBRARY: Final = tr_noop("In library")
_ICONS: Final = {ASKS_FOR_CONSENT: "lock", IS_PRIVATE: "lock", SEES_PICTURES: "eye", _IN_LIBRARY: "check"}


class FoundDelegate(QStyledItemDelegate):
    """Paints rows without widgets, so that hundreds cost nothing."""

    def __init__(self, *, theme: Theme, view: QWidget) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002 - Qt's signature
        return QSize(0, self._theme.scaled(_ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        found = index.data(FOUND_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # As wide with a scroll bar as without one.
        row = QRect(option.rect)
        row.setRight(min(row.right(), self._view.width() - SCROLL_BAR_PX - 1))
        box = QRectF(row).adjusted(0.5, 2.5, -0.5, -2.5)
        self._paint_box(painter, box, option.state)
        area = row.adjusted(SPACE_L, 9, -SPACE_M, -9)
        half = area.height() // 2
        words = (*badges(found), *((_IN_LIBRARY,) if index.data(IN_LIBRARY_ROLE) else ()))
        self._paint_head(painter, QRect(area.left(), area.top(), area.width(), half), found, words)
        font = self._theme.ui_font(12.5)
        facts = _fitting(
            found_facts(found, now=index.data(NOW_ROLE)), metrics=QFontMetrics(font), width=area.width()
        )
        below = QRect(area.left(), area.top() + half, area.width(), half)
        self._paint_text(painter, below, facts, font=font, colour="mute")
        painter.restore()

    def helpEvent(
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        """Show the whole name and all facts, which may have had no room."""
        found = index.data(FOUND_ROLE)
        if not isinstance(found, FoundModel):
            return super().helpEvent(event, view, option, index)
        facts = SEPARATOR.join(map(isolated, found_facts(found, now=index.data(NOW_ROLE))))
        QToolTip.showText(event.globalPos(), plain_tooltip(f"{found.repo}\n{facts}"), view)
        return True

    def _paint_box(self, painter: QPainter, box: QRectF, state: QStyle.StateFlag) -> None:
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        focused = bool(state & QStyle.StateFlag.State_HasFocus)
        painter.setBrush(self._theme.colour("hover" if hovered else "card"))
        painter.setPen(QPen(self._theme.colour("accent" if focused else "line"), 1.5 if focused else 1))
        painter.drawRoundedRect(box, RADIUS_M, RADIUS_M)

    def _paint_head(self, painter: QPainter, area: QRect, found: FoundModel, words: tuple[str, ...]) -> None:
        font = self._theme.ui_font(14, QFont.Weight.DemiBold)
        small = self._theme.ui_font(11, QFont.Weight.Medium)
        metrics = QFontMetrics(small)
        room = area.width() - min(_LEAST_NAME, area.width())
        shown: list[tuple[str, int]] = []
        for word in words:
            width = metrics.horizontalAdvance(tr(word)) + 2 * 6 + (17 if word in _ICONS else 0)
            if width + SPACE_S <= room:
                shown.append((word, width))
                room -= width + SPACE_S
        taken = sum(width + SPACE_S for _, width in shown)
        name_area = QRect(area.left(), area.top(), area.width() - taken, area.height())
        used = self._paint_text(painter, name_area, name_of(found.repo), font=font, colour="text")
        x = area.left() + used + SPACE_S
        for word, width in shown:
            self._paint_badge(painter, QPoint(x, area.center().y()), word, width=width, font=small)
            x += width + SPACE_S

    def _paint_badge(self, painter: QPainter, at: QPoint, words: str, *, width: int, font: QFont) -> None:
        height = self._theme.scaled(_BADGE)
        box = QRectF(at.x(), at.y() - height / 2 + 1, width, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour("card2"))
        painter.drawRoundedRect(box, 6, 6)
        left = box.left() + 6
        if icon := _ICONS.get(words):
            token = "ok" if words == _IN_LIBRARY else "mute"
            pixmap = self._theme.pixmap(icon, token, 13, ratio=self._view.devicePixelRatio())
            painter.drawPixmap(int(left), int(box.center().y() - 6.5), pixmap)
            left += 17
        painter.setFont(font)
        painter.setPen(self._theme.colour("mute"))
        painter.drawText(QRectF(left, box.top(), box.right() - left, height), int(_VERTICAL), tr(words))

    def _paint_text(self, painter: QPainter, area: QRect, text: str, *, font: QFont, colour: str) -> int:
        """Draw one line, cut to the room there is; return how wide it came out."""
        painter.setFont(font)
        painter.setPen(self._theme.colour(colour))
        metrics = painter.fontMetrics()
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, int(_VERTICAL | Qt.AlignmentFlag.AlignAbsolute), shown)
        return min(area.width(), metrics.horizontalAdvance(shown))


def _fitting(facts: Sequence[str], *, metrics: QFontMetrics, width: int) -> str:
    """Return as many whole facts as fit into ``width``, and at least the first."""
    shown = isolated(facts[0])
    for fact in facts[1:]:
        longer = f"{shown}{SEPARATOR}{isolated(fact)}"
        if metrics.horizontalAdvance(longer) > width:
            break
        shown = longer
    return shown
