"""The façade over the engine thread: every request hops to its loop and back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot

from fireside.bridge.client import Snapshot
from fireside.bridge.engine_thread import EngineThread
from fireside.chat.app import App
from fireside.core.chat import Conversation
from fireside.core.ids import ConversationId, MessageId, ModelId
from fireside.core.model import LibraryFailure
from fireside.core.options import SettingValue
from fireside.core.status import ContextUse
from fireside.settings.values import Layer, ResolvedSetting

T = TypeVar("T")


class ThreadEngineClient(QObject):
    """``EngineClient`` for an ``App`` that lives on an ``EngineThread``. GUI thread only."""

    frame = Signal(object)

    def __init__(self, thread: EngineThread[App], *, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread = thread
        thread.frame.connect(self._on_frame, Qt.ConnectionType.QueuedConnection)

    @Slot(object)
    def _on_frame(self, events: object) -> None:
        try:
            self.frame.emit(events)
        finally:
            self._thread.acknowledge()

    async def _ask(self, call: Callable[[App], Coroutine[object, object, T]]) -> T:
        return await asyncio.wrap_future(self._thread.submit(call))

    async def snapshot(self) -> Snapshot:
        return await self._ask(lambda app: app.snapshot())

    async def open_conversation(self, conversation_id: ConversationId) -> Conversation:
        return await self._ask(lambda app: app.conversations.open(conversation_id))

    async def rename_conversation(self, conversation_id: ConversationId, *, title: str) -> None:
        await self._ask(lambda app: app.conversations.rename(conversation_id, title=title))

    async def pin_conversation(self, conversation_id: ConversationId) -> None:
        await self._ask(lambda app: app.conversations.pin(conversation_id))

    async def unpin_conversation(self, conversation_id: ConversationId) -> None:
        await self._ask(lambda app: app.conversations.unpin(conversation_id))

    async def delete_conversation(self, conversation_id: ConversationId) -> None:
        await self._ask(lambda app: app.delete_conversation(conversation_id))

    async def restore_conversation(self, conversation_id: ConversationId) -> None:
        await self._ask(lambda app: app.conversations.restore(conversation_id))

    async def save_draft(self, conversation_id: ConversationId | None, *, text: str) -> None:
        await self._ask(lambda app: app.conversations.save_draft(conversation_id, text=text))

    async def send(
        self, conversation_id: ConversationId | None, *, text: str, model_id: ModelId
    ) -> ConversationId:
        return await self._ask(lambda app: app.turns.send(conversation_id, text=text, model_id=model_id))

    async def stop(self, conversation_id: ConversationId) -> None:
        await self._ask(lambda app: app.turns.stop(conversation_id))

    async def regenerate(self, message_id: MessageId, *, model_id: ModelId) -> None:
        await self._ask(lambda app: app.turns.regenerate(message_id, model_id=model_id))

    async def count_context(
        self, conversation_id: ConversationId | None, *, draft: str, model_id: ModelId
    ) -> ContextUse | None:
        return await self._ask(
            lambda app: app.turns.count_context(conversation_id, draft=draft, model_id=model_id)
        )

    async def load_model(self, model_id: ModelId, *, conversation_id: ConversationId | None) -> None:
        await self._ask(lambda app: app.models.load(model_id, conversation_id=conversation_id))

    async def unload_model(self, model_id: ModelId) -> None:
        await self._ask(lambda app: app.models.unload(model_id))

    async def choose_model(self, conversation_id: ConversationId | None, *, model_id: ModelId) -> None:
        await self._ask(lambda app: app.choose_model(conversation_id, model_id=model_id))

    async def add_models(self, paths: Sequence[str]) -> tuple[LibraryFailure, ...]:
        return await self._ask(lambda app: app.models.add(paths))

    async def remove_model(self, path: str) -> None:
        await self._ask(lambda app: app.models.remove(path))

    async def rescan_library(self) -> None:
        await self._ask(lambda app: app.models.rescan())

    async def settings(
        self, *, model_id: ModelId | None, conversation_id: ConversationId | None
    ) -> tuple[ResolvedSetting, ...]:
        return await self._ask(
            lambda app: app.preferences.resolved(model_id=model_id, conversation_id=conversation_id)
        )

    async def change_setting(self, layer: Layer, *, key: str, value: SettingValue) -> None:
        await self._ask(lambda app: app.preferences.change(layer, key=key, value=value))

    async def clear_setting(self, layer: Layer, *, key: str) -> None:
        await self._ask(lambda app: app.preferences.clear(layer, key=key))
