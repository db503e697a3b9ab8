"""The queue of requests and loads that wait for a runner, in order of arrival."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import msgspec

from fireside.core.errors import FiresideError
from fireside.core.generation import Priority
from fireside.core.ids import ModelId, RequestId
from fireside.core.load_sizes import with_larger_context
from fireside.core.status import LoadedModel
from fireside.engine.fairness import InstanceId, LoadTarget, PendingRequest, StarvationCount, after_serving
from fireside.engine.planning.auxiliary_models import auxiliary_bytes
from fireside.engine.planning.memory_estimate import predict
from fireside.engine.request import LoadRequest
from fireside.engine.request_state import RequestState


class GenerationTicket:
    """A waiting request."""

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
    """A waiting load by hand."""

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
    """Tickets by number. The caller bounds its size."""

    def __init__(self) -> None:
        self._tickets: dict[int, Ticket] = {}
        self._n_issued = 0
        self._known: dict[InstanceId, tuple[LoadTarget, int]] = {}
        """The last target of each instance and the memory that it needs: a thousand requests for the same
        share one value."""
        self.starvation = StarvationCount()

    def __iter__(self) -> Iterator[Ticket]:
        return iter(tuple(self._tickets.values()))

    @property
    def n_requests(self) -> int:
        """Number of waiting requests; loads do not count."""
        return sum(isinstance(ticket, GenerationTicket) for ticket in self._tickets.values())

    def add_request(self, generation: RequestState) -> None:
        """Append a request."""
        request = generation.request
        target = LoadTarget(spec=request.spec, options=request.options)
        pending = self._pending(
            target, priority=request.task.priority, owner=request.task.owner, n_ctx=request.n_ctx
        )
        self._tickets[pending.number] = GenerationTicket(pending, generation)

    def add_load(self, request: LoadRequest) -> LoadTicket:
        """Append a load by hand and return its ticket."""
        target = LoadTarget(spec=request.spec, options=request.options)
        pending = self._pending(
            target, priority=Priority.INTERACTIVE, owner=None, n_ctx=request.n_ctx, needs_slot=False
        )
        pending = msgspec.structs.replace(pending, override_options=request.override_options)
        ticket = LoadTicket(pending, keep_alive_s=request.keep_alive_s)
        self._tickets[pending.number] = ticket
        return ticket

    def peek(self, number: int) -> Ticket:
        """Return a ticket that is in the queue. Raises ``KeyError``."""
        return self._tickets[number]

    def get(self, number: int) -> Ticket | None:
        """Return a ticket; ``None`` if it is not in the queue."""
        return self._tickets.get(number)

    def pop(self, number: int) -> Ticket:
        """Remove and return a ticket that is in the queue. Raises ``KeyError``."""
        return self._tickets.pop(number)

    def serve(self, number: int) -> Ticket:
        """Remove and return the ticket that is served, and count the requests that it passed."""
        ticket = self.pop(number)
        self.starvation = after_serving(ticket.pending, waiting=self.requests(), starvation=self.starvation)
        return ticket

    def discard(self, ticket: Ticket) -> None:
        """Remove a ticket if it is in the queue."""
        self._tickets.pop(ticket.pending.number, None)

    def find(self, request_id: RequestId) -> GenerationTicket | None:
        """Return the ticket of a waiting request; ``None`` if it is not in the queue."""
        for ticket in self._tickets.values():
            if isinstance(ticket, GenerationTicket) and ticket.generation.request.request_id == request_id:
                return ticket
        return None

    def pop_model(self, model_id: ModelId) -> list[Ticket]:
        """Remove and return the tickets of this model, with whatever options."""
        return self._remove([ticket for ticket in self if ticket.pending.target.model_id == model_id])

    def of_target(self, target: LoadTarget) -> list[Ticket]:
        """Return the tickets with exactly this target."""
        return [ticket for ticket in self if ticket.pending.target == target]

    def pop_all(self) -> list[Ticket]:
        """Remove and return all tickets."""
        return self._remove(list(self))

    def requests(self) -> tuple[PendingRequest, ...]:
        """Return what waits, as the decisions need it."""
        return tuple(ticket.pending for ticket in self._tickets.values())

    def _pending(
        self,
        target: LoadTarget,
        *,
        priority: Priority,
        owner: str | None,
        n_ctx: int,
        needs_slot: bool = True,
    ) -> PendingRequest:
        known = self._known.get(target.instance_id)
        if known is None or known[0] != target:
            known = self._known[target.instance_id] = (target, _needed_bytes(target))
        self._n_issued += 1
        return PendingRequest(
            number=self._n_issued,
            target=known[0],
            priority=priority,
            needs_slot=needs_slot,
            needed_bytes=_needed_bytes(target, n_ctx=n_ctx) if n_ctx else known[1],
            owner=owner,
            n_ctx=n_ctx,
        )

    def _remove(self, tickets: list[Ticket]) -> list[Ticket]:
        for ticket in tickets:
            del self._tickets[ticket.pending.number]
        return tickets


def _needed_bytes(target: LoadTarget, *, n_ctx: int = 0) -> int:
    options = with_larger_context(target.options, n_ctx)
    return predict(target.spec, options).total_bytes + auxiliary_bytes(options)
