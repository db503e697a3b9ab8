"""The order in which requests are served: by class, fairly between owners, none waiting for ever. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import msgspec

from fireside.core.generation import Priority
from fireside.core.ids import ModelId
from fireside.core.model import ModelSpec
from fireside.core.options import LoadOptions, Purpose

N_PASSES: Final = 4
"""How often requests that came later may pass the one that waits longest."""

_RANKS: Final[Mapping[Priority, int]] = {Priority.INTERACTIVE: 1, Priority.API: 2, Priority.BACKGROUND: 3}
_NONE_ACTIVE: Final[Mapping[str, int]] = {}


class InstanceId(NamedTuple):
    """Which instance of a model: one file gives answers and vectors, each by a runner of its own."""

    model_id: ModelId
    purpose: Purpose


class LoadTarget(msgspec.Struct, frozen=True, kw_only=True):
    """A model and how it is to be loaded. Two that differ need two loads."""

    spec: ModelSpec
    options: LoadOptions

    @property
    def model_id(self) -> ModelId:
        """Of the model to be loaded."""
        return self.spec.id

    @property
    def instance_id(self) -> InstanceId:
        """Of the one instance that may serve it."""
        return InstanceId(self.spec.id, self.options.purpose)


class PendingRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Something that waits for a runner: a request, or the user who asked to load a model."""

    number: int
    """Order of arrival."""
    target: LoadTarget
    priority: Priority
    needs_slot: bool
    """False for a mere load: satisfied as soon as the model is ready."""
    needed_bytes: int
    """Estimate of the memory that loading takes."""
    owner: str | None = None
    """The conversation that asks, say. Owners take turns; a request without one stands for itself."""
    override_options: LoadOptions | None = None
    """For a mere load: how it is to be loaded this time while requests go on asking for ``target``."""


class StarvationCount(msgspec.Struct, frozen=True, kw_only=True):
    """The request that waits longest, and how often requests that came later were served before it."""

    number: int = 0
    times: int = 0


def rank(pending: PendingRequest, *, priority_owner: str | None) -> int:
    """Return the class of a request, 0 first: the chat being read, other chats, programs, background.

    ``priority_owner`` is the owner whom the user looks at; without one, all chats are in class 0.
    """
    is_in_front = pending.priority is Priority.INTERACTIVE and priority_owner in (None, pending.owner)
    return 0 if is_in_front else _RANKS[pending.priority]


def serving_order(
    requests: Iterable[PendingRequest],
    *,
    passed: StarvationCount,
    priority_owner: str | None = None,
    n_active: Mapping[str, int] = _NONE_ACTIVE,
) -> tuple[PendingRequest, ...]:
    """Return requests in the order they are served.

    By class; within one, the owners take turns, so that many requests of one conversation leave room for
    others between them; then by arrival. The request that waits longest goes before all others after being
    passed ``N_PASSES`` times, so none waits for ever.

    Args:
        n_active: how many answers are being written for an owner now; its next one comes after so many.
    """
    by_arrival = sorted(requests, key=_number)
    rounds = Counter(n_active)
    keyed = []
    for pending in by_arrival:
        its_round = 0
        if pending.owner is not None:
            its_round = rounds[pending.owner]
            rounds[pending.owner] += 1
        keyed.append((rank(pending, priority_owner=priority_owner), its_round, pending.number, pending))
    in_order = [pending for _, _, _, pending in sorted(keyed, key=lambda entry: entry[:3])]
    if by_arrival and passed.number == by_arrival[0].number and passed.times >= N_PASSES:
        in_order.remove(by_arrival[0])
        in_order.insert(0, by_arrival[0])
    return tuple(in_order)


def after_serving(
    served: PendingRequest, *, waiting: Iterable[PendingRequest], passed: StarvationCount
) -> StarvationCount:
    """Return which request was passed how often, now that ``served`` was and ``waiting`` are still to be."""
    first = min(waiting, key=_number, default=None)
    if first is None or served.number < first.number:
        return passed
    times = passed.times if passed.number == first.number else 0
    return StarvationCount(number=first.number, times=times + 1)


def _number(pending: PendingRequest) -> int:
    return pending.number
