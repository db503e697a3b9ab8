"""What can be found on the hub and fetched from it, as the window asks for it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.discovery import (
    CatalogueModel,
    FoundModel,
    FoundModels,
    HubAdvice,
    HubModel,
    HubReach,
    ModelOutline,
    ModelOutlook,
    ModelQuery,
    TokenPlace,
)
from fireside.core.errors import FiresideError, HubChoiceUnknown, SecretsError
from fireside.core.hub import DownloadId
from fireside.core.i18n import tr
from fireside.core.ids import ModelId
from fireside.core.library import ModelUpdate
from fireside.core.model import ModelEntry, ModelSpec
from fireside.core.plan import LoadPlan
from fireside.hub.catalogue import load_catalogue
from fireside.hub.connection_check import check_connection
from fireside.hub.discovery import Discovery
from fireside.hub.download_plan import plan_of
from fireside.hub.file_transfer import TransferOptions
from fireside.hub.repository_names import parse_name
from fireside.hub.updates import find_updates
from fireside.services.daemon_threads import DaemonThreads
from fireside.services.downloads.download_queue import Downloads
from fireside.services.hub.model_outlook import largest_fitting, outlook
from fireside.services.hub.quant_fit import QuantFitService
from fireside.services.hub_access import HubAccess
from fireside.services.machine.host_measurement import HostMeasurement
from fireside.services.machine.read_speeds import ReadSpeeds

_MAX_HERE: Final = 4
"""Files of one repository whose loads are planned: each may take a second."""


class HubService:
    """Lives on one event loop. Giving a request up ends the wait at once.

    What asks the network raises ``HubError``, or ``SettingInvalid`` where the hub's settings cannot be used.
    """

    def __init__(
        self,
        *,
        access: HubAccess,
        downloads: Downloads,
        computer: HostMeasurement,
        catalogue: Path,
        entries: Callable[[], Sequence[ModelEntry]],
        plan: Callable[[ModelId], Awaitable[LoadPlan]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``catalogue`` is the file of well-known models; ``entries`` returns the library's lines.

        ``plan`` says how a model of the library would be loaded.
        """
        self._access = access
        self._computer = computer
        self._downloads = downloads
        self._catalogue = catalogue
        self._entries = entries
        self._plan = plan
        self._errands = DaemonThreads(name="hub")
        self._discovery = Discovery(access.session, clock=clock)
        self._quant_fit = QuantFitService(session=access.session, errands=self._errands, computer=computer)

    async def catalogue(self) -> tuple[CatalogueModel, ...]:
        return await self._errands.run(lambda: load_catalogue(self._catalogue))

    async def search(self, query: ModelQuery, *, page: str | None = None) -> FoundModels:
        await self._access.make_ready()
        return await self._errands.run(lambda: self._discovery.search(query, page=page))

    async def model(self, name: str) -> HubModel:
        await self._access.make_ready()
        return await self._errands.run(lambda: self._discovery.model(name))

    async def advise(self, model: HubModel) -> HubAdvice:
        await self._access.make_ready()
        return await self._quant_fit.advise(model, here=await self._plans_of(model))

    async def _plans_of(self, model: HubModel) -> dict[str, tuple[ModelSpec, LoadPlan]]:
        """Return the plans of those files of ``model`` that the library has, by their paths on the hub."""
        paths = {quant.files[0].digest: quant.path for quant in model.quants if quant.files[0].digest}
        plans: dict[str, tuple[ModelSpec, LoadPlan]] = {}
        for entry in self._entries():
            origin = entry.origin
            digest = origin.digest if origin is not None and not origin.is_changed else entry.sha256
            if entry.spec is None or digest not in paths or len(plans) == _MAX_HERE:
                continue
            with contextlib.suppress(FiresideError):
                plans[paths[digest]] = entry.spec, await self._plan(entry.spec.id)
        return plans

    async def detailed_outlook(self, found: FoundModel) -> ModelOutlook | None:
        await self._access.make_ready()
        return await self._quant_fit.outlook(found)

    async def outlooks(self, outlines: Sequence[ModelOutline]) -> tuple[ModelOutlook | None, ...]:
        computer = await self._computer.measure()
        return tuple(outlook(outline, computer) for outline in outlines)

    async def largest_fitting(self) -> int:
        return largest_fitting(await self._computer.measure())

    async def download(self, model: HubModel, *, path: str) -> DownloadId:
        plan = plan_of(model, path=path)
        await self._access.make_ready()
        return await self._downloads.add(plan)

    async def download_named(self, name: str) -> DownloadId:
        model = await self.model(name)
        if model.wanted:
            return await self.download(model, path=model.wanted)
        named = parse_name(name, endpoint=self._access.session.endpoint)
        if wanted := named.quantization or named.file:
            raise _unknown(model, wanted=wanted)
        if len(model.quants) == 1:
            return await self.download(model, path=model.quants[0].path)
        advice = await self.advise(model)
        if not advice.best:
            raise _unknown(model, wanted=tr("recommended quantization"))
        return await self.download(model, path=advice.best)

    async def find_updates(self) -> tuple[ModelUpdate, ...]:
        origins = {entry.path: entry.origin for entry in self._entries() if entry.origin is not None}
        await self._access.make_ready()
        return await self._errands.run(lambda: find_updates(self._access.session, origins))

    async def test(self) -> HubReach:
        await self._access.make_ready()
        try:
            place = await self._access.token.location()
        except SecretsError:
            place = TokenPlace.NONE  # Most models can be fetched without it.
        return await self._errands.run(lambda: check_connection(self._access.session, token_place=place))


def _unknown(model: HubModel, *, wanted: str) -> HubChoiceUnknown:
    available = ", ".join(quant.title for quant in model.quants)
    return HubChoiceUnknown(repo=model.repo, wanted=wanted, available=available)


class HubParts(msgspec.Struct, frozen=True, kw_only=True):
    """See ``App``. A file that is ``None`` is another program's: this one only looks on."""

    access: HubAccess
    computer: HostMeasurement
    catalogue_file: Path
    queue_file: Path | None
    """Where the queue of downloads is kept; with none nothing of an earlier run is gone on with."""
    move_journal: Path
    speeds: ReadSpeeds
    """How fast weights are read here; learns from each answer."""
    transfer_options: TransferOptions = TransferOptions()
