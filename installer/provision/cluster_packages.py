"""Give a cluster in small, with which pools and routers are tried, an environment of its own."""

from __future__ import annotations

from pathlib import Path

from provision.console import Console, Task
from provision.environment import install_locked, make_environment
from provision.layout import Layout, python_of
from provision.lock_files import CLUSTER, read_pins
from provision.stamps import Stamps, fingerprint
from provision.steps import Step, carry_out


def fetch_cluster(layout: Layout, *, console: Console) -> Path:
    """Install the packages of its lock file unless they are there; return its Python. Raises SetupFailure."""
    venv, lock = layout.venv / "share" / "fireside-cluster", layout.root / CLUSTER
    text = lock.read_text(encoding="utf-8")

    def install(task: Task, log: Path) -> None:
        make_environment(venv, task=task, log=log)
        install_locked(
            python=python_of(venv), requirements=lock, n_packages=len(read_pins(text)), task=task, log=log
        )

    step = Step(
        name="cluster",
        title="LiteLLM and llama.cpp’s server",
        values=(fingerprint([text]),),
        is_there=python_of(venv).exists,
        act=install,
    )
    stamps = Stamps(layout.stamps)
    if not step.is_done(stamps):
        carry_out(step, layout=layout, stamps=stamps, console=console)
    return python_of(venv)
