"""The user's replies to calls that wait for consent, and the permissions that last."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import msgspec

from fireside.chat.tools.toolbox import Toolbox
from fireside.core.elicitation import Elicitation, ElicitationReply
from fireside.core.errors import FiresideError
from fireside.core.facts import FactScope
from fireside.core.ids import ConversationId, MessageId
from fireside.core.tools import ConsentAnswer, Permission
from fireside.services.preferences import Preferences
from fireside.settings.conversions import tool_options
from fireside.settings.definitions_tools import CHAT_PERMISSIONS, PERMISSIONS
from fireside.settings.values import AppLayer, ConversationLayer
from fireside.tools.consent import Granted, read_grants, write_grants
from fireside.tools.tool import RunnableTool

log = logging.getLogger(__name__)

_LASTING = (ConsentAnswer.CHAT, ConsentAnswer.ALWAYS)


class ConsentReply(msgspec.Struct, frozen=True, kw_only=True):
    """The user's reply to a call that waits for consent."""

    answer: ConsentAnswer
    text: str | None = None
    """Replaces the text that the user may edit; ``None`` where it is unchanged."""
    scope: FactScope | None = None
    """Of a fact: where it is to hold; ``None`` for what was proposed."""


class _PendingCall(msgspec.Struct, frozen=True, kw_only=True):
    tool: str
    once: bool
    """Whether only this one call can be allowed."""
    answer: asyncio.Future[ConsentReply]


class Consents:
    """All methods on the engine's loop."""

    def __init__(self, preferences: Preferences) -> None:
        self._preferences = preferences
        self._waiting: dict[tuple[MessageId, str], _PendingCall] = {}
        self._elicitations: dict[tuple[MessageId, str, int], asyncio.Future[ElicitationReply]] = {}
        self._writing = asyncio.Lock()

    def answer(self, message_id: MessageId, call_id: str, reply: ConsentReply) -> None:
        """Apply the user's reply, also to waiting calls of the same tool where it lasts.

        Does nothing where the call no longer waits.
        """
        waiting = self._waiting.get((message_id, call_id))
        if waiting is None or waiting.answer.done():
            return
        waiting.answer.set_result(reply)
        if reply.answer not in _LASTING or waiting.once:
            return
        for (other_id, _), other in tuple(self._waiting.items()):
            is_same = other_id == message_id and other.tool == waiting.tool and not other.once
            if is_same and not other.answer.done():
                other.answer.set_result(reply)

    def waiting_of(self, tool: str) -> tuple[tuple[MessageId, str], ...]:
        """Return the calls of a tool that wait for the user, the oldest first."""
        return tuple(key for key, call in self._waiting.items() if call.tool == tool)

    def expect_answer(
        self, message_id: MessageId, call_id: str, *, tool: RunnableTool[Any], once: bool
    ) -> asyncio.Future[ConsentReply]:
        """Return a future of the user's reply to a call; with ``once`` only this call can be allowed.

        Call this before the call is shown, since the reply may follow at once. Cancel the future to stop
        waiting.
        """
        answer: asyncio.Future[ConsentReply] = asyncio.get_running_loop().create_future()
        self._waiting[message_id, call_id] = _PendingCall(tool=tool.name, once=once, answer=answer)
        answer.add_done_callback(lambda _: self._waiting.pop((message_id, call_id), None))
        return answer

    def expect_reply(
        self, message_id: MessageId, call_id: str, elicitation: Elicitation
    ) -> asyncio.Future[ElicitationReply]:
        """Return a future of the user's reply to a request of a call's server; see ``expect_answer``."""
        key = (message_id, call_id, elicitation.number)
        reply: asyncio.Future[ElicitationReply] = asyncio.get_running_loop().create_future()
        self._elicitations[key] = reply
        reply.add_done_callback(lambda _: self._elicitations.pop(key, None))
        return reply

    def reply(self, message_id: MessageId, call_id: str, reply: ElicitationReply) -> None:
        """Apply the user's reply to a request of a server. Does nothing where that no longer waits."""
        future = self._elicitations.get((message_id, call_id, reply.number))
        if future is not None and not future.done():
            future.set_result(reply)

    async def store(
        self, answer: ConsentAnswer, *, tool: RunnableTool[Any], once: bool, box: Toolbox
    ) -> ConsentAnswer:
        """Store an answer that outlasts the call and return the answer in force.

        That is ``ONCE`` in place of a lasting answer where ``once`` is set or storing fails.
        """
        if once and answer in _LASTING:
            return ConsentAnswer.ONCE
        try:
            if answer is ConsentAnswer.CHAT and box.conversation_id is not None:
                await self._allow_in_chat(box.conversation_id, tool)
            elif answer is ConsentAnswer.ALWAYS:
                await self.set_permission(tool, Permission.ALWAYS)
        except FiresideError as exc:
            log.warning("a permission was not stored: %s", exc)
            return ConsentAnswer.ONCE
        return answer

    async def set_permission(self, tool: RunnableTool[Any], permission: Permission) -> None:
        """Store the permission of a tool in its current version. Raises ``SettingsUnwritable``."""
        async with self._writing:
            resolved = await self._preferences.resolved(model_id=None, conversation_id=None)
            grants = read_grants(tool_options(resolved).permissions)
            grants[tool.name] = Granted(permission=permission, fingerprint=tool.fingerprint)
            await self._preferences.change(AppLayer(), key=PERMISSIONS, value=write_grants(grants))
        await tool.record_review()

    async def _allow_in_chat(self, conversation_id: ConversationId, tool: RunnableTool[Any]) -> None:
        async with self._writing:
            resolved = await self._preferences.resolved(model_id=None, conversation_id=conversation_id)
            grants = read_grants(tool_options(resolved).chat_permissions)
            grants[tool.name] = Granted(permission=Permission.ALWAYS, fingerprint=tool.fingerprint)
            layer = ConversationLayer(conversation_id=conversation_id)
            await self._preferences.change(layer, key=CHAT_PERMISSIONS, value=write_grants(grants))
        await tool.record_review()
