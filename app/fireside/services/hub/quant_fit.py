"""Estimate how each quant of a model on the hub would run on this computer, before any download."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final, TypeVar

import msgspec

from fireside.core.discovery import AdvisedFit, FitEstimate, HubAdvice, HubModel, HubQuant, HubSearchHit
from fireside.core.errors import HubAnswerInvalid, HubChoiceUnknown, HubError, HubNotFound, ModelFileInvalid
from fireside.core.fit import DeviceShare, QuantFit
from fireside.core.hub import HubFile
from fireside.core.i18n import tr, tr_noop
from fireside.core.model import ModelSpec
from fireside.core.plan import LoadPlan
from fireside.engine.planning.auxiliary_models import AuxiliaryModels
from fireside.engine.planning.fit_verdict import describe_fit, fit_from_plan, obstacle_of
from fireside.engine.planning.memory_estimate import n_ctx_for
from fireside.gguf.file_names import model_name_in
from fireside.hub.hub_session import HubSession
from fireside.hub.repository_files import Listing, choose, list_models
from fireside.services.daemon_threads import DaemonThreads
from fireside.services.hub.quant_recommendation import (
    AdvisedQuant,
    judge,
    remote_heads,
    remote_projector,
    remote_spec,
    select_best,
)
from fireside.services.machine.host_measurement import Computer, HostMeasurement

MEMORY_NAME: Final = tr_noop("RAM")
_MAX_MODELS: Final = 6
"""Of one repository; the header of each costs two requests."""
_MAX_TRIED: Final = 3
"""Headers tried for one model, where some cannot be read."""
_MAX_CACHED: Final = 64
_NO_PLANS: Final[Mapping[str, tuple[ModelSpec, LoadPlan]]] = {}
_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class QuantFitService:
    """Reads one header of each model in a repository, of its projector and of its draft heads, and judges all
    quants by them.

    Caches headers. Lives on one event loop.
    """

    def __init__(self, *, session: HubSession, threads: DaemonThreads, computer: HostMeasurement) -> None:
        self._session = session
        self._threads = threads
        self._computer = computer
        self._specs: dict[tuple[str, str, str], ModelSpec | None] = {}
        self._projectors: dict[tuple[str, str], AuxiliaryModels] = {}
        self._heads: dict[tuple[str, str], ModelSpec | None] = {}
        self._listings: dict[tuple[str, str], Listing] = {}

    async def advise(
        self, model: HubModel, *, local: Mapping[str, tuple[ModelSpec, LoadPlan]] = _NO_PLANS
    ) -> HubAdvice:
        """Return the advice at the context length that is set. Raises ``HubError`` or ``SettingInvalid``.

        ``local`` are the quants in the library, by path: their memory use is known from their files.
        """
        groups = _group_by_model(model.quants)[:_MAX_MODELS]
        facts = [await self._facts(choices, repo=model.repo, commit=model.commit) for choices in groups]
        auxiliary = await self._auxiliary(model)
        computer = await self._computer.measure()
        judged = [
            judge(choices, spec=spec, computer=computer, auxiliary=auxiliary) if spec is not None else ()
            for spec, choices in facts
        ]
        judged = [tuple(_with_local_plan(quant, local, computer) for quant in quants) for quants in judged]
        best, why = _best(model, judged)
        known = next((spec for spec, _ in facts if spec is not None), None)
        n_ctx = computer.options.n_ctx if known is None else n_ctx_for(known, computer.options)
        plans = {quant.choice.files[0].path: quant.fit.plan for quants in judged for quant in quants}
        return HubAdvice(
            n_ctx=plans[best].options.n_ctx if best in plans else n_ctx,
            fits=tuple(
                AdvisedFit(path=quant.choice.files[0].path, fit=_quant_fit(quant))
                for quants in judged
                for quant in quants
            ),
            best=best,
            why=why,
        )

    async def outlook(self, hit: HubSearchHit) -> FitEstimate | None:
        """Return how the recommended quant of ``found`` would run, from its file list and one header.

        Of several models the one with the most quants counts; ``None`` if none can be judged. Raises
        ``HubError`` or ``SettingInvalid``.
        """
        repo, commit = hit.repo, hit.commit
        if (repo, commit) not in self._listings:
            listing = await self._threads.run(lambda: list_models(self._session.tree(repo, commit)))
            _cache(self._listings, (repo, commit), listing)
        listing = self._listings[repo, commit]
        groups = _group_by_model(listing.choices)
        if not groups:
            return None
        spec, choices = await self._facts(max(groups, key=len), repo=repo, commit=commit)
        if spec is None:
            return None
        auxiliary = AuxiliaryModels(
            # Its header would cost two more requests; most of a projector are weights.
            projector_bytes=sum(projector.size_bytes for projector in listing.projectors[:1]),
            # How much of heads are weights depends, and few models have them in a file of their own.
            draft=await self._draft(listing.heads, repo=repo, commit=commit),
        )
        quants = judge(choices, spec=spec, computer=await self._computer.measure(), auxiliary=auxiliary)
        best = select_best(quants, usual=_usual(listing, repo=repo))
        chosen = best[0] if best is not None else quants[0]
        return FitEstimate(
            where=chosen.fit.where,
            n_bytes=chosen.choice.size_bytes,
            speed=chosen.speed,
            label=chosen.choice.label,
            obstacle=obstacle_of(chosen.fit),
        )

    async def _facts(
        self, choices: Sequence[HubQuant], *, repo: str, commit: str
    ) -> tuple[ModelSpec | None, list[HubQuant]]:
        """Return the spec read from one of ``choices``, and the choices that it applies to.

        A choice whose header cannot be read is left out, and the next is tried, a few times.
        """
        # Each part of a split model has a header, so a single file is quicker.
        quickest = sorted(choices, key=lambda choice: (len(choice.files), choice.size_bytes))
        problem: HubError | None = None
        unreadable: list[HubQuant] = []
        for choice in quickest[:_MAX_TRIED]:
            try:
                spec = await self._spec(choice, repo=repo, commit=commit)
            except (HubNotFound, HubAnswerInvalid) as exc:
                problem, spec = exc, None  # Its name may be one that the hub cannot serve.
            if spec is not None:
                return spec, [choice for choice in choices if choice not in unreadable]
            unreadable.append(choice)
        if problem is not None:
            raise problem
        return None, []

    async def _spec(self, choice: HubQuant, *, repo: str, commit: str) -> ModelSpec | None:
        key = (repo, commit, choice.files[0].path)
        if key not in self._specs:
            spec = await self._threads.run(lambda: self._read(choice, repo=repo, commit=commit))
            _cache(self._specs, key, spec)
        return self._specs[key]

    async def _auxiliary(self, model: HubModel) -> AuxiliaryModels:
        """Return what is loaded with each quant: the projector and the draft heads that come with it."""
        repo, commit = model.repo, model.commit
        if (repo, commit) not in self._projectors:
            projector = await self._threads.run(
                lambda: remote_projector(self._session, model.projectors, repo=repo, commit=commit)
            )
            _cache(self._projectors, (repo, commit), projector)
        draft = await self._draft(model.heads, repo=repo, commit=commit)
        return msgspec.structs.replace(self._projectors[repo, commit], draft=draft)

    async def _draft(self, heads: Sequence[HubFile], *, repo: str, commit: str) -> ModelSpec | None:
        if (repo, commit) not in self._heads:
            spec = await self._threads.run(
                lambda: remote_heads(self._session, heads, repo=repo, commit=commit)
            )
            _cache(self._heads, (repo, commit), spec)
        return self._heads[repo, commit]

    def _read(self, choice: HubQuant, *, repo: str, commit: str) -> ModelSpec | None:
        try:
            return remote_spec(self._session, choice, repo=repo, commit=commit)
        except ModelFileInvalid:
            return None  # The reason is reported once it is in the library.


def _cache(cache: dict[_Key, _Value], key: _Key, value: _Value) -> None:
    """Store ``value``, and drop the oldest where there are too many."""
    cache[key] = value
    if len(cache) > _MAX_CACHED:
        del cache[next(iter(cache))]


def _group_by_model(choices: Iterable[HubQuant]) -> list[list[HubQuant]]:
    """Group the quants by model: some repositories hold several."""
    groups: dict[str | None, list[HubQuant]] = {}
    for choice in choices:
        groups.setdefault(model_name_in(PurePosixPath(choice.files[0].path).name), []).append(choice)
    return list(groups.values())


def _best(model: HubModel, judged: Sequence[Sequence[AdvisedQuant]]) -> tuple[str, str]:
    """Return the path of the recommended quant and why; an empty path and the reason if there is none."""
    if not model.quants:
        return "", tr("No usable model files.")
    if not any(judged):
        return "", tr("The files have unclear names, so their fit is unknown.")
    if len(judged) > 1:
        return "", tr("Several models in this repository: choose one.")
    quants = judged[0]
    listing = Listing(choices=model.quants, projectors=model.projectors)
    best = select_best(quants, usual=_usual(listing, repo=model.repo))
    if best is None:
        fitting = [quant for quant in quants if quant.fit.where.runs]
        if not fitting:
            return "", describe_fit(quants[0].fit)
        return "", tr("Too large for this computer to run well: only heavily quantized or slow files fit.")
    return best[0].choice.files[0].path, best[1]


def _usual(listing: Listing, *, repo: str) -> HubQuant | None:
    try:
        return choose(listing, repo=repo, quantization=None, file=None)[0]
    except HubChoiceUnknown:
        return None


def _with_local_plan(
    quant: AdvisedQuant, local: Mapping[str, tuple[ModelSpec, LoadPlan]], computer: Computer
) -> AdvisedQuant:
    local_plan = local.get(quant.choice.files[0].path)
    if local_plan is None:
        return quant
    spec, plan = local_plan
    return msgspec.structs.replace(quant, fit=fit_from_plan(plan, spec, computer.options))


def _quant_fit(quant: AdvisedQuant) -> QuantFit:
    plan = quant.fit.plan
    computer, *gpus = plan.budgets
    shares = [
        DeviceShare(
            name=tr(MEMORY_NAME), n_bytes=plan.n_bytes_on(computer.device), free_bytes=computer.free_bytes
        ),
        *(
            DeviceShare(name=gpu.description, n_bytes=plan.n_bytes_on(gpu.device), free_bytes=gpu.free_bytes)
            for gpu in gpus
        ),
    ]
    return QuantFit(
        where=quant.fit.where, text=describe_fit(quant.fit), shares=tuple(shares), speed=quant.speed
    )
