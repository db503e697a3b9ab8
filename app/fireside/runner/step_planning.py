"""Plan one decode step: the share of each slot, so that the KV cells suffice."""

from __future__ import annotations

from collections import abc
from typing import Any, Final

from fireside.core.generation import Priority
from fireside.runner.batch_planning import Demand, PromptSpeed, Share, plan_batch
from fireside.runner.completion import RequestFinisher
from fireside.runner.constraint_control import may_sample
from fireside.runner.prompt_cache.slot_assignment import SlotAssignment
from fireside.runner.served_model import ServedModel
from fireside.runner.slots import Slot

_WHOLE_BATCH_S: Final = 0.1
"""A step has as many micro-batches as take no longer together: a Cancel may have to wait for its end."""


class StepPlanner:
    """Plans the next step of all slots.

    Args:
        finisher: fails a request whose constraint cannot be followed.
    """

    def __init__(
        self,
        model: ServedModel[Any],
        *,
        slots: abc.Sequence[Slot],
        finisher: RequestFinisher,
        slot_assignment: SlotAssignment,
    ) -> None:
        self.prompt_speed = PromptSpeed()
        """Receives the duration of steps."""
        self._decoder = model.decoder
        self._vocab = model.vocab
        self._images = model.images
        self._adapters = model.adapters
        self._slots = slots
        self._finisher = finisher
        self._slot_assignment = slot_assignment
        self._n_planned = 0

    def plan(self) -> list[Share]:
        """Return the shares in slot order, after resuming and preempting requests as the cells require."""
        cells = self._slot_assignment.cells
        while (slot := cells.next_to_resume()) is not None:
            self._slot_assignment.resume_slot(slot)
        shares = self._plan_shares()
        while not cells.free_cells(sum(share.n_tokens for share in shares)):
            preempted = cells.preempt_one()
            if preempted is None:
                break  # a single request never needs more cells than there are
            shares = [share for share in shares if share.slot != preempted.index]
        return sorted(shares)

    def _plan_shares(self) -> list[Share]:
        demands = [
            Demand(
                slot.index,
                n_readable,
                sequence.output.n_tokens > 0,
                sequence.task.priority is Priority.INTERACTIVE,
            )
            for slot in self.running_slots()
            if (sequence := slot.sequence) is not None
            and (n_readable := self._n_readable(slot, may_end=self._may_continue(slot)))
        ]
        self._n_planned += 1
        demands, step = self._with_same_adapters(demands)
        n_alongside = self.prompt_speed.n_alongside_streams
        shares = plan_batch(demands, n_max=self.n_max, n_alongside=n_alongside, step=step)
        # A share may also end at the position of a checkpoint.
        return [
            share if share.n_tokens == self._slots[share.slot].n_pending else share._replace(completes=False)
            for share in shares
        ]

    def running_slots(self) -> list[Slot]:
        """Return the slots with a request that is not preempted."""
        return [slot for slot in self._slots if slot.sequence is not None and not slot.sequence.is_preempted]

    @property
    def n_max(self) -> int:
        """Most tokens of a step. Where a backend cannot be aborted, a Cancel waits for the end of the step.

        Each stage of a pipeline gets a micro-batch, which takes less than twice as long.
        """
        decoder = self._decoder
        n_quick = self.prompt_speed.n_within(_WHOLE_BATCH_S) // decoder.n_ubatch
        return min(decoder.n_batch, max(n_quick, decoder.n_stages) * decoder.n_ubatch)

    def _may_continue(self, slot: Slot) -> bool:
        """Whether the next token in ``slot`` may be sampled: not paused, and no constraint pending."""
        try:
            sequence = slot.sequence
            return sequence is None or (not sequence.is_paused and may_sample(sequence, self._vocab))
        except Exception as exc:  # noqa: BLE001  # a bug in one answer must not end the others
            self._finisher.fail(slot, exc)
            return False

    def _with_same_adapters(self, demands: list[Demand]) -> tuple[list[Demand], int]:
        """Return the demands that take part in this step, and the number of the step among theirs.

        Adapter scales apply to a whole batch, so requests with different scales take turns.
        """
        if self._adapters is None or not demands:
            return demands, self._n_planned
        scales = {demand.slot: adapter_scales(self._slots[demand.slot]) for demand in demands}
        distinct = sorted(set(scales.values()))
        step, turn = divmod(self._n_planned, len(distinct))
        self._adapters.set_scales(distinct[turn])
        return [demand for demand in demands if scales[demand.slot] == distinct[turn]], step

    def _n_readable(self, slot: Slot, *, may_end: bool) -> int:
        """Return how many tokens the slot may decode in one text step: up to a checkpoint or an image.

        While a constraint is pending, a prompt is decoded except for its last token.
        """
        if slot.sequence is None or (slot.sequence.is_paused and not may_end):
            return 0
        n_readable = self._slot_assignment.n_readable(slot)
        if not may_end:
            n_readable = min(n_readable, slot.n_pending - 1)
        return n_readable if self._images is None else min(n_readable, self._images.n_text(slot))


def adapter_scales(slot: Slot) -> tuple[float, ...]:
    """Return the adapter scales of the request in ``slot``."""
    return () if slot.sequence is None else slot.sequence.task.lora_scales or ()
