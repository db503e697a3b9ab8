"""A ``HubClient`` in memory: answers what a test put into it; its queue moves only when told to."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import msgspec

from fakes.requests import Requests
from fireside.bridge.hub_client import HubClient
from fireside.core.discovery import (
    CatalogueModel,
    FoundModels,
    HubAdvice,
    HubModel,
    HubReach,
    ModelQuery,
    TokenPlace,
)
from fireside.core.errors import DownloadNotFound, ErrorInfo, HubChoiceUnknown, HubNotFound
from fireside.core.events import AppEvent
from fireside.core.hub import (
    Download,
    DownloadId,
    DownloadProgressed,
    DownloadsChanged,
    DownloadState,
    WantedFile,
)
from fireside.core.library import ModelUpdate


class FakeHubClient(Requests):
    """``pages`` are answered in turn by ``next_page``, whatever is looked for; ``models`` by their names.

    Downloads stay as they are until ``progress`` or ``put`` changes them; both emit what the real ones would.
    """

    updates: tuple[ModelUpdate, ...] = ()

    def __init__(self, publish: Callable[[AppEvent], None]) -> None:
        super().__init__()
        self._publish = publish
        self.catalogue_models: tuple[CatalogueModel, ...] = ()
        self.pages: dict[str | None, FoundModels] = {}
        self.models: dict[str, HubModel] = {}
        self.advice: dict[str, HubAdvice] = {}
        self.downloads: dict[DownloadId, Download] = {}
        self.token_at = TokenPlace.NONE
        self.has_keyring = True
        self.reach = HubReach(host="hub.example", seconds=0.2)
        self._ids = count(1)

    # Filling it, and playing the hub

    def add_model(self, model: HubModel, *, advice: HubAdvice | None = None) -> None:
        """Let the hub have a model."""
        self.models[model.repo] = model
        if advice is not None:
            self.advice[model.repo] = advice

    def put(self, download: Download) -> None:
        """Add a download, or replace the one with its id, and say so."""
        self.downloads[download.id] = download
        self._changed()

    def progress(
        self,
        download_id: DownloadId,
        *,
        n_bytes: int,
        bytes_per_s: float = 10e6,
        seconds_left: float | None = 60.0,
        is_stalled: bool = False,
    ) -> None:
        """Let one come further, and say so."""
        progressed = msgspec.structs.replace(
            self._known(download_id),
            n_bytes=n_bytes,
            bytes_per_s=bytes_per_s,
            seconds_left=seconds_left,
            is_stalled=is_stalled,
        )
        self.downloads[download_id] = progressed
        self._publish(DownloadProgressed(download=progressed))

    def set_state(
        self, download_id: DownloadId, state: DownloadState, *, note: str = "", error: ErrorInfo | None = None
    ) -> None:
        """Put one into another state, and say so."""
        known = self._known(download_id)
        n_bytes = known.size_bytes if state is DownloadState.DONE else known.n_bytes
        self.put(
            msgspec.structs.replace(
                known,
                state=state,
                n_bytes=n_bytes,
                bytes_per_s=0.0,
                seconds_left=None,
                note=note,
                error=error,
            )
        )

    # HubClient

    async def catalogue(self) -> tuple[CatalogueModel, ...]:
        await self.enter("catalogue")
        return self.catalogue_models

    async def search(self, query: ModelQuery, *, page: str | None = None) -> FoundModels:
        await self.enter("search", query, page)
        return self.pages.get(page, FoundModels(models=()))

    async def model(self, name: str) -> HubModel:
        await self.enter("model", name)
        if name not in self.models:
            raise HubNotFound(what=name)
        return self.models[name]

    async def advise(self, model: HubModel) -> HubAdvice:
        await self.enter("advise", model)
        nothing = HubAdvice(n_ctx=8192, fits=(), best="", why="Nothing is known of it.")
        return self.advice.get(model.repo, nothing)

    async def download(self, model: HubModel, *, path: str) -> DownloadId:
        await self.enter("download", model, path)
        quant = next((quant for quant in model.quants if quant.path == path), None)
        if quant is None:
            raise HubChoiceUnknown(repo=model.repo, wanted=path, available="")
        made = DownloadId(f"download-{next(self._ids)}")
        files = tuple(
            WantedFile(
                repo=model.repo,
                commit=model.commit,
                file=file,
                name=f"{model.repo}/{file.path.rpartition('/')[2]}",
            )
            for file in (*quant.files, *model.projectors[:1])
        )
        self.put(
            Download(id=made, title=f"{model.repo}:{quant.label}", files=files, state=DownloadState.RUNNING)
        )
        return made

    async def download_named(self, name: str) -> DownloadId:
        await self.enter("download_named", name)
        if name not in self.models:
            raise HubNotFound(what=name)
        model = self.models[name]
        return await self.download(model, path=model.wanted or model.quants[0].path)

    async def pause_download(self, download_id: DownloadId) -> None:
        await self.enter("pause_download", download_id)
        self.set_state(download_id, DownloadState.PAUSED)

    async def resume_download(self, download_id: DownloadId) -> None:
        await self.enter("resume_download", download_id)
        self.set_state(download_id, DownloadState.RUNNING)

    async def cancel_download(self, download_id: DownloadId) -> None:
        await self.enter("cancel_download", download_id)
        self._known(download_id)
        del self.downloads[download_id]
        self._changed()

    async def move_download(self, download_id: DownloadId, *, position: int) -> None:
        await self.enter("move_download", download_id, position)
        self._known(download_id)
        order = [known for known in self.downloads if known != download_id]
        order.insert(max(0, position), download_id)
        self.downloads = {known: self.downloads[known] for known in order}
        self._changed()

    async def clear_done_downloads(self) -> None:
        await self.enter("clear_done_downloads")
        self.downloads = {
            known: download
            for known, download in self.downloads.items()
            if download.state is not DownloadState.DONE
        }
        self._changed()

    async def token_place(self) -> TokenPlace:
        await self.enter("token_place")
        return self.token_at

    async def keep_token(self, token: str, *, place: TokenPlace = TokenPlace.KEYRING) -> TokenPlace:
        await self.enter("keep_token", token, place)
        is_refused = place is TokenPlace.KEYRING and not self.has_keyring
        self.token_at = TokenPlace.SESSION if is_refused else place
        return self.token_at

    async def forget_token(self) -> None:
        await self.enter("forget_token")
        self.token_at = TokenPlace.NONE

    async def test(self) -> HubReach:
        await self.enter("test_hub")
        return self.reach

    async def find_updates(self) -> tuple[ModelUpdate, ...]:
        await self.enter("find_updates")
        return self.updates

    # Inside

    def _known(self, download_id: DownloadId) -> Download:
        if download_id not in self.downloads:
            raise DownloadNotFound(id=download_id)
        return self.downloads[download_id]

    def _changed(self) -> None:
        self._publish(DownloadsChanged(downloads=tuple(self.downloads.values())))


def as_hub_client(fake: FakeHubClient) -> HubClient:
    """Let the type checker confirm that the fake keeps the contract."""
    return fake
