"""Dry runs: a process that reports what loads would allocate, without allocating it."""

from __future__ import annotations

import contextlib
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

import msgspec

from fireside.core.closeable import Closeable
from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.i18n import tr
from fireside.core.options import LoadOptions
from fireside.core.os_errors import render_os_error
from fireside.engine.processes.guarded_process import NO_WINDOW
from fireside.wire.runner_modes import MAX_LINE_BYTES, MEASURE, MeasureReply, MeasureRequest
from fireside.wire.windows_job import KillOnExitJob

REPLY_LIMIT_S: Final = 30.0
"""Enough to start the process and read a projector of gigabytes from a slow disk."""


class DryRun(Protocol):
    """Measures loads until it is closed. Blocks; used by one thread, ``close`` from any."""

    def measure(self, path: str, options: LoadOptions) -> MeasureReply:
        """Return the memory use of the load, or a reply with ``problem``. Does not raise."""

    def close(self) -> None:
        """End the process. Idempotent."""
        ...


OpenDryRun = Callable[[str], DryRun]
"""Starts a dry run process with the runtime of that name; returns before the process is ready."""


class DryRunProcess(Closeable):
    """A ``DryRun`` in one process for all measurements until ``close``.

    Args:
        command: starts a runner, see ``runner_command``.
        environment: the whole environment, see ``runner_environment``.
    """

    def __init__(
        self, *, command: Sequence[str], environment: Mapping[str, str], limit_s: float = REPLY_LIMIT_S
    ) -> None:
        self._limit_s = limit_s
        self._stack = contextlib.ExitStack()
        self._process: subprocess.Popen[bytes] | None = None
        self._problem = ""
        try:
            process = subprocess.Popen(  # noqa: S603  # our own program
                (*command, MEASURE),
                env=dict(environment),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                creationflags=NO_WINDOW,
            )
        except OSError as exc:
            self._problem = tr("no process could be started ({reason}).").format(reason=render_os_error(exc))
            return
        self._process = process
        with contextlib.suppress(OSError):
            self._stack.enter_context(KillOnExitJob(process.pid))

    def measure(self, path: str, options: LoadOptions) -> MeasureReply:
        """Return the memory use of the load, or a reply with ``problem``."""
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            return MeasureReply(problem=self._problem)
        request = msgspec.json.encode(MeasureRequest(path=path, options=options)) + b"\n"
        # A process that hangs is killed, which ends the read below.
        timer = threading.Timer(self._limit_s, process.kill)
        timer.daemon = True
        timer.start()
        try:
            process.stdin.write(request)
            process.stdin.flush()
            line = process.stdout.readline(MAX_LINE_BYTES)
        except (OSError, ValueError):
            line = b""
        finally:
            timer.cancel()
            timer.join()
        try:
            return decode_json(line, kind=MeasureReply)
        except JsonInvalid:
            self._problem = tr("llama.cpp aborted.")
            return MeasureReply(problem=self._problem)

    def close(self) -> None:
        """End the process. Idempotent."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        # A thread that still reads a line sees the end of the pipe first.
        process.wait()
        with contextlib.suppress(OSError):
            if process.stdin is not None:
                process.stdin.close()
        if process.stdout is not None:
            process.stdout.close()
        self._stack.close()
