"""Recovery after a crash or out of memory: offer to reload the model with less memory and answer again."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from fireside.core.chat import MessageState
from fireside.core.errors import FiresideError
from fireside.core.ids import MessageId, ModelId
from fireside.core.plan import LoadPlan
from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.chat.answer.message_item import Entry
from fireside.ui.chat.pane.pane_context import PaneContext

_RECOVERABLE = frozenset({"out_of_memory", "runner_crashed", "runner_unresponsive", "restarts_exhausted"})
"""Codes of the errors that a load with less memory may prevent."""


class LoadRecoveryController(QObject):
    """Watches the last answer of the transcript. GUI thread only."""

    def __init__(
        self,
        context: PaneContext,
        *,
        describe_change: Callable[[LoadPlan, LoadPlan], str],
        show_details: Callable[[str], None],
    ) -> None:
        """``describe_change`` returns what a smaller plan changes compared to the usual one; ``show_details``
        shows the load settings of a model, given by its id."""
        super().__init__(context.pane)
        self._context = context
        self._client = context.client
        self._transcript = context.transcript
        self._describe_change = describe_change
        self._show_details = show_details
        self._requested: MessageId | None = None
        self._transcript.message_actions.register(MessageAction.DETAILS, self._show_load)
        self._transcript.message_actions.register(MessageAction.RETRY_SMALLER, self._load_smaller)
        self._transcript.messages_changed.connect(self._on_messages_changed)

    def _on_messages_changed(self) -> None:
        """Look for a smaller load plan, once for each failed answer that is the last message."""
        entries = self._transcript.entries
        entry = entries[-1] if entries else None
        if entry is None or not _is_recoverable(entry):
            self._requested = None
            return
        model_id = self._model_of(entry)
        if entry.message.id == self._requested or entry.smaller_load or model_id is None:
            return
        message_id = self._requested = entry.message.id

        def on_offer(change: str) -> None:
            if change:
                self._update_entry(message_id, smaller=change, is_loading=False)

        def on_error(_error: FiresideError) -> None:
            """Offer nothing; the answer's own error is shown already."""

        self._context.tasks.run(self._describe_smaller_load(model_id), on_done=on_offer, on_error=on_error)

    async def _describe_smaller_load(self, model_id: ModelId) -> str:
        load_plans = self._client.load_plans
        smaller = await load_plans.smaller_plan(model_id)
        if smaller is None:
            return ""
        usual = await load_plans.plan(model_id, conversation_id=self._context.conversation_id(), changes={})
        return self._describe_change(smaller, usual)

    def _show_load(self, entry: Entry) -> None:
        if (model_id := self._model_of(entry)) is not None:
            self._show_details(model_id)

    def _load_smaller(self, entry: Entry) -> None:
        model_id = self._model_of(entry)
        if model_id is None or entry.is_loading_smaller:
            return
        message_id, smaller = entry.message.id, entry.smaller_load
        conversation_id = self._context.conversation_id()
        self._update_entry(message_id, smaller=smaller, is_loading=True)

        async def load_and_answer() -> None:
            await self._client.load_plans.load_smaller(model_id, conversation_id=conversation_id)
            await self._client.generations.regenerate(message_id, model_id=model_id)

        def on_error(error: FiresideError) -> None:
            self._update_entry(message_id, smaller=smaller, is_loading=False)
            self._context.show_error(error.info())

        self._context.tasks.run(load_and_answer(), on_error=on_error)

    def _update_entry(self, message_id: MessageId, *, smaller: str, is_loading: bool) -> None:
        index = self._transcript.index_of(message_id)
        if index is not None:
            entry = self._transcript.entries[index]
            entry.smaller_load, entry.is_loading_smaller = smaller, is_loading
            self._transcript.column.refresh(index)
            self._transcript.column.update_tab_order()

    def _model_of(self, entry: Entry) -> ModelId | None:
        record = entry.message.generation
        return record.model_id if record is not None and record.model_id else self._context.model_id()


def _is_recoverable(entry: Entry) -> bool:
    """Return whether an answer failed in a way that a load with less memory may prevent."""
    message = entry.message
    is_failed = message.state is MessageState.FAILED and message.error is not None
    if not is_failed or message.error is None:
        return False
    return message.error.code in _RECOVERABLE and not message.error.data.get("had_memory")
