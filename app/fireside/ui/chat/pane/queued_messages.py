"""Queued messages: their bubbles above the composer, and the controller that edits and sends them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from fireside.core.chat import QueuedMessage
from fireside.core.errors import FiresideError, RecordNotFound
from fireside.core.graphemes import cut
from fireside.core.i18n import tr
from fireside.core.ids import QueuedMessageId
from fireside.ui.chat.answer.highlight import Lexers
from fireside.ui.chat.answer.message_editor import MessageEditor
from fireside.ui.chat.answer.transcript_style import TranscriptStyle
from fireside.ui.chat.pane.attachment_controller import AttachmentController
from fireside.ui.chat.pane.pane_context import PaneContext
from fireside.ui.kit.layout import column, destroy, row, stretch
from fireside.ui.theme import theme
from fireside.ui.widgets.buttons import text_button, tool_button
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.text import ElidedLabel, one_line, plain_label

_MAX_HEIGHT = 190
_EXCERPT_CHARS = 400


class QueuedMessageBubble(QFrame):
    """The bubble of one queued message."""

    height_changed = Signal()
    """The bubble's height changed."""

    def __init__(self, queued: QueuedMessage, *, handler: QueueController, parent: QWidget) -> None:
        super().__init__(parent)
        self._handler = handler
        self.setObjectName("waitingBubble")
        self._style = TranscriptStyle(Lexers())
        self._editor: MessageEditor | None = None
        self.queued = queued
        self._line = QWidget(self)
        icon = Picture("clock", size=15, parent=self._line)
        self._label = ElidedLabel()
        self._label.setObjectName("waitingText")
        self.send = text_button(tr("Send now"), style="showMore", parent=self._line)
        self.edit = tool_button(tr("Edit"), parent=self._line)
        self.remove_button = tool_button(tr("Remove from queue"), parent=self._line)
        row(icon, stretch(self._label), self.send, self.edit, self.remove_button, spacing=4, on=self._line)
        self._column = column(self._line, margins=(12, 5, 6, 5), on=self)
        self.send.clicked.connect(lambda: handler.send(self.queued.id))
        self.edit.clicked.connect(self.start_edit)
        self.remove_button.clicked.connect(lambda: handler.remove_from_queue(self.queued))
        self.show_message(queued)
        self.restyle()

    def show_message(self, queued: QueuedMessage) -> None:
        """Show the message as it is now."""
        self.queued = queued
        files = [part.name or tr("Image") for part in queued.message.attached]
        parts = [part for part in (one_line(cut(queued.message.text, _EXCERPT_CHARS)), *files) if part]
        text = " · ".join(parts) or tr("This message cannot be read.")
        self._label.set_full_text(text)
        self.setAccessibleName(tr("Queued: {text}").format(text=text))

    def set_held(self, held: bool) -> None:
        """Set whether the message waits for the user to send it, not for the running answer."""
        self.send.setVisible(held)
        self.setToolTip("" if held else tr("Sends after the current answer"))

    def start_edit(self) -> None:
        """Open and focus the editor."""
        if self._editor is None:
            self._open_editor().focus_text()

    def resume_edit(self) -> None:
        """Open the editor with an unsaved edit, without focusing it."""
        if self._editor is None and self.queued.edit is not None:
            self._open_editor()

    def flush(self) -> None:
        """Report an edit that is still waiting for its timer."""
        if self._editor is not None:
            self._editor.flush()

    def _open_editor(self) -> MessageEditor:
        text = self.queued.message.text if self.queued.edit is None else self.queued.edit
        self._editor = MessageEditor(
            self._style, self, text=text, action=tr("Save"), name=tr("Edit queued message")
        )
        self._editor.saved.connect(lambda text: self._handler.save_edit(self.queued.id, text))
        self._editor.cancel.clicked.connect(self._on_cancelled)
        self._editor.draft_changed.connect(lambda text: self._handler.save_edit_draft(self.queued.id, text))
        self._editor.height_changed.connect(self._update_height)
        self._column.addWidget(self._editor)
        self._line.hide()
        self._editor.show()
        self._update_height()
        return self._editor

    def _on_cancelled(self) -> None:
        self.queued = replace(self.queued, edit=None)
        self.end_edit()
        self._handler.save_edit_draft(self.queued.id, None)

    def end_edit(self) -> None:
        """Close the editor."""
        if self._editor is not None:
            destroy(self._editor)
            self._editor = None
            self._line.show()
            self.edit.setFocus(Qt.FocusReason.OtherFocusReason)
            self.height_changed.emit()

    @property
    def is_edited(self) -> bool:
        return self._editor is not None

    def restyle(self) -> None:
        """Apply the current theme."""
        self._style = TranscriptStyle(self._style.lexers)
        theme().set_icon(self.edit, "pencil", size=15)
        theme().set_icon(self.remove_button, "x", size=15)
        if self._editor is not None:
            self._editor.restyle(self._style)

    def _update_height(self) -> None:
        if self._editor is not None:
            self._editor.setFixedHeight(self._editor.height_for(max(120, self.width() - 18)))
            self.height_changed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_height()


class QueuedMessagesArea(QWidget):
    """The queued messages of one conversation, in order. Hidden while there are none."""

    def __init__(self, *, handler: QueueController, parent: QWidget) -> None:
        super().__init__(parent)
        self._handler = handler
        self._held = False
        self._bubbles: dict[QueuedMessageId, QueuedMessageBubble] = {}
        self._head = plain_label("", name="composerNote", parent=self)
        self._scroll = QScrollArea(self)
        self._scroll.setObjectName("waitingScroll")
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setAccessibleName(tr("Queued messages"))
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        body = QWidget()
        body.setObjectName("waitingBody")
        self._column = column(spacing=6, on=body)
        self._scroll.setWidget(body)
        column(self._head, self._scroll, spacing=4, on=self)
        theme().changed.connect(self._on_theme_changed)
        self.hide()

    @property
    def bubbles(self) -> tuple[QueuedMessageBubble, ...]:
        return tuple(self._bubbles.values())

    def show_messages(self, messages: Sequence[QueuedMessage]) -> None:
        """Show these messages; existing bubbles stay, with their open editors."""
        ids = {message.id for message in messages}
        for removed_id in [id_ for id_ in self._bubbles if id_ not in ids]:
            bubble = self._bubbles.pop(removed_id)
            bubble.flush()
            self._column.removeWidget(bubble)
            destroy(bubble)
        for message in messages:
            if message.id in self._bubbles:
                self._bubbles[message.id].show_message(message)
            else:
                self._add(message)
        self.setVisible(bool(messages))
        self._show_count()
        self._update_height()

    def set_held(self, held: bool) -> None:
        """Set whether they wait for the user to send them, because no answer is running."""
        self._held = held
        for bubble in self._bubbles.values():
            bubble.set_held(held)
        self._show_count()

    def end_edit(self, queued_id: QueuedMessageId) -> None:
        """Close the editor of a message: its edit was saved."""
        if (bubble := self._bubbles.get(queued_id)) is not None:
            bubble.end_edit()

    def _add(self, message: QueuedMessage) -> None:
        bubble = QueuedMessageBubble(message, handler=self._handler, parent=self)
        bubble.height_changed.connect(self._update_height)
        bubble.set_held(self._held)
        self._bubbles[message.id] = bubble
        self._column.addWidget(bubble)
        bubble.show()
        bubble.resume_edit()

    def flush_edits(self) -> None:
        """Report edits that are still waiting for their timers."""
        for bubble in self._bubbles.values():
            bubble.flush()

    def _show_count(self) -> None:
        n = len(self._bubbles)
        if self._held:
            text = tr("%n queued message – not sent|%n queued messages – not sent", "", n)
        else:
            text = tr("%n queued message|%n queued messages", "", n)
        self._head.setText(text)

    def _update_height(self) -> None:
        self._column.activate()
        height = self._column.sizeHint().height()
        is_edited = any(bubble.is_edited for bubble in self._bubbles.values())
        self._scroll.setFixedHeight(min(height, _MAX_HEIGHT * 2 if is_edited else _MAX_HEIGHT))

    def _on_theme_changed(self) -> None:
        for bubble in self._bubbles.values():
            bubble.restyle()


class QueueController(QObject):
    """Handles the bubbles by requests to the engine. GUI thread only."""

    def __init__(self, context: PaneContext, *, attachments: AttachmentController) -> None:
        super().__init__(context.pane)
        self._context = context
        self._attachments = attachments
        self.area = QueuedMessagesArea(handler=self, parent=context.pane)

    def send(self, queued_id: QueuedMessageId) -> None:
        """Send a message now."""
        self._context.run(self._context.client.generations.send_queued(queued_id))

    def remove_from_queue(self, queued: QueuedMessage) -> None:
        """Remove a message from the queue and restore it in the composer."""

        def on_cancelled(_none: None) -> None:
            if queued.message.text:
                self._context.composer.restore_text(queued.message.text)
            if queued.message.attached:
                self._attachments.restore(queued.message.attached)

        self._context.run(self._context.client.branches.cancel_queued(queued.id), on_done=on_cancelled)

    def save_edit(self, queued_id: QueuedMessageId, text: str) -> None:
        """Save the edited text of a message."""
        self._context.run(
            self._context.client.branches.edit_queued(queued_id, text=text),
            on_done=lambda _none: self.area.end_edit(queued_id),
        )

    def save_edit_draft(self, queued_id: QueuedMessageId, text: str | None) -> None:
        """Store an unsaved edit; ``None`` deletes it."""
        if not self._context.saves_drafts:
            return

        def on_error(error: FiresideError) -> None:
            if not isinstance(error, RecordNotFound):  # it was sent or deleted meanwhile
                self._context.show_error(error.info())

        work = self._context.client.branches.save_queued_edit(queued_id, text=text)
        self._context.tasks.run(work, on_error=on_error)
