"""The search pane: filters and results, shown in place of the list of chats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

import msgspec
from PySide6.QtCore import QModelIndex, QObject, QPointF, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QFont,
    QFontMetrics,
    QResizeEvent,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QGridLayout, QStyleOptionViewItem, QWidget

from fireside.core.chat import Folder
from fireside.core.errors import ErrorInfo
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import ConversationId, FolderId, MessageId, ModelId
from fireside.core.message import Role
from fireside.core.search import ConversationMatch, Mark, SearchHit, SearchQuery, SearchResult
from fireside.ui.kit.layout import column, row, stretch
from fireside.ui.kit.list_model import ITEM_ROLE, Index, ListModel
from fireside.ui.kit.result_list import ResultList
from fireside.ui.kit.row_painter import RowDelegate, RowPainter
from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XS, theme
from fireside.ui.time_text import format_relative_time
from fireside.ui.utf16 import utf16_length
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.combo_box import ComboBox
from fireside.ui.widgets.page_scroll import SCROLL_BAR_PX
from fireside.ui.widgets.text import ElidedLabel, WrappedLabel, escape_mnemonic, one_line

# The list of search results, with the matched words highlighted.


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


class SearchPane(QWidget):
    """Emits queries and shows results; ``SearchController`` runs the queries."""

    query_changed = Signal(object)
    """Carries a ``SearchQuery`` after each change of text or filters."""

    def __init__(self, *, now: Callable[[], datetime]) -> None:
        super().__init__()
        self._text = ""
        self._is_answered = True
        self._opens_first = False
        self.model = SearchResultModel(self)
        self.list = ChatResultsList(model=self.model, now=now)
        self.filters = Filters(now=now)
        self.count = ElidedLabel(role="small")
        self.filter_button = IconButton("list-filter", name=tr("Filters"), size=16)
        self.filter_button.setCheckable(True)
        self.clear_button = Button(tr("Clear filters"), kind="link")
        self.note = WrappedLabel(role="mute")
        self._build()
        self._connect()
        self._on_filters_changed()

    def _build(self) -> None:
        head = row(
            stretch(self.count),
            self.clear_button,
            self.filter_button,
            spacing=SPACE_XS,
            margins=(SPACE_S + 4, 0, 0, 0),
        )
        top = column(head, self.filters, spacing=SPACE_XS, margins=(0, SPACE_XS, SCROLL_BAR_PX, SPACE_XS))
        self.note.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        self.note.setContentsMargins(SPACE_M, SPACE_M * 2, SPACE_M + SCROLL_BAR_PX, 0)
        column(top, stretch(self.note), stretch(self.list), spacing=0, on=self)
        self.filters.hide()
        self.note.hide()

    def _connect(self) -> None:
        self.filter_button.toggled.connect(self.filters.setVisible)
        self.filters.changed.connect(self._on_filters_changed)
        self.clear_button.clicked.connect(self.filters.clear)

    def open_first(self) -> None:
        """Open the best result, once there is one for the current text."""
        if self._is_answered:
            self.list.open_first()
        else:
            self._opens_first = True

    @property
    def query(self) -> SearchQuery:
        """The current query."""
        return self.filters.query_for(self._text)

    @property
    def is_searching(self) -> bool:
        """Whether the query has a text."""
        return bool(self._text.strip())

    def set_text(self, text: str) -> None:
        """Search for ``text``; the last results stay until the new ones arrive."""
        self._text = text
        self._opens_first = False
        if self.is_searching:
            self._request()
        else:
            self.model.set_active(None)
            self.model.show_result(SearchResult())

    def show_result(self, result: SearchResult) -> None:
        """Show the results."""
        self.model.show_result(result)
        self._show_note("" if result.matches else self._no_results_text(result))
        before = self.count.text()
        self.count.set_full_text(hit_count_text(result))
        if self.count.text() != before:
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.count.text()))
        self._is_answered = True
        if self._opens_first:
            self._opens_first = False
            self.list.open_first()

    def show_error(self, error: ErrorInfo) -> None:
        """Show why the search failed."""
        self.model.show_result(SearchResult())
        self.count.set_full_text("")
        self._show_note(error.sentence)

    def _show_note(self, text: str) -> None:
        self.note.show_text(text)
        self.list.setVisible(not text)

    def _no_results_text(self, result: SearchResult) -> str:
        if result.n_not_indexed:
            return tr("No results yet; still searching older chats")
        if self.filters.n_active:
            return tr("No results with these filters")
        return tr("No matching chats")

    @Slot()
    def _on_filters_changed(self) -> None:
        n_active = self.filters.n_active
        self.clear_button.setVisible(n_active > 0)
        self.filter_button.set_icon("list-filter", tint="accent" if n_active else "mute")
        self.filter_button.set_name(
            tr("Filters, %n active|Filters, %n active", "", n_active) if n_active else tr("Filters")
        )
        if self.is_searching:
            self._request()

    def _request(self) -> None:
        self._is_answered = False
        self.query_changed.emit(self.query)


def hit_count_text(result: SearchResult) -> str:
    """Return the number of results: “3 messages in 2 chats”, “More than 1,000 messages”."""
    n_chats = len(result.matches)
    if not n_chats:
        return ""
    if not result.n_hits:
        count = tr("%n chat|%n chats", "", n_chats)
    elif result.is_truncated:
        count = tr("Best matches of %n message|Best matches of %n messages", "", result.n_hits)
    else:
        count = tr("%n message in {chats}|%n messages in {chats}", "", result.n_hits).format(
            chats=tr("%n chat|%n chats", "in so many of them", n_chats)
        )
    return tr("{found} · still searching").format(found=count) if result.n_not_indexed else count


# The filters of a search


class Age(StrEnum):
    """The age of a message."""

    ANY = "any"
    TODAY = "today"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"
    OLDER = "older"


_ROLES: Final = (
    (None, tr_noop("Anyone")),
    (Role.USER, tr_noop("You")),
    (Role.ASSISTANT, tr_noop("The model")),
)
_AGES: Final = (
    (Age.ANY, tr_noop("Any time")),
    (Age.TODAY, tr_noop("Today")),
    (Age.WEEK, tr_noop("7 days")),
    (Age.MONTH, tr_noop("30 days")),
    (Age.YEAR, tr_noop("12 months")),
    (Age.OLDER, tr_noop("Older")),
)
_DAYS: Final = {Age.TODAY: 0, Age.WEEK: 7, Age.MONTH: 30, Age.YEAR: 365, Age.OLDER: 365}
_ARCHIVED: Final = (
    (None, tr_noop("Include archived")),
    (False, tr_noop("Without archived")),
    (True, tr_noop("Archived only")),
)
_ALL_MODELS: Final = tr_noop("Any model")
_ALL_FOLDERS: Final = tr_noop("Any folder")


class Filters(QWidget):
    """Five combo boxes; the first entry of each does not filter."""

    changed = Signal()

    def __init__(self, *, now: Callable[[], datetime]) -> None:
        super().__init__()
        self._now = now
        self.role = ComboBox(name=tr("Author"))
        self.age = ComboBox(name=tr("Date"))
        self.model = ComboBox(name=tr("Model"))
        self.folder = ComboBox(name=tr("Folder"))
        self.archived = ComboBox(name=tr("Archive"))
        for select, choices in ((self.role, _ROLES), (self.age, _AGES), (self.archived, _ARCHIVED)):
            for value, label in choices:
                select.addItem(tr(label), value)
        self.model.addItem(tr(_ALL_MODELS), None)
        self.folder.addItem(tr(_ALL_FOLDERS), None)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(SPACE_XS)
        cells = ((self.role, 0, 0), (self.age, 0, 1), (self.model, 1, 0), (self.folder, 1, 1))
        for select, at_row, at_column in cells:
            grid.addWidget(select, at_row, at_column)
        grid.addWidget(self.archived, 2, 0, 1, 2)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        for select in self._all:
            select.setProperty("kind", "small")
            select.setMinimumWidth(0)
            select.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            select.setMinimumContentsLength(4)
            select.currentIndexChanged.connect(self.changed)

    @property
    def _all(self) -> tuple[ComboBox, ...]:
        return (self.role, self.age, self.model, self.folder, self.archived)

    @property
    def n_active(self) -> int:
        """The number of active filters."""
        return sum(select.currentIndex() > 0 for select in self._all)

    def query_for(self, text: str) -> SearchQuery:
        """Return a query for ``text`` with these filters."""
        since, before = self._span()
        return SearchQuery(
            text=text,
            role=self.role.currentData(),
            model_id=self.model.currentData(),
            folder_id=self.folder.currentData(),
            archived=self.archived.currentData(),
            since=since,
            before=before,
        )

    def set_models(self, models: Sequence[tuple[ModelId, str]]) -> None:
        """Offer ``models``, each with its name; keep the selection if it is among them."""
        _refill(self.model, models)

    def set_folders(self, folders: Sequence[Folder]) -> None:
        """Offer ``folders``; keep the selection if it is among them."""
        _refill(self.folder, [(folder.id, folder.name) for folder in folders])

    @Slot()
    def clear(self) -> None:
        """Remove all filters."""
        if self.n_active:
            for select in self._all:
                select.blockSignals(True)
                select.setCurrentIndex(0)
                select.blockSignals(False)
            self.changed.emit()

    def _span(self) -> tuple[float | None, float | None]:
        age = Age(self.age.currentData())
        if age is Age.ANY:
            return None, None
        now = self._now()
        midnight = datetime.combine(now.date(), datetime.min.time(), tzinfo=now.tzinfo)
        limit = (midnight - timedelta(days=_DAYS[age])).timestamp()
        return (None, limit) if age is Age.OLDER else (limit, None)


def _refill(select: ComboBox, choices: Sequence[tuple[ModelId | FolderId, str]]) -> None:
    """Replace the choices below the first; emit a change only if the selected one is missing."""
    selected = select.currentData()
    select.blockSignals(True)
    while select.count() > 1:
        select.removeItem(1)
    for value, name in choices:
        select.addItem(escape_mnemonic(name), value)
    index = select.findData(selected) if selected is not None else 0
    select.setCurrentIndex(index if index >= 0 else select.currentIndex())
    select.blockSignals(False)
    if index < 0:
        select.setCurrentIndex(0)
        select.currentIndexChanged.emit(0)
