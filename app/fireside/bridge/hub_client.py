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
    SuggestedModel,
)
from fireside.core.hub import DownloadId
from fireside.core.library import ModelUpdate
from fireside.core.secret_location import SecretLocation


class HubClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    Methods that use the network raise ``HubError``. Cancelling the awaiting task returns at once.
    """

    async def catalogue(self) -> tuple[CatalogueModel, ...]:
        """Return the models of the start page; uses no network."""

    async def first_model(self) -> SuggestedModel | None:
        """Return the model of the catalogue that suits this computer, ``None`` if none fits; no network."""

    async def suggestions(self) -> tuple[SuggestedModel, ...]:
        """Return all models of the catalogue: the one that suits this computer, then by fit; no network."""

    async def search(self, query: ModelQuery, *, page: str | None = None) -> HubSearchPage:
        """Return one page of search results; they are cached for some minutes."""

    async def model(self, name: str) -> HubModel:
        """Return the model page of ``owner/repo``; a quantization, a file or a URL may be given too."""

    async def advise(self, model: HubModel) -> HubAdvice:
        """Return how each quantization would run here, based on the header of one of them."""

    async def detailed_outlook(self, hit: HubSearchHit) -> FitEstimate | None:
        """Return how the quantization that suits this computer would run, from its header.

        ``None`` if the files do not tell. Takes about three requests the first time.
        """

    async def outlooks(self, outlines: Sequence[ModelOutline]) -> tuple[FitEstimate | None, ...]:
        """Estimate how listed models would run here; uses no network."""

    async def max_fitting_params(self) -> int:
        """Return up to how many parameters a model fits this computer in the usual quantization."""

    async def download(self, model: HubModel, *, path: str) -> DownloadId:
        """Queue the file at ``path`` of the page's commit, and the projector that belongs to it.

        Raises ``HubChoiceUnknown``, ``HubFileUnsafe`` or ``DownloadBusy``.
        """

    async def download_named(self, name: str) -> DownloadId:
        """Queue what a name such as ``owner/repo:Q4_K_M`` means; without a quantization, the best one."""

    async def find_updates(self) -> tuple[ModelUpdate, ...]:
        """Return which downloaded files have a newer version on the hub."""

    async def test(self) -> HubTestResult:
        """Test the connection to the hub with the settings in force."""


class DownloadClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    Changes arrive as ``DownloadsChanged`` and ``DownloadProgressed``. All raise ``DownloadNotFound``.
    """

    async def pause(self, download_id: DownloadId) -> None: ...

    async def resume(self, download_id: DownloadId) -> None:
        """Resume a paused download, or retry a failed or waiting one now."""

    async def cancel(self, download_id: DownloadId) -> None:
        """Remove a download from the queue and its partial file from the disk. A complete model stays."""

    async def move(self, download_id: DownloadId, *, position: int) -> None:
        """Move a download within the queue; ``position`` counts from 0."""

    async def clear_done(self) -> None:
        """Remove finished downloads from the list; their models stay."""


class KeyClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``."""

    async def location(self) -> SecretLocation:
        """Return where the token is stored, never the token itself. May open the keyring."""

    async def store(self, token: str, *, location: SecretLocation = SecretLocation.KEYRING) -> SecretLocation:
        """Store an access token and return where it is now.

        Without a keyring it is kept for this run only; ``SecretLocation.FILE`` stores it unencrypted. Raises
        ``SecretsError`` or ``SettingsError``, ``SettingInvalid`` if it is no token.
        """

    async def forget(self) -> None:
        """Delete the stored token."""


class TokenClient(KeyClient, Protocol):
    """``KeyClient`` for the hub's token."""

    async def suspend(self) -> None:
        """Send no token until another one is stored: it was refused, and public models need none."""
