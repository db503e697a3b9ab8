"""Start the tool host process and exchange messages with it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from fireside.tool_host.host_messages import REPORTS, Command, EndHost, Report
from fireside.wire.child_process import ChildProcess

log = logging.getLogger(__name__)

_END_S: Final = 5.5
"""Stopping a server takes 4 s at most."""


class HostLink:
    """One tool host process. All methods run on one loop."""

    def __init__(
        self,
        child: ChildProcess[Report],
        *,
        on_report: Callable[[Report], None],
        on_end: Callable[[], None],
    ) -> None:
        self._child = child
        self._on_report = on_report
        self._on_end = on_end
        child.log_to(_log_chunk)
        self._listening = asyncio.create_task(self._listen(), name="tool host")

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        on_report: Callable[[Report], None],
        on_end: Callable[[], None],
    ) -> HostLink:
        """Start the process. Raises ``OSError``."""
        child = await ChildProcess.start(command, environment=environment, decoder=REPORTS)
        return cls(child, on_report=on_report, on_end=on_end)

    @property
    def pid(self) -> int:
        return self._child.pid

    def send(self, command: Command) -> None:
        """Send a command, unless the host has exited. Raises ``FrameError`` if it is too large."""
        self._child.channel.send(command)

    def kill(self) -> None:
        """Kill the host, and with it its servers."""
        self._child.kill()

    async def close(self) -> None:
        """Stop the host and its servers gracefully."""
        self.send(EndHost())
        self._child.channel.close_output()
        if not await self._child.exits_within(_END_S):
            self.kill()
            await self._child.exited.wait()
        self._child.close()
        await asyncio.wait({self._listening})

    async def _listen(self) -> None:
        while (report := await self._child.channel.receive()) is not None:
            self._on_report(report)
        if self._child.channel.problem is not None:
            log.error("the tool host sent an invalid frame: %s", self._child.channel.problem)
            self.kill()
        self._on_end()


def _log_chunk(chunk: bytes) -> None:
    log.info("tool host: %s", chunk.decode(errors="replace").rstrip())
