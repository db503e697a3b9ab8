"""Publish the states of models, and tell waiting requests their places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from fireside.core.generation import Queued, WaitsFor
from fireside.core.ids import ModelId
from fireside.core.options import Purpose
from fireside.core.status import Broken, LoadingModel, ModelState, ModelStatus, Unloaded
from fireside.engine.decisions import Decision, Phase
from fireside.engine.fairness import InstanceId
from fireside.engine.model_instance import ModelInstance
from fireside.engine.queue_positions import queue_positions, waiting_loads
from fireside.engine.request_queue import GenerationTicket, RequestQueue


class StatusPublisher:
    """Remembers what was said last, and says nothing twice. On the loop's thread only."""

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
        """Return the last state of every model that there was anything to say of."""
        return tuple(ModelStatus(model_id=model_id, state=state) for model_id, state in self._states.items())

    def is_broken(self, model_id: ModelId) -> bool:
        """Whether the last that was said of a model is that it failed."""
        return isinstance(self._states.get(model_id), Broken)

    def is_waiting(self, model_id: ModelId) -> bool:
        """Whether the last that was said of a model is that its load waits its turn."""
        state = self._states.get(model_id)
        return isinstance(state, LoadingModel) and state.waits_for is not None

    def publish(self, model_id: ModelId, state: ModelState) -> None:
        """Say how a model stands."""
        if self._states.get(model_id) != state:
            self._states[model_id] = state
            self._on_status(ModelStatus(model_id=model_id, state=state))

    def foremost(self, model_id: ModelId) -> ModelInstance | None:
        """Return the instance by which a model is judged: the one that answers, where there is one."""
        of_model = [each for each in self._instances.values() if each.model_id == model_id]
        return min(of_model, key=lambda each: each.id.purpose is not Purpose.GENERATE, default=None)

    def publish_instance(self, instance: ModelInstance) -> None:
        """Say how an instance's model stands: as its foremost one does."""
        foremost = self.foremost(instance.model_id) or instance
        self.publish(instance.model_id, foremost.state())

    def publish_progress(self, instance: ModelInstance) -> None:
        """Publish how far a load is, to the requests that wait for it too."""
        self.publish_instance(instance)
        view = instance.view()
        for ticket in self._queue:
            if isinstance(ticket, GenerationTicket) and view.serves(ticket.pending.target):
                _show_load(ticket, instance)

    def publish_waiting(self, decisions: Iterable[Decision]) -> None:
        """Tell each waiting request its place, or how far its model is loaded; say which loads wait."""
        decisions = tuple(decisions)
        self._publish_waiting_loads(decisions)
        for pending, standing in queue_positions(decisions):
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
                ticket.generation.wait_in_queue(standing)

    def _publish_waiting_loads(self, decisions: Iterable[Decision]) -> None:
        waiting = {
            model_id: state for model_id, state in waiting_loads(decisions) if self.foremost(model_id) is None
        }
        for model_id in [each for each in self._states if self.is_waiting(each) and each not in waiting]:
            self.publish(model_id, Unloaded())
        for model_id, state in waiting.items():
            self.publish(model_id, state)


def _show_load(ticket: GenerationTicket, instance: ModelInstance) -> None:
    if instance.is_silent:
        ticket.generation.wait_in_queue(Queued(position=0, waits_for=WaitsFor.SILENT_LOAD))
    else:
        ticket.generation.wait_for_load(fraction=instance.fraction)
