"""Helper modes of the runner program besides serving a model: their options, and their JSON messages."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.errors import ErrorInfo
from fireside.core.i18n import Translatable
from fireside.core.message import ChatMessage
from fireside.core.options import LoadOptions
from fireside.core.status import Device, MemoryReport
from fireside.core.task import Constraint

MEASURE: Final = "--measure"
"""Option: serve dry runs (``MeasureRequest`` and ``MeasureReply`` in frames) until the input ends."""

NOTE: Final = "note for the log: "
"""The beginning of a line of the runner that the program's log has; the others are for developers."""


class MeasureRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A load to be measured by a dry run. The number of GPU layers is concrete."""

    path: str
    options: LoadOptions


class MeasureReply(msgspec.Struct, frozen=True, kw_only=True):
    """What the load would allocate, by buffer, or why it could not be measured."""

    memory: tuple[MemoryReport, ...] = ()
    devices: tuple[Device, ...] = ()
    """As they are now."""
    problem: str = ""
    """A sentence; empty if all went well."""
    unloadable: ErrorInfo | None = None
    """Why no load of this model can succeed, where that is the problem."""


LIST_DEVICES: Final = "--list-devices"
"""Option: list devices and backends, and exit."""

MAX_LISTING_BYTES: Final = 1 << 20


class ListedBackend(msgspec.Struct, frozen=True, kw_only=True):
    """A backend of llama.cpp, with or without a device."""

    name: str
    """llama.cpp's name: ``CPU``, ``CUDA``, ``Vulkan``."""
    version: str = ""
    """Version of the underlying library, where available: the Vulkan loader, the CUDA runtime."""
    features: tuple[str, ...] = ()
    """Features that it was built with and uses here, as llama.cpp names them: ``AVX2``."""


class DeviceListing(msgspec.Struct, frozen=True, kw_only=True):
    """Devices and backends of one build of llama.cpp on this computer."""

    llama_cpp: str
    """Version of the library and of ggml."""
    devices: tuple[Device, ...]
    """The processor is among them."""
    backends: tuple[ListedBackend, ...]
    notes: tuple[str, ...] = ()
    """What was skipped and why, a sentence each."""


CHECK_RUNTIME: Final = "--check-runtime"
"""Option: check the libraries of llama.cpp, and exit."""

MAX_FACTS_BYTES: Final = 1 << 16


class RuntimeFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Facts about the libraries, or why they do not match the binding."""

    folder: str = ""
    """Folder of the libraries."""
    llama_cpp: str = ""
    """``0.5.0-dev``"""
    binding: str = ""
    """Version of the Python binding, whose structures must match."""
    features: str = ""
    """llama.cpp's system info: compiled features."""
    n_devices: int = 0
    problem: Translatable = ""
    """The end of a sentence, with its full stop; empty where they fit."""


CHECK_CONSTRAINT: Final = "--check-rule"
"""Option: check one constraint by compiling it, and exit."""


class ConstraintCheckRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A constraint to be checked."""

    constraint: Constraint


class ConstraintCheckReply(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong with a constraint, as the end of a sentence; empty if it is valid."""

    problem: Translatable = ""


SHOW_TEMPLATE: Final = "--show-template"
"""Option: render one conversation with a chat template, and exit."""

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
"""Control tokens that identify the template of a model without one; see ``runner/prompt/fallbacks.py``."""

MAX_EXAMPLE_CHARS: Final = 50_000
MAX_EXAMPLE_BYTES: Final = 1 << 20
"""Limit for a reply, including JSON escapes."""


class ExampleRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation to be rendered, with the template and tokens of a model file."""

    source: str | None
    """The template; ``None`` for a fallback."""
    architecture: str
    bos_token: str = ""
    eos_token: str = ""
    control_tokens: tuple[str, ...] = ()
    messages: tuple[ChatMessage, ...]
    arguments: str = ""
    """More values for the template, as the text of a JSON object."""


class ExampleReply(msgspec.Struct, frozen=True, kw_only=True):
    """The rendered conversation, cut to ``MAX_EXAMPLE_CHARS``, or why it could not be rendered."""

    text: str = ""
    fallback: str = ""
    """Name of the fallback template; empty for the model's own."""
    error: ErrorInfo | None = None
    """As the process found it; the caller words a ``problem`` from that."""
    problem: str = ""
    """A sentence; empty if all went well."""


KEEP_BUSY: Final = "--keep-busy"
"""Option: keep a core busy until the input ends, as it does when the parent exits."""
