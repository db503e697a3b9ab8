"""One conversation, whole: transcript or greeting, notices, composer; speaks to the engine by its façade."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from fireside.bridge.client import EngineClient
from fireside.core.attachment import Attachment
from fireside.core.chat import Conversation
from fireside.core.errors import ErrorInfo, FiresideError, NextStep
from fireside.core.events import (
    AppEvent,
    ConversationDeleted,
    SettingsChanged,
)
from fireside.core.i18n import tr
from fireside.core.ids import ConversationId, DraftId, DraftPlace, MessageId, ModelId
from fireside.core.message import AttachedPart
from fireside.core.model import ModelEntry, ModelSpec, display_name
from fireside.core.options import SettingValue
from fireside.core.status import ModelStatus, Ready
from fireside.ui.chat.attachment_controller import AttachmentController
from fireside.ui.chat.branch_controller import BranchController
from fireside.ui.chat.composer import Composer, unsent
from fireside.ui.chat.conversation_sync import ConversationSync
from fireside.ui.chat.empty_state import EmptyState
from fireside.ui.chat.links import OpenUrl
from fireside.ui.chat.notices import Notices
from fireside.ui.chat.queued_messages_area import WaitingArea
from fireside.ui.chat.style import column_width
from fireside.ui.chat.transcript import Transcript
from fireside.ui.context.context_controller import ContextController
from fireside.ui.presets.chips import ChatChips
from fireside.ui.tasks import Result, TaskRunner
from fireside.ui.theme import Theme

UNKEPT: Final = DraftId("")
"""Of a new chat that nobody keeps."""
_LEAST_HEIGHT: Final = 120
"""Pixels that what was said keeps, however much stands above the composer."""


@dataclass(kw_only=True)
class _Sending:
    """A message on its way to be stored."""

    text: str
    left: str | None = None
    """All that was typed when the chat was left meanwhile; ``None`` while it is still shown."""


class ChatPane(QWidget):
    """Shows one conversation, or a new one that gets its identity with the first message.

    Events of other conversations are ignored. GUI thread only.
    """

    conversation_created = Signal(object)
    """``ConversationId`` of the new chat, once its first message is committed."""
    step_requested = Signal(object)
    """``NextStep`` that a person chose on an error, but for trying again, which happens here."""
    error_shown = Signal(object)
    """``ErrorInfo`` of a request that failed."""

    def __init__(
        self,
        *,
        client: EngineClient,
        tasks: TaskRunner,
        theme: Theme,
        open_url: OpenUrl,
        keeps_drafts: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._keeps_drafts = keeps_drafts
        self.setObjectName("chatPane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._client = client
        self._tasks = tasks
        self._theme = theme
        self._draft_id = UNKEPT
        """Of the new chat, while that is shown."""
        self._sending: _Sending | None = None
        self._model: ModelEntry | None = None
        self._status: ModelStatus | None = None
        self.transcript = Transcript(theme=theme, open_url=open_url, parent=self)
        self.empty = EmptyState(theme=theme, parent=self)
        self.notices = Notices(theme=theme, parent=self)
        self.chips = ChatChips(theme=theme, parent=self)
        self.opening: Callable[[], Mapping[str, SettingValue]] = dict
        """What returns the settings that a new conversation gets of its own."""
        self.composer = Composer(theme=theme, parent=self)
        self.attaching = AttachmentController(
            client=client.attachments,
            tasks=tasks,
            theme=theme,
            composer=self.composer,
            keep=self._keep_files,
            pane=self,
        )
        self.waiting = WaitingArea(theme=theme, parent=self)
        self._sync = ConversationSync(
            client=client, tasks=tasks, transcript=self.transcript, waiting=self.waiting, parent=self
        )
        self.steering = BranchController(
            client=client,
            tasks=tasks,
            theme=theme,
            transcript=self.transcript,
            waiting=self.waiting,
            conversation_id=lambda: self.conversation_id,
            model_id=self._model_id,
            keeps_edits=keeps_drafts,
            window=self,
        )
        self.context = ContextController(
            client=client.context,
            tasks=tasks,
            theme=theme,
            composer=self.composer,
            transcript=self.transcript,
            attached=lambda: self.attaching.parts,
            conversation_id=lambda: self.conversation_id,
            model_id=self._model_id,
            pane=self,
        )
        self._build()
        self._connect()
        self.set_model(None, None)

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.stack = QStackedWidget(self)
        self.stack.addWidget(self.empty)
        self.stack.addWidget(self.transcript)
        # Else the greeting, though it is hidden, asks for so much that the notices are squeezed.
        self.stack.setMinimumHeight(_LEAST_HEIGHT)
        column.addWidget(self.stack, 1)
        self._foot = QWidget(self)
        foot = QVBoxLayout(self._foot)
        foot.setContentsMargins(0, 0, 0, 0)
        foot.setSpacing(8)
        for part in (self.notices, self.context.notice, self.waiting, self.chips, self.composer):
            foot.addWidget(part)
        self._foot_row = QHBoxLayout()
        self._foot_row.addWidget(self._foot)
        column.addLayout(self._foot_row)

    def _connect(self) -> None:
        self._sync.changed.connect(self._after_change)
        self._sync.failed.connect(self._show_error)
        self.composer.send_requested.connect(self._on_send)
        self.composer.stop_requested.connect(self._on_stop)
        self.composer.draft_changed.connect(self._on_draft_changed)
        self.setFocusProxy(self.composer.editor)
        self.empty.example_chosen.connect(self._on_example)
        self.transcript.typed.connect(self._on_typed)
        self.notices.step_requested.connect(self.step_requested)
        self.transcript.step_requested.connect(self.step_requested)
        self.steering.failed.connect(self._show_error)
        self.steering.asked.connect(self.notices.clear)
        self.steering.text_returned.connect(self.composer.return_text)
        self.steering.files_returned.connect(self.attaching.take_back)
        self.steering.model_missing.connect(lambda: self.step_requested.emit(NextStep.CHOOSE_MODEL))
        self.attaching.changed.connect(self.context.ask_soon)
        self.context.failed.connect(self._show_error)
        self._theme.changed.connect(self._fit_width)

    # What is shown

    @property
    def model(self) -> ModelEntry | None:
        """Which model answers here."""
        return self._model

    @property
    def conversation_id(self) -> ConversationId | None:
        return self._sync.conversation_id

    @property
    def is_running(self) -> bool:
        """Whether an answer is being written here, in the branch that is shown or in another one."""
        return self._sync.is_running

    @property
    def draft_id(self) -> DraftId | None:
        """Of the new chat, while that is shown and kept."""
        is_kept = self._keeps_drafts and self.conversation_id is None and self._draft_id
        return self._draft_id if is_kept else None

    @property
    def _place(self) -> DraftPlace:
        return self._draft_id if self.conversation_id is None else self.conversation_id

    def open(self, conversation: Conversation) -> None:
        """Show a stored conversation with its draft."""
        self._leave()
        self._sync.open(conversation)
        self.composer.set_text(conversation.draft)
        self.attaching.go_to(conversation.summary.id, attached=conversation.attached)
        self._after_change()

    def open_new(
        self, *, draft: str, draft_id: DraftId = UNKEPT, attached: Sequence[Attachment] = ()
    ) -> None:
        """Show a new chat with what was typed and attached and not sent; it is kept as ``draft_id``."""
        self._leave()
        self._draft_id = draft_id
        self._sync.open_new()
        self.composer.set_text(draft)
        self.attaching.go_to(draft_id, attached=attached)
        self._after_change()

    def set_model(self, model: ModelEntry | None, status: ModelStatus | None) -> None:
        """Say which model answers here, and where it stands."""
        was_ready = self._is_ready()
        changed = _spec_of(model) != _spec_of(self._model)
        self._model, self._status = model, status
        name = "" if model is None or model.spec is None else display_name(model)
        self.composer.set_model_name(name)
        self.composer.set_blocked("" if name else tr("Choose a model first"))
        n_params = 0 if model is None or model.spec is None else model.spec.n_params
        self.empty.set_model(name, None if status is None else status.state, n_params=n_params)
        if changed:
            self.context.forget()
        if changed or self._is_ready() != was_ready:
            self.attaching.set_model(model, status)
            self.context.ask_soon()

    def focus_composer(self) -> None:
        """Put the cursor where a message is written."""
        self.composer.editor.setFocus()

    def flush_drafts(self) -> None:
        """Keep at once what was typed and has not rested yet: the window may close."""
        self.composer.flush_draft()
        self.transcript.editor.flush()
        self.waiting.flush_edits()

    def show_message(self, message_id: MessageId, *, words: str = "") -> None:
        """Scroll to a message and mark the ``words`` of a search in it.

        One of another branch is waited for until that branch is here.
        """
        self._sync.show_message(message_id, words=words)

    def _leave(self) -> None:
        if self._sending is not None:
            self._sending.left = self.composer.text()
            self._sending = None
        self.composer.flush_draft()
        self.composer.set_busy(False)
        self.context.forget()
        self.notices.clear()

    def _after_change(self) -> None:
        running = self.is_running
        self.composer.set_running(running)
        self.waiting.set_held(not running)
        self.stack.setCurrentWidget(self.transcript if self.transcript.entries else self.empty)
        self.context.ask_soon()

    def _is_ready(self) -> bool:
        return self._status is not None and isinstance(self._status.state, Ready)

    def _model_id(self) -> ModelId | None:
        spec = _spec_of(self._model)
        return None if spec is None else spec.id

    # Events

    def handle(self, event: AppEvent) -> None:
        """Take over one fact from the engine thread; those of other conversations change nothing shown."""
        self._sync.handle(event)
        match event:
            case ConversationDeleted(conversation_id=gone) if gone == self.conversation_id:
                self.composer.forget_draft()
                self.open_new(draft="")
            case SettingsChanged():
                self.context.ask_soon()
            case _:
                pass

    # Requests

    def _on_example(self, text: str) -> None:
        self.focus_composer()  # the button goes with the greeting; what is typed next belongs here
        self._on_send(text)

    def _on_typed(self, text: str) -> None:
        self.focus_composer()
        self.composer.editor.insertPlainText(text)

    def _on_send(self, text: str) -> None:
        model_id = self._model_id()
        if model_id is None:
            self.step_requested.emit(NextStep.CHOOSE_MODEL)
            return
        self.notices.clear()
        self.composer.set_busy(True)
        conversation_id, draft_id, attached = self.conversation_id, self.draft_id, self.attaching.parts
        is_new = conversation_id is None
        own = self.opening() if is_new else {}
        place = self._place
        sending = self._sending = _Sending(text=text)

        async def work() -> tuple[ConversationId, Conversation | None]:
            sent_to = await self._client.generations.send(
                conversation_id,
                text=text,
                model_id=model_id,
                attached=attached,
                settings=own,
                draft_id=draft_id,
            )
            # What has happened in a new one by now was not for this pane yet.
            return sent_to, await self._client.conversations.open(sent_to) if is_new else None

        def on_sent(sent: tuple[ConversationId, Conversation | None]) -> None:
            conversation_id, conversation = sent
            if sending.left is None:
                self._sending = None
                if conversation is not None:
                    self._sync.bind(conversation)
                self._take_sent(text, attached=attached, conversation_id=conversation_id)
                self._after_change()
            elif typed_since := unsent(sending.left, sent=text):
                self._keep_text(conversation_id, typed_since)
            if is_new:
                self.conversation_created.emit(conversation_id)

        def on_error(error: FiresideError) -> None:
            if sending.left is not None:
                self._keep_text(place, sending.left)
            else:
                self._sending = None
                self.composer.set_busy(False)
                self.composer.report_draft()
                self._keep_files(place, self.attaching.attachments)
                self._show_error(error.info())

        self._tasks.run(work(), on_done=on_sent, on_error=on_error)

    def was_asked(
        self, text: str, *, attached: tuple[AttachedPart, ...], conversation_id: ConversationId
    ) -> None:
        """Take over that what was written here has been asked of several models."""
        is_new = self.conversation_id is None
        if is_new:
            self._sync.read(conversation_id)
        self._take_sent(text, attached=attached, conversation_id=conversation_id)
        if is_new:
            self.conversation_created.emit(conversation_id)

    def _take_sent(
        self, text: str, *, attached: tuple[AttachedPart, ...], conversation_id: ConversationId
    ) -> None:
        self.composer.take_sent(text)
        self.attaching.were_sent(attached, to=conversation_id)

    def _on_stop(self) -> None:
        if self.conversation_id is not None and self.is_running:
            self._run(self._client.generations.stop(self.conversation_id))

    def _on_draft_changed(self, text: str) -> None:
        # While a message is on its way it is still here, and would come back as a draft.
        if self._sending is None:
            self._keep_text(self._place, text)
        self.context.ask_soon()

    def _keep_text(self, place: DraftPlace, text: str) -> None:
        if self._keeps_drafts and place:
            self._run(self._client.conversations.save_draft(place, text=text))

    def _keep_files(self, place: DraftPlace, attached: Sequence[Attachment]) -> None:
        # Those of a message on its way are still among them; what is left over is kept once it is stored.
        is_on_its_way = self._sending is not None and place == self._place
        if self._keeps_drafts and place and not is_on_its_way:
            self._run(self._client.conversations.save_draft_files(place, attached=attached))

    def _run(
        self, work: Coroutine[Any, Any, Result], *, on_done: Callable[[Result], None] | None = None
    ) -> None:
        self._tasks.run(work, on_done=on_done, on_error=lambda error: self._show_error(error.info()))

    def _show_error(self, error: ErrorInfo) -> None:
        self.notices.show_error(error)
        self.error_shown.emit(error)

    # Keys and size

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape stops the answer, wherever the focus is, or takes away what a search has marked."""
        if event.key() == Qt.Key.Key_Escape and self.is_running:
            self._on_stop()
            return
        if event.key() == Qt.Key.Key_Escape and self.transcript.finder.end_words():
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_width()
        self.composer.set_room(self.height())

    def _fit_width(self) -> None:
        width = column_width(self._theme, available=self.width())
        left = (self.width() - width) // 2  # as the transcript does it, to the pixel
        self._foot_row.setContentsMargins(left, 4, self.width() - width - left, 16)


def _spec_of(model: ModelEntry | None) -> ModelSpec | None:
    """Return what decides how a model answers, and not when it was used or how a person marked it."""
    return None if model is None else model.spec
