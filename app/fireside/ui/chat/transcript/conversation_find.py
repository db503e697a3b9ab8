"""The controller of find in chat: counts matches in time slices, highlights visible ones, scrolls to one."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from weakref import WeakKeyDictionary

import shiboken6
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QScrollArea, QTextEdit, QWidget

from fireside.core.i18n import number, tr
from fireside.ui.chat.answer.message import MessageView
from fireside.ui.chat.answer.message_item import Entry
from fireside.ui.chat.answer.text_view import TextWidget
from fireside.ui.chat.transcript.message_column import MessageColumn
from fireside.ui.chat.transcript.selected_text import written_text
from fireside.ui.chat.transcript.selection_controller import SelectionController
from fireside.ui.chat.transcript.text_search import (
    MAX_QUERY,
    FoldedQuery,
    MatchCounts,
    MatchPosition,
    Pattern,
    Query,
    TextQuery,
    count_matches,
    displayed_texts,
    match_spans,
    read_texts,
)
from fireside.ui.kit.layout import row, stretch
from fireside.ui.theme import theme
from fireside.ui.widgets.buttons import IconButton
from fireside.ui.widgets.text import plain_label, set_style_property

_SLICE_S = 0.008
_END = object()
_COUNTED_AT_ONCE = 20_000
"""Characters of a message that are counted in the frame that has changed it; more are in slices."""
_CACHED_CHARS = 4_000_000
"""Characters of messages whose texts are cached, so that the next keystroke costs less."""


class FindController(QObject):
    """Highlights one query in one transcript, typed into the bar or from a search. GUI thread only."""

    bar_toggled = Signal()
    """The bar was shown or hidden."""

    def __init__(self, column: MessageColumn, selection: SelectionController, *, area: QWidget) -> None:
        super().__init__(area)
        self._area = area
        self._column = column
        self._selection = selection
        selection.highlighters.append(self)
        self.bar = FindBar(area)
        self.bar.hide()
        self._query: TextQuery | None = None
        self._pattern: Pattern | None = None
        self._first_message: int | None = None
        """Index of the message to start at; ``None`` for the first visible one."""
        self._scrolls_to_match = True
        self._previous_focus: QWidget | None = None
        self._counts = MatchCounts()
        self._current: MatchPosition | None = None
        self._pending: list[int] = []
        self._counting: Iterator[None] | None = None
        """The work on one message."""
        self._awaited: tuple[MatchPosition, bool] | None = None
        """A match whose text is not laid out yet, and whether it is to be centred."""
        self._stale: set[int] = set()
        """Indexes of messages that have changed since they were counted."""
        self._texts: dict[int, tuple[object, Sequence[str]]] = {}
        self._n_cached = 0
        # Weak: text widgets are made and deleted by scrolling.
        self._spans: WeakKeyDictionary[TextWidget, tuple[object, Sequence[tuple[int, int]]]] = (
            WeakKeyDictionary()
        )
        self._search = QTimer(self, interval=0)
        self._search.timeout.connect(self._on_search)
        self._reveal_timer = QTimer(self, singleShot=True, interval=0)
        self._reveal_timer.timeout.connect(self._on_laid_out)
        self.bar.field.textChanged.connect(self._on_query_changed)
        self.bar.match_case.toggled.connect(self._on_query_changed)
        self.bar.whole_words.toggled.connect(self._on_query_changed)
        self.bar.previous.clicked.connect(lambda: self.step(-1))
        self.bar.next.clicked.connect(lambda: self.step(1))
        self.bar.close_button.clicked.connect(self.close)
        column.entry_changed.connect(self._on_entry_changed)
        column.arranged.connect(self._on_arranged)

    @property
    def is_searching(self) -> bool:
        """Whether matches are counted, or the current one is being laid out."""
        return self._search.isActive() or self._awaited is not None

    @property
    def current(self) -> MatchPosition | None:
        return self._current

    def open(self) -> None:
        """Show the bar, with the selected text if that is short, and start to search."""
        if not self._column.entries:
            return
        if self.bar.isHidden():
            self._previous_focus = QApplication.focusWidget()
            self.bar.show()
            self.set_bar_geometry()
            self.bar_toggled.emit()
        selected = self._selection.text()
        self.bar.activate(selected if "\n" not in selected and len(selected) <= MAX_QUERY else "")
        self._on_query_changed()

    def close(self) -> None:
        """Hide the bar and end the search."""
        was_open = not self.bar.isHidden()
        if was_open:
            self.bar.hide()
            self._column.reserve_top(self.bar, 0)
            self.bar_toggled.emit()
        self._stop()
        if was_open:
            self._restore_focus()

    def _restore_focus(self) -> None:
        """Give the focus back to the widget that had it before the bar was opened."""
        widget, self._previous_focus = self._previous_focus, None
        if widget is None or not shiboken6.isValid(widget) or not widget.isVisible():
            widget = self._area
        widget.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_query(self, index: int, text: str) -> None:
        """Highlight the matches of a search without the bar, and scroll to those in message ``index``."""
        entry, query = self._column.entries[index], FoldedQuery(text=text)
        pattern = query.pattern()
        if entry.reasoning and not any(count_matches(displayed_texts(entry), pattern)):
            entry.is_unfolded = any(count_matches([entry.reasoning], pattern)) or entry.is_unfolded
            self._column.refresh(index)
        self.close()
        self._column.show_message(index)
        self._query, self._pattern, self._first_message = query, pattern, index
        self._restart()

    def clear_query(self) -> bool:
        """Remove the highlights of ``show_query``; return whether there were any."""
        was_active = self.bar.isHidden() and self.is_active
        if was_active:
            self._stop()
        return was_active

    def set_bar_geometry(self) -> None:
        """Set the bar's geometry along the upper edge of the transcript."""
        height = self.bar.sizeHint().height()
        self._column.reserve_top(self.bar, 0 if self.bar.isHidden() else height)
        self.bar.setGeometry(0, 0, self._area.width(), height)
        self.bar.raise_()

    @property
    def is_active(self) -> bool:
        """Whether there is a query whose matches are highlighted."""
        return self._pattern is not None

    def _stop(self) -> None:
        self._query = self._pattern = self._first_message = None
        self._texts.clear()
        self._n_cached = 0
        self._restart()

    def messages_changed(self, *, scrolls: bool = True) -> None:
        """Search again in other messages, if there is a query; ``scrolls``: to its first match."""
        self._texts.clear()
        self._n_cached = 0
        if self._pattern is not None:
            self._restart()
            self._scrolls_to_match = scrolls or self._first_message is not None

    def _on_entry_changed(self, index: int) -> None:
        if self._pattern is not None:
            self._stale.add(index)

    def step(self, step: int) -> None:
        """Go to the next match (1) or the previous one (-1)."""
        if self._current is None:
            return
        position = self._counts.after(self._current) if step > 0 else self._counts.before(self._current)
        self._go_to(position)

    # Counting

    def _on_query_changed(self) -> None:
        query = self.bar.query
        self._query = None if query.is_empty else query
        self._pattern = None if self._query is None else self._query.pattern()
        self._first_message = None
        self._restart()

    def _restart(self) -> None:
        self._counts, self._current = MatchCounts(), None
        self._scrolls_to_match = True
        self._counting = self._awaited = None
        self._spans.clear()
        self._stale.clear()
        n = len(self._column.entries)
        first = self._column.index_at(0) if self._first_message is None else min(self._first_message, n)
        # Reversed: the next one is taken from the end.
        self._pending = [] if self._pattern is None else [*range(first, n), *range(first)][::-1]
        if self._pending:
            self._search.start()
        else:
            self._search.stop()
        self._show_count()
        self._selection.show_highlights()

    def _on_search(self) -> None:
        deadline = time.perf_counter() + _SLICE_S
        while (self._counting is not None or self._pending) and time.perf_counter() < deadline:
            if self._counting is None:
                self._counting = self._count(self._pending.pop())
            if not _has_more(self._counting):
                self._counting = None
                if self._current is None and self._counts.total and self._scrolls_to_match:
                    self._go_to_first()
        if self._counting is None and not self._pending:
            self._search.stop()
            self._settle(self._column.index_at(0))
        self._show_count()

    def _settle(self, first: int) -> None:
        """Have a current match that exists: the one that was, else the next, else one from ``first`` on."""
        self._counts.truncate(len(self._column.entries))
        if self._current is None:
            self._current = self._counts.first_from(first)
        elif not self._counts.has(self._current):
            self._current = self._counts.first_from(self._current.message)
        else:
            return
        self._selection.show_highlights()

    def _go_to_first(self) -> None:
        if self._first_message is None:
            self._go_to(self._counts.first_from(self._column.index_at(0)))
            return
        message, self._first_message = self._first_message, None
        position = self._counts.first_from(message)
        if position is not None and position.message == message:
            self._go_to(position, centred=True)
        else:
            # The name of a file was found, of which the text says nothing: the message stays in view.
            self._current = position
            self._selection.show_highlights()

    def _count(self, index: int) -> Iterator[None]:
        """Count the matches in a message; yield after each small part of the work."""
        if self._pattern is None or self._query is None or index >= len(self._column.entries):
            return
        entry = self._column.entries[index]
        calls = (text for _, text in entry.open_calls)
        source = "\n".join((entry.reasoning, *calls, entry.text))
        if not self._query.may_match(source):
            self._counts.set(index, ())
            return
        texts = yield from self._texts_of(index, entry)
        counts: list[int] = []
        for text in texts:
            counts += count_matches([text], self._pattern)
            yield
        self._counts.set(index, counts)

    def _texts_of(self, index: int, entry: Entry) -> Generator[None, None, Sequence[str]]:
        key = (entry.text, entry.reasoning if entry.shows_reasoning else "", *entry.open_calls)
        cached = self._texts.get(index)
        if cached is not None and cached[0] == key:
            return cached[1]
        texts = yield from read_texts(entry)
        self._n_cached += len(entry.text)
        if self._n_cached > _CACHED_CHARS:
            self._texts.clear()
            self._n_cached = len(entry.text)
        self._texts[index] = (key, texts)
        return texts

    def _on_arranged(self) -> None:
        """Count changed messages within the frame that changed them: if that is slow, frames come later."""
        if self._awaited is not None:
            self._reveal_timer.start()
        if not self._stale:
            return
        entries = self._column.entries
        while self._stale:
            index = self._stale.pop()
            if index < len(entries) and len(entries[index].text) > _COUNTED_AT_ONCE:
                if index not in self._pending:
                    self._pending.append(index)
                    self._search.start()
                continue
            counting = self._count(index)
            while _has_more(counting):
                pass
        self._settle(0)
        self._show_count()
        self._selection.show_highlights()

    def _show_count(self) -> None:
        more = "…" if self.is_searching else ""
        if self._pattern is None:
            self.bar.show_count("", is_missing=False)
        elif self._current is not None:
            position, total = number(self._counts.number(self._current)), number(self._counts.total)
            count = tr("{place} of {total}").format(place=position, total=total)
            self.bar.show_count(f"{count}{more}", is_missing=False)
        else:
            self.bar.show_count(tr("Searching…") if more else tr("No results"), is_missing=not more)

    # Showing

    def _go_to(self, position: MatchPosition | None, *, centred: bool = False) -> None:
        self._current = position
        if position is not None:
            self._reveal(position, centred=centred)
        self._show_count()
        self._selection.show_highlights()

    def _reveal(self, position: MatchPosition, *, centred: bool) -> None:
        """Scroll to a match, or to its message until the text with the match is laid out."""
        self._awaited = None
        if position.message not in self._column.live:
            self._column.show_message(position.message)
        view = self._column.view_of(position.message)
        while (span := self._span(view, position)) is None:
            if not view.is_laid_out:
                self._awaited = (position, centred)
                return
            if not view.show_more():
                self._column.scroll_to_y(position.message, 0, centred=centred)
                return
        text_view = view.text_views[position.part]
        cursor = QTextCursor(text_view.document())
        cursor.setPosition(span[0])
        if (
            isinstance(text_view, QTextEdit) and text_view.verticalScrollBar().maximum() > 0
        ):  # the reasoning has its own scroll bar
            text_view.setTextCursor(cursor)
            text_view.ensureCursorVisible()
        rect = text_view.cursorRect(cursor)
        y = text_view.viewport().mapTo(view, rect.center()).y()
        self._column.scroll_to_y(position.message, y, centred=centred)
        rect = text_view.cursorRect(cursor)
        holder = text_view.parentWidget()
        scroller = holder.parentWidget() if holder is not None else None
        if isinstance(scroller, QScrollArea):
            scroller.ensureVisible(rect.x(), rect.y(), 60, 0)

    def _on_laid_out(self) -> None:
        """Try again to show the current match: more of its message is laid out."""
        if self._awaited is not None and self._awaited[0] == self._current:
            self._go_to(self._awaited[0], centred=self._awaited[1])

    def _span(self, view: MessageView, position: MatchPosition) -> tuple[int, int] | None:
        if position.part >= len(view.text_views):
            return None
        spans = self.spans(view.text_views[position.part])
        return spans[position.nth] if position.nth < len(spans) else None

    def spans(self, text_view: TextWidget) -> Sequence[tuple[int, int]]:
        """Return the matches in a text widget as positions in its document."""
        if self._pattern is None:
            return ()
        revision = text_view.document().revision(), text_view.document().characterCount()
        cached = self._spans.get(text_view)
        if cached is None or cached[0] != revision:
            written = written_text(text_view.document())
            matches = match_spans(written.text, self._pattern)
            cached = (revision, [written.in_document(span) for span in matches])
            self._spans[text_view] = cached
        return cached[1]

    def highlights(self, message: int, block: int, text_view: TextWidget) -> list[QTextEdit.ExtraSelection]:
        """Return the highlights of one text widget, the current match in a colour of its own."""
        current = self._current
        style = self._column.transcript_style
        out: list[QTextEdit.ExtraSelection] = []
        for nth, (start, end) in enumerate(self.spans(text_view)):
            extra = QTextEdit.ExtraSelection()
            extra.cursor = QTextCursor(text_view.document())
            extra.cursor.setPosition(start)
            extra.cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            is_current = current == MatchPosition(message=message, part=block, nth=nth)
            extra.format = style.current_match_format if is_current else style.match_format
            out.append(extra)
        return out


def _has_more(work: Iterator[None]) -> bool:
    """Do the next part of some work; return whether there may be more."""
    return next(work, _END) is not _END


# The find bar of a chat: query field, match count, next and previous, two switches


class FindBar(QFrame):
    """A view; ``FindController`` searches."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("findBar")
        self.setAccessibleName(tr("Find in chat"))
        self.field = QLineEdit(self)
        self.field.setObjectName("findField")
        self.field.setPlaceholderText(tr("Find in chat"))
        self.field.setAccessibleName(tr("Find in chat"))
        self.field.setMaxLength(MAX_QUERY)
        self.field.setMaximumWidth(420)
        self.count = plain_label("", name="findCount", parent=self)
        self.count.setMinimumWidth(theme().scaled(92))
        self.match_case = self._switch("case-sensitive", tr("Match case"))
        self.whole_words = self._switch("whole-word", tr("Whole words"))
        self.previous = IconButton("arrow-up", name=tr("Previous match (Shift+Enter)"), parent=self)
        self.next = IconButton("arrow-down", name=tr("Next match (Enter)"), parent=self)
        self.close_button = IconButton("x", name=tr("Close (Esc)"), parent=self)
        buttons = (self.match_case, self.whole_words, self.previous, self.next, stretch(), self.close_button)
        row(stretch(self.field), self.count, *buttons, spacing=4, margins=(10, 6, 8, 6), on=self)

    def _switch(self, icon: str, name: str) -> IconButton:
        button = IconButton(icon, name=name, parent=self)
        button.setCheckable(True)
        return button

    @property
    def query(self) -> Query:
        return Query(
            text=self.field.text(),
            match_case=self.match_case.isChecked(),
            whole_words=self.whole_words.isChecked(),
        )

    def activate(self, text: str) -> None:
        """Focus the field and select its text, or ``text`` if that is not empty."""
        if text:
            self.field.setText(text)
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def show_count(self, text: str, *, is_missing: bool) -> None:
        """Show which match of how many is current; ``is_missing`` where there are no matches."""
        self.count.setText(text)
        self.count.setAccessibleName(text)
        for button in (self.previous, self.next):
            button.setEnabled(bool(text) and not is_missing)
        set_style_property(self.field, "missing", is_missing)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and F3 go to the next match, with Shift to the previous; Escape closes."""
        back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_F3:
                (self.previous if back else self.next).click()
            case Qt.Key.Key_Escape:
                self.close_button.click()
            case _:
                super().keyPressEvent(event)
