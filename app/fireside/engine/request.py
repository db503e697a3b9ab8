"""What the engine is asked for."""

from __future__ import annotations

import msgspec

from fireside.core.ids import RequestId
from fireside.core.model import ModelSpec
from fireside.core.options import LoadOptions
from fireside.core.task import GenerationTask


class GenerationRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One answer to write. ``request_id`` is positive and unique within one run of the program."""

    request_id: RequestId
    spec: ModelSpec
    options: LoadOptions
    task: GenerationTask
    keep_alive_s: float | None = None
    """How long the model stays loaded after its last request; ``None`` is until the program ends or its
    place is needed, 0 unloads it at once."""
    client: str = ""
    """Which program asks, for lists of what is in use; empty is the one that has the engine."""
