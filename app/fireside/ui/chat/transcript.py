"""The conversation on the screen: messages come, go, stream in and branch."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget

from fireside.core.chat import Branches, StoredMessage
from fireside.core.generation import OutputKind
from fireside.core.ids import MessageId
from fireside.ui.chat.answer_text import outcome_words
from fireside.ui.chat.branch_info import NO_BRANCHES, NO_EDITS, UnsavedEdits, surround
from fireside.ui.chat.links import OpenUrl
from fireside.ui.chat.message_column import MessageColumn
from fireside.ui.chat.message_item import Entry, make_entry
from fireside.ui.chat.phase import Phase, Starting, Writing
from fireside.ui.chat.reading_places import ReadingPlaces
from fireside.ui.chat.sentence_splitter import Sentences
from fireside.ui.theme import Theme

_FLOOR_MS = 33
_CEILING_MS = 250
_COST_FACTOR = 3
"""The next update of a stream comes no sooner than this many times the last one's cost."""


class Transcript(MessageColumn):
    """Shows messages, follows the stream while at the bottom, copies, and says what was clicked."""

    messages_changed = Signal()
    """Messages came, went, or ended; not for text that streams in."""

    def __init__(
        self,
        *,
        theme: Theme,
        open_url: OpenUrl,
        clock: Callable[[], float] = time.monotonic,
        parent: QWidget | None = None,
    ) -> None:
        """``clock`` tells seconds; by it is measured how long a model thinks."""
        super().__init__(theme=theme, open_url=open_url, clock=clock, parent=parent)
        self._edits = UnsavedEdits()
        self._places = ReadingPlaces()
        self._wanted: MessageId | None = None
        self._pending: dict[MessageId, list[tuple[OutputKind, str]]] = {}
        self._pending_tokens: dict[MessageId, int] = {}
        self._spoken: dict[MessageId, Sentences] = {}
        self._stream = QTimer(self, singleShot=True, interval=_FLOOR_MS)
        self._stream.timeout.connect(self._on_stream_due)

    # Messages

    def set_messages(
        self,
        messages: Sequence[StoredMessage],
        *,
        branches: Branches = NO_BRANCHES,
        edits: Mapping[MessageId, str] = NO_EDITS,
    ) -> None:
        """Show another conversation, where one was when it was left, else from its end.

        ``edits`` are the messages that are being changed.
        """
        self.memory.put(None)
        self._places.keep(self._entries, None if self._follow else self._anchor)
        self._replace_from(0, messages, branches=branches)
        for entry in self._entries:
            self._edits.restore(entry, edits.get(entry.message.id))
        place = self._places.find(self._entries)
        self._follow, self._anchor = place is None, place or (0, 0.0)
        self._estimate()
        self._arrange()
        self.end_words()
        self.finding.messages_changed()
        self.pins_changed.emit()
        self.messages_changed.emit()

    def show_branch(self, messages: Sequence[StoredMessage], *, branches: Branches) -> None:
        """Show another branch of this conversation: what both have in common stays as it is.

        What is being written is followed; otherwise the page stays where it is.
        """
        n_common = 0
        for entry, message in zip(self._entries, messages, strict=False):
            if entry.message.id != message.id:
                break
            n_common += 1
        self._hold()
        self._replace_from(n_common, messages, branches=branches)
        for index, message in enumerate(messages[:n_common]):
            entry = self._entries[index]
            if entry.message != message or entry.is_running:
                self._pending.pop(message.id, None)  # what was read has it in it already
                self._take(entry, message)
            surround(entry, branches, is_last=index + 1 == len(messages))
            if (view := self._live.get(index)) is not None:
                view.refresh()
        self._heights.cut(n_common)
        for entry in self._entries[n_common:]:
            self._heights.append(self._estimated(entry))
        self._follow = bool(self._entries) and self._entries[-1].is_running
        self._anchor = min(self._anchor, (max(0, len(self._entries) - 1), 0.0))
        self._arrange()
        self.pins_changed.emit()
        self.finding.messages_changed(goes_there=self._find_bar.isVisible())
        self._go_to_wanted()
        self.messages_changed.emit()

    def _replace_from(self, first: int, messages: Sequence[StoredMessage], *, branches: Branches) -> None:
        """Take other messages from ``first`` on, without laying anything out."""
        self.selecting.clear()
        self._put_away(first=first)
        for entry in self._entries[first:]:
            self._edits.keep(entry)
            self._pending.pop(entry.message.id, None)
            self._pending_tokens.pop(entry.message.id, None)
            self._spoken.pop(entry.message.id, None)
        new = [self._kept.entry_of(message) or make_entry(message) for message in messages[first:]]
        self._entries[first:] = new
        self._index = {entry.message.id: index for index, entry in enumerate(self._entries)}
        for entry in new:
            surround(entry, branches, is_last=entry is new[-1])
            self._edits.put_back(entry)

    def flush_edits(self) -> None:
        """Report what was typed into messages and has not rested yet."""
        for view in self._live.values():
            view.keep_edit()

    def set_pinned(self, message_id: MessageId, *, pinned: bool) -> None:
        """Mark a message, or take the mark from it."""
        if (index := self._index.get(message_id)) is not None:
            self._entries[index].is_pinned = pinned
            self._refresh(index)
            self.pins_changed.emit()

    def forget_edit(self, message_id: MessageId) -> None:
        self._edits.forget(message_id)

    def go_to_when_shown(self, message_id: MessageId) -> None:
        """Go to a message as soon as its branch is shown, if that is the next one."""
        self._wanted = message_id
        self._go_to_wanted()

    def _go_to_wanted(self) -> None:
        if self._wanted is not None and self._wanted in self._index:
            wanted, self._wanted = self._wanted, None
            self.go_to(wanted)

    def add_message(self, message: StoredMessage) -> None:
        """Add a message at the end; one's own always scrolls into view."""
        if message.id in self._index:
            self.replace_message(message)
            return
        entry = make_entry(message)
        entry.is_last = True
        if self._entries:
            self._entries[-1].is_last = False
            if (view := self._live.get(len(self._entries) - 1)) is not None:
                view.refresh()
        self._index[message.id] = len(self._entries)
        self._entries.append(entry)
        self._heights.append(self._estimated(entry))
        self.finding.entry_changed(len(self._entries) - 1)
        self._follow = self._follow or entry.is_user
        self._arrange()
        self.messages_changed.emit()

    def replace_message(self, message: StoredMessage) -> None:
        """Take over the stored state of a message: its text is the truth."""
        index = self._index.get(message.id)
        if index is None:
            return
        self._pending.pop(message.id, None)
        self._pending_tokens.pop(message.id, None)
        entry = self._entries[index]
        was_running = entry.is_running
        self._take(entry, message)
        self._refresh(index)
        if was_running and not entry.is_running:
            said = self._spoken.pop(message.id, Sentences()).end()
            self.announce(f"{said} {outcome_words(message)}".lstrip())
        self.messages_changed.emit()

    def _take(self, entry: Entry, message: StoredMessage) -> None:
        was_running = entry.is_running
        entry.message, entry.text = message, message.message.text
        entry.reasoning = message.message.reasoning
        if not entry.is_running:
            entry.phase = None
            entry.end_thinking(now=self._clock())
        elif not was_running:
            entry.phase = Starting()

    def append_text(
        self,
        message_id: MessageId,
        *,
        text: str,
        n_completion: int,
        kind: OutputKind = OutputKind.ANSWER,
    ) -> None:
        """Add streamed output. It is shown with the next update, at most every 33 ms."""
        index = self._index.get(message_id)
        if index is None or not self._entries[index].is_running:
            return
        self._pending.setdefault(message_id, []).append((kind, text))
        self._pending_tokens[message_id] = n_completion
        if not self._stream.isActive():
            self._stream.start()

    def _speak(self, message_id: MessageId, text: str) -> None:
        """Have a screen reader, if there is one, say the sentences that have become whole."""
        if QAccessible.isActive() and (said := self._spoken.setdefault(message_id, Sentences()).take(text)):
            self.announce(said)

    def set_thinking_since(self, message_id: MessageId, since: float) -> None:
        """Say when a running answer began to think, on this transcript's clock."""
        index = self._index.get(message_id)
        if index is not None:
            self._entries[index].thinking_since = since
            self._refresh(index)

    def set_phase(self, message_id: MessageId, phase: Phase) -> None:
        """Say what a running answer is doing."""
        index = self._index.get(message_id)
        if index is not None and self._entries[index].is_running:
            self._entries[index].phase = phase
            self._refresh(index)

    def _on_stream_due(self) -> None:
        began = time.perf_counter()
        pending, self._pending = self._pending, {}
        for message_id, parts in pending.items():
            index = self._index[message_id]
            entry = self._entries[index]
            for kind, text in parts:
                entry.take(text, kind=kind, now=self._clock())
            self._speak(message_id, "".join(text for kind, text in parts if kind is OutputKind.ANSWER))
            if entry.is_running:
                entry.phase = Writing(n_completion=self._pending_tokens.pop(message_id, 0))
            self._refresh(index)
        cost_ms = (time.perf_counter() - began) * 1000
        self._stream.setInterval(round(min(_CEILING_MS, max(_FLOOR_MS, _COST_FACTOR * cost_ms))))
