"""The façade over the engine thread for files that are attached to a message."""

from __future__ import annotations

from fireside.bridge.remote_call import Ask
from fireside.core.attachment import Attachment, TokenCost
from fireside.core.ids import ModelId
from fireside.core.message import AttachedPart


class ThreadAttachmentClient:
    """``AttachmentClient`` for an ``App`` that lives on an ``EngineThread``. GUI thread only."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def read_file(self, path: str) -> Attachment:
        return await self._ask(lambda app: app.attachments.read_file(path))

    async def read_data(self, data: bytes, *, name: str) -> Attachment:
        return await self._ask(lambda app: app.attachments.read_data(data, name=name))

    async def count(self, part: AttachedPart, *, model_id: ModelId | None) -> TokenCost:
        return await self._ask(lambda app: app.attachments.count(part, model_id=model_id))
