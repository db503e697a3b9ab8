"""Start the speech host with the first job, and end it when it is idle."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

import psutil

from fireside.core.i18n import tr_noop
from fireside.core.speech import SpeechEnded
from fireside.speech_host.speech_messages import MAX_COMMAND_BYTES, REPORTS, Command, Report, host_command
from fireside.wire.child_process import ChildProcess

log = logging.getLogger(__name__)

IDLE_S: Final = 120.0
"""After which the process ends, and gives back the memory of its models."""
_END_S: Final = 1.0
_LOST: Final = tr_noop("Speech stopped unexpectedly. Try again; what was recorded is kept.")


class SpeechProcess:
    """One speech host at a time. All methods run on one loop."""

    def __init__(
        self,
        *,
        environment: Mapping[str, str],
        folders: Callable[[], Awaitable[tuple[str, ...]]],
        on_report: Callable[[Report], None],
        idle_s: float = IDLE_S,
    ) -> None:
        """``folders`` returns those of the components, or raises ``component_missing``.

        Every job that was sent gets a ``SpeechEnded``, whatever becomes of the process.
        """
        self._environment = environment
        self._folders = folders
        self._on_report = on_report
        self._idle_s = idle_s
        self._child: ChildProcess[Report] | None = None
        self._listening: asyncio.Task[None] | None = None
        self._idle: asyncio.TimerHandle | None = None
        self._starting = asyncio.Lock()
        self._jobs: set[int] = set()

    @property
    def pid(self) -> int | None:
        """The process, while there is one."""
        return None if self._child is None else self._child.pid

    @property
    def memory_bytes(self) -> int:
        """What the process takes now; 0 while there is none."""
        if self._child is None:
            return 0
        try:
            return int(psutil.Process(self._child.pid).memory_info().rss)
        except psutil.Error:
            return 0

    def runs(self, job: int) -> bool:
        """Whether a job has not ended."""
        return job in self._jobs

    async def start(self, command: Command) -> None:
        """Send the command that begins a job. Raises ``component_missing`` or ``OSError``."""
        async with self._starting:
            if self._child is None:
                await self._start()
        self._jobs.add(command.job)
        self._stop_idling()
        self.send(command)

    def send(self, command: Command) -> None:
        """Send a command to a job, if it still runs. Raises ``FrameError`` if it is too large."""
        if self._child is not None and command.job in self._jobs:
            self._child.channel.send(command)

    async def close(self) -> None:
        """End the process; its jobs end with it."""
        self._stop_idling()
        child, listening = self._child, self._listening
        if child is None or listening is None:
            return
        child.channel.close_output()
        if not await child.exits_within(_END_S):
            child.kill()
            await child.exited.wait()
        await asyncio.wait({listening})

    async def _start(self) -> None:
        child = await ChildProcess.start(
            host_command(await self._folders()),
            environment=self._environment,
            decoder=REPORTS,
            send_limit_bytes=MAX_COMMAND_BYTES,
        )
        child.log_to(lambda chunk: log.debug("speech host: %s", chunk.decode(errors="replace").rstrip()))
        self._child = child
        self._listening = asyncio.create_task(self._listen(child), name="speech host")

    async def _listen(self, child: ChildProcess[Report]) -> None:
        while (report := await child.channel.receive()) is not None:
            self._take(report)
        if child.channel.problem is not None:
            log.error("the speech host sent an invalid frame: %s", child.channel.problem)
        child.kill()
        await child.exited.wait()
        child.close()
        self._child = None
        self._stop_idling()
        for job in tuple(self._jobs):
            self._take(SpeechEnded(job=job, problem=_LOST))

    def _take(self, report: Report) -> None:
        if report.job not in self._jobs:
            return  # it ended, or there never was one
        if isinstance(report, SpeechEnded):
            self._jobs.discard(report.job)
            if not self._jobs and self._child is not None:
                loop = asyncio.get_running_loop()
                self._idle = loop.call_later(self._idle_s, self._child.channel.close_output)
        self._on_report(report)

    def _stop_idling(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
