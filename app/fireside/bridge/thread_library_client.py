"""The library's façade over the engine thread."""

from __future__ import annotations

from collections.abc import Sequence

from fireside.bridge.remote_call import Ask
from fireside.core.ids import ModelId
from fireside.core.library import DiskUse, ModelDetail, ModelUpdate, Removal


class ThreadLibraryClient:
    """``LibraryClient`` for an ``App`` that lives on an ``EngineThread``. GUI thread only."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def rename_model(self, model_id: ModelId, *, name: str) -> None:
        await self._ask(lambda app: app.models.rename(model_id, name))

    async def tag_model(self, model_id: ModelId, *, tags: Sequence[str]) -> None:
        await self._ask(lambda app: app.models.tag(model_id, tags))

    async def mark_favourite(self, model_id: ModelId, *, favourite: bool) -> None:
        await self._ask(lambda app: app.models.mark_favourite(model_id, favourite=favourite))

    async def removal(self, path: str) -> Removal:
        return await self._ask(lambda app: app.models.removal(path))

    async def model_detail(self, path: str) -> ModelDetail:
        return await self._ask(lambda app: app.models.detail(path))

    async def disk_use(self) -> DiskUse:
        return await self._ask(lambda app: app.models.disk_use())

    async def check_model(self, path: str, *, repair: bool) -> None:
        await self._ask(lambda app: app.verification.begin(path, repair=repair))

    async def cancel_check(self, path: str) -> None:
        await self._ask(lambda app: app.verification.cancel(path))

    async def find_updates(self) -> tuple[ModelUpdate, ...]:
        return await self._ask(lambda app: app.hub.find_updates())

    async def move_library(self, folder: str) -> None:
        await self._ask(lambda app: app.library_move.begin(folder))

    async def cancel_move(self) -> None:
        await self._ask(lambda app: app.library_move.cancel())
