"""The hub's façade over the engine thread."""

from __future__ import annotations

from fireside.bridge.remote_call import Ask
from fireside.core.discovery import (
    CatalogueModel,
    FoundModels,
    HubAdvice,
    HubModel,
    HubReach,
    ModelQuery,
    TokenPlace,
)
from fireside.core.hub import DownloadId


class ThreadHubClient:
    """``HubClient`` for an ``App`` that lives on an ``EngineThread``. GUI thread only."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def catalogue(self) -> tuple[CatalogueModel, ...]:
        return await self._ask(lambda app: app.hub.catalogue())

    async def search(self, query: ModelQuery, *, page: str | None = None) -> FoundModels:
        return await self._ask(lambda app: app.hub.search(query, page=page))

    async def model(self, name: str) -> HubModel:
        return await self._ask(lambda app: app.hub.model(name))

    async def advise(self, model: HubModel) -> HubAdvice:
        return await self._ask(lambda app: app.hub.advise(model))

    async def download(self, model: HubModel, *, path: str) -> DownloadId:
        return await self._ask(lambda app: app.hub.download(model, path=path))

    async def download_named(self, name: str) -> DownloadId:
        return await self._ask(lambda app: app.hub.download_named(name))

    async def pause_download(self, download_id: DownloadId) -> None:
        await self._ask(lambda app: app.downloads.pause(download_id))

    async def resume_download(self, download_id: DownloadId) -> None:
        await self._ask(lambda app: app.downloads.resume(download_id))

    async def cancel_download(self, download_id: DownloadId) -> None:
        await self._ask(lambda app: app.downloads.cancel(download_id))

    async def move_download(self, download_id: DownloadId, *, position: int) -> None:
        await self._ask(lambda app: app.downloads.move(download_id, position=position))

    async def clear_done_downloads(self) -> None:
        await self._ask(lambda app: app.downloads.clear_done())

    async def token_place(self) -> TokenPlace:
        return await self._ask(lambda app: app.token.place())

    async def keep_token(self, token: str, *, place: TokenPlace = TokenPlace.KEYRING) -> TokenPlace:
        return await self._ask(lambda app: app.token.keep(token, place=place))

    async def forget_token(self) -> None:
        await self._ask(lambda app: app.token.forget())

    async def test_hub(self) -> HubReach:
        return await self._ask(lambda app: app.hub.test())
