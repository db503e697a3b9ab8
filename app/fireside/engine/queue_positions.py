"""What each request in the queue waits for, and how many are served before it: pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from fireside.core.generation import Queued, WaitReason
from fireside.core.ids import ModelId
from fireside.core.status import LoadingModel
from fireside.engine.decisions import Decision, Evict, Load, Wait
from fireside.engine.fairness import PendingRequest


def queue_positions(decisions: Iterable[Decision]) -> Iterator[tuple[PendingRequest, Queued]]:
    """Yield each request that waits after these decisions, with its position; loads by hand have none.

    A request that waits for a slot of its own model does not count requests for other models before it.

    Args:
        decisions: in serving order, as ``plan`` returns them.
    """
    n_ahead = 0
    n_ahead_of: Counter[ModelId] = Counter()
    for decision in decisions:
        if not isinstance(decision, Wait | Evict | Load):
            continue
        pending = decision.pending
        if pending is None or not pending.needs_slot:
            continue
        model_id = pending.target.model_id
        if not isinstance(decision, Wait):
            yield pending, Queued(position=n_ahead, waits_for=WaitReason.ROOM)
        elif decision.waits_for is WaitReason.ANSWERS:
            yield pending, Queued(position=n_ahead_of[model_id])
        else:
            yield pending, Queued(position=n_ahead, waits_for=decision.waits_for, model=decision.model)
        n_ahead += 1
        n_ahead_of[model_id] += 1


def waiting_loads(decisions: Iterable[Decision]) -> Iterator[tuple[ModelId, LoadingModel]]:
    """Yield the models whose load by hand waits, with what it waits for."""
    for decision in decisions:
        if not isinstance(decision, Wait | Evict) or decision.pending is None or decision.pending.needs_slot:
            continue
        waits_for, model = WaitReason.ROOM, ""
        if isinstance(decision, Wait):
            waits_for, model = decision.waits_for, decision.model
        state = LoadingModel(fraction=0.0, waits_for=waits_for, waits_for_model=model)
        yield decision.pending.target.model_id, state
