"""Advise which quant of a model to fetch: the one that runs best on this computer, with the reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

import msgspec

from fireside.core.errors import HubChoiceUnknown, ModelFileInvalid
from fireside.core.ids import ModelId
from fireside.core.model import ModelSpec
from fireside.core.options import LoadOptions
from fireside.core.status import Device
from fireside.engine.fit import Fit, Where, fit, fit_words, resized
from fireside.engine.host import Host
from fireside.gguf import model_spec
from fireside.gguf.naming import model_name_in
from fireside.hub.listing import Choice, Listing, choose
from fireside.hub.quants import MOST_USEFUL_BITS, bits_of, quant_words
from fireside.hub.remote_header import read_remote_header
from fireside.hub.session import HubSession


class Computer(msgspec.Struct, frozen=True, kw_only=True):
    """What models would run on, and how they would be loaded."""

    devices: tuple[Device, ...]
    host: Host
    options: LoadOptions


class AdvisedQuant(msgspec.Struct, frozen=True, kw_only=True):
    """One quant of a model and how it would run."""

    choice: Choice
    words: str
    """What its label means; empty if it says nothing."""
    fit: Fit


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """All quants in order of size, and the one to take with the reason as a sentence."""

    quants: tuple[AdvisedQuant, ...]
    choice: Choice
    why: str


class Adviser:
    """Looks at the smallest quant's header, and judges them all by it. ``__call__`` blocks; for any thread.

    Args:
        computer: measures this computer; called once, when there is something to choose.
        show: gets the advice before it is followed.
    """

    def __init__(
        self, *, session: HubSession, computer: Callable[[], Computer], show: Callable[[Advice], None]
    ) -> None:
        self._session = session
        self._computer = computer
        self._show = show

    def __call__(self, listing: Listing, *, repo: str, commit: str) -> tuple[Choice, str]:
        """Return what to fetch and why. Raises ``HubError``, and ``HubChoiceUnknown`` if nothing fits."""
        usual = choose(listing, repo=repo, quantization=None, file=None)
        models = {model_name_in(PurePosixPath(choice.files[0].path).name) for choice in listing.choices}
        if len(listing.choices) < 2 or len(models) > 1:
            return usual
        try:
            spec = self._spec_of(listing.choices[0], repo=repo, commit=commit)
        except ModelFileInvalid:
            return usual  # What it is will be said when it is in the library.
        advice = advise(listing.choices, spec=spec, usual=usual, computer=self._computer())
        if advice is None:
            raise HubChoiceUnknown(repo=repo, wanted="size that fits in memory", available=_sizes(listing))
        self._show(advice)
        return advice.choice, advice.why

    def _spec_of(self, choice: Choice, *, repo: str, commit: str) -> ModelSpec:
        first, *others = [
            read_remote_header(self._session, file, repo=repo, commit=commit) for file in choice.files
        ]
        return model_spec(first, path=choice.files[0].path, id=ModelId(repo), parts=tuple(others))


def advise(
    choices: Sequence[Choice], *, spec: ModelSpec, usual: tuple[Choice, str], computer: Computer
) -> Advice | None:
    """Judge ``choices`` of one model, in order of size, of which ``spec`` is one; ``None`` if none fits.

    What runs wholly on the GPU is fast whatever its size, so the best of that is taken. On the processor
    every byte costs time, so the usual size is, if it fits.
    """
    quants = tuple(
        AdvisedQuant(choice=choice, words=quant_words(choice.label), fit=_fit(choice, spec, computer))
        for choice in choices
    )
    useful = [quant for quant in quants if (bits_of(quant.choice.label) or 0) <= MOST_USEFUL_BITS]
    fitting = [quant for quant in useful or quants if quant.fit.where is not Where.NOWHERE]
    if not fitting:
        return None
    on_gpu = [quant for quant in fitting if quant.fit.where is Where.GPU]
    taken = next((quant for quant in fitting if quant.choice == usual[0]), fitting[-1])
    if on_gpu:
        taken = on_gpu[-1]
        reason = "The best quality that fits wholly on the graphics card"
    elif taken.choice == usual[0]:
        reason = "A good size for this computer"
    else:
        reason = "The best quality that fits in memory"
    why = f"{reason}: {_named(taken)}. {fit_words(taken.fit)}"
    return Advice(quants=quants, choice=taken.choice, why=why)


def _fit(choice: Choice, spec: ModelSpec, computer: Computer) -> Fit:
    of_size = spec if choice.size_bytes == spec.size_bytes else resized(spec, size_bytes=choice.size_bytes)
    return fit(of_size, computer.options, devices=computer.devices, host=computer.host)


def _named(quant: AdvisedQuant) -> str:
    return f"{quant.choice.label} ({quant.words})" if quant.words else quant.choice.label


def _sizes(listing: Listing) -> str:
    return ", ".join(choice.label for choice in listing.choices)
