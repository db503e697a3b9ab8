"""The controller of context usage: requests the context plan, shows it in meter, boundary, notice, popup."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer

from fireside.core.context import ContextPlan, FullContext
from fireside.core.errors import FiresideError
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import ConversationId, MessageId, SummaryId
from fireside.core.message import AttachedPart, PassagesPart
from fireside.core.options import SettingValue
from fireside.ui.chat.answer.phase import Writing
from fireside.ui.chat.pane.pane_context import PaneContext
from fireside.ui.context.context_text import is_nearly_full
from fireside.ui.context.notice import ContextNotice, WaysOut
from fireside.ui.context.popup import ContextPopup

_DELAY_MS: Final = 400
"""Milliseconds after the last change before the plan is requested."""
_GROWTH: Final = 8
"""Tokens by which a running answer grows before the meter is updated."""
_EXCERPT: Final = 200
_BLOCKED: Final = tr_noop("Exceeds the context")


class ContextController(QObject):
    """Keeps the context plan of the conversation that is shown. GUI thread only."""

    def __init__(
        self,
        context: PaneContext,
        *,
        attached: Callable[[], Sequence[AttachedPart]],
        ways_out: Callable[[], WaysOut],
    ) -> None:
        """``attached`` returns the draft's attachments, ``ways_out`` what helps where the message does not
        fit."""
        super().__init__(context.pane)
        self._context = context
        self._client = context.client.context
        self._composer = context.composer
        self._transcript = context.transcript
        self._attached = attached
        self.opening: Callable[[], Mapping[str, SettingValue]] = dict
        """Returns the settings of a new chat, with those of its project."""
        self._ways_out = ways_out
        self._passages: PassagesPart | None = None
        self._is_requesting = False
        self._warned: set[ConversationId | None] = set()
        self.plan: ContextPlan | None = None
        """The latest plan."""
        self._n_written = 0
        """Tokens of the running answer that the plan counts, or that the meter shows beyond it."""
        self.notice = ContextNotice(choose=self.choose_policy, parent=context.pane)
        self.popup = ContextPopup(choose=self.choose_policy, parent=context.pane)
        self._refresh_timer = QTimer(self, singleShot=True, interval=_DELAY_MS)
        self._refresh_timer.timeout.connect(self._refresh)
        self._composer.meter.clicked.connect(self.open_popup)
        self.popup.message_requested.connect(self._on_message_requested)
        self._transcript.column.entry_changed.connect(self._on_entry_changed)

    def refresh_soon(self) -> None:
        """Request the plan again soon: something that it depends on has changed."""
        self._refresh_timer.start()

    def set_passages(self, passages: PassagesPart | None) -> None:
        """Set the passages that would be sent with the draft, and count them."""
        if passages != self._passages:
            self._passages = passages
            self.refresh_soon()

    def clear(self) -> None:
        """Show no plan: another conversation or model is shown, whose plan is not known yet."""
        self._show(None)

    def open_popup(self) -> None:
        """Show what fills the context, above the meter."""
        if self.plan is None:
            return
        meter = self._composer.meter
        corner = meter.mapToGlobal(meter.rect().topRight())
        self.popup.open_above(
            corner, self.plan, excerpt=self._excerpt, has_chat=self._context.conversation_id() is not None
        )

    # Requests

    def _refresh(self) -> None:
        model_id = self._context.model_id()
        if model_id is None:
            self._show(None)
            return
        if self._is_requesting:
            self._refresh_timer.start()
            return
        self._is_requesting = True
        requested = (self._context.conversation_id(), model_id)
        n_written = self._n_running_tokens()

        def on_plan(plan: ContextPlan) -> None:
            self._is_requesting = False
            self._n_written = n_written
            if requested == (self._context.conversation_id(), self._context.model_id()):
                self._show(plan if plan.n_ctx > 0 else None)

        def on_error(_error: FiresideError) -> None:
            self._is_requesting = False  # not shown: sending the message will show the error

        work = self._client.plan(
            requested[0],
            draft=self._composer.text(),
            attached=self._attached(),
            passages=self._passages,
            model_id=model_id,
            opening=dict(self.opening()) if requested[0] is None else {},
        )
        self._context.tasks.run(work, on_done=on_plan, on_error=on_error)

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
            self.popup.show_plan(
                plan, excerpt=self._excerpt, has_chat=self._context.conversation_id() is not None
            )
        self._warn(plan)

    def _n_running_tokens(self) -> int:
        """Return the number of tokens of the running answer; 0 where none runs."""
        entries = self._transcript.entries
        phase = entries[-1].phase if entries else None
        return phase.n_completion if isinstance(phase, Writing) else 0

    def _on_entry_changed(self, _index: int) -> None:
        """Add the running answer's new tokens to the plan, between two requests."""
        n_more = self._n_running_tokens() - self._n_written
        if n_more < 0:
            self._n_written = 0  # another answer
        elif n_more >= _GROWTH and self.plan is not None:
            plan = self.plan
            self._n_written += n_more
            self.plan = replace(plan, n_history=plan.n_history + n_more, n_prompt=plan.n_prompt + n_more)
            self._composer.meter.set_plan(self.plan)

    def _warn(self, plan: ContextPlan | None) -> None:
        """Show the notice: once per chat when the context is nearly full, always when it is exceeded."""
        key = self._context.conversation_id()
        if plan is None or not is_nearly_full(plan):
            self.notice.hide()
            if plan is not None:
                self._warned.discard(key)
            return
        ways_out = self._ways_out()
        # An estimate, before the model is loaded, is never said not to fit.
        if not plan.fits or plan.n_system + plan.n_attached + plan.n_draft > plan.n_ctx:
            over = replace(plan, fits=False)
            self.notice.warn(over, is_written=not self._composer.is_blank, ways_out=ways_out)
        elif plan.n_unseen == 0 and key not in self._warned:
            self._warned.add(key)
            self.notice.warn(plan)
        elif plan.n_unseen > 0 or not self.notice.isHidden():
            # Once messages are dropped, the boundary line says so; an older warning stays until it is closed.
            self.notice.setVisible(plan.n_unseen == 0)

    def _excerpt(self, message_id: MessageId) -> str:
        index = self._transcript.index_of(message_id)
        return "" if index is None else self._transcript.entries[index].text[:_EXCERPT]

    # Policy

    def choose_policy(self, policy: FullContext) -> None:
        """Store what is done when the conversation no longer fits."""
        self._run(self._client.set_policy(self._context.conversation_id(), policy=policy))

    def _on_message_requested(self, message_id: MessageId) -> None:
        if (index := self._transcript.index_of(message_id)) is not None:
            self._transcript.show_message(index)

    # The summary

    def edit_summary(self, summary_id: SummaryId, text: str) -> None:
        """Store another text."""
        self._run(self._client.edit_summary(summary_id, text=text))

    def remove_summary(self, summary_id: SummaryId) -> None:
        """Delete it."""
        self._run(self._client.remove_summary(summary_id))

    def regenerate_summary(self, summary_id: SummaryId) -> None:
        """Have the model regenerate it."""
        boundary = self._transcript.column.boundary
        model_id, line = self._context.model_id(), boundary.line
        if model_id is None or line is None:
            return
        line.set_writing(True)

        def show_ended() -> None:
            if (current := boundary.line) is not None:
                current.set_writing(False)

        def on_error(error: FiresideError) -> None:
            show_ended()
            self._context.show_error(error.info())

        self._context.tasks.run(
            self._client.regenerate_summary(summary_id, model_id=model_id),
            on_done=lambda _none: show_ended(),
            on_error=on_error,
        )

    def stop_summary(self) -> None:
        """Stop regenerating it."""
        conversation_id = self._context.conversation_id()
        if conversation_id is not None:
            self._run(self._client.cancel_summary(conversation_id))

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        self._context.run_quietly(work, on_done=lambda _none: self.refresh_soon())
