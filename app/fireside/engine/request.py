"""A request to the engine."""

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
