"""Serve all requests of one model together: admit, decode one batch, sample, report, again."""

from __future__ import annotations

import secrets
import sys
import time
import traceback
from collections.abc import Callable
from typing import Final, Generic

from fireside.core.errors import FiresideError, RunnerCrashed
from fireside.core.generation import FinishReason, Priority
from fireside.core.ids import RequestId
from fireside.runner.batch import Demand, Share, plan_batch
from fireside.runner.cache import Candidate, choose_slot, common_prefix, keep_prefix
from fireside.runner.decoder import BatchT, Decoder, DecodeResult, MakeSampler, SamplerRequest, Vocabulary
from fireside.runner.inbox import Inbox, Received
from fireside.runner.parameters import MAX_SEED, check_sampling
from fireside.runner.prompts import PromptFitter
from fireside.runner.slots import Sequence, Slot
from fireside.wire.messages import (
    Cancel,
    CountTokens,
    Failed,
    Generate,
    Piece,
    PromptRead,
    Report,
    TokensCounted,
    TokensDecoded,
)

Send = Callable[..., None]
_SEED_BITS: Final = 32


class Loop(Generic[BatchT]):
    """Continuous batching over one context. Everything runs in the thread that calls ``run``.

    Args:
        name: the model's, for messages to a person.
        stop: texts that end every answer, besides those of the request.
        make_batch: called once with the largest number of tokens in a step.
        lower_abort: called before each step, so that a flag raised late stops nothing.
        send: writes reports; called once a step.
    """

    def __init__(
        self,
        *,
        name: str,
        decoder: Decoder[BatchT],
        make_batch: Callable[[int], BatchT],
        make_sampler: MakeSampler,
        vocab: Vocabulary,
        fitter: PromptFitter,
        stop: tuple[str, ...],
        inbox: Inbox,
        lower_abort: Callable[[], None],
        send: Send,
    ) -> None:
        self._name = name
        self._decoder = decoder
        self._make_sampler = make_sampler
        self._vocab = vocab
        self._fitter = fitter
        self._stop = stop
        self._inbox = inbox
        self._lower_abort = lower_abort
        self._send = send
        self._slots = [Slot(index, n_ctx=decoder.n_ctx) for index in range(decoder.n_seq_max)]
        self._waiting: list[Sequence] = []
        # Never more than one micro-batch: where a backend cannot be stopped, a Cancel waits for one at most.
        self._n_max = min(decoder.n_batch, decoder.n_ubatch)
        self._batch = make_batch(self._n_max)
        self._n_steps = 0
        self._progress: list[PromptRead] = []
        self._pieces: list[Piece] = []
        self._ends: list[Report] = []

    def run(self) -> None:
        """Serve until the process ends."""
        while True:
            if self.is_idle:
                self._obey(self._inbox.wait())
            self.turn()

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing to do before the next command."""
        return not self._waiting and not any(slot.sequence for slot in self._slots)

    def turn(self) -> None:
        """Obey the commands that have come, let requests in, and decode one step."""
        while (received := self._inbox.take()) is not None:
            self._obey(received)
        self._admit()
        self._flush()  # before a step that may be long: a prompt is being read now, that one failed
        self._step()
        self._flush()

    def _flush(self) -> None:
        """Send what this step produced, in the order in which each request lives through it."""
        reports: list[Report] = [*self._progress]
        if self._pieces:
            reports.append(TokensDecoded(pieces=tuple(self._pieces)))
        reports += self._ends
        if reports:
            self._send(*reports)
            self._progress.clear()
            self._pieces.clear()
            self._ends.clear()

    # Commands

    def _obey(self, received: Received) -> None:
        command = received.command
        if isinstance(command, Generate):
            self._guarded(command.request_id, lambda: self._accept(command, accepted_at=received.at))
        elif isinstance(command, CountTokens):
            self._guarded(command.request_id, lambda: self._count(command))
        elif isinstance(command, Cancel):
            self._cancel(command.request_id)

    def _guarded(self, request_id: RequestId, action: Callable[[], None]) -> None:
        """Run ``action``; whatever it raises fails that request alone."""
        try:
            action()
        except FiresideError as exc:
            self._ends.append(Failed(request_id=request_id, error=exc.info()))
        except Exception as exc:  # noqa: BLE001  # a bug must not end the other answers
            traceback.print_exc(file=sys.stderr)
            self._ends.append(Failed(request_id=request_id, error=self._bug(exc).info()))

    def _bug(self, exc: Exception) -> RunnerCrashed:
        return RunnerCrashed(model=self._name, cause=f"an error inside Fireside ({type(exc).__name__}).")

    def _accept(self, command: Generate, *, accepted_at: float) -> None:
        task = command.task
        sampling = task.sampling
        check_sampling(sampling)
        fitted = self._fitter.fit(task.prompt, overflow=task.overflow, max_tokens=sampling.max_tokens)
        seed = sampling.seed if sampling.seed is not None else min(secrets.randbits(_SEED_BITS), MAX_SEED)
        self._waiting.append(
            Sequence(
                request_id=command.request_id,
                prompt=fitted.tokens,
                sampling=sampling,
                seed=seed,
                stop=(*self._stop, *sampling.stop),
                priority=task.priority,
                truncation=fitted.truncation,
                accepted_at=accepted_at,
            )
        )
        # Stable: among equals, the first that came.
        self._waiting.sort(key=lambda sequence: sequence.priority is Priority.BACKGROUND)

    def _count(self, command: CountTokens) -> None:
        n_history, n_draft = self._fitter.count(command.messages, draft=command.draft)
        self._ends.append(TokensCounted(request_id=command.request_id, n_history=n_history, n_draft=n_draft))

    def _cancel(self, request_id: RequestId) -> None:
        for sequence in self._waiting:
            if sequence.request_id == request_id:
                self._waiting.remove(sequence)
                self._ends.append(
                    sequence.finished(FinishReason.CANCELLED, now=time.perf_counter(), context_full=False)
                )
                return
        for slot in self._slots:
            if slot.sequence is not None and slot.sequence.request_id == request_id:
                self._finish(slot, slot.sequence, FinishReason.CANCELLED)
                return

    # Admission

    def _admit(self) -> None:
        while self._waiting:
            free = [slot for slot in self._slots if slot.sequence is None]
            if not free:
                return
            sequence = self._waiting.pop(0)
            self._guarded(sequence.request_id, lambda: self._seat(sequence, free))  # noqa: B023  # called at once

    def _seat(self, sequence: Sequence, free: list[Slot]) -> None:
        # First what can fail: from the cut on, the cache and what is known of it change together.
        sequence.sampler = self._make_sampler(
            SamplerRequest(params=sequence.sampling, seed=sequence.seed, prompt=sequence.prompt)
        )
        # The last token is always evaluated again, because its logits are what is wanted.
        reusable = sequence.prompt[:-1]
        slot = self._slots[
            choose_slot(
                Candidate(
                    slot=slot.index,
                    n_common=common_prefix(slot.cached, reusable),
                    n_cached=slot.n_past,
                    last_used=slot.last_used,
                )
                for slot in free
            )
        ]
        n_kept = keep_prefix(
            self._decoder,
            slot.index,
            n_keep=common_prefix(slot.cached, reusable),
            n_cached=slot.n_past,
        )
        slot.seat(sequence, n_kept=n_kept)
        sequence.start(n_cached=n_kept, now=time.perf_counter())
        self._report_prompt(slot, sequence)

    def _report_prompt(self, slot: Slot, sequence: Sequence) -> None:
        self._progress.append(
            PromptRead(
                request_id=sequence.request_id,
                n_done=slot.n_past,
                n_total=len(sequence.prompt),
                n_cached=sequence.n_cached,
            )
        )

    # One step

    def _step(self) -> None:
        shares = self._plan()
        if not shares:
            return
        outputs = self._fill(shares)
        self._lower_abort()
        self._inbox.in_flight = frozenset(
            sequence.request_id for share in shares if (sequence := self._slots[share.slot].sequence)
        )
        if not self._inbox.is_empty:
            # It may be a Cancel of one of these. Nothing is lost: the same step is planned again.
            self._inbox.in_flight = frozenset()
            return
        result = self._decoder.decode(self._batch)
        self._inbox.in_flight = frozenset()
        if result is DecodeResult.DONE:
            for share, index in zip(shares, outputs, strict=True):
                self._advance(self._slots[share.slot], share, index)
        elif result is DecodeResult.ABORTED:
            for share in shares:
                self._rewind(self._slots[share.slot])
        else:
            self._fail(shares, result)

    def _plan(self) -> list[Share]:
        demands = [
            Demand(
                slot.index,
                slot.n_pending,
                sequence.n_completion > 0,
                sequence.priority is Priority.INTERACTIVE,
            )
            for slot in self._slots
            if (sequence := slot.sequence) is not None
        ]
        self._n_steps += 1
        return plan_batch(demands, n_max=self._n_max, rotation=self._n_steps)

    def _fill(self, shares: list[Share]) -> list[int]:
        """Write the batch and return, for each share, the index of its last token."""
        batch = self._batch
        batch.clear()
        outputs = []
        for share in shares:
            slot = self._slots[share.slot]
            tokens = slot.pending(share.n_tokens)
            outputs.append(
                batch.add(tokens, sequence=slot.index, position=slot.n_past, wants_logits=share.completes)
            )
        return outputs

    def _advance(self, slot: Slot, share: Share, index: int) -> None:
        """Count a share as evaluated and, if it is complete, sample the next token."""
        sequence = slot.sequence
        if sequence is None:
            return
        slot.n_past += share.n_tokens
        if sequence.n_completion == 0:
            self._report_prompt(slot, sequence)
        if share.completes and sequence.sampler is not None:
            self._take(slot, sequence, sequence.sampler.sample(index).token)

    def _take(self, slot: Slot, sequence: Sequence, token: int) -> None:
        """Add a sampled token to its answer, and end the answer where it ends."""
        if self._vocab.ends_answer(token):
            self._finish(slot, sequence, FinishReason.STOP)
            return
        slot.append(token)
        sequence.count_token(time.perf_counter())
        self._emit(sequence, sequence.text.feed(self._vocab.piece(token)))
        if sequence.text.stopped:
            self._finish(slot, sequence, FinishReason.STOP)
        elif sequence.n_completion == sequence.sampling.max_tokens or slot.is_full:
            self._finish(slot, sequence, FinishReason.LENGTH)

    def _emit(self, sequence: Sequence, text: str) -> None:
        if text:
            sequence.emitted.append(text)
            self._pieces.append(Piece(sequence.request_id, text, sequence.n_completion))

    def _finish(self, slot: Slot, sequence: Sequence, reason: FinishReason) -> None:
        self._emit(sequence, sequence.text.end())
        self._vocab.remember_answer("".join(sequence.emitted), slot.answer)
        self._ends.append(
            sequence.finished(
                reason, now=time.perf_counter(), context_full=reason is FinishReason.LENGTH and slot.is_full
            )
        )
        slot.leave(now=time.perf_counter())

    # What goes wrong

    def _rewind(self, slot: Slot) -> None:
        """After a decode that was broken off, find out what the KV cache holds and do the rest again.

        The last token must be evaluated again even if it is in the cache: its logits may be lost.
        """
        n_held = min(self._decoder.last_position(slot.index) + 1, slot.n_tokens - 1)
        slot.n_past = keep_prefix(
            self._decoder,
            slot.index,
            n_keep=n_held,
            n_cached=self._decoder.last_position(slot.index) + 1,
        )

    def _fail(self, shares: list[Share], result: DecodeResult) -> None:
        """End the requests of a batch that could not be computed, and empty their caches."""
        for share in shares:
            slot = self._slots[share.slot]
            sequence = slot.sequence
            self._decoder.clear(slot.index)
            slot.n_past = 0
            slot.leave(now=time.perf_counter())
            if sequence is not None:
                error = RunnerCrashed(
                    model=self._name, cause=f"llama.cpp could not compute the next step ({result.name})."
                )
                self._ends.append(Failed(request_id=sequence.request_id, error=error.info()))
