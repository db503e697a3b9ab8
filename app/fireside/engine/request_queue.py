"""Who waits for a runner, in order of arrival, and who was passed over."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import msgspec

from fireside.core.errors import FiresideError
from fireside.core.generation import Priority
from fireside.core.ids import ModelId, RequestId
from fireside.core.options import LoadOptions
from fireside.core.status import LoadedModel
from fireside.engine.fairness import PendingRequest, StarvationCount, Wanted, after_serving
from fireside.engine.planning.auxiliary_models import size_beside
from fireside.engine.planning.memory_estimate import predict
from fireside.engine.request_state import Generation


class GenerationTicket:
    """A request that waits."""

    def __init__(self, claim: PendingRequest, generation: Generation) -> None:
        self.claim = claim
        self.generation = generation
        self.keep_alive_s = generation.request.keep_alive_s

    def cancel(self, error: FiresideError) -> None:  # noqa: ARG002 a request that nobody started just ends
        self.generation.finish_cancelled()

    def fail(self, error: FiresideError) -> None:
        self.generation.fail(error)


class LoadTicket:
    """A person who waits for a model to be loaded."""

    def __init__(self, claim: PendingRequest, *, keep_alive_s: float | None) -> None:
        self.claim = claim
        self.keep_alive_s = keep_alive_s
        self.ready: asyncio.Future[LoadedModel] = asyncio.get_running_loop().create_future()

    def cancel(self, error: FiresideError) -> None:
        self.fail(error)

    def fail(self, error: FiresideError) -> None:
        if not self.ready.done():
            self.ready.set_exception(error)


Ticket = GenerationTicket | LoadTicket


class Queue:
    """Tickets by number. Bounded by whoever adds to it."""

    def __init__(self) -> None:
        self._tickets: dict[int, Ticket] = {}
        self._n_issued = 0
        self._known: dict[ModelId, tuple[Wanted, int]] = {}
        """What was wanted of each model last, and the memory that it takes: a thousand requests for the same
        share one value."""
        self.passed = StarvationCount()

    def __iter__(self) -> Iterator[Ticket]:
        return iter(tuple(self._tickets.values()))

    @property
    def n_requests(self) -> int:
        """Requests that wait; loads do not count."""
        return sum(isinstance(ticket, GenerationTicket) for ticket in self._tickets.values())

    def add_request(self, generation: Generation) -> None:
        request = generation.request
        wanted = Wanted(spec=request.spec, options=request.options)
        claim = self._claim(wanted, priority=request.task.priority, owner=request.task.owner)
        self._tickets[claim.number] = GenerationTicket(claim, generation)

    def add_load(
        self, wanted: Wanted, *, keep_alive_s: float | None, instead: LoadOptions | None = None
    ) -> LoadTicket:
        claim = self._claim(wanted, priority=Priority.INTERACTIVE, owner=None, needs_slot=False)
        claim = msgspec.structs.replace(claim, instead=instead)
        ticket = LoadTicket(claim, keep_alive_s=keep_alive_s)
        self._tickets[claim.number] = ticket
        return ticket

    def peek(self, number: int) -> Ticket:
        return self._tickets[number]

    def get(self, number: int) -> Ticket | None:
        return self._tickets.get(number)

    def take(self, number: int) -> Ticket:
        return self._tickets.pop(number)

    def serve(self, number: int) -> Ticket:
        """Take out one whose turn it is."""
        ticket = self.take(number)
        self.passed = after_serving(ticket.claim, waiting=self.claims(), passed=self.passed)
        return ticket

    def discard(self, ticket: Ticket) -> None:
        self._tickets.pop(ticket.claim.number, None)

    def find(self, request_id: RequestId) -> GenerationTicket | None:
        for ticket in self._tickets.values():
            if isinstance(ticket, GenerationTicket) and ticket.generation.request.request_id == request_id:
                return ticket
        return None

    def take_model(self, model_id: ModelId) -> list[Ticket]:
        """Take out everyone who waits for this model, however it is to be loaded."""
        return self._take([ticket for ticket in self if ticket.claim.wanted.model_id == model_id])

    def take_wanting(self, wanted: Wanted) -> list[Ticket]:
        """Take out everyone who waits for just this load."""
        return self._take([ticket for ticket in self if ticket.claim.wanted == wanted])

    def take_all(self) -> list[Ticket]:
        return self._take(list(self))

    def claims(self) -> tuple[PendingRequest, ...]:
        return tuple(ticket.claim for ticket in self._tickets.values())

    def _claim(
        self, wanted: Wanted, *, priority: Priority, owner: str | None, needs_slot: bool = True
    ) -> PendingRequest:
        known = self._known.get(wanted.model_id)
        if known is None or known[0] != wanted:
            needed_bytes = predict(wanted.spec, wanted.options).total_bytes + size_beside(wanted.options)
            known = self._known[wanted.model_id] = (wanted, needed_bytes)
        self._n_issued += 1
        return PendingRequest(
            number=self._n_issued,
            wanted=known[0],
            priority=priority,
            needs_slot=needs_slot,
            needed_bytes=known[1],
            owner=owner,
        )

    def _take(self, tickets: list[Ticket]) -> list[Ticket]:
        for ticket in tickets:
            del self._tickets[ticket.claim.number]
        return tickets
