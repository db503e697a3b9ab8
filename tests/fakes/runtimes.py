"""Runtimes for tests: the built-in libraries under another roof, and ones that are broken in some way."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from functools import cache
from pathlib import Path

from fakes.children import child_environment
from fakes.fake_machine import BINDING, LLAMA_CPP
from fireside.core.runtime import Runtime, RuntimeTest
from fireside.engine.clock import LoopClock
from fireside.engine.processes.runner_process import runner_command
from fireside.engine.runtimes.runner_spawner import RunnerSpawner
from fireside.engine.runtimes.runtime_store import RuntimeStore
from fireside.engine.runtimes.smoke_test import SmokeTest
from fireside.services.machine.runtime_service import RuntimeParts


def built_in_folder() -> Path:
    """Return where the libraries lie that set-up compiled."""
    spec = importlib.util.find_spec("llama_cpp")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "lib"


def runtime_folder(folder: Path) -> Path:
    """Make a runtime out of the built-in libraries: the same code, found elsewhere."""
    folder.mkdir(parents=True)
    for file in built_in_folder().iterdir():
        (folder / file.name).hardlink_to(file)
    (folder / "LICENSE").write_text("MIT")
    return folder


def small_runtime(folder: Path, *backends: str) -> Path:
    """Make a runtime that looks like one and holds nothing: the first bytes of the built-in libraries."""
    folder.mkdir(parents=True)
    for name, head in _heads().items():
        (folder / name).write_bytes(head)
        for backend in backends:
            if "ggml-base" in name:
                (folder / name.replace("ggml-base", f"ggml-{backend}")).write_bytes(head)
    return folder


@cache
def _heads() -> dict[str, bytes]:
    return {file.name: file.read_bytes()[:4096] for file in built_in_folder().iterdir()}


def keep_runtime(store: RuntimeStore, source: Path, *, test: RuntimeTest | None = None) -> Runtime:
    """Add a runtime without a trial, as one that came of ``test``."""
    with store.unpacked(source, on_progress=lambda _done, _total: None) as new:
        made = store.add(new, source=source, llama_cpp=LLAMA_CPP, binding=BINDING)
    return made if test is None else store.note_test(made.name, test)


def compiled(source: str, target: Path) -> None:
    """Compile C into a shared library."""
    command = ["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", str(target)]
    subprocess.run(command, input=source.encode(), check=True, timeout=60)


def replace_library(folder: Path, name: str, *, source: str) -> None:
    """Put a library of our own in the place of one of llama.cpp's, under every name that it has."""
    names = [file.name for file in folder.glob(f"lib{name}.so*")]
    for each in names:
        (folder / each).unlink()
    compiled(source, folder / names[0])
    for each in names[1:]:
        shutil.copyfile(folder / names[0], folder / each)


def wrap_llama(folder: Path, *, source: str) -> None:
    """Put a library of our own before llama.cpp's: what it defines is found first, the rest behind it."""
    (folder / "libllama.so").unlink()
    # In this order: what comes behind a library does not hold for it.
    options = ["-Wl,-rpath,$ORIGIN", "-Wl,--no-as-needed", "-o", str(folder / "libllama.so")]
    command = ["cc", "-shared", "-fPIC", *options, "-x", "c", "-", "-x", "none"]
    subprocess.run([*command, str(folder / "libllama.so.0")], input=source.encode(), check=True, timeout=60)


def runtime_parts(folder: Path, *, starter: Path, limit_s: float = 60.0) -> RuntimeParts:
    """Return what the service of the runtimes is made of, around the real runner."""
    trial = SmokeTest(
        command=runner_command(),
        environment=child_environment(),
        model=starter,
        clock=LoopClock(),
        limit_s=limit_s,
    )
    return RuntimeParts(store=RuntimeStore(folder), smoke_test=trial)


def runtime_spawner(folder: Path) -> RunnerSpawner:
    """Return what starts the real runner, with runtimes of ``folder``."""
    return RunnerSpawner(
        command=runner_command(), environment=child_environment(), store=RuntimeStore(folder)
    )
