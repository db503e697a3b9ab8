"""Build one kind of runtime: `python3 installer/runtimes/build.py portable`.

The source is the llama.cpp inside the locked llama-cpp-python, checked against its hash, so that the
libraries match Fireside's binding. The result is an archive for `fireside runtime add`. An interrupted build
resumes.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from provision.console import Console, Task
from provision.environment import TRY_AGAIN
from provision.failure import SetupFailure
from provision.file_lock import file_lock
from provision.layout import Layout, find_layout, scripts_of
from provision.llama_source import prepare_source
from provision.lock_files import BUILD, RUN, Pin, pin_of, read_pins
from provision.ninja_progress import read_progress
from provision.process import Program, run_program
from provision.steps import LLAMA
from runtimes.kinds import COMMON, KINDS, Kind
from runtimes.packing import collect, llama_cpp_version, pack, this_platform, write_manifest
from runtimes.vulkan_sdk import vulkan_options


@dataclass(frozen=True, kw_only=True)
class Job:
    """The build of one runtime."""

    kind: Kind
    pin: Pin
    tools: Path
    work: Path
    output: Path
    n_jobs: int
    more: tuple[str, ...]

    @property
    def source(self) -> Path:
        return self.work / "source" / "vendor" / "llama.cpp"

    @property
    def build_folder(self) -> Path:
        return self.work / self.kind.name

    @property
    def log(self) -> Path:
        return self.work / f"{self.kind.name}.log"


def main(arguments: Sequence[str]) -> int:
    """Build the runtime of the command line; return the exit status."""
    parsed = _parser().parse_args(arguments)
    console = Console(stream=sys.stdout)
    if hasattr(signal, "SIGTERM"):
        # Ends the processes of the build, as Ctrl+C does.
        signal.signal(signal.SIGTERM, _interrupt)
    try:
        job = job_for(
            KINDS[parsed.kind],
            layout=find_layout(),
            output=parsed.output,
            n_jobs=parsed.jobs,
            more=parsed.cmake,
        )
        archive = build(job, console=console)
    except SetupFailure as failure:
        console.show_failure(failure)
        return 1
    except KeyboardInterrupt:
        console.say("\nStopped. The next start goes on from here.")
        return 130
    console.say(f"{archive} ({archive.stat().st_size / 1e6:.1f} MB)")
    console.say(f"Add it with: fireside runtime add {archive}")
    return 0


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def build(job: Job, *, console: Console) -> Path:
    """Compile and pack a runtime; return the archive. Takes minutes. Raises SetupFailure."""
    with (
        console.task(f"The {job.kind.name} runtime") as task,
        file_lock(job.work / "lock", on_wait=lambda: task.progress("waiting for another build")),
    ):
        prepare_source(job.work, pin=job.pin, tools=job.tools, task=task, log=job.log)
        _configure(job, task=task)
        _compile(job, task=task)
        task.progress("packing")
        version = llama_cpp_version(job.source)
        name, system = job.kind.packed_as or job.kind.name, job.kind.system or this_platform()
        folder = job.output / f"{name}-{version}-{system}"
        collect(job.build_folder / "bin", source=job.source, target=folder, strip=job.kind.strip)
        write_manifest(folder, name=name, llama_cpp=version, binding=job.pin.version, system=system)
        archive = folder.with_name(f"{folder.name}.tar.xz")
        pack(folder, archive=archive)
    return archive


def _configure(job: Job, *, task: Task) -> None:
    task.progress("looking at the compiler")
    sdk_options = vulkan_options(job.work, task=task, log=job.log) if job.kind.name == "vulkan" else ()
    origin = "@loader_path" if sys.platform == "darwin" else "$ORIGIN"
    options = (*COMMON, f"-DCMAKE_INSTALL_RPATH={origin}", *job.kind.options, *sdk_options, *job.more)
    generator = () if sys.platform == "win32" else ("-G", "Ninja")
    command = ("cmake", "-S", str(job.source), "-B", str(job.build_folder), *generator, *options)
    # CMake caches paths, and fails once one of them has changed.
    record, text = job.build_folder / "configured-by.txt", "\n".join(command)
    is_unchanged = record.is_file() and record.read_text(encoding="utf-8") == text
    _run(job, command if is_unchanged else (*command, "--fresh"), task=task)
    record.write_text(text, encoding="utf-8")


def _compile(job: Job, *, task: Task) -> None:
    targets = ("llama", "mtmd", *((job.kind.backend,) if job.kind.backend else ()))
    command = (
        "cmake",
        "--build",
        str(job.build_folder),
        "--config",
        "Release",
        "--parallel",
        str(job.n_jobs),
    )
    _run(job, (*command, "--target", *targets), task=task)


def _run(job: Job, command: Sequence[str], *, task: Task) -> None:
    def show(line: str) -> None:
        if (progress := read_progress(line)) is not None:
            task.progress(f"{progress.n_done} of {progress.n_total} files", fraction=progress.fraction)

    tools = scripts_of(job.work / "tools")
    run_program(
        Program(
            command=command,
            variables={"PATH": os.pathsep.join((str(tools), os.environ.get("PATH", os.defpath)))},
            log=job.log,
            failed=f"The {job.kind.name} runtime could not be compiled.",
            advice=f"The first error in the log says why. {TRY_AGAIN}",
        ),
        on_line=show,
        on_tick=task.tick,
    )


def job_for(
    kind: Kind,
    *,
    layout: Layout,
    output: Path | None = None,
    n_jobs: int | None = None,
    more: Sequence[str] = (),
) -> Job:
    """Return the build of ``kind`` from the locked source."""
    locked = (layout.root / RUN).read_text(encoding="utf-8")
    return Job(
        kind=kind,
        pin=pin_of(read_pins(locked), name=LLAMA),
        tools=layout.root / BUILD,
        work=layout.cache / "runtimes",
        output=layout.build / "runtimes" if output is None else output.absolute(),
        n_jobs=n_jobs or os.cpu_count() or 1,
        more=tuple(more),
    )


def _parser() -> argparse.ArgumentParser:
    kinds = "\n".join(f"  {kind.name:<10}{kind.description} ({kind.proof.value})" for kind in KINDS.values())
    parser = argparse.ArgumentParser(
        prog="build.py",
        description="Build a runtime for Fireside from the source of llama.cpp.",
        epilog=f"kinds:\n{kinds}\n",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("kind", choices=list(KINDS))
    parser.add_argument("--output", type=Path, metavar="FOLDER", help="where it goes; else build/runtimes")
    parser.add_argument("--jobs", type=int, metavar="N", help="compilers at once; else one a core")
    parser.add_argument(
        "--cmake",
        action="append",
        default=[],
        metavar="OPTION",
        help="one more option, as --cmake=-DNAME=VALUE",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
