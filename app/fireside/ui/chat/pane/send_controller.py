"""Send messages from a chat pane, and save what is not sent as its draft."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from PySide6.QtCore import QObject

from fireside.core.attachment import Attachment
from fireside.core.chat import Conversation
from fireside.core.errors import FiresideError
from fireside.core.ids import ConversationId, DraftId, DraftKey, ModelId
from fireside.core.message import AttachedPart
from fireside.core.options import SettingValue
from fireside.ui.chat.composer.composer import unsent
from fireside.ui.chat.pane.attachment_controller import AttachmentController
from fireside.ui.chat.pane.conversation_sync import ConversationSync
from fireside.ui.chat.pane.pane_context import PaneContext

NO_DRAFT_ID: Final = DraftId("")
"""Of a new chat whose draft is not saved."""


@dataclass(kw_only=True)
class _PendingMessage:
    """A message that was sent and is not stored yet."""

    text: str
    reads_all: bool = False
    """Read all documents of the chat for it."""
    text_when_left: str | None = None
    """The composer's text when the user went to another chat meanwhile; ``None`` while this one is shown."""
    queued: list[_PendingMessage] = field(default_factory=list)
    """What the composer held each time the user pressed Send meanwhile; each begins with this message."""

    def next_message(self) -> _PendingMessage | None:
        """Return what to send next: the first of ``queued`` without this message at its beginning."""
        rest = [
            _PendingMessage(text=text, reads_all=each.reads_all)
            for each in self.queued
            if (text := unsent(each.text, sent=self.text)).strip()
        ]
        if not rest:
            return None
        rest[0].queued = rest[1:]
        return rest[0]


class SendController(QObject):
    """Sends the composer's text and attachments, one message at a time, and saves drafts. GUI thread only."""

    def __init__(
        self,
        context: PaneContext,
        *,
        sync: ConversationSync,
        attachments: AttachmentController,
        on_sent: Callable[[], None],
        on_created: Callable[[ConversationId], None],
    ) -> None:
        """Call ``on_sent`` when a message was stored and its chat is still shown, and ``on_created`` when it
        was the first one of a conversation."""
        super().__init__(context.pane)
        self._context = context
        self._client = context.client
        self._composer = context.composer
        self._sync = sync
        self.initial_settings: Callable[[], Mapping[str, SettingValue]] = dict
        """Returns the settings of its own that a new conversation is created with."""
        self._on_sent = on_sent
        self._on_created = on_created
        self._draft_id = NO_DRAFT_ID
        self._sending: _PendingMessage | None = None
        self._attachments = attachments
        attachments.draft_changed.connect(self._save_draft_files)
        self._composer.send_requested.connect(self.send)
        self._composer.stop_requested.connect(self.stop)
        self._composer.draft_changed.connect(self._on_draft_changed)

    @property
    def draft_id(self) -> DraftId | None:
        """The new chat's id, while that is shown and its draft is saved."""
        is_saved = self._context.saves_drafts and self._sync.conversation_id is None and self._draft_id
        return self._draft_id if is_saved else None

    @property
    def _draft_key(self) -> DraftKey:
        return self._draft_id if self._sync.conversation_id is None else self._sync.conversation_id

    def leave_chat(self) -> None:
        """Save what is written here as the draft of this chat: another one is shown from now on."""
        if self._sending is not None:
            self._sending.text_when_left = self._composer.text()
            self._sending = None
        self._composer.flush_draft()

    def show_draft(self, draft_key: DraftKey, *, text: str, attached: Sequence[Attachment]) -> None:
        """Show the draft of a conversation or of a new chat, with its attachments."""
        if isinstance(draft_key, str):
            self._draft_id = DraftId(draft_key)
        self._composer.set_text(text)
        self._attachments.switch_to(draft_key, attached=attached)

    def send(self, text: str, *, reads_all: bool = False) -> None:
        """Send ``text`` with what is attached, once the message before it is stored.

        ``reads_all``: have all documents of the chat read for it. An error goes to ``PaneContext.show_error``
        and leaves the text in the composer.
        """
        message = _PendingMessage(text=text, reads_all=reads_all)
        if self._sending is not None:
            self._sending.queued.append(message)
        else:
            self._context.with_model(lambda model_id: self._send(message, model_id=model_id))

    def _send(self, sending: _PendingMessage, *, model_id: ModelId) -> None:
        text = sending.text
        self._context.notices.clear()
        # A setting that is being edited in the side panel loses the focus and so applies to this message.
        self._composer.editor.setFocus()
        conversation_id, draft_id = self._sync.conversation_id, self.draft_id
        attached, draft_key = self._attachments.parts, self._draft_key
        is_new = conversation_id is None
        own = self.initial_settings() if is_new else {}
        self._sending = sending

        async def work() -> tuple[ConversationId, Conversation | None]:
            sent_to = await self._client.generations.send(
                conversation_id,
                text=text,
                model_id=model_id,
                attached=attached,
                settings=own,
                draft_id=draft_id,
                reads_all=sending.reads_all,
            )
            # Events of a new conversation have passed this pane by: it did not know the id. Read it.
            return sent_to, await self._client.conversations.open(sent_to) if is_new else None

        def on_sent(sent: tuple[ConversationId, Conversation | None]) -> None:
            sent_to, conversation = sent
            if sending.text_when_left is None:
                self._sending = None
                if conversation is not None:
                    self._sync.bind(conversation)
                self._remove_sent(text, attached=attached, conversation_id=sent_to)
                self._on_sent()
            if is_new:
                self._on_created(sent_to)
            if sending.text_when_left is not None:
                self._continue_in_background(sending, sent_to, model_id=model_id)
            elif next_message := sending.next_message():
                self._send(next_message, model_id=model_id)

        def on_error(error: FiresideError) -> None:
            if sending.text_when_left is not None:
                self._save_draft_text(draft_key, sending.text_when_left)
            else:
                self._sending = None
                self._composer.report_draft()
                self._save_draft_files(draft_key, self._attachments.kept)
                self._context.show_error(error.info())

        self._context.tasks.run(work(), on_done=on_sent, on_error=on_error)

    def _continue_in_background(
        self, sent: _PendingMessage, conversation_id: ConversationId, *, model_id: ModelId
    ) -> None:
        """Send the queued messages of a chat that is no longer shown; save what was not sent as its draft."""
        typed, sending = unsent(sent.text_when_left or "", sent=sent.text), sent.next_message()
        if sending is None:
            if typed:
                self._save_draft_text(conversation_id, typed)
            return
        sending.text_when_left = typed

        def on_error(error: FiresideError) -> None:
            self._save_draft_text(conversation_id, typed)
            self._context.show_error(error.info())

        self._context.tasks.run(
            self._client.generations.send(
                conversation_id, text=sending.text, model_id=model_id, reads_all=sending.reads_all
            ),
            on_done=lambda _: self._continue_in_background(sending, conversation_id, model_id=model_id),
            on_error=on_error,
        )

    def on_comparison_started(
        self, text: str, *, attached: tuple[AttachedPart, ...], conversation_id: ConversationId
    ) -> None:
        """Remove from the composer what ``ui.compare`` has sent to several models at once."""
        is_new = self._sync.conversation_id is None
        if is_new:
            self._sync.reload(conversation_id)
        self._remove_sent(text, attached=attached, conversation_id=conversation_id)
        if is_new:
            self._on_created(conversation_id)

    def stop(self) -> None:
        """Stop the answer that is being written, if there is one."""
        if self._sync.conversation_id is not None and self._sync.is_running:
            self._context.run_quietly(self._client.generations.stop(self._sync.conversation_id))

    def _remove_sent(
        self, text: str, *, attached: tuple[AttachedPart, ...], conversation_id: ConversationId
    ) -> None:
        self._composer.remove_sent(text)
        self._attachments.remove_sent(attached, to=conversation_id)

    # Drafts

    def _on_draft_changed(self, text: str) -> None:
        # A message that is not stored yet is still in the composer, and would come back as a draft.
        if self._sending is None:
            self._save_draft_text(self._draft_key, text)

    def _save_draft_text(self, draft_key: DraftKey, text: str) -> None:
        if self._context.saves_drafts and draft_key:
            self._context.run_quietly(self._client.conversations.save_draft(draft_key, text=text))

    def _save_draft_files(self, draft_key: DraftKey, attached: Sequence[Attachment]) -> None:
        # Files of a message that is not stored yet are still among them; the rest is saved once it is.
        is_being_sent = self._sending is not None and draft_key == self._draft_key
        if self._context.saves_drafts and draft_key and not is_being_sent:
            self._context.run_quietly(
                self._client.conversations.save_draft_files(draft_key, attached=attached)
            )
