"""Start runners with a model's runtime, and disable a runtime whose runners crash at start."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from enum import Enum, auto
from pathlib import Path

from fireside.core.errors import RunnerCrashed, RuntimeUnwritable
from fireside.core.options import SPIN_COUNT_AUTO
from fireside.core.runtime import BUILT_IN
from fireside.engine.processes.environment import spin_variables
from fireside.engine.processes.link import RunnerLink
from fireside.engine.processes.runner_process import RunnerProcess, StopLimits
from fireside.engine.runtimes.runtime_store import RuntimeStore
from fireside.wire.messages import Command, Loaded, LoadRejected, Report

log = logging.getLogger(__name__)


def with_runtime(environment: Mapping[str, str], *, folder: Path | None) -> dict[str, str]:
    """Return a runner's environment that makes it take its libraries from ``folder``.

    ``None`` is the built-in runtime: the environment as it is.
    """
    if folder is None:
        return dict(environment)
    return {**environment, "LLAMA_CPP_LIB_PATH": str(folder), "MTMD_CPP_LIB": str(folder)}


class RunnerSpawner:
    """Starts each runner with the runtime that is asked for; an instance is the engine's ``Spawn``.

    Args:
        command: program and arguments, see ``runner_command``.
        environment: all of it but the runtime's, see ``runner_environment``.
        on_change: is told when a runtime is given up, with a sentence about it.
    """

    def __init__(
        self,
        *,
        command: Sequence[str],
        environment: Mapping[str, str],
        store: RuntimeStore,
        on_change: Callable[[str], None] = lambda _note: None,
        limits: StopLimits | None = None,
    ) -> None:
        self._command = tuple(command)
        self._environment = dict(environment)
        self._store = store
        self._on_change = on_change
        self._limits = limits if limits is not None else StopLimits()

    async def __call__(
        self, name: str, /, *, runtime: str = BUILT_IN, spin_count: int = SPIN_COUNT_AUTO
    ) -> RunnerLink:
        """Start a runner. A runtime that may not be used, or is not there, is replaced by the built-in one.

        Raises ``RunnerStartFailed``.
        """
        folder = await asyncio.to_thread(self._store.usable_folder, runtime)
        if folder is None and runtime != BUILT_IN:
            log.warning("runtime %s may not be used; the built-in one is", runtime)
        link = await RunnerProcess.start(
            name,
            command=self._command,
            environment={**with_runtime(self._environment, folder=folder), **spin_variables(spin_count)},
            limits=self._limits,
        )
        if folder is None:
            return link
        return StartObserver(link, on_start=lambda start: self._note(runtime, start))

    def environment_of(self, runtime: str) -> dict[str, str]:
        """Return the whole environment of a process that uses ``runtime``. Reads the disk; any thread."""
        return with_runtime(self._environment, folder=self._store.usable_folder(runtime))

    async def _note(self, runtime: str, start: _Start) -> None:
        before = await asyncio.to_thread(self._store.marks)
        try:
            after = await asyncio.to_thread(
                self._store.remember,
                lambda marks: (
                    marks.with_start(runtime) if start is _Start.LOADED else marks.with_crash(runtime)
                ),
            )
        except RuntimeUnwritable as exc:
            log.warning("%s", exc)
            return
        if after.note and after.note != before.note:
            log.warning("%s", after.note)
            self._on_change(after.note)


class _Start(Enum):
    """How a runner's start went."""

    LOADED = auto()
    CRASHED = auto()


class StartObserver:
    """A ``RunnerLink`` that reports, once, whether the runner loaded its model or crashed before."""

    def __init__(self, link: RunnerLink, *, on_start: Callable[[_Start], Awaitable[None]]) -> None:
        self._link = link
        self._on_start: Callable[[_Start], Awaitable[None]] | None = on_start

    @property
    def pid(self) -> int:
        return self._link.pid

    def cpu_s(self) -> float | None:
        return self._link.cpu_s()

    def read_bytes(self) -> int | None:
        return self._link.read_bytes()

    def private_bytes(self) -> int | None:
        return self._link.private_bytes()

    def limit_memory(self, n_bytes: int) -> None:
        self._link.limit_memory(n_bytes)

    def send(self, command: Command) -> None:
        self._link.send(command)

    async def receive(self) -> Report:
        try:
            report = await self._link.receive()
        except RunnerCrashed:
            await self._tell(_Start.CRASHED)
            raise
        match report:
            case Loaded():
                await self._tell(_Start.LOADED)
            case LoadRejected():
                # It works, and has nothing more to say: its end is no crash.
                self._on_start = None
            case _:
                pass
        return report

    def kill(self) -> None:
        self._link.kill()

    async def stop(self) -> None:
        # An end that was asked for says nothing of the runtime.
        self._on_start = None
        await self._link.stop()

    async def _tell(self, start: _Start) -> None:
        tell, self._on_start = self._on_start, None
        if tell is not None:
            await tell(start)
