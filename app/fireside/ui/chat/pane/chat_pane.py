"""The pane of one conversation: transcript or greeting, notices, composer, and their controllers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from fireside.bridge.client import EngineClient
from fireside.core.attachment import Attachment
from fireside.core.chat import Conversation
from fireside.core.components import ComponentsChanged
from fireside.core.errors import ErrorInfo, NextStep
from fireside.core.events import AppEvent, ConversationDeleted, SettingsChanged
from fireside.core.i18n import tr
from fireside.core.ids import ConversationId, DraftId, DraftKey, MessageId, ModelId, is_temporary
from fireside.core.model import ModelEntry, ModelSpec, display_name
from fireside.core.status import ModelStatus, Ready
from fireside.ui.chat.answer.links import OpenUrl
from fireside.ui.chat.composer.attach_menu import AttachMenu
from fireside.ui.chat.composer.composer import Composer
from fireside.ui.chat.pane.attachment_controller import AttachmentController
from fireside.ui.chat.pane.branch_controller import BranchController
from fireside.ui.chat.pane.chips import ChatChips
from fireside.ui.chat.pane.context_controller import ContextController
from fireside.ui.chat.pane.conversation_sync import ConversationSync
from fireside.ui.chat.pane.empty_state import EmptyChat, StartArea
from fireside.ui.chat.pane.notices import Notices
from fireside.ui.chat.pane.pane_context import PaneContext
from fireside.ui.chat.pane.queued_messages import QueueController
from fireside.ui.chat.pane.send_controller import NO_DRAFT_ID, SendController
from fireside.ui.chat.style import column_width
from fireside.ui.chat.transcript.transcript import Transcript
from fireside.ui.context.notice import WaysOut
from fireside.ui.kit.layout import boxed, column, row, stretch
from fireside.ui.sound_player import sound_player
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import theme

_MIN_HEIGHT: Final = 40
"""Pixels of the transcript that stay visible, however much stands above the composer."""
_LOW_PANE: Final = 560
"""Pixels of height below which a new chat gives most of its space to what stands below the composer."""


class ChatPane(QWidget):
    """Shows one conversation, or a new one that gets its id with the first message.

    Owns its views and controllers. Events of other conversations are ignored. GUI thread only.
    """

    conversation_created = Signal(object)
    """``ConversationId`` of the new chat, once its first message is committed."""
    step_requested = Signal(object)
    """``NextStep`` that the user chose on an error, except for trying again, which happens here."""
    setting_requested = Signal(str)
    """Key of a setting, or a named row, of the settings page."""
    error_shown = Signal(object)
    """``ErrorInfo`` of a request that failed."""
    is_waiting = False
    """Whether the chat to show is not known yet."""

    def __init__(
        self,
        *,
        client: EngineClient,
        tasks: TaskRunner,
        open_url: OpenUrl,
        saves_drafts: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("chatPane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._model: ModelEntry | None = None
        self._status: ModelStatus | None = None
        self._stays_local = False
        self.stack = QStackedWidget(self)
        self.empty = EmptyChat(parent=self.stack)
        self.transcript = Transcript(open_url=open_url, parent=self.stack)
        self.notices = Notices(parent=self)
        self.chips = ChatChips(parent=self)
        self.composer = Composer(parent=self)
        context = self.pane_context = PaneContext(
            client=client,
            tasks=tasks,
            transcript=self.transcript,
            composer=self.composer,
            notices=self.notices,
            conversation_id=lambda: self.conversation_id,
            model_id=self._model_id,
            prompt_for_model=self.prompt_for_model,
            show_setting=self.setting_requested.emit,
            show_error=self._show_error,
            saves_drafts=saves_drafts,
            pane=self,
        )
        self.attachments = AttachmentController(context)
        self.attach_menu = AttachMenu(self.composer, choose_files=self.attachments.choose)
        self.queue = QueueController(context, attachments=self.attachments)
        self.queue_area = self.queue.area
        self._sync = ConversationSync(
            client=client, tasks=tasks, transcript=self.transcript, queue_area=self.queue_area, parent=self
        )
        self.send_controller = SendController(
            context,
            sync=self._sync,
            attachments=self.attachments,
            on_sent=self._on_changed,
            on_created=self.conversation_created.emit,
        )
        self.branch_controller = BranchController(context)
        self.context_controller = ContextController(
            context,
            attached=lambda: self.attachments.parts,
            ways_out=self._ways_out,
        )
        self._build()
        self._connect()

    def _build(self) -> None:
        self.stack.addWidget(self.empty)
        self.stack.addWidget(self.transcript)
        self._nothing = QWidget(self.stack)
        self.stack.addWidget(self._nothing)
        # Otherwise the hidden greeting's minimum height squeezes the notices.
        self.stack.setMinimumHeight(_MIN_HEIGHT)
        foot = column(
            self.notices, self.context_controller.notice, self.queue_area, self.chips, self.composer
        )
        self._foot = foot
        self.foot = boxed(foot)
        """The composer and everything above it: notices, queue, chips."""
        self._foot_row = row(self.foot)
        self.start = StartArea(parent=self)
        self._column = column(stretch(self.stack), self._foot_row, self.start, spacing=0, on=self)

    def _connect(self) -> None:
        self._sync.changed.connect(self._on_changed)
        self._sync.failed.connect(self._show_error)
        self.composer.draft_changed.connect(self.context_controller.refresh_soon)
        self.composer.editor.messages_requested.connect(self._on_messages_requested)
        self.composer.edit_last_requested.connect(self.transcript.editor.begin_last)
        self.start.suggestion_clicked.connect(self._on_suggestion)
        self.transcript.text_typed.connect(self._on_typed)
        self.notices.step_requested.connect(self.step_requested)
        self.transcript.step_requested.connect(self.step_requested)
        self.transcript.save_requested.connect(self.attachments.save)
        self.attachments.changed.connect(self._on_attachments)
        theme().changed.connect(self._fit_width)
        self.set_model(None, None)
        self.empty.clear()

    # Content

    @property
    def model(self) -> ModelEntry | None:
        """The model that answers here."""
        return self._model

    @property
    def conversation_id(self) -> ConversationId | None:
        return self._sync.conversation_id

    @property
    def is_running(self) -> bool:
        """Whether an answer is being generated here, in the branch that is shown or in another one."""
        return self._sync.is_running

    @property
    def draft_id(self) -> DraftId | None:
        """The new chat's id, while that is shown and its draft is saved."""
        return self.send_controller.draft_id

    def add_above_composer(self, widget: QWidget) -> None:
        """Place what another feature shows directly above the composer."""
        self._foot.insertWidget(self._foot.count() - 1, widget)

    def wait_for_chat(self) -> None:
        """Show nothing until a chat is opened; what is typed until then is added to that chat's draft."""
        self.is_waiting = True
        self.stack.setCurrentWidget(self._nothing)
        self.start.hide()

    def open(self, conversation: Conversation) -> None:
        """Show a stored conversation with its draft."""
        typed = self._leave_chat()
        self._sync.open(conversation)
        self._show_draft(
            conversation.summary.id, conversation.draft, typed=typed, attached=conversation.attached
        )
        self._on_changed()

    def open_new(
        self, *, draft: str, draft_id: DraftId = NO_DRAFT_ID, attached: Sequence[Attachment] = ()
    ) -> None:
        """Show a new chat with its draft and attachments, which are saved under ``draft_id``."""
        typed = self._leave_chat()
        self._sync.open_new()
        self._show_draft(draft_id, draft, typed=typed, attached=attached)
        self._on_changed()

    def _show_draft(
        self, draft_key: DraftKey, draft: str, *, typed: str, attached: Sequence[Attachment]
    ) -> None:
        """Show the draft of a chat, with what was ``typed`` before the chat was known."""
        self.send_controller.show_draft(draft_key, text=draft + typed, attached=attached)
        if typed:
            self.composer.report_draft()

    def set_model(self, model: ModelEntry | None, status: ModelStatus | None) -> None:
        """Set which model answers here, and its status."""
        was_ready = self._is_ready()
        changed = _spec_of(model) != _spec_of(self._model)
        self._model, self._status = model, status
        name = "" if model is None or model.spec is None else display_name(model)
        remote = None if model is None or model.spec is None else model.spec.remote
        self.composer.set_model_name(name, host="" if remote is None else remote.host)
        self._show_blocked()
        n_params = 0 if model is None or model.spec is None else model.spec.n_params
        self.empty.set_model(name, None if status is None else status.state, n_params=n_params)
        self.start.set_model(has_model=bool(name), n_params=n_params)
        if changed:
            self.context_controller.clear()
        if changed or self._is_ready() != was_ready:
            self.attachments.set_model(model, status)
            self.context_controller.refresh_soon()

    def _ways_out(self) -> WaysOut:
        spec = _spec_of(self._model)
        is_local = spec is not None and spec.remote is None
        return WaysOut(
            n_ctx_max=spec.n_ctx_train if spec is not None and is_local else 0,
            # What is searched is stored: a temporary chat reads its files as a whole.
            can_search=bool(self.attachments.searchable_paths) and not is_temporary(self.conversation_id),
        )

    def set_stays_local(self, stays_local: bool) -> None:
        """Set whether the chat may not be sent to models of other computers."""
        self._stays_local = stays_local
        self._show_blocked()

    def _show_blocked(self) -> None:
        spec = _spec_of(self._model)
        reason = "" if spec is not None else tr("Choose a model first")
        if self._stays_local and spec is not None and spec.remote is not None:
            reason = tr("This chat stays on this computer. Choose a local model.")
        self.composer.set_blocked(reason)

    def focus_composer(self) -> None:
        """Focus the composer's editor."""
        self.composer.editor.setFocus()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: ARG002 - Qt's signature
        """Pass the focus on to the composer; with a focus proxy, Tab would skip the messages."""
        self.focus_composer()

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002  # Qt's own name
        """Go to the next or previous control; from one that was just hidden or disabled, to the composer.

        Qt would focus whatever comes next, and what is typed then would act there.
        """
        focus = QApplication.focusWidget()
        if focus is None or not self.isAncestorOf(focus) or (focus.isVisible() and focus.isEnabled()):
            return super().focusNextPrevChild(next)
        self.focus_composer()
        return self.composer.editor.hasFocus()

    def flush_drafts(self) -> None:
        """Save drafts that are still waiting for their timers: the window may close."""
        self.composer.flush_draft()
        self.transcript.editor.flush()
        self.queue_area.flush_edits()

    def show_message(self, message_id: MessageId, *, query: str = "") -> None:
        """Scroll to a message, and highlight the matches of a search ``query``.

        A message of another branch is shown as soon as that branch is.
        """
        self._sync.show_message(message_id, query=query)

    def _leave_chat(self) -> str:
        """Save the draft of the chat; return what was typed where no chat was known yet."""
        typed = self.composer.text() if self.is_waiting else ""
        if (player := sound_player()) is not None:
            player.stop()
        self.is_waiting = False
        self.send_controller.leave_chat()
        self.context_controller.clear()
        self.notices.clear()
        return typed

    def _on_changed(self) -> None:
        running, temporary = self.is_running, is_temporary(self.conversation_id)
        self.composer.set_running(running)
        self.composer.set_temporary(temporary)
        self.empty.set_temporary(temporary)
        self.queue_area.set_held(not running)
        is_empty = not self.transcript.entries
        self.stack.setCurrentWidget(self.empty if is_empty else self.transcript)
        self.start.setVisible(is_empty)
        self.context_controller.refresh_soon()

    def _is_ready(self) -> bool:
        return self._status is not None and isinstance(self._status.state, Ready)

    def _model_id(self) -> ModelId | None:
        spec = _spec_of(self._model)
        return None if spec is None else spec.id

    # Events

    def handle(self, event: AppEvent) -> None:
        """Apply one event of the engine thread; those of other conversations change nothing."""
        self._sync.handle(event)
        match event:
            case ConversationDeleted(conversation_id=deleted) if deleted == self.conversation_id:
                self.composer.cancel_draft_report()
                self.open_new(draft="")
            case SettingsChanged():
                self.context_controller.refresh_soon()
            case ComponentsChanged():
                self.attachments.read_refused()
            case _:
                pass

    # Requests

    def prompt_for_model(self) -> None:
        """Open the model picker: there is no model to send to."""
        if self.is_waiting:
            return  # the text is sent by hand once it is seen to which chat
        self.step_requested.emit(NextStep.CHOOSE_MODEL)

    def _on_suggestion(self, text: str) -> None:
        self.focus_composer()  # the button disappears with the greeting
        self.send_controller.send(text)

    def _on_attachments(self) -> None:
        self.start.set_material("files", has_any=bool(self.attachments.attachments))
        self.context_controller.refresh_soon()

    def _on_typed(self, text: str) -> None:
        self.focus_composer()
        self.composer.editor.insertPlainText(text)

    @Slot()
    def _on_messages_requested(self) -> None:
        if self.transcript.entries:
            self.transcript.focus_last_visible()

    def _show_error(self, error: ErrorInfo) -> None:
        self.notices.show_error(error)
        self.error_shown.emit(error)

    # Keys and size

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape stops the answer, else removes a search's highlights, else goes back to the composer."""
        if event.key() == Qt.Key.Key_Escape and self.is_running:
            self.send_controller.stop()
            return
        if event.key() == Qt.Key.Key_Escape and self.transcript.finder.clear_query():
            return
        if event.key() == Qt.Key.Key_Escape and self.stack.isAncestorOf(self.focusWidget() or self):
            self.focus_composer()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_width()
        self.composer.set_available_height(self.height())

    def _fit_width(self) -> None:
        width = column_width(available=self.width())
        left = (self.width() - width) // 2  # aligned to the pixel with the transcript's column
        self._foot_row.setContentsMargins(left, 4, self.width() - width - left, 16)
        # In a new chat the composer stands above the middle, in a low pane as high as its question allows.
        is_low = self.height() < theme().scaled(_LOW_PANE)
        self._column.setStretchFactor(self.stack, 1 if is_low else 2)
        self._column.setStretchFactor(self.start, 3)


def _spec_of(model: ModelEntry | None) -> ModelSpec | None:
    """Return the part of an entry that decides how the model answers, without usage dates and user marks."""
    return None if model is None else model.spec
