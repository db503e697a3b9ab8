"""The list of search results, with the matched words highlighted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

import msgspec
from PySide6.QtCore import QModelIndex, QObject, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import ConversationId, MessageId
from fireside.core.message import Role
from fireside.core.search import ConversationMatch, Mark, SearchHit, SearchResult
from fireside.ui.kit.list_model import ITEM_ROLE, Index, ListModel
from fireside.ui.kit.result_list import ResultList
from fireside.ui.kit.row_painter import RowDelegate, RowPainter
from fireside.ui.theme import theme
from fireside.ui.time_text import format_relative_time
from fireside.ui.utf16 import utf16_length
from fireside.ui.widgets.page_scroll import SCROLL_BAR_PX
from fireside.ui.widgets.text import one_line


class ChatRow(msgspec.Struct, frozen=True):
    """A chat with results."""

    match: ConversationMatch


class HitRow(msgspec.Struct, frozen=True):
    """A message that matches."""

    conversation_id: ConversationId
    hit: SearchHit


class MoreRow(msgspec.Struct, frozen=True):
    """The number of further matching messages of a chat."""

    n: int


ResultRow = ChatRow | HitRow | MoreRow


class SearchResultModel(ListModel[ResultRow]):
    """The rows of the last result, best first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(row_text, parent=parent)
        self.active: MessageId | None = None
        """The message that was opened last."""

    def show_result(self, result: SearchResult) -> None:
        """Show another result; an equal one changes nothing."""
        self.replace(tuple(row for match in result.matches for row in _rows_of(match)))

    def set_active(self, message_id: MessageId | None) -> None:
        """Mark the message that was opened last."""
        self.active = message_id
        self.refresh()

    def is_active(self, row: ResultRow) -> bool:
        """Whether a row is the message that was opened last."""
        return isinstance(row, HitRow) and row.hit.message_id == self.active

    def flags(self, index: Index) -> Qt.ItemFlag:
        if isinstance(self.item(index), ChatRow | HitRow):
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.NoItemFlags


def row_text(row: ResultRow) -> str:
    """Return the text of a row in one line."""
    match row:
        case ChatRow(match=match):
            title = one_line(match.summary.title)
            if not match.n_hits:
                return title
            template = tr("{title}, found in %n message|{title}, found in %n messages", "", match.n_hits)
            return template.format(title=title)
        case HitRow(hit=hit):
            author = tr("You") if hit.role is Role.USER else tr("Answer")
            return f"{author}: {hit.snippet.text}"
        case MoreRow(n=n):
            return tr("and %n more message|and %n more messages", "", n)


def _rows_of(match: ConversationMatch) -> tuple[ResultRow, ...]:
    hits = tuple(HitRow(match.summary.id, hit) for hit in match.hits)
    n_more = match.n_hits - len(hits)
    return (ChatRow(match), *hits, *((MoreRow(n_more),) if n_more > 0 else ()))


_CHAT: Final = 38
_MORE: Final = 24
_LINE: Final = 18.5
_MAX_LINES: Final = 2
_PAD: Final = 5
_LEFT: Final = 10
_INDENT: Final = 20
_ICON_PX: Final = 14
_YOU: Final = tr_noop("You: ")


class ChatResultDelegate(RowDelegate):
    """Paints result rows."""

    def __init__(self, model: SearchResultModel, *, now: Callable[[], datetime], view: QWidget) -> None:
        super().__init__(view=view)
        self._model = model
        self._now = now

    def row_height(self, index: Index) -> float:
        return _MORE if isinstance(index.data(ITEM_ROLE), MoreRow) else _CHAT

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        result_row = index.data(ITEM_ROLE)
        if isinstance(result_row, HitRow):
            return QSize(0, round(self._n_lines(result_row.hit) * theme().scaled(_LINE)) + 2 * _PAD)
        return super().sizeHint(option, index)

    def draw(self, row: RowPainter, box: QRect, option: QStyleOptionViewItem, index: Index) -> None:
        result_row = index.data(ITEM_ROLE)
        box.setRight(min(box.right(), self.view.width() - SCROLL_BAR_PX - 1))
        row.draw_background(box, option, is_marked=self._model.is_active(result_row), inset=(0.5, 1))
        match result_row:
            case ChatRow(match=chat):
                self._draw_chat(row, box.adjusted(_LEFT, 4, -9, 0), chat)
            case HitRow(hit=hit):
                self._draw_hit(row, QRectF(box).adjusted(_INDENT, _PAD, -9, -_PAD), hit)
            case MoreRow(n=n):
                label = tr("%n more message|%n more messages", "", n)
                row.draw_text(label, within=box.adjusted(_INDENT, 0, -9, 0), px=12, tint="dim")

    def _draw_chat(self, row: RowPainter, area: QRect, match: ConversationMatch) -> None:
        summary = match.summary
        icon = "archive" if summary.archived else "folder" if summary.folder_id is not None else ""
        if icon:
            area.setLeft(row.draw_icon(icon, at=area, tint="dim", px=_ICON_PX) + 6)
        time = format_relative_time(summary.updated_at, now=self._now())
        area.setRight(row.draw_text(time, within=area, px=12, tint="dim", at_right=True) - 8)
        font = theme().ui_font(14, QFont.Weight.DemiBold)
        height = QFontMetrics(font).height()
        top = area.center().y() - height / 2 + 1
        title_rect = QRectF(area.left(), top, area.width(), height + 2)
        self._draw_marked(
            row, title_rect, _clean(summary.title), font=font, marks=match.title_marks, lines=1, tint="text"
        )

    def _draw_hit(self, row: RowPainter, area: QRectF, hit: SearchHit) -> None:
        text, marks = _with_author(hit)
        font = theme().ui_font(12.5)
        n_muted = len(tr(_YOU)) if hit.role is Role.USER else 0
        self._draw_marked(
            row, area, text, font=font, marks=marks, lines=_MAX_LINES, tint="text2", n_muted=n_muted
        )

    def _draw_marked(
        self,
        row: RowPainter,
        area: QRectF,
        text: str,
        *,
        font: QFont,
        marks: Sequence[Mark],
        lines: int,
        tint: str,
        n_muted: int = 0,
    ) -> None:
        """Draw text in at most ``lines`` lines; its first ``n_muted`` characters are muted."""
        layout = _elided_layout(text, font=font, width=area.width(), lines=lines)
        text = layout.text()
        layout.setFormats(
            [
                *([_format_range("", text[:n_muted], self._muted_format())] if n_muted else []),
                *(
                    _format_range(text[:start], text[start:end], self._match_format())
                    for start, end in marks
                    if end <= len(text)
                ),
            ]
        )
        _break_lines(layout, width=area.width(), lines=lines, height=theme().scaled(_LINE))
        row.painter.setPen(theme().colour(tint))
        layout.draw(row.painter, area.topLeft())

    def _muted_format(self) -> QTextCharFormat:
        text_format = QTextCharFormat()
        text_format.setForeground(theme().colour("dim"))
        return text_format

    def _match_format(self) -> QTextCharFormat:
        text_format = QTextCharFormat()
        text_format.setForeground(theme().colour("text"))
        text_format.setBackground(theme().colour("accent_soft"))
        text_format.setFontWeight(QFont.Weight.DemiBold)
        return text_format

    def _n_lines(self, hit: SearchHit) -> int:
        text, _ = _with_author(hit)
        width = self.view.width() - SCROLL_BAR_PX - 1 - _INDENT - 9
        metrics = QFontMetrics(theme().ui_font(12.5))
        return 1 if metrics.horizontalAdvance(text) < width * 0.96 else _MAX_LINES


def _format_range(before: str, text: str, text_format: QTextCharFormat) -> QTextLayout.FormatRange:
    """Return the range of ``text``, which follows ``before``."""
    format_range = QTextLayout.FormatRange()
    format_range.start, format_range.length = utf16_length(before), utf16_length(text)
    format_range.format = text_format
    return format_range


def _clean(title: str) -> str:
    return "".join(c if c.isprintable() else " " for c in title)


def _with_author(hit: SearchHit) -> tuple[str, tuple[Mark, ...]]:
    """Return the snippet with its author in front, and the highlights shifted accordingly."""
    if hit.role is not Role.USER:
        return hit.snippet.text, hit.snippet.marks
    prefix = tr(_YOU)
    n = len(prefix)
    return prefix + hit.snippet.text, tuple((first + n, last + n) for first, last in hit.snippet.marks)


def _elided_layout(text: str, *, font: QFont, width: float, lines: int) -> QTextLayout:
    """Return a layout of as much of ``text`` as fits into ``lines`` lines."""
    layout = QTextLayout(text, font)
    end = _break_lines(layout, width=width, lines=lines, height=0)
    if end < utf16_length(text):
        start = text.encode("utf-16-le")[: 2 * max(0, end - 2)].decode("utf-16-le", errors="ignore")
        layout = QTextLayout(f"{start.rstrip()}…", font)
    return layout


def _break_lines(layout: QTextLayout, *, width: float, lines: int, height: float) -> int:
    """Break the text into lines; return the position where the last one ends."""
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    end = 0
    layout.beginLayout()
    for number in range(lines):
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(width)
        line.setPosition(QPointF(0, number * height))
        end = line.textStart() + line.textLength()
    layout.endLayout()
    return end


class ChatResultsList(ResultList):
    """The list of results; a row opens its chat or message."""

    opened = Signal(object, object)
    """Carries a ``ConversationId``, and the ``MessageId`` to show or ``None``."""

    def __init__(
        self, *, model: SearchResultModel, now: Callable[[], datetime], parent: QWidget | None = None
    ) -> None:
        super().__init__(name=tr("Results"), model=model, parent=parent)
        self._results = model
        self.setItemDelegate(ChatResultDelegate(model, now=now, view=self))
        self.setSelectionMode(ResultList.SelectionMode.SingleSelection)
        self.picked.connect(self._open)
        model.modelReset.connect(self.scrollToTop)

    def open_first(self) -> None:
        """Open the first message, or the first chat where only its title matches."""
        rows = self._results.items
        if not rows:
            return
        at = 1 if len(rows) > 1 and isinstance(rows[1], HitRow) else 0
        self._open(self._results.index(at))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            # Snippets take one line or two.
            self.scheduleDelayedItemsLayout()

    def _open(self, index: QModelIndex) -> None:
        match self._results.item(index):
            case ChatRow(match=match):
                self.opened.emit(match.summary.id, None)
            case HitRow(conversation_id=conversation_id, hit=hit):
                self._results.set_active(hit.message_id)
                self.opened.emit(conversation_id, hit.message_id)
            case _:
                pass
