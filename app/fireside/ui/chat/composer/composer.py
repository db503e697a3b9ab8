"""The composer: message editor, folded pastes, attachments, context meter, Send and Stop."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.core.message import DocumentPart
from fireside.markup.rich_text import clean
from fireside.ui.chat.composer.attachment_chip import CHIP_HEIGHT, AttachmentChip, ChipFacts
from fireside.ui.chat.composer.attachment_sheet import AttachmentSheet
from fireside.ui.chat.composer.composer_text import ComposerText
from fireside.ui.chat.composer.context_meter import ContextMeter
from fireside.ui.chat.composer.draft_timer import DraftTimer
from fireside.ui.chat.composer.pasted import Pasted, is_long, join_message, length_problem, split_message
from fireside.ui.kit.layout import clear, column, destroy, row, stretch
from fireside.ui.theme import SPACE_S, theme
from fireside.ui.widgets.buttons import Button, IconButton, tool_button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.text import ElidedLabel, plain_label, plain_tooltip, set_style_property

# The long texts that are sent with a message, each folded to a line above the composer's editor.


class PastedArea(QWidget):
    """Owns the folded texts; hidden while there are none."""

    removed = Signal()
    """The user removed a text."""

    def __init__(self, *, parent: QWidget) -> None:
        super().__init__(parent)
        self.texts: tuple[Pasted, ...] = ()
        self._column = column(spacing=6, on=self)
        theme().changed.connect(self._rebuild)
        self.hide()

    def show_texts(self, texts: tuple[Pasted, ...]) -> None:
        """Replace the texts."""
        self.texts = texts
        self._rebuild()

    def _rebuild(self) -> None:
        clear(self._column)
        for index, piece in enumerate(self.texts):
            chip = self._chip(piece, index=index)
            self._column.addWidget(chip)
            chip.show()
        self.setVisible(bool(self.texts))

    def _chip(self, piece: Pasted, *, index: int) -> QFrame:
        chip = QFrame(self)
        chip.setObjectName("noteCard")
        remove = tool_button(tr("Remove text"), parent=chip)
        theme().set_icon(remove, "x", size=15)
        remove.setAccessibleName(tr("Remove: {label}").format(label=piece.label))
        remove.clicked.connect(lambda: self._remove(index))
        show = Button(piece.label, kind="bare", on_click=lambda: self._show(piece))
        show.setToolTip(tr("Show this text"))
        row(show, stretch(), remove, spacing=6, margins=(10, 3, 4, 3), on=chip)
        return chip

    def _show(self, piece: Pasted) -> None:
        part = DocumentPart(name=piece.label, media_type="text/plain", text=piece.text)
        AttachmentSheet(part, parent=self.window()).open()

    def _remove(self, index: int) -> None:
        self.show_texts(self.texts[:index] + self.texts[index + 1 :])
        self.removed.emit()


# The tray of the composer with the chips of attached files.

_MAX_ROWS: Final = 2.8
"""Rows of chips that are visible at once; a part of a row hints that there are more. Of sounds, whose
chips are higher, two rows are shown whole."""


class AttachmentTray(QScrollArea):
    """Shows ``ChipFacts`` as chips in rows; hidden while there are none."""

    opened = Signal(int)
    """Index of the file whose chip was clicked."""
    removed = Signal(int)
    """Index of the file that the user removes."""
    cleared = Signal()
    """The user removes all files."""

    def __init__(self, *, parent: QWidget, tab_after: QWidget) -> None:
        """Tab leads here from ``tab_after``."""
        super().__init__(parent)
        self._tab_after = tab_after
        self.chips: list[AttachmentChip] = []
        self._max_height = self.maximumHeight()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._body, self._flow = flow_row(spacing=SPACE_S)
        self.setWidget(self._body)
        self.clear_button = Button(tr("Remove all"), kind="quiet")
        self.clear_button.setAccessibleName(tr("Remove all files"))
        self.clear_button.clicked.connect(self.cleared)
        self.clear_button.setParent(self._body)
        self.clear_button.hide()
        self.setAccessibleName(tr("Attached files"))
        theme().changed.connect(self._on_theme_changed)
        self.hide()

    def show_files(self, files: Sequence[ChipFacts]) -> None:
        """Show these files; a chip that stays keeps the focus."""
        if [chip.facts for chip in self.chips] != list(files):
            self._rebuild(files)

    def set_max_height(self, px: int) -> None:
        """Limit the height; what does not fit is scrolled."""
        self._max_height = px
        self._update_height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_height()

    def _rebuild(self, files: Sequence[ChipFacts], *, reuses_chips: bool = True) -> None:
        focused = next((index for index, chip in enumerate(self.chips) if chip.hasFocus()), None)
        before, self.chips = self.chips, []
        for chip in (*before, self.clear_button):
            self._flow.removeWidget(chip)
        for index, facts in enumerate(files):
            is_same = reuses_chips and index < len(before) and before[index].facts == facts
            chip = before[index] if is_same else self._make_chip(facts, index)
            self._flow.addWidget(chip)
            chip.show()
            self.chips.append(chip)
        destroy(*(chip for chip in before if chip not in self.chips))
        if len(files) > 1:
            self._flow.addWidget(self.clear_button)
        self.clear_button.setVisible(len(files) > 1)
        self._order_tabs()
        self.setVisible(bool(files))
        self._update_height()
        if focused is not None and focused < len(self.chips):
            self.chips[focused].setFocus(Qt.FocusReason.OtherFocusReason)
        if len(self.chips) > len(before):
            self._flow.activate()
            self.ensureWidgetVisible(self.chips[-1])

    def _order_tabs(self) -> None:
        parts = (stop for chip in self.chips for stop in chip.tab_stops)
        for previous, following in pairwise((self._tab_after, *parts, self.clear_button)):
            QWidget.setTabOrder(previous, following)

    def _make_chip(self, facts: ChipFacts, index: int) -> AttachmentChip:
        chip = AttachmentChip(facts, can_remove=True, parent=self._body)
        chip.opened.connect(lambda: self.opened.emit(index))
        if chip.remove_button is not None:
            chip.remove_button.clicked.connect(lambda: self.removed.emit(index))
        return chip

    def _update_height(self) -> None:
        """Set the height to that of the chips, up to ``_MAX_ROWS`` rows; more are scrolled."""
        chips_height = self._flow.heightForWidth(max(1, self.viewport().width()))
        rows_height = round(_MAX_ROWS * (theme().scaled(CHIP_HEIGHT) + SPACE_S))
        height = min(chips_height, rows_height, self._max_height)
        if self.height() != height or self.minimumHeight() != height:
            self.setFixedHeight(max(1, height))

    def _on_theme_changed(self) -> None:
        self._rebuild([chip.facts for chip in self.chips], reuses_chips=False)


_MAX_SHARE = 0.4
"""Share of the pane's height that the editor takes at most."""
_MAX_FILES_SHARE = 0.35
"""The same of the attached files."""
_MIN_HEIGHT = 40
_TEXT_MARGIN = 12
"""Pixels left and right of the editor's text."""
_NO_TEXT = tr_noop("Write a message first")


class Composer(QFrame):
    """A view: signals what the user wants, and changes nothing but its own text.

    Where Send is disabled, a note above the buttons says why.
    """

    send_requested = Signal(str)
    stop_requested = Signal()
    edit_last_requested = Signal()
    """Up was pressed in an empty composer: edit the last message."""
    draft_changed = Signal(str)
    """The text to save as the draft, delayed by a ``DraftTimer``."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("composer")
        self._running = False
        self._blocked = ""
        self._has_files = False
        self._files_reason = ""
        self._context_reason = ""
        self._info = ""
        self._host = ""
        self._placeholder = ""
        self._available_height = 600
        self.editor = ComposerText(self)
        self.meter = ContextMeter(self)
        self._note = plain_label("", name="composerNote", parent=self)
        self._note.setWordWrap(True)
        self._note.hide()
        self._pasted = PastedArea(parent=self)
        self._pasted.removed.connect(self._on_pasted_removed)
        self.tray = AttachmentTray(parent=self, tab_after=self.editor)
        self.model_button = Button(tr("Choose model…"), kind="quiet", icon="box", parent=self)
        """Shown for files that the model does not take, whatever the tray has scrolled."""
        self.model_button.hide()
        self.component_button = Button(
            tr("Download media formats…"), kind="quiet", icon="download", parent=self
        )
        """Shown for files that the component reads, while it is not there."""
        self.component_button.hide()
        self.transcribe_button = Button(tr("Transcribe"), kind="quiet", icon="file-text", parent=self)
        """Shown for recordings, where speech can be recognised; ends that while it runs."""
        self.transcribe_button.hide()
        self.sound_button = Button(tr("Send as audio"), kind="quiet", icon="audio-lines", parent=self)
        """Shown for transcripts of recordings that the model takes."""
        self.sound_button.hide()
        self.attach_button = IconButton("paperclip", name=tr("Attach files"), parent=self)
        self.menu_button = IconButton("square-slash", name=tr("Presets and commands"), parent=self)
        self.menu_button.set_shortcut_text("/")
        self.tools_button = IconButton("wrench", name=tr("Tools in this chat"), parent=self)
        self.compare_button = IconButton("columns-2", name=tr("Compare answers…"), parent=self)
        self.dictate_button = IconButton("mic", name=tr("Dictate"), parent=self)
        self.talk_button = IconButton("audio-lines", name=tr("Talk"), parent=self)
        self.host_note = ElidedLabel(parent=self)
        self.host_note.setObjectName("composerNote")
        self.host_note.hide()
        self.send_button = tool_button(tr("Send"), parent=self)
        self.queue_button = tool_button(tr("Queue"), parent=self)
        self._build()
        self._draft_timer = DraftTimer(self)
        self._draft_timer.due.connect(self.report_draft)
        self.editor.textChanged.connect(self._on_text_changed)
        self.editor.send_pressed.connect(self._on_send)
        self.editor.stop_pressed.connect(self._on_escape)
        self.editor.up_pressed.connect(self._on_up)
        self.editor.text_pasted.connect(self.insert_text)
        self.editor.focus_changed.connect(self._show_focus)
        self.editor.document().documentLayout().documentSizeChanged.connect(self._update_height)
        theme().changed.connect(self._show_button)
        self._show_button()
        self._update_height()

    def _build(self) -> None:
        self.send_button.setObjectName("send")
        self.send_button.clicked.connect(self._on_button)
        self.queue_button.setToolTip(tr("Queue (Enter)"))
        self.queue_button.clicked.connect(self._on_send)
        self.queue_button.hide()
        left = (self.attach_button, self.menu_button, self.tools_button, self.compare_button)
        right = (self.dictate_button, self.talk_button, self.queue_button, self.send_button)
        foot = row(*left, stretch(), self.meter, self.host_note, *right, spacing=10)
        offers = (self.transcribe_button, self.sound_button, self.model_button, self.component_button)
        steps = row(*offers, stretch(), spacing=SPACE_S)
        parts = (self.tray, steps, self._pasted, self.editor, self._note, foot)
        self._column = column(*parts, margins=(16, 12, 10, 10), on=self)
        for before, after in pairwise(
            (
                self.editor,
                self.tray.clear_button,
                *offers,
                *left,
                self.meter,
                *right,
            )
        ):
            QWidget.setTabOrder(before, after)

    def add_area(self, area: QWidget) -> None:
        """Place what another feature shows above the buttons."""
        self._column.insertWidget(self._column.count() - 1, area)

    # Text

    def text(self) -> str:
        """Return the whole message: what was typed, and the folded pastes."""
        return join_message(clean(self.editor.toPlainText()), self._pasted.texts)

    def set_text(self, text: str) -> None:
        """Show a draft, without reporting it as changed."""
        with QSignalBlocker(self.editor):
            typed, pasted = split_message(clean(text))
            self._pasted.show_texts(pasted)
            self.editor.setPlainText(typed)
            self.editor.moveCursor(QTextCursor.MoveOperation.End)
        self.cancel_draft_report()
        self._note.show_text("")
        self._show_button()
        self._update_height()

    def insert_text(self, text: str) -> bool:
        """Insert text at the cursor, as a paste does; a long text is folded to a line above the editor.

        Returns whether it is in the message: one that would be too long is refused with a note.
        """
        text = clean(text.replace("\r\n", "\n").replace("\r", "\n"))
        problem = length_problem(n_added=len(text), n_present=len(self.text()))
        self._note.show_text(problem)
        if problem or not text:
            return False
        if is_long(text) or is_long(self.editor.toPlainText() + text):
            self._pasted.show_texts((*self._pasted.texts, Pasted(text=text)))
            self._on_text_changed()
        else:
            cursor = self.editor.textCursor()
            cursor.beginEditBlock()  # one step of its own to undo, apart from what was typed before it
            cursor.insertText(text)
            cursor.endEditBlock()
            self.editor.ensureCursorVisible()
        return True

    def clear_text(self) -> None:
        """Clear the editor, in a way that Undo reverts."""
        cursor = self.editor.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.removeSelectedText()

    def restore_text(self, text: str) -> None:
        """Append the text of a withdrawn message below what was typed since, and focus the editor."""
        typed = self.text()
        self.set_text(text if not typed.strip() else f"{typed}\n\n{text}")
        self._on_text_changed()
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def remove_sent(self, text: str) -> None:
        """Remove what was sent and leave what was typed since."""
        typed = self.text()
        rest = unsent(typed, sent=text)
        if rest != typed:
            self.set_text(rest)
        if rest:
            self.report_draft()

    def flush_draft(self) -> None:
        """Report a change that is still waiting for its timer; call before another conversation is shown."""
        self.editor.commit_preedit()
        if self._draft_timer.is_active:
            self.report_draft()

    def cancel_draft_report(self) -> None:
        """Drop the change that is waiting for its timer: the text was sent."""
        self._draft_timer.stop()

    def _on_pasted_removed(self) -> None:
        self._on_text_changed()
        self.editor.setFocus()

    # State

    def set_model_name(self, name: str, *, host: str = "") -> None:
        """Set the model's name for the placeholder, and the host that gets the message; none for a local
        model."""
        self._placeholder = tr("Message {name}").format(name=name) if name else tr("Choose a model to start")
        self._show_placeholder()
        self._host = host
        self.host_note.set_full_text(f"@ {host}" if host else "")
        self.host_note.setVisible(bool(host))
        self.host_note.setToolTip(plain_tooltip(self._send_label()))
        self._show_button()

    def _send_label(self) -> str:
        return tr("Send to {host}").format(host=self._host) if self._host else tr("Send")

    def set_temporary(self, temporary: bool) -> None:
        """Set whether what is written here belongs to a temporary chat: the edge is dashed."""
        set_style_property(self, "temporary", temporary)

    def set_running(self, running: bool) -> None:
        """Set whether an answer is being generated: Send becomes Stop, and further messages are queued."""
        self._running = running
        self._show_button()

    def set_blocked(self, reason: str) -> None:
        """Set why nothing can be sent now; empty where it can."""
        self._blocked = reason
        self._show_button()

    def set_files(self, *, any_attached: bool, reason: str) -> None:
        """Set whether files are attached, and the sentence why they cannot be sent; empty where they can."""
        self._clear_stale_reason()
        self._has_files, self._files_reason = any_attached, reason
        self._show_button()

    def show_info(self, text: str) -> None:
        """Show a sentence that does not block sending, until the next call; empty removes it."""
        if text or self._note.text() == self._info:
            self._note.show_text(text)
        self._info = text

    @property
    def note(self) -> str:
        """The sentence that is shown; empty where there is none."""
        return self._note.text()

    def set_context_reason(self, reason: str) -> None:
        """Set why the message does not fit the context; empty where it does."""
        if reason != self._context_reason:
            self._clear_stale_reason()
            self._context_reason = reason
            self._show_button()

    def set_available_height(self, height: int) -> None:
        """Set the pane's height in pixels; the editor grows to a share of it."""
        self._available_height = height
        self.tray.set_max_height(round(height * _MAX_FILES_SHARE))
        self._update_height()

    def reason_not_to_send(self) -> str:
        """Return why Send is disabled, as a sentence; empty where it is enabled."""
        if reason := self._blocked or self._files_reason:
            return reason
        return tr(_NO_TEXT) if self.is_blank else self._context_reason

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing to send."""
        return not (self._has_files or self._pasted.texts or self.editor.toPlainText().strip())

    # Reactions

    def _on_send(self) -> None:
        if self.editor.is_composing:  # the button was clicked while an input method held text
            self.editor.commit_preedit()
            self.editor.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        reason = self.reason_not_to_send()
        if not reason:
            self.send_requested.emit(self.text())
        elif reason != tr(_NO_TEXT):
            self._note.show_text(reason)

    def _on_button(self) -> None:
        if self._running:
            self.stop_requested.emit()
        else:
            self._on_send()

    def _on_escape(self) -> None:
        if self._running:
            self.stop_requested.emit()

    def _on_up(self) -> None:
        if not self.text() and not self._has_files:
            self.edit_last_requested.emit()

    def _on_text_changed(self) -> None:
        self._draft_timer.start()
        self._clear_stale_reason()
        self._show_button()

    def _clear_stale_reason(self) -> None:
        """Remove the note if it says why the message could not be sent: that may have changed."""
        if self._note.text() in (self._blocked, self._files_reason, self._context_reason):
            self._note.show_text("")

    def report_draft(self) -> None:
        """Report the current text as the draft at once."""
        self.cancel_draft_report()
        self.draft_changed.emit(self.text())

    def _show_button(self) -> None:
        reason = "" if self._running else self.reason_not_to_send()
        name = tr("Stop") if self._running else self._send_label()
        colour = "dim" if reason else "on_accent"
        # A filled square of our own; Lucide's is an outline.
        theme().set_icon(self.send_button, "square-filled" if self._running else "arrow-up", colour)
        theme().set_icon(self.queue_button, "list-plus")
        self.queue_button.setVisible(self._running and not self.reason_not_to_send())
        self.send_button.setEnabled(not reason)
        self.send_button.setAccessibleName(name)
        self.send_button.setAccessibleDescription(reason)
        tip = tr("Stop (Esc)") if self._running else tr("Send (Enter)")
        if self._host and not self._running:
            tip = plain_tooltip(tr("Send to {host} (Enter)").format(host=self._host))
        self.send_button.setToolTip(reason or tip)

    def _show_focus(self) -> None:
        set_style_property(self, "active", self.editor.hasFocus())

    def _update_height(self) -> None:
        self._show_placeholder()
        content_height = round(self.editor.document().size().height())
        max_height = max(_MIN_HEIGHT, round(self._available_height * _MAX_SHARE))
        height = max(_MIN_HEIGHT, min(content_height, max_height))
        policy = Qt.ScrollBarPolicy
        self.editor.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if content_height > max_height else policy.ScrollBarAlwaysOff
        )
        if height != self.editor.height():
            self.editor.setFixedHeight(height)

    def _show_placeholder(self) -> None:
        """Elide the placeholder to one line: the editor would wrap a long model name and show half of it."""
        metrics, width = self.editor.fontMetrics(), self.editor.viewport().width() - _TEXT_MARGIN
        self.editor.setPlaceholderText(
            metrics.elidedText(self._placeholder, Qt.TextElideMode.ElideRight, width)
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_height()


def unsent(typed: str, *, sent: str) -> str:
    """Return what was typed after ``sent``; all of ``typed`` where it no longer begins with that."""
    return typed[len(sent) :].lstrip("\n") if typed.startswith(sent) else typed
