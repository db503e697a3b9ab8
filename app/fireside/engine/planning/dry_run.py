"""Dry runs: processes that report what loads would allocate, without allocating it, kept for a while."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from fireside.core.closeable import Closeable
from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.i18n import tr
from fireside.core.options import LoadOptions
from fireside.core.os_errors import render_os_error
from fireside.core.runtime import BUILT_IN
from fireside.engine.processes.guarded_process import GuardedProcess, ProcessLimits
from fireside.wire.runner_modes import MEASURE, MeasureReply, MeasureRequest

REPLY_LIMIT_S: Final = 30.0
"""Enough to start the process and read a projector of gigabytes from a slow disk."""


class DryRunProcess(Closeable):
    """One process for all measurements until ``close``. Blocks; used by one thread, ``close`` from any.

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
        """Return the memory use of the load, or a reply with ``problem``. Does not raise."""
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


OpenDryRun = Callable[[str], DryRunProcess]
"""Starts a dry run process with the runtime of that name; returns before the process is ready."""


class DryRunPool:
    """Starts dry run processes, or returns one that was released a short while ago. Any thread.

    Args:
        idle_s: how long an idle process is kept; 0 keeps none.
    """

    def __init__(self, open_dry_run: OpenDryRun, *, idle_s: float = 0.0) -> None:
        self._open = open_dry_run
        self._idle_s = idle_s
        self._lock = threading.Lock()
        self._idle: DryRunProcess | None = None
        self._timer: threading.Timer | None = None
        self._is_closed = False

    def acquire(self, runtime: str) -> tuple[DryRunProcess, bool]:
        """Return a dry run process with the runtime of that name, and whether it was used before."""
        idle = self._pop_idle() if runtime == BUILT_IN else None
        return (idle, True) if idle is not None else (self._open(runtime), False)

    def release(self, dry_run: DryRunProcess, *, runtime: str) -> None:
        """Keep ``dry_run`` for the next plan, or close it. It must not be in the middle of a reply.

        Only one with the built-in runtime is kept: the folder of another may be deleted.
        """
        with self._lock:
            may_keep = self._idle_s > 0 and runtime == BUILT_IN and self._idle is None
            if may_keep and not self._is_closed:
                self._idle = dry_run
                self._timer = threading.Timer(self._idle_s, self._end, (dry_run,))
                self._timer.daemon = True
                self._timer.start()
                return
        dry_run.close()

    def close(self) -> None:
        """Close the idle process, and keep none from now on. Idempotent."""
        with self._lock:
            self._is_closed = True
        idle = self._pop_idle()
        if idle is not None:
            idle.close()

    def _pop_idle(self) -> DryRunProcess | None:
        with self._lock:
            idle, self._idle = self._idle, None
            timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()
        return idle

    def _end(self, dry_run: DryRunProcess) -> None:
        with self._lock:
            if self._idle is not dry_run:
                return
            self._idle = self._timer = None
        dry_run.close()
