"""Build the parts of the tuning service."""

from __future__ import annotations

from typing import Final

from fireside.engine.host_info import probe_host
from fireside.engine.processes.runner_process import runner_command
from fireside.engine.runtimes.runner_spawner import RunnerSpawner
from fireside.engine.tuning.records import TuningRecords
from fireside.engine.tuning.tuning_processes import BenchProcesses
from fireside.main.planner_setup import build_name
from fireside.services.machine.tuning_service import TuningParts
from fireside.settings.paths import Paths, resources_folder

RECORDS_NAME: Final = "tunings.json"
TEXT_NAME: Final = "texts/measured.txt"


def build_tuning_parts(paths: Paths, spawner: RunnerSpawner) -> TuningParts:
    """Return the parts of the tuning service."""
    return TuningParts(
        processes=BenchProcesses(command=runner_command(), environment_of=spawner.environment_of),
        records=TuningRecords(paths.data_folder / RECORDS_NAME),
        text_file=resources_folder() / TEXT_NAME,
        build_of=lambda runtime: build_name(spawner, runtime),
        probe=probe_host,
    )
