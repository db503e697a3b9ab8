"""Compile llama-cpp-python for this machine, once for all checkouts of this user."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from provision.backend import OVERRIDE, Backend, Choice
from provision.console import Task
from provision.failure import SetupFailure
from provision.file_lock import file_lock
from provision.layout import python_of, scripts_of
from provision.llama_source import prepare_source
from provision.lock_files import Pin
from provision.ninja_progress import read_progress
from provision.process import Program, run_program
from provision.processor import processor_identity
from provision.stamps import fingerprint
from provision.system_needs import CXX, C, compiles

OPTIONS = (
    "-DGGML_RPC=ON",  # the tests stand RPC devices on loopback in for GPUs
    "-DLLAMA_OPENSSL=OFF",  # we fetch nothing through llama.cpp; else the library would need libssl
)

_BUILD = "import sys, scikit_build_core.build as b; sys.stdout.write(b.build_wheel(sys.argv[1]) + '\\n')"


@dataclass(frozen=True, kw_only=True)
class Build:
    """One way of compiling one version. ``tools`` is the lock file of what the build itself uses."""

    pin: Pin
    choice: Choice
    tools: Path
    cache: Path

    @property
    def options(self) -> tuple[str, ...]:
        return OPTIONS + self.choice.options

    @cached_property
    def compiler_flags(self) -> tuple[str, ...]:
        """Flags that a native build needs on this processor, if the compiler knows them."""
        return native_flags(processor_identity()) if sys.platform == "linux" else ()

    @cached_property
    def key(self) -> str:
        """Differs for every build that may not stand in for this one."""
        system = [sys.platform, platform.machine(), *platform.libc_ver()]
        return fingerprint(
            [self.pin.text, *self.options, *self.compiler_flags, *system, processor_identity()]
        )

    @property
    def finished(self) -> Path:
        """The folder that holds the wheel, and exists only when it is whole."""
        return self.cache / "wheels" / self.key

    @property
    def work(self) -> Path:
        """Where it is compiled. Kept when interrupted, so that the next run goes on from there."""
        return self.cache / "builds" / self.key

    def wheel(self) -> Path | None:
        """Return the finished wheel, or None."""
        return next(self.finished.glob("*.whl"), None)


def native_flags(processor: str) -> tuple[str, ...]:
    """Return the flags that keep a native build from using what does not work.

    On processors with AMX (Xeon since 2023) llama.cpp crashes in its first matrix product when GCC compiled
    it: the compiler drops the tile configuration that is written just before its use.
    https://github.com/ggml-org/llama.cpp/pull/26954
    """
    return ("-mno-amx-int8",) if "amx_int8" in processor.split() else ()


def build_wheel(build: Build, *, task: Task, log: Path) -> Path:
    """Return the wheel of ``build``, compiling it if no earlier run did. Minutes long."""
    lock = build.work.with_name(build.key + ".lock")
    with file_lock(
        lock, on_wait=lambda: task.progress("waiting for another set-up that compiles it")
    ) as held:
        if (wheel := build.wheel()) is not None:
            return wheel
        try:
            prepare_source(build.work, pin=build.pin, tools=build.tools, task=task, log=log)
            _compile(build, task=task, log=log, held=held)
        except SetupFailure:
            # What failed may have left something broken behind; only an interruption keeps its work.
            shutil.rmtree(build.work, ignore_errors=True)
            raise
        _publish(build)
    wheel = build.wheel()
    assert wheel is not None
    return wheel


def _compile(build: Build, *, task: Task, log: Path, held: int) -> None:
    tools = build.work / "tools"
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or str(os.cpu_count() or 1)
    variables = {
        "CMAKE_ARGS": " ".join((os.environ.get("CMAKE_ARGS", ""), *build.options)).strip(),
        "CMAKE_BUILD_PARALLEL_LEVEL": jobs,
        "SKBUILD_BUILD_DIR": str(build.work / "build"),
        "PATH": os.pathsep.join((str(scripts_of(tools)), os.environ.get("PATH", os.defpath))),
    }
    if sys.platform != "win32":
        variables["CMAKE_GENERATOR"] = "Ninja"
    for name, language in (("CFLAGS", C), ("CXXFLAGS", CXX)):
        known = [
            flag for flag in build.compiler_flags if compiles(language, header="stddef.h", flags=(flag,))
        ]
        variables[name] = " ".join((os.environ.get(name, ""), *known)).strip()

    def show(line: str) -> None:
        if (seen := read_progress(line)) is not None:
            task.progress(f"{seen.n_done} of {seen.n_total} files", fraction=seen.fraction)

    task.progress("looking at the compiler")
    run_program(
        Program(
            command=[python_of(tools), "-c", _BUILD, build.work / "wheel"],
            folder=build.work / "source",
            variables=variables,
            log=log,
            held_file=held,
            failed="llama.cpp could not be compiled.",
            advice=_advice(build.choice),
        ),
        on_line=show,
        on_tick=task.tick,
    )


def _advice(choice: Choice) -> str:
    if choice.backend is Backend.CPU:
        return "The first error in the log says why. Once it is put right, run the same command again."
    return (
        "The first error in the log says why. To go on without the graphics card, run: "
        f"{OVERRIDE}=cpu make run"
    )


def _publish(build: Build) -> None:
    """Put the wheel in its place in one step, and clear away what made it."""
    build.finished.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(build.finished, ignore_errors=True)
    (build.work / "wheel").replace(build.finished)
    shutil.rmtree(build.work, ignore_errors=True)
