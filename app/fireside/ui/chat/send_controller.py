"""Send what is written in a chat pane; keep as a draft what is not sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from PySide6.QtCore import QObject

from fireside.core.attachment import Attachment
from fireside.core.chat import Conversation
from fireside.core.errors import FiresideError
from fireside.core.ids import ConversationId, DraftId, DraftPlace, ModelId
from fireside.core.message import AttachedPart
from fireside.core.options import SettingValue
from fireside.ui.chat.attachment_controller import AttachmentController
from fireside.ui.chat.composer import unsent
from fireside.ui.chat.conversation_sync import ConversationSync
from fireside.ui.chat.pane_context import PaneContext

NO_DRAFT_ID: Final = DraftId("")
"""Of a new chat whose draft is not kept."""


@dataclass(kw_only=True)
class _Sending:
    """A message on its way to be stored."""

    text: str
    reads_all: bool = False
    """All documents of the chat are read for it."""
    left: str | None = None
    """All that was typed when the chat was left meanwhile; ``None`` while it is still shown."""
    wanted: list[str] = field(default_factory=list)
    """All that was typed each time when it was to be sent meanwhile: this message is its beginning."""

    @property
    def following(self) -> list[str]:
        """What is to be sent next, as if this message had been taken from ``wanted``."""
        return [rest for typed in self.wanted if (rest := unsent(typed, sent=self.text)).strip()]


class SendController(QObject):
    """Stands between the composer and the engine. GUI thread only."""

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
        self.opening: Callable[[], Mapping[str, SettingValue]] = dict
        """What returns the settings that a new conversation gets of its own."""
        self._on_sent = on_sent
        self._on_created = on_created
        self._draft_id = NO_DRAFT_ID
        self._sending: _Sending | None = None
        self._attachments = attachments
        attachments.draft_changed.connect(self._keep_files)
        self._composer.send_requested.connect(self.send)
        self._composer.stop_requested.connect(self.stop)
        self._composer.draft_changed.connect(self._on_draft_changed)

    @property
    def draft_id(self) -> DraftId | None:
        """Of the new chat, while that is shown and kept."""
        is_kept = self._context.keeps_drafts and self._sync.conversation_id is None and self._draft_id
        return self._draft_id if is_kept else None

    @property
    def _place(self) -> DraftPlace:
        return self._draft_id if self._sync.conversation_id is None else self._sync.conversation_id

    def leave(self) -> None:
        """Another chat is shown from now on: keep what is written in this one."""
        if self._sending is not None:
            self._sending.left = self._composer.text()
            self._sending = None
        self._composer.flush_draft()

    def show_draft(self, place: DraftPlace, *, text: str, attached: Sequence[Attachment]) -> None:
        """Show what was written and attached in a conversation or a new chat."""
        if isinstance(place, str):
            self._draft_id = DraftId(place)
        self._composer.set_text(text)
        self._attachments.go_to(place, attached=attached)

    def send(self, text: str, *, reads_all: bool = False) -> None:
        """Send ``text`` with what is attached, once the message before it is stored; ``reads_all``: all
        documents of the chat are read for it."""
        if self._sending is not None:
            self._sending.wanted.append(text)
        else:
            self._context.with_model(
                lambda model_id: self._send(_Sending(text=text, reads_all=reads_all), model_id=model_id)
            )

    def _send(self, sending: _Sending, *, model_id: ModelId) -> None:
        text = sending.text
        self._context.notices.clear()
        # What is being typed in a setting beside the chat settles, and holds for this message.
        self._composer.editor.setFocus()
        conversation_id, draft_id = self._sync.conversation_id, self.draft_id
        attached, place = self._attachments.parts, self._place
        is_new = conversation_id is None
        own = self.opening() if is_new else {}
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
            # What has happened in a new one by now was not for this pane yet.
            return sent_to, await self._client.conversations.open(sent_to) if is_new else None

        def on_sent(sent: tuple[ConversationId, Conversation | None]) -> None:
            sent_to, conversation = sent
            if sending.left is None:
                self._sending = None
                if conversation is not None:
                    self._sync.bind(conversation)
                self._take_sent(text, attached=attached, conversation_id=sent_to)
                self._on_sent()
            if is_new:
                self._on_created(sent_to)
            if sending.left is not None:
                self._go_on_behind(sending, sent_to, model_id=model_id)
            elif wanted := sending.following:
                self._send(_Sending(text=wanted[0], wanted=wanted[1:]), model_id=model_id)

        def on_error(error: FiresideError) -> None:
            if sending.left is not None:
                self._keep_text(place, sending.left)
            else:
                self._sending = None
                self._composer.report_draft()
                self._keep_files(place, self._attachments.attachments)
                self._context.show_error(error.info())

        self._context.tasks.run(work(), on_done=on_sent, on_error=on_error)

    def _go_on_behind(self, sent: _Sending, conversation_id: ConversationId, *, model_id: ModelId) -> None:
        """Send what was to follow in a chat that has been left, and keep as its draft what was not."""
        typed, wanted = unsent(sent.left or "", sent=sent.text), sent.following
        if not wanted:
            if typed:
                self._keep_text(conversation_id, typed)
            return
        sending = _Sending(text=wanted[0], left=typed, wanted=wanted[1:])

        def on_error(error: FiresideError) -> None:
            self._keep_text(conversation_id, typed)
            self._context.show_error(error.info())

        self._context.tasks.run(
            self._client.generations.send(conversation_id, text=sending.text, model_id=model_id),
            on_done=lambda _: self._go_on_behind(sending, conversation_id, model_id=model_id),
            on_error=on_error,
        )

    def was_asked(
        self, text: str, *, attached: tuple[AttachedPart, ...], conversation_id: ConversationId
    ) -> None:
        """Take over that what was written here has been asked of several models."""
        is_new = self._sync.conversation_id is None
        if is_new:
            self._sync.read(conversation_id)
        self._take_sent(text, attached=attached, conversation_id=conversation_id)
        if is_new:
            self._on_created(conversation_id)

    def stop(self) -> None:
        """Stop the answer that is being written, if there is one."""
        if self._sync.conversation_id is not None and self._sync.is_running:
            self._context.run_quietly(self._client.generations.stop(self._sync.conversation_id))

    def _take_sent(
        self, text: str, *, attached: tuple[AttachedPart, ...], conversation_id: ConversationId
    ) -> None:
        self._composer.take_sent(text)
        self._attachments.were_sent(attached, to=conversation_id)

    # Drafts

    def _on_draft_changed(self, text: str) -> None:
        # While a message is on its way it is still here, and would come back as a draft.
        if self._sending is None:
            self._keep_text(self._place, text)

    def _keep_text(self, place: DraftPlace, text: str) -> None:
        if self._context.keeps_drafts and place:
            self._context.run_quietly(self._client.conversations.save_draft(place, text=text))

    def _keep_files(self, place: DraftPlace, attached: Sequence[Attachment]) -> None:
        # Those of a message on its way are still among them; what is left over is kept once it is stored.
        is_on_its_way = self._sending is not None and place == self._place
        if self._context.keeps_drafts and place and not is_on_its_way:
            self._context.run_quietly(self._client.conversations.save_draft_files(place, attached=attached))
