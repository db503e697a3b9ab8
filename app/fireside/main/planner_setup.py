"""Build what plans loads."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Final

from fireside.engine.cache_budget import CacheProbe
from fireside.engine.devices.card_sources import DeviceMemory
from fireside.engine.planning.dry_run import DryRunProcess
from fireside.engine.planning.measurement_cache import MeasurementCache
from fireside.engine.planning.planner import Planner
from fireside.engine.processes.runner_process import runner_command
from fireside.engine.runtimes.runner_spawner import RunnerSpawner

_LIBRARY_FOLDER: Final = "LLAMA_CPP_LIB_PATH"
_MODULE: Final = "llama_cpp"
_KEPT_S: Final = 30.0
"""Long enough for the user who tries one context after the other."""


def build_planner(
    spawner: RunnerSpawner, *, memory: DeviceMemory, measured_file: Path, cache: CacheProbe
) -> Planner:
    """Return what plans loads with the runtime that each wants, and remembers in ``measured_file``."""

    def open_dry_run(runtime: str) -> DryRunProcess:
        return DryRunProcess(command=runner_command(), environment=spawner.environment_of(runtime))

    def build(runtime: str) -> str:
        return build_name(spawner, runtime)

    return Planner(
        open_dry_run=open_dry_run,
        measured=MeasurementCache(measured_file, build=build),
        cache=cache,
        display=lambda: memory.display_device,
        measure_devices=memory.measured,
        idle_s=_KEPT_S,
    )


def build_name(spawner: RunnerSpawner, runtime: str) -> str:
    """Name the build of llama.cpp behind a runtime: another name when it has changed. Reads the disk."""
    return _build_in(spawner.environment_of(runtime).get(_LIBRARY_FOLDER, ""))


def _build_in(folder: str) -> str:
    """Name a build by its folder and when that last changed; the built-in one by its package."""
    try:
        if folder:
            return f"{folder} {Path(folder).stat().st_mtime_ns}"
        return _installed()
    except OSError:
        return folder


def _installed() -> str:
    """Return the name and version under which the binding is installed; empty where it is not.

    What reads all that packages say of themselves would be loaded for this alone.
    """
    spec = find_spec(_MODULE)
    if spec is None or spec.origin is None:
        return ""
    notes = Path(spec.origin).parents[1].glob(f"{_MODULE}*.dist-info")
    return max((folder.stem for folder in notes), default="")
