"""The steps of set-up in their order, and doing those that are not done."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from provision import bench_peers, lock_files, starter_model
from provision.backend import OVERRIDE, choose
from provision.console import Console, Task
from provision.environment import (
    compile_sources,
    first_answer,
    install_locked,
    install_wheel,
    link_checkout,
    make_environment,
    remove,
    verify,
)
from provision.failure import SetupFailure
from provision.file_lock import file_lock
from provision.layout import Layout
from provision.llama_build import Build, build_wheel
from provision.lock_files import Pin, pin_of, read_pins, without
from provision.stamps import Stamps, fingerprint
from provision.system_packages import meet_needs
from provision.toolchains import find_toolchains

LLAMA = "llama-cpp-python"
VERSION_FILE = "fireside/__init__.py"
WAITING = "Another set-up of this checkout is at work; waiting for it."


class Purpose(Enum):
    """What the environment is for; the value is its lock file. Each holds what those before it hold."""

    RUN = lock_files.RUN
    DEVELOP = lock_files.DEVELOP
    MEASURE = lock_files.BENCH


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step. It is done when its stamp is one of ``values`` and its result is there; doing it sets the
    first of them, and undoes the steps named in ``undoes``."""

    name: str
    title: str
    values: tuple[str, ...]
    act: Callable[[Task, Path], None]
    is_there: Callable[[], bool] = lambda: True
    undoes: tuple[str, ...] = ()

    def is_done(self, stamps: Stamps) -> bool:
        return any(stamps.holds(self.name, value=value) for value in self.values) and self.is_there()


def make_ready(layout: Layout, *, purpose: Purpose, console: Console) -> None:
    """Do every step that is not done. Takes a fraction of a second when all are.

    Raises SetupFailure; what was finished before stays and is not repeated.
    """
    build = _llama_build(layout)
    steps = _steps(layout, purpose=purpose, build=build)
    stamps = Stamps(layout.stamps)
    if all(step.is_done(stamps) for step in steps):
        return
    with file_lock(layout.build / "setup.lock", on_wait=lambda: console.say(WAITING)):
        console.say("Setting Fireside up. The first time takes some minutes; later it is done at once.")
        stamps = Stamps(layout.stamps)
        for step in steps:
            if not step.is_done(stamps):
                if step.name == "llama" and build.wheel() is None:
                    console.say(f"  llama.cpp: {build.choice.sentence}.")
                carry_out(step, layout=layout, stamps=stamps, console=console)


def carry_out(step: Step, *, layout: Layout, stamps: Stamps, console: Console) -> None:
    """Do one step. Its stamp is missing while it runs, so that an interruption leaves it undone."""
    for name in (step.name, *step.undoes):
        stamps.drop(name)
    log = layout.logs / f"{step.name}.log"
    log.unlink(missing_ok=True)
    with console.task(step.title) as task:
        step.act(task, log)
    stamps.set(step.name, value=step.values[0])


def _steps(layout: Layout, *, purpose: Purpose, build: Build) -> tuple[Step, ...]:
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    locks = {each: (layout.root / each.value).read_text(encoding="utf-8") for each in Purpose}
    # The tests' packages hold the program's: who has them lacks nothing to run it.
    develop = fingerprint([python, locks[Purpose.RUN], locks[Purpose.DEVELOP]])
    run = fingerprint([python, locks[Purpose.RUN]])
    steps = (
        Step(
            name="system",
            title="System packages",
            values=(fingerprint([python]),),
            act=lambda task, log: meet_needs(task=task, log=log, compiles=build.wheel() is None),
        ),
        Step(
            name="environment",
            title="Python environment",
            values=(fingerprint([python]),),
            is_there=layout.python.exists,
            undoes=("packages", "llama", "model", "link", "compile", "verify", "peers", "windows"),
            act=lambda task, log: make_environment(layout.venv, task=task, log=log),
        ),
        Step(
            name="packages",
            title="Python packages",
            values=(run, develop) if purpose is Purpose.RUN else (develop,),
            act=lambda task, log: _install_packages(
                layout,
                pins=read_pins(locks[Purpose.RUN if purpose is Purpose.RUN else Purpose.DEVELOP]),
                task=task,
                log=log,
            ),
        ),
        Step(
            name="model",
            title="Starter model",
            values=(starter_model.SHA256,),
            is_there=lambda: starter_model.is_in_place(layout),
            act=lambda task, log: starter_model.fetch(layout, task=task, log=log),
        ),
        Step(
            name="llama",
            title="llama.cpp for this machine",
            values=(build.key,),
            act=lambda task, log: _install_llama(layout, build=build, task=task, log=log),
        ),
        Step(
            name="link",
            title="The command “fireside”",
            values=(fingerprint([str(layout.root)]),),
            act=lambda _task, _log: link_checkout(layout),
        ),
        Step(
            name="compile",
            title="Compiling the program",
            # Not what is in the files: who changes one need not wait for set-up again.
            values=(fingerprint([python, str(layout.root), (layout.app / VERSION_FILE).read_text("utf-8")]),),
            act=lambda task, log: compile_sources(layout, task=task, log=log),
        ),
        Step(
            name="verify",
            title="Loading Qt",
            values=(run,),
            act=lambda task, log: verify(layout, task=task, log=log),
        ),
    )
    if purpose is not Purpose.MEASURE:
        return steps
    peers = Step(
        name="peers",
        title="What to measure against",
        values=(fingerprint([python, locks[Purpose.MEASURE]]),),
        is_there=bench_peers.folder(layout).exists,
        act=lambda task, log: bench_peers.fetch(
            layout, lock=layout.root / Purpose.MEASURE.value, task=task, log=log
        ),
    )
    window_locks = [
        bench_peers.window_lock(layout, name).read_text(encoding="utf-8") for name in bench_peers.WINDOWS
    ]
    windows = Step(
        name="windows",
        title="Windows to measure against",
        values=(fingerprint([python, llama_pin(layout).text, *window_locks]),),
        is_there=lambda: all((bench_peers.folder(layout) / name).exists() for name in bench_peers.WINDOWS),
        act=lambda task, log: bench_peers.fetch_windows(layout, task=task, log=log),
    )
    return (*steps, peers, windows)


def _llama_build(layout: Layout) -> Build:
    return Build(
        pin=llama_pin(layout),
        choice=choose(find_toolchains(), wanted=os.environ.get(OVERRIDE, "")),
        tools=layout.root / lock_files.BUILD,
        cache=layout.cache,
    )


def llama_pin(layout: Layout) -> Pin:
    """Return which llama-cpp-python is built."""
    locked = (layout.root / Purpose.RUN.value).read_text(encoding="utf-8")
    return pin_of(read_pins(locked), name=LLAMA)


def _install_packages(layout: Layout, *, pins: tuple[Pin, ...], task: Task, log: Path) -> None:
    """Install all but llama.cpp, which is compiled for this machine in a step of its own."""
    requirements = layout.logs / "packages.lock"
    requirements.parent.mkdir(parents=True, exist_ok=True)
    requirements.write_text(without(pins, name=LLAMA), encoding="utf-8")
    install_locked(
        python=layout.python, requirements=requirements, n_packages=len(pins) - 1, task=task, log=log
    )


def _install_llama(layout: Layout, *, build: Build, task: Task, log: Path) -> None:
    """Compile and install llama.cpp, and keep the build only if it works."""
    install_wheel(build_wheel(build, task=task, log=log), layout=layout, task=task, log=log)
    try:
        first_answer(layout, model=layout.models / starter_model.FILE, task=task, log=log)
    except SetupFailure:
        remove(build.finished)
        raise
