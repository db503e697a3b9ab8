"""The façade over the engine thread for steering a conversation."""

from __future__ import annotations

from collections.abc import Mapping

from fireside.bridge.branch_client import NO_SETTINGS
from fireside.bridge.remote_call import Ask
from fireside.core.chat import TreeNode
from fireside.core.ids import ConversationId, MessageId, ModelId, WaitingId
from fireside.core.options import SettingValue


class ThreadBranchClient:
    """``BranchClient`` for an ``App`` that lives on an ``EngineThread``. GUI thread only."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def edit_question(self, message_id: MessageId, *, text: str, model_id: ModelId) -> None:
        await self._ask(lambda app: app.branches.edit_question(message_id, text=text, model_id=model_id))

    async def edit_answer(self, message_id: MessageId, *, text: str) -> None:
        await self._ask(lambda app: app.branches.edit_answer(message_id, text=text))

    async def answer_again(
        self, message_id: MessageId, *, model_id: ModelId, settings: Mapping[str, SettingValue] = NO_SETTINGS
    ) -> None:
        await self._ask(
            lambda app: app.branches.answer_again(message_id, model_id=model_id, settings=settings)
        )

    async def continue_answer(self, message_id: MessageId, *, model_id: ModelId) -> None:
        await self._ask(lambda app: app.branches.continue_answer(message_id, model_id=model_id))

    async def choose_branch(self, message_id: MessageId) -> None:
        await self._ask(lambda app: app.branches.choose_branch(message_id))

    async def tree(self, conversation_id: ConversationId) -> tuple[TreeNode, ...]:
        return await self._ask(lambda app: app.branches.tree(conversation_id))

    async def fork(self, message_id: MessageId) -> ConversationId:
        return await self._ask(lambda app: app.branches.fork(message_id))

    async def delete_from(self, message_id: MessageId) -> None:
        await self._ask(lambda app: app.branches.delete_from(message_id))

    async def restore_from(self, message_id: MessageId) -> None:
        await self._ask(lambda app: app.branches.restore_from(message_id))

    async def pin(self, message_id: MessageId) -> None:
        await self._ask(lambda app: app.branches.pin(message_id))

    async def unpin(self, message_id: MessageId) -> None:
        await self._ask(lambda app: app.branches.unpin(message_id))

    async def edit_waiting(self, waiting_id: WaitingId, *, text: str) -> None:
        await self._ask(lambda app: app.branches.edit_waiting(waiting_id, text=text))

    async def keep_edit(self, message_id: MessageId, *, text: str | None) -> None:
        await self._ask(lambda app: app.branches.keep_edit(message_id, text=text))

    async def keep_waiting_edit(self, waiting_id: WaitingId, *, text: str | None) -> None:
        await self._ask(lambda app: app.branches.keep_waiting_edit(waiting_id, text=text))

    async def cancel_waiting(self, waiting_id: WaitingId) -> None:
        await self._ask(lambda app: app.branches.cancel_waiting(waiting_id))

    async def send_waiting(self, waiting_id: WaitingId) -> None:
        await self._ask(lambda app: app.branches.send_waiting(waiting_id))
