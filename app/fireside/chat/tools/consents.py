"""What the user says to calls that wait, and what is remembered of it."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import msgspec

from fireside.chat.tools.toolbox import Toolbox
from fireside.core.elicitation import Elicitation, ElicitationReply
from fireside.core.errors import FiresideError
from fireside.core.ids import ConversationId, MessageId
from fireside.core.tools import ConsentAnswer, Permission
from fireside.services.preferences import Preferences
from fireside.settings.definitions_tools import CHAT_PERMISSIONS, PERMISSIONS
from fireside.settings.typed_tools import tool_options
from fireside.settings.values import AppLayer, ConversationLayer
from fireside.tools.consent import Granted, read_grants, write_grants
from fireside.tools.tool import Tool

log = logging.getLogger(__name__)

_STANDING = (ConsentAnswer.CHAT, ConsentAnswer.ALWAYS)


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """What the user said to a call."""

    answer: ConsentAnswer
    text: str | None = None
    """In place of the words that the user may change; ``None`` where they stay."""


class _Waiting(msgspec.Struct, frozen=True, kw_only=True):
    tool: str
    once: bool
    """Only the call itself can be allowed."""
    answer: asyncio.Future[Said]


class Consents:
    """All methods on the engine's loop."""

    def __init__(self, preferences: Preferences) -> None:
        self._preferences = preferences
        self._waiting: dict[tuple[MessageId, str], _Waiting] = {}
        self._asked: dict[tuple[MessageId, str, int], asyncio.Future[ElicitationReply]] = {}
        self._writing = asyncio.Lock()

    def answer(self, message_id: MessageId, call_id: str, said: Said) -> None:
        """Take what the user says; nothing happens where the call does not wait any more."""
        asked = self._waiting.get((message_id, call_id))
        if asked is None or asked.answer.done():
            return
        asked.answer.set_result(said)
        if said.answer not in _STANDING or asked.once:
            return
        for (other_id, _), other in tuple(self._waiting.items()):
            is_same = other_id == message_id and other.tool == asked.tool and not other.once
            if is_same and not other.answer.done():
                other.answer.set_result(said)

    def question(
        self, message_id: MessageId, call_id: str, *, tool: Tool[Any], once: bool
    ) -> asyncio.Future[Said]:
        """Return what becomes the user's answer to a call, with ``once`` to this one alone.

        Ask before the call is shown: the answer may come at once. Cancelled, it is no longer waited for.
        """
        answer: asyncio.Future[Said] = asyncio.get_running_loop().create_future()
        self._waiting[message_id, call_id] = _Waiting(tool=tool.name, once=once, answer=answer)
        answer.add_done_callback(lambda _: self._waiting.pop((message_id, call_id), None))
        return answer

    def ask(
        self, message_id: MessageId, call_id: str, elicitation: Elicitation
    ) -> asyncio.Future[ElicitationReply]:
        """Return what becomes the user's reply to what the server of a call asks; see ``question``."""
        key = (message_id, call_id, elicitation.number)
        reply: asyncio.Future[ElicitationReply] = asyncio.get_running_loop().create_future()
        self._asked[key] = reply
        reply.add_done_callback(lambda _: self._asked.pop(key, None))
        return reply

    def reply(self, message_id: MessageId, call_id: str, reply: ElicitationReply) -> None:
        """Take what the user says to what a server asks; nothing happens where it does not wait any more."""
        asked = self._asked.get((message_id, call_id, reply.number))
        if asked is not None and not asked.done():
            asked.set_result(reply)

    async def keep(
        self, answer: ConsentAnswer, *, tool: Tool[Any], once: bool, box: Toolbox
    ) -> ConsentAnswer:
        """Keep what holds for longer than the call, and return what holds: with ``once`` nothing does.

        What cannot be kept holds for this call.
        """
        if once and answer in _STANDING:
            return ConsentAnswer.ONCE
        try:
            if answer is ConsentAnswer.CHAT and box.conversation_id is not None:
                await self._allow_in_chat(box.conversation_id, tool)
            elif answer is ConsentAnswer.ALWAYS:
                await self.decide(tool, Permission.ALWAYS)
        except FiresideError as exc:
            log.warning("a permission was not kept: %s", exc)
            return ConsentAnswer.ONCE
        return answer

    async def decide(self, tool: Tool[Any], permission: Permission) -> None:
        """Remember what becomes of all calls of a tool, as it is now. Raises ``SettingsUnwritable``."""
        async with self._writing:
            resolved = await self._preferences.resolved(model_id=None, conversation_id=None)
            grants = read_grants(tool_options(resolved).permissions)
            grants[tool.name] = Granted(permission=permission, fingerprint=tool.fingerprint)
            await self._preferences.change(AppLayer(), key=PERMISSIONS, value=write_grants(grants))
        await tool.record_review()

    async def _allow_in_chat(self, conversation_id: ConversationId, tool: Tool[Any]) -> None:
        async with self._writing:
            resolved = await self._preferences.resolved(model_id=None, conversation_id=conversation_id)
            grants = read_grants(tool_options(resolved).chat_permissions)
            grants[tool.name] = Granted(permission=Permission.ALWAYS, fingerprint=tool.fingerprint)
            layer = ConversationLayer(conversation_id=conversation_id)
            await self._preferences.change(layer, key=CHAT_PERMISSIONS, value=write_grants(grants))
        await tool.record_review()
