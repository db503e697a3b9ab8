"""What a command asks the Fireside that runs, and what that answers."""

from __future__ import annotations

import msgspec

from fireside.core.ids import ModelId
from fireside.core.status import RunningModel


class ListRunning(msgspec.Struct, frozen=True, kw_only=True, tag="list_running", forbid_unknown_fields=True):
    """Which models are in memory?"""


class StopModel(msgspec.Struct, frozen=True, kw_only=True, tag="stop_model", forbid_unknown_fields=True):
    """Unload this model. What it is answering ends."""

    model_id: ModelId


Question = ListRunning | StopModel


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a question."""

    models: tuple[RunningModel, ...] = ()
    """What is in memory, after what was asked for is done."""
    problem: str = ""
    """A sentence, where it could not be done."""
