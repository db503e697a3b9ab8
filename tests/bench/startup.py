"""Measure the start: seconds from process start to the first painted window, and those of the processor,
which other programs disturb less, also in times of what an empty window takes; then the cost at rest, beside
the memory of that empty window. A window's own memory is what no other process maps: what it has written, and
pages of libraries, which the system shares with other programs of Qt and takes back when it needs them.

Usage: PYTHONPATH=tests python tests/bench/startup.py [--rounds 5] [--rest 10]
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

import psutil

PROBE = """
import sys, time
from fireside.main import import_qt, run

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
            seconds, processor = one_start(home, rest_s=arguments.rest if is_last else 0.0)
            if number:  # the first one fills the disk cache and the library's
                starts.append(seconds)
                used.append(processor)
                empty.append(one_start(home, rest_s=arguments.rest if is_last else 0.0, program=EMPTY)[1])
                sys.stdout.write(f"window painted after {seconds:.2f} s, processor {processor:.2f} s\n")
        median, least = statistics.median(starts), min(used)
        sys.stdout.write(f"median {median:.2f} s; processor {least:.2f} s at least\n")
        sys.stdout.write(f"processor: {least / min(empty):.1f} times an empty window\n")


def one_start(home: str, *, rest_s: float, program: str = PROBE) -> tuple[float, float]:
    """Start the program, return the seconds to its first paint and those of the processor, and end it."""
    started_at = time.time()
    running = subprocess.Popen(
        [sys.executable, "-c", program],
        env={**os.environ, "FIRESIDE_HOME": home, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    painted_at, used = (float(word) for word in running.stdout.readline().split())
    if rest_s:
        at_rest(psutil.Process(running.pid), rest_s=rest_s)
    running.terminate()
    running.wait(20)
    running.stdout.close()
    return painted_at - started_at, used


def at_rest(process: psutil.Process, *, rest_s: float) -> None:
    """Print what the window process and its runner use when nothing happens."""
    time.sleep(5)  # loading the starter model is not rest
    family = [process, *process.children(recursive=True)]
    before = sum(sum(each.cpu_times()[:2]) for each in family)
    woken = process.num_ctx_switches().voluntary
    time.sleep(rest_s)
    used = sum(sum(each.cpu_times()[:2]) for each in family) - before
    wakes = (process.num_ctx_switches().voluntary - woken) / rest_s
    memory = process.memory_full_info()
    written = 0
    if sys.platform == "linux":  # no other system tells
        written = sum(part.private_dirty for part in process.memory_maps())
    sys.stdout.write(
        f"at rest: {100 * used / rest_s:.2f} % of a core, its thread wakes {wakes:.1f} times a second; "
        f"window process {memory.rss / 1e6:.0f} MB, {memory.uss / 1e6:.1f} its own, "
        f"{written / 1e6:.1f} of that written\n"
    )
    for child in family[1:]:
        sys.stdout.write(f"  runner {child.memory_info().rss / 1e6:.0f} MB\n")


if __name__ == "__main__":
    main()
