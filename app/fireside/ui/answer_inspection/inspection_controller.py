"""The controller of answer inspection: shows prompt and token probabilities, continues from another token."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from fireside.core.chat import GenerationRecord
from fireside.core.errors import FiresideError
from fireside.core.events import AppEvent
from fireside.core.ids import ConversationId, MessageId
from fireside.core.inspection import AnswerProbabilities, ScoringProgressed
from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.chat.transcript.transcript import Transcript
from fireside.ui.tasks import LatestRequest, task
from fireside.ui.window_context import WindowContext

if TYPE_CHECKING:
    from fireside.ui.answer_inspection.probability_sheet import ProbabilitySheet
    from fireside.ui.answer_inspection.prompt_sheet import PromptSheet


class InspectionController(QObject):
    """Handles the transcript's inspection actions, with at most one sheet of each kind. GUI thread only."""

    generation_started = Signal()
    """A new answer is being generated."""

    def __init__(
        self,
        context: WindowContext,
        *,
        transcript: Transcript,
        conversation_id: Callable[[], ConversationId | None],
    ) -> None:
        super().__init__(context.window)
        self._client = context.client
        self._tasks = context.tasks
        self._on_error = context.show_error
        self._transcript = transcript
        self._conversation_id = conversation_id
        self._window = context.window
        self._scored: MessageId | None = None
        self._scoring = LatestRequest(context.tasks)
        self.prompt_sheet: PromptSheet | None = None
        self.probability_sheet: ProbabilitySheet | None = None
        register = transcript.message_actions.register
        register(MessageAction.PROMPT, lambda entry: self.show_prompt(entry.message.id))
        register(MessageAction.PROBABILITIES, lambda entry: self.show_probabilities(entry.message.id))
        self._client.frame.connect(self._on_frame)

    # The prompt

    def show_prompt(self, message_id: MessageId) -> None:
        """Show the exact prompt of an answer."""
        from fireside.ui.answer_inspection.prompt_sheet import PromptSheet

        sheet = PromptSheet(lambda: self._load_model(message_id, sheet), parent=self._window.window())
        self.prompt_sheet = sheet
        sheet.finished.connect(lambda _code: self._forget_prompt(sheet))
        sheet.open()
        self._request_prompt(message_id, sheet)

    @task
    async def _request_prompt(self, message_id: MessageId, sheet: PromptSheet) -> None:
        try:
            seen = await self._client.inspection.prompt(message_id)
        except FiresideError as error:
            self._show_prompt_error(error, sheet)
            return
        if sheet is not self.prompt_sheet:
            return
        if seen is None:
            record = self._record(message_id)
            sheet.show_not_loaded("" if record is None else record.model_name)
        else:
            sheet.show_prompt(seen)

    @task
    async def _load_model(self, message_id: MessageId, sheet: PromptSheet) -> None:
        record = self._record(message_id)
        if record is None:
            return
        try:
            await self._client.models.load(record.model_id, conversation_id=self._conversation_id())
        except FiresideError as error:
            self._show_prompt_error(error, sheet)
        else:
            if sheet is self.prompt_sheet:
                self._request_prompt(message_id, sheet)

    def _show_prompt_error(self, error: FiresideError, sheet: PromptSheet) -> None:
        if sheet is self.prompt_sheet:
            sheet.show_error(error.info())

    def _forget_prompt(self, sheet: PromptSheet) -> None:
        if sheet is self.prompt_sheet:
            self.prompt_sheet = None

    def _record(self, message_id: MessageId) -> GenerationRecord | None:
        index = self._transcript.index_of(message_id)
        return None if index is None else self._transcript.entries[index].message.generation

    # The probabilities

    def show_probabilities(self, message_id: MessageId) -> None:
        """Show the probability of each token of an answer."""
        from fireside.ui.answer_inspection.probability_sheet import ProbabilitySheet

        sheet = ProbabilitySheet(self, parent=self._window.window())
        self.probability_sheet, self._scored = sheet, message_id
        sheet.finished.connect(lambda _code: self._forget_scores(sheet))
        sheet.open()

        def on_scored(scores: AnswerProbabilities | None) -> None:
            if sheet is not self.probability_sheet:
                return
            if scores is None:
                sheet.close()
            else:
                sheet.show_scores(scores)

        self._scoring.run(
            self._client.inspection.probabilities(message_id),
            on_done=on_scored,
            on_error=lambda error: self._show_scores_error(error, sheet),
        )

    def cancel_scoring(self) -> None:
        """Cancel computing the probabilities that the sheet waits for."""
        self._scoring.cancel()

    @task
    async def continue_from(self, tokens: tuple[int, ...]) -> None:
        """Generate another version of the answer that begins with these tokens."""
        sheet, message_id = self.probability_sheet, self._scored
        if sheet is None or message_id is None:
            return
        try:
            await self._client.inspection.continue_from(message_id, tokens=tokens)
        except FiresideError as error:
            self._show_scores_error(error, sheet)
            return
        if sheet is self.probability_sheet:
            sheet.accept()
        self.generation_started.emit()

    def _show_scores_error(self, error: FiresideError, sheet: ProbabilitySheet) -> None:
        if sheet is self.probability_sheet:
            sheet.show_error(error.info())

    def _forget_scores(self, sheet: ProbabilitySheet) -> None:
        if sheet is self.probability_sheet:
            self.probability_sheet, self._scored = None, None

    @Slot(object)
    def _on_frame(self, events: tuple[AppEvent, ...]) -> None:
        for event in events:
            if not isinstance(event, ScoringProgressed) or event.message_id != self._scored:
                continue
            if self.probability_sheet is not None:
                self.probability_sheet.show_progress(event.fraction)
