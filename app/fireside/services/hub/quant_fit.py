"""Say how each quant of a model on the hub would run on this computer, before anything is fetched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import Final, TypeVar

from fireside.core.discovery import AdvisedFit, HubAdvice, HubModel, HubQuant
from fireside.core.errors import HubChoiceUnknown, ModelFileInvalid
from fireside.core.fit import DeviceShare, QuantFit, Where
from fireside.core.i18n import tr, tr_noop
from fireside.core.model import ModelSpec
from fireside.engine.planning.auxiliary_models import AuxiliaryModels
from fireside.engine.planning.fit_verdict import fit_words
from fireside.engine.planning.memory_estimate import gpus_among, n_ctx_for
from fireside.gguf.file_names import model_name_in
from fireside.hub.hub_session import HubSession
from fireside.hub.repository_files import Choice, Listing, choose
from fireside.services.daemon_threads import DaemonThreads
from fireside.services.hub.quant_recommendation import (
    AdvisedQuant,
    best_of,
    judge,
    remote_beside,
    remote_spec,
)
from fireside.services.machine.host_measurement import Computer, HostMeasurement

MEMORY_NAME: Final = tr_noop("RAM")
_MAX_MODELS: Final = 6
"""In one repository; each one's header costs two requests."""
_MAX_KEPT: Final = 64
_Key = TypeVar("_Key")
_Fact = TypeVar("_Fact")


class QuantFitService:
    """Reads a header of each model in a repository and of its projector, once, and judges all quants by that.

    Lives on one event loop.
    """

    def __init__(self, *, session: HubSession, errands: DaemonThreads, computer: HostMeasurement) -> None:
        self._session = session
        self._errands = errands
        self._computer = computer
        self._specs: dict[tuple[str, str, str], ModelSpec | None] = {}
        self._besides: dict[tuple[str, str], AuxiliaryModels] = {}

    async def advise(self, model: HubModel) -> HubAdvice:
        """Return the advice at the context that is set. Raises ``HubError`` or ``SettingInvalid``."""
        groups = [[_choice(quant) for quant in group] for group in _models_in(model.quants)][:_MAX_MODELS]
        specs = [await self._spec(model, choices) for choices in groups]
        beside = await self._beside(model)
        computer = await self._computer.measure()
        judged = [
            judge(choices, spec=spec, computer=computer, beside=beside) if spec is not None else ()
            for choices, spec in zip(groups, specs, strict=True)
        ]
        best, why = _best(model, judged)
        known = next((spec for spec in specs if spec is not None), None)
        return HubAdvice(
            n_ctx=computer.options.n_ctx if known is None else n_ctx_for(known, computer.options),
            fits=tuple(
                AdvisedFit(path=quant.choice.files[0].path, fit=_quant_fit(quant, computer))
                for quants in judged
                for quant in quants
            ),
            best=best,
            why=why,
        )

    async def _spec(self, model: HubModel, choices: Sequence[Choice]) -> ModelSpec | None:
        """Return the facts of one of ``choices``; ``None`` if its header cannot be read."""
        # Of a split model each part's header is read, so one in a single file is quicker.
        choice = min(choices, key=lambda choice: (len(choice.files), choice.size_bytes))
        key = (model.repo, model.commit, choice.files[0].path)
        if key not in self._specs:
            spec = await self._errands.run(lambda: self._read(model, choice))
            _keep(self._specs, key, spec)
        return self._specs[key]

    async def _beside(self, model: HubModel) -> AuxiliaryModels:
        """Return what each quant is loaded with: the projector that comes with it."""
        key = (model.repo, model.commit)
        if key not in self._besides:
            beside = await self._errands.run(
                lambda: remote_beside(self._session, model.projectors, repo=model.repo, commit=model.commit)
            )
            _keep(self._besides, key, beside)
        return self._besides[key]

    def _read(self, model: HubModel, choice: Choice) -> ModelSpec | None:
        try:
            return remote_spec(self._session, choice, repo=model.repo, commit=model.commit)
        except ModelFileInvalid:
            return None  # What it is will be said when it is in the library.


def _keep(kept: dict[_Key, _Fact], key: _Key, fact: _Fact) -> None:
    """Remember ``fact``, and forget the oldest where there are too many."""
    kept[key] = fact
    if len(kept) > _MAX_KEPT:
        del kept[next(iter(kept))]


def _models_in(quants: Iterable[HubQuant]) -> list[list[HubQuant]]:
    """Put the quants of each model together: some repositories hold several."""
    groups: dict[str | None, list[HubQuant]] = {}
    for quant in quants:
        groups.setdefault(model_name_in(PurePosixPath(quant.path).name), []).append(quant)
    return list(groups.values())


def _best(model: HubModel, judged: Sequence[Sequence[AdvisedQuant]]) -> tuple[str, str]:
    """Return the path of the quant to take and why; an empty path and the reason if there is none."""
    if not model.quants:
        return "", tr("No usable model files.")
    if not any(judged):
        return "", tr("The files have unclear names, so their fit is unknown.")
    if len(judged) > 1:
        return "", tr("Several models in this repository: choose one.")
    quants = judged[0]
    best = best_of(quants, usual=_usual(model))
    if best is None:
        fitting = [quant for quant in quants if quant.fit.where is not Where.NOWHERE]
        if not fitting:
            return "", tr("No file fits this computer. {fit}").format(fit=fit_words(quants[0].fit))
        return "", tr("Too large for this computer to run well: only heavily quantized or slow files fit.")
    return best[0].choice.files[0].path, best[1]


def _usual(model: HubModel) -> Choice | None:
    listing = Listing(choices=tuple(map(_choice, model.quants)), projectors=model.projectors)
    try:
        return choose(listing, repo=model.repo, quantization=None, file=None)[0]
    except HubChoiceUnknown:
        return None


def _choice(quant: HubQuant) -> Choice:
    return Choice(label=quant.label, files=quant.files, name=quant.name)


def _quant_fit(quant: AdvisedQuant, computer: Computer) -> QuantFit:
    found = quant.fit
    gpus = gpus_among(computer.devices)
    shares = [
        DeviceShare(name=tr(MEMORY_NAME), n_bytes=found.need.host.total_bytes, free_bytes=found.free_bytes),
        *(
            DeviceShare(name=gpu.description or gpu.name, n_bytes=need.total_bytes, free_bytes=gpu.free_bytes)
            for gpu, need in zip(gpus, found.need.gpus, strict=True)
        ),
    ]
    return QuantFit(where=found.where, words=fit_words(found), shares=tuple(shares), speed=quant.speed)
