"""Serve all requests of one model together: obey commands, give slots, decode a step, report, again."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from typing import Final, Generic

import msgspec

from fireside.core.errors import InvalidParameter
from fireside.core.generation import FinishReason
from fireside.core.i18n import tr_noop
from fireside.core.ids import RequestId
from fireside.core.task import GenerationTask
from fireside.runner.completion import RequestFinisher
from fireside.runner.connection import CommandQueue, Received, ReportBuffer, Send
from fireside.runner.constraint_control import apply_constraints
from fireside.runner.decode_step import DecodeStep
from fireside.runner.decoder import (
    BatchT,
    NotReady,
    SamplerRequest,
)
from fireside.runner.image_token_ids import text_only
from fireside.runner.output.output_setup import OutputSetup
from fireside.runner.pending_queue import PendingQueue
from fireside.runner.prompt_cache.slot_assignment import SlotAssignment
from fireside.runner.prompt_cache.state_cache import StateCache
from fireside.runner.prompt_reading import (
    Beginning,
    PromptCommand,
    PromptReader,
    PromptThread,
    ReadCommand,
    Reading,
)
from fireside.runner.sampling.sampling_checks import MAX_SEED, check_sampling
from fireside.runner.served_model import ServedModel
from fireside.runner.slots import Sequence, Slot
from fireside.wire.messages import (
    Cancel,
    Generate,
    Pause,
    PicturesWanted,
    Ping,
    Pong,
    Resume,
    Shutdown,
)

_SEED_BITS: Final = 32
_REST_S: Final = 0.005
"""How long what a sampler needs may lie ready unnoticed while no request is served."""


class DecodeLoop(Generic[BatchT]):
    """Continuous batching over one context. Everything but the reading of prompts runs in the thread that
    calls ``run``.

    Args:
        commands: what the engine asks for.
        lower_abort: called before each step, so that a flag raised late stops nothing.
        send: writes reports; called once a step.
    """

    def __init__(
        self,
        model: ServedModel[BatchT],
        *,
        commands: CommandQueue,
        lower_abort: Callable[[], None],
        send: Send,
    ) -> None:
        decoder = model.decoder
        self._model = model
        self._commands = commands
        self._slots = [Slot(index, n_ctx=decoder.n_ctx) for index in range(decoder.n_seq_max)]
        self._waiting = PendingQueue()
        self._preparing: list[tuple[Sequence, threading.Event]] = []
        self._reports = ReportBuffer(send)
        self._output_setup = OutputSetup(
            fmt=model.output,
            fmt_of=model.output_of,
            vocab=model.vocab,
            model_stop=model.stop,
            emit=self._reports.add_piece,
        )
        self._prompt_reader = PromptReader(
            fitter=model.fitter, vocab=model.vocab, output_setup=self._output_setup
        )
        self._finisher = RequestFinisher(
            name=model.name,
            memory=decoder,
            vocab=model.vocab,
            reports=self._reports,
            keeps_shifted=model.cache_reuse > 0,
        )
        self._slot_assignment = SlotAssignment(
            memory=decoder,
            slots=self._slots,
            state_cache=model.state_cache or StateCache(shape=decoder.shape, memory_bytes=0),
            min_reuse_chunk=model.cache_reuse,
        )
        self._stepper = DecodeStep(
            model,
            slots=self._slots,
            commands=commands,
            lower_abort=lower_abort,
            reports=self._reports,
            finisher=self._finisher,
            slot_assignment=self._slot_assignment,
        )

    def run(self) -> None:
        """Serve until the process ends."""
        self.read_prompts_beside()
        self._commands.shutdown_grace_s = self._slot_assignment.shutdown_grace_s
        while True:
            if self.is_idle:
                self.save()
                self._handle(self._commands.wait())
            elif self._only_waits:
                self._rest()
            self.iterate()

    def read_prompts_beside(self) -> None:
        """Read prompts in a thread of their own from now on."""
        self._commands.divert_to(PromptThread(self._prompt_reader, hand_over=self._commands.hand_over).takes)

    def save(self) -> None:
        """Save the states of conversations, until a command comes."""
        self._slot_assignment.save(is_interrupted=lambda: not self._commands.is_empty)

    def close(self) -> None:
        """Bring the states of conversations to the disk, as far as there is time before the process ends."""
        self._slot_assignment.close()

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing to do before the next command."""
        return self._has_no_active_slot and not self._waiting and not self._preparing

    @property
    def _has_no_active_slot(self) -> bool:
        return not any(slot.sequence for slot in self._slots)

    @property
    def _only_waits(self) -> bool:
        """Whether all that there is to do waits for what is being compiled, or for slow readers."""
        assigned = [(slot, slot.sequence) for slot in self._slots if slot.sequence is not None]
        return bool(assigned or self._preparing) and all(
            (sequence.awaited and (slot.n_pending < 2 or sequence.has_images)) or sequence.is_paused
            for slot, sequence in assigned
        )

    def _rest(self) -> None:
        """Wait for a command, but only a moment where what a sampler needs is on its way."""
        is_on_its_way = (
            self._preparing
            or self._waiting
            or any(slot.sequence.awaited for slot in self._slots if slot.sequence is not None)
        )
        if not is_on_its_way:
            self._handle(self._commands.wait())
            return
        received = self._commands.wait_for(_REST_S)
        if received is not None:
            self._handle(received)

    def iterate(self) -> None:
        """Obey the commands that have come, let requests in, and decode one step."""
        while (received := self._commands.take()) is not None:
            self._handle(received)
        if self._preparing:
            self._prepare_again()
        self._admit()
        self._reports.flush()  # before a step that may be long: a prompt is being read now, that one failed
        self._stepper.step()
        self._reports.flush()

    # Commands

    def _handle(self, received: Received) -> None:
        command = received.command
        if isinstance(command, ReadCommand):
            self._take(command)
        elif isinstance(command, PromptCommand):
            self._guarded(
                command.request_id,
                lambda: self._accept(command, self._prompt_reader.read(command), at=received.at),
            )
        elif isinstance(command, Cancel):
            self._cancel(command.request_id)
        elif isinstance(command, Pause | Resume):
            for slot in self._slots:
                if slot.sequence is not None and slot.sequence.request_id == command.request_id:
                    slot.sequence.is_paused = isinstance(command, Pause)
        elif isinstance(command, PicturesWanted):
            self._reports.add_end(command)
        elif isinstance(command, Ping):
            work = self._stepper.work
            self._reports.add_end(Pong(n_steps=work.n_steps, n_passes=work.n_passes))
        elif isinstance(command, Shutdown):
            self.close()
            self._commands.exit_process()

    def _take(self, read: ReadCommand) -> None:
        request_id, reading = read.command.request_id, read.reading
        if isinstance(reading, Exception):
            self._finisher.refuse(request_id, reading)
        else:
            self._guarded(request_id, lambda: self._accept(read.command, reading, at=read.at))
        if read.is_cancelled:
            self._cancel(request_id)

    def _guarded(self, request_id: RequestId, action: Callable[[], None]) -> None:
        """Run ``action``; whatever it raises fails that request alone."""
        try:
            action()
        except Exception as exc:  # noqa: BLE001  # a bug must not end the other answers
            self._finisher.refuse(request_id, exc)

    def _accept(self, command: PromptCommand, reading: Reading, *, at: float) -> None:
        """Let an answer begin, or report what was asked about a prompt, now that it is read."""
        if not isinstance(reading, Beginning) or not isinstance(command, Generate):
            for report in reading if not isinstance(reading, Beginning) else ():
                self._reports.add_end(report)
            return
        task = self._with_adapters(command.task)
        sampling = task.sampling
        check_sampling(sampling)
        seed = sampling.seed if sampling.seed is not None else min(secrets.randbits(_SEED_BITS), MAX_SEED)
        sequence = Sequence(
            request_id=command.request_id,
            task=task,
            fitted=reading.fitted,
            seed=seed,
            answer=reading.answer,
            accepted_at=at,
            replay=reading.replay,
        )
        self._prepare(sequence)

    def _with_adapters(self, task: GenerationTask) -> GenerationTask:
        """Return ``task`` with the strengths that it will be computed with."""
        if self._model.adapters is not None:
            return msgspec.structs.replace(task, lora_scales=self._model.adapters.scales(task.lora_scales))
        if task.lora_scales:
            raise InvalidParameter(name="adapters", reason=tr_noop("none were loaded with this model."))
        return task

    def _prepare(self, sequence: Sequence) -> None:
        """Make its sampler and let ``sequence`` wait for a slot, or first for what the sampler needs."""
        try:
            sequence.sampler = self._model.make_sampler(
                SamplerRequest(
                    params=sequence.task.sampling,
                    seed=sequence.seed,
                    prompt=text_only(sequence.prompt),
                    constraints=self._output_setup.constraints(sequence.task),
                    likely=self._output_setup.likely(sequence.task),
                )
            )
            sequence.sampler.force(sequence.replay)
            apply_constraints(sequence, self._model.vocab)
        except NotReady as not_ready:
            self._preparing.append((sequence, not_ready.ready))
        except Exception as exc:  # noqa: BLE001  # a bug must not end the other answers
            self._finisher.give_up(sequence, exc)
        else:
            self._waiting.add(sequence)

    def _prepare_again(self) -> None:
        ready = [sequence for sequence, is_ready in self._preparing if is_ready.is_set()]
        if ready:
            self._preparing = [entry for entry in self._preparing if entry[0] not in ready]
            for sequence in ready:
                self._prepare(sequence)

    def _cancel(self, request_id: RequestId) -> None:
        waiting = self._waiting.withdraw(request_id)
        for sequence, is_ready in self._preparing:
            if sequence.request_id == request_id:
                self._preparing.remove((sequence, is_ready))
                waiting = sequence
                break
        if waiting is not None:
            self._slot_assignment.cancel(waiting)
            self._finisher.withdraw(waiting)
            return
        for slot in self._slots:
            if slot.sequence is not None and slot.sequence.request_id == request_id:
                self._finisher.finish(slot, FinishReason.CANCELLED)
                return

    # Admission

    def _admit(self) -> None:
        while self._waiting:
            free = [slot for slot in self._slots if slot.sequence is None]
            if not free:
                return
            assignment = self._slot_assignment
            sequence = self._waiting.take(assignment.is_ready, assignment.cells.admits)
            if sequence is None:
                return
            try:
                self._assign_slot(sequence, free)
            except Exception as exc:  # noqa: BLE001  # a bug must not end the other answers
                slot = next((slot for slot in free if slot.sequence is sequence), None)
                if slot is not None:
                    self._finisher.fail(slot, exc)
                else:
                    self._finisher.give_up(sequence, exc)

    def _assign_slot(self, sequence: Sequence, free: list[Slot]) -> None:
        slot = self._slot_assignment.assign_slot(sequence, free)
        self._reports.add_progress(
            sequence.request_id,
            n_done=slot.n_past,
            n_total=len(sequence.prompt),
            n_cached=sequence.n_cached,
        )
