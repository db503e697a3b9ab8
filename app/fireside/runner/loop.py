"""Serve all requests of one model together: obey commands, give seats, decode a step, report, again."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Final, Generic

from fireside.core.generation import FinishReason
from fireside.core.ids import RequestId
from fireside.runner.answer import Answer
from fireside.runner.decoder import BatchT, Decoder, MakeSampler, SamplerRequest, Vocabulary
from fireside.runner.ends import Ends
from fireside.runner.inbox import Inbox, Received
from fireside.runner.outbox import Outbox, Send
from fireside.runner.parameters import MAX_SEED, check_sampling
from fireside.runner.prefix.seating import Seating
from fireside.runner.prompts import PromptFitter
from fireside.runner.slots import Sequence, Slot
from fireside.runner.speculation.speculator import Speculator
from fireside.runner.step import Stepper
from fireside.runner.waiting import WaitingLine
from fireside.wire.messages import CacheOptions, Cancel, CountTokens, Generate, TokensCounted

_SEED_BITS: Final = 32
NO_CACHE: Final = CacheOptions()


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
        speculator: Speculator | None = None,
        cache: CacheOptions = NO_CACHE,
    ) -> None:
        self._make_sampler = make_sampler
        self._fitter = fitter
        self._stop = stop
        self._inbox = inbox
        self._slots = [Slot(index, n_ctx=decoder.n_ctx) for index in range(decoder.n_seq_max)]
        self._waiting = WaitingLine()
        self._outbox = Outbox(send)
        self._ends = Ends(name=name, memory=decoder, vocab=vocab, outbox=self._outbox)
        self._seating = Seating(memory=decoder, slots=self._slots, memory_bytes=cache.memory_bytes)
        self._stepper = Stepper(
            decoder=decoder,
            make_batch=make_batch,
            slots=self._slots,
            vocab=vocab,
            inbox=inbox,
            lower_abort=lower_abort,
            outbox=self._outbox,
            ends=self._ends,
            seating=self._seating,
            speculator=speculator,
        )

    def run(self) -> None:
        """Serve until the process ends."""
        while True:
            if self.is_idle:
                self._seating.save(is_wanted_elsewhere=lambda: not self._inbox.is_empty)
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
        self._outbox.flush()  # before a step that may be long: a prompt is being read now, that one failed
        self._stepper.step()
        self._outbox.flush()

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
        except Exception as exc:  # noqa: BLE001  # a bug must not end the other answers
            self._ends.refuse(request_id, exc)

    def _accept(self, command: Generate, *, accepted_at: float) -> None:
        task = command.task
        sampling = task.sampling
        check_sampling(sampling)
        fitted = self._fitter.fit(task.prompt, overflow=task.overflow, max_tokens=sampling.max_tokens)
        seed = sampling.seed if sampling.seed is not None else min(secrets.randbits(_SEED_BITS), MAX_SEED)
        self._waiting.add(
            Sequence(
                request_id=command.request_id,
                task=task,
                fitted=fitted,
                seed=seed,
                answer=Answer(command.request_id, stop=(*self._stop, *sampling.stop)),
                accepted_at=accepted_at,
            )
        )

    def _count(self, command: CountTokens) -> None:
        n_history, n_draft = self._fitter.count(command.messages, draft=command.draft)
        self._outbox.add_end(
            TokensCounted(request_id=command.request_id, n_history=n_history, n_draft=n_draft)
        )

    def _cancel(self, request_id: RequestId) -> None:
        waiting = self._waiting.withdraw(request_id)
        if waiting is not None:
            self._ends.withdraw(waiting)
            return
        for slot in self._slots:
            if slot.sequence is not None and slot.sequence.request_id == request_id:
                self._ends.finish(slot, FinishReason.CANCELLED)
                return

    # Admission

    def _admit(self) -> None:
        while self._waiting:
            free = [slot for slot in self._slots if slot.sequence is None]
            if not free:
                return
            sequence = self._waiting.take()
            self._guarded(sequence.request_id, lambda: self._seat(sequence, free))  # noqa: B023  # called at once

    def _seat(self, sequence: Sequence, free: list[Slot]) -> None:
        # First what can fail.
        sequence.sampler = self._make_sampler(
            SamplerRequest(params=sequence.task.sampling, seed=sequence.seed, prompt=sequence.prompt)
        )
        slot = self._seating.seat(sequence, free)
        self._outbox.add_progress(
            sequence.request_id,
            n_done=slot.n_past,
            n_total=len(sequence.prompt),
            n_cached=sequence.n_cached,
        )
