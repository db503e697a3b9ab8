"""Dry runs: a process that reports what loads would allocate, without allocating it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

import msgspec

from fireside.core.closeable import Closeable
from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.i18n import tr
from fireside.core.options import LoadOptions
from fireside.core.os_errors import render_os_error
from fireside.engine.processes.guarded_process import GuardedProcess, ProcessLimits
from fireside.wire.runner_modes import MEASURE, MeasureReply, MeasureRequest

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
        self._process: GuardedProcess | None = None
        self._problem = ""
        # What a projector takes is not limited: its load is what is measured.
        limits = ProcessLimits(time_s=limit_s, memory_bytes=sys.maxsize)
        try:
            self._process = GuardedProcess((*command, MEASURE), environment=environment, limits=limits)
        except OSError as exc:
            self._problem = tr("no process could be started ({reason}).").format(reason=render_os_error(exc))

    def measure(self, path: str, options: LoadOptions) -> MeasureReply:
        """Return the memory use of the load, or a reply with ``problem``."""
        process = self._process
        if process is None:
            return MeasureReply(problem=self._problem)
        reply = process.ask(msgspec.json.encode(MeasureRequest(path=path, options=options)))
        try:
            return decode_json(reply if isinstance(reply, bytes) else b"", kind=MeasureReply)
        except JsonInvalid:
            self._problem = tr("llama.cpp aborted.")
            return MeasureReply(problem=self._problem)

    def close(self) -> None:
        """End the process. Idempotent."""
        process, self._process = self._process, None
        if process is not None:
            process.close()
