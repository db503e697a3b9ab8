"""Search the hub, estimate how its models would run, and start downloads, for the window and the CLI."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec

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
from fireside.core.errors import FiresideError, HubChoiceUnknown, SecretsError
from fireside.core.for_window import for_window
from fireside.core.hub import DownloadId
from fireside.core.i18n import tr
from fireside.core.ids import ModelId
from fireside.core.library import ModelUpdate
from fireside.core.model import ModelEntry, ModelSpec
from fireside.core.plan import LoadPlan
from fireside.core.secret_location import SecretLocation
from fireside.hub.catalogue import load_catalogue
from fireside.hub.connection_check import check_connection
from fireside.hub.discovery import Discovery
from fireside.hub.download_plan import plan_for_quant
from fireside.hub.file_transfer import TransferOptions
from fireside.hub.repository_names import parse_name
from fireside.hub.updates import find_updates
from fireside.services.daemon_threads import DaemonThreads
from fireside.services.downloads.download_scheduler import DownloadScheduler
from fireside.services.hub.first_model import first_model, suggestions
from fireside.services.hub.model_outlook import max_fitting_params, outlook
from fireside.services.hub.quant_fit import QuantFitService
from fireside.services.hub_access import HubAccess
from fireside.services.machine.host_measurement import HostMeasurement
from fireside.services.machine.read_speeds import ReadSpeeds

_MAX_PLANNED: Final = 4
"""Files of one repository whose loads are planned: each plan may take a second."""


class HubService:
    """Searches the hub and downloads from it, on one event loop. Cancelling a call ends the wait at once.

    Methods that ask the network raise ``HubError``, or ``SettingInvalid`` where the hub's settings are
    invalid.
    """

    def __init__(
        self,
        *,
        access: HubAccess,
        downloads: DownloadScheduler,
        computer: HostMeasurement,
        catalogue: Path,
        entries: Callable[[], Sequence[ModelEntry]],
        plan: Callable[[ModelId], Awaitable[LoadPlan]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``catalogue`` is the file of well-known models; ``entries`` returns the library's entries.

        ``plan`` returns the load plan of a model of the library.
        """
        self._access = access
        self._computer = computer
        self._downloads = downloads
        self._catalogue = catalogue
        self._entries = entries
        self._plan = plan
        self._threads = DaemonThreads(name="hub")
        self._discovery = Discovery(access.session, clock=clock)
        self._quant_fit = QuantFitService(session=access.session, threads=self._threads, computer=computer)

    @for_window
    async def catalogue(self) -> tuple[CatalogueModel, ...]:
        """Return the models of the start page; uses no network."""
        return await self._threads.run(lambda: load_catalogue(self._catalogue))

    @for_window
    async def first_model(self) -> SuggestedModel | None:
        """Return the model of the catalogue that suits this computer, ``None`` if none fits; no network."""
        models = await self.catalogue()
        return first_model(models, await self.outlooks([model.outline for model in models]))

    @for_window
    async def suggestions(self) -> tuple[SuggestedModel, ...]:
        """Return all models of the catalogue: the one that suits this computer, then by fit; no network."""
        models = await self.catalogue()
        return suggestions(models, await self.outlooks([model.outline for model in models]))

    @for_window
    async def search(self, query: ModelQuery, *, page: str | None = None) -> HubSearchPage:
        """Return one page of search results; they are cached for some minutes."""
        await self._access.make_ready()
        return await self._threads.run(lambda: self._discovery.search(query, page=page))

    @for_window
    async def model(self, name: str) -> HubModel:
        """Return the model page of ``owner/repo``; a quantization, a file or a URL may be given too."""
        await self._access.make_ready()
        return await self._threads.run(lambda: self._discovery.model(name))

    @for_window
    async def advise(self, model: HubModel) -> HubAdvice:
        """Return how each quantization would run here, based on the header of one of them."""
        await self._access.make_ready()
        return await self._quant_fit.advise(model, local=await self._plans_of(model))

    async def _plans_of(self, model: HubModel) -> dict[str, tuple[ModelSpec, LoadPlan]]:
        """Return the load plans of those files of ``model`` that are in the library, by their paths on the
        hub."""
        paths = {quant.files[0].digest: quant.path for quant in model.quants if quant.files[0].digest}
        plans: dict[str, tuple[ModelSpec, LoadPlan]] = {}
        for entry in self._entries():
            origin = entry.origin
            digest = origin.digest if origin is not None and not origin.is_changed else entry.sha256
            if entry.spec is None or digest not in paths or len(plans) == _MAX_PLANNED:
                continue
            with contextlib.suppress(FiresideError):
                plans[paths[digest]] = entry.spec, await self._plan(entry.spec.id)
        return plans

    @for_window
    async def detailed_outlook(self, hit: HubSearchHit) -> FitEstimate | None:
        """Return how the quantization that suits this computer would run, from its header.

        ``None`` if the files do not tell. Takes about three requests the first time.
        """
        await self._access.make_ready()
        return await self._quant_fit.outlook(hit)

    @for_window
    async def outlooks(self, outlines: Sequence[ModelOutline]) -> tuple[FitEstimate | None, ...]:
        """Estimate how listed models would run here; uses no network."""
        computer = await self._computer.measure()
        return tuple(outlook(outline, computer) for outline in outlines)

    @for_window
    async def max_fitting_params(self) -> int:
        """Return up to how many parameters a model fits this computer in the usual quantization."""
        return max_fitting_params(await self._computer.measure())

    @for_window
    async def download(self, model: HubModel, *, path: str) -> DownloadId:
        """Queue the file at ``path`` of the page's commit, and the projector that belongs to it.

        Raises ``HubChoiceUnknown``, ``hub_file_unsafe`` or ``DownloadBusy``.
        """
        plan = plan_for_quant(model, path=path)
        await self._access.make_ready()
        return await self._downloads.add(plan)

    @for_window
    async def download_named(self, name: str) -> DownloadId:
        """Queue what a name such as ``owner/repo:Q4_K_M`` means; without a quantization, the best one."""
        model = await self.model(name)
        if model.requested_path:
            return await self.download(model, path=model.requested_path)
        model_name = parse_name(name, endpoint=self._access.session.endpoint)
        if wanted := model_name.quantization or model_name.file:
            raise _unknown(model, wanted=wanted)
        if len(model.quants) == 1:
            return await self.download(model, path=model.quants[0].path)
        advice = await self.advise(model)
        if not advice.best:
            raise _unknown(model, wanted=tr("recommended quantization"))
        return await self.download(model, path=advice.best)

    @for_window
    async def find_updates(self) -> tuple[ModelUpdate, ...]:
        """Return which downloaded files have a newer version on the hub."""
        origins = {entry.path: entry.origin for entry in self._entries() if entry.origin is not None}
        await self._access.make_ready()
        return await self._threads.run(lambda: find_updates(self._access.session, origins))

    @for_window
    async def test(self) -> HubTestResult:
        """Test the connection to the hub with the settings in force."""
        await self._access.make_ready()
        try:
            location = await self._access.token.location()
        except SecretsError:
            location = SecretLocation.NONE  # Most models can be downloaded without a token.
        return await self._threads.run(
            lambda: check_connection(self._access.session, token_location=location)
        )


def _unknown(model: HubModel, *, wanted: str) -> HubChoiceUnknown:
    available = ", ".join(quant.title for quant in model.quants)
    return HubChoiceUnknown(repo=model.repo, wanted=wanted, available=available)


class HubParts(msgspec.Struct, frozen=True, kw_only=True):
    """What ``App`` needs for the hub. A file that is ``None`` belongs to another program: this one only
    reads."""

    access: HubAccess
    computer: HostMeasurement
    catalogue_file: Path
    queue_file: Path | None
    """Where the download queue is stored; without it no earlier downloads are resumed."""
    move_journal: Path
    speeds: ReadSpeeds
    """Memory bandwidth of this computer, refined by each answer."""
    transfer_options: TransferOptions = TransferOptions()
