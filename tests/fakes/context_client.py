"""The façade of a conversation's context without an engine behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from fireside.bridge.context_client import ContextClient
from fireside.core.context import ContextPlan, FullContext
from fireside.core.errors import FiresideError, InvalidText, NotStored
from fireside.core.events import AppEvent, SummaryChanged
from fireside.core.ids import ConversationId, ModelId, SummaryId
from fireside.core.message import AttachedPart


class FakeContextClient:
    """Answers with ``plan_now``, and notes what it was asked."""

    def __init__(self, publish: Callable[[AppEvent], None]) -> None:
        self.plan_now: ContextPlan | None = None
        """``None`` is what a conversation has that nothing is known of."""
        self.calls: list[tuple[object, ...]] = []
        self._publish = publish
        self._failures: dict[str, FiresideError] = {}

    def fail(self, name: str, error: FiresideError) -> None:
        """Make the next call of ``name`` raise ``error``."""
        self._failures[name] = error

    def called(self, name: str) -> list[tuple[object, ...]]:
        """Return the arguments of each call of ``name`` so far."""
        return [call[1:] for call in self.calls if call[0] == name]

    async def plan(
        self,
        conversation_id: ConversationId | None,
        *,
        draft: str,
        attached: Sequence[AttachedPart] = (),
        model_id: ModelId,
    ) -> ContextPlan:
        self._enter("plan", conversation_id, draft, tuple(attached), model_id)
        if self.plan_now is None:
            return ContextPlan(n_ctx=0, n_reserve=0, n_prompt=0, n_system=0, n_history=0, is_exact=False)
        return self.plan_now

    async def choose(self, conversation_id: ConversationId | None, *, policy: FullContext) -> None:
        self._enter("choose", conversation_id, policy)
        if self.plan_now is not None:
            self.plan_now = replace(self.plan_now, policy=policy)

    async def edit_summary(self, summary_id: SummaryId, *, text: str) -> None:
        self._enter("edit_summary", summary_id, text)
        if not text.strip():
            raise InvalidText(reason="it is empty.")
        self._change(text=text)

    async def remove_summary(self, summary_id: SummaryId) -> None:
        self._enter("remove_summary", summary_id)
        if self.plan_now is None or (summary := self.plan_now.summary) is None:
            raise NotStored(what="summary", id=summary_id)
        self.plan_now = replace(self.plan_now, summary=None)
        self._publish(SummaryChanged(conversation_id=summary.conversation_id))

    async def write_summary_again(self, summary_id: SummaryId, *, model_id: ModelId) -> None:
        self._enter("write_summary_again", summary_id, model_id)
        self._change(text="Written again.")

    async def cancel_summary(self, conversation_id: ConversationId) -> None:
        self._enter("cancel_summary", conversation_id)

    def _enter(self, name: str, *arguments: object) -> None:
        self.calls.append((name, *arguments))
        if error := self._failures.pop(name, None):
            raise error

    def _change(self, *, text: str) -> None:
        if self.plan_now is None or self.plan_now.summary is None:
            raise NotStored(what="summary", id=0)
        summary = replace(self.plan_now.summary, text=text, edited=True)
        self.plan_now = replace(self.plan_now, summary=summary)
        self._publish(SummaryChanged(conversation_id=summary.conversation_id))


def as_context_client(fake: FakeContextClient) -> ContextClient:
    """Let the type checker confirm that the fake keeps the contract."""
    return fake
