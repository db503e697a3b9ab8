"""The steps of set-up in order, and running those that are not done."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from provision import bench_peers, lock_files, prebuilt, starter_model
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
WAITING = "Another set-up of this checkout is at work; waiting for it."


class Purpose(Enum):
    """What the environment is for, with its lock file. Each includes the packages of those before it."""

    RUN = lock_files.RUN
    DEVELOP = lock_files.DEVELOP
    MEASURE = lock_files.BENCH


@dataclass(frozen=True, kw_only=True)
class Step:
    """A step of set-up.

    It is done if its stamp is one of ``fingerprints`` and its result exists. Running it sets the first of
    them, and removes the stamps of the steps in ``invalidates``.
    """

    name: str
    title: str
    fingerprints: tuple[str, ...]
    run: Callable[[Task, Path], None]
    """Gets the task that shows progress, and the path of the log."""
    exists: Callable[[], bool] = lambda: True
    invalidates: tuple[str, ...] = ()

    def is_done(self, stamps: Stamps) -> bool:
        return any(stamps.has(self.name, value=each) for each in self.fingerprints) and self.exists()


def make_ready(layout: Layout, *, purpose: Purpose, console: Console, compiles_llama: bool = True) -> None:
    """Run every step that is not done. Takes a fraction of a second if all are.

    Without ``compiles_llama``, llama.cpp is left out if it would have to be compiled, and one of another
    version is removed, since the program fits its own alone.

    Raises SetupFailure; finished steps stay and are not repeated.
    """
    build = _llama_build(layout)
    steps = _steps(layout, purpose=purpose, build=build)
    stamps = Stamps(layout.stamps)
    if not compiles_llama and build.wheel() is None:
        steps = tuple(step for step in steps if step.name != "llama" or step.is_done(stamps))
        if all(step.name != "llama" for step in steps):
            for path in layout.site_packages.glob("llama_cpp*"):
                remove(path)
    if all(step.is_done(stamps) for step in steps):
        return
    with file_lock(layout.build / "setup.lock", on_wait=lambda: console.say(WAITING)):
        console.say("Setting Fireside up. The first time takes some minutes; later it is done at once.")
        stamps = Stamps(layout.stamps)
        for step in steps:
            if not step.is_done(stamps):
                if step.name == "llama" and build.wheel() is None:
                    console.say(f"  llama.cpp: {build.choice.sentence}.")
                run_step(step, layout=layout, stamps=stamps, console=console)


def run_step(step: Step, *, layout: Layout, stamps: Stamps, console: Console) -> None:
    """Run one step. Its stamp is removed first, so that an interruption leaves the step undone."""
    for name in (step.name, *step.invalidates):
        stamps.remove(name)
    log = layout.logs / f"{step.name}.log"
    log.unlink(missing_ok=True)
    with console.task(step.title) as task:
        step.run(task, log)
    stamps.set(step.name, value=step.fingerprints[0])


def _steps(layout: Layout, *, purpose: Purpose, build: Build) -> tuple[Step, ...]:
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    locks = {each: (layout.root / each.value).read_text(encoding="utf-8") for each in Purpose}
    # The packages for development include those for running the program.
    develop_fingerprint = fingerprint([python, locks[Purpose.RUN], locks[Purpose.DEVELOP]])
    run_fingerprint = fingerprint([python, locks[Purpose.RUN]])
    # Tests need what only a build for them has.
    takes_prebuilt = purpose is Purpose.RUN and prebuilt.is_offered()
    steps = (
        Step(
            name="system",
            title="System packages",
            fingerprints=(fingerprint([python, "prebuilt"]), fingerprint([python]))
            if takes_prebuilt
            else (fingerprint([python]),),
            run=lambda task, log: meet_needs(
                task=task, log=log, compiles=build.wheel() is None and not takes_prebuilt
            ),
        ),
        Step(
            name="environment",
            title="Python environment",
            fingerprints=(fingerprint([python]),),
            exists=layout.python.exists,
            invalidates=("packages", "llama", "model", "link", "compile", "verify", "peers", "windows"),
            run=lambda task, log: make_environment(layout.venv, task=task, log=log),
        ),
        Step(
            name="packages",
            title="Python packages",
            fingerprints=(run_fingerprint, develop_fingerprint)
            if purpose is Purpose.RUN
            else (develop_fingerprint,),
            run=lambda task, log: _install_packages(
                layout,
                pins=read_pins(locks[Purpose.RUN if purpose is Purpose.RUN else Purpose.DEVELOP]),
                task=task,
                log=log,
            ),
        ),
        Step(
            name="model",
            title="Starter model",
            fingerprints=(starter_model.SHA256,),
            exists=lambda: starter_model.is_in_place(layout),
            run=lambda task, log: starter_model.fetch(layout, task=task, log=log),
        ),
        Step(
            name="llama",
            title="llama.cpp for this machine",
            fingerprints=(fingerprint(["prebuilt", build.key]), build.key)
            if takes_prebuilt
            else (build.key,),
            run=lambda task, log: _install_llama(
                layout, build=build, takes_prebuilt=takes_prebuilt, task=task, log=log
            ),
        ),
        Step(
            name="link",
            title="The command “fireside”",
            fingerprints=(fingerprint([str(layout.root)]),),
            run=lambda _task, _log: link_checkout(layout),
        ),
        Step(
            name="compile",
            title="Compiling the program",
            # Not the content of the files: a change of one must not run set-up again.
            fingerprints=(fingerprint([python, str(layout.root), layout.version]),),
            run=lambda task, log: compile_sources(layout, task=task, log=log),
        ),
        Step(
            name="verify",
            title="Loading Qt",
            fingerprints=(run_fingerprint,),
            run=lambda task, log: verify(layout, task=task, log=log),
        ),
    )
    if purpose is not Purpose.MEASURE:
        return steps
    peers = Step(
        name="peers",
        title="What to measure against",
        fingerprints=(fingerprint([python, locks[Purpose.MEASURE]]),),
        exists=bench_peers.folder(layout).exists,
        run=lambda task, log: bench_peers.fetch(
            layout, lock=layout.root / Purpose.MEASURE.value, task=task, log=log
        ),
    )
    window_locks = [
        bench_peers.window_lock(layout, name).read_text(encoding="utf-8") for name in bench_peers.WINDOWS
    ]
    windows = Step(
        name="windows",
        title="Windows to measure against",
        fingerprints=(fingerprint([python, llama_pin(layout).text, *window_locks]),),
        exists=lambda: all((bench_peers.folder(layout) / name).exists() for name in bench_peers.WINDOWS),
        run=lambda task, log: bench_peers.fetch_windows(layout, task=task, log=log),
    )
    return (*steps, peers, windows)


def _llama_build(layout: Layout) -> Build:
    return Build(
        pin=llama_pin(layout),
        choice=choose(find_toolchains(), requested=os.environ.get(OVERRIDE, "")),
        tools=layout.root / lock_files.BUILD,
        cache=layout.cache,
    )


def llama_pin(layout: Layout) -> Pin:
    """Return the locked llama-cpp-python."""
    locked = (layout.root / Purpose.RUN.value).read_text(encoding="utf-8")
    return pin_of(read_pins(locked), name=LLAMA)


def _install_packages(layout: Layout, *, pins: tuple[Pin, ...], task: Task, log: Path) -> None:
    """Install all packages but llama.cpp, which is compiled for this machine in a separate step."""
    requirements = layout.logs / "packages.lock"
    requirements.parent.mkdir(parents=True, exist_ok=True)
    requirements.write_text(without(pins, name=LLAMA), encoding="utf-8")
    install_locked(
        python=layout.python, requirements=requirements, n_packages=len(pins) - 1, task=task, log=log
    )


def _install_llama(layout: Layout, *, build: Build, takes_prebuilt: bool, task: Task, log: Path) -> None:
    """Install llama.cpp, and keep it only if it works: the published build if there is one, else compile."""
    model = layout.models / starter_model.FILE
    if takes_prebuilt and build.wheel() is None:
        try:
            wheel = prebuilt.fetch_wheel(build, layout=layout, task=task, log=log)
            install_wheel(wheel, layout=layout, task=task, log=log)
            first_answer(layout, model=model, task=task, log=log)
        except SetupFailure as failure:
            task.progress(f"{failure.sentence} {failure.advice}")
            meet_needs(task=task, log=log, compiles=True)
        else:
            return
    install_wheel(build_wheel(build, task=task, log=log), layout=layout, task=task, log=log)
    try:
        first_answer(layout, model=model, task=task, log=log)
    except SetupFailure:
        remove(build.finished)
        raise
