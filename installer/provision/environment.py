"""The checkout's Python environment: create it, install the packages of lock files, link the checkout."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from provision.console import Task
from provision.failure import SetupFailure
from provision.layout import IS_WINDOWS, Layout, python_of
from provision.process import Program, run_program

PIP = ("-m", "pip", "--disable-pip-version-check", "--no-input")
TRY_AGAIN = "Run the same command again; what is done is not repeated."

_COLLECTING = re.compile(r"Collecting (\S+)")


def make_environment(folder: Path, *, task: Task, log: Path) -> None:
    """Create an environment of this Python with pip in ``folder``, unless it exists.

    One of another Python is replaced. Raises SetupFailure if ``folder`` contains something else.
    """
    if folder.exists() and not (folder / "pyvenv.cfg").is_file() and any(folder.iterdir()):
        raise SetupFailure(
            sentence=f"{folder} is there and is not a Python environment.",
            advice="Move it away, then run the same command again.",
        )
    if is_usable(python_of(folder)):
        return
    task.progress("making the environment")
    run_program(
        Program(
            command=[sys.executable, "-m", "venv", "--clear", folder],
            log=log,
            failed="Python could not make an environment.",
            advice=TRY_AGAIN,
        ),
        on_tick=task.tick,
    )


def is_usable(python: Path) -> bool:
    """Return whether an environment's interpreter runs, has the version of this Python, and pip."""
    if not python.exists():
        return False
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    check = f"import sys, pip; sys.exit('%d.%d' % sys.version_info[:2] != '{version}')"
    try:
        return subprocess.run([python, "-I", "-c", check], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def install_locked(
    *,
    python: Path,
    requirements: Path,
    n_packages: int | None = None,
    task: Task,
    log: Path,
    target: Path | None = None,
) -> None:
    """Install the packages of a lock file, each checked against its hashes; into ``target`` if given.

    With ``n_packages``, their number, the task's fraction is theirs.

    Only wheels are accepted: a package that has to be compiled would fetch its tools unchecked.
    """
    n_collected = 0

    def show(line: str) -> None:
        nonlocal n_collected
        if match := _COLLECTING.match(line.strip()):
            n_collected += 1
            fraction = min(1.0, n_collected / n_packages) if n_packages else None
            task.progress(match[1].partition("==")[0], fraction=fraction)
        elif line.startswith("Installing collected packages"):
            task.progress("unpacking")

    run_program(
        Program(
            command=[
                python,
                *PIP,
                "install",
                "--require-hashes",
                "--no-deps",
                "--only-binary=:all:",
                "--progress-bar=off",
                "--no-warn-script-location",
                "--requirement",
                requirements,
                *(() if target is None else ("--upgrade", "--target", target)),
            ],
            log=log,
            failed="The Python packages could not be installed.",
            advice=TRY_AGAIN,
        ),
        on_line=show,
        on_tick=task.tick,
    )


def install_wheel(wheel: Path, *, layout: Layout, task: Task, log: Path) -> None:
    """Install a wheel that was built here, replacing any version."""
    run_program(
        Program(
            command=[layout.python, *PIP, "install", "--no-deps", "--no-index", "--force-reinstall", wheel],
            log=log,
            failed=f"{wheel.name} could not be installed.",
            advice=TRY_AGAIN,
        ),
        on_tick=task.tick,
    )


def link_checkout(layout: Layout) -> None:
    """Make the checkout importable in the environment, and add the command ``fireside``."""
    (layout.site_packages / "fireside-checkout.pth").write_text(f"{layout.app}\n", encoding="utf-8")
    if IS_WINDOWS:
        launcher = layout.scripts / "fireside.cmd"
        launcher.write_text('@"%~dp0python.exe" -P -m fireside %*\n', encoding="utf-8")
        return
    launcher = layout.scripts / "fireside"
    # Not "#!python": the path in such a line must be short and without spaces.
    launcher.write_text(
        f'#!/bin/sh\nexec {shlex.quote(str(layout.python))} -P -m fireside "$@"\n', encoding="utf-8"
    )
    launcher.chmod(0o755)


def compile_sources(layout: Layout, *, task: Task, log: Path) -> None:
    """Compile the program to byte code. Python does that itself at the first start, but if it must not write
    byte code, every start would compile all modules."""
    run_program(
        Program(
            command=[layout.python, "-P", "-m", "compileall", "-q", layout.app],
            log=log,
            failed="The program's files could not be compiled.",
            advice=TRY_AGAIN,
        ),
        on_tick=task.tick,
    )


def verify(layout: Layout, *, task: Task, log: Path) -> None:
    """Load Qt and its X11 plugin, as the window does."""
    run_program(
        Program(
            command=[layout.python, "-P", "-c", _VERIFY],
            log=log,
            failed="Everything is installed, but it does not load on this system.",
            advice="The lines above name the library that is missing or does not fit. "
            "Install the package that brings it, then run the same command again.",
        ),
        on_tick=task.tick,
    )


def first_answer(layout: Layout, *, model: Path, task: Task, log: Path) -> None:
    """Generate some tokens: a native build may load and still crash when it computes."""
    task.progress("asking the starter model for its first words")
    run_program(
        Program(
            command=[layout.python, "-P", "-c", _ANSWER, model],
            log=log,
            failed="llama.cpp was compiled, but it does not work on this processor.",
            advice="The build was thrown away. Run the same command again; "
            "if it fails once more, please report it with the log.",
        ),
        on_tick=task.tick,
    )


def remove(path: Path) -> bool:
    """Remove a file or a folder; return whether it existed."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
        return True
    existed = path.exists() or path.is_symlink()
    path.unlink(missing_ok=True)
    return existed


_VERIFY = """
import ctypes, sys
from pathlib import Path

import PySide6
from PySide6 import QtGui, QtNetwork, QtSvg, QtWidgets

if sys.platform == "linux":
    ctypes.CDLL(str(Path(PySide6.__file__).parent / "Qt/plugins/platforms/libqxcb.so"))
"""

_ANSWER = """
import sys

import llama_cpp

model = llama_cpp.Llama(sys.argv[1], n_ctx=512, verbose=False)
print(model("Once upon a time " * 32, max_tokens=4)["choices"][0]["text"])
"""
