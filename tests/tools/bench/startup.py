"""Measure the start: seconds from process start to the first painted window, and those of the processor,
which other programs disturb less, also in times of what an empty window takes; then the cost at rest, beside
the memory of that empty window. A window's own memory is what no other process maps: what it has written, and
pages of libraries, which the system shares with other programs of Qt and takes back when it needs them.

Usage: PYTHONPATH=tests python tests/tools/bench/startup.py [--rounds 5] [--rest 10]
Uses the display that is there, else Qt's offscreen platform.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

import psutil

PROBE = """
import sys, time
from fireside.cli import run
from fireside.main import import_qt

import_qt()
import fireside.main.window as program
from PySide6.QtCore import QEvent, QObject

make_windows = program.make_windows

class Probe(QObject):
    def eventFilter(self, _, event):
        if event.type() == QEvent.Type.Paint:
            print(time.time(), time.process_time(), flush=True)
            window.removeEventFilter(self)
        return False

probe = Probe()

def watched(*arguments, **named):
    global window
    windows = make_windows(*arguments, **named)
    window = windows.front
    window.installEventFilter(probe)
    return windows

program.make_windows = watched
sys.exit(run([]))
"""

EMPTY = """
import time
from PySide6.QtWidgets import QApplication, QMainWindow

class Window(QMainWindow):
    def paintEvent(self, _):
        print(time.time(), time.process_time(), flush=True)

application = QApplication([])
window = Window()
window.resize(1180, 800)
window.show()
application.exec()
"""


def main() -> None:
    """Print each start, the median, and CPU and memory at rest after the last."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rest", type=float, default=10.0, help="seconds to watch the idle program")
    arguments = parser.parse_args()
    if not os.environ.get("DISPLAY"):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as home:
        starts, used, empty = [], [], []
        for number in range(arguments.rounds + 1):
            is_last = number == arguments.rounds
            rest_s = arguments.rest if is_last else 0.0
            start = one_start(home, rest_s=rest_s)
            if start.rest:
                show_rest(start.rest)
            if number:  # the first one fills the disk cache and the library's
                starts.append(start.seconds)
                used.append(start.processor_s)
                bare = one_start(home, rest_s=rest_s, program=EMPTY)
                if bare.rest:
                    show_rest(bare.rest)
                empty.append(bare.processor_s)
                sys.stdout.write(
                    f"window painted after {start.seconds:.2f} s, processor {start.processor_s:.2f} s\n"
                )
        median, least = statistics.median(starts), min(used)
        sys.stdout.write(f"median {median:.2f} s; processor {least:.2f} s at least\n")
        sys.stdout.write(f"processor: {least / min(empty):.1f} times an empty window\n")


@dataclass(frozen=True, kw_only=True)
class Rest:
    """What a window process and its runners use when nothing happens; memory in bytes."""

    core_share: float
    wakes_per_s: float
    resident: int
    own: int
    written: int
    """Of ``own``; 0 where the system does not tell."""
    runners: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Start:
    """Seconds to the first paint, those of the processor, and the rest behind it where that was measured."""

    seconds: float
    processor_s: float
    rest: Rest | None


def one_start(home: str, *, rest_s: float, program: str = PROBE) -> Start:
    """Start the program, wait for its first paint, watch it for ``rest_s`` seconds, and end it."""
    started_at = time.time()
    running = subprocess.Popen(
        [sys.executable, "-c", program],
        env={**os.environ, "FIRESIDE_HOME": home, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    painted_at, used = (float(word) for word in running.stdout.readline().split())
    rest = at_rest(psutil.Process(running.pid), rest_s=rest_s) if rest_s else None
    running.terminate()
    running.wait(20)
    running.stdout.close()
    return Start(seconds=painted_at - started_at, processor_s=used, rest=rest)


def at_rest(process: psutil.Process, *, rest_s: float) -> Rest:
    """Return what the window process and its runner use when nothing happens."""
    time.sleep(5)  # loading the starter model is not rest
    family = [process, *process.children(recursive=True)]
    before = sum(sum(each.cpu_times()[:2]) for each in family)
    woken = process.num_ctx_switches().voluntary
    time.sleep(rest_s)
    used = sum(sum(each.cpu_times()[:2]) for each in family) - before
    wakes = process.num_ctx_switches().voluntary - woken
    memory = process.memory_full_info()
    written = 0
    if sys.platform == "linux":  # no other system tells
        written = sum(part.private_dirty for part in process.memory_maps())
    return Rest(
        core_share=used / rest_s,
        wakes_per_s=wakes / rest_s,
        resident=memory.rss,
        own=memory.uss,
        written=written,
        runners=tuple(child.memory_info().rss for child in family[1:]),
    )


def show_rest(rest: Rest) -> None:
    """Print what is used at rest."""
    sys.stdout.write(
        f"at rest: {100 * rest.core_share:.2f} % of a core, its thread wakes {rest.wakes_per_s:.1f} times a "
        f"second; window process {rest.resident / 1e6:.0f} MB, {rest.own / 1e6:.1f} its own, "
        f"{rest.written / 1e6:.1f} of that written\n"
    )
    for runner in rest.runners:
        sys.stdout.write(f"  runner {runner / 1e6:.0f} MB\n")


if __name__ == "__main__":
    main()
