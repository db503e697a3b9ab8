"""Measure Fireside's window beside two others for GGUF models: GGUF Loader and aikitx.

Each runs in an environment of its own, in turn: A B C A B C. What is compared: seconds from process start to
the first painted window, memory at rest and with the starter model loaded (of all its processes, counted so
that what processes share counts once), opening a long conversation, and streaming an answer at its end.
All have the same Qt and the same build of llama.cpp. Fireside loads its model without being asked, so that it
has one at rest; the others load it on request, each with the context that it takes by itself.
Usage: PYTHONPATH=tests python tests/tools/bench/window_peers.py [--rounds 3] [--messages 500] [--tokens 1000]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import time
from typing import Any

import psutil

PEERS = Path(sys.prefix) / "share" / "fireside-bench"
MODELS = Path(sys.prefix) / "share" / "fireside" / "models"
HERE = Path(__file__).parent
Facts = dict[str, float]


def main() -> None:
    """Print each window's medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--messages", type=int, default=500)
    parser.add_argument("--tokens", type=int, default=1000)
    arguments = parser.parse_args()
    pythons = {"fireside": Path(sys.executable)}
    for name in ("ggufloader", "aikitx"):
        python = PEERS / name / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        if python.is_file():
            pythons[name] = python
        else:
            sys.stdout.write(f"{name} is not installed; “make bench” installs it\n")
    sys.stdout.write(f"load of the machine {psutil.getloadavg()[0]:.1f}, {psutil.cpu_count()} cores\n")
    found: dict[str, list[Facts]] = {name: [] for name in pythons}
    with tempfile.TemporaryDirectory() as home:
        for number in range(arguments.rounds + 1):
            for name, python in pythons.items():
                facts = one_run(name, python, home, [str(arguments.messages), str(arguments.tokens)])
                if number:  # the first round fills the disk's cache
                    found[name].append(facts)
    for name, rounds in found.items():
        sys.stdout.write(f"{name}\n" + "".join(f"  {line}\n" for line in in_words(rounds)))


def in_words(rounds: Sequence[Facts]) -> list[str]:
    """Return a line for each fact: its median, and where the rounds lay."""
    names = {name for facts in rounds for name in facts}
    lines = []
    for name in sorted(names):
        values = [facts[name] for facts in rounds if name in facts]
        lines.append(f"{name}: {statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})")
    return lines


def one_run(name: str, python: Path, home: str, counts: Sequence[str]) -> Facts:
    """Start one window, take it through its steps, and return what was measured."""
    model = next(MODELS.glob("*.gguf"))
    own = os.pathsep.join(path for path in sys.path if path) if name == "fireside" else ""
    environment = {
        **os.environ,
        "HOME": str(Path(home) / name),
        "FIRESIDE_HOME": str(Path(home) / name),
        "PYTHONPATH": os.pathsep.join(filter(None, [str(HERE.parents[1]), own])),
    }
    if not os.environ.get("DISPLAY"):
        environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    (Path(home) / name).mkdir(exist_ok=True)
    began = time()
    process = subprocess.Popen(
        [str(python), str(HERE / "peers" / f"{name}_window.py"), str(model), *counts],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    facts: Facts = {}
    for line in process.stdout:
        if not line.startswith("{"):
            continue
        said: dict[str, Any] = json.loads(line)
        facts |= of_step(said, psutil.Process(process.pid), began=began)
        if "step" in said:
            process.stdin.write("\n")
            process.stdin.flush()
    process.stdin.close()
    process.stdout.close()
    process.wait(30)
    return facts


def of_step(said: dict[str, Any], process: psutil.Process, *, began: float) -> Facts:
    """Return what a step's line says, by the name under which it is shown."""
    if "painted_at" in said:
        return {"start to window, s": said["painted_at"] - began}
    match said["step"]:
        case "rest":
            alone = {"memory at rest, the window's process alone, MB": share(process) / 1e6}
            return {**alone, "memory at rest, MB": memory_mb(process)}
        case "loaded" if said["ok"]:
            return {"memory with a model, MB": memory_mb(process)}
        case "opened":
            facts = {"open, s": said["wall"], "open, s of the processor": said["cpu"]}
            return {**facts, "memory with the conversation, MB": memory_mb(process)}
        case "streamed":
            return {
                "stream, tokens/s": said["tokens_per_s"],
                "stream, ms of the processor a token": said["cpu_ms"],
                "stream, longest hold of the window, ms": 1000 * said["longest"],
            }
        case _:
            return {}


def memory_mb(process: psutil.Process) -> float:
    """Memory of a process and its children; where the system tells, shared pages are divided."""
    family = [process, *process.children(recursive=True)]
    return sum(share(each) for each in family) / 1e6


def share(process: psutil.Process) -> float:
    memory = process.memory_full_info()
    return float(getattr(memory, "pss", memory.rss))


if __name__ == "__main__":
    main()
