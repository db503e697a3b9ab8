"""One decode step for all active slots: plan, fill the batch, decode, sample, advance."""

from __future__ import annotations

import time
from collections import abc
from collections.abc import Callable, Mapping
from typing import Final, Generic

import numpy as np

from fireside.core.errors import ModelOutputInvalid
from fireside.core.generation import FinishReason, TokenLogprobs, WhenFull
from fireside.core.ids import RequestId
from fireside.runner.batch_planning import Share, Work
from fireside.runner.completion import RequestFinisher, not_computed
from fireside.runner.connection import CommandQueue, ReportBuffer
from fireside.runner.constraint_control import apply_constraints
from fireside.runner.decoder import BatchT, DecodedPart, DecodeResult, Sampler
from fireside.runner.forced_tokens import forced_drafts
from fireside.runner.images.image_queue import NOT_YET, ImageQueue
from fireside.runner.kv_memory import ShiftableMemory
from fireside.runner.prompt_cache.kv_trim import keep_prefix
from fireside.runner.prompt_cache.slot_assignment import SlotAssignment
from fireside.runner.served_model import ServedModel
from fireside.runner.slots import Sequence, Slot
from fireside.runner.step_planning import StepPlanner, adapter_scales
from fireside.runner.tokens import NO_TOKENS, Tokens


class DecodeStep(Generic[BatchT]):
    """Decodes a batch of tokens of all active sequences, and samples their next tokens.

    Args:
        clear_abort: clears the abort flag; called before each step, so that a late abort stops nothing.
    """

    def __init__(
        self,
        model: ServedModel[BatchT],
        *,
        slots: abc.Sequence[Slot],
        commands: CommandQueue,
        clear_abort: Callable[[], None],
        reports: ReportBuffer,
        finisher: RequestFinisher,
        slot_assignment: SlotAssignment,
    ) -> None:
        decoder = model.decoder
        self._decoder = decoder
        self._vocab = model.vocab
        self._speculator = model.speculator
        self._images = model.images
        self._adapters = model.adapters
        self._slots = slots
        self._commands = commands
        self._clear_abort = clear_abort
        self._reports = reports
        self._reports_late = model.report_late
        self._finisher = finisher
        self._slot_assignment = slot_assignment
        self._batch = model.make_batch(decoder.n_batch)
        self._planner = StepPlanner(model, slots=slots, finisher=finisher, slot_assignment=slot_assignment)
        self.work = Work()
        self._forced: Mapping[int, Tokens] = {}
        """Forced tokens that are decoded ahead in this step, by slot index."""

    def step(self) -> bool:
        """Decode one batch, if there is something to decode; return whether one was.

        Returns without decoding if a command has arrived meanwhile: it may cancel one of these requests.
        """
        if self._images is not None and self._decode_next_image(self._images):
            return False
        shares = self._planner.plan()
        if not shares:
            return False
        self._draft(shares)
        outputs = self._fill_batch(shares)
        self._clear_abort()
        self._commands.in_flight = self._stoppable(shares)
        if not self._commands.is_empty:
            # Nothing is lost: the next call plans the same step.
            self._commands.in_flight = frozenset()
            return False
        started = time.perf_counter()
        result = self._decoder.decode(self._batch)
        self._commands.in_flight = frozenset()
        if self._reports_late:
            self._reports.flush()  # of the step before: the device computes, and is waited for when sampling
        if result is DecodeResult.DONE:
            self._count(shares)
            self._show_to_drafter(shares)
            for share, index in zip(shares, outputs, strict=True):
                slot = self._slots[share.slot]
                self._advance(slot, share, index, draft=self._draft_of(slot))
            if any(share.completes for share in shares):  # only then was the device waited for
                n_tokens = sum(share.n_tokens for share in shares)
                self._planner.prompt_speed.add_measurement(n_tokens, time.perf_counter() - started)
            if self._speculator is not None:
                self._speculator.on_step_done()
        elif result is DecodeResult.ABORTED:
            for share in shares:
                self._slot_assignment.rewind(self._slots[share.slot])
        elif result is not DecodeResult.NO_ROOM or self._slot_assignment.cells.preempt_one() is None:
            for share in shares:
                self._fail_step(self._slots[share.slot], result)
        return True

    def _stoppable(self, shares: list[Share]) -> frozenset[RequestId]:
        """Return the requests whose Cancel may abort this step.

        An aborted decode destroys recurrent states. With those, a step is therefore finished if other
        requests take part in it, or if it is a generation step, which is short.
        """
        sequences = [sequence for share in shares if (sequence := self._slots[share.slot].sequence)]
        if self._decoder.shape.is_recurrent and (
            len(sequences) > 1 or any(sequence.output.n_tokens for sequence in sequences)
        ):
            return frozenset()
        return frozenset(sequence.request_id for sequence in sequences)

    def _count(self, shares: list[Share]) -> None:
        parts = {
            share.slot: share.n_tokens + len(self._draft_of(self._slots[share.slot])) for share in shares
        }
        self.work = self.work.plus(self._decoder.n_passes(parts))

    # Before decoding

    def _draft(self, shares: list[Share]) -> None:
        """Draft tokens for the generating sequences, as many as fit into the step."""
        streams = [
            slot
            for share in shares
            if (slot := self._slots[share.slot]).n_pending == 1
            and slot.sequence is not None
            and slot.sequence.output.n_tokens > 0
        ]
        n_taken = sum(share.n_tokens for share in shares)
        n_available = min(self._planner.n_max, self._slot_assignment.cells.n_free) - n_taken
        n_each = n_free = self._decoder.n_outputs_max - len(shares)
        if self._speculator is not None:  # drafts need outputs too, which the slots share evenly
            n_each = self._decoder.n_outputs_max // len(self._slots) - 1
        self._forced = forced_drafts(streams, n_available=min(n_available, n_free), n_each=n_each)
        if self._speculator is None:
            return
        drafting = [slot for slot in streams if slot.index not in self._forced]
        n_available -= sum(map(len, self._forced.values()))
        self._speculator.draft(drafting, n_available=n_available, is_alone=len(drafting) == len(shares))

    def _draft_of(self, slot: Slot) -> Tokens:
        if slot.index in self._forced:
            return self._forced[slot.index]
        return NO_TOKENS if self._speculator is None else self._speculator.draft_of(slot)

    def _fill_batch(self, shares: list[Share]) -> list[int]:
        """Fill the batch and return, for each share, the batch index of its first output."""
        batch = self._batch
        batch.clear()
        outputs = []
        for share in shares:
            slot = self._slots[share.slot]
            tokens = slot.pending(share.n_tokens)
            draft = self._draft_of(slot)
            if len(draft):
                tokens = np.concatenate([tokens, draft])
                outputs.append(batch.add_all(tokens, sequence=slot.index, position=slot.n_past))
            else:
                outputs.append(
                    batch.add(tokens, sequence=slot.index, position=slot.n_past, wants_logits=share.completes)
                )
        return outputs

    def _show_to_drafter(self, shares: list[Share]) -> None:
        if self._speculator is None:
            return
        parts = []
        for share in shares:
            slot = self._slots[share.slot]
            tokens = slot.pending(share.n_tokens)
            if len(draft := self._draft_of(slot)):
                tokens = np.concatenate([tokens, draft])
            parts.append(DecodedPart(slot.index, slot.held, tokens))
        self._speculator.follow(parts)

    # Images

    def _decode_next_image(self, images: ImageQueue) -> bool:
        """If an image is next, decode it or part of it; return whether one was."""
        # An image may be the end of a prompt.
        candidates = [
            slot
            for slot in self._planner.running_slots()
            if slot.sequence and not slot.sequence.pending_constraint
        ]
        slot = images.next(candidates)
        if slot is None:
            return False
        self._reports.flush()  # an encoder takes its time
        self._forced = {}
        if self._slot_assignment.cells.free_cells_for(slot, min(slot.n_pending, self._planner.n_max)):
            self._decode_image(images, slot)
        return True

    def _decode_image(self, images: ImageQueue, slot: Slot) -> None:
        """Encode or decode the next image in ``slot``, or part of it."""
        sequence = slot.sequence
        if sequence is None:
            return
        if self._adapters is not None:
            self._adapters.set_scales(adapter_scales(slot))
        self._clear_abort()
        self._commands.in_flight = frozenset((sequence.request_id,))
        try:
            result, n_cells = images.read(slot) if self._commands.is_empty else NOT_YET
        except Exception as exc:  # noqa: BLE001  # an error in one image must not end the other answers
            self._finisher.fail(slot, exc)
            return
        finally:
            self._commands.in_flight = frozenset()
        if result is DecodeResult.ABORTED:
            self._slot_assignment.rewind(slot)
        elif result is not DecodeResult.DONE:
            self._fail_step(slot, result)
        elif n_cells:
            self.work = self.work.plus(1)
            share = Share(slot.index, n_cells, n_cells == slot.n_pending)
            self._advance(slot, share, n_cells - 1, draft=NO_TOKENS)

    # After decoding

    def _advance(self, slot: Slot, share: Share, index: int, *, draft: Tokens) -> None:
        """Count a share as decoded and, if it completes the pending tokens, sample the next token."""
        sequence = slot.sequence
        if sequence is None:
            return
        slot.n_past += share.n_tokens
        self._slot_assignment.on_advanced(slot)
        if sequence.output.n_tokens == 0:
            self._reports.add_progress(
                sequence.request_id,
                n_done=slot.n_past,
                n_total=len(sequence.prompt),
                n_cached=sequence.n_cached,
            )
        if not share.completes or sequence.sampler is None:
            return
        if sequence.task.sampling.max_tokens == 0:
            self._finisher.finish(slot, FinishReason.LENGTH)
            return
        is_known = slot.index in self._forced
        sequence.n_drafted += 0 if is_known else len(draft)
        n_before = sequence.n_draft_accepted
        try:
            self._sample(slot, sequence, sequence.sampler, index=index, draft=draft)
        except Exception as exc:  # noqa: BLE001  # a bug in one answer must not end the others
            if isinstance(exc, ModelOutputInvalid):
                self._slot_assignment.discard_invalid(slot)
            self._finisher.fail(slot, exc)
        if is_known:
            self._remove_rejected(slot)
        elif self._speculator is not None:
            n_accepted = sequence.n_draft_accepted - n_before
            self._speculator.on_verified(slot, sequence, n_drafted=len(draft), n_accepted=n_accepted)
            if len(draft):
                self._remove_rejected(slot)

    def _sample(self, slot: Slot, sequence: Sequence, sampler: Sampler, *, index: int, draft: Tokens) -> None:
        """Sample the next token, and further ones as long as they equal the draft.

        Every token is sampled from its own logits as if there were no draft. If it equals the drafted token,
        the logits after it are there already; if not, the rest of the draft is rejected.
        """
        for offset in range(len(draft) + 1):
            token, logprobs = sampler.sample(index + offset)
            is_guessed = offset < len(draft) and token == draft[offset]
            if is_guessed and slot.index not in self._forced:
                sequence.n_draft_accepted += 1
            self._accept_token(slot, sequence, token, logprobs)
            if not is_guessed or slot.sequence is not sequence or sequence.pending_constraint is not None:
                return
            slot.n_past += 1

    def _remove_rejected(self, slot: Slot) -> None:
        """Remove rejected draft tokens, and those after the end, from the KV cache."""
        if not self._decoder.remove_from(slot.index, slot.n_past):
            # Models with speculation can always do this; if one cannot, everything is evaluated again.
            self._decoder.clear(slot.index)
            slot.n_past = 0

    def _accept_token(
        self, slot: Slot, sequence: Sequence, token: int, logprobs: TokenLogprobs | None
    ) -> None:
        """Append a token to the answer, and finish the answer if it ends here."""
        is_end = self._vocab.is_eog(token) or token in sequence.task.sampling.stop_tokens
        if is_end and not sequence.is_within_replay:
            self._finisher.finish(slot, FinishReason.STOP)
            return
        slot.append(token)
        sequence.count_token(time.perf_counter())
        piece = self._vocab.piece(token)
        sequence.output.feed(piece, logprobs)
        if sequence.output.is_over:
            self._finisher.finish(slot, FinishReason.STOP)
        elif sequence.ends_with_replay or sequence.output.n_tokens == sequence.task.sampling.max_tokens:
            self._finisher.finish(slot, FinishReason.LENGTH)
        elif (
            sequence.repetition_guard is not None
            and not sequence.n_to_replay
            and sequence.repetition_guard.detects_loop(token, piece)
        ):
            self._finisher.finish(slot, FinishReason.REPETITION)
        elif slot.is_full and not shift_context(self._decoder, slot):
            self._finisher.finish(slot, FinishReason.LENGTH)
        else:
            apply_constraints(sequence, self._vocab)

    # Failures

    def _fail_step(self, slot: Slot, result: DecodeResult) -> None:
        """Fail a request whose step could not be decoded, and clear its cache."""
        self._decoder.clear(slot.index)
        slot.n_past = 0
        self._finisher.fail(slot, self._finisher.internal_error(not_computed(result)))


_MIN_DISCARD_DIVISOR: Final = 32
"""Divisor: a shift must free at least one 32nd of the context, or it would be repeated at once."""


def shift_context(memory: ShiftableMemory, slot: Slot) -> bool:
    """Discard the older half of the tokens after the first ``n_keep``; false if that is not allowed.

    Where positions can be shifted, the rest stays in the KV cache with its values; a later prompt must not
    reuse those, so only the beginning counts as cached from then on. With sliding windows and recurrent
    states the rest is evaluated again. A prompt with images is never shifted.
    """
    sequence = slot.sequence
    if sequence is None or sequence.has_images or sequence.task.when_full is not WhenFull.SHIFT:
        return False
    n_keep = sequence.n_keep
    n_discard = (slot.n_past - n_keep) // 2
    if n_discard < max(1, slot.n_ctx // _MIN_DISCARD_DIVISOR):
        return False
    n_end = n_keep + n_discard
    if memory.can_shift and memory.remove(slot.index, n_keep, n_end):
        memory.shift(slot.index, n_end, -n_discard)
        slot.discard(n_keep, n_discard, n_past=slot.n_past - n_discard)
        slot.n_unshifted = min(slot.n_unshifted, n_keep)
    else:
        n_kept = keep_prefix(memory, slot.index, n_keep=n_keep, n_cached=slot.n_past)
        slot.discard(n_keep, n_discard, n_past=n_kept)
    sequence.n_shifted += n_discard
    return True
