"""Keep the transcript equal to its conversation: apply the engine thread's events, re-read where needed."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import QObject, Signal

from fireside.bridge.client import EngineClient
from fireside.core.chat import Conversation, MessageState, StoredMessage
from fireside.core.events import (
    AnswerProgressed,
    AppEvent,
    BranchChanged,
    MessageAdded,
    MessagePinned,
    MessageReplaced,
    QueuedMessagesChanged,
    SummaryChanged,
    TextAppended,
)
from fireside.core.ids import ConversationId, MessageId
from fireside.ui.chat.pane.queued_messages import QueuedMessagesArea
from fireside.ui.chat.transcript.transcript import Transcript
from fireside.ui.tasks import TaskRunner

ConversationEvent = (
    MessageAdded
    | MessageReplaced
    | BranchChanged
    | MessagePinned
    | QueuedMessagesChanged
    | TextAppended
    | AnswerProgressed
    | SummaryChanged
)


class ConversationSync(QObject):
    """Shows one conversation, or a new one that gets its id later. GUI thread only.

    Replies and events arrive in one order: the conversation is as it was read, and every later event applies
    to that.
    """

    changed = Signal()
    """Messages or the queue changed, and with them what a model would be sent."""
    failed = Signal(object)
    """``ErrorInfo``: the conversation could not be read again."""

    def __init__(
        self,
        *,
        client: EngineClient,
        tasks: TaskRunner,
        transcript: Transcript,
        queue_area: QueuedMessagesArea,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._client = client
        self._tasks = tasks
        self._transcript = transcript
        self._queue_area = queue_area
        self._conversation_id: ConversationId | None = None
        self._running: set[MessageId] = set()
        """Answers that are being generated in the conversation, on any branch."""
        self._read_task: asyncio.Task[Conversation] | None = None
        self._target: MessageId | None = None
        """Message to scroll to once its branch is shown."""
        self._target_query = ""

    @property
    def conversation_id(self) -> ConversationId | None:
        return self._conversation_id

    @property
    def is_running(self) -> bool:
        """Whether an answer is being generated here, in the branch that is shown or in another one."""
        return bool(self._running)

    def open(self, conversation: Conversation) -> None:
        """Show a stored conversation and apply its events from now on."""
        self._leave()
        self._conversation_id = conversation.summary.id
        self._transcript.set_messages(
            conversation.messages, branches=conversation.branches, edits=conversation.edits
        )
        self._show_rest(conversation)

    def open_new(self) -> None:
        """Show an empty conversation, which has no id yet."""
        self._leave()
        self._conversation_id = None
        self._running.clear()
        self._transcript.set_messages(())
        self._queue_area.show_messages(())

    def bind(self, conversation: Conversation) -> None:
        """Show the stored state of this conversation, which was new until now or has another branch."""
        self._conversation_id = conversation.summary.id
        self._transcript.show_branch(conversation.messages, branches=conversation.branches)
        self._show_rest(conversation)
        self.changed.emit()

    def reload(self, conversation_id: ConversationId) -> None:
        """Read the conversation again and show its current branch; an earlier read is cancelled."""
        self._conversation_id = conversation_id
        self._cancel_read()
        self._read_task = self._tasks.run(
            self._client.conversations.open(conversation_id),
            on_done=self.bind,
            on_error=lambda error: self.failed.emit(error.info()),
        )

    def show_message(self, message_id: MessageId, *, query: str) -> None:
        """Scroll to a message and highlight the matches of ``query``, at once or when its branch is shown."""
        self._target, self._target_query = message_id, query
        self._show_target()

    def handle(self, event: AppEvent) -> None:
        """Apply one event; those of other conversations change nothing."""
        if isinstance(event, ConversationEvent) and _conversation_of(event) == self._conversation_id:
            self._apply(event)

    def _leave(self) -> None:
        self._cancel_read()
        self._target = None

    def _cancel_read(self) -> None:
        """Drop a read whose reply has not arrived yet."""
        if self._read_task is not None:
            self._read_task.cancel()
            self._read_task = None

    def _apply(self, event: ConversationEvent) -> None:
        match event:
            case MessageAdded(message=message):
                self._track_running(message)
                if self._extends_branch(message):
                    self._transcript.add_message(message)
                self.changed.emit()
            case MessageReplaced(message=message):
                self._track_running(message)
                self._transcript.replace_message(message)
                self.changed.emit()
            case TextAppended():
                self._transcript.append_text(event.message_id, event.delta)
            case AnswerProgressed():
                self._transcript.set_phase(event.message_id, event.progress)
            case SummaryChanged():
                self.changed.emit()
            case BranchChanged(conversation_id=conversation_id):
                self.reload(conversation_id)
            case MessagePinned():
                self._transcript.set_pinned(event.message_id, pinned=event.pinned)
            case QueuedMessagesChanged():
                self._queue_area.show_messages(event.waiting)
                self.changed.emit()

    def _track_running(self, message: StoredMessage) -> None:
        if message.state is MessageState.STREAMING:
            self._running.add(message.id)
        else:
            self._running.discard(message.id)

    def _extends_branch(self, message: StoredMessage) -> bool:
        """Whether a new message follows the last one shown: one of several answers may be another branch."""
        entries = self._transcript.entries
        return not entries or message.parent_id in (None, entries[-1].message.id)

    def _show_rest(self, conversation: Conversation) -> None:
        """Show what a conversation has besides its messages: queue, running answers, thinking time."""
        self._running = set(conversation.running)
        for message in conversation.messages:
            self._track_running(message)
        self._queue_area.show_messages(conversation.waiting)
        if conversation.messages and conversation.thinking_since is not None:
            self._transcript.set_thinking_since(conversation.messages[-1].id, conversation.thinking_since)
        self._show_target()

    def _show_target(self) -> None:
        for index, entry in enumerate(self._transcript.entries):
            if entry.message.id == self._target:
                self._target = None
                if self._target_query:
                    self._transcript.show_query(index, self._target_query)
                else:
                    self._transcript.show_message(index)
                return


def _conversation_of(event: ConversationEvent) -> ConversationId:
    """Return the conversation that an event is about."""
    if isinstance(event, MessageAdded | MessageReplaced):
        return event.message.conversation_id
    return event.conversation_id
