"""The handshake with one runner and the load of its model, each with a time limit."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from typing import assert_never

from fireside.core.errors import RunnerError, error_from_info
from fireside.core.i18n import number, tr
from fireside.core.status import Device, LoadedModel, LoadStage
from fireside.engine.clock import Clock
from fireside.engine.processes.runner_process import RunnerProcess
from fireside.engine.watchdog import Deadline, Watchdog
from fireside.wire.messages import PROTOCOL_VERSION, Hello, Load, Loaded, LoadProgressed, LoadRejected

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
