"""Real child processes: how to start them, and how to know that one has gone."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import psutil

import fireside
from fakes.fake_runner import Script, fake_runner_command
from fakes.model_entries import starter_spec
from fireside.chat.attachments import READ_LIMITS, FileReadingProcess
from fireside.core.ids import ModelId
from fireside.core.model import ModelSpec
from fireside.core.options import SPIN_COUNT_AUTO
from fireside.core.runtime import BUILT_IN
from fireside.documents.messages import reading_command
from fireside.engine.one_shot_programs import RuleCheck, TemplateExample
from fireside.engine.processes.environment import runner_environment, spin_variables
from fireside.engine.processes.guarded_process import ProcessLimits
from fireside.engine.processes.runner_process import RunnerProcess, StopLimits, runner_command
from fireside.gguf import model_spec, read_header

GONE_LIMIT_S = 20.0
"""How long a test waits for a process to end before it fails. Far above what it takes."""

APP_FOLDER = Path(fireside.__file__).parent.parent
TESTS_FOLDER = Path(__file__).parent.parent


def child_environment() -> dict[str, str]:
    """Return what a runner gets in a checkout."""
    return runner_environment(os.environ, app_folder=APP_FOLDER)


class RunnerSpawner:
    """Starts runner processes with one environment, whatever runtime is asked for; a ``Spawn``.

    Args:
        command: program and arguments, see ``runner_command``.
        environment: all of it, see ``runner_environment``.
    """

    def __init__(
        self, *, command: Sequence[str], environment: Mapping[str, str], limits: StopLimits | None = None
    ) -> None:
        self._command = tuple(command)
        self._environment = dict(environment)
        self._limits = limits if limits is not None else StopLimits()

    async def __call__(
        self,
        name: str,
        /,
        *,
        runtime: str = BUILT_IN,
        spin_count: int = SPIN_COUNT_AUTO,
    ) -> RunnerProcess:
        """Start a runner for the model called ``name``. Raises ``runner_start_failed``."""
        return await RunnerProcess.start(
            name,
            command=self._command,
            environment={**self._environment, **spin_variables(spin_count)},
            limits=self._limits,
        )


def fake_spawner(script: Script, *, limits: StopLimits | None = None) -> RunnerSpawner:
    """Return a spawner of fake runners that are real child processes."""
    return RunnerSpawner(command=fake_runner_command(script), environment=child_environment(), limits=limits)


def real_spawner() -> RunnerSpawner:
    """Return a spawner of the runner that the program ships."""
    return RunnerSpawner(command=runner_command(), environment=child_environment())


def template_examples(*, limits: ProcessLimits | None = None) -> TemplateExample:
    """Return what shows a chat template at work, in the process that the program ships."""
    return TemplateExample(command=runner_command(), environment=child_environment(), limits=limits)


def rule_checks(*, limits: ProcessLimits | None = None) -> RuleCheck:
    """Return what checks rules for answers, in the process that the program ships."""
    return RuleCheck(command=runner_command(), environment=child_environment(), limits=limits)


def file_reading(*, limits: ProcessLimits = READ_LIMITS) -> FileReadingProcess:
    """Return what reads attached files, in the process that the program ships."""
    return FileReadingProcess(command=reading_command(), environment=child_environment(), limits=limits)


def starter_at(path: Path) -> ModelSpec:
    """Return the facts of the starter model that lies at ``path``."""
    return msgspec.structs.replace(starter_spec(), path=str(path), n_head_kv=3, head_dim=64)


def model_at(path: Path) -> ModelSpec:
    """Return the facts of the model that lies at ``path``, as its header has them."""
    return model_spec(read_header(path), path=str(path), id=ModelId(path.stem))


def wait_until_gone(pid: int) -> None:
    """Return once the process has ended, reaped or not; fail if it does not."""
    if sys.platform != "linux":
        try:
            psutil.Process(pid).wait(GONE_LIMIT_S)
        except psutil.NoSuchProcess:
            return
        return
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        assert select.select([handle], [], [], GONE_LIMIT_S)[0], f"process {pid} still runs"
    finally:
        os.close(handle)
