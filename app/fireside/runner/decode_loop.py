"""The runner's main loop, continuous batching: handle commands, assign slots, decode one step, report."""

from __future__ import annotations

import secrets
import threading
from collections import deque
from collections.abc import Callable
from typing import Final, Generic

import msgspec

from fireside.core.errors import InvalidParameter
from fireside.core.generation import FinishReason, Priority
from fireside.core.i18n import tr_noop
from fireside.core.ids import RequestId
from fireside.core.options import MAX_SEED
from fireside.core.task import GenerationTask
from fireside.runner.completion import RequestFinisher
from fireside.runner.connection import CommandQueue, ReceivedCommand, ReportBuffer, Send
from fireside.runner.constraint_control import apply_constraints
from fireside.runner.decode_step import DecodeStep
from fireside.runner.decoder import BatchT, NotReady, SamplerRequest
from fireside.runner.image_token_ids import text_only
from fireside.runner.output.output_setup import OutputSetup
from fireside.runner.prompt_cache.slot_assignment import SlotAssignment
from fireside.runner.prompt_cache.state_cache import StateCache
from fireside.runner.prompt_reading import (
    PreparedAnswer,
    PreparedCommand,
    PromptCommand,
    PromptReader,
    PromptResult,
    PromptThread,
)
from fireside.runner.sampling.sampling_checks import check_sampling
from fireside.runner.served_model import ServedModel
from fireside.runner.slots import Sequence, Slot
from fireside.wire.messages import Cancel, Generate, Pause, PicturesRequested, Ping, Pong, Resume, Shutdown

_SEED_BITS: Final = 32
_POLL_S: Final = 0.005
"""Polling interval for a compiled grammar while nothing can be decoded."""


class DecodeLoop(Generic[BatchT]):
    """Serves all requests of one model with continuous batching over one context.

    Everything runs in the thread that calls ``run``, except the preparation of prompts.

    Args:
        commands: the commands of the engine.
        clear_abort: clears the abort flag; called before each step, so that a late abort stops nothing.
        send: writes reports; called once a step.
    """

    def __init__(
        self,
        model: ServedModel[BatchT],
        *,
        commands: CommandQueue,
        clear_abort: Callable[[], None],
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
            format_for_template=model.output_for_template,
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
            clear_abort=clear_abort,
            reports=self._reports,
            finisher=self._finisher,
            slot_assignment=self._slot_assignment,
        )

    def run(self) -> None:
        """Serve until the process ends."""
        self.start_prompt_thread()
        self._commands.shutdown_grace_s = self._slot_assignment.shutdown_grace_s
        while True:
            if self.is_idle:
                self.save()
                self._handle(self._commands.get())
            elif self._is_blocked:
                self._wait_briefly()
            self.iterate()

    def start_prompt_thread(self) -> None:
        """Prepare prompts in a thread of their own from now on."""
        self._commands.set_interceptor(
            PromptThread(self._prompt_reader, on_prepared=self._commands.put_prepared).intercept
        )

    def save(self) -> None:
        """Save the states of idle slots until a command arrives."""
        self._slot_assignment.save(is_interrupted=lambda: not self._commands.is_empty)

    def close(self) -> None:
        """Save all states to disk before the process exits, as far as there is time."""
        self._slot_assignment.close()

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing to do until the next command."""
        return not (self._waiting or self._preparing or any(slot.sequence for slot in self._slots))

    @property
    def _is_blocked(self) -> bool:
        """Whether every request waits for a grammar that is being compiled, or is paused."""
        assigned = [(slot, slot.sequence) for slot in self._slots if slot.sequence is not None]
        return bool(assigned or self._preparing) and all(
            (sequence.pending_constraint and (slot.n_pending < 2 or sequence.has_images))
            or sequence.is_paused
            for slot, sequence in assigned
        )

    def _wait_briefly(self) -> None:
        """Wait for a command, but only briefly while a grammar is being compiled."""
        is_due_soon = (
            self._preparing
            or self._waiting
            or any(slot.sequence.pending_constraint for slot in self._slots if slot.sequence is not None)
        )
        if not is_due_soon:
            self._handle(self._commands.get())
            return
        received = self._commands.get_within(_POLL_S)
        if received is not None:
            self._handle(received)

    def iterate(self) -> None:
        """Handle pending commands, admit requests, and decode one step."""
        while (received := self._commands.get_nowait()) is not None:
            self._handle(received)
        if self._preparing:
            self._retry_preparing()
        if self._waiting:
            self._reports.flush()  # a state that is read from the disk takes its time
            self._admit()
        if not self._model.report_late:
            self._reports.flush()  # before a step that may be long: report admissions and failures now
        was_decoded = self._stepper.step()
        is_followed = was_decoded and not self.is_idle and not self._is_blocked
        if not (self._model.report_late and is_followed):
            self._reports.flush()

    # Commands

    def _handle(self, received: ReceivedCommand) -> None:
        command = received.command
        if isinstance(command, PreparedCommand):
            self._handle_prepared(command)
        elif isinstance(command, PromptCommand):
            self._guarded(
                command.request_id,
                lambda: self._accept(
                    command, self._prompt_reader.read(command), accepted_at=received.received_at
                ),
            )
        elif isinstance(command, Cancel):
            self._cancel(command.request_id)
        elif isinstance(command, Pause | Resume):
            for slot in self._slots:
                if slot.sequence is not None and slot.sequence.request_id == command.request_id:
                    slot.sequence.is_paused = isinstance(command, Pause)
        elif isinstance(command, PicturesRequested):
            self._reports.add_report(command)
        elif isinstance(command, Ping):
            work = self._stepper.work
            self._reports.add_report(Pong(n_steps=work.n_steps, n_passes=work.n_passes))
        elif isinstance(command, Shutdown):
            self._reports.flush()
            self.close()
            self._commands.exit_process()

    def _handle_prepared(self, prepared: PreparedCommand) -> None:
        request_id, result = prepared.command.request_id, prepared.result
        if isinstance(result, Exception):
            self._finisher.report_failure(request_id, result)
        else:
            self._guarded(
                request_id, lambda: self._accept(prepared.command, result, accepted_at=prepared.received_at)
            )
        if prepared.is_cancelled:
            self._cancel(request_id)

    def _guarded(self, request_id: RequestId, action: Callable[[], None]) -> None:
        """Run ``action``; an exception fails only that request."""
        try:
            action()
        except Exception as exc:  # noqa: BLE001  # a bug must not end the other answers
            self._finisher.report_failure(request_id, exc)

    def _accept(self, command: PromptCommand, result: PromptResult, *, accepted_at: float) -> None:
        """Start the answer to a prepared prompt, or report what a query about it returned."""
        if not isinstance(result, PreparedAnswer) or not isinstance(command, Generate):
            for report in result if not isinstance(result, PreparedAnswer) else ():
                self._reports.add_report(report)
            return
        task = self._with_adapters(command.task)
        sampling = task.sampling
        check_sampling(sampling)
        seed = sampling.seed if sampling.seed is not None else min(secrets.randbits(_SEED_BITS), MAX_SEED)
        sequence = Sequence(
            request_id=command.request_id,
            task=task,
            fitted=result.fitted,
            seed=seed,
            output=result.output,
            accepted_at=accepted_at,
            replay=result.replay,
        )
        self._prepare(sequence)

    def _with_adapters(self, task: GenerationTask) -> GenerationTask:
        """Return ``task`` with the adapter scales that it will be computed with."""
        if self._model.adapters is not None:
            return msgspec.structs.replace(task, lora_scales=self._model.adapters.resolve(task.lora_scales))
        if task.lora_scales:
            raise InvalidParameter(name="adapters", reason=tr_noop("none were loaded with this model."))
        return task

    def _prepare(self, sequence: Sequence) -> None:
        """Make the sampler of ``sequence`` and queue it; wait first for grammars being compiled."""
        try:
            sequence.sampler = self._model.make_sampler(
                SamplerRequest(
                    params=sequence.task.sampling,
                    seed=sequence.seed,
                    prompt=text_only(sequence.prompt),
                    constraints=self._output_setup.required_constraints(sequence.task),
                    likely=self._output_setup.likely_constraints(sequence.task),
                )
            )
            sequence.sampler.force(sequence.replay)
            apply_constraints(sequence, self._model.vocab)
        except NotReady as not_ready:
            self._preparing.append((sequence, not_ready.ready))
        except Exception as exc:  # noqa: BLE001  # a bug must not end the other answers
            self._finisher.reject(sequence, exc)
        else:
            self._waiting.add(sequence)

    def _retry_preparing(self) -> None:
        ready = [sequence for sequence, is_ready in self._preparing if is_ready.is_set()]
        if ready:
            self._preparing = [entry for entry in self._preparing if entry[0] not in ready]
            for sequence in ready:
                self._prepare(sequence)

    def _cancel(self, request_id: RequestId) -> None:
        waiting = self._waiting.remove(request_id)
        for sequence, is_ready in self._preparing:
            if sequence.request_id == request_id:
                self._preparing.remove((sequence, is_ready))
                waiting = sequence
                break
        if waiting is not None:
            self._slot_assignment.cancel(waiting)
            self._finisher.cancel(waiting)
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
            sequence = self._waiting.pop(assignment.is_ready, assignment.cells.admits)
            if sequence is None:
                return
            try:
                self._assign_slot(sequence, free)
            except Exception as exc:  # noqa: BLE001  # a bug must not end the other answers
                slot = next((slot for slot in free if slot.sequence is sequence), None)
                if slot is not None:
                    self._finisher.fail(slot, exc)
                else:
                    self._finisher.reject(sequence, exc)

    def _assign_slot(self, sequence: Sequence, free: list[Slot]) -> None:
        slot = self._slot_assignment.assign_slot(sequence, free)
        self._reports.add_progress(
            sequence.request_id,
            n_done=slot.n_past,
            n_total=len(sequence.prompt),
            n_cached=sequence.n_cached,
        )


# Queue of requests without a slot: interactive before background, without starvation


MAX_OVERTAKES: Final = 4
"""How many interactive requests may overtake a waiting background request."""


class PendingQueue:
    """Requests without a slot; first in, first out within a priority."""

    def __init__(self) -> None:
        self._front: deque[Sequence] = deque()
        self._back: deque[Sequence] = deque()
        self._n_overtakes = 0

    def __bool__(self) -> bool:
        return bool(self._front or self._back)

    def add(self, sequence: Sequence) -> None:
        """Add a request behind those of its priority."""
        (self._back if sequence.task.priority is Priority.BACKGROUND else self._front).append(sequence)

    def pop(
        self,
        is_ready: Callable[[Sequence], bool] = lambda _: True,
        fits: Callable[[Sequence], bool] = lambda _: True,
    ) -> Sequence | None:
        """Remove and return the next request that is ready; ``None`` if none is.

        A request that does not fit is not overtaken by others, or it might wait for ever.
        """
        queues = (self._front, self._back)
        for queue in reversed(queues) if self._n_overtakes >= MAX_OVERTAKES else queues:
            for sequence in queue:
                if is_ready(sequence):
                    if not fits(sequence):
                        return None
                    queue.remove(sequence)
                    self._n_overtakes = 0 if queue is self._back else self._n_overtakes + bool(self._back)
                    return sequence
        return None

    def remove(self, request_id: RequestId) -> Sequence | None:
        """Remove and return a request; ``None`` if it is not queued."""
        for queue in (self._front, self._back):
            for sequence in queue:
                if sequence.request_id == request_id:
                    queue.remove(sequence)
                    return sequence
        return None
