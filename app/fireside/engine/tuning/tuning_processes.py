"""The processes of a benchmark: runners with additional variables, and one that keeps a core busy."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Final

from fireside.engine.processes.guarded_process import NO_WINDOW
from fireside.engine.processes.runner_process import RunnerProcess, StopLimits
from fireside.wire.runner_modes import KEEP_BUSY
from fireside.wire.windows_job import KillOnExitJob

_NAME: Final = "the model that is measured"


class BenchProcesses:
    """Starts processes of this program.

    Args:
        command: starts a runner, see ``runner_command``.
        environment_of: returns the complete environment of a runtime. Reads the disk; any thread.
    """

    def __init__(self, *, command: Sequence[str], environment_of: Callable[[str], Mapping[str, str]]) -> None:
        self._command = tuple(command)
        self._environment_of = environment_of

    async def start_runner(self, runtime: str, variables: Mapping[str, str]) -> RunnerProcess:
        """Start a runner with additional ``variables``. Raises ``runner_start_failed``."""
        environment = await asyncio.to_thread(self._environment_of, runtime)
        return await RunnerProcess.start(
            _NAME, command=self._command, environment={**environment, **variables}, limits=StopLimits()
        )

    @contextlib.asynccontextmanager
    async def busy_core(self, runtime: str) -> AsyncIterator[None]:
        """Keep one core busy while the block runs. Raises ``OSError``."""
        environment = await asyncio.to_thread(self._environment_of, runtime)
        process = await asyncio.to_thread(self._start_busy, environment)
        try:
            with contextlib.ExitStack() as stack:
                with contextlib.suppress(OSError):  # It exits at the end of its input, too.
                    stack.enter_context(KillOnExitJob(process.pid))
                yield
        finally:
            process.kill()
            await asyncio.to_thread(process.wait)
            if process.stdin is not None:
                with contextlib.suppress(OSError):
                    process.stdin.close()

    def _start_busy(self, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(  # noqa: S603  # our own program
            (*self._command, KEEP_BUSY),
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            creationflags=NO_WINDOW,
        )
