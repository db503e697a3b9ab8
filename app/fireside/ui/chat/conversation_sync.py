"""Keep what is shown of a conversation in step with what happens in it."""

from __future__ import annotations

from collections.abc import Set

from PySide6.QtCore import QObject, Signal

from fireside.bridge.client import EngineClient
from fireside.core.chat import Conversation, StoredMessage
from fireside.core.errors import FiresideError
from fireside.core.events import (
    AppEvent,
    BranchChanged,
    MessageAdded,
    MessagePinned,
    MessageReplaced,
    SummaryChanged,
    TextAppended,
    TurnLoading,
    TurnQueued,
    TurnReading,
    TurnSummarising,
    WaitingChanged,
)
from fireside.core.ids import ConversationId, MessageId
from fireside.ui.chat.queued_messages_area import WaitingArea
from fireside.ui.chat.running_answers import RunningAnswers
from fireside.ui.chat.transcript import Transcript
from fireside.ui.chat.turn_events import TurnEvent, conversation_of, phase_of
from fireside.ui.tasks import TaskRunner


class Following(QObject):
    """Follows one conversation, or a new one that gets its identity later. GUI thread only."""

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
        waiting: WaitingArea,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._client = client
        self._tasks = tasks
        self._transcript = transcript
        self._waiting = waiting
        self._conversation_id: ConversationId | None = None
        self._visit = 0
        self._held: list[TurnEvent] | None = None
        """Events kept while the conversation is being created or read again; ``None`` at other times."""
        self._running = RunningAnswers()
        self._wanted: MessageId | None = None
        self._wanted_words = ""
        """A message to scroll to once it is here."""

    @property
    def conversation_id(self) -> ConversationId | None:
        return self._conversation_id

    @property
    def visit(self) -> int:
        """Counts what was opened, so that a late reply to an earlier one is not taken for this one."""
        return self._visit

    @property
    def is_running(self) -> bool:
        """Whether an answer is being written here, in the branch that is shown or in another one."""
        entries = self._transcript.entries
        if entries and entries[-1].is_running:
            return True
        return self._conversation_id is not None and self._running.runs_in(self._conversation_id)

    def open(self, conversation: Conversation) -> None:
        """Show a stored conversation, and follow it from now on."""
        self._go_to(conversation.summary.id)
        self._transcript.set_messages(
            self._up_to_date(conversation), branches=conversation.branches, edits=conversation.edits
        )
        self._surround(conversation)

    def open_new(self) -> None:
        """Show a conversation that nothing is in yet."""
        self._go_to(None)
        self._transcript.set_messages(())
        self._waiting.put(())

    def hold(self) -> None:
        """Keep back what happens until ``release``: the new conversation gets its identity."""
        self._held = []

    def become(self, conversation_id: ConversationId) -> None:
        """Take over which conversation this is, as what was written in it is stored."""
        self._conversation_id = conversation_id

    def release(self) -> None:
        """Apply what was kept back."""
        self._release(read=frozenset())

    def read_again(self) -> None:
        """Show the branch that the conversation is on now; what happens meanwhile is not lost."""
        if self._conversation_id is None:
            return
        self._held = []
        visit = self._visit

        def on_read(conversation: Conversation) -> None:
            if visit == self._visit:
                messages = self._up_to_date(conversation)
                self._transcript.show_branch(messages, branches=conversation.branches)
                self._surround(conversation)
                self._release(read={message.id for message in messages})

        def on_error(error: FiresideError) -> None:
            if visit == self._visit:
                self.release()
            self.failed.emit(error.info())

        work = self._client.conversations.open(self._conversation_id)
        self._tasks.run(work, on_done=on_read, on_error=on_error)

    def show_message(self, message_id: MessageId, *, words: str) -> None:
        """Scroll to a message and mark ``words`` in it, at once or when its branch is here."""
        self._wanted, self._wanted_words = message_id, words
        self._show_wanted()

    def hear(self, event: AppEvent) -> None:
        """Take over one fact; those of other conversations change nothing shown."""
        self._running.hear(event)
        if not isinstance(event, TurnEvent):
            return
        where = conversation_of(event)
        if self._held is not None and self._conversation_id in (None, where):
            self._held.append(event)
        elif where == self._conversation_id:
            self._apply(event)

    def _go_to(self, conversation_id: ConversationId | None) -> None:
        self._conversation_id = conversation_id
        self._visit += 1
        self._held = None
        self._wanted = None

    def _release(self, *, read: Set[MessageId]) -> None:
        """Apply what was kept back, but for what the messages ``read`` meanwhile have in them already."""
        held, self._held = self._held or [], None
        for event in held:
            added = isinstance(event, MessageAdded) and event.message.id in read
            appended = isinstance(event, TextAppended) and event.message_id in read
            if not added and not appended and conversation_of(event) == self._conversation_id:
                self._apply(event)
        self.changed.emit()

    def _apply(self, event: TurnEvent) -> None:
        match event:
            case MessageAdded(message=message):
                if self._is_shown(message):
                    self._transcript.add_message(message)
                self.changed.emit()
            case MessageReplaced(message=message):
                self._transcript.replace_message(message)
                self.changed.emit()
            case TextAppended():
                self._transcript.append_text(
                    event.message_id, text=event.text, n_completion=event.n_completion, kind=event.kind
                )
            case TurnQueued() | TurnLoading() | TurnReading() | TurnSummarising():
                self._transcript.set_phase(event.message_id, phase_of(event))
            case SummaryChanged():
                self.changed.emit()
            case BranchChanged():
                self.read_again()
            case MessagePinned():
                self._transcript.set_pinned(event.message_id, pinned=event.pinned)
            case WaitingChanged():
                self._waiting.put(event.waiting)
                self.changed.emit()

    def _is_shown(self, message: StoredMessage) -> bool:
        """Whether a new message goes on with what is shown: one of several answers may be another branch."""
        entries = self._transcript.entries
        return not entries or message.parent_id in (None, entries[-1].message.id)

    def _up_to_date(self, conversation: Conversation) -> list[StoredMessage]:
        return [self._running.up_to_date(message) for message in conversation.messages]

    def _surround(self, conversation: Conversation) -> None:
        """Show what a conversation has besides its messages."""
        self._waiting.put(conversation.waiting)
        last = conversation.messages[-1].id if conversation.messages else None
        if last is not None and (since := self._running.thinking_since(last)) is not None:
            self._transcript.set_thinking_since(last, since)
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
