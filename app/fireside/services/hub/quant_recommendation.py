"""Recommend the quant of a model that runs best on this computer, with the reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePosixPath
from typing import Final

import msgspec

from fireside.core.discovery import HubQuant
from fireside.core.errors import HubAnswerInvalid, HubChoiceUnknown, HubNotFound, ModelFileInvalid
from fireside.core.fit import Placement, SpeedRange, speed_text
from fireside.core.hub import HubFile
from fireside.core.i18n import tr
from fireside.core.ids import ModelId
from fireside.core.model import ModelSpec
from fireside.core.options import Purpose
from fireside.core.quants import MOST_USEFUL_BITS, bits_of
from fireside.engine.planning.auxiliary_models import NO_AUXILIARY, AuxiliaryModels, projector_usage
from fireside.engine.planning.fit_verdict import Fit, describe_fit, fit, scaled_spec
from fireside.engine.planning.speed_estimate import tokens_per_s
from fireside.gguf import model_spec
from fireside.gguf.facts import FileKind, file_kind
from fireside.gguf.file_names import model_name_in
from fireside.hub.hub_session import HubSession, read_remote_header
from fireside.hub.repository_files import Listing, choose
from fireside.services.machine.host_measurement import Computer
from fireside.services.request_builder import with_files_beside

MIN_USEFUL_BITS: Final = 2
"""Of a weight; with fewer, answers degrade so much that a smaller model is better."""
MIN_TOKENS_PER_S: Final = 2.0
"""Slower answers are of no use."""


class AdvisedQuant(msgspec.Struct, frozen=True, kw_only=True):
    """One quant of a model and how it would run."""

    choice: HubQuant
    fit: Fit
    speed: SpeedRange | None = None


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """All quants by size, and the recommended one with the reason as a sentence."""

    quants: tuple[AdvisedQuant, ...]
    choice: HubQuant
    why: str


class QuantRecommender:
    """Reads the headers of the smallest quant, the projector and the draft heads, and judges all quants by
    them.

    ``__call__`` blocks; for any thread.

    Args:
        computer: measures this computer; called once, when there is a choice.
        show: receives the advice before it is followed.
    """

    def __init__(
        self, *, session: HubSession, computer: Callable[[], Computer], show: Callable[[Advice], None]
    ) -> None:
        self._session = session
        self._computer = computer
        self._show = show

    def __call__(self, listing: Listing, *, repo: str, commit: str) -> tuple[HubQuant, str]:
        """Return what to download and why. Raises ``HubError``, and ``HubChoiceUnknown`` if nothing fits."""
        usual = choose(listing, repo=repo, quantization=None, file=None)
        models = {model_name_in(PurePosixPath(choice.files[0].path).name) for choice in listing.choices}
        if len(listing.choices) < 2 or len(models) > 1:
            return usual
        try:
            spec = remote_spec(self._session, listing.choices[0], repo=repo, commit=commit)
        except ModelFileInvalid:
            return usual  # The reason is reported once it is in the library.
        projector = remote_projector(self._session, listing.projectors, repo=repo, commit=commit)
        draft = remote_heads(self._session, listing.heads, repo=repo, commit=commit)
        auxiliary = msgspec.structs.replace(projector, draft=draft)
        advice = advise(
            listing.choices, spec=spec, usual=usual, computer=self._computer(), auxiliary=auxiliary
        )
        if advice is None:
            available = ", ".join(choice.title for choice in listing.choices)
            raise HubChoiceUnknown(
                repo=repo, wanted=tr("quantization that fits in memory"), available=available
            )
        self._show(advice)
        return advice.choice, advice.why


def remote_spec(session: HubSession, choice: HubQuant, *, repo: str, commit: str) -> ModelSpec:
    """Read a model's header on the hub. Blocks; raises ``HubError`` or ``ModelFileInvalid``."""
    first, *others = [read_remote_header(session, file, repo=repo, commit=commit) for file in choice.files]
    return model_spec(first, path=choice.files[0].path, id=ModelId(repo), parts=tuple(others))


def remote_projector(
    session: HubSession, projectors: Sequence[HubFile], *, repo: str, commit: str
) -> AuxiliaryModels:
    """Return the projector that is loaded with each quant: the first one. Blocks; raises ``HubError``."""
    if not projectors:
        return NO_AUXILIARY
    try:
        return projector_usage(read_remote_header(session, projectors[0], repo=repo, commit=commit))
    except (ModelFileInvalid, HubNotFound, HubAnswerInvalid):
        return AuxiliaryModels(projector_bytes=projectors[0].size_bytes)


def remote_heads(
    session: HubSession, heads: Sequence[HubFile], *, repo: str, commit: str
) -> ModelSpec | None:
    """Return the draft heads that are loaded with each quant, the first of ``heads``; ``None`` if no model
    answers with them. Blocks; raises ``HubError``."""
    if not heads:
        return None
    try:
        header = read_remote_header(session, heads[0], repo=repo, commit=commit)
        is_usable = file_kind(header) is FileKind.HEADS
        spec = model_spec(header, path=heads[0].path, id=ModelId(repo), is_draft=True)
        return spec if is_usable else None
    except (ModelFileInvalid, HubNotFound, HubAnswerInvalid):
        return None


def advise(
    choices: Sequence[HubQuant],
    *,
    spec: ModelSpec,
    usual: tuple[HubQuant, str],
    computer: Computer,
    auxiliary: AuxiliaryModels = NO_AUXILIARY,
) -> Advice | None:
    """Judge ``choices`` of one model, by size, of which ``spec`` is one; ``None`` if none fits."""
    quants = judge(choices, spec=spec, computer=computer, auxiliary=auxiliary)
    best = select_best(quants, usual=usual[0])
    return None if best is None else Advice(quants=quants, choice=best[0].choice, why=best[1])


def judge(
    choices: Sequence[HubQuant], *, spec: ModelSpec, computer: Computer, auxiliary: AuxiliaryModels
) -> tuple[AdvisedQuant, ...]:
    """Return for each of ``choices`` of one model, of which ``spec`` is one, how it would run with what
    ``auxiliary`` has, as far as the settings load it."""
    heads = auxiliary.draft
    spec = msgspec.structs.replace(spec, heads_path=None if heads is None else heads.path)
    options = with_files_beside(computer.options, spec)
    if heads is None or options.draft_path != heads.path:
        auxiliary = msgspec.structs.replace(auxiliary, draft=None)
    computer = msgspec.structs.replace(computer, options=options)
    return tuple(_judge_one(choice, spec, computer, auxiliary) for choice in choices)


def select_best(quants: Sequence[AdvisedQuant], *, usual: HubQuant | None) -> tuple[AdvisedQuant, str] | None:
    """Return which of ``quants``, by size, to download, and why as a sentence; ``None`` if none fits.

    What fits the GPU whole is fast at any size, so the largest of those is taken. On the CPU every byte costs
    time, so the usual quant is taken if it fits.
    """
    useful = [quant for quant in quants if (bits_of(quant.choice.label) or 0) <= MOST_USEFUL_BITS]
    fitting = [quant for quant in useful or quants if quant.fit.where.runs and is_worthwhile(quant)]
    if not fitting:
        return None
    fitting = [quant for quant in fitting if quant.fit.has_requested_context] or fitting
    on_gpu = [quant for quant in fitting if quant.fit.where is Placement.GPU]
    best = next((quant for quant in fitting if quant.choice == usual), fitting[-1])
    if on_gpu:
        best = on_gpu[-1]
        text = tr("Best quality that fits fully on the GPU: {quant}. {fit}")
    elif best.choice == usual:
        text = tr("Recommended for this computer: {quant}. {fit}")
    else:
        text = tr("Best quality that fits in memory: {quant}. {fit}")
    return best, text.format(quant=_named(best), fit=fit_text(best))


def _judge_one(
    choice: HubQuant, spec: ModelSpec, computer: Computer, auxiliary: AuxiliaryModels
) -> AdvisedQuant:
    sized_spec = (
        spec if choice.size_bytes == spec.size_bytes else scaled_spec(spec, size_bytes=choice.size_bytes)
    )
    verdict = fit(
        sized_spec,
        computer.options,
        devices=computer.devices,
        host=computer.host,
        auxiliary=auxiliary,
        display=computer.display,
        states_bytes=computer.prompt_cache_bytes,
    )
    speed = None
    if verdict.where.runs and spec.purpose is Purpose.GENERATE:
        speed = tokens_per_s(
            sized_spec,
            n_gpu_layers=verdict.plan.options.n_gpu_layers,
            gpu=verdict.gpu,
            speeds=computer.speeds,
        )
    return AdvisedQuant(choice=choice, fit=verdict, speed=speed)


def fit_text(quant: AdvisedQuant) -> str:
    """Return how and how fast a quant would run, as sentences."""
    if quant.speed is None:
        return describe_fit(quant.fit)
    return f"{describe_fit(quant.fit)} {speed_text(quant.speed)}."


def is_worthwhile(quant: AdvisedQuant) -> bool:
    """Whether a quant is neither too coarse nor too slow to be useful."""
    bits = bits_of(quant.choice.label)
    is_good = bits is None or bits >= MIN_USEFUL_BITS
    return is_good and (quant.speed is None or quant.speed.high >= MIN_TOKENS_PER_S)


def _named(quant: AdvisedQuant) -> str:
    choice = quant.choice
    return f"{choice.title} ({choice.description})" if choice.description else choice.title
