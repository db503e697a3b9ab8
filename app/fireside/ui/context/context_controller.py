"""Ask the engine how full the context is, and show it: meter, line in the transcript, notice, choices."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from fireside.bridge.context_client import ContextClient
from fireside.core.context import ContextPlan, FullContext
from fireside.core.errors import ErrorInfo, FiresideError
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import ConversationId, MessageId, ModelId, SummaryId
from fireside.core.message import AttachedPart
from fireside.ui.chat.composer import Composer
from fireside.ui.chat.transcript import Transcript
from fireside.ui.context.context_text import is_nearly_full
from fireside.ui.context.notice import ContextNotice
from fireside.ui.context.popup import ContextPopup
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import Theme

_REST_MS: Final = 400
"""What is typed rests so long before it is counted."""
_EXCERPT: Final = 200
_BLOCKED: Final = tr_noop("This does not fit into the model’s context")


class ContextController(QObject):
    """Everything about the context of the conversation that is shown. GUI thread only."""

    failed = Signal(object)
    """``ErrorInfo`` of a request."""

    def __init__(
        self,
        *,
        client: ContextClient,
        tasks: TaskRunner,
        theme: Theme,
        composer: Composer,
        transcript: Transcript,
        attached: Callable[[], Sequence[AttachedPart]],
        conversation_id: Callable[[], ConversationId | None],
        model_id: Callable[[], ModelId | None],
        pane: QWidget,
    ) -> None:
        super().__init__(pane)
        self._client = client
        self._tasks = tasks
        self._composer = composer
        self._transcript = transcript
        self._attached = attached
        self._conversation_id = conversation_id
        self._model_id = model_id
        self._is_asking = False
        self._warned: set[ConversationId | None] = set()
        self.plan: ContextPlan | None = None
        """What is shown now."""
        self.notice = ContextNotice(theme=theme, choose=self.choose_policy, parent=pane)
        self.popup = ContextPopup(theme=theme, choose=self.choose_policy, parent=pane)
        self._due = QTimer(self, singleShot=True, interval=_REST_MS)
        self._due.timeout.connect(self._on_due)
        composer.meter.clicked.connect(self.open_popup)
        self.popup.message_wanted.connect(self._on_message_wanted)

    def ask_soon(self) -> None:
        """Something changed that the plan depends on."""
        self._due.start()

    def forget(self) -> None:
        """Another conversation or model is shown: nothing is known of it yet."""
        self._show(None)

    def open_popup(self) -> None:
        """Show what fills the context, above the meter."""
        if self.plan is None:
            return
        meter = self._composer.meter
        corner = meter.mapToGlobal(meter.rect().topRight())
        self.popup.open_above(
            corner, self.plan, excerpt=self._excerpt, has_chat=self._conversation_id() is not None
        )

    # Asking

    def _on_due(self) -> None:
        model_id = self._model_id()
        if model_id is None:
            self._show(None)
            return
        if self._is_asking:
            self._due.start()
            return
        self._is_asking = True
        asked = (self._conversation_id(), model_id)

        def on_plan(plan: ContextPlan) -> None:
            self._is_asking = False
            if asked == (self._conversation_id(), self._model_id()):
                self._show(plan if plan.n_ctx > 0 else None)

        def on_error(_error: FiresideError) -> None:
            self._is_asking = False  # a meter that cannot be read is no news: sending will say what is wrong

        work = self._client.plan(
            asked[0], draft=self._composer.text(), attached=self._attached(), model_id=model_id
        )
        self._tasks.run(work, on_done=on_plan, on_error=on_error)

    def _show(self, plan: ContextPlan | None) -> None:
        self.plan = plan
        self._composer.meter.set_plan(plan)
        if plan is None:
            self._transcript.column.boundary.clear()
        else:
            self._transcript.column.boundary.show_plan(plan, handler=self)
        must_choose = plan is not None and not plan.fits and plan.is_exact
        self._composer.set_context_reason(tr(_BLOCKED) if must_choose else "")
        if plan is not None and self.popup.isVisible():
            self.popup.show_plan(plan, excerpt=self._excerpt, has_chat=self._conversation_id() is not None)
        self._warn(plan)

    def _warn(self, plan: ContextPlan | None) -> None:
        """Say once in words that it is nearly full, and always that something does not fit."""
        key = self._conversation_id()
        if plan is None or not is_nearly_full(plan):
            self.notice.hide()
            if plan is not None:
                self._warned.discard(key)
            return
        if not plan.fits:
            self.notice.warn(plan)
        elif plan.n_unseen == 0 and key not in self._warned:
            self._warned.add(key)
            self.notice.warn(plan)
        elif plan.n_unseen > 0 or not self.notice.isHidden():
            # Once the oldest are gone the line in the transcript tells; an older warning stays until closed.
            self.notice.setVisible(plan.n_unseen == 0)

    def _excerpt(self, message_id: MessageId) -> str:
        index = self._transcript.index_of(message_id)
        return "" if index is None else self._transcript.entries[index].text[:_EXCERPT]

    # Deciding

    def choose_policy(self, policy: FullContext) -> None:
        """Set what is done when the conversation no longer fits."""
        self._run(self._client.choose(self._conversation_id(), policy=policy))

    def _on_message_wanted(self, message_id: MessageId) -> None:
        if (index := self._transcript.index_of(message_id)) is not None:
            self._transcript.show_message(index)

    # The summary

    def edit_summary(self, summary_id: SummaryId, text: str) -> None:
        self._run(self._client.edit_summary(summary_id, text=text))

    def remove_summary(self, summary_id: SummaryId) -> None:
        self._run(self._client.remove_summary(summary_id))

    def write_summary_again(self, summary_id: SummaryId) -> None:
        boundary = self._transcript.column.boundary
        model_id, line = self._model_id(), boundary.line
        if model_id is None or line is None:
            return
        line.set_writing(True)

        def ended() -> None:
            if (now := boundary.line) is not None:
                now.set_writing(False)

        def on_error(error: FiresideError) -> None:
            ended()
            self.failed.emit(error.info())

        self._tasks.run(
            self._client.write_summary_again(summary_id, model_id=model_id),
            on_done=lambda _none: ended(),
            on_error=on_error,
        )

    def stop_summary(self) -> None:
        conversation_id = self._conversation_id()
        if conversation_id is not None:
            self._run(self._client.cancel_summary(conversation_id))

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        def on_error(error: FiresideError) -> None:
            info: ErrorInfo = error.info()
            self.failed.emit(info)

        self._tasks.run(work, on_done=lambda _none: self.ask_soon(), on_error=on_error)
