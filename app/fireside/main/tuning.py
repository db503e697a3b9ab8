"""Build what measures models."""

from __future__ import annotations

from typing import Final

from fireside.chat.machine.tuning import TuningParts
from fireside.engine.host import probe_host
from fireside.engine.processes.runner_process import runner_command
from fireside.engine.runtimes.spawning import RuntimeSpawner
from fireside.engine.tuning.processes import BenchProcesses
from fireside.engine.tuning.records import TuningRecords
from fireside.main.planner import build_name
from fireside.settings.paths import Paths, resources_folder

RECORDS_NAME: Final = "tunings.json"
TEXT_NAME: Final = "texts/measured.txt"


def build_tuning_parts(paths: Paths, spawner: RuntimeSpawner) -> TuningParts:
    """Return what the service of the measurements is made of."""
    return TuningParts(
        processes=BenchProcesses(command=runner_command(), environment_of=spawner.environment_of),
        records=TuningRecords(paths.data_folder / RECORDS_NAME),
        text_file=resources_folder() / TEXT_NAME,
        build_of=lambda runtime: build_name(spawner, runtime),
        probe=probe_host,
    )
