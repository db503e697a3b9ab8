"""Start runners with a model's runtime, and disable a runtime whose runners crash at start."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from enum import Enum, auto
from pathlib import Path

from fireside.core.errors import RunnerCrashed, RuntimeBuildError
from fireside.core.options import SPIN_COUNT_AUTO
from fireside.core.runtime import BUILT_IN
from fireside.engine.processes.environment import spin_variables
from fireside.engine.processes.link import RunnerLink
from fireside.engine.processes.runner_process import RunnerProcess, StopLimits
from fireside.engine.runtimes.runtime_store import RuntimeStore
from fireside.wire.messages import Command, Loaded, LoadRejected, Report

log = logging.getLogger(__name__)


def with_runtime(environment: Mapping[str, str], *, folder: Path | None) -> dict[str, str]:
    """Return ``environment`` with the variables that make a runner load its libraries from ``folder``.

    ``None`` is the built-in runtime, for which it stays unchanged.
    """
    if folder is None:
        return dict(environment)
    return {**environment, "LLAMA_CPP_LIB_PATH": str(folder), "MTMD_CPP_LIB": str(folder)}


class RunnerSpawner:
    """Starts each runner with the requested runtime; an instance is the engine's ``Spawn``.

    Args:
        command: starts a runner, see ``runner_command``.
        environment: the environment without the variables of a runtime, see ``runner_environment``.
        on_change: called when a runtime is disabled, with a sentence for the user.
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
        """Start a runner. A runtime that is missing or must not be used is replaced by the built-in one.

        Raises ``runner_start_failed``.
        """
        folder = await asyncio.to_thread(self._store.usable_folder, runtime)
        if folder is None and runtime != BUILT_IN:
            log.warning("runtime %s cannot be used; using the built-in one", runtime)
        link = await RunnerProcess.start(
            name,
            command=self._command,
            environment={**with_runtime(self._environment, folder=folder), **spin_variables(spin_count)},
            limits=self._limits,
        )
        if folder is None:
            return link
        return StartObserver(link, on_start=lambda result: self._record(runtime, result))

    def environment_of(self, runtime: str) -> dict[str, str]:
        """Return the complete environment of a process that uses ``runtime``. Reads the disk; any thread."""
        return with_runtime(self._environment, folder=self._store.usable_folder(runtime))

    async def _record(self, runtime: str, result: _StartResult) -> None:
        before = await asyncio.to_thread(self._store.history)
        try:
            after = await asyncio.to_thread(
                self._store.update_history,
                lambda history: (
                    history.with_start(runtime)
                    if result is _StartResult.LOADED
                    else history.with_crash(runtime)
                ),
            )
        except RuntimeBuildError as exc:
            log.warning("%s", exc)
            return
        if after.note and after.note != before.note:
            log.warning("%s", after.note)
            self._on_change(after.note)


class _StartResult(Enum):
    """The result of a runner's start."""

    LOADED = auto()
    CRASHED = auto()


class StartObserver:
    """A ``RunnerLink`` that reports once whether the runner has loaded its model or crashed before that."""

    def __init__(self, link: RunnerLink, *, on_start: Callable[[_StartResult], Awaitable[None]]) -> None:
        self._link = link
        self._on_start: Callable[[_StartResult], Awaitable[None]] | None = on_start

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
            await self._report(_StartResult.CRASHED)
            raise
        match report:
            case Loaded():
                await self._report(_StartResult.LOADED)
            case LoadRejected():
                # The runtime works; the exit that follows is no crash.
                self._on_start = None
            case _:
                pass
        return report

    def kill(self) -> None:
        self._link.kill()

    async def stop(self) -> None:
        # A requested exit says nothing about the runtime.
        self._on_start = None
        await self._link.stop()

    async def _report(self, result: _StartResult) -> None:
        on_start, self._on_start = self._on_start, None
        if on_start is not None:
            await on_start(result)
