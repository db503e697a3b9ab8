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
    error_from_info,
)
from fireside.core.i18n import number, tr, tr_noop
from fireside.core.prompt_query import PromptQuery, ReplyT
from fireside.core.status import Device, LoadedModel, LoadStage
from fireside.engine.clock import Clock
from fireside.engine.processes.runner_process import RunnerProcess
from fireside.engine.request_state import RequestState
from fireside.engine.runner_requests import RunnerRequests
from fireside.engine.watchdog import Deadline, Watchdog
from fireside.wire.messages import (
    PROTOCOL_VERSION,
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


# The handshake with one runner and the load of its model, each with a time limit


HandshakeReport = Hello | LoadProgressed | Loaded | LoadRejected
"""What a runner reports before it serves requests."""


class RunnerHandshake:
    """Waits for the handshake, then for the load. On the loop's thread.

    Args:
        name: name of the model, for messages.
        load_limit_s: how long a load may show no activity.
        on_aborted: called with the reason when a time limit is over.
        on_silent: called with True when the runner has shown no activity for a while, else with False.
    """

    def __init__(
        self,
        link: RunnerProcess,
        *,
        name: str,
        clock: Clock,
        load_limit_s: float,
        on_aborted: Callable[[RunnerError], None],
        on_silent: Callable[[bool], None],
    ) -> None:
        self._link = link
        self._name = name
        self._clock = clock
        self._on_aborted = on_aborted
        self._on_silent = on_silent
        self._on_progress: Callable[[float, LoadStage], None] | None = None
        self._hello: asyncio.Future[Hello] = asyncio.get_running_loop().create_future()
        self._loaded: asyncio.Future[LoadedModel] | None = None
        self._load_watch = Watchdog(
            clock=clock,
            activity=self._activity,
            limit_s=load_limit_s,
            on_timeout=self._abort_load,
            on_silent=on_silent,
        )
        self._ended: RunnerError | None = None

    @property
    def devices(self) -> tuple[Device, ...]:
        """The devices that the runner lists in its handshake; empty before that."""
        hello = self._hello
        return hello.result().devices if hello.done() and hello.exception() is None else ()

    async def handshake(self, *, limit_s: float, silence_s: float = math.inf) -> Hello:
        """Wait for the handshake; see ``RunnerSession.handshake``."""
        deadline = Deadline(clock=self._clock, limit_s=limit_s, on_timeout=self._abort_handshake)
        watchdog = Watchdog(
            clock=self._clock,
            activity=self._activity,
            limit_s=silence_s,
            on_timeout=self._abort_handshake,
            on_silent=self._on_silent,
        )
        if silence_s < limit_s:
            watchdog.start()
        try:
            hello = await self._hello
        finally:
            deadline.cancel()
            watchdog.stop()
        if hello.protocol != PROTOCOL_VERSION:
            raise RunnerError.of(
                "runner_start_failed",
                reason=tr("it is of another version (protocol {theirs}, not {ours}).").format(
                    theirs=hello.protocol, ours=PROTOCOL_VERSION
                ),
            )
        return hello

    async def load(self, command: Load, *, on_progress: Callable[[float, LoadStage], None]) -> LoadedModel:
        """Load the model; see ``RunnerSession.load``."""
        if self._ended is not None:
            raise self._ended
        self._loaded = asyncio.get_running_loop().create_future()
        self._on_progress = on_progress
        self._link.send(command)
        self._load_watch.start()
        try:
            return await self._loaded
        finally:
            self._load_watch.stop()

    def note_activity(self) -> None:
        """Record that the runner has sent something."""
        self._load_watch.note_activity()

    def handle(self, report: HandshakeReport) -> str:
        """Handle a report. Return what is wrong with it; empty if nothing is."""
        if isinstance(report, Hello):
            if self._hello.done():
                return "a second greeting"
            self._hello.set_result(report)
            return ""
        if self._loaded is None or self._on_progress is None or self._loaded.done():
            return "news of a load that was not asked for"
        match report:
            case LoadProgressed():
                # max() also turns a NaN into 0.
                self._on_progress(min(1.0, max(0.0, report.fraction)), report.stage)
            case Loaded():
                if report.loaded.n_seq_max < 1 or report.loaded.n_ctx < 1:
                    return "a loaded model that accepts no requests"
                self._loaded.set_result(report.loaded)
            case LoadRejected():
                self._loaded.set_exception(error_from_info(report.error))
            case _:
                assert_never(report)
        return ""

    def end(self, error: RunnerError) -> None:
        """Fail all calls that wait: the runner has ended."""
        self._ended = error
        self._load_watch.stop()
        for waiting in (self._hello, self._loaded):
            if waiting is not None and not waiting.done():
                waiting.set_exception(error)
                # Retrieved here too, since the waiting call may have been cancelled.
                waiting.exception()

    def _activity(self) -> tuple[float | None, int | None] | None:
        # A stopped process has a limit here too, since other loads wait for it.
        activity = self._link.cpu_s(), self._link.read_bytes()
        return None if activity == (None, None) else activity

    def _abort_handshake(self, limit_s: float) -> None:
        reason = tr("it said nothing for {limit_s} seconds.").format(limit_s=number(limit_s))
        self._on_aborted(RunnerError.of("runner_start_failed", reason=reason))

    def _abort_load(self, limit_s: float) -> None:
        self._on_aborted(RunnerError.of("load_stalled", model=self._name, waited_s=limit_s))
