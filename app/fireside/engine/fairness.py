"""The serving order of requests: by class, fair between owners, without starvation. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import msgspec

from fireside.core.generation import Priority
from fireside.core.ids import ModelId
from fireside.core.model import ModelSpec
from fireside.core.options import LoadOptions, Purpose

MAX_PASSES: Final = 4
"""How many later requests may be served before the one that waits longest."""

_RANKS: Final[Mapping[Priority, int]] = {Priority.INTERACTIVE: 1, Priority.API: 2, Priority.BACKGROUND: 3}
_NONE_ACTIVE: Final[Mapping[str, int]] = {}


class InstanceId(NamedTuple):
    """Id of a model instance: a model may have one for answers and one for vectors."""

    model_id: ModelId
    purpose: Purpose


class LoadTarget(msgspec.Struct, frozen=True, kw_only=True):
    """A model and the options to load it with. Two that differ need two loads."""

    spec: ModelSpec
    options: LoadOptions

    @property
    def model_id(self) -> ModelId:
        """Id of the model."""
        return self.spec.id

    @property
    def instance_id(self) -> InstanceId:
        """Id of the one instance that may serve it."""
        return InstanceId(self.spec.id, self.options.purpose)


class PendingRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What waits for a runner: a request, or a load by hand."""

    number: int
    """Order of arrival."""
    target: LoadTarget
    priority: Priority
    needs_slot: bool
    """False for a load by hand, which is served as soon as the model is ready."""
    needed_bytes: int
    """Estimate of the memory that loading takes."""
    owner: str | None = None
    """For example the conversation. Owners take turns; a request without one is an owner of its own."""
    n_ctx: int = 0
    """Context length that it needs, if that is more than in ``target``."""
    override_options: LoadOptions | None = None
    """For a load by hand: options in place of ``target``'s; see ``Engine.load``."""


class StarvationCount(msgspec.Struct, frozen=True, kw_only=True):
    """The request that waits longest, and how many later requests were served before it."""

    number: int = 0
    times: int = 0


def rank(pending: PendingRequest, *, priority_owner: str | None) -> int:
    """Return the class of a request, 0 first: the open chat, other chats, API clients, background.

    ``priority_owner`` is the owner of the open chat; if it is ``None``, all chats are in class 0.
    """
    is_in_front = pending.priority is Priority.INTERACTIVE and priority_owner in (None, pending.owner)
    return 0 if is_in_front else _RANKS[pending.priority]


def serving_order(
    requests: Iterable[PendingRequest],
    *,
    starvation: StarvationCount,
    priority_owner: str | None = None,
    n_active: Mapping[str, int] = _NONE_ACTIVE,
) -> tuple[PendingRequest, ...]:
    """Return requests in serving order.

    By class; within one, the owners take turns, so that one conversation with many requests does not block
    the others; then by arrival. After ``MAX_PASSES`` later requests the one that waits longest goes first, so
    that none waits for ever.

    Args:
        n_active: running requests of each owner; its next one counts as that many turns later.
    """
    by_arrival = sorted(requests, key=_number)
    n_turns = Counter(n_active)
    keyed = []
    for pending in by_arrival:
        turn = 0
        if pending.owner is not None:
            turn = n_turns[pending.owner]
            n_turns[pending.owner] += 1
        keyed.append((rank(pending, priority_owner=priority_owner), turn, pending.number, pending))
    in_order = [pending for _, _, _, pending in sorted(keyed, key=lambda entry: entry[:3])]
    if by_arrival and starvation.number == by_arrival[0].number and starvation.times >= MAX_PASSES:
        in_order.remove(by_arrival[0])
        in_order.insert(0, by_arrival[0])
    return tuple(in_order)


def after_serving(
    served: PendingRequest, *, waiting: Iterable[PendingRequest], starvation: StarvationCount
) -> StarvationCount:
    """Return the new count after ``served`` was served, while ``waiting`` still wait."""
    first = min(waiting, key=_number, default=None)
    if first is None or served.number < first.number:
        return starvation
    times = starvation.times if starvation.number == first.number else 0
    return StarvationCount(number=first.number, times=times + 1)


def _number(pending: PendingRequest) -> int:
    return pending.number
