"""What measures models in tests: the real runner, and records in a folder of their own."""

from __future__ import annotations

from pathlib import Path

from fakes.children import child_environment
from fireside.engine.host_info import probe_host
from fireside.engine.processes.runner_process import runner_command
from fireside.engine.tuning.records import TuningRecords
from fireside.engine.tuning.tuning_processes import BenchProcesses
from fireside.services.machine.tuning_service import TuningParts
from fireside.settings.paths import resources_folder

TEXT_FILE = resources_folder() / "texts" / "measured.txt"


def bench_processes() -> BenchProcesses:
    """Return what starts the real runner to be measured."""
    return BenchProcesses(command=runner_command(), environment_of=lambda _: child_environment())


def tuning_parts(folder: Path) -> TuningParts:
    """Return what the service of the measurements is made of, around the real runner."""
    return TuningParts(
        processes=bench_processes(),
        records=TuningRecords(folder / "tunings.json"),
        text_file=TEXT_FILE,
        build_of=lambda runtime: runtime,
        probe=probe_host,
    )
