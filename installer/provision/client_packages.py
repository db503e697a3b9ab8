"""Fetch clients of other makers, with which the local API is tried, into a folder beside the environment."""

from __future__ import annotations

from pathlib import Path

from provision.console import Console
from provision.environment import install_locked
from provision.layout import Layout
from provision.lock_files import CLIENTS, read_pins
from provision.stamps import Stamps, fingerprint
from provision.steps import Step, carry_out


def folder(layout: Layout) -> Path:
    """Where their packages lie."""
    return layout.venv / "share" / "fireside-clients"


def fetch_clients(layout: Layout, *, console: Console) -> None:
    """Install the packages of their lock file unless they are there. Raises SetupFailure."""
    lock = layout.root / CLIENTS
    text = lock.read_text(encoding="utf-8")
    step = Step(
        name="clients",
        title="Clients of the local API",
        values=(fingerprint([text]),),
        is_there=folder(layout).exists,
        act=lambda task, log: install_locked(
            python=layout.python,
            requirements=lock,
            n_packages=len(read_pins(text)),
            task=task,
            log=log,
            target=folder(layout),
        ),
    )
    stamps = Stamps(layout.stamps)
    if not step.is_done(stamps):
        carry_out(step, layout=layout, stamps=stamps, console=console)
