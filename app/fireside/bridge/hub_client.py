"""Protocol of the service for the hub, its downloads and its access token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fireside.core.discovery import (
    CatalogueModel,
    FitEstimate,
    HubAdvice,
    HubModel,
    HubSearchHit,
    HubSearchPage,
    HubTestResult,
    ModelOutline,
    ModelQuery,
    TokenLocation,
)
from fireside.core.hub import DownloadId
from fireside.core.library import ModelUpdate


class HubClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    What asks the network raises ``HubError``. Cancelling the awaiting task ends the wait at once.
    """

    async def catalogue(self) -> tuple[CatalogueModel, ...]:
        """Return the models of the start page; asks no network."""

    async def search(self, query: ModelQuery, *, page: str | None = None) -> HubSearchPage:
        """Ask for one page of a search; answers are remembered for some minutes."""

    async def model(self, name: str) -> HubModel:
        """Return the page of ``owner/repo``; a quant, a file or a whole address may be named too."""

    async def advise(self, model: HubModel) -> HubAdvice:
        """Say how each quant would run here, from the header of one of them."""

    async def detailed_outlook(self, found: HubSearchHit) -> FitEstimate | None:
        """Say how the size of a result that suits this computer would run, from its header.

        ``None`` where its files do not tell. Takes about three requests, once.
        """

    async def outlooks(self, outlines: Sequence[ModelOutline]) -> tuple[FitEstimate | None, ...]:
        """Say how models would run here that only a list tells of; asks no network."""

    async def max_fitting_params(self) -> int:
        """Return how many parameters a model may have to fit this computer in its usual size."""

    async def download(self, model: HubModel, *, path: str) -> DownloadId:
        """Queue the quant with this ``path`` at the page's commit, and the projector that belongs to it.

        Raises ``HubChoiceUnknown``, ``HubFileUnsafe`` or ``DownloadBusy``.
        """

    async def download_named(self, name: str) -> DownloadId:
        """Queue what a name like ``owner/repo:Q4_K_M`` means; without a size, the one that suits best."""

    async def find_updates(self) -> tuple[ModelUpdate, ...]:
        """Ask which downloaded files have a newer version on the hub."""

    async def test(self) -> HubTestResult:
        """Ask the hub with the settings in force."""


class DownloadClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    The queue arrives as ``DownloadsChanged`` and ``DownloadProgressed``. All raise ``DownloadNotFound``.
    """

    async def pause(self, download_id: DownloadId) -> None: ...

    async def resume(self, download_id: DownloadId) -> None:
        """Go on with one that is paused, or try again now one that failed or that waits to try again."""

    async def cancel(self, download_id: DownloadId) -> None:
        """Take a download off the queue, and what has arrived of it off the disk. A whole model stays."""

    async def move(self, download_id: DownloadId, *, position: int) -> None:
        """Give a download another place in the queue, from 0."""

    async def clear_done(self) -> None:
        """Take the finished ones off the list; their models stay."""


class KeyClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``."""

    async def location(self) -> TokenLocation:
        """Return where an access token is; the token itself never comes back. May ask the keyring."""

    async def store(self, token: str, *, place: TokenLocation = TokenLocation.KEYRING) -> TokenLocation:
        """Keep an access token and return where it is now.

        Where there is no keyring it is kept for this run alone; ``TokenLocation.FILE`` keeps it for longer,
        not encrypted. Raises ``SecretsError`` or ``SettingsError``: ``SettingInvalid`` for what is no token.
        """

    async def forget(self) -> None:
        """Remove the token that was kept."""


class TokenClient(KeyClient, Protocol):
    """The same for the hub's token."""

    async def suspend(self) -> None:
        """Ask without the token until another one is kept: it was refused, and public models need none."""
