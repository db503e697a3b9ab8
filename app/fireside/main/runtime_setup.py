"""Build the spawner of runners, and the store of the builds of llama.cpp that they use."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from fireside.engine.clock import LoopClock
from fireside.engine.processes.environment import runner_environment
from fireside.engine.processes.llama_setup import LlamaSetup
from fireside.engine.processes.runner_process import runner_command
from fireside.engine.runtimes.runner_spawner import RunnerSpawner
from fireside.engine.runtimes.runtime_store import RuntimeStore
from fireside.engine.runtimes.smoke_test import SmokeTest
from fireside.library.starter import starter_folder
from fireside.main.startup_context import StartupContext
from fireside.services.machine.runtime_service import RuntimeParts
from fireside.settings.conversions import load_options
from fireside.settings.paths import Paths
from fireside.updates.runtime_downloads import RuntimeDownloads


def base_environment() -> dict[str, str]:
    """Return the environment of child processes that use the built-in runtime or none."""
    return runner_environment(os.environ, app_folder=Path(__file__).resolve().parents[2])


def build_llama_setup() -> LlamaSetup:
    """Return the set-up that compiles llama.cpp, if this is a checkout where that is not done yet."""
    script = Path(__file__).resolve().parents[3] / "installer" / "bootstrap.py"
    if find_spec("llama_cpp") is not None or not script.is_file():
        return LlamaSetup()
    return LlamaSetup((sys.executable, str(script), "llama"))


def build_spawner(paths: Paths, *, on_change: Callable[[str], None] = lambda _note: None) -> RunnerSpawner:
    """Return the spawner of runners, each with the runtime of its model.

    ``on_change`` receives a sentence when a runtime is abandoned because its runners do not start.
    """
    return RunnerSpawner(
        command=runner_command(),
        environment=base_environment(),
        store=RuntimeStore(paths.runtimes_folder),
        on_change=on_change,
    )


def build_runtime_parts(paths: Paths, *, downloads: RuntimeDownloads | None = None) -> RuntimeParts:
    """Return the parts of the runtime service."""
    # The bundled folder contains one model.
    model = next(iter(sorted(starter_folder().glob("*.gguf"))), starter_folder() / "starter.gguf")
    trial = SmokeTest(
        command=runner_command(), environment=base_environment(), model=model, clock=LoopClock()
    )
    return RuntimeParts(store=RuntimeStore(paths.runtimes_folder), smoke_test=trial, downloads=downloads)


def runtime_in_use(context: StartupContext) -> str:
    """Return the name of the runtime of models without a setting of their own."""
    return load_options(context.settings.resolved()).runtime
