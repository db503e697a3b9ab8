"""Keep what is shown of a conversation in step with what happens in it."""

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
    SummaryChanged,
    TextAppended,
    WaitingChanged,
)
from fireside.core.ids import ConversationId, MessageId
from fireside.ui.chat.queued_messages import QueuedMessagesArea
from fireside.ui.chat.transcript import Transcript
from fireside.ui.tasks import TaskRunner

ConversationEvent = (
    MessageAdded
    | MessageReplaced
    | BranchChanged
    | MessagePinned
    | WaitingChanged
    | TextAppended
    | AnswerProgressed
    | SummaryChanged
)


class ConversationSync(QObject):
    """Shows one conversation, or a new one that gets its identity later. GUI thread only.

    What was read and what happens arrive in one order: a conversation is what it was when it was read, and
    then what each event since makes of it.
    """

    changed = Signal()
    """Something came, went or ended, and with it what a model would see."""
    failed = Signal(object)
    """``ErrorInfo``: the conversation could not be read again."""

    def __init__(
        self,
        *,
        client: EngineClient,
        tasks: TaskRunner,
        transcript: Transcript,
        waiting: QueuedMessagesArea,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._client = client
        self._tasks = tasks
        self._transcript = transcript
        self._waiting = waiting
        self._conversation_id: ConversationId | None = None
        self._running: set[MessageId] = set()
        """Answers that are being written in the conversation, on whichever branch."""
        self._reading: asyncio.Task[Conversation] | None = None
        self._wanted: MessageId | None = None
        self._wanted_words = ""
        """A message to scroll to once it is here."""

    @property
    def conversation_id(self) -> ConversationId | None:
        return self._conversation_id

    @property
    def is_running(self) -> bool:
        """Whether an answer is being written here, in the branch that is shown or in another one."""
        return bool(self._running)

    def open(self, conversation: Conversation) -> None:
        """Show a stored conversation, and follow it from now on."""
        self._leave()
        self._conversation_id = conversation.summary.id
        self._transcript.set_messages(
            conversation.messages, branches=conversation.branches, edits=conversation.edits
        )
        self._show_rest(conversation)

    def open_new(self) -> None:
        """Show a conversation that nothing is in yet."""
        self._leave()
        self._conversation_id = None
        self._running.clear()
        self._transcript.set_messages(())
        self._waiting.put(())

    def bind(self, conversation: Conversation) -> None:
        """Take over which conversation this is, or which branch it is on now, and show that."""
        self._conversation_id = conversation.summary.id
        self._transcript.show_branch(conversation.messages, branches=conversation.branches)
        self._show_rest(conversation)
        self.changed.emit()

    def read(self, conversation_id: ConversationId) -> None:
        """Read the conversation that this is, and show the branch that it is on now."""
        self._conversation_id = conversation_id
        self._end_reading()
        self._reading = self._tasks.run(
            self._client.conversations.open(conversation_id),
            on_done=self.bind,
            on_error=lambda error: self.failed.emit(error.info()),
        )

    def show_message(self, message_id: MessageId, *, words: str) -> None:
        """Scroll to a message and mark ``words`` in it, at once or when its branch is here."""
        self._wanted, self._wanted_words = message_id, words
        self._show_wanted()

    def handle(self, event: AppEvent) -> None:
        """Take over one fact; those of other conversations change nothing."""
        if isinstance(event, ConversationEvent) and _conversation_of(event) == self._conversation_id:
            self._apply(event)

    def _leave(self) -> None:
        self._end_reading()
        self._wanted = None

    def _end_reading(self) -> None:
        """What was asked before and has not arrived yet is not wanted any more."""
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def _apply(self, event: ConversationEvent) -> None:
        match event:
            case MessageAdded(message=message):
                self._note_running(message)
                if self._is_shown(message):
                    self._transcript.add_message(message)
                self.changed.emit()
            case MessageReplaced(message=message):
                self._note_running(message)
                self._transcript.replace_message(message)
                self.changed.emit()
            case TextAppended():
                self._transcript.append_text(event.message_id, event.delta)
            case AnswerProgressed():
                self._transcript.set_phase(event.message_id, event.progress)
            case SummaryChanged():
                self.changed.emit()
            case BranchChanged(conversation_id=conversation_id):
                self.read(conversation_id)
            case MessagePinned():
                self._transcript.set_pinned(event.message_id, pinned=event.pinned)
            case WaitingChanged():
                self._waiting.put(event.waiting)
                self.changed.emit()

    def _note_running(self, message: StoredMessage) -> None:
        if message.state is MessageState.STREAMING:
            self._running.add(message.id)
        else:
            self._running.discard(message.id)

    def _is_shown(self, message: StoredMessage) -> bool:
        """Whether a new message goes on with what is shown: one of several answers may be another branch."""
        entries = self._transcript.entries
        return not entries or message.parent_id in (None, entries[-1].message.id)

    def _show_rest(self, conversation: Conversation) -> None:
        """Show what a conversation has besides its messages."""
        self._running = set(conversation.running)
        for message in conversation.messages:
            self._note_running(message)
        self._waiting.put(conversation.waiting)
        if conversation.messages and conversation.thinking_since is not None:
            self._transcript.set_thinking_since(conversation.messages[-1].id, conversation.thinking_since)
        self._show_wanted()

    def _show_wanted(self) -> None:
        for index, entry in enumerate(self._transcript.entries):
            if entry.message.id == self._wanted:
                self._wanted = None
                if self._wanted_words:
                    self._transcript.show_words(index, self._wanted_words)
                else:
                    self._transcript.show_message(index)
                return


def _conversation_of(event: ConversationEvent) -> ConversationId:
    """Return where it happened."""
    if isinstance(event, MessageAdded | MessageReplaced):
        return event.message.conversation_id
    return event.conversation_id
