"""Publish the state of each model, and what each waiting request waits for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from fireside.core.generation import Loading, Queued, WaitReason
from fireside.core.ids import ModelId
from fireside.core.options import Purpose
from fireside.core.status import Broken, LoadingModel, LoadStage, ModelState, ModelStatus, Unloaded
from fireside.engine.decisions import Decision, Evict, Phase, StartLoad, Wait
from fireside.engine.fairness import InstanceId, PendingRequest
from fireside.engine.model_instance import ModelInstance
from fireside.engine.request_queue import GenerationTicket, RequestQueue


def queue_positions(decisions: Iterable[Decision]) -> Iterator[tuple[PendingRequest, Queued]]:
    """Yield each request that waits after these decisions, with its position; loads by hand have none.

    A request that waits for a slot of its own model does not count requests for other models before it.

    Args:
        decisions: in serving order, as ``plan`` returns them.
    """
    n_ahead = 0
    n_ahead_of: Counter[ModelId] = Counter()
    for decision in decisions:
        if not isinstance(decision, Wait | Evict | StartLoad):
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


class StatusPublisher:
    """Publishes changes only: remembers the last state of each model. On the loop's thread only."""

    def __init__(
        self,
        *,
        queue: RequestQueue,
        instances: Mapping[InstanceId, ModelInstance],
        on_status: Callable[[ModelStatus], None],
    ) -> None:
        self._queue = queue
        self._instances = instances
        self._on_status = on_status
        self._states: dict[ModelId, ModelState] = {}

    def statuses(self) -> tuple[ModelStatus, ...]:
        """Return the last published state of every model."""
        return tuple(ModelStatus(model_id=model_id, state=state) for model_id, state in self._states.items())

    def is_broken(self, model_id: ModelId) -> bool:
        """Whether the last published state of a model is that it failed."""
        return isinstance(self._states.get(model_id), Broken)

    def is_waiting(self, model_id: ModelId) -> bool:
        """Whether the last published state of a model is that its load waits in the queue."""
        state = self._states.get(model_id)
        return isinstance(state, LoadingModel) and state.waits_for is not None

    def publish(self, model_id: ModelId, state: ModelState) -> None:
        """Publish a model's state, if it changed."""
        if self._states.get(model_id) != state:
            self._states[model_id] = state
            self._on_status(ModelStatus(model_id=model_id, state=state))

    def primary_instance(self, model_id: ModelId) -> ModelInstance | None:
        """Return the instance whose state is the model's: the one for answers, else the one for vectors."""
        of_model = [each for each in self._instances.values() if each.model_id == model_id]
        return min(of_model, key=lambda each: each.id.purpose is not Purpose.GENERATE, default=None)

    def publish_instance(self, instance: ModelInstance) -> None:
        """Publish the state of an instance's model, which is that of its primary instance."""
        primary = self.primary_instance(instance.model_id) or instance
        self.publish(instance.model_id, primary.state())

    def publish_progress(self, instance: ModelInstance) -> None:
        """Publish a load's progress, to the requests that wait for it too."""
        self.publish_instance(instance)
        view = instance.view()
        for ticket in self._queue:
            if isinstance(ticket, GenerationTicket) and view.serves(ticket.pending.target):
                _show_load(ticket, instance)

    def publish_waiting(self, decisions: Iterable[Decision]) -> None:
        """Publish each waiting request's position or its model's load progress, and which loads wait."""
        decisions = tuple(decisions)
        self._publish_waiting_loads(decisions)
        for pending, queued in queue_positions(decisions):
            ticket = self._queue.get(pending.number)
            if not isinstance(ticket, GenerationTicket):
                continue
            instance = self._instances.get(pending.target.instance_id)
            if (
                instance is not None
                and instance.phase is Phase.LOADING
                and instance.view().serves(pending.target)
            ):
                _show_load(ticket, instance)
            else:
                ticket.generation.set_queued(queued)

    def _publish_waiting_loads(self, decisions: Iterable[Decision]) -> None:
        waiting = {
            model_id: state
            for model_id, state in waiting_loads(decisions)
            if self.primary_instance(model_id) is None
        }
        for model_id in [each for each in self._states if self.is_waiting(each) and each not in waiting]:
            self.publish(model_id, Unloaded())
        for model_id, state in waiting.items():
            self.publish(model_id, state)


def _show_load(ticket: GenerationTicket, instance: ModelInstance) -> None:
    if instance.is_silent:
        ticket.generation.set_queued(Queued(position=0, waits_for=WaitReason.SILENT_LOAD))
    else:
        is_preparing = instance.stage is LoadStage.PREPARING
        ticket.generation.set_loading(Loading(fraction=instance.fraction, is_preparing=is_preparing))
