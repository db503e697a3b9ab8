"""Send, change and take back the messages that wait to be sent."""

from __future__ import annotations

from PySide6.QtCore import QObject

from fireside.core.chat import WaitingMessage
from fireside.core.errors import FiresideError, NotStored
from fireside.core.ids import WaitingId
from fireside.ui.chat.attachment_controller import AttachmentController
from fireside.ui.chat.pane_context import PaneContext
from fireside.ui.chat.queued_messages_area import WaitingArea


class QueueController(QObject):
    """Answers for the bubbles above the composer. GUI thread only."""

    def __init__(self, context: PaneContext, *, attachments: AttachmentController) -> None:
        super().__init__(context.pane)
        self._context = context
        self._attachments = attachments
        self.area = WaitingArea(theme=context.theme, handler=self, parent=context.pane)

    def send(self, waiting_id: WaitingId) -> None:
        """Send a message now."""
        self._context.run(self._context.client.branches.send_waiting(waiting_id))

    def take_back(self, waiting: WaitingMessage) -> None:
        """Put a message back into the composer."""

        def on_taken_back(_none: None) -> None:
            if waiting.message.text:
                self._context.composer.return_text(waiting.message.text)
            if waiting.message.attached:
                self._attachments.take_back(waiting.message.attached)

        self._context.run(self._context.client.branches.cancel_waiting(waiting.id), on_done=on_taken_back)

    def save_edit(self, waiting_id: WaitingId, text: str) -> None:
        """Store other words of a message."""
        self._context.run(
            self._context.client.branches.edit_waiting(waiting_id, text=text),
            on_done=lambda _none: self.area.end_edit(waiting_id),
        )

    def keep_draft(self, waiting_id: WaitingId, text: str | None) -> None:
        """Keep what has been typed into a message and not saved."""
        if not self._context.keeps_drafts:
            return

        def on_error(error: FiresideError) -> None:
            if not isinstance(error, NotStored):  # it was sent or deleted meanwhile
                self._context.show_error(error.info())

        work = self._context.client.branches.keep_waiting_edit(waiting_id, text=text)
        self._context.tasks.run(work, on_error=on_error)
