"""Compile llama-cpp-python for this machine, once for all checkouts of this user."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tarfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from provision.backend import OVERRIDE, Backend, Choice
from provision.console import Task
from provision.environment import PIP, TRY_AGAIN, install_locked, make_environment
from provision.failure import SetupFailure
from provision.file_lock import file_lock
from provision.layout import python_of, scripts_of
from provision.lock_files import Pin, read_pins
from provision.ninja_progress import read_progress
from provision.process import Program, run_program
from provision.processor import processor_identity
from provision.stamps import Stamps, fingerprint
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
            _prepare(build, task=task, log=log)
            _compile(build, task=task, log=log, held=held)
        except SetupFailure:
            # What failed may have left something broken behind; only an interruption keeps its work.
            shutil.rmtree(build.work, ignore_errors=True)
            raise
        _publish(build)
    wheel = build.wheel()
    assert wheel is not None
    return wheel


def _prepare(build: Build, *, task: Task, log: Path) -> None:
    """Get the tools and the source, each checked against its hashes."""
    done = Stamps(build.work / "done.json")
    tools = build.tools.read_text(encoding="utf-8")
    environment, source = build.work / "tools", build.work / "source"
    if not done.holds("tools", value=fingerprint([tools])):
        make_environment(environment, task=task, log=log)
        install_locked(
            python=python_of(environment),
            requirements=build.tools,
            n_packages=len(read_pins(tools)),
            task=task,
            log=log,
        )
        done.set("tools", value=fingerprint([tools]))
    if not done.holds("source", value=fingerprint([build.pin.text])):
        shutil.rmtree(source, ignore_errors=True)
        _unpack(_download(build, task=task, log=log), folder=source)
        done.set("source", value=fingerprint([build.pin.text]))


def _download(build: Build, *, task: Task, log: Path) -> Path:
    task.progress("fetching the source")
    requirement, folder = build.work / "source.lock", build.work / "download"
    requirement.write_text(build.pin.text, encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    run_program(
        Program(
            command=[
                python_of(build.work / "tools"),
                *PIP,
                "download",
                "--require-hashes",
                "--no-deps",
                "--no-build-isolation",
                f"--no-binary={build.pin.name}",
                "--progress-bar=off",
                f"--dest={folder}",
                f"--requirement={requirement}",
            ],
            log=log,
            failed="The source of llama.cpp could not be fetched.",
            advice=TRY_AGAIN,
        ),
        on_tick=task.tick,
    )
    return next(folder.glob("*.tar.gz"))


def _unpack(archive: Path, *, folder: Path) -> None:
    """Unpack a source archive whose hash was checked; its one top folder becomes ``folder``."""
    unpacked = archive.parent / "unpacked"
    with tarfile.open(archive) as tar:
        if hasattr(tarfile, "data_filter"):  # Python 3.11.4 and newer
            tar.extractall(unpacked, filter="data")
        else:
            tar.extractall(unpacked)  # noqa: S202 - its hash is the one we released with
    (top,) = unpacked.iterdir()
    top.replace(folder)
    shutil.rmtree(archive.parent)


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
