"""The requests to the engine: for an answer, and to load a model."""

from __future__ import annotations

import msgspec

from fireside.core.ids import RequestId
from fireside.core.model import ModelSpec
from fireside.core.options import LoadOptions
from fireside.core.task import GenerationTask


class GenerationRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A task for one model. ``request_id`` is positive and unique while the program runs."""

    request_id: RequestId
    spec: ModelSpec
    options: LoadOptions
    task: GenerationTask
    keep_alive_s: float | None = None
    """How long the model stays loaded after its last request; ``None`` is until the program ends or its
    memory is needed, 0 unloads it at once."""
    n_ctx: int = 0
    """Context length that it needs, if that is more than in ``options``. A model that is loaded with less is
    loaded anew once it is idle, as far as the memory allows."""
    client: str = ""
    """Name of the program that sends the request; empty for the one that runs the engine."""


class LoadRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A load by hand of ``spec`` with ``options``, or a reload if these changed."""

    spec: ModelSpec
    options: LoadOptions
    keep_alive_s: float | None
    """As in ``GenerationRequest``, but 0 does not unload it before its first use."""
    override_options: LoadOptions | None = None
    """Load with these in place of ``options``, and serve requests for ``options`` so. Holds until the model
    is unloaded, or loaded without this."""
    persist: bool = False
    """Use ``override_options`` from now on for every load that requests ``options``."""
    n_ctx: int = 0
    """As in ``GenerationRequest``."""
