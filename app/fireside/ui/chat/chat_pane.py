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
from fireside.core.chat import Conversation, StoredMessage
from fireside.core.errors import ErrorInfo, FiresideError, NextStep
from fireside.core.events import (
    AppEvent,
    BranchChanged,
    ConversationDeleted,
    MessageAdded,
    MessagePinned,
    MessageReplaced,
    SettingsChanged,
    SummaryChanged,
    TextAppended,
    TurnLoading,
    TurnQueued,
    TurnReading,
    TurnSummarising,
    WaitingChanged,
)
from fireside.core.ids import ConversationId, DraftId, DraftPlace, MessageId, ModelId
from fireside.core.message import AttachedPart
from fireside.core.model import ModelEntry, display_name
from fireside.core.options import SettingValue
from fireside.core.status import ModelStatus, Ready
from fireside.core.wording import tr
from fireside.ui.chat.attaching import AttachingDesk
from fireside.ui.chat.composer import Composer, unsent
from fireside.ui.chat.empty_state import EmptyState
from fireside.ui.chat.links import OpenUrl
from fireside.ui.chat.notices import Notices
from fireside.ui.chat.running_answers import RunningAnswers
from fireside.ui.chat.steering_desk import SteeringDesk
from fireside.ui.chat.style import column_width
from fireside.ui.chat.transcript import Transcript
from fireside.ui.chat.turn_events import TurnEvent, conversation_of, phase_of
from fireside.ui.chat.waiting_area import WaitingArea
from fireside.ui.context.desk import ContextDesk
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
        self._conversation_id: ConversationId | None = None
        self._draft_id = UNKEPT
        """Of the new chat, while that is shown."""
        self._sending: _Sending | None = None
        self._model: ModelEntry | None = None
        self._status: ModelStatus | None = None
        self._held: list[TurnEvent] | None = None
        """Events kept while the conversation is being created or read again; ``None`` at other times."""
        self._running = RunningAnswers()
        self._visit = 0
        """Counts what was opened, so that a late reply to an earlier one is not taken for this one."""
        self._wanted: MessageId | None = None
        self._wanted_words = ""
        """A message to scroll to once it is here."""
        self.transcript = Transcript(theme=theme, open_url=open_url, parent=self)
        self.empty = EmptyState(theme=theme, parent=self)
        self.notices = Notices(theme=theme, parent=self)
        self.chips = ChatChips(theme=theme, parent=self)
        self.opening: Callable[[], Mapping[str, SettingValue]] = dict
        """What returns the settings that a new conversation gets of its own."""
        self.composer = Composer(theme=theme, parent=self)
        self.attaching = AttachingDesk(
            client=client.attachments,
            tasks=tasks,
            theme=theme,
            composer=self.composer,
            keep=self._keep_files,
            pane=self,
        )
        self.waiting = WaitingArea(theme=theme, parent=self)
        self.steering = SteeringDesk(
            client=client,
            tasks=tasks,
            theme=theme,
            transcript=self.transcript,
            waiting=self.waiting,
            conversation_id=lambda: self._conversation_id,
            model_id=self._model_id,
            keeps_edits=keeps_drafts,
            window=self,
        )
        self.context = ContextDesk(
            client=client.context,
            tasks=tasks,
            theme=theme,
            composer=self.composer,
            transcript=self.transcript,
            attached=lambda: self.attaching.parts,
            conversation_id=lambda: self._conversation_id,
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
        self.composer.send_requested.connect(self._on_send)
        self.composer.stop_requested.connect(self._on_stop)
        self.composer.draft_changed.connect(self._on_draft_changed)
        self.empty.example_chosen.connect(self._on_send)
        self.notices.step_requested.connect(self.step_requested)
        self.transcript.regenerate_requested.connect(self._on_regenerate)
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
        return self._conversation_id

    @property
    def draft_id(self) -> DraftId | None:
        """Of the new chat, while that is shown and kept."""
        is_kept = self._keeps_drafts and self._conversation_id is None and self._draft_id
        return self._draft_id if is_kept else None

    @property
    def _place(self) -> DraftPlace:
        return self._draft_id if self._conversation_id is None else self._conversation_id

    def open(self, conversation: Conversation) -> None:
        """Show a stored conversation with its draft."""
        self._leave()
        self._conversation_id = conversation.summary.id
        self.transcript.set_messages(
            self._up_to_date(conversation), branches=conversation.branches, edits=conversation.edits
        )
        self._surround(conversation)
        self.composer.set_text(conversation.draft)
        self.attaching.go_to(self._conversation_id, attached=conversation.attached)
        self._after_change()

    def open_new(
        self, *, draft: str, draft_id: DraftId = UNKEPT, attached: Sequence[Attachment] = ()
    ) -> None:
        """Show a new chat with what was typed and attached and not sent; it is kept as ``draft_id``."""
        self._leave()
        self._conversation_id = None
        self._draft_id = draft_id
        self.transcript.set_messages(())
        self.waiting.put(())
        self.composer.set_text(draft)
        self.attaching.go_to(draft_id, attached=attached)
        self._after_change()

    def set_model(self, model: ModelEntry | None, status: ModelStatus | None) -> None:
        """Say which model answers here, and where it stands."""
        was_ready = self._is_ready()
        changed = model != self._model
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
        self.transcript.flush_edits()
        self.waiting.flush_edits()

    def show_message(self, message_id: MessageId, *, words: str = "") -> None:
        """Scroll to a message and mark the ``words`` of a search in it.

        One of another branch is waited for until that branch is here.
        """
        self._wanted, self._wanted_words = message_id, words
        self._show_wanted()

    def _show_wanted(self) -> None:
        for index, entry in enumerate(self.transcript.entries):
            if entry.message.id == self._wanted:
                self._wanted = None
                if self._wanted_words:
                    self.transcript.show_words(index, self._wanted_words)
                else:
                    self.transcript.show_message(index)
                return

    def _leave(self) -> None:
        if self._sending is not None:
            self._sending.left = self.composer.text()
            self._sending = None
        self.composer.flush_draft()
        self._wanted = None
        self._visit += 1
        self._held = None
        self.composer.set_busy(False)
        self.context.forget()
        self.notices.clear()

    def _up_to_date(self, conversation: Conversation) -> list[StoredMessage]:
        return [self._running.up_to_date(message) for message in conversation.messages]

    def _surround(self, conversation: Conversation) -> None:
        """Show what a conversation has besides its messages."""
        self.waiting.put(conversation.waiting)
        last = conversation.messages[-1].id if conversation.messages else None
        if last is not None and (since := self._running.thinking_since(last)) is not None:
            self.transcript.set_thinking_since(last, since)
        self._show_wanted()

    def _after_change(self) -> None:
        running = self._is_running()
        self.composer.set_running(running)
        self.waiting.set_held(not running)
        self.stack.setCurrentWidget(self.transcript if self.transcript.entries else self.empty)
        self.context.ask_soon()

    def _running_id(self) -> MessageId | None:
        entries = self.transcript.entries
        return entries[-1].message.id if entries and entries[-1].is_running else None

    def _is_running(self) -> bool:
        """Whether an answer is being written here, in the branch that is shown or in another one."""
        if self._running_id() is not None:
            return True
        return self._conversation_id is not None and self._running.runs_in(self._conversation_id)

    def _is_ready(self) -> bool:
        return self._status is not None and isinstance(self._status.state, Ready)

    def _model_id(self) -> ModelId | None:
        return None if self._model is None or self._model.spec is None else self._model.spec.id

    # Events

    def handle(self, event: AppEvent) -> None:
        """Take over one fact from the engine thread; those of other conversations change nothing shown."""
        self._running.hear(event)
        if isinstance(event, TurnEvent):
            self._take(event, conversation_of(event))
        match event:
            case ConversationDeleted(conversation_id=gone) if gone == self._conversation_id:
                self.composer.forget_draft()
                self.open_new(draft="")
            case SettingsChanged():
                self.context.ask_soon()
            case _:
                pass

    def _take(self, event: TurnEvent, conversation_id: ConversationId) -> None:
        if self._held is not None and self._conversation_id in (None, conversation_id):
            self._held.append(event)
        elif conversation_id == self._conversation_id:
            self._apply(event)

    def _apply(self, event: TurnEvent) -> None:
        match event:
            case MessageAdded(message=message):
                if self._is_shown(message):
                    self.transcript.add_message(message)
                self._after_change()
            case MessageReplaced(message=message):
                self.transcript.replace_message(message)
                self._after_change()
            case TextAppended():
                self.transcript.append_text(
                    event.message_id, text=event.text, n_completion=event.n_completion, kind=event.kind
                )
            case TurnQueued() | TurnLoading() | TurnReading() | TurnSummarising():
                self.transcript.set_phase(event.message_id, phase_of(event))
            case SummaryChanged():
                self.context.ask_soon()
            case BranchChanged():
                self._read_again(event.conversation_id)
            case MessagePinned():
                self.transcript.set_pinned(event.message_id, pinned=event.pinned)
            case WaitingChanged():
                self.waiting.put(event.waiting)
                self._after_change()

    def _release_held(self) -> None:
        """Apply what was kept back, but for what the messages that were read since have in them already."""
        held, self._held = self._held or [], None
        known = {entry.message.id for entry in self.transcript.entries}
        for event in held:
            added = isinstance(event, MessageAdded) and event.message.id in known
            appended = isinstance(event, TextAppended) and event.message_id in known
            if not added and not appended and conversation_of(event) == self._conversation_id:
                self._apply(event)

    def _is_shown(self, message: StoredMessage) -> bool:
        """Whether a new message goes on with what is shown: one of several answers may be another branch."""
        entries = self.transcript.entries
        return not entries or message.parent_id in (None, entries[-1].message.id)

    def _read_again(self, conversation_id: ConversationId) -> None:
        self._held = []
        visit = self._visit

        def on_read(conversation: Conversation) -> None:
            if visit == self._visit:
                messages = self._up_to_date(conversation)
                self.transcript.show_branch(messages, branches=conversation.branches)
                self._surround(conversation)
                self._release_held()
                self._after_change()

        self._run(self._client.open_conversation(conversation_id), on_done=on_read)

    # Requests

    def _on_send(self, text: str) -> None:
        model_id = self._model_id()
        if model_id is None:
            self.step_requested.emit(NextStep.CHOOSE_MODEL)
            return
        self.notices.clear()
        self.composer.set_busy(True)
        is_new = self._conversation_id is None
        if is_new:
            self._held = []
        visit, attached = self._visit, self.attaching.parts
        place = self._place
        sending = self._sending = _Sending(text=text)

        def on_sent(conversation_id: ConversationId) -> None:
            if visit == self._visit:
                self._sending = None
                self._take_sent(text, attached=attached, conversation_id=conversation_id)
                self._release_held()
                self._after_change()
            elif typed_since := unsent(sending.left or "", sent=text):
                self._keep_text(conversation_id, typed_since)
            if is_new:
                self.conversation_created.emit(conversation_id)

        def on_error(error: FiresideError) -> None:
            if sending.left is not None:
                self._keep_text(place, sending.left)
            if visit == self._visit:
                self._sending = None
                self.composer.set_busy(False)
                self.composer.report_draft()
                self._release_held()
                self._show_error(error.info())

        own = self.opening() if is_new else {}
        work = self._client.send(
            self._conversation_id,
            text=text,
            model_id=model_id,
            attached=attached,
            settings=own,
            draft_id=self.draft_id,
        )
        self._tasks.run(work, on_done=on_sent, on_error=on_error)

    def was_asked(
        self, text: str, *, attached: tuple[AttachedPart, ...], conversation_id: ConversationId
    ) -> None:
        """Take over that what was written here has been asked of several models."""
        is_new = self._conversation_id is None
        self._take_sent(text, attached=attached, conversation_id=conversation_id)
        self._read_again(conversation_id)
        if is_new:
            self.conversation_created.emit(conversation_id)

    def _take_sent(
        self, text: str, *, attached: tuple[AttachedPart, ...], conversation_id: ConversationId
    ) -> None:
        self._conversation_id = conversation_id
        self.composer.take_sent(text)
        self.attaching.were_sent(attached, to=conversation_id)

    def _on_stop(self) -> None:
        if self._conversation_id is not None and self._is_running():
            self._run(self._client.stop(self._conversation_id))

    def _on_regenerate(self, message_id: MessageId) -> None:
        model_id = self._model_id()
        if model_id is None:
            self.step_requested.emit(NextStep.CHOOSE_MODEL)
            return
        self.notices.clear()
        self._run(self._client.regenerate(message_id, model_id=model_id))

    def _on_draft_changed(self, text: str) -> None:
        # While a message is on its way it is still here, and would come back as a draft.
        if self._sending is None:
            self._keep_text(self._place, text)
        self.context.ask_soon()

    def _keep_text(self, place: DraftPlace, text: str) -> None:
        if self._keeps_drafts and place:
            self._run(self._client.save_draft(place, text=text))

    def _keep_files(self, place: DraftPlace, attached: Sequence[Attachment]) -> None:
        if self._keeps_drafts and place:
            self._run(self._client.save_draft_files(place, attached=attached))

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
        if event.key() == Qt.Key.Key_Escape and self._is_running():
            self._on_stop()
            return
        if event.key() == Qt.Key.Key_Escape and self.transcript.end_words():
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
