"""Plan one decode step: who takes part with how many tokens, so that there is room for all."""

from __future__ import annotations

from collections.abc import Sequence as Listed
from typing import Any, Final

from fireside.core.generation import Priority
from fireside.runner.batch_planning import Demand, PromptPace, Share, plan_batch
from fireside.runner.completion import RequestFinisher
from fireside.runner.constraint_control import may_sample
from fireside.runner.prompt_cache.slot_assignment import SlotAssignment
from fireside.runner.served_model import ServedModel
from fireside.runner.slots import Slot

_WHOLE_BATCH_S: Final = 0.1
"""A step holds as many micro-batches as together take no longer: a Cancel waits for its end."""


class StepPlanner:
    """Says what the next step is made of.

    Args:
        finisher: ends the request whose rule cannot be followed.
    """

    def __init__(
        self,
        model: ServedModel[Any],
        *,
        slots: Listed[Slot],
        finisher: RequestFinisher,
        slot_assignment: SlotAssignment,
    ) -> None:
        self.pace = PromptPace()
        """To be told how long steps take."""
        self._decoder = model.decoder
        self._vocab = model.vocab
        self._images = model.images
        self._adapters = model.adapters
        self._slots = slots
        self._finisher = finisher
        self._slot_assignment = slot_assignment
        self._n_planned = 0

    def plan(self) -> list[Share]:
        """Return who takes part with how many tokens, in the order of their slots; there is room for all."""
        cells = self._slot_assignment.cells
        while (slot := cells.next_to_resume()) is not None:
            self._slot_assignment.resume_slot(slot)
        shares = self._wanted_shares()
        while not cells.free_cells(sum(share.n_tokens for share in shares)):
            aside = cells.preempt_one()
            if aside is None:
                break  # the one that is left never wants more than there is
            shares = [share for share in shares if share.slot != aside.index]
        return sorted(shares)

    def _wanted_shares(self) -> list[Share]:
        demands = [
            Demand(
                slot.index,
                n_readable,
                sequence.answer.n_tokens > 0,
                sequence.task.priority is Priority.INTERACTIVE,
            )
            for slot in self.computing()
            if (sequence := slot.sequence) is not None
            and (n_readable := self._n_readable(slot, may_end=self._may_go_on(slot)))
        ]
        self._n_planned += 1
        demands, step = self._of_one_kind(demands)
        n_beside = self.pace.n_beside_streams
        shares = plan_batch(demands, n_max=self.n_max, n_beside=n_beside, step=step)
        # A share may also end where a checkpoint is wanted.
        return [
            share if share.n_tokens == self._slots[share.slot].n_pending else share._replace(completes=False)
            for share in shares
        ]

    def computing(self) -> list[Slot]:
        """Return the slots whose requests have cells, or may have some."""
        return [slot for slot in self._slots if slot.sequence is not None and not slot.sequence.is_preempted]

    @property
    def n_max(self) -> int:
        """Most tokens of a step. Where a backend cannot be stopped, a Cancel waits for its end.

        Devices that work one behind the other have a micro-batch each: that takes less than twice as long.
        """
        decoder = self._decoder
        n_quick = self.pace.n_within(_WHOLE_BATCH_S) // decoder.n_ubatch
        return min(decoder.n_batch, max(n_quick, decoder.n_stages) * decoder.n_ubatch)

    def _may_go_on(self, slot: Slot) -> bool:
        """Whether the next token of the answer in ``slot`` is wanted now, and nothing is missing for it."""
        try:
            sequence = slot.sequence
            return sequence is None or (not sequence.is_paused and may_sample(sequence, self._vocab))
        except Exception as exc:  # noqa: BLE001  # a bug in one answer must not end the others
            self._finisher.fail(slot, exc)
            return False

    def _of_one_kind(self, demands: list[Demand]) -> tuple[list[Demand], int]:
        """Return which demands take part, and in which step of theirs.

        Adapters are set for a whole batch, so requests with different strengths take part in different steps.
        """
        if self._adapters is None or not demands:
            return demands, self._n_planned
        wanted = {demand.slot: scales(self._slots[demand.slot]) for demand in demands}
        kinds = sorted(set(wanted.values()))
        step, turn = divmod(self._n_planned, len(kinds))
        self._adapters.use(kinds[turn])
        return [demand for demand in demands if wanted[demand.slot] == kinds[turn]], step

    def _n_readable(self, slot: Slot, *, may_end: bool) -> int:
        """How many of its tokens the slot may read in one step of text: up to a mark, or to an image.

        Where the answer may not go on, for want of its rule, a prompt is read but for its last token.
        """
        if slot.sequence is None or (slot.sequence.is_paused and not may_end):
            return 0
        n_readable = self._slot_assignment.n_readable(slot)
        if not may_end:
            n_readable = min(n_readable, slot.n_pending - 1)
        return n_readable if self._images is None else min(n_readable, self._images.n_text(slot))


def scales(slot: Slot) -> tuple[float, ...]:
    """Return how strong the request in ``slot`` wants the adapters."""
    return () if slot.sequence is None else slot.sequence.task.lora_scales or ()
