"""Measure how late the window's event loop is while a download runs, or while a model answers.

The real program, in one process, fetches from a hub on loopback, which is a process of its own. A timer
of 10 ms beats in the window; its lateness is what a user would feel. First at rest, then during downloads.
With ``--threads`` the starter model answers instead, in turn with each number of threads.

Usage: PYTHONPATH=tests python tests/tools/bench/heartbeat.py [--megabytes 1000] [--rate 100] [--at-once 1]
[--folder FOLDER] [--threads 1 2]
Uses the display that is there, else Qt's offscreen platform.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

if not os.environ.get("DISPLAY"):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication

from fakes.program import Program, running_program
from fakes.window import dress
from fireside.core.events import MessageReplaced
from fireside.core.hub import Download, DownloadsChanged, DownloadState
from fireside.settings.values import AppLayer
from fireside.ui.page import Page

BEAT_MS = 10
REST_S = 3.0
HUB = """
import sys
from fakes.fake_hub import Repo, fake_hub, gguf_bytes
n_bytes, n_files = int(sys.argv[1]), int(sys.argv[2])
block = gguf_bytes(1_000_000)
with fake_hub() as hub:
    for number in range(n_files):
        content = block * (n_bytes // len(block)) + bytes([number])
        hub.repos[f"acme/large-{number}-GGUF"] = Repo(files={f"large-{number}-Q4_K_M.gguf": content})
    print(hub.endpoint, flush=True)
    sys.stdin.read()
"""


class Heart:
    """Beats on the event loop of the window and remembers how late each beat was."""

    def __init__(self) -> None:
        self.late_ms: list[float] = []
        self._due_s = 0.0
        self._timer = QTimer(interval=BEAT_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._on_beat)

    def _on_beat(self) -> None:
        now = time.perf_counter()
        self.late_ms.append(max(0.0, (now - self._due_s) * 1000))
        self._due_s = now + BEAT_MS / 1000

    async def during(self, what: Awaitable[None]) -> None:
        """Beat until ``what`` is done."""
        self.late_ms = []
        self._due_s = time.perf_counter() + BEAT_MS / 1000
        self._timer.start()
        try:
            await what
        finally:
            self._timer.stop()

    def words(self) -> str:
        parts = statistics.quantiles(self.late_ms, n=100)
        n_late = sum(late > 50 for late in self.late_ms)
        return (
            f"{len(self.late_ms):,} beats, late by: median {parts[49]:.1f} ms, "
            f"99 of 100 under {parts[98]:.1f} ms, most {max(self.late_ms):.1f} ms, {n_late} over 50 ms"
        )


@contextmanager
def hub_process(*, n_bytes: int, n_files: int) -> Iterator[str]:
    """A hub with large files; gives its address."""
    process = subprocess.Popen(
        [sys.executable, "-c", HUB, str(n_bytes), str(n_files)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )
    with process:
        assert process.stdin
        assert process.stdout
        try:
            yield process.stdout.readline().strip()
        finally:
            process.stdin.close()


async def measure(program: Program, *, n_files: int, n_bytes: int) -> None:
    """Print the heartbeat at rest and while files are fetched, on two pages."""
    await program.client.snapshot()
    heart = Heart()
    await heart.during(asyncio.sleep(REST_S))
    print(f"at rest: {heart.words()}")
    started_s = time.perf_counter()
    for number in range(n_files):
        await program.client.hub.download_named(f"acme/large-{number}-GGUF")
    program.window.show_page(Page.DOWNLOADS)
    await heart.during(program.until(lambda: all_done(program, n_files=n_files)))
    took_s = time.perf_counter() - started_s
    print(f"downloading {n_files * n_bytes / took_s / 1e6:.0f} MB/s: {heart.words()}")


async def measure_answers(program: Program, *, n_threads: Sequence[int], n_rounds: int) -> None:
    """Print the heartbeat and the pace of answers, in turn with each number of threads."""
    heart = Heart()
    await program.ready()
    for _ in range(n_rounds):
        for number in n_threads:
            await program.client.settings.change(AppLayer(), key="load.n_threads", value=number)
            await program.ready()
            long = "The keeper counted the waves and wrote it down. " * 60
            program.type(long)  # before it beats: no user types so much
            await heart.during(program.send())
            record = program.seen(MessageReplaced)[-1].message.generation
            assert record is not None
            assert record.usage is not None
            assert record.timings is not None
            n_read = record.usage.n_prompt - record.usage.n_cached
            print(
                f"{number} threads, {n_read / record.timings.prompt_s:.0f} tokens/s read, "
                f"{record.timings.tokens_per_second(n_completion=record.usage.n_completion):.1f} written: "
                f"{heart.words()}"
            )


def all_done(program: Program, *, n_files: int) -> bool:
    """Whether all files have arrived; a failure ends the program."""
    changes = program.seen(DownloadsChanged)
    downloads: tuple[Download, ...] = changes[-1].downloads if changes else ()
    failed = [download for download in downloads if download.state is DownloadState.FAILED]
    if failed:
        raise SystemExit(f"a download failed: {failed[0].error}")
    return len([each for each in downloads if each.state is DownloadState.DONE]) == n_files


def main() -> None:
    """Measure once and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=1000, help="size of each file")
    parser.add_argument("--rate", type=int, default=100, help="MB/s of all downloads together; 0: no limit")
    parser.add_argument("--at-once", type=int, default=1, help="files that are fetched at the same time")
    parser.add_argument("--folder", type=Path, help="where the files go; a temporary one by default")
    parser.add_argument("--threads", type=int, nargs="+", help="have a model answer instead")
    parser.add_argument("--rounds", type=int, default=2)
    arguments = parser.parse_args()
    if arguments.threads:
        application = QApplication([])
        dress(application)
        limits = ("sampling.max_tokens=150", "chat.titles_by_model=off", "sampling.ignore_eos=on")
        with (
            tempfile.TemporaryDirectory(dir=arguments.folder) as home,
            running_program(application, home=Path(home), settings=limits) as program,
        ):
            program.run(
                lambda: measure_answers(program, n_threads=arguments.threads, n_rounds=arguments.rounds)
            )
        return
    n_bytes = arguments.megabytes * 1_000_000 + 1
    application = QApplication([])
    dress(application)
    with (
        tempfile.TemporaryDirectory(dir=arguments.folder) as home,
        hub_process(n_bytes=n_bytes, n_files=arguments.at_once) as endpoint,
        running_program(
            application,
            home=Path(home),
            settings=(
                f"hub.endpoint={endpoint}",
                f"hub.speed_limit_kb={arguments.rate * 1000}",
                f"hub.downloads_at_once={arguments.at_once}",
            ),
        ) as program,
    ):
        program.run(lambda: measure(program, n_files=arguments.at_once, n_bytes=n_bytes))


if __name__ == "__main__":
    main()
