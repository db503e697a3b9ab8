"""A virtualised column of real widgets over messages held as values: where each lies, and which are made.

Only messages near the visible part have widgets. Heights are estimates until a message has been laid out; the
view is anchored to the first visible message, so nothing jumps when an estimate becomes a real height.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QWidget

from fireside.core.errors import NextStep
from fireside.core.ids import MessageId
from fireside.ui.chat.answer import AnswerView
from fireside.ui.chat.context_boundary import MemoryEdge
from fireside.ui.chat.conversation_find import Finding
from fireside.ui.chat.find_bar import FindBar
from fireside.ui.chat.formulas import Formulas
from fireside.ui.chat.found_text import MAX_QUERY, SearchedWords, count_in, shown_texts
from fireside.ui.chat.heights import Heights, estimated_height
from fireside.ui.chat.highlight import Lexers
from fireside.ui.chat.inline_notices import copy_to_clipboard
from fireside.ui.chat.jump import JumpButton
from fireside.ui.chat.links import OpenUrl
from fireside.ui.chat.message import PADDING, MessageView, QuestionView
from fireside.ui.chat.message_area import SteerableArea
from fireside.ui.chat.message_item import Entry
from fireside.ui.chat.style import column_width
from fireside.ui.chat.transcript_style import Look
from fireside.ui.chat.view_cache import KeptViews
from fireside.ui.theme import Theme

_OVERSCAN = 600
"""Pixels above and below the visible part that are laid out as well."""
_TOP = 18
_BOTTOM = 10
_SETTLE_ROUNDS = 8
_AT_BOTTOM = 4
_JUMP_FROM = 120
_NEAR = 60
"""Pixels from an edge that something gone to keeps at least."""
_ESTIMATED_CHARS = 64_000


class MessageColumn(SteerableArea):
    """Lays messages out, keeps the page where it is or at its end, and says what was clicked."""

    regenerate_requested = Signal(object)
    """``MessageId`` of the answer to give again."""
    step_requested = Signal(object)
    """``NextStep`` that a person chose on an error."""

    def __init__(
        self,
        *,
        theme: Theme,
        open_url: OpenUrl,
        clock: Callable[[], float] = time.monotonic,
        parent: QWidget | None = None,
    ) -> None:
        """``clock`` tells seconds; by it is measured how long a model thinks."""
        super().__init__(open_url=open_url, parent=parent)
        self._clock = clock
        self._theme = theme
        self._formulas = Formulas(self)
        self._formulas.drawn.connect(self._on_formulas_drawn)
        self._look = Look(theme, Lexers(), self._formulas)
        self._entries: list[Entry] = []
        self._index: dict[MessageId, int] = {}
        self._live: dict[int, MessageView] = {}
        self._kept = KeptViews()
        self._heights = Heights()
        self._anchor = (0, 0.0)
        self._follow = True
        self._arranging = False
        self._laid_width = -1
        self.memory = MemoryEdge(place=self.viewport(), index_of=self.index_of, look=lambda: self._look)
        self.memory.changed.connect(self._on_memory_changed)
        self.memory.stops_changed.connect(self._order_tabs)
        self._jump = JumpButton(theme, self)
        self._jump.clicked.connect(self.jump_to_latest)
        self._find_bar = FindBar(theme, self)
        self._find_bar.hide()
        self._find_bar.closed.connect(self.close_find)
        self.finding = Finding(self, self._find_bar, parent=self)
        self.selecting.below = self.finding.marks
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        theme.changed.connect(self._on_theme_changed)

    @property
    def entries(self) -> Sequence[Entry]:
        return self._entries

    @property
    def live(self) -> Mapping[int, MessageView]:
        return self._live

    @property
    def look(self) -> Look:
        return self._look

    @property
    def is_following(self) -> bool:
        """Whether new text scrolls the page."""
        return self._follow

    def index_of(self, message_id: MessageId) -> int | None:
        return self._index.get(message_id)

    def entry_changed(self, index: int) -> None:
        self._refresh(index)

    def order_tabs(self) -> None:
        self._order_tabs()

    def _refresh(self, index: int) -> None:
        """The entry changed: show it, and lay out again if that changed its height."""
        self.finding.entry_changed(index)
        view = self._live.get(index)
        if view is None:
            self._heights.set(index, self._estimated(self._entries[index]))
            self._arrange()
            return
        view.refresh()
        height = self._measured(index)
        if height != self._heights[index]:
            self._heights.set(index, height)
            self._arrange()
        elif self.selecting.selection is not None:
            self.selecting.mark(self._look)

    def announce(self, words: str) -> None:
        """Have a screen reader say ``words``."""
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))

    # Geometry

    def _frame_width(self) -> int:
        return column_width(self._theme, available=self.width()) + 2 * PADDING

    def _estimated(self, entry: Entry, *, width: int = 0) -> float:
        text = entry.text[: min(entry.n_shown, _ESTIMATED_CHARS)]
        return estimated_height(text, width=width or self._frame_width())

    def _estimate(self) -> None:
        width = self._frame_width()
        self._heights = Heights(self._estimated(entry, width=width) for entry in self._entries)

    def _arrange(self) -> None:
        """Make, measure and place the messages around the visible part; delete those far from it."""
        if self._arranging or not self._entries:
            self._jump.setVisible(False)
            return
        self._arranging = True
        try:
            first, last = self._settle()
            self._drop([index for index in self._live if not first <= index < last])
            self._place()
        finally:
            self._arranging = False

    def _settle(self) -> tuple[int, int]:
        """Lay out until no height changes any more; heights settle as estimates become real."""
        bar, height = self.verticalScrollBar(), self.viewport().height()
        made = False
        for _ in range(_SETTLE_ROUNDS):
            total = _TOP + self._heights.total() + _BOTTOM
            bar.setRange(0, max(0, round(total - height)))
            bar.setPageStep(height)
            if self._follow:
                bar.setValue(bar.maximum())
                self._anchor = self._anchor_at(bar.value())
            else:
                bar.setValue(round(_TOP + self._heights.offset(self._anchor[0]) + self._anchor[1]))
            y = bar.value() - _TOP
            first = self._heights.index_at(y - _OVERSCAN)
            last = self._heights.index_at(y + height + _OVERSCAN) + 1
            changed = False
            for index in range(first, last):
                made = self._make(index) or made
                measured = self._measured(index)
                if measured != self._heights[index]:
                    self._heights.set(index, measured)
                    changed = True
            if not changed:
                break
        if made:
            self._order_tabs()
        return first, last

    def _place(self) -> None:
        width = self._frame_width()
        x = (self.width() - width) // 2  # of the whole pane: nothing moves when the scroll bar appears
        top = _TOP - self.verticalScrollBar().value()
        for index, view in self._live.items():
            above = self.memory.above(index, width)
            y = round(top + self._heights.offset(index)) + above
            view.setGeometry(x, y, width, round(self._heights[index]) - above)
            view.set_position(index + 1, n_all=len(self._entries))
        self.memory.lay(self._live, width=width)
        self.selecting.mark(self._look)
        self._place_jump()

    def _measured(self, index: int) -> int:
        """Lay a message out and return its height, with the line above it where the model's memory ends."""
        width = self._frame_width()
        return self._live[index].height_for(width) + self.memory.above(index, width)

    def _on_memory_changed(self) -> None:
        if self._entries:
            self._arrange()

    def _place_jump(self) -> None:
        bar = self.verticalScrollBar()
        self._jump.setVisible(bar.maximum() - bar.value() > _JUMP_FROM)
        self._jump.place(self.viewport().geometry())

    def _anchor_at(self, value: int) -> tuple[int, float]:
        index = self._heights.index_at(value - _TOP)
        return index, value - _TOP - self._heights.offset(index)

    def _make(self, index: int) -> bool:
        if index in self._live:
            return False
        self._live[index] = self._new_view(index)
        self._live[index].show()
        return True

    def _new_view(self, index: int) -> MessageView:
        entry = self._entries[index]
        if (kept := self._kept.take(entry)) is not None:
            kept.refresh()  # its branches or its pin may be others
            kept.take_formulas()
            return kept
        if entry.is_user:
            view: MessageView = QuestionView(self._look, entry, self.viewport())
        else:
            answer = AnswerView(self._look, entry, self.viewport(), clock=self._clock)
            answer.refolded.connect(lambda: self._on_refolded(entry.message.id))
            answer.unfolding.connect(self._hold)
            answer.copy_requested.connect(lambda: copy_to_clipboard(entry.text))
            answer.again_requested.connect(lambda: self.regenerate_requested.emit(entry.message.id))
            answer.step_requested.connect(self._on_step_requested)
            view = answer
        view.height_changed.connect(lambda: self._on_height_changed(entry.message.id))
        self.wire(view, entry)
        return view

    def _hold(self) -> None:
        """What comes next changes a height that a person looks at: keep its top in place."""
        self._follow, self._anchor = False, self._anchor_at(self.verticalScrollBar().value())

    def _on_refolded(self, message_id: MessageId) -> None:
        """The reasoning was opened or closed: what was selected there no longer lies where it did."""
        if (index := self._index.get(message_id)) is not None:
            self.selecting.leave(index)
            self.selecting.mark(self._look)
        self._order_tabs()

    def _on_step_requested(self, step: NextStep) -> None:
        self.step_requested.emit(step)

    def view_of(self, index: int) -> MessageView:
        """The widget of a message; one that is not on the screen is kept until the next scroll."""
        if index not in self._live:
            view = self._new_view(index)
            view.complete()
            view.height_for(self._frame_width())
            view.move(0, -100_000)
            self._live[index] = view
        return self._live[index]

    def _drop(self, indices: Sequence[int]) -> None:
        for index in indices:
            view = self._let_go(index)
            view.hide()
            view.deleteLater()

    def _put_away(self, *, first: int) -> None:
        """Keep the widgets from message ``first`` on for when these messages are shown again."""
        for index in [index for index in self._live if index >= first]:
            self._kept.keep(self._entries[index], self._let_go(index))

    def _let_go(self, index: int) -> MessageView:
        """Take a message's widget from the page, with what was typed into it kept."""
        view = self._live.pop(index)
        view.keep_edit()
        focus = QApplication.focusWidget()
        if focus is not None and (focus is view or view.isAncestorOf(focus)):
            self.setFocus()
        return view

    def _order_tabs(self) -> None:
        stops = [
            stop
            for index in sorted(self._live)
            for stop in (*self.memory.stops_above(index), *self._live[index].tab_stops)
        ]
        for before, after in zip([self, *stops], stops, strict=False):
            QWidget.setTabOrder(before, after)

    def _on_height_changed(self, message_id: MessageId) -> None:
        index = self._index.get(message_id)
        if index is not None and index in self._live:
            self._heights.set(index, self._measured(index))
            self._arrange()

    # Scrolling

    def jump_to_latest(self) -> None:
        """Go to the end and follow what is written there."""
        self._follow = True
        self._arrange()

    def show_message(self, index: int) -> None:
        """Scroll until message ``index`` is on the screen."""
        bar = self.verticalScrollBar()
        top = _TOP + self._heights.offset(index)
        if bar.value() <= top and top + self._heights[index] <= bar.value() + bar.pageStep():
            return
        self._follow = False
        self._anchor = (index, -12.0)
        self._arrange()

    def show_place(self, index: int, y: int, *, centred: bool = False) -> None:
        """Scroll until the height ``y`` of message ``index`` is on the screen, or in its middle."""
        bar = self.verticalScrollBar()
        y += self.memory.above(index, self._frame_width())
        at = _TOP + self._heights.offset(index) + y
        if not centred and bar.value() + _NEAR <= at <= bar.value() + bar.pageStep() - _NEAR:
            return
        self._follow = False
        self._anchor = (index, y - bar.pageStep() / (2 if centred else 3))
        self._arrange()

    def show_whole(self, index: int) -> None:
        """Unfold a long message."""
        entry = self._entries[index]
        entry.n_shown = max(entry.n_shown, len(entry.text))
        view = self.view_of(index)
        view.refresh()
        view.complete()
        self._on_height_changed(entry.message.id)

    # Finding

    def show_words(self, index: int, words: str) -> None:
        """Mark the ``words`` of a search in all messages, those of message ``index`` in the middle.

        Escape takes the marks away, F3 goes on to the next.
        """
        entry, wanted = self._entries[index], SearchedWords(text=words)
        pattern = wanted.pattern()
        if entry.reasoning and not any(count_in(shown_texts(entry), pattern)):
            entry.is_unfolded = any(count_in([entry.reasoning], pattern)) or entry.is_unfolded
            self._refresh(index)
        self.close_find()
        self.show_message(index)
        self.finding.begin_at(index, wanted)

    def end_words(self) -> bool:
        """Take the marks of a search away. Returns whether there were any."""
        had_marks = self._find_bar.isHidden() and self.finding.is_looking
        if had_marks:
            self.finding.close()
        return had_marks

    def open_find(self) -> None:
        """Show the bar that finds words, with what is selected if that is short."""
        if not self._entries:
            return
        if self._find_bar.isHidden():
            self._find_bar.show()
            self.setViewportMargins(0, self._find_bar.sizeHint().height(), 0, 0)
            self._place_find_bar()
        selected = self.selecting.text()
        self._find_bar.begin(selected if "\n" not in selected and len(selected) <= MAX_QUERY else "")
        self.finding.begin()

    def close_find(self) -> None:
        """Hide the bar and its marks."""
        if self._find_bar.isHidden():
            self.finding.close()
            return
        self._find_bar.hide()
        self.setViewportMargins(0, 0, 0, 0)
        self.finding.close()
        self.setFocus()

    def marks_changed(self) -> None:
        """What is looked for or found is another."""
        self.selecting.mark(self._look)

    def _place_find_bar(self) -> None:
        self._find_bar.setGeometry(0, 0, self.width(), self._find_bar.sizeHint().height())
        self._find_bar.raise_()

    def index_at(self, y: int) -> int:
        """Message at a height of the viewport."""
        return self._heights.index_at(y + self.verticalScrollBar().value() - _TOP)

    def _on_scrolled(self, value: int) -> None:
        if self._arranging or not self._entries:
            return
        self._follow = value >= self.verticalScrollBar().maximum() - _AT_BOTTOM
        self._anchor = self._anchor_at(value)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out again, keeping the first visible message where it is."""
        super().resizeEvent(event)
        self._place_find_bar()
        if self._entries and self._frame_width() != self._laid_width:
            self._laid_width = self._frame_width()
            self._estimate()
        self._arrange()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Do nothing: ``_arrange`` places every message itself."""

    # Look

    def _on_formulas_drawn(self) -> None:
        for index, view in list(self._live.items()):
            if view.take_formulas():
                self.selecting.leave(index)
                self._on_height_changed(self._entries[index].message.id)

    def _on_theme_changed(self) -> None:
        self._look = Look(self._theme, self._look.lexers, self._formulas, wrapped=self._look.wrapped)
        self._jump.restyle(self._theme)
        self._kept.clear()
        for view in self._live.values():
            view.restyle(self._look)
        self.memory.restyle()
        self._estimate()
        self._arrange()
