"""The transcript: shows the messages of a conversation's branch, streams answers, handles mouse and keys."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QContextMenuEvent,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFrame, QMenu, QTextEdit, QWidget

from fireside.core.chat import Branches, StoredMessage
from fireside.core.errors import NextStep
from fireside.core.generation import OutputKind, TextDelta
from fireside.core.i18n import tr
from fireside.core.ids import MessageId
from fireside.core.tool_calls import n_waiting_calls
from fireside.markup.citation_links import cited_number
from fireside.ui.chat.answer.actions import MessageAction, MessageActions
from fireside.ui.chat.answer.answer_text import outcome_text
from fireside.ui.chat.answer.inline_notices import copy_to_clipboard
from fireside.ui.chat.answer.links import OpenUrl, confirm_open
from fireside.ui.chat.answer.message import MessageView, is_within
from fireside.ui.chat.answer.message_item import Entry, attach_sources
from fireside.ui.chat.answer.phase import Phase
from fireside.ui.chat.answer.text_view import TextWidget
from fireside.ui.chat.transcript.conversation_find import FindController
from fireside.ui.chat.transcript.edit_controller import EditController
from fireside.ui.chat.transcript.message_column import MessageColumn
from fireside.ui.chat.transcript.plain_copy import copy_formatted, message_plain_text
from fireside.ui.chat.transcript.scroll_positions import ScrollPositions
from fireside.ui.chat.transcript.selected_text import last_position, written_text
from fireside.ui.chat.transcript.selection_controller import SelectionController
from fireside.ui.chat.transcript.text_search import match_spans
from fireside.ui.chat.transcript.transcript_keys import LINE_STEP, TranscriptKeys
from fireside.ui.chat.transcript.transcript_menu import TranscriptMenu

# The mark of the sentence that is read aloud.

_Place = tuple[int, int, int]
"""Number of the text widget in its message, begin and end in its document."""


class SpokenMark:
    """Marks one sentence of one message; see ``Highlighter``. Sentences are looked for from top to bottom."""

    def __init__(self, column: MessageColumn, selection: SelectionController) -> None:
        self._column = column
        self._selection = selection
        self._message: MessageId | None = None
        self._sentence = ""
        self._from = (0, 0)
        self._place: _Place | None = None
        selection.highlighters.append(self)

    @property
    def is_active(self) -> bool:
        return self._message is not None

    @property
    def text(self) -> str:
        """The sentence that is marked; empty where it is not in sight."""
        return "" if self._place is None else self._sentence

    def show(self, message_id: MessageId, sentence: str) -> None:
        """Mark ``sentence``, as it stands in the message without markup; empty for none of its text."""
        if message_id != self._message:
            self._message, self._from = message_id, (0, 0)
        elif self._place is not None:
            self._from = (self._place[0], self._place[2])
        self._sentence, self._place = sentence, None
        self._selection.show_highlights()

    def clear(self) -> None:
        """Remove the mark: nothing is read aloud any more."""
        self._message = self._place = None
        self._selection.show_highlights()

    def highlights(self, message: int, block: int, text_view: TextWidget) -> list[QTextEdit.ExtraSelection]:
        """Return the mark, if it is in this text."""
        if self._column.entries[message].message.id != self._message:
            return []
        if self._place is None and self._sentence:
            self._place = self._find(self._column.view_of(message))
        if self._place is None or self._place[0] != block:
            return []
        extra = QTextEdit.ExtraSelection()
        extra.cursor = QTextCursor(text_view.document())
        last = last_position(text_view.document())
        extra.cursor.setPosition(min(self._place[1], last))
        extra.cursor.setPosition(min(self._place[2], last), QTextCursor.MoveMode.KeepAnchor)
        extra.format = self._column.transcript_style.match_format
        return [extra]

    def _find(self, view: MessageView) -> _Place | None:
        pattern = re.compile(r"\s+".join(map(re.escape, self._sentence.split())))
        first, after = self._from
        for block, text_view in enumerate(view.text_views[first:], first):
            written = written_text(text_view.document())
            for span in match_spans(written.text, pattern):
                begin, end = written.in_document(span)
                if block > first or begin >= after:
                    return block, begin, end
        return None


NO_BRANCHES: Final = Branches()


class Transcript(QAbstractScrollArea):
    """A scroll area that behaves like one document though each message is a widget. GUI thread only.

    Owns the controllers of its parts: ``column`` (layout), ``selection``, ``finder``, ``editor`` and ``menu``
    (context menu). The messages call it for what the user does to them.
    """

    messages_changed = Signal()
    """Messages were added, removed, or replaced; not emitted for streamed text."""
    pins_changed = Signal()
    text_typed = Signal(str)
    """Text of a key that was pressed while the transcript had the focus, for the composer to insert."""
    branch_requested = Signal(object)
    """``MessageId`` of the sibling to show."""
    call_answered = Signal(object, str, object)
    """``MessageId``, id of a waiting tool call and the user's ``CallAnswer``."""
    run_requested = Signal(object, str, int, bool)
    """``MessageId`` of an answer, Python code to run, the offset in the answer's text behind which it is
    shown, and whether the user wants to change it first."""
    artifact_requested = Signal(object)
    """The ``ArtifactPlace`` of a block to open beside the chat."""
    citation_requested = Signal(int, object, str)
    """Number of the citation whose passage is to be shown, its ``PassagesPart``, and the answer."""
    step_requested = Signal(object)
    """``NextStep`` that the user chose on an error."""
    save_requested = Signal(object)
    """The ``AttachedPart`` to save as a file."""

    def __init__(
        self, *, open_url: OpenUrl, clock: Callable[[], float] = time.monotonic, parent: QWidget | None = None
    ) -> None:
        """``clock`` returns seconds; it measures how long a model thinks."""
        super().__init__(parent)
        self.open_url = open_url
        self.runs_code = False
        """Whether ``run_requested`` is heard, so that it is offered."""
        self.opens_artifacts = False
        """Whether ``artifact_requested`` is heard."""
        self._clock = clock
        self._set_up_widget()
        self.message_actions = MessageActions()
        """What can be done to messages; each feature registers what it does."""
        self.column = MessageColumn(self, handler=self, clock=clock)
        self.selection = SelectionController(self.column, self)
        self.finder = FindController(self.column, self.selection, area=self)
        self.spoken = SpokenMark(self.column, self.selection)
        self.editor = EditController(self.column, self.selection)
        self.menu = TranscriptMenu(self.column, self.selection, handler=self, parent=self)
        self._keys = TranscriptKeys(
            self.column, self.selection, self.finder, bar=self.verticalScrollBar(), handler=self
        )
        self.message_actions.register(MessageAction.EDIT, lambda entry: self.editor.begin(entry.message.id))
        self.message_actions.register(MessageAction.COPY, lambda entry: copy_to_clipboard(entry.text))
        self.message_actions.register(MessageAction.COPY_FORMATTED, lambda entry: copy_formatted(entry.text))
        self.message_actions.register(
            MessageAction.COPY_PLAIN, lambda entry: copy_to_clipboard(message_plain_text(entry))
        )
        self._scroll_positions = ScrollPositions()
        self._focus_target: MessageId | None = None
        self._sentences: dict[MessageId, SentenceSplitter] = {}
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus_changed)

    def _set_up_widget(self) -> None:
        self.setObjectName("transcript")
        self.viewport().setObjectName("transcriptView")
        self.setAccessibleName(tr("Chat"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # the messages' controls are the tab stops
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().setSingleStep(LINE_STEP)
        self.viewport().setMouseTracking(True)
        self.viewport().setCursor(Qt.CursorShape.ArrowCursor)

    # Messages

    @property
    def entries(self) -> Sequence[Entry]:
        """The messages of the branch that is shown."""
        return self.column.entries

    @property
    def live(self) -> Mapping[int, MessageView]:
        """The widgets of the messages that have one, by index."""
        return self.column.live

    def index_of(self, message_id: MessageId) -> int | None:
        """Return the index of a message in the branch that is shown; ``None`` where it is in another."""
        return self.column.index_of(message_id)

    def set_messages(
        self,
        messages: Sequence[StoredMessage],
        *,
        branches: Branches = NO_BRANCHES,
        edits: Mapping[MessageId, str] | None = None,
    ) -> None:
        """Show another conversation at its last scroll position, or at its end.

        ``edits`` are the stored unsaved edits of its messages.
        """
        self.column.boundary.clear()
        self._scroll_positions.save(self.entries, self.column.scroll_position)
        self._replace_from(0, messages, branches=branches)
        self.editor.restore(self.entries, edits or {})
        self.column.scroll_to(self._scroll_positions.find(self.entries))
        self.finder.clear_query()
        self.finder.messages_changed()
        self.pins_changed.emit()
        self.messages_changed.emit()

    def show_branch(self, messages: Sequence[StoredMessage], *, branches: Branches) -> None:
        """Show another branch of this conversation; messages that both have keep their widgets.

        A streaming answer is followed; otherwise the scroll position stays.
        """
        n_common = 0
        for entry, message in zip(self.entries, messages, strict=False):
            if entry.message.id != message.id:
                break
            n_common += 1
        focused = self.column.focused_index()
        self.column.anchor_view()
        self._replace_from(n_common, messages, branches=branches)
        for index, message in enumerate(messages[:n_common]):
            entry = self.entries[index]
            if entry.message != message or entry.is_running:
                entry.replace(message, now=self._clock())
            entry.apply_branches(branches, is_last=index + 1 == len(messages))
        attach_sources(self.entries)
        for index in range(n_common):
            if (view := self.live.get(index)) is not None:
                view.refresh()
        is_running = bool(self.entries) and self.entries[-1].is_running
        self.column.scroll_to(None if is_running else self.column.scroll_position)
        self.pins_changed.emit()
        self.finder.messages_changed(scrolls=self.finder.bar.isVisible())
        if focused is not None and focused >= n_common and self._focus_target is None:
            self._focus_replacement_of(focused)
        self._go_to_target()
        self.messages_changed.emit()

    def _focus_replacement_of(self, index: int) -> None:
        """Focus the message that replaced the one with the focus."""
        view = self.live.get(min(index, len(self.entries) - 1))
        if view is not None:
            view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _replace_from(self, first: int, messages: Sequence[StoredMessage], *, branches: Branches) -> None:
        """Replace the messages from ``first`` on, without layout."""
        self.selection.clear()
        removed, added = self.column.replace_from(first, messages[first:])
        self.editor.stash(removed)
        for entry in removed:
            self._sentences.pop(entry.message.id, None)
        for entry in added:
            entry.apply_branches(branches, is_last=entry is added[-1])
        self.editor.unstash(added)

    def set_pinned(self, message_id: MessageId, *, pinned: bool) -> None:
        """Show whether a message is pinned."""
        if (index := self.index_of(message_id)) is not None:
            self.entries[index].is_pinned = pinned
            self.column.refresh(index)
            self.pins_changed.emit()

    def add_message(self, message: StoredMessage) -> None:
        """Add a message at the end; a question always scrolls into view."""
        if self.index_of(message.id) is not None:
            self.replace_message(message)
            return
        self.column.append(message)
        self.messages_changed.emit()

    def replace_message(self, message: StoredMessage) -> None:
        """Apply the stored state of a message; its text replaces what was streamed."""
        index = self.index_of(message.id)
        if index is None:
            return
        entry = self.entries[index]
        was_running, n_waited = entry.is_running, n_waiting_calls(entry.message)
        entry.replace(message, now=self._clock())
        self.column.refresh(index)
        if n_waiting_calls(message) > n_waited:
            self.announce(tr("A tool is waiting for permission"))
        if entry.is_user and index + 1 < len(self.entries):
            attach_sources(self.entries)
            self.column.refresh(index + 1)
        if was_running and not entry.is_running:
            sentences = self._sentences.pop(message.id, SentenceSplitter()).finish()
            self.announce(f"{sentences} {outcome_text(message)}".lstrip())
        self.messages_changed.emit()

    # Streaming

    def append_text(self, message_id: MessageId, delta: TextDelta) -> None:
        """Append streamed output; called once a frame."""
        index = self.index_of(message_id)
        if index is None or not self.entries[index].is_running:
            return
        entry = self.entries[index]
        now = self._clock()
        entry.append(delta.text, kind=delta.kind, now=now)
        entry.count_tokens(delta.n_completion, now=now)
        if delta.kind is OutputKind.ANSWER:
            self._announce_sentences(message_id, delta.text)
        self.column.refresh(index)

    def _announce_sentences(self, message_id: MessageId, text: str) -> None:
        """Announce the sentences that ``text`` completes, if a screen reader is active."""
        if QAccessible.isActive() and (
            sentences := self._sentences.setdefault(message_id, SentenceSplitter()).add(text)
        ):
            self.announce(sentences)

    def announce(self, text: str) -> None:
        """Have a screen reader announce ``text``."""
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))

    def set_thinking_since(self, message_id: MessageId, since: float) -> None:
        """Set when a running answer's reasoning started, on this transcript's clock."""
        index = self.index_of(message_id)
        if index is not None:
            self.entries[index].thinking_since = since
            self.column.refresh(index)

    def set_phase(self, message_id: MessageId, phase: Phase) -> None:
        """Show what a running answer is doing."""
        index = self.index_of(message_id)
        if index is not None and self.entries[index].is_running:
            self.entries[index].show_phase(phase)
            self.column.refresh(index)

    # Going to messages

    def view_of(self, index: int) -> MessageView:
        """Return the widget of a message, made if it has none."""
        return self.column.view_of(index)

    def show_message(self, index: int) -> None:
        """Scroll until message ``index`` is visible."""
        self.column.show_message(index)

    def go_to(self, message_id: MessageId) -> None:
        """Scroll to a message and focus it."""
        index = self.index_of(message_id)
        if index is not None:
            self.column.show_message(index)
            self.column.view_of(index).setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_last_visible(self) -> None:
        """Focus the last visible message."""
        self._keys.focus_last_visible()

    def go_to_when_shown(self, message_id: MessageId) -> None:
        """Go to a message as soon as its branch is shown."""
        self._focus_target = message_id
        self._go_to_target()

    def _go_to_target(self) -> None:
        if self._focus_target is not None and self.index_of(self._focus_target) is not None:
            target, self._focus_target = self._focus_target, None
            self.go_to(target)

    def show_query(self, index: int, query: str) -> None:
        """Highlight the matches of a search in all messages, and scroll to those of message ``index``.

        Escape removes the highlights, F3 goes to the next match.
        """
        self.finder.show_query(index, query)

    # Actions on a message

    def act(self, message_id: MessageId, action: MessageAction) -> None:
        """Perform an action on a message."""
        if (index := self.index_of(message_id)) is not None:
            self.message_actions.perform(self.entries[index], action)

    def open_menu(self, message_id: MessageId, *, exclude: Sequence[MessageAction], at: QPoint) -> None:
        """Open the menu of a message's actions other than ``exclude``."""
        if (index := self.index_of(message_id)) is not None:
            _popup(self.menu.build_more(self.entries[index], exclude), at)

    def choose_branch(self, message_id: MessageId) -> None:
        """Request the branch with this message."""
        self.branch_requested.emit(message_id)

    def request_step(self, step: NextStep) -> None:
        """Request the next step that an error offers."""
        self.step_requested.emit(step)

    # Mouse, keys and size

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start a selection."""
        if event.button() is Qt.MouseButton.LeftButton:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            extend = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.selection.press(event.globalPosition().toPoint(), extend=extend)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Extend the selection, or set the pointer's shape."""
        position = event.globalPosition().toPoint()
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.selection.drag(position)
            return
        shape = self.selection.cursor_shape_at(position)
        if self.viewport().cursor().shape() is not shape:
            self.viewport().setCursor(shape)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a selection; a click without movement follows the link under it."""
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        position = event.globalPosition().toPoint()
        if self.selection.release(position) and (url := self.selection.link_at(position)):
            self._follow(url, position)

    def _follow(self, url: str, position: QPoint) -> None:
        """Show the passage of a citation, or confirm opening a page."""
        number = cited_number(url)
        if number is None:
            confirm_open(url, open_url=self.open_url, parent=self.window())
            return
        entry = self.entries[self.column.index_at(self.viewport().mapFromGlobal(position).y())]
        sources = entry.sources
        if sources is not None and any(citation.number == number for citation in sources.citations):
            self.citation_requested.emit(number, sources, entry.text)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Select a word."""
        if event.button() is Qt.MouseButton.LeftButton:
            self.selection.double_click(event.globalPosition().toPoint())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the context menu; by the keyboard, for the message that has the focus."""
        index, inside, corner = self.column.focused_index(), event.globalPos(), event.globalPos()
        if event.reason() is QContextMenuEvent.Reason.Keyboard and index is not None:
            view = self.column.view_of(index)
            inside, corner = view.mapToGlobal(QPoint(view.width() // 2, 1)), view.mapToGlobal(QPoint(16, 16))
        _popup(self.menu.build(inside), corner)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle the transcript's keys; other text is passed to the composer."""
        if self._keys.handle(event):
            return
        if self._keys.writes_text(event):
            self.text_typed.emit(event.text())
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out again with the first visible message where it is."""
        super().resizeEvent(event)
        self.finder.set_bar_geometry()
        self.column.resize()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Do nothing: the column sets the geometry of every message itself."""

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, before: QWidget | None, now: QWidget | None) -> None:
        for view in self.live.values():
            has_focus = is_within(now, view)
            if has_focus != is_within(before, view):
                view.set_focused(has_focus)


def _popup(menu: QMenu, at: QPoint) -> None:
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.popup(at)


# Split streamed text into sentences for screen readers, which cannot announce half a word


_END: Final = re.compile(r"(?<=[.!?…:])[\"”»’)*_]*\s+|(?<=[。！？])|\n+")
_MAX_HELD_BACK: Final = 400
"""Longest text in characters that is held back; a longer sentence is announced in pieces."""
_FENCE: Final = re.compile(r"\s*(```|~~~)")
_MARKUP: Final = re.compile(
    r"^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+|\|[\s:|-]+$)|[*_`|]+|\]\([^)\s]*\)|\[(?=[^\]]*\])"
)


class SentenceSplitter:
    """Collects the streamed text of one answer, and returns its sentences once they are complete."""

    def __init__(self) -> None:
        self._rest = ""
        self._is_code = False

    def add(self, text: str) -> str:
        """Return the sentences that ``text`` completes, without markup; empty for none.

        Code blocks are left out: read character by character they are of no use.
        """
        self._rest += text
        ends = [match.end() for match in _END.finditer(self._rest)]
        if not ends and len(self._rest) > _MAX_HELD_BACK:
            ends = [self._rest.rfind(" ") + 1 or len(self._rest)]
        if not ends:
            return ""
        whole, self._rest = self._rest[: ends[-1]], self._rest[ends[-1] :]
        return self._without_markup(whole)

    def finish(self) -> str:
        """Return the rest when the answer has ended."""
        rest, self._rest = self._rest, ""
        return self._without_markup(rest)

    def _without_markup(self, text: str) -> str:
        out: list[str] = []
        for line in text.split("\n"):
            if _FENCE.match(line):
                self._is_code = not self._is_code
            elif not self._is_code:
                out.append(_MARKUP.sub(" ", line))
        return " ".join(" ".join(out).split())
