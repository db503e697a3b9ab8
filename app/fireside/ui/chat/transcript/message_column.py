"""The virtualised column of messages: makes widgets only near the viewport, and sets their geometry.

Messages are held as values. Heights are estimates until a message has been laid out. Scrolling is anchored to
the line at the upper edge of the visible part, so nothing jumps when an estimate becomes a real height, and
what is read stays where it is when the text has another width or size.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject, QPoint, QRect, Qt, Signal, Slot
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QToolButton, QWidget

from fireside.core.chat import StoredMessage
from fireside.core.i18n import tr
from fireside.core.ids import MessageId
from fireside.ui.chat.answer.answer import AnswerView
from fireside.ui.chat.answer.formulas import Formulas
from fireside.ui.chat.answer.highlight import Lexers
from fireside.ui.chat.answer.message import PADDING, MessageView, is_within
from fireside.ui.chat.answer.message_item import Entry, attach_sources, make_entry
from fireside.ui.chat.answer.question import QuestionView
from fireside.ui.chat.answer.text_view import TextView, TextWidget
from fireside.ui.chat.answer.transcript_style import TranscriptStyle
from fireside.ui.chat.style import column_width
from fireside.ui.chat.transcript.context_boundary import ContextBoundary
from fireside.ui.chat.transcript.scroll_positions import LinePlace, ScrollPosition
from fireside.ui.chat.transcript.view_cache import ViewCache
from fireside.ui.kit.layout import destroy
from fireside.ui.theme import theme

if TYPE_CHECKING:
    from fireside.ui.chat.transcript.transcript import Transcript


_OVERSCAN = 600
"""Pixels above and below the visible part that are laid out as well."""
_TOP = 18
_BOTTOM = 10
_LAYOUT_ROUNDS = 8
_AT_BOTTOM = 4
_JUMP_FROM = 120
_NEAR = 60
"""Least distance in pixels from the edges of what was scrolled to."""
_ESTIMATED_CHARS = 64_000
_JUMP_SIZE = 34
_JUMP_MARGIN = 10


class MessageColumn(QObject):
    """Lays out the messages of one scroll area; keeps the scroll position, or follows the end."""

    arranged = Signal()
    """Messages were moved, or others have widgets."""
    entry_changed = Signal(int)
    """The message at this index changed its text or state."""
    blocks_changed = Signal(int)
    """The message at this index has other text widgets than before."""

    def __init__(self, area: QAbstractScrollArea, *, handler: Transcript, clock: Callable[[], float]) -> None:
        """``handler`` handles clicks in messages; ``clock`` returns seconds."""
        super().__init__(area)
        self._area = area
        self._bar = area.verticalScrollBar()
        self._handler = handler
        self._clock = clock
        self._formulas = Formulas(self)
        self._formulas.drawn.connect(self._on_formulas_drawn)
        self.transcript_style = TranscriptStyle(Lexers(), self._formulas)
        self.entries: list[Entry] = []
        self.live: dict[int, MessageView] = {}
        """The messages that have a widget, by index."""
        self._index: dict[MessageId, int] = {}
        self._cache = ViewCache()
        self._heights = Heights()
        self._anchor: tuple[int, float] = (0, 0.0)
        """Index of the message at the upper edge, and how far that is below its top, in pixels."""
        self._line: ReadingLine | None = None
        """The line at the upper edge, by which the anchor is set whenever the message is laid out."""
        self._follow = True
        self._arranging = False
        self._layout_width = -1
        self._reserved: dict[QWidget, int] = {}
        self.boundary = ContextBoundary(
            parent=area.viewport(),
            index_of=self.index_of,
            style=lambda: self.transcript_style,
            on_changed=self._on_boundary_changed,
        )
        self._jump = JumpButton(area)
        self._jump.clicked.connect(self.jump_to_latest)
        self._bar.valueChanged.connect(self._on_scrolled)
        theme().about_to_change.connect(self._clear_cache)
        theme().changed.connect(self._on_theme_changed)

    # Messages

    def index_of(self, message_id: MessageId) -> int | None:
        """Return the index of a message in the branch that is shown; ``None`` where it is in another."""
        return self._index.get(message_id)

    def replace_from(
        self, first: int, messages: Sequence[StoredMessage]
    ) -> tuple[Sequence[Entry], Sequence[Entry]]:
        """Replace the messages from index ``first`` on, without layout.

        Return the entries that were removed, with their unsaved edits, and those that were added.
        """
        for index in [index for index in self.live if index >= first]:
            self._cache.store(self.entries[index], self._detach(index))
        removed = self.entries[first:]
        added = [self._cache.entry_of(message) or make_entry(message) for message in messages]
        self.entries[first:] = added
        attach_sources(self.entries)
        self._index = {entry.message.id: index for index, entry in enumerate(self.entries)}
        self._heights.truncate(first)
        width = self._frame_width()
        for entry in added:
            self._heights.append(self._estimated(entry, width=width))
        if self._anchor[0] >= len(self.entries):
            self._set_anchor((max(0, len(self.entries) - 1), 0.0))
        return removed, added

    def append(self, message: StoredMessage) -> None:
        """Add a message at the end; a question scrolls into view."""
        entry = make_entry(message)
        entry.is_last = True
        if self.entries:
            self.entries[-1].is_last = False
            if (view := self.live.get(len(self.entries) - 1)) is not None:
                view.refresh()
        self._index[message.id] = len(self.entries)
        self.entries.append(entry)
        attach_sources(self.entries)
        self._heights.append(self._estimated(entry))
        self.entry_changed.emit(len(self.entries) - 1)
        self._follow = self._follow or entry.is_user
        self.arrange()

    def refresh(self, index: int) -> None:
        """Show a changed entry, and lay out again if its height changed."""
        self.entry_changed.emit(index)
        view = self.live.get(index)
        if view is None:
            self._heights.set(index, self._estimated(self.entries[index]))
            self.arrange()
            return
        view.refresh()
        height = self._measured(index)
        if height != self._heights[index]:
            self._heights.set(index, height)
            self.arrange()
        else:
            self.arranged.emit()

    def view_of(self, index: int) -> MessageView:
        """Return the widget of a message; one outside the viewport lives until the next scroll."""
        if self._make(index):
            view = self.live[index]
            view.finish_layout()
            view.height_for(self._frame_width())
            view.move(0, -100_000)
        return self.live[index]

    def focused_index(self) -> int | None:
        """Return the index of the message that has the focus, itself or one of its controls."""
        focus = QApplication.focusWidget()
        return next((index for index, view in self.live.items() if is_within(focus, view)), None)

    def update_tab_order(self) -> None:
        """Set the tab order of all messages' controls from top to bottom."""
        stops = [
            stop
            for index in sorted(self.live)
            for stop in (*self.boundary.tab_stops_above(index), *self.live[index].tab_stops)
        ]
        for before, after in zip([self._area, *stops], stops, strict=False):
            QWidget.setTabOrder(before, after)

    # Scrolling

    @property
    def scroll_position(self) -> ScrollPosition | None:
        """The scroll position; ``None`` while it follows the end."""
        if self._follow:
            return None
        index, below = self._anchor
        view = self.live.get(index)
        line = self._line.place_in(view) if self._line is not None and view is not None else None
        return ScrollPosition(index=index, below=below, line=line)

    def scroll_to(self, position: ScrollPosition | None) -> None:
        """Scroll to a position; ``None`` scrolls to the end and follows it while an answer streams."""
        self._follow = position is None
        if position is not None:
            line = None if position.line is None else ReadingLine(position.line)
            self._set_anchor((position.index, position.below), line)
        self.arrange()

    def jump_to_latest(self) -> None:
        """Scroll to the end and follow it while an answer streams."""
        self.scroll_to(None)

    def anchor_view(self) -> None:
        """Anchor the view where it is: a height is about to change, and the page must not move."""
        self._follow = False
        self._set_anchor(self._anchor_at(self._bar.value()))
        self._find_line()

    def show_message(self, index: int) -> None:
        """Scroll until message ``index`` is visible."""
        top = _TOP + self._heights.offset(index)
        bar = self._bar
        if bar.value() > top or top + self._heights[index] > bar.value() + bar.pageStep():
            self.scroll_to(ScrollPosition(index=index, below=-12.0))

    def scroll_to_y(self, index: int, y: int, *, centred: bool = False) -> None:
        """Scroll until ``y`` pixels below the top of message ``index`` is visible, or in the middle."""
        bar = self._bar
        y += self._above(index)
        at = _TOP + self._heights.offset(index) + y
        if centred or not bar.value() + _NEAR <= at <= bar.value() + bar.pageStep() - _NEAR:
            self.scroll_to(ScrollPosition(index=index, below=y - bar.pageStep() / (2 if centred else 3)))

    def near_texts(self, view: MessageView, texts: Sequence[TextWidget]) -> range:
        """Return the indexes of those ``texts`` of a message that are near the visible part."""

        def top_of(text: TextWidget) -> int:
            return text.mapTo(view, QPoint(0, 0)).y() + view.y()

        first = bisect_right(texts, -_OVERSCAN, key=top_of) - 1
        return range(max(0, first), bisect_right(texts, self._bar.pageStep() + _OVERSCAN, key=top_of))

    def index_at(self, y: int) -> int:
        """Return the message at ``y`` of the viewport."""
        return self._heights.index_at(y + self._bar.value() - _TOP)

    def _on_scrolled(self, value: int) -> None:
        if self._arranging or not self.entries:
            return
        self._follow = value >= self._bar.maximum() - _AT_BOTTOM
        self._set_anchor(self._anchor_at(value))
        self.arrange()

    # Geometry

    def reserve_top(self, owner: QWidget, height: int) -> None:
        """Reserve ``height`` pixels above the page for ``owner``, in addition to those of others."""
        self._reserved[owner] = height
        top = sum(self._reserved.values())
        if self._area.viewportMargins().top() != top:
            self._area.setViewportMargins(0, top, 0, 0)

    def resize(self) -> None:
        """Lay out for the area's new size, with the line at the upper edge where it is."""
        if self.entries and self._frame_width() != self._layout_width:
            width = self._layout_width = self._frame_width()
            self._heights = Heights(self._estimated(entry, width=width) for entry in self.entries)
        self.arrange()

    def arrange(self) -> None:
        """Make, measure and move the widgets around the visible part; delete those far from it."""
        if self._arranging or not self.entries:
            self._jump.setVisible(False)
            return
        self._arranging = True
        try:
            first, last = self._layout()
            far = [index for index in self.live if not first <= index < last]
            destroy(*(self._detach(index) for index in far))
            self._find_line()
            self._set_geometries()
        finally:
            self._arranging = False

    def _frame_width(self) -> int:
        return column_width(available=self._area.width()) + 2 * PADDING

    def _estimated(self, entry: Entry, *, width: int = 0) -> float:
        text = entry.text[: min(entry.n_shown, _ESTIMATED_CHARS)]
        return estimated_height(text, width=width or self._frame_width())

    def _layout(self) -> tuple[int, int]:
        """Lay out until no height changes, as estimates become real; return the range that has widgets."""
        bar, height = self._bar, self._area.viewport().height()
        any_made = False
        for _ in range(_LAYOUT_ROUNDS):
            total = _TOP + self._heights.total() + _BOTTOM
            bar.setRange(0, max(0, round(total - height)))
            bar.setPageStep(height)
            if self._follow:
                bar.setValue(bar.maximum())
                self._set_anchor(self._anchor_at(bar.value()))
            else:
                bar.setValue(round(_TOP + self._heights.offset(self._anchor[0]) + self._anchor[1]))
            y = bar.value() - _TOP
            first = self._heights.index_at(y - _OVERSCAN)
            last = self._heights.index_at(y + height + _OVERSCAN) + 1
            changed = False
            for index in range(first, last):
                any_made = self._make(index) or any_made
                measured = self._measured(index)
                if measured != self._heights[index]:
                    self._heights.set(index, measured)
                    changed = True
            if not (self._follow_line() or changed):
                break
        if any_made:
            self.update_tab_order()
        return first, last

    def _set_geometries(self) -> None:
        width = self._frame_width()
        x = (self._area.width() - width) // 2  # of the whole pane: nothing moves when the scroll bar appears
        top = _TOP - self._bar.value()
        for index, view in self.live.items():
            above = self._above(index)
            y = round(top + self._heights.offset(index)) + above
            view.setGeometry(x, y, width, round(self._heights[index]) - above)
            view.show_edges(top=-y, bottom=self._area.viewport().height() - y)
            view.set_position(index + 1, n_all=len(self.entries))
        self.boundary.set_geometry(self.live, width=width)
        self.arranged.emit()
        self._jump.setVisible(self._bar.maximum() - self._bar.value() > _JUMP_FROM)
        self._jump.place(self._area.viewport().geometry())

    def _measured(self, index: int) -> int:
        """Lay out a message and return its height, with the context boundary line if that is above it."""
        return self.live[index].height_for(self._frame_width()) + self._above(index)

    def _above(self, index: int) -> int:
        """Return the height of the context boundary line, if that is above a message."""
        return self.boundary.height_above(index, self._frame_width())

    def _anchor_at(self, value: int) -> tuple[int, float]:
        index = self._heights.index_at(value - _TOP)
        return index, value - _TOP - self._heights.offset(index)

    def _set_anchor(self, anchor: tuple[int, float], line: ReadingLine | None = None) -> None:
        self._anchor, self._line = anchor, line

    def _find_line(self) -> None:
        """Find the line at the anchor, unless it is known."""
        index, below = self._anchor
        if self._line is None and not self._follow and (view := self.live.get(index)) is not None:
            self._line = line_at(view, below - self._above(index))

    def _follow_line(self) -> bool:
        """Set the anchor to where its line is now; return whether it was elsewhere."""
        index, below = self._anchor
        view = self.live.get(index)
        if self._line is None or self._follow or view is None:
            return False
        edge = self._line.edge_in(view)
        if edge is None:
            if view.is_laid_out:
                self._line = None
            return False
        self._anchor = (index, edge + self._above(index))
        return self._anchor[1] != below

    def _on_height_changed(self, entry: Entry) -> None:
        index = self._index.get(entry.message.id)
        if index is not None and index in self.live:
            self._heights.set(index, self._measured(index))
            self.arrange()

    # Widgets

    def _make(self, index: int) -> bool:
        if index in self.live:
            return False
        self.live[index] = self._new_view(index)
        self.live[index].show()
        return True

    def _new_view(self, index: int) -> MessageView:
        entry = self.entries[index]
        if (cached := self._cache.pop(entry)) is not None:
            cached.refresh()  # its branches or its pin may have changed
            cached.update_formulas()
            return cached
        parent, handler = self._area.viewport(), self._handler
        if entry.is_user:
            view: MessageView = QuestionView(self.transcript_style, entry, parent, handler=handler)
        else:
            answer = AnswerView(self.transcript_style, entry, parent, handler=handler, clock=self._clock)
            answer.refolded.connect(lambda: self._on_refolded(entry))
            answer.unfolding.connect(self.anchor_view)
            view = answer
        view.height_changed.connect(lambda: self._on_height_changed(entry))
        view.controls_changed.connect(self.update_tab_order)
        return view

    def _on_refolded(self, entry: Entry) -> None:
        """Report other text widgets: reasoning or a tool card was opened or closed."""
        if (index := self._index.get(entry.message.id)) is not None:
            self.blocks_changed.emit(index)
            self.arranged.emit()
        self.update_tab_order()

    def _detach(self, index: int) -> MessageView:
        """Remove a message's widget from the page and return it; its unsaved edit is stored in the entry."""
        view = self.live.pop(index)
        view.store_edit_draft()
        if is_within(QApplication.focusWidget(), view):
            self._area.setFocus()
        return view

    # Style

    def _on_boundary_changed(self) -> None:
        self.update_tab_order()
        self.arrange()

    def _on_formulas_drawn(self) -> None:
        for index, view in list(self.live.items()):
            if view.update_formulas():
                self.blocks_changed.emit(index)
                self._on_height_changed(self.entries[index])

    @Slot()
    def _clear_cache(self) -> None:
        # A slot, so that the connection ends with this object: the theme outlives it.
        self._cache.clear()

    def _on_theme_changed(self) -> None:
        old = self.transcript_style
        self.transcript_style = TranscriptStyle(old.lexers, self._formulas, wrapped=old.wrapped)
        self._jump.restyle()
        self._cache.clear()
        for view in self.live.values():
            view.restyle(self.transcript_style)
        self.boundary.restyle()
        self.resize()


class JumpButton(QToolButton):
    """Scrolls to the end of the conversation; shown by the column while that is out of sight."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("jumpToLatest")
        self.setAccessibleName(tr("Jump to latest"))
        self.setToolTip(tr("Jump to latest"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.restyle()
        self.hide()

    def restyle(self) -> None:
        """The theme changed."""
        theme().set_icon(self, "arrow-down", "text2")
        self.setFixedSize(theme().scaled_up(_JUMP_SIZE), theme().scaled_up(_JUMP_SIZE))

    def place(self, area: QRect) -> None:
        """Move to the lower right corner of ``area``, where lines end, on top of everything."""
        corner = area.bottomRight()
        self.move(corner.x() - self.width() - _JUMP_MARGIN, corner.y() - self.height() - _JUMP_MARGIN)
        self.raise_()


# Heights and offsets of the messages of a conversation, estimated until measured. Pure: no Qt


_LINE = 22.0
_CHAR = 7.2
_FRAME = 76.0


def estimated_height(text: str, *, width: int) -> float:
    """Return an estimate of a message's height in pixels, from its text."""
    return _FRAME + _LINE * (len(text) / max(30.0, width / _CHAR) + text.count("\n") * 0.6)


class Heights:
    """Heights in pixels and their running sum, kept valid up to the first one that changed."""

    def __init__(self, heights: Iterable[float] = ()) -> None:
        self._heights = list(heights)
        self._offsets = [0.0]

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, index: int) -> float:
        return self._heights[index]

    def set(self, index: int, height: float) -> None:
        """Set the height of one message in pixels."""
        self._heights[index] = height
        del self._offsets[index + 1 :]

    def truncate(self, length: int) -> None:
        """Remove all but the first ``length`` messages."""
        del self._heights[length:]
        del self._offsets[length + 1 :]

    def append(self, height: float) -> None:
        """Add a message at the end."""
        self._heights.append(height)

    def offset(self, index: int) -> float:
        """Return the distance of message ``index`` from the top of the conversation."""
        self._sum_up_to(index)
        return self._offsets[index]

    def total(self) -> float:
        """Return the height of the whole conversation."""
        return self.offset(len(self._heights))

    def index_at(self, y: float) -> int:
        """Return the message at ``y``; the first or the last where ``y`` is outside."""
        self._sum_up_to(len(self._heights))
        return max(0, min(len(self._heights) - 1, bisect_right(self._offsets, y) - 1))

    def _sum_up_to(self, index: int) -> None:
        offsets: list[float] = self._offsets
        heights: Sequence[float] = self._heights
        for k in range(len(offsets) - 1, index):
            offsets.append(offsets[-1] + heights[k])


# The line at the upper edge of the visible part, by its place in the text, which no width changes


_STEP = 48
"""Pixels between the points of a row where a line is looked for: each cell of a table has its own."""


class ReadingLine:
    """A line of a message. The text may be laid out anew or grow, and a restored one may still be missing."""

    def __init__(self, place: LinePlace, *, text: TextWidget | None = None) -> None:
        """Without ``text``, the line is in the text ``place.part``, once there is one."""
        self._place = place
        self._text = text

    def place_in(self, view: MessageView) -> LinePlace:
        """Return its place in the texts that the message has now."""
        parts = (part for part, text in enumerate(view.text_views) if text is self._text)
        return replace(self._place, part=next(parts, self._place.part))

    def edge_in(self, view: MessageView) -> float | None:
        """Return how far the edge is below the top of ``view``, in pixels; ``None`` if the line is gone."""
        texts = view.text_views
        if self._text is None and self._place.part < len(texts):
            self._text = texts[self._place.part]
        text = self._text
        if text is None or not any(text is each for each in texts) or not text.isVisibleTo(view):
            return None
        return _top_in(view, text) + _line_top(text, self._place) + self._place.below


def line_at(view: MessageView, y: float) -> ReadingLine | None:
    """Return the line at ``y`` of a message, or the nearest one; ``None`` if no text begins above that."""
    texts = view.text_views
    part = bisect_right(texts, y, key=lambda text: _top_in(view, text)) - 1
    if part < 0 or not texts[part].isVisibleTo(view):
        return None
    text = texts[part]
    inside = y - _top_in(view, text)
    place = LinePlace(part=part, below=inside)
    if isinstance(text, TextView):  # what scrolls by itself is as a whole at the edge
        cursor = _line_start(text, inside)
        place = LinePlace(
            part=part,
            paragraph=cursor.blockNumber(),
            character=cursor.positionInBlock(),
            below=inside - text.cursorRect(cursor).top(),
        )
    return ReadingLine(place, text=text)


def _top_in(view: MessageView, text: TextWidget) -> int:
    return text.mapTo(view, QPoint(0, 0)).y()


def _line_start(text: TextView, y: float) -> QTextCursor:
    """Return a cursor at the beginning of the line at ``y``, or of one beside it."""
    first: QTextCursor | None = None
    for x in range(0, max(1, text.width()), _STEP):
        cursor = text.cursorForPosition(QPoint(x, min(round(y), text.height() - 1)))
        block = cursor.block()
        line = block.layout().lineForTextPosition(cursor.positionInBlock())
        cursor.setPosition(block.position() + max(0, line.textStart()))
        box = text.cursorRect(cursor)
        if box.top() <= y < box.bottom():
            return cursor
        first = first or cursor
    assert first is not None, "a text has a row"
    return first


def _line_top(text: TextWidget, place: LinePlace) -> int:
    if not isinstance(text, TextView):
        return 0
    block = text.document().findBlockByNumber(place.paragraph)
    if not block.isValid():
        block = text.document().lastBlock()
    cursor = QTextCursor(block)
    cursor.setPosition(block.position() + min(place.character, block.length() - 1))
    return text.cursorRect(cursor).top()
