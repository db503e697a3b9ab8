"""Install missing system packages: by apt as root, otherwise the user is told the command."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
import sysconfig
import time
from pathlib import Path

from provision.console import Task
from provision.distribution import Family, install_arguments, install_command, this_family
from provision.failure import SetupFailure
from provision.process import Program, run_program
from provision.system_needs import (
    Need,
    compiler_needs,
    environment_need,
    packages_for,
    qt_library_needs,
    unmet,
)

MAX_NAMED = 3
"""Missing requirements that a failure names; a bare system lacks thirty."""
LOCK_WAIT_S = 900.0
"""Limit of the wait for another installation; the first start of a machine takes minutes."""
LOCK_PAUSE_S = 2.0


def meet_needs(*, task: Task, log: Path, compiles: bool) -> None:
    """Install the requirements of Fireside that are missing; with ``compiles``, compilers too.

    Raises SetupFailure with the command for the user if this process must not install packages.
    """
    refuse_musl()
    needs = (environment_need(), *(compiler_needs() if compiles else ()))
    if sys.platform == "linux":
        needs += qt_library_needs()
    missing = unmet(needs)
    if not missing:
        return
    family = this_family() if sys.platform == "linux" else None
    if family is Family.DEBIAN and is_root() and shutil.which("apt-get"):
        install_with_apt(packages_for(missing, family=family), task=task, log=log)
        missing = unmet(needs)
    if missing:
        raise explain(missing, family=family, is_root=is_root())


def is_root() -> bool:
    return sys.platform != "win32" and os.geteuid() == 0


def refuse_musl() -> None:
    """Raise SetupFailure on Alpine and similar systems, before the user installs packages in vain."""
    if "musl" in (sysconfig.get_config_var("HOST_GNU_TYPE") or ""):
        raise SetupFailure(
            sentence="This system is built on musl, and there are no Qt for Python packages for it.",
            advice="Run Fireside on a distribution with glibc, or in a container of one.",
        )


def explain(missing: tuple[Need, ...], *, family: Family | None, is_root: bool) -> SetupFailure:
    """Return the failure that names missing requirements and the command that installs them."""
    named = [need.name for need in missing[:MAX_NAMED]]
    if len(missing) > MAX_NAMED:
        named.append(f"{len(missing) - MAX_NAMED} more libraries")
    if family is not None:
        command = install_command(family, packages_for(missing, family=family), is_root=is_root)
        advice = f"Install it with this command, then run the same command again:\n\n    {command}"
    elif sys.platform == "darwin":
        advice = (
            "Install Apple’s command line tools, then run the same command again:"
            "\n\n    xcode-select --install"
        )
    else:
        advice = "Install the packages of your system that bring them, then run the same command again."
    return SetupFailure(sentence=f"This system lacks {', '.join(named)}.", advice=advice)


def install_with_apt(packages: tuple[str, ...], *, task: Task, log: Path) -> None:
    """Install ``packages`` as root, waiting for another installation that holds apt's locks."""
    task.progress("reading package lists")
    # One broken source fails the whole update; the packages may be available nevertheless.
    with contextlib.suppress(SetupFailure):
        _apt(("apt-get", "update"), packages, task=task, log=log)
    task.progress("installing " + ", ".join(packages))
    _apt(install_arguments(Family.DEBIAN, packages), packages, task=task, log=log)


def _apt(command: tuple[str, ...], packages: tuple[str, ...], *, task: Task, log: Path) -> None:
    by_hand = install_command(Family.DEBIAN, packages, is_root=True)
    program = Program(
        command=command,
        log=log,
        variables={"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"},
        failed="The system’s packages could not be installed.",
        advice=f"Install them by hand, then run the same command again:\n\n    {by_hand}",
    )
    deadline = time.monotonic() + LOCK_WAIT_S
    # apt's own DPkg::Lock::Timeout does not wait for the lock that an update takes.
    while True:
        try:
            run_program(program, on_tick=task.tick)
            return
        except SetupFailure as failure:
            locked = re.search(r"Could not get lock(.*held by (process .*))?", "\n".join(failure.tail))
            if locked is None or time.monotonic() > deadline:
                raise
            task.progress(f"waiting until {locked[2] or 'another installation'} releases the package system")
        time.sleep(LOCK_PAUSE_S)
