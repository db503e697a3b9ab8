"""Short texts about a model. Pure."""

from __future__ import annotations

from typing import Final, assert_never

import msgspec

from fireside.core.errors import RunnerCrashed, RunnerUnresponsive, format_bytes
from fireside.core.generation import WaitReason
from fireside.core.i18n import number, tr, tr_noop
from fireside.core.model import ModelEntry, ModelSpec, ToolAbility
from fireside.core.remote import KIND_WORDS, RemoteLocation, RemoteModel, ServerKind
from fireside.core.status import (
    Broken,
    LoadedModel,
    LoadingModel,
    LoadStage,
    ModelState,
    OnRemoteEngine,
    Ready,
    Unloaded,
    Unloading,
)
from fireside.ui.time_text import format_remaining

SMALL_MODEL_PARAMS: Final = 1_000_000_000
"""A model with fewer parameters often makes things up: the user is told before the first answer."""
SEPARATOR: Final = "  ·  "
VISION: Final = tr_noop("Vision")
AUDIO: Final = tr_noop("Audio")
VIDEO: Final = tr_noop("Video")
MEDIA_ICONS: Final = {VISION: "eye", AUDIO: "audio-lines", VIDEO: "film"}
"""The media that a model may take beside text, and their icons."""


def abbreviate_count(n: int) -> str:
    """Return a number of parameters: ``135M``, ``8.2B``."""
    for size, letter in ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k")):
        if n >= size * 0.9995:
            value = n / size
            return (
                f"{number(value)}{letter}"
                if value >= 99.5 or letter in "Mk"
                else f"{_significant(value)}{letter}"
            )
    return str(n)


def format_context_size(n_ctx: int) -> str:
    """Return a context size: ``512``, ``8k``, ``1M``.

    Counted in 1,024 unless the size is a round decimal number: 32,000 is ``32k``, 1,010,000 ``1.01M``.
    """
    if n_ctx < 1000:
        return str(n_ctx)
    thousand = 1024 if n_ctx % 1000 else 1000
    if n_ctx >= 1_000_000:
        return f"{_significant(n_ctx / thousand**2)}M"
    return f"{_significant(n_ctx / thousand)}k" if thousand == 1024 else f"{n_ctx // 1000}k"


def _significant(value: float) -> str:
    """Return a number with three significant figures: ``8.19``, ``1.5``, ``128``."""
    text = f"{value:.3g}"
    return number(float(text), decimals=len(text.partition(".")[2]))


def format_placement(loaded: LoadedModel) -> str:
    """Return where a loaded model computes: CPU, or how many of its layers on a GPU."""
    if loaded.n_gpu_layers <= 0:
        return tr("CPU")
    return tr("GPU {n}/{n_layers} layers").format(
        n=min(loaded.n_gpu_layers, loaded.n_layers), n_layers=loaded.n_layers
    )


def loaded_summary(loaded: LoadedModel) -> str:
    """Return the header's line for a loaded model: memory, placement, context."""
    return SEPARATOR.join(
        (
            tr("{size} of memory").format(size=format_bytes(loaded.n_bytes)),
            format_placement(loaded),
            tr("{n_ctx} context").format(n_ctx=format_context_size(loaded.n_ctx)),
        )
    )


def remote_host(entry: ModelEntry | None) -> str:
    """Return the host of the other engine that a model belongs to; empty for none."""
    remote = None if entry is None or entry.spec is None else entry.spec.remote
    return "" if remote is None else remote.host


def results_sent_text(host: str) -> str:
    """Return what using tools with a model of another engine means."""
    return tr("Tools run on this computer. What they read is sent to {host}.").format(host=host)


def tool_ability_text(ability: ToolAbility, *, host: str) -> str:
    """Return why a model gets no tools, or seldom uses them; empty for one that calls them."""
    if ability is ToolAbility.CALLS:
        return ""
    if ability is ToolAbility.SELDOM:
        return tr("This model was not made for tools and seldom calls them.")
    if host:
        return tr("This model cannot call tools, says {host}, so it gets none.").format(host=host)
    return tr("This model cannot call tools, so it gets none.")


def remote_summary(location: RemoteLocation) -> str:
    """Return a line about a model of another engine: whether it could be reached, engine, context,
    abilities."""
    model = location.model
    engine = KIND_WORDS[location.kind]
    if location.engine_name != location.host:
        engine = f"{location.engine_name} ({engine})"
    if location.is_unreachable:
        down = tr("Unavailable: {hosts}").format(hosts=location.host)
        engine = f"{down}{SEPARATOR}{engine}"
    n_ctx = tr("context not reported")
    if model.n_ctx is not None:
        context = tr("{n_ctx} context")
        if location.kind is ServerKind.OLLAMA:
            context = tr("up to {n_ctx} context")  # Ollama is asked for the context of the setting
        n_ctx = context.format(n_ctx=format_context_size(model.n_ctx))
    return SEPARATOR.join((engine, n_ctx, *ability_labels(model)))


def media_labels(*, sees: bool, hears: bool) -> tuple[str, ...]:
    """Return keys of ``MEDIA_ICONS``, untranslated. Videos are for a model that also hears their sound; one
    that only sees takes their images."""
    taken = ((VISION, sees), (AUDIO, hears), (VIDEO, sees and hears))
    return tuple(label for label, is_taken in taken if is_taken)


def media_of(spec: ModelSpec) -> tuple[str, ...]:
    """Return ``media_labels`` of a model; none for what a server does not tell."""
    sees = spec.sees_images if spec.remote is None else spec.remote.model.sees is True
    return media_labels(sees=sees, hears=spec.hears_audio)


def ability_labels(model: RemoteModel) -> list[str]:
    """Return what a remote model can do beyond text."""
    abilities = (
        (model.sees, tr(VISION)),
        (model.hears, tr(AUDIO)),
        (model.calls_tools, tr("Tools")),
        (model.reasons, tr("Reasoning")),
    )
    return [label for is_able, label in abilities if is_able]


def file_summary(spec: ModelSpec) -> str:
    """Return the header's line for a model that is not loaded: file size and trained context."""
    if spec.remote is not None:
        return remote_summary(spec.remote)
    return SEPARATOR.join(
        (
            tr("{size} file").format(size=format_bytes(spec.size_bytes)),
            tr("up to {n_ctx} context").format(n_ctx=format_context_size(spec.n_ctx_train)),
        )
    )


_CRASH_CODES: Final = frozenset({RunnerCrashed.code, RunnerUnresponsive.code})
"""Errors of a model that had been loaded, and may well load again."""


class StateLabel(msgspec.Struct, frozen=True):
    """How a state is displayed: the colour token of its dot, and a text."""

    tint: str
    text: str


def preparing_text(state: LoadingModel) -> str:
    """Return how far llama.cpp is compiled: ``Preparing the engine: 34%, about 2 minutes``."""
    percent = number(round(100 * state.fraction))
    if state.left_s is None:
        return tr("Preparing the engine: {percent}%").format(percent=percent)
    left = format_remaining(state.left_s)
    return tr("Preparing the engine: {percent}%, {time}").format(percent=percent, time=left)


def state_label(state: ModelState) -> StateLabel:
    match state:
        case Unloaded():
            return StateLabel("dim", tr("Not loaded"))
        case LoadingModel(waits_for=WaitReason()):
            return StateLabel("warn", tr("Queued"))
        case LoadingModel(stage=LoadStage.PREPARING):
            return StateLabel("warn", preparing_text(state))
        case LoadingModel(fraction=fraction):
            return StateLabel("warn", tr("Loading {percent}%").format(percent=round(fraction * 100)))
        case Ready(n_active=0):
            return StateLabel("ok", tr("Ready"))
        case Ready():
            return StateLabel("ok", tr("Answering"))
        case Unloading():
            return StateLabel("warn", tr("Unloading"))
        case Broken(error=error) if error.code in _CRASH_CODES:
            return StateLabel("danger", tr("Crashed"))
        case Broken():
            return StateLabel("danger", tr("Failed to load"))
        case OnRemoteEngine(host=host, is_unreachable=False):
            return StateLabel("ok", tr("On {host}").format(host=host))
        case OnRemoteEngine(host=host):
            return StateLabel("warn", tr("On {host}, unavailable").format(host=host))
        case _:
            assert_never(state)


def matches_query(entry: ModelEntry, *, query: str) -> bool:
    """Tell whether a model has all of ``query`` in its name, file name, family, quantization or media."""
    spec = entry.spec
    facts = (spec.name, spec.architecture, spec.quantization, spec.id) if spec is not None else ()
    media = map(tr, media_of(spec)) if spec is not None else ()
    text = " ".join((entry.file_name, *entry.other_names, *facts, *media)).casefold()
    return all(word in text for word in query.casefold().split())
