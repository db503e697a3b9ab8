"""Compile llama-cpp-python for this machine, once for all checkouts of this user."""

from __future__ import annotations

import os
import platform
import shlex
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

ONLY_LIBRARIES = Path(__file__).with_name("only_libraries.cmake")
OPTIONS = (
    # Tests use RPC devices on loopback as stand-ins for GPUs; two files, fewer than a build of its own.
    "-DGGML_RPC=ON",
    "-DLLAMA_OPENSSL=OFF",  # llama.cpp downloads nothing here; with OpenSSL the library would need libssl
)

_BUILD = "import sys, scikit_build_core.build as b; sys.stdout.write(b.build_wheel(sys.argv[1]) + '\\n')"


@dataclass(frozen=True, kw_only=True)
class Build:
    """A build of one version for one backend. ``tools`` is the lock file of the build tools."""

    pin: Pin
    choice: Choice
    tools: Path
    cache: Path

    @property
    def options(self) -> tuple[str, ...]:
        return OPTIONS + self.choice.options

    @cached_property
    def compiler_flags(self) -> tuple[str, ...]:
        """Flags that a native build needs on this processor, if the compiler supports them."""
        return native_flags(processor_identity()) if sys.platform == "linux" else ()

    @cached_property
    def key(self) -> str:
        """Identifies builds that can replace each other."""
        system = [sys.platform, platform.machine(), *platform.libc_ver()]
        return fingerprint(
            [
                self.pin.text,
                *self.options,
                ONLY_LIBRARIES.read_text(encoding="utf-8"),
                *self.compiler_flags,
                *system,
                processor_identity(),
            ]
        )

    @property
    def finished(self) -> Path:
        """The folder of the wheel, which exists only if the wheel is complete."""
        return self.cache / "wheels" / self.key

    @property
    def work(self) -> Path:
        """The folder of the compilation, which is kept after an interruption, so that the next run
        resumes."""
        return self.cache / "builds" / self.key

    def wheel(self) -> Path | None:
        """Return the finished wheel, or None."""
        return next(self.finished.glob("*.whl"), None)


def native_flags(processor: str) -> tuple[str, ...]:
    """Return the flags that disable instructions that do not work in a native build.

    On processors with AMX (Xeon since 2023) llama.cpp crashes in its first matrix product when GCC compiled
    it: the compiler drops the tile configuration that is written just before its use.
    https://github.com/ggml-org/llama.cpp/pull/26954
    """
    return ("-mno-amx-int8",) if "amx_int8" in processor.split() else ()


def build_wheel(build: Build, *, task: Task, log: Path) -> Path:
    """Return the wheel of ``build``; compiles it, which takes minutes, unless an earlier run did."""
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
            # A failure may leave broken files; only an interrupted build is resumed.
            shutil.rmtree(build.work, ignore_errors=True)
            raise
        _publish(build)
    wheel = build.wheel()
    assert wheel is not None
    return wheel


def _compile(build: Build, *, task: Task, log: Path, held: int) -> None:
    tools = build.work / "tools"
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or str(os.cpu_count() or 1)
    # Not among the options: its folder is another one in each checkout.
    only_libraries = shlex.quote(f"-DCMAKE_PROJECT_llama_cpp_INCLUDE={ONLY_LIBRARIES.as_posix()}")
    variables = {
        "CMAKE_ARGS": " ".join((os.environ.get("CMAKE_ARGS", ""), *build.options, only_libraries)).strip(),
        "CMAKE_BUILD_PARALLEL_LEVEL": jobs,
        "SKBUILD_BUILD_DIR": str(build.work / "build"),
        "PATH": os.pathsep.join((str(scripts_of(tools)), os.environ.get("PATH", os.defpath))),
    }
    if sys.platform != "win32":
        variables["CMAKE_GENERATOR"] = "Ninja"
    for name, language in (("CFLAGS", C), ("CXXFLAGS", CXX)):
        supported = [
            flag for flag in build.compiler_flags if compiles(language, header="stddef.h", flags=(flag,))
        ]
        variables[name] = " ".join((os.environ.get(name, ""), *supported)).strip()

    def show(line: str) -> None:
        if (progress := read_progress(line)) is not None:
            task.progress(f"{progress.n_done} of {progress.n_total} files", fraction=progress.fraction)

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
    """Move the wheel to its final folder in one step, and remove the folder of the compilation."""
    build.finished.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(build.finished, ignore_errors=True)
    (build.work / "wheel").replace(build.finished)
    shutil.rmtree(build.work, ignore_errors=True)
