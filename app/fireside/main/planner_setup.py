"""Build the planner of loads."""

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
_IDLE_S: Final = 30.0
"""Seconds that a dry run stays open: enough for a user who tries several context lengths."""


def build_planner(
    spawner: RunnerSpawner, *, memory: DeviceMemory, measured_file: Path, cache: CacheProbe
) -> Planner:
    """Return the planner, which uses each load's runtime and stores measurements in ``measured_file``."""

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
        idle_s=_IDLE_S,
    )


def build_name(spawner: RunnerSpawner, runtime: str) -> str:
    """Return a name of a runtime's build of llama.cpp, which changes with the build. Reads the disk."""
    folder = spawner.environment_of(runtime).get(_LIBRARY_FOLDER, "")
    try:
        if folder:
            return f"{folder} {Path(folder).stat().st_mtime_ns}"
        return _package_version()
    except OSError:
        return folder


def _package_version() -> str:
    """Return the name and version of the installed binding; empty if it is not installed.

    Read from the file name, since ``importlib.metadata`` would be imported for this only.
    """
    spec = find_spec(_MODULE)
    if spec is None or spec.origin is None:
        return ""
    folders = Path(spec.origin).parents[1].glob(f"{_MODULE}*.dist-info")
    return max((folder.stem for folder in folders), default="")
