"""After a crash or a shortage of memory: find a smaller load, offer it, and answer again with it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from fireside.bridge.client import EngineClient
from fireside.core.chat import MessageState
from fireside.core.errors import ErrorInfo, FiresideError
from fireside.core.ids import ConversationId, MessageId, ModelId
from fireside.core.plan import LoadPlan
from fireside.ui.chat.actions import MessageAction
from fireside.ui.chat.answer_cards import RESCUABLE
from fireside.ui.chat.message_item import Entry
from fireside.ui.chat.transcript import Transcript
from fireside.ui.tasks import TaskRunner


class RecoveryController(QObject):
    """Looks at the last answer of the transcript only. GUI thread only."""

    failed = Signal(object)
    """``ErrorInfo`` of a smaller load that failed too."""
    details_wanted = Signal(str)
    """Id of the model that a person wants to know more about."""

    def __init__(
        self,
        *,
        client: EngineClient,
        tasks: TaskRunner,
        transcript: Transcript,
        conversation_id: Callable[[], ConversationId | None],
        model_id: Callable[[], ModelId | None],
        words: Callable[[LoadPlan, LoadPlan], str],
        parent: QObject,
    ) -> None:
        """Take ``words`` as what says what a smaller plan changes of the usual one."""
        super().__init__(parent)
        self._client = client
        self._tasks = tasks
        self._transcript = transcript
        self._conversation_id = conversation_id
        self._model_id = model_id
        self._words = words
        self._asked: MessageId | None = None
        transcript.action_wanted.connect(self._on_action)
        transcript.messages_changed.connect(self._on_messages_changed)

    def _on_messages_changed(self) -> None:
        """Ask once for each failed answer that comes to the end of the page."""
        entries = self._transcript.entries
        entry = entries[-1] if entries else None
        if entry is None or not is_rescuable(entry):
            self._asked = None
            return
        model_id = self._model_of(entry)
        if entry.message.id == self._asked or entry.smaller or model_id is None:
            return
        message_id = self._asked = entry.message.id

        def on_words(words: str) -> None:
            if words:
                self._change(message_id, smaller=words, is_loading=False)

        def on_error(_error: FiresideError) -> None:
            """There is no offer then; what went wrong is on the card already."""

        self._tasks.run(self._offer(model_id), on_done=on_words, on_error=on_error)

    async def _offer(self, model_id: ModelId) -> str:
        load_plans = self._client.load_plans
        smaller = await load_plans.smaller_plan(model_id)
        if smaller is None:
            return ""
        usual = await load_plans.plan(model_id, conversation_id=self._conversation_id(), changes={})
        return self._words(smaller, usual)

    def _on_action(self, message_id: MessageId, action: MessageAction) -> None:
        index = self._transcript.index_of(message_id)
        if index is None:
            return
        entry = self._transcript.entries[index]
        model_id = self._model_of(entry)
        if model_id is None:
            return
        if action is MessageAction.DETAILS:
            self.details_wanted.emit(model_id)
        elif action is MessageAction.SMALLER and not entry.is_loading_smaller:
            self._load_smaller(entry, model_id)

    def _load_smaller(self, entry: Entry, model_id: ModelId) -> None:
        message_id, smaller = entry.message.id, entry.smaller
        conversation_id = self._conversation_id()
        self._change(message_id, smaller=smaller, is_loading=True)

        async def load_and_answer() -> None:
            await self._client.load_plans.load_smaller(model_id, conversation_id=conversation_id)
            await self._client.generations.regenerate(message_id, model_id=model_id)

        def on_error(error: FiresideError) -> None:
            self._change(message_id, smaller=smaller, is_loading=False)
            info: ErrorInfo = error.info()
            self.failed.emit(info)

        self._tasks.run(load_and_answer(), on_error=on_error)

    def _change(self, message_id: MessageId, *, smaller: str, is_loading: bool) -> None:
        index = self._transcript.index_of(message_id)
        if index is not None:
            entry = self._transcript.entries[index]
            entry.smaller, entry.is_loading_smaller = smaller, is_loading
            self._transcript.column.refresh(index)
            self._transcript.column.order_tabs()

    def _model_of(self, entry: Entry) -> ModelId | None:
        record = entry.message.generation
        return record.model_id if record is not None and record.model_id else self._model_id()


def is_rescuable(entry: Entry) -> bool:
    """Tell whether an answer failed in a way that a smaller load may mend."""
    message = entry.message
    is_failed = message.state is MessageState.FAILED and message.error is not None
    return is_failed and message.error is not None and message.error.code in RESCUABLE
