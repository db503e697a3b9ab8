"""The engine's side of the protocol with one runner: handshake, load, requests, exit."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Coroutine
from typing import TypeVar, assert_never

from fireside.core.errors import (
    RunnerCrashed,
    RunnerError,
    RunnerProtocolError,
    RunnerUnresponsive,
)
from fireside.core.i18n import tr_noop
from fireside.core.prompt_query import PromptQuery, ReplyT
from fireside.core.status import Device, LoadedModel, LoadStage
from fireside.engine.clock import Clock
from fireside.engine.processes.runner_process import RunnerProcess
from fireside.engine.request_state import RequestState
from fireside.engine.runner_handshake import RunnerHandshake
from fireside.engine.runner_requests import RunnerRequests
from fireside.engine.watchdog import Watchdog
from fireside.wire.messages import (
    Answered,
    Hello,
    Load,
    Loaded,
    LoadProgressed,
    LoadRejected,
    PicturesRequested,
    Ping,
    Pong,
    Report,
    RequestEvent,
    TokensDecoded,
)

Result = TypeVar("Result")


class RunnerSession:
    """Speaks the protocol with one runner and enforces it. Takes a fresh link, which ``stop`` closes.

    Args:
        name: name of the model, for messages.
        on_ended: called once, before any waiting call returns, if the runner ends without being told to.
        on_freed: called when a request has left its slot.
        on_requeue: called instead if the runner crashed before it reported anything about the request, for
            example while the computer slept. Each request is requeued once.
        load_limit_s: how long a load may show no activity.
        on_silent: called with True when the runner has shown no activity for a while during its start or its
            load, and with False when it does again.
    """

    def __init__(
        self,
        link: RunnerProcess,
        *,
        name: str,
        clock: Clock,
        on_ended: Callable[[RunnerError], None],
        on_freed: Callable[[RequestState], None],
        on_requeue: Callable[[RequestState, RunnerCrashed], None] | None = None,
        load_limit_s: float = math.inf,
        on_silent: Callable[[bool], None] = lambda _: None,
    ) -> None:
        self._link = link
        self._name = name
        self._clock = clock
        self._on_ended = on_ended
        self._on_requeue = on_requeue
        self._handshake = RunnerHandshake(
            link,
            name=name,
            clock=clock,
            load_limit_s=load_limit_s,
            on_aborted=self._abort,
            on_silent=on_silent,
        )
        self._requests = RunnerRequests(
            link,
            clock=clock,
            on_changed=self._watch_while_busy,
            on_freed=on_freed,
            on_unresponsive=self._abort_unresponsive,
        )
        self._watchdog: Watchdog | None = None
        self._is_detached = False
        """It was told to exit: its messages are ignored, and its exit is not reported."""
        self._is_pinged = False
        self._ended = asyncio.Event()
        self._error: RunnerError | None = None
        self._reading = asyncio.create_task(self._read(), name=f"read runner {link.pid}")

    @property
    def pid(self) -> int:
        """Process id of the runner."""
        return self._link.pid

    @property
    def error(self) -> RunnerError | None:
        """Why the runner ended, if it did so without being told to."""
        return self._error

    @property
    def devices(self) -> tuple[Device, ...]:
        """The devices that the runner lists in its handshake; empty before that."""
        return self._handshake.devices

    async def handshake(self, *, limit_s: float, silence_s: float = math.inf) -> Hello:
        """Wait for the handshake.

        Args:
            limit_s: how long it may take.
            silence_s: how long it may neither read nor compute anything meanwhile. A slow disk and a busy
                computer are no reason to kill it; that it hangs or was stopped is.

        Raises:
            runner_start_failed: it took too long, or is of another version.
            RunnerError: the runner ended first.
        """
        return await self._handshake.handshake(limit_s=limit_s, silence_s=silence_s)

    async def load(self, command: Load, *, on_progress: Callable[[float, LoadStage], None]) -> LoadedModel:
        """Load the model. ``on_progress`` gets the part of the file that is loaded, 0 to 1, and the stage.

        Raises:
            ModelError, LoadError: the runner rejected the load, and exits.
            RunnerError: it ended without a report.
        """
        return await self._handshake.load(command, on_progress=on_progress)

    def watch(self, *, limit_s: float) -> None:
        """From now on, kill the runner if it neither sends nor computes anything for so long while busy."""
        self._watchdog = Watchdog(
            clock=self._clock,
            activity=lambda: None if self._requests.are_all_paused else self._link.cpu_s(),
            limit_s=limit_s,
            on_timeout=self._abort_unresponsive,
        )

    def ping(self) -> None:
        """Ping an idle runner; ``watch`` kills one that does not answer."""
        if not self._is_pinged and not self._ended.is_set():
            self._is_pinged = True
            self._link.send(Ping())
            self._watch_while_busy()

    def private_bytes(self) -> int | None:
        """Return the runner's private memory; ``None`` if it cannot be measured."""
        return self._link.private_bytes()

    def generate(self, generation: RequestState) -> None:
        """Send a request to the runner; its events go to ``generation``."""
        self._requests.generate(generation)

    def cancel(self, generation: RequestState, *, limit_s: float) -> None:
        """Cancel a request; a runner that does not react is killed, see ``CancelWatch``."""
        self._requests.cancel(generation, limit_s=limit_s)

    async def ask(self, query: PromptQuery[ReplyT]) -> ReplyT | None:
        """Return the reply to a question about a prompt; ``None`` if the runner ends first.

        Raises:
            RequestError: the prompt cannot be sent or rendered, or does not fit however it is truncated.
        """
        return None if self._ended.is_set() else await self._requests.ask(query)

    async def wait_ended(self) -> None:
        """Wait until the runner has ended or was told to exit."""
        await self._ended.wait()

    def detach(self) -> None:
        """Ignore the runner from now on: all calls that wait for it return at once.

        Its requests end as cancelled.
        """
        self._is_detached = True
        self._end(self._stopped_error())

    async def run_until_exit(self, work: Coroutine[object, object, Result]) -> Result:
        """Await ``work`` and return its result; cancel it if the runner ends first or is told to exit.

        Raises:
            RunnerError: why the runner ended.
        """
        task = asyncio.create_task(work)
        ended = asyncio.create_task(self._ended.wait())
        try:
            await asyncio.wait({task, ended}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise self._error or self._stopped_error()
            return task.result()
        finally:
            ended.cancel()
            task.cancel()
            await asyncio.wait({task, ended})

    async def stop(self, *, at_once: bool = False) -> None:
        """Stop the runner and wait until its process is reaped. Idempotent.

        Args:
            at_once: kill it, since it has nothing to save.
        """
        self.detach()
        if at_once:
            self._link.kill()
        await self._link.stop()
        self._reading.cancel()
        await asyncio.wait({self._reading})

    def _stopped_error(self) -> RunnerCrashed:
        return RunnerCrashed(model=self._name, cause=tr_noop("it was asked to stop."))

    async def _read(self) -> None:
        try:
            while True:
                report = await self._link.receive()
                self._handshake.note_activity()
                if self._watchdog is not None:
                    self._watchdog.note_activity()
                if not self._is_detached:
                    self._handle(report)
        except RunnerError as exc:
            self._link.kill()
            if not self._is_detached:
                self._end(exc)
        finally:
            # Even after a bug in this program, no call may wait for ever.
            self._end(self._protocol_error("reading its reports failed"))

    def _handle(self, report: Report) -> None:
        """Handle one report. Raises ``RunnerProtocolError`` if it is invalid or unexpected."""
        problem = ""
        match report:
            case TokensDecoded() | RequestEvent() | Answered() | PicturesRequested():
                problem = self._requests.handle(report)
            case Pong():
                if not self._is_pinged:
                    problem = "an answer to no question"
                self._is_pinged = False
                self._watch_while_busy()
            case Hello() | LoadProgressed() | Loaded() | LoadRejected():
                problem = self._handshake.handle(report)
                self._is_detached |= isinstance(report, LoadRejected) and not problem
            case _:
                assert_never(report)
        if problem:
            raise self._protocol_error(problem)

    def _protocol_error(self, detail: str) -> RunnerProtocolError:
        return RunnerProtocolError(model=self._name, detail=detail)

    def _requeue(self, generation: RequestState, error: RunnerError) -> bool:
        """Requeue a request if the runner crashed before it reported anything about it; return whether."""
        if not isinstance(error, RunnerCrashed) or self._on_requeue is None:
            return False
        if generation.has_started or generation.was_requeued:
            return False
        generation.was_requeued = True
        self._requests.remove(generation)
        self._on_requeue(generation, error)
        return True

    def _watch_while_busy(self) -> None:
        if self._watchdog is None:
            return
        if not (self._requests or self._is_pinged):
            self._watchdog.stop()
        elif not self._ended.is_set():
            self._watchdog.start()

    def _abort_unresponsive(self, limit_s: float) -> None:
        self._abort(RunnerUnresponsive(model=self._name, waited_s=limit_s))

    def _abort(self, error: RunnerError) -> None:
        self._end(error)
        self._link.kill()

    def _end(self, error: RunnerError) -> None:
        """End all waits for this runner. Only the first call has an effect."""
        if self._ended.is_set():
            return
        self._ended.set()
        if self._watchdog is not None:
            self._watchdog.stop()
        if not self._is_detached:
            self._error = error
            self._on_ended(error)
        for generation in self._requests:
            if self._is_detached or generation.is_cancelled:
                generation.finish_cancelled()
            elif self._requeue(generation, error):
                continue
            else:
                generation.fail(error)
            self._requests.release(generation)
        self._handshake.end(error)
        self._requests.end(error)
