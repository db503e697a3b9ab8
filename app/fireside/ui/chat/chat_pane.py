"""One conversation, whole: transcript or greeting, notices, composer; speaks to the engine by its façade."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from fireside.bridge.client import EngineClient
from fireside.core.attachment import Attachment
from fireside.core.chat import Conversation
from fireside.core.errors import ErrorInfo, NextStep
from fireside.core.events import AppEvent, ConversationDeleted, SettingsChanged
from fireside.core.i18n import tr
from fireside.core.ids import ConversationId, DraftId, MessageId, ModelId
from fireside.core.model import ModelEntry, ModelSpec, display_name
from fireside.core.status import ModelStatus, Ready
from fireside.ui.chat.attach_menu import AttachMenu
from fireside.ui.chat.attachment_controller import AttachmentController
from fireside.ui.chat.branch_controller import BranchController
from fireside.ui.chat.chips import ChatChips
from fireside.ui.chat.composer import Composer
from fireside.ui.chat.context_controller import ContextController
from fireside.ui.chat.conversation_sync import ConversationSync
from fireside.ui.chat.empty_state import EmptyState
from fireside.ui.chat.links import OpenUrl
from fireside.ui.chat.notices import Notices
from fireside.ui.chat.pane_context import PaneContext
from fireside.ui.chat.queued_messages import QueueController
from fireside.ui.chat.send_controller import NO_DRAFT_ID, SendController
from fireside.ui.chat.style import column_width
from fireside.ui.chat.transcript import Transcript
from fireside.ui.kit.layout import boxed, column, row, stretch
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import Theme

_LEAST_HEIGHT: Final = 40
"""Pixels that what was said keeps, however much stands above the composer."""


class ChatPane(QWidget):
    """Shows one conversation, or a new one that gets its identity with the first message.

    Events of other conversations are ignored. GUI thread only.
    """

    conversation_created = Signal(object)
    """``ConversationId`` of the new chat, once its first message is committed."""
    step_requested = Signal(object)
    """``NextStep`` that the user chose on an error, but for trying again, which happens here."""
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
        self.setObjectName("chatPane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._client = client
        self._tasks = tasks
        self._theme = theme
        self._model: ModelEntry | None = None
        self._status: ModelStatus | None = None
        self._stays_local = False
        self.stack = QStackedWidget(self)
        self.empty = EmptyState(theme=theme, parent=self.stack)
        self.transcript = Transcript(theme=theme, open_url=open_url, parent=self.stack)
        self.notices = Notices(theme=theme, parent=self)
        self.chips = ChatChips(theme=theme, parent=self)
        self.composer = Composer(theme=theme, parent=self)
        context = self.shared = PaneContext(
            client=client,
            tasks=tasks,
            theme=theme,
            transcript=self.transcript,
            composer=self.composer,
            notices=self.notices,
            conversation_id=lambda: self.conversation_id,
            model_id=self._model_id,
            ask_for_model=self.ask_for_model,
            show_error=self._show_error,
            keeps_drafts=keeps_drafts,
            pane=self,
        )
        self.attachments = AttachmentController(context)
        self.attach_menu = AttachMenu(self.composer, choose_files=self.attachments.choose, theme=theme)
        self.queue = QueueController(context, attachments=self.attachments)
        self.waiting = self.queue.area
        self._sync = ConversationSync(
            client=client, tasks=tasks, transcript=self.transcript, waiting=self.waiting, parent=self
        )
        self.sending = SendController(
            context,
            sync=self._sync,
            attachments=self.attachments,
            on_sent=self._after_change,
            on_created=self.conversation_created.emit,
        )
        self.branching = BranchController(context)
        self.context = ContextController(
            context, attached=lambda: self.attachments.parts, opening=lambda: dict(self.sending.opening())
        )
        self._build()
        self._connect()
        self.set_model(None, None)

    def _build(self) -> None:
        self.stack.addWidget(self.empty)
        self.stack.addWidget(self.transcript)
        # Else the greeting, though it is hidden, asks for so much that the notices are squeezed.
        self.stack.setMinimumHeight(_LEAST_HEIGHT)
        foot = column(self.notices, self.context.notice, self.waiting, self.chips, self.composer)
        self.foot = boxed(foot)
        """The message field, and what stands above it."""
        self._foot_row = row(self.foot)
        column(stretch(self.stack), self._foot_row, spacing=0, on=self)

    def _connect(self) -> None:
        self._sync.changed.connect(self._after_change)
        self._sync.failed.connect(self._show_error)
        self.composer.draft_changed.connect(self.context.ask_soon)
        self.composer.editor.messages_wanted.connect(self._on_messages_wanted)
        self.composer.last_message_wanted.connect(self.transcript.editor.begin_last)
        self.empty.example_chosen.connect(self._on_example)
        self.transcript.typed.connect(self._on_typed)
        self.notices.step_requested.connect(self.step_requested)
        self.transcript.step_requested.connect(self.step_requested)
        self.attachments.changed.connect(self.context.ask_soon)
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
        return self.sending.draft_id

    def open(self, conversation: Conversation) -> None:
        """Show a stored conversation with its draft."""
        self._leave()
        self._sync.open(conversation)
        self.sending.show_draft(
            conversation.summary.id, text=conversation.draft, attached=conversation.attached
        )
        self._after_change()

    def open_new(
        self, *, draft: str, draft_id: DraftId = NO_DRAFT_ID, attached: Sequence[Attachment] = ()
    ) -> None:
        """Show a new chat with what was typed and attached and not sent; it is kept as ``draft_id``."""
        self._leave()
        self._sync.open_new()
        self.sending.show_draft(draft_id, text=draft, attached=attached)
        self._after_change()

    def set_model(self, model: ModelEntry | None, status: ModelStatus | None) -> None:
        """Say which model answers here, and where it stands."""
        was_ready = self._is_ready()
        changed = _spec_of(model) != _spec_of(self._model)
        self._model, self._status = model, status
        name = "" if model is None or model.spec is None else display_name(model)
        place = None if model is None or model.spec is None else model.spec.remote
        self.composer.set_model_name(name, hosts=() if place is None else place.hosts)
        self._show_blocked()
        n_params = 0 if model is None or model.spec is None else model.spec.n_params
        self.empty.set_model(name, None if status is None else status.state, n_params=n_params)
        if changed:
            self.context.forget()
        if changed or self._is_ready() != was_ready:
            self.attachments.set_model(model, status)
            self.context.ask_soon()

    def set_stays_local(self, stays_local: bool) -> None:
        """Say whether the chat is kept on this computer."""
        self._stays_local = stays_local
        self._show_blocked()

    def _show_blocked(self) -> None:
        spec = _spec_of(self._model)
        reason = "" if spec is not None else tr("Choose a model first")
        if self._stays_local and spec is not None and spec.remote is not None:
            reason = tr("This chat stays on this computer. Choose a local model.")
        self.composer.set_blocked(reason)

    def focus_composer(self) -> None:
        """Put the cursor where a message is written."""
        self.composer.editor.setFocus()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: ARG002 - Qt's signature
        """Pass the keyboard on; with a focus proxy, Tab would leave out the messages."""
        self.focus_composer()

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002  # Qt's own name
        """Go on to the next or previous control; from one that has just gone, to where a message is written.

        Qt would pass the keyboard to whatever comes next, and what is typed then would act there.
        """
        focus = QApplication.focusWidget()
        if focus is None or not self.isAncestorOf(focus) or (focus.isVisible() and focus.isEnabled()):
            return super().focusNextPrevChild(next)
        self.focus_composer()
        return self.composer.editor.hasFocus()

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
        self.sending.leave()
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

    def ask_for_model(self) -> None:
        """Lead the user to where a model is chosen."""
        self.step_requested.emit(NextStep.CHOOSE_MODEL)

    def _on_example(self, text: str) -> None:
        self.focus_composer()  # the button goes with the greeting; what is typed next belongs here
        self.sending.send(text)

    def _on_typed(self, text: str) -> None:
        self.focus_composer()
        self.composer.editor.insertPlainText(text)

    @Slot()
    def _on_messages_wanted(self) -> None:
        if self.transcript.entries:
            self.transcript.take_focus()

    def _show_error(self, error: ErrorInfo) -> None:
        self.notices.show_error(error)
        self.error_shown.emit(error)

    # Keys and size

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape stops the answer, takes away what a search has marked, or leaves the messages."""
        if event.key() == Qt.Key.Key_Escape and self.is_running:
            self.sending.stop()
            return
        if event.key() == Qt.Key.Key_Escape and self.transcript.finder.end_words():
            return
        if event.key() == Qt.Key.Key_Escape and self.stack.isAncestorOf(self.focusWidget() or self):
            self.focus_composer()
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
    """Return what decides how a model answers, and not when it was used or how the user marked it."""
    return None if model is None else model.spec
