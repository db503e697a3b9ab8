"""Requests and loads that wait for a runner, in order of arrival, and how often the first was passed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import msgspec

from fireside.core.errors import FiresideError
from fireside.core.generation import Priority
from fireside.core.ids import ModelId, RequestId
from fireside.core.options import LoadOptions
from fireside.core.status import LoadedModel
from fireside.engine.fairness import InstanceId, LoadTarget, PendingRequest, StarvationCount, after_serving
from fireside.engine.planning.auxiliary_models import auxiliary_bytes
from fireside.engine.planning.memory_estimate import predict
from fireside.engine.request_state import RequestState


class GenerationTicket:
    """A request that waits."""

    def __init__(self, pending: PendingRequest, generation: RequestState) -> None:
        self.pending = pending
        self.generation = generation
        self.keep_alive_s = generation.request.keep_alive_s

    def cancel(self, error: FiresideError) -> None:  # noqa: ARG002 a request that was not started just ends
        """End the request as cancelled."""
        self.generation.finish_cancelled()

    def fail(self, error: FiresideError) -> None:
        """End the request with ``error``."""
        self.generation.fail(error)


class LoadTicket:
    """The user who waits for a model to be loaded."""

    def __init__(self, pending: PendingRequest, *, keep_alive_s: float | None) -> None:
        self.pending = pending
        self.keep_alive_s = keep_alive_s
        self.ready: asyncio.Future[LoadedModel] = asyncio.get_running_loop().create_future()

    def cancel(self, error: FiresideError) -> None:
        """End the wait with ``error``."""
        self.fail(error)

    def fail(self, error: FiresideError) -> None:
        """End the wait with ``error``."""
        if not self.ready.done():
            self.ready.set_exception(error)


Ticket = GenerationTicket | LoadTicket


class RequestQueue:
    """Tickets by number. Bounded by the caller that adds to it."""

    def __init__(self) -> None:
        self._tickets: dict[int, Ticket] = {}
        self._n_issued = 0
        self._known: dict[InstanceId, tuple[LoadTarget, int]] = {}
        """What was wanted of each instance last, and the memory that it takes: a thousand requests for the
        same share one value."""
        self.passed = StarvationCount()

    def __iter__(self) -> Iterator[Ticket]:
        return iter(tuple(self._tickets.values()))

    @property
    def n_requests(self) -> int:
        """Requests that wait; loads do not count."""
        return sum(isinstance(ticket, GenerationTicket) for ticket in self._tickets.values())

    def add_request(self, generation: RequestState) -> None:
        """Add a request behind all others."""
        request = generation.request
        target = LoadTarget(spec=request.spec, options=request.options)
        pending = self._pending(target, priority=request.task.priority, owner=request.task.owner)
        self._tickets[pending.number] = GenerationTicket(pending, generation)

    def add_load(
        self, target: LoadTarget, *, keep_alive_s: float | None, override_options: LoadOptions | None = None
    ) -> LoadTicket:
        """Add a load by hand and return its ticket."""
        pending = self._pending(target, priority=Priority.INTERACTIVE, owner=None, needs_slot=False)
        pending = msgspec.structs.replace(pending, override_options=override_options)
        ticket = LoadTicket(pending, keep_alive_s=keep_alive_s)
        self._tickets[pending.number] = ticket
        return ticket

    def peek(self, number: int) -> Ticket:
        """Return a ticket that is in the queue."""
        return self._tickets[number]

    def get(self, number: int) -> Ticket | None:
        """Return a ticket; ``None`` if it is not in the queue."""
        return self._tickets.get(number)

    def take(self, number: int) -> Ticket:
        """Take a ticket out that is in the queue."""
        return self._tickets.pop(number)

    def serve(self, number: int) -> Ticket:
        """Take out the ticket that is served next, and count what it passed."""
        ticket = self.take(number)
        self.passed = after_serving(ticket.pending, waiting=self.requests(), passed=self.passed)
        return ticket

    def discard(self, ticket: Ticket) -> None:
        """Take a ticket out if it is in the queue."""
        self._tickets.pop(ticket.pending.number, None)

    def find(self, request_id: RequestId) -> GenerationTicket | None:
        """Return the ticket of a request that waits."""
        for ticket in self._tickets.values():
            if isinstance(ticket, GenerationTicket) and ticket.generation.request.request_id == request_id:
                return ticket
        return None

    def take_model(self, model_id: ModelId) -> list[Ticket]:
        """Take out all that wait for this model, however it is to be loaded."""
        return self._take([ticket for ticket in self if ticket.pending.target.model_id == model_id])

    def take_wanting(self, target: LoadTarget) -> list[Ticket]:
        """Take out all that wait for just this load."""
        return self._take([ticket for ticket in self if ticket.pending.target == target])

    def take_all(self) -> list[Ticket]:
        """Take out all tickets."""
        return self._take(list(self))

    def requests(self) -> tuple[PendingRequest, ...]:
        """Return all that waits, as the decisions see it."""
        return tuple(ticket.pending for ticket in self._tickets.values())

    def _pending(
        self, target: LoadTarget, *, priority: Priority, owner: str | None, needs_slot: bool = True
    ) -> PendingRequest:
        known = self._known.get(target.instance_id)
        if known is None or known[0] != target:
            needed_bytes = predict(target.spec, target.options).total_bytes + auxiliary_bytes(target.options)
            known = self._known[target.instance_id] = (target, needed_bytes)
        self._n_issued += 1
        return PendingRequest(
            number=self._n_issued,
            target=known[0],
            priority=priority,
            needs_slot=needs_slot,
            needed_bytes=known[1],
            owner=owner,
        )

    def _take(self, tickets: list[Ticket]) -> list[Ticket]:
        for ticket in tickets:
            del self._tickets[ticket.pending.number]
        return tickets
