"""Compile llama.cpp while the program already runs: a checkout's window opens before that is done."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Final

import msgspec
import psutil

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import RunnerError
from fireside.core.i18n import tr_noop
from fireside.engine.processes.guarded_process import NO_WINDOW
from fireside.wire.windows_job import KillOnExitJob

log = logging.getLogger(__name__)

if sys.platform == "win32":
    _LOW_PRIORITY: Final = psutil.BELOW_NORMAL_PRIORITY_CLASS
else:
    _LOW_PRIORITY: Final = 10
_TELLING: Final = 0.05
"""The part of the work from which its duration tells what is left."""


class SetupProgress(msgspec.Struct, frozen=True, kw_only=True):
    """How far set-up is."""

    fraction: float = 0.0
    """0 to 1."""
    left_s: float | None = None
    """About how many seconds it still takes; ``None`` if that is not known."""


class _Line(msgspec.Struct, frozen=True, kw_only=True):
    """A line of ``ProgressLines`` in ``installer/provision/console.py``."""

    fraction: float | None = None
    elapsed_s: float = 0.0
    sentence: str = ""
    advice: str = ""
    log: str = ""


class LlamaSetup:
    """The set-up that compiles llama.cpp. Lives on one event loop.

    Args:
        command: compiles it and reports in lines; ``None`` where it is compiled.
    """

    def __init__(self, command: Sequence[str] | None = None) -> None:
        self._command = command
        self._progress = SetupProgress()
        self._listeners: list[Callable[[SetupProgress], None]] = []
        self._run: asyncio.Task[None] | None = None

    @property
    def is_done(self) -> bool:
        """Whether runners can be started."""
        return self._command is None

    def checked(self, environment: dict[str, str]) -> dict[str, str]:
        """Return the environment of a runner that cannot wait. Any thread.

        Raises:
            runner_start_failed: llama.cpp is not compiled yet.
        """
        if not self.is_done:
            raise RunnerError.of("runner_start_failed", reason=tr_noop("llama.cpp is still being compiled."))
        return environment

    def start(self) -> None:
        """Begin, if there is anything to do and it has not begun. After a failure it begins again."""
        if self._command is not None and (self._run is None or self._run.done()):
            self._run = asyncio.create_task(self._compile(self._command), name="compile llama.cpp")

    async def wait(self, on_progress: Callable[[SetupProgress], None]) -> None:
        """Return once runners can be started; begins it. Others may wait too, and stop waiting.

        Raises:
            runner_start_failed: llama.cpp could not be compiled.
        """
        self.start()
        if self._run is None:
            return
        self._listeners.append(on_progress)
        try:
            on_progress(self._progress)
            await asyncio.shield(self._run)
        finally:
            self._listeners.remove(on_progress)

    async def close(self) -> None:
        """End it. What is compiled stays, and the next start goes on from there."""
        if self._run is not None:
            self._run.cancel()
            await asyncio.wait({self._run})

    async def _compile(self, command: Sequence[str]) -> None:
        failure = _Line()
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                creationflags=NO_WINDOW,
            )
        except OSError as exc:
            raise RunnerError.of("runner_start_failed", reason=f"{exc}.") from exc
        assert process.stdout is not None
        with contextlib.ExitStack() as stack:
            with contextlib.suppress(OSError, psutil.Error):
                stack.enter_context(KillOnExitJob(process.pid))
                psutil.Process(process.pid).nice(_LOW_PRIORITY)  # the window comes first
            try:
                async for text in process.stdout:
                    with contextlib.suppress(JsonInvalid):
                        line = decode_json(text, kind=_Line)
                        failure = line if line.sentence else failure
                        self._report(line)
                status = await process.wait()
            except BaseException:
                with contextlib.suppress(ProcessLookupError):
                    process.terminate()
                await process.wait()
                raise
        if status:
            log.warning("llama.cpp was not compiled: %s %s", failure.sentence, failure.log)
            raise RunnerError.of("runner_start_failed", reason=_reason(failure))
        self._command = None

    def _report(self, line: _Line) -> None:
        if line.fraction is None:
            return
        fraction = min(max(line.fraction, 0.0), 1.0)
        left_s = line.elapsed_s / fraction * (1 - fraction) if fraction >= _TELLING else None
        self._progress = SetupProgress(fraction=fraction, left_s=left_s)
        for listener in self._listeners:
            listener(self._progress)


def _reason(failure: _Line) -> str:
    if not failure.sentence:
        return tr_noop("llama.cpp could not be compiled.")
    return " ".join(part for part in (failure.sentence, failure.advice, failure.log) if part)
