"""The open conversation and the selected model of a window."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from fireside.core.chat import Conversation, ConversationSummary, Folder, NewDraft
from fireside.core.errors import FiresideError
from fireside.core.events import (
    AppEvent,
    ConversationChanged,
    ConversationDeleted,
    FoldersChanged,
    LibraryChanged,
    ModelStatusChanged,
    RemoteModelsChanged,
    Snapshot,
)
from fireside.core.i18n import tr
from fireside.core.ids import ConversationId, DraftId, FolderId, MessageId, ModelId, is_temporary
from fireside.core.message import Role
from fireside.core.model import display_name
from fireside.ui.chat.pane.chat_pane import ChatPane
from fireside.ui.settings.scope import Subject
from fireside.ui.shell.draft_registry import DraftRegistry, has_content
from fireside.ui.sidebar import Sidebar
from fireside.ui.window_context import WindowContext


class ConversationController(QObject):
    """Opens conversations and selects models; keeps sidebar and chat pane in step. GUI thread only."""

    subject_changed = Signal()
    """The open conversation, its title or the selected model has changed."""
    chat_shown = Signal()
    """A conversation or the new chat is about to be shown."""
    folder_changed = Signal()
    """The folder of the chat in front, or what that is called or sets, may have changed."""
    draft_switched = Signal(object)
    """The new chat has another draft: carries that ``NewDraft``."""

    def __init__(self, context: WindowContext, *, sidebar: Sidebar, chat: ChatPane) -> None:
        super().__init__(context.window)
        self._client = context.client
        self._tasks = context.tasks
        self._sidebar = sidebar
        self._chat = chat
        self._models = context.models
        self._toast = context.toast
        self._on_error = context.show_error
        self._open_id: ConversationId | None = None
        self._model_id: ModelId | None = None
        self._default_model: ModelId | None = None
        self._reported_folder: Folder | None = None
        self._new_chat_model: ModelId | None = None
        """The model that the user chose for the new chat; ``None`` for that of its project or of all."""
        self._drafts = DraftRegistry()
        self._new_draft = NewDraft(id=self._drafts.claim())
        """The draft of the new chat, as of when the chat was last left."""
        self._opening: asyncio.Task[Conversation] | None = None
        chat.conversation_created.connect(self._on_created)

    # The open conversation

    @property
    def conversation_id(self) -> ConversationId | None:
        return self._open_id

    @property
    def model_id(self) -> ModelId | None:
        return self._model_id

    @property
    def subject(self) -> Subject:
        """The open conversation and the selected model, with their names."""
        entry = self._models.entry(self._model_id)
        summary = self._summary()
        return Subject(
            model_id=self._model_id,
            model_name=display_name(entry) if entry is not None else "",
            conversation_id=self._open_id,
            title=summary.title if summary is not None else "",
        )

    def start(self, snapshot: Snapshot, *, last: ConversationId | None) -> None:
        """Show the snapshot; open the conversation ``last`` if it still exists, else the new chat."""
        self._models.set_entries(snapshot.models)
        self._models.set_remote(snapshot.remote_models)
        for status in snapshot.statuses:
            self._models.set_status(status)
        self._default_model = snapshot.default_model
        self._drafts.set_stored(snapshot.new_drafts)
        for draft in snapshot.new_drafts:
            if draft.id == self._new_draft.id:
                self._use_draft(draft)
        self._sidebar.set_conversations(snapshot.conversations, folders=snapshot.folders)
        if is_temporary(self._open_id):
            return  # a restored backup does not concern it
        if last is not None and any(summary.id == last for summary in snapshot.conversations):
            self.open(last)
        else:
            self._show_new_chat()

    def wait_for_last(self) -> None:
        """Show no chat until ``start``, which opens the last one."""
        self._chat.wait_for_chat()

    def open(self, conversation_id: ConversationId) -> None:
        """Open a conversation and focus the message field."""
        self._show(conversation_id, then=self._chat.focus_composer)

    def open_at(
        self, conversation_id: ConversationId, message_id: MessageId | None, search_text: str = ""
    ) -> None:
        """Open a conversation at one of its messages, switching to the message's branch.

        Matches of ``search_text`` are highlighted. The keyboard focus does not move.
        """
        if message_id is None:
            self._show(conversation_id, then=lambda: None)
            return

        def on_done(owner_id: ConversationId) -> None:
            self._show(owner_id, then=lambda: self._chat.show_message(message_id, query=search_text))

        self._tasks.run(self._client.folders.show_branch(message_id), on_done=on_done)

    def _show(self, conversation_id: ConversationId, *, then: Callable[[], None]) -> None:
        self.chat_shown.emit()
        if conversation_id == self._open_id:
            then()
            return
        self.leave(lambda: self._open_other(conversation_id, then=then))

    def _open_other(self, conversation_id: ConversationId, *, then: Callable[[], None]) -> None:
        self._before_leaving()
        self._cancel_opening()
        self._sidebar.set_active(conversation_id)

        def on_read(conversation: Conversation) -> None:
            self._open_id = conversation.summary.id
            self._chat.open(conversation)
            self._reported_folder = self.folder
            self._select_model()
            then()

        def on_error(error: FiresideError) -> None:
            self._sidebar.set_active(self._open_id)
            if self._chat.is_waiting:
                self._show_new_chat()
            self._on_error(error)

        self._opening = self._tasks.run(
            self._client.conversations.open(conversation_id), on_done=on_read, on_error=on_error
        )

    def _cancel_opening(self) -> None:
        """Cancel the request for a conversation that has not been read yet."""
        if self._opening is not None:
            self._opening.cancel()
            self._opening = None

    @property
    def folder(self) -> Folder | None:
        """The folder of the open conversation, or the one that the new chat begins in."""
        if self._open_id is None:
            return self._sidebar.model.folder(self._new_draft.folder_id)
        summary = self._summary()
        return None if summary is None else self._sidebar.model.folder(summary.folder_id)

    def new_chat(self) -> None:
        """Show the new chat with its draft; from a chat of a project, one in that project."""
        folder = self.folder
        if self._open_id is not None:
            self.new_chat_in(folder.id if folder is not None and folder.is_project else None)
        else:
            self.leave(self._new_chat)

    def new_chat_in(self, folder_id: FolderId | None, *, then: Callable[[], object] = lambda: None) -> None:
        """Show the new chat, which begins in a folder; ``None`` for none, unless it has an unsent draft.

        ``then`` is called once it is shown.
        """

        def show() -> None:
            self._new_chat()
            if folder_id is not None or not self._chat.composer.text().strip():
                self.set_new_folder(folder_id)
            then()

        self.leave(show)

    def set_new_folder(self, folder_id: FolderId | None) -> None:
        """Let the new chat begin in a folder; ``None`` for none."""
        if folder_id == self._new_draft.folder_id:
            return
        self._new_draft = replace(self._new_draft, folder_id=folder_id)
        self._new_chat_model = None
        work = self._client.conversations.save_draft_folder(self._new_draft.id, folder_id=folder_id)
        self._tasks.run(work, on_error=self._on_error)
        self._report_folder()

    def _new_chat(self) -> None:
        self.chat_shown.emit()
        if self._open_id is not None or self._chat.conversation_id is not None or self._chat.is_waiting:
            self._show_new_chat()
        self._chat.focus_composer()

    def clean_chat(self) -> None:
        """Show a new chat without the draft of the one before, which comes back once this one is sent."""
        self.leave(self._clean_chat)

    def _clean_chat(self) -> None:
        self.chat_shown.emit()
        self._save_new_draft()
        self._drafts.hand_over(self._new_draft)
        self._use_draft(NewDraft(id=self._drafts.claim()))
        self._cancel_opening()
        self._open_id = None
        self._sidebar.set_active(None)
        self._show_draft()
        self._chat.focus_composer()

    # A temporary chat

    def temporary_chat(self) -> None:
        """Begin a chat that is in memory alone."""
        if is_temporary(self._open_id) and not self.has_unkept:
            self.chat_shown.emit()
            self._chat.focus_composer()
        else:
            self.leave(self._begin_temporary)

    def _begin_temporary(self) -> None:
        self.chat_shown.emit()
        self._before_leaving()
        self._cancel_opening()

        def on_begun(conversation: Conversation) -> None:
            self._open_id = conversation.summary.id
            self._sidebar.model.update(conversation.summary)
            self._sidebar.set_active(self._open_id)
            self._chat.open(conversation)
            self._select_model()
            self._chat.focus_composer()

        self._opening = self._tasks.run(
            self._client.conversations.begin_temporary(model_id=self._model_id),
            on_done=on_begun,
            on_error=self._on_error,
        )

    @property
    def has_unkept(self) -> bool:
        """Whether a temporary chat is open that has messages, or something written for one."""
        pane = self._chat
        has_draft = not pane.composer.is_blank or bool(pane.attachments.attachments)
        return is_temporary(self._open_id) and (has_draft or bool(pane.transcript.entries))

    def leave(self, then: Callable[[], object]) -> None:
        """Close the temporary chat, if one is open, and call ``then``; the user is asked first, and may keep
        it, where it has something."""
        open_id = self._open_id
        if open_id is None or not is_temporary(open_id):
            then()
        elif self.has_unkept:
            from fireside.ui.shell.temporary_sheet import TemporarySheet  # few chats are temporary

            self.sheet = TemporarySheet(parent=self._chat.window())
            self.sheet.kept.connect(lambda: self.keep(then))
            self.sheet.closed.connect(lambda: self._close_temporary(open_id, then))
            self.sheet.open()
        else:
            self._close_temporary(open_id, then)

    def _close_temporary(self, conversation_id: ConversationId, then: Callable[[], object]) -> None:
        self._chat.composer.cancel_draft_report()

        def on_closed(_none: None) -> None:
            then()

        self._tasks.run(
            self._client.conversations.close_temporary(conversation_id),
            on_done=on_closed,
            on_error=self._on_error,
        )

    def keep(self, then: Callable[[], object] | None = None) -> None:
        """Store the temporary chat among the others; open it there, or call ``then``."""
        if self._open_id is None:
            return
        self._chat.flush_drafts()

        def on_kept(kept: ConversationId) -> None:
            self._toast.show_message(tr("Chat kept"))
            if then is None:
                self.open(kept)
            else:
                then()

        self._tasks.run(
            self._client.conversations.keep_temporary(self._open_id),
            on_done=on_kept,
            on_error=self._on_error,
        )

    def _use_draft(self, draft: NewDraft) -> None:
        self._new_draft = draft
        self.draft_switched.emit(draft)

    @property
    def draft_id(self) -> DraftId:
        """The id under which the draft of this window's new chat is stored."""
        return self._new_draft.id

    def share_drafts(self, drafts: DraftRegistry, *, own_id: DraftId) -> None:
        """Use the registry that all windows share, and resume the draft ``own_id``. Call before ``start``."""
        self._drafts = drafts
        self._new_draft = NewDraft(id=drafts.claim(own_id))

    def hand_over_draft(self) -> None:
        """Release the draft of the new chat to other windows: this one is closing."""
        self._save_new_draft()
        self._drafts.hand_over(self._new_draft)

    def open_adjacent(self, offset: int) -> None:
        """Open the conversation ``offset`` rows below the open one in the sidebar."""
        ids = self._sidebar.model.displayed_ids
        if not ids:
            return
        index = ids.index(self._open_id) + offset if self._open_id in ids else 0
        self.open(ids[max(0, min(len(ids) - 1, index))])

    def last_answer(self) -> str:
        """Return the text of the last answer in the transcript; empty where there is none."""
        for entry in reversed(self._chat.transcript.entries):
            if entry.message.message.role is Role.ASSISTANT:
                return entry.message.message.text
        return ""

    # Models

    def choose_model(self, model_id: ModelId) -> None:
        """Select a model for the open conversation, and as the default for new chats."""

        def on_done(_none: None) -> None:
            self._default_model = model_id

        self._tasks.run(
            self._client.conversations.choose_model(self._open_id, model_id=model_id),
            on_done=on_done,
        )
        self._model_id = model_id
        self._new_chat_model = model_id if self._open_id is None else None
        self._update_chat_model()
        self.subject_changed.emit()

    # Events

    def handle(self, event: AppEvent) -> None:
        """Handle one event of the engine thread."""
        match event:
            case ConversationChanged(summary=summary):
                self._sidebar.model.update(summary)
                if summary.id == self._open_id:
                    self._select_model()
                    self._report_folder()
            case ConversationDeleted(conversation_id=conversation_id):
                self._sidebar.model.remove(conversation_id)
                if conversation_id == self._open_id:
                    self._open_id = None
                    self._show_new_chat()
            case FoldersChanged(folders=folders):
                self._sidebar.set_folders(folders)
                if self._sidebar.model.folder(self._new_draft.folder_id) is None:
                    self._new_draft = replace(self._new_draft, folder_id=None)
                self._report_folder()
            case ModelStatusChanged(status=status):
                self._models.set_status(status)
                if status.model_id == self._model_id:
                    self._update_chat_model()
            case LibraryChanged(entries=entries):
                self._models.set_entries(entries)
                self._select_model()
            case RemoteModelsChanged(entries=entries):
                self._models.set_remote(entries)
                self._select_model()
            case _:
                pass

    # Internals

    def _summary(self) -> ConversationSummary | None:
        return self._sidebar.model.summary(self._open_id) if self._open_id is not None else None

    def _report_folder(self) -> None:
        """Report the folder of the chat in front, if it is another or sets other things."""
        if self.folder != self._reported_folder:
            self._reported_folder = self.folder
            self.folder_changed.emit()
            self._select_model()

    def _before_leaving(self) -> None:
        if self._open_id is None and self._chat.conversation_id is None:
            self._save_new_draft()

    def _save_new_draft(self) -> None:
        """Remember the settings of the new chat and, if the chat pane shows it, its draft."""
        settings = dict(self._chat.send_controller.initial_settings())
        self._new_draft = replace(self._new_draft, settings=settings)
        if self._chat.draft_id == self._new_draft.id:
            self._new_draft = replace(
                self._new_draft,
                text=self._chat.composer.text(),
                attached=self._chat.attachments.attachments,
                updated_at=time.time(),
            )

    def _show_new_chat(self) -> None:
        self._cancel_opening()
        self._open_id = None
        self._sidebar.set_active(None)
        if not has_content(self._new_draft) and (unclaimed := self._drafts.pop_unclaimed()) is not None:
            self._drafts.release(self._new_draft.id)
            self._use_draft(unclaimed)
            self._toast.show_message(tr("Unsent draft from before"))
        self._show_draft()

    def _show_draft(self) -> None:
        self._reported_folder = self.folder
        self._chat.open_new(
            draft=self._new_draft.text, draft_id=self._new_draft.id, attached=self._new_draft.attached
        )
        self._select_model()

    def _on_created(self, conversation_id: ConversationId) -> None:
        self._drafts.release(self._new_draft.id)
        self._new_draft = NewDraft(id=self._drafts.claim())
        self._new_chat_model = None
        if self._open_id is None and self._chat.conversation_id == conversation_id:
            self._open_id = conversation_id
            self._sidebar.set_active(conversation_id)
            self._report_folder()
            self._select_model()

    def _select_model(self) -> None:
        """Select the conversation's own model, else that of its project, else the default, else the first
        local one.

        A conversation uses a remote model only where the user chose that for it.
        """
        if self._chat.is_waiting:
            return  # the chat to open decides
        summary = self._summary()
        default = self._models.entry(self._default_model)
        default_allowed = (
            summary is None or default is None or default.spec is None or default.spec.remote is None
        )
        folder = self.folder
        candidates = (
            summary.model_id if summary is not None else self._new_chat_model,
            folder.model_id if folder is not None else None,
            self._default_model if default_allowed else None,
        )
        for model_id in candidates:
            if self._models.entry(model_id) is not None:
                self._model_id = model_id
                break
        else:
            first = next(iter(self._models.local), None)
            self._model_id = first.spec.id if first is not None and first.spec is not None else None
        self._update_chat_model()
        self.subject_changed.emit()

    def _update_chat_model(self) -> None:
        entry = self._models.entry(self._model_id)
        status = self._models.status(self._model_id) if self._model_id is not None else None
        self._chat.set_model(entry, status if entry is not None else None)
