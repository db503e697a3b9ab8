"""Draw what a search found, with the words marked where they stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.core.message import Role
from fireside.core.search import FoundConversation, Hit, Mark
from fireside.ui.search.results_model import (
    ACTIVE_ROLE,
    ROW_ROLE,
    ChatRow,
    HitRow,
    Index,
    MoreRow,
)
from fireside.ui.theme import RADIUS_S, Theme
from fireside.ui.time_text import time_words
from fireside.ui.widgets.page_scroll import SCROLL_BAR_PX

_CHAT: Final = 38
_MORE: Final = 24
_LINE: Final = 18.5
_LINES: Final = 2
_PAD: Final = 5
_LEFT: Final = 10
_INDENT: Final = 20
_ICON_PX: Final = 14
_YOU: Final = tr_noop("You: ")
_VERTICAL: Final = Qt.AlignmentFlag.AlignVCenter


class ResultsDelegate(QStyledItemDelegate):
    """Paints rows without widgets."""

    def __init__(self, *, theme: Theme, now: Callable[[], datetime], view: QWidget) -> None:
        super().__init__(view)
        self._theme = theme
        self._now = now
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002 - Qt's signature
        match index.data(ROW_ROLE):
            case HitRow(hit=hit):
                lines = self._n_lines(hit)
                return QSize(0, round(lines * self._theme.scaled(_LINE)) + 2 * _PAD)
            case MoreRow():
                return QSize(0, self._theme.scaled(_MORE))
            case _:
                return QSize(0, self._theme.scaled(_CHAT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRect(option.rect)
        rect.setRight(min(rect.right(), self._view.width() - SCROLL_BAR_PX - 1))
        self._paint_box(painter, rect, option.state, is_active=bool(index.data(ACTIVE_ROLE)))
        match row:
            case ChatRow(found=found):
                self._paint_chat(painter, rect.adjusted(_LEFT, 4, -9, 0), found)
            case HitRow(hit=hit):
                self._paint_hit(painter, QRectF(rect).adjusted(_INDENT, _PAD, -9, -_PAD), hit)
            case MoreRow(n=n):
                painter.setFont(self._theme.ui_font(12))
                painter.setPen(self._theme.colour("dim"))
                area = rect.adjusted(_INDENT, 0, -9, 0)
                painter.drawText(
                    area,
                    int(_VERTICAL | Qt.AlignmentFlag.AlignLeft),
                    tr("%n message more|%n messages more", "", n),
                )
        painter.restore()

    def _paint_box(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, *, is_active: bool) -> None:
        box = QRectF(rect).adjusted(0.5, 1, -0.5, -1)
        if is_active or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.colour("selected" if is_active else "hover"))
            painter.drawRoundedRect(box, RADIUS_S + 1, RADIUS_S + 1)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(self._theme.colour("accent"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box, RADIUS_S + 1, RADIUS_S + 1)

    def _paint_chat(self, painter: QPainter, area: QRect, found: FoundConversation) -> None:
        summary = found.summary
        icon = "archive" if summary.archived else "folder" if summary.folder_id is not None else ""
        if icon:
            pixmap = self._theme.pixmap(icon, "dim", _ICON_PX, ratio=self._view.devicePixelRatio())
            painter.drawPixmap(area.left(), area.center().y() - _ICON_PX // 2 + 1, pixmap)
            area.setLeft(area.left() + _ICON_PX + 6)
        painter.setFont(self._theme.ui_font(12))
        painter.setPen(self._theme.colour("dim"))
        time = time_words(summary.updated_at, now=self._now())
        painter.drawText(area, int(_VERTICAL | Qt.AlignmentFlag.AlignRight), time)
        area.setRight(area.right() - painter.fontMetrics().horizontalAdvance(time) - 8)
        font = self._theme.ui_font(14, QFont.Weight.DemiBold)
        height = QFontMetrics(font).height()
        top = area.center().y() - height / 2 + 1
        room = QRectF(area.left(), top, area.width(), height + 2)
        self._paint_marked(
            painter, room, _clean(summary.title), font=font, marks=found.title_marks, lines=1, tint="text"
        )

    def _paint_hit(self, painter: QPainter, area: QRectF, hit: Hit) -> None:
        text, marks = _worded(hit)
        font = self._theme.ui_font(12.5)
        n_quiet = len(tr(_YOU)) if hit.role is Role.USER else 0
        self._paint_marked(
            painter, area, text, font=font, marks=marks, lines=_LINES, tint="text2", n_quiet=n_quiet
        )

    def _paint_marked(
        self,
        painter: QPainter,
        area: QRectF,
        text: str,
        *,
        font: QFont,
        marks: Sequence[Mark],
        lines: int,
        tint: str,
        n_quiet: int = 0,
    ) -> None:
        """Draw text in so many lines, cut where they end; its first ``n_quiet`` characters are paler."""
        layout = _laid_out(text, font=font, width=area.width(), lines=lines)
        text = layout.text()
        layout.setFormats(
            [
                *([self._quiet(n_quiet)] if n_quiet else []),
                *(self._marked(text, mark) for mark in marks if mark[1] <= len(text)),
            ]
        )
        _break(layout, width=area.width(), lines=lines, height=self._theme.scaled(_LINE))
        painter.setPen(self._theme.colour(tint))
        layout.draw(painter, area.topLeft())

    def _quiet(self, n: int) -> QTextLayout.FormatRange:
        made = QTextLayout.FormatRange()
        made.start, made.length = 0, n
        style = QTextCharFormat()
        style.setForeground(self._theme.colour("dim"))
        made.format = style
        return made

    def _marked(self, text: str, mark: Mark) -> QTextLayout.FormatRange:
        made = QTextLayout.FormatRange()
        made.start = _utf16(text[: mark[0]])
        made.length = _utf16(text[mark[0] : mark[1]])
        style = QTextCharFormat()
        style.setForeground(self._theme.colour("text"))
        style.setBackground(self._theme.colour("accent_soft"))
        style.setFontWeight(QFont.Weight.DemiBold)
        made.format = style
        return made

    def _n_lines(self, hit: Hit) -> int:
        text, _ = _worded(hit)
        width = self._view.width() - SCROLL_BAR_PX - 1 - _INDENT - 9
        metrics = QFontMetrics(self._theme.ui_font(12.5))
        return 1 if metrics.horizontalAdvance(text) < width * 0.96 else _LINES


def _clean(title: str) -> str:
    return "".join(c if c.isprintable() else " " for c in title)


def _worded(hit: Hit) -> tuple[str, tuple[Mark, ...]]:
    """Return the snippet with who wrote it, and its marks moved along."""
    if hit.role is not Role.USER:
        return hit.snippet.text, hit.snippet.marks
    you = tr(_YOU)
    n = len(you)
    return you + hit.snippet.text, tuple((first + n, last + n) for first, last in hit.snippet.marks)


def _laid_out(text: str, *, font: QFont, width: float, lines: int) -> QTextLayout:
    """Return a layout of as much of ``text`` as fits."""
    layout = QTextLayout(text, font)
    ends = _break(layout, width=width, lines=lines, height=0)
    if ends < _utf16(text):
        shown = text.encode("utf-16-le")[: 2 * max(0, ends - 2)].decode("utf-16-le", errors="ignore")
        layout = QTextLayout(f"{shown.rstrip()}…", font)
    return layout


def _break(layout: QTextLayout, *, width: float, lines: int, height: float) -> int:
    """Break the text into lines; return where the last of them ends."""
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    ends = 0
    layout.beginLayout()
    for number in range(lines):
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(width)
        line.setPosition(QPointF(0, number * height))
        ends = line.textStart() + line.textLength()
    layout.endLayout()
    return ends


def _utf16(text: str) -> int:
    return len(text.encode("utf-16-le", errors="replace")) // 2
