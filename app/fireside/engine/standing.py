"""Say what each request in the queue waits for, and how many come before it. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from fireside.core.generation import Queued, WaitsFor
from fireside.core.ids import ModelId
from fireside.engine.decisions import Wait
from fireside.engine.turns import Claim


def standings(in_turn: Iterable[Claim], waits: Mapping[int, Wait]) -> Iterator[tuple[Claim, Queued]]:
    """Return each request with its standing; mere loads have none.

    Where only answers of its own model stand before a request, those who wait for other models do not count.

    Args:
        in_turn: who waits, in the order of being served.
        waits: what was decided last, by number; whoever is missing waits for a model that makes room.
    """
    n_ahead = 0
    n_ahead_of: Counter[ModelId] = Counter()
    for claim in in_turn:
        if not claim.needs_slot:
            continue
        model_id = claim.wanted.model_id
        wait = waits.get(claim.number)
        if wait is None:
            yield claim, Queued(position=n_ahead, waits_for=WaitsFor.ROOM)
        elif wait.waits_for is WaitsFor.ANSWERS:
            yield claim, Queued(position=n_ahead_of[model_id])
        else:
            yield claim, Queued(position=n_ahead, waits_for=wait.waits_for, model=wait.model)
        n_ahead += 1
        n_ahead_of[model_id] += 1
