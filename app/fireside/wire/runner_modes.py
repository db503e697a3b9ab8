"""What a runner's program does besides serving a model: the flags, and the JSON that is exchanged."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.constraint import Constraint
from fireside.core.errors import ErrorInfo
from fireside.core.i18n import Translatable
from fireside.core.message import ChatMessage
from fireside.core.options import LoadOptions
from fireside.core.status import Device, MemoryReport

MEASURE: Final = "--measure"
"""Makes the program of a runner answer ``MeasureRequest``s until its input ends."""

MAX_LINE_BYTES: Final = 1 << 20


class MeasureRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A load whose memory is wanted. The layers are a number."""

    path: str
    options: LoadOptions


class MeasureReply(msgspec.Struct, frozen=True, kw_only=True):
    """What the load would allocate, by buffer, or why it cannot be told."""

    memory: tuple[MemoryReport, ...] = ()
    devices: tuple[Device, ...] = ()
    """As they are now."""
    problem: str = ""
    """A sentence; empty if all went well."""
    unloadable: ErrorInfo | None = None
    """Why no load of this model can succeed, where that is the problem."""


LIST_DEVICES: Final = "--list-devices"
"""Makes the program of a runner say what it can compute with, and end."""

MAX_LISTING_BYTES: Final = 1 << 20


class ListedBackend(msgspec.Struct, frozen=True, kw_only=True):
    """A backend of llama.cpp, with or without a device."""

    name: str
    """As llama.cpp calls it: ``CPU``, ``CUDA``, ``Vulkan``."""
    version: str = ""
    """Of what it stands on, where that can be asked: the Vulkan loader, the CUDA libraries."""
    features: tuple[str, ...] = ()
    """What it was built with and uses here, in its own words: ``AVX2``."""


class DeviceListing(msgspec.Struct, frozen=True, kw_only=True):
    """What one build of llama.cpp finds on this computer, now."""

    llama_cpp: str
    """Version of the library and of ggml."""
    devices: tuple[Device, ...]
    """The processor is among them."""
    backends: tuple[ListedBackend, ...]
    notes: tuple[str, ...] = ()
    """What was left out and why, a sentence each."""


CHECK_RUNTIME: Final = "--check-runtime"
"""Makes the program of a runner say what libraries it was given, and end."""

MAX_FACTS_BYTES: Final = 1 << 16


class RuntimeFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What the libraries say of themselves, or why they do not fit."""

    folder: str = ""
    """Where they lie."""
    llama_cpp: str = ""
    """``0.5.0-dev``"""
    binding: str = ""
    """Version of the Python binding, whose structures they must have."""
    features: str = ""
    """What they were compiled for and with, in llama.cpp's own words."""
    n_devices: int = 0
    problem: Translatable = ""
    """The end of a sentence, with its full stop; empty where they fit."""


CHECK_CONSTRAINT: Final = "--check-rule"
"""Makes the program of a runner compile one rule, and end."""


class ConstraintCheckRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A rule that is to be tried in a process of its own."""

    constraint: Constraint


class ConstraintCheckReply(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong with a rule, as the end of a sentence; empty where answers can be held to it."""

    problem: Translatable = ""


SHOW_TEMPLATE: Final = "--show-template"
"""Makes the program of a runner word one conversation, and end."""

TEMPLATE_TOKENS: Final = (
    "<|im_start|>",
    "<|start_header_id|>",
    "<start_of_turn>",
    "[INST]",
    "[gMASK]",
    "<|start_of_role|>",
    "<|START_OF_TURN_TOKEN|>",
    "<｜Assistant｜>",
    "<|end|>",
    "<|assistant|>",
)
"""Control tokens by which a model without a template is known; see ``runner/prompt/fallbacks.py``."""

MAX_EXAMPLE_CHARS: Final = 50_000
MAX_EXAMPLE_BYTES: Final = 1 << 20
"""An example and its reason, whatever JSON makes of their characters."""


class ExampleRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation, and what a file says about how it is worded."""

    source: str | None
    """The template; ``None`` where one that suits stands in."""
    architecture: str
    bos_token: str = ""
    eos_token: str = ""
    control_tokens: tuple[str, ...] = ()
    messages: tuple[ChatMessage, ...]
    arguments: str = ""
    """More values for the template, as the text of a JSON object."""


class ExampleReply(msgspec.Struct, frozen=True, kw_only=True):
    """The conversation as the model sees it, cut to ``MAX_EXAMPLE_CHARS``, or why there is nothing to see."""

    text: str = ""
    fallback: str = ""
    """Name of the template that stood in for a missing one."""
    error: ErrorInfo | None = None
    """As the process found it; the caller words a ``problem`` from that."""
    problem: str = ""
    """A sentence; empty if all went well."""


KEEP_BUSY: Final = "--keep-busy"
"""Computes until its standard input ends, which it does when its parent is gone."""
