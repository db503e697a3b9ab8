"""Texts about builds of llama.cpp. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fireside.core.errors import format_bytes
from fireside.core.i18n import join_alternatives, number, tr, tr_noop
from fireside.core.runtime import (
    BUILT_IN,
    Runtime,
    RuntimeChoice,
    RuntimeOffer,
    RuntimeProgressed,
    RuntimeState,
    RuntimeStep,
)
from fireside.ui.widgets.text import one_line

ABOUT: Final = tr_noop(
    "A runtime is a build of llama.cpp, the engine that runs models; another build may support "
    "your GPU. Add only builds from sources you trust. Nothing downloads automatically."
)
BUILT_IN_NAME: Final = tr_noop("Included with Fireside")

_STATES: Final = {
    RuntimeState.UNTESTED: (tr_noop("Not tested"), ""),
    RuntimeState.WORKS: (tr_noop("Tested"), "ok"),
    RuntimeState.FAILED: (tr_noop("Failed"), "danger"),
}
_STEPS: Final = {
    RuntimeStep.DOWNLOADING: tr_noop("Downloading “{name}”…"),
    RuntimeStep.UNPACKING: tr_noop("Unpacking “{name}”…"),
    RuntimeStep.CHECKING: tr_noop("Checking the libraries of “{name}”…"),
    RuntimeStep.TESTING: tr_noop("Testing “{name}” with the starter model. This may take a minute…"),
}


def runtime_name(name: str) -> str:
    """Return the display name of a runtime."""
    return tr(BUILT_IN_NAME) if name == BUILT_IN else one_line(name)


def badge_text(runtime: Runtime, *, in_use: bool) -> tuple[str, str]:
    """Return the state of a runtime, and the tone of its badge."""
    if in_use:
        return tr("Active"), "accent"
    if runtime.is_built_in and runtime.state is RuntimeState.UNTESTED:
        # The installer tested it before it was added.
        return tr("Built-in"), ""
    label, tone = _STATES[runtime.state]
    return tr(label), tone


def about_text(runtime: Runtime | RuntimeOffer) -> str:
    """Return ``Vulkan, CPU · llama.cpp 0.5.0 · 34 MB``."""
    parts = [", ".join(one_line(backend) for backend in runtime.backends)]
    if runtime.llama_cpp:
        parts.append(f"llama.cpp {one_line(runtime.llama_cpp)}")
    parts.append(format_bytes(runtime.n_bytes))
    return " · ".join(part for part in parts if part)


def result_text(runtime: Runtime) -> str:
    """Return the result of the last test; empty where there was none."""
    test = runtime.test
    if test is None:
        return ""
    if not test.works:
        return one_line(test.reason)
    devices = ", ".join(one_line(device) for device in test.devices)
    if test.tokens_per_s is None:
        return tr("Tested on {devices}.").format(devices=devices)
    return tr("Tested on {devices}: {speed} tokens/s with the starter model.").format(
        devices=devices, speed=number(test.tokens_per_s)
    )


def suits(offer: RuntimeOffer, suitable: Sequence[str]) -> bool:
    """Return whether an offered runtime could use a GPU that is unused now."""
    return offer.fits and not {backend.lower() for backend in offer.backends}.isdisjoint(
        map(str.lower, suitable)
    )


def advice_text(choice: RuntimeChoice, suitable: Sequence[str]) -> str:
    """Return how to get the runtime for an unused GPU; empty where there is none, or it is installed."""
    offers = choice.offers
    if not choice.is_published or (not suitable and offers != ()):
        return ""
    if offers is None:
        return tr(
            "Your GPU needs a runtime with {backends}. Fireside’s releases may have one: it is downloaded "
            "when you click, and its signature is checked."
        ).format(backends=join_alternatives(tuple(suitable)))
    if not offers:
        return tr("Fireside’s releases have no further runtime for this computer.")
    if any(suits(offer, suitable) for offer in offers):
        return ""
    return tr("None of the runtimes that Fireside’s releases have suits your GPU.")


def progress_text(event: RuntimeProgressed) -> str:
    """Return the running step."""
    return tr(_STEPS[event.step]).format(name=runtime_name(event.name))
