"""Start runners with a model's runtime, and disable a runtime whose runners crash at start."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from fireside.core.errors import RuntimeBuildError
from fireside.core.options import SPIN_COUNT_AUTO
from fireside.core.runtime import BUILT_IN
from fireside.engine.processes.environment import spin_variables
from fireside.engine.processes.runner_process import RunnerProcess, StopLimits
from fireside.engine.runtimes.runtime_store import RuntimeStore

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
    ) -> RunnerProcess:
        """Start a runner. A runtime that is missing or must not be used is replaced by the built-in one.

        Raises ``runner_start_failed``.
        """
        folder = await asyncio.to_thread(self._store.usable_folder, runtime)
        if folder is None and runtime != BUILT_IN:
            log.warning("runtime %s cannot be used; using the built-in one", runtime)
        return await RunnerProcess.start(
            name,
            command=self._command,
            environment={**with_runtime(self._environment, folder=folder), **spin_variables(spin_count)},
            limits=self._limits,
            on_start=None if folder is None else partial(self._record, runtime),
        )

    def environment_of(self, runtime: str) -> dict[str, str]:
        """Return the complete environment of a process that uses ``runtime``. Reads the disk; any thread."""
        return with_runtime(self._environment, folder=self._store.usable_folder(runtime))

    async def _record(self, runtime: str, is_loaded: bool) -> None:
        before = await asyncio.to_thread(self._store.history)
        try:
            after = await asyncio.to_thread(
                self._store.update_history,
                lambda history: history.with_start(runtime) if is_loaded else history.with_crash(runtime),
            )
        except RuntimeBuildError as exc:
            log.warning("%s", exc)
            return
        if after.note and after.note != before.note:
            log.warning("%s", after.note)
            self._on_change(after.note)
