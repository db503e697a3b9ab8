"""Search the hub, estimate how its models would run, and start downloads, for the window and the CLI."""

from __future__ import annotations

import contextlib
import math
import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from msgspec.structs import replace

from fireside.core.decoding import JsonInvalid, decode_json
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
from fireside.core.errors import (
    FiresideError,
    HubAnswerInvalid,
    HubChoiceUnknown,
    HubError,
    HubFailed,
    HubNotFound,
    HubOffline,
    HubRateLimited,
    HubTokenRefused,
    HubUnreachable,
    SecretsError,
)
from fireside.core.fit import Placement, Rating, SpeedRange
from fireside.core.for_window import for_window
from fireside.core.hub import DownloadId, FileOrigin, HubFile
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import ModelId
from fireside.core.library import ModelOrigin, ModelUpdate
from fireside.core.model import LayerLayout, ModelEntry, ModelLayout, ModelSpec
from fireside.core.plan import LoadPlan
from fireside.core.secret_location import SecretLocation
from fireside.engine.planning.fit_verdict import fit, obstacle_of
from fireside.engine.planning.speed_estimate import tokens_per_s
from fireside.hub.catalogue import load_catalogue
from fireside.hub.discovery import Discovery
from fireside.hub.download_plan import plan_for_quant
from fireside.hub.file_transfer import TransferOptions
from fireside.hub.hub_session import HubSession
from fireside.hub.repository_names import MAIN, parse_name
from fireside.services.daemon_threads import DaemonThreads
from fireside.services.downloads.download_scheduler import DownloadScheduler
from fireside.services.hub.quant_fit import QuantFitService
from fireside.services.hub_access import HubAccess
from fireside.services.machine.host_measurement import Computer, HostMeasurement
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


# Test the hub's settings: whether it answers, and which account the token belongs to


T = TypeVar("T")

_ACCOUNT: Final = "/api/whoami-v2"
_ONE_MODEL: Final = "/api/models?limit=1"
_MAX_BYTES: Final = 1024 * 1024
_MAX_NAME: Final = 100


def check_connection(
    session: HubSession,
    *,
    token_location: SecretLocation = SecretLocation.NONE,
    clock: Callable[[], float] = time.monotonic,
) -> HubTestResult:
    """Query the account of the token, or without a token any model.

    ``token_location`` is where the token was found, and becomes part of the result. Blocks, from any thread.
    Raises ``HubError`` for whatever keeps downloads from working.
    """
    # The library's own ``whoami`` would need the token, which stays in the session.
    started_s = clock()
    user = _user(session) if session.has_token else ""
    if not user:
        _check_reachable(session)
    return HubTestResult(
        host=session.host, seconds=clock() - started_s, user=user, token_location=token_location
    )


def _user(session: HubSession) -> str:
    """Return the account of the token; empty where a mirror has no accounts."""
    try:
        page = session.get(_ACCOUNT, what=tr("your account"), max_bytes=_MAX_BYTES)
    except HubNotFound:
        return ""
    name = _decoded(session, page.content, _Account).name
    if not name.isprintable() or not 1 <= len(name) <= _MAX_NAME:
        raise _not_a_hub(session)
    return name


def _check_reachable(session: HubSession) -> None:
    try:
        page = session.get(_ONE_MODEL, what="models", max_bytes=_MAX_BYTES)
    except HubNotFound as exc:
        raise _not_a_hub(session) from exc
    _decoded(session, page.content, list[_Model])


class _Account(msgspec.Struct, frozen=True, kw_only=True):
    name: str


class _Model(msgspec.Struct, frozen=True, kw_only=True):
    id: str


def _decoded(session: HubSession, content: bytes, kind: type[T]) -> T:
    try:
        return decode_json(content, kind=kind)
    except JsonInvalid as exc:
        raise _not_a_hub(session) from exc


def _not_a_hub(session: HubSession) -> HubAnswerInvalid:
    return HubAnswerInvalid(
        host=session.host,
        reason=tr_noop("the server is not a Hugging Face endpoint. Check the address in the settings."),
    )


# Find downloaded files that have newer versions on the hub


Origin = ModelOrigin | FileOrigin


def find_updates(session: HubSession, origins: Mapping[str, Origin]) -> tuple[ModelUpdate, ...]:
    """Return the newer versions of files of the library; ``origins`` are keyed by their paths.

    Each repository is queried once. One that is removed, private or answers nonsense is skipped. Once the hub
    itself does not answer, no more is queried; its error is raised only if nothing was found before. Blocks,
    from any thread. Raises ``HubError``.
    """
    by_repo: dict[str, dict[str, Origin]] = {}
    for path, origin in origins.items():
        by_repo.setdefault(origin.repo, {})[path] = origin
    updates: list[ModelUpdate] = []
    for n_queried, (repo, repo_origins) in enumerate(by_repo.items()):
        try:
            updates += _updates_of(session, repo, repo_origins)
        except (HubOffline, HubUnreachable, HubFailed, HubRateLimited, HubTokenRefused):
            if n_queried == 0:
                raise
            break
        except HubError:
            pass  # Nothing more is known of its files than when they were downloaded.
    return tuple(updates)


def _updates_of(session: HubSession, repo: str, origins: Mapping[str, Origin]) -> list[ModelUpdate]:
    commit = session.resolve(repo, MAIN)
    if all(origin.commit == commit for origin in origins.values()):
        return []
    files = {file.path: file for file in session.tree(repo, commit)}
    return [
        ModelUpdate(
            path=path,
            repo=repo,
            file=file.path,
            commit=commit,
            size_bytes=file.size_bytes,
            replaces=origin.digest,
        )
        for path, origin in origins.items()
        if (file := files.get(origin.path)) is not None and _differs(file, origin)
    ]


def _differs(file: HubFile, origin: Origin) -> bool:
    """Whether the content differs. Digests of different algorithms cannot be compared."""
    return len(file.digest) == len(origin.digest) and file.digest.casefold() != origin.digest.casefold()


# Which model of the catalogue a newcomer is offered on this computer, and the others by fit. Pure


MOST_BYTES: Final = 8_000_000_000
"""A first model arrives within minutes; larger ones are for those who look for them."""
COMFORTABLE: Final = 8.0
"""Tokens a second: faster than most people read, with some left for thinking."""
_RATINGS: Final = tuple(Rating)


def first_model(
    models: Sequence[CatalogueModel], estimates: Sequence[FitEstimate | None]
) -> SuggestedModel | None:
    """Return the one model that suits this computer, of those for everyday use; ``None`` if none fits.

    The start page's button and “For this computer” of Find models both use it, so that they name the same.
    It is the one with the most parameters at work among those that answer comfortably; where none does, the
    fastest. A speed that is not known counts as comfortable. ``estimates`` belong to ``models``.
    """
    fitting = [
        SuggestedModel(model=model, estimate=estimate)
        for model, estimate in zip(models, estimates, strict=True)
        if estimate is not None
        and estimate.where.runs
        and model.is_for_everyday_use
        and model.size_bytes <= MOST_BYTES
    ]
    comfortable = [suggested for suggested in fitting if _tokens_per_s(suggested) >= COMFORTABLE]
    if comfortable:
        return max(comfortable, key=lambda each: each.model.n_active_params or each.model.n_params)
    fastest = max(fitting, key=_tokens_per_s, default=None)
    return None if fastest is None else replace(fastest, is_comfortable=False)


def suggestions(
    models: Sequence[CatalogueModel], estimates: Sequence[FitEstimate | None]
) -> tuple[SuggestedModel, ...]:
    """Return ``models``, each with its estimate: the first model, then those that chat, best fit first."""
    first = first_model(models, estimates)
    suggested = [
        SuggestedModel(model=model, estimate=estimate, is_first=first is not None and model is first.model)
        for model, estimate in zip(models, estimates, strict=True)
        if estimate is not None
    ]
    return tuple(sorted(suggested, key=_rank))


def _rank(suggested: SuggestedModel) -> tuple[bool, bool, int]:
    rating = _RATINGS.index(suggested.estimate.rating)
    return not suggested.is_first, suggested.model.is_helper, rating


def _tokens_per_s(suggested: SuggestedModel) -> float:
    speed = suggested.estimate.speed
    return speed.likely if speed is not None else math.inf


# Estimate how a model would run here from its number of parameters. Pure


BYTES_PER_PARAM: Final = 0.61
"""In the usual quantization, ``Q4_K_M``, whose larger tensors have more bits."""
_ACTIVE: Final = re.compile(r"(?i)[-_]A(?P<billions>\d{1,3}(?:\.\d{1,2})?)B(?![a-z0-9])")
"""How names state the active parameters: ``Qwen3-30B-A3B``."""
_KV_WIDTH: Final = 1024
"""Width of keys and of values in a layer that most models have."""
_UNSURE: Final = 1.3
"""Widens the speed range, since the shape of the model is guessed."""
_MANY_EXPERTS: Final = 1 << 20
_LARGEST: Final = 2_000_000_000_000
_STEP: Final = 100_000_000
"""Parameters."""


def outlook(outline: ModelOutline, computer: Computer) -> FitEstimate | None:
    """Return how the usual quant of a model would run; ``None`` if its size is not known."""
    if outline.n_params <= 0:
        return None
    spec = _guess_spec(outline)
    # The question is whether it runs with the current settings, not with reduced ones.
    options = msgspec.structs.replace(computer.options, auto_adjustable=())
    verdict = fit(spec, options, devices=computer.devices, host=computer.host, display=computer.display)
    speed = None
    if verdict.where.runs and outline.generates_text:
        n_gpu_layers = verdict.plan.options.n_gpu_layers
        speed = tokens_per_s(spec, n_gpu_layers=n_gpu_layers, gpu=verdict.gpu, speeds=computer.speeds)
    if speed is not None:
        speed = SpeedRange(low=speed.low / _UNSURE, high=speed.high * _UNSURE)
    return FitEstimate(
        where=verdict.where, n_bytes=spec.size_bytes, speed=speed, obstacle=obstacle_of(verdict)
    )


def max_fitting_params(computer: Computer) -> int:
    """Return the most parameters of a model that fits in its usual quant once memory is free; 0 if none."""
    low, high = 0, _LARGEST
    while high - low > _STEP:
        middle = (low + high) // 2
        estimate = outlook(ModelOutline(repo="", n_params=middle), computer)
        if estimate is not None and estimate.where is not Placement.NOWHERE:
            low = middle
        else:
            high = middle
    return low // _STEP * _STEP


def active_params_in_name(name: str) -> int:
    """Return the active parameters that a model's name states; 0 where it states none."""
    match = _ACTIVE.search(name)
    return round(float(match["billions"]) * 1e9) if match is not None else 0


def _guess_spec(outline: ModelOutline) -> ModelSpec:
    size_bytes = outline.size_bytes or round(outline.n_params * BYTES_PER_PARAM)
    billions = outline.n_params / 1e9
    n_layers = max(8, round(16 * billions**0.38))
    width = max(256, round(math.sqrt(outline.n_params / (12 * n_layers))))
    layer_bytes = size_bytes // (n_layers + 1)
    n_active = outline.n_active_params or active_params_in_name(outline.repo)
    idle_share = 1 - n_active / outline.n_params if 0 < n_active < outline.n_params else 0.0
    layer = LayerLayout(
        weights_bytes=layer_bytes,
        expert_bytes=round(layer_bytes * idle_share),
        k_width=min(width, _KV_WIDTH),
        v_width=min(width, _KV_WIDTH),
    )
    layout = ModelLayout(
        layers=(layer,) * n_layers,
        input_bytes=0,
        output_bytes=size_bytes - layer_bytes * n_layers,
        n_ff=4 * width,
        # So many experts that the inactive ones count as never read.
        n_experts=_MANY_EXPERTS if idle_share else 0,
    )
    return ModelSpec(
        id=ModelId(outline.repo),
        name=outline.repo,
        path="",
        size_bytes=size_bytes,
        architecture="",
        quantization="",
        n_params=outline.n_params,
        n_ctx_train=outline.n_ctx_train or 4096,
        n_layers=n_layers,
        n_embd=width,
        n_vocab=0,
        has_chat_template=False,
        layout=layout,
    )
