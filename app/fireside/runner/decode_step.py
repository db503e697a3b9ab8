"""Decode one step for all active slots: plan, fill the batch, compute, sample, advance."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from collections.abc import Sequence as Listed
from typing import Generic

import numpy as np

from fireside.core.errors import ModelOutputInvalid
from fireside.core.generation import FinishReason, TokenLogprobs
from fireside.core.ids import RequestId
from fireside.runner.batch_planning import Share, Work
from fireside.runner.completion import RequestFinisher
from fireside.runner.connection import CommandQueue, ReportBuffer
from fireside.runner.constraint_control import apply_constraints
from fireside.runner.context_shift import shift_context
from fireside.runner.decoder import BatchT, Computed, DecodeResult, Sampler
from fireside.runner.failure_text import not_computed
from fireside.runner.forced_tokens import ahead
from fireside.runner.images.image_queue import NOT_YET, ImageQueue
from fireside.runner.prompt_cache.slot_assignment import SlotAssignment
from fireside.runner.served_model import ServedModel
from fireside.runner.slots import Sequence, Slot
from fireside.runner.speculation.speculator import NO_GUESS
from fireside.runner.step_planning import StepPlanner, scales
from fireside.runner.tokens import Tokens


class DecodeStep(Generic[BatchT]):
    """Moves every sequence on, some tokens at a time.

    Args:
        lower_abort: called before each step, so that a flag raised late stops nothing.
    """

    def __init__(
        self,
        model: ServedModel[BatchT],
        *,
        slots: Listed[Slot],
        commands: CommandQueue,
        lower_abort: Callable[[], None],
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
        self._lower_abort = lower_abort
        self._reports = reports
        self._finisher = finisher
        self._slot_assignment = slot_assignment
        self._batch = model.make_batch(decoder.n_batch)
        self._planner = StepPlanner(model, slots=slots, finisher=finisher, slot_assignment=slot_assignment)
        self.work = Work()
        self._known: Mapping[int, Tokens] = {}
        """Tokens that are given, and computed ahead in this step, by slot."""

    def step(self) -> None:
        """Compute one batch, if there is something to compute.

        Returns without having done so when a command has come meanwhile: it may be a Cancel of one of these.
        """
        if self._images is not None and self._sees(self._images):
            return
        shares = self._planner.plan()
        if not shares:
            return
        self._guess(shares)
        outputs = self._fill(shares)
        self._lower_abort()
        self._commands.in_flight = self._stoppable(shares)
        if not self._commands.is_empty:
            # Nothing is lost: the same step is planned again.
            self._commands.in_flight = frozenset()
            return
        started = time.perf_counter()
        result = self._decoder.decode(self._batch)
        self._commands.in_flight = frozenset()
        if result is DecodeResult.DONE:
            self._count(shares)
            self._show_drafter(shares, outputs)
            for share, index in zip(shares, outputs, strict=True):
                slot = self._slots[share.slot]
                self._advance(slot, share, index, guess=self._guessed(slot))
            if any(share.completes for share in shares):  # only then was the device waited for
                n_tokens = sum(share.n_tokens for share in shares)
                self._planner.pace.measured(n_tokens, time.perf_counter() - started)
            if self._speculator is not None:
                self._speculator.done()
        elif result is DecodeResult.ABORTED:
            for share in shares:
                self._rewind(self._slots[share.slot])
        elif result is not DecodeResult.NO_ROOM or self._slot_assignment.cells.preempt_one() is None:
            for share in shares:
                self._give_up(self._slots[share.slot], result)

    def _stoppable(self, shares: list[Share]) -> frozenset[RequestId]:
        """Return the requests whose Cancel may break this step off.

        A running state that was broken off is lost, so where there are such the others' steps are finished,
        and so is the one of a stream, which is short.
        """
        sequences = [sequence for share in shares if (sequence := self._slots[share.slot].sequence)]
        if self._decoder.shape.is_recurrent and (
            len(sequences) > 1 or any(sequence.answer.n_tokens for sequence in sequences)
        ):
            return frozenset()
        return frozenset(sequence.request_id for sequence in sequences)

    def _count(self, shares: list[Share]) -> None:
        parts = {share.slot: share.n_tokens + len(self._guessed(self._slots[share.slot])) for share in shares}
        self.work = self.work.plus(self._decoder.n_passes(parts))

    # Before

    def _guess(self, shares: list[Share]) -> None:
        """Have tokens guessed for the streams, as many as the step still has room for."""
        streams = [
            slot
            for share in shares
            if (slot := self._slots[share.slot]).n_pending == 1
            and slot.sequence is not None
            and slot.sequence.answer.n_tokens > 0
        ]
        n_taken = sum(share.n_tokens for share in shares)
        n_available = min(self._planner.n_max, self._slot_assignment.cells.n_free) - n_taken
        n_each = n_free = self._decoder.n_outputs_max - len(shares)
        if self._speculator is not None:  # its guesses want outputs too: each slot has its part of them
            n_each = self._decoder.n_outputs_max // len(self._slots) - 1
        self._known = ahead(streams, n_available=min(n_available, n_free), n_each=n_each)
        if self._speculator is None:
            return
        guessing = [slot for slot in streams if slot.index not in self._known]
        n_available -= sum(map(len, self._known.values()))
        self._speculator.plan(guessing, n_available=n_available, is_alone=len(guessing) == len(shares))

    def _guessed(self, slot: Slot) -> Tokens:
        if slot.index in self._known:
            return self._known[slot.index]
        return NO_GUESS if self._speculator is None else self._speculator.guess(slot)

    def _fill(self, shares: list[Share]) -> list[int]:
        """Write the batch and return, for each share, where its first wanted logits are."""
        batch = self._batch
        batch.clear()
        outputs = []
        for share in shares:
            slot = self._slots[share.slot]
            tokens = slot.pending(share.n_tokens)
            guess = self._guessed(slot)
            if len(guess):
                tokens = np.concatenate([tokens, guess])
                outputs.append(batch.add_all(tokens, sequence=slot.index, position=slot.n_past))
            else:
                outputs.append(
                    batch.add(tokens, sequence=slot.index, position=slot.n_past, wants_logits=share.completes)
                )
        return outputs

    # Images

    def _sees(self, images: ImageQueue) -> bool:
        """Whether an image comes next; then it is read, or part of it."""
        # What is read of an image may be the end of a prompt.
        seeing = [slot for slot in self._planner.computing() if slot.sequence and not slot.sequence.awaited]
        slot = images.next(seeing)
        if slot is None:
            return False
        self._known = {}
        if self._slot_assignment.cells.free_cells_for(slot, min(slot.n_pending, self._planner.n_max)):
            self._read_image(images, slot)
        return True

    def _read_image(self, images: ImageQueue, slot: Slot) -> None:
        """Read the image that comes next in ``slot``, or part of it."""
        sequence = slot.sequence
        if sequence is None:
            return
        if self._adapters is not None:
            self._adapters.use(scales(slot))
        self._lower_abort()
        self._commands.in_flight = frozenset((sequence.request_id,))
        try:
            result, n_cells = images.read(slot) if self._commands.is_empty else NOT_YET
        except Exception as exc:  # noqa: BLE001  # what is wrong with one image must not end other answers
            self._finisher.fail(slot, exc)
            return
        finally:
            self._commands.in_flight = frozenset()
        if result is DecodeResult.ABORTED:
            self._rewind(slot)
        elif result is not DecodeResult.DONE:
            self._give_up(slot, result)
        elif n_cells:
            self.work = self.work.plus(1)
            share = Share(slot.index, n_cells, n_cells == slot.n_pending)
            self._advance(slot, share, n_cells - 1, guess=NO_GUESS)

    # After

    def _advance(self, slot: Slot, share: Share, index: int, *, guess: Tokens) -> None:
        """Count a share as evaluated and, if it is complete, take the next token."""
        sequence = slot.sequence
        if sequence is None:
            return
        slot.n_past += share.n_tokens
        self._slot_assignment.on_advanced(slot)
        if sequence.answer.n_tokens == 0:
            self._reports.add_progress(
                sequence.request_id,
                n_done=slot.n_past,
                n_total=len(sequence.prompt),
                n_cached=sequence.n_cached,
            )
        if not share.completes or sequence.sampler is None:
            return
        is_known = slot.index in self._known
        sequence.n_drafted += 0 if is_known else len(guess)
        n_before = sequence.n_draft_accepted
        try:
            self._sample(slot, sequence, sequence.sampler, index=index, guess=guess)
        except Exception as exc:  # noqa: BLE001  # a bug in one answer must not end the others
            if isinstance(exc, ModelOutputInvalid):
                self._slot_assignment.discard_invalid(slot)
            self._finisher.fail(slot, exc)
        if is_known:
            self._cut_back(slot)
        elif self._speculator is not None:
            n_accepted = sequence.n_draft_accepted - n_before
            self._speculator.judged(slot, sequence, n_drafted=len(guess), n_accepted=n_accepted)
            if len(guess):
                self._cut_back(slot)

    def _sample(self, slot: Slot, sequence: Sequence, sampler: Sampler, *, index: int, guess: Tokens) -> None:
        """Take the next token, and as many more as were guessed right.

        Every token is sampled from its own logits as if nothing had been guessed. If it is the guess, what
        follows was computed already; if not, it is itself the next token.
        """
        for offset in range(len(guess) + 1):
            token, logprobs = sampler.sample(index + offset)
            is_guessed = offset < len(guess) and token == guess[offset]
            if is_guessed and slot.index not in self._known:
                sequence.n_draft_accepted += 1
            self._take(slot, sequence, token, logprobs)
            if not is_guessed or slot.sequence is not sequence or sequence.awaited is not None:
                return
            slot.n_past += 1

    def _cut_back(self, slot: Slot) -> None:
        """Take guesses that were wrong, or came behind the end, out of the KV cache."""
        if not self._decoder.remove_from(slot.index, slot.n_past):
            # No model that guesses are made for refuses this; if one does, all is read again.
            self._decoder.clear(slot.index)
            slot.n_past = 0

    def _take(self, slot: Slot, sequence: Sequence, token: int, logprobs: TokenLogprobs | None) -> None:
        """Add a token to its answer, and end the answer where it ends."""
        if self._vocab.ends_answer(token):
            self._finisher.finish(slot, FinishReason.STOP)
            return
        slot.append(token)
        sequence.count_token(time.perf_counter())
        piece = self._vocab.piece(token)
        sequence.answer.feed(piece, logprobs)
        if sequence.answer.is_over:
            self._finisher.finish(slot, FinishReason.STOP)
        elif sequence.ends_with_replay or sequence.answer.n_tokens == sequence.task.sampling.max_tokens:
            self._finisher.finish(slot, FinishReason.LENGTH)
        elif (
            sequence.guard is not None
            and not sequence.n_to_replay
            and sequence.guard.detects_loop(token, piece)
        ):
            self._finisher.finish(slot, FinishReason.REPETITION)
        elif slot.is_full and not shift_context(self._decoder, slot):
            self._finisher.finish(slot, FinishReason.LENGTH)
        else:
            apply_constraints(sequence, self._vocab)

    def _show_drafter(self, shares: list[Share], outputs: list[int]) -> None:
        if self._speculator is None:
            return
        parts = []
        for share, output in zip(shares, outputs, strict=True):
            slot = self._slots[share.slot]
            guess = self._guessed(slot)
            tokens = np.concatenate([slot.pending(share.n_tokens), guess])
            first = output if len(guess) else output + 1 - share.n_tokens
            parts.append(Computed(slot.index, tokens, slot.n_past, first))
        self._speculator.computed(parts)

    # What goes wrong

    def _rewind(self, slot: Slot) -> None:
        """After a decode that was broken off, find out what the KV cache holds and do the rest again.

        The last token must be evaluated again even if it is in the cache: its logits may be lost.
        """
        self._slot_assignment.rewind(slot)

    def _give_up(self, slot: Slot, result: DecodeResult) -> None:
        """End a request whose step could not be computed, and empty its cache."""
        self._decoder.clear(slot.index)
        slot.n_past = 0
        self._finisher.fail(slot, self._finisher.broken(not_computed(result)))
