"""Run a program with its output in a log, its lines watched, and its whole family ended if we are."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from provision.failure import SetupFailure, advice_for

TAIL_LINES = 15
TICK_S = 0.25
TERMINATE_GRACE_S = 5.0

if sys.platform == "win32":
    NEW_GROUP = subprocess.CREATE_NEW_PROCESS_GROUP
else:
    NEW_GROUP = 0  # start_new_session does it


@dataclass(frozen=True, kw_only=True)
class Program:
    """What to run. ``variables`` are set over this process's own; ``failed`` words a failure."""

    command: Sequence[str | Path]
    log: Path
    failed: str
    advice: str
    folder: Path | None = None
    variables: Mapping[str, str] | None = None
    held_file: int | None = None
    """A file descriptor that stays open for as long as the program runs, even if we are killed."""


def run_program(
    program: Program,
    *,
    on_line: Callable[[str], None] = lambda _: None,
    on_tick: Callable[[], None] = lambda: None,
) -> None:
    """Run to the end. Raises SetupFailure with the last lines if it does not exit with 0.

    An interruption (Ctrl-C, termination) ends the program and all that it started.
    """
    program.log.parent.mkdir(parents=True, exist_ok=True)
    tail: deque[str] = deque(maxlen=TAIL_LINES)
    with program.log.open("a", encoding="utf-8", errors="replace") as log:
        log.write("$ " + " ".join(str(word) for word in program.command) + "\n")
        process = _start(program)
        try:
            for line in _lines(process, on_tick=on_tick):
                log.write(line + "\n")
                log.flush()
                if line.strip():
                    tail.append(line)
                on_line(line)
            status = process.wait()
        except BaseException:
            _end(process)
            raise
    if status != 0:
        last = tuple(tail)
        raise SetupFailure(
            sentence=program.failed,
            advice=advice_for(last, otherwise=program.advice),
            log=program.log,
            tail=last,
        )


def _start(program: Program) -> subprocess.Popen[str]:
    held = () if program.held_file is None or sys.platform == "win32" else (program.held_file,)
    return subprocess.Popen(
        [str(word) for word in program.command],
        cwd=program.folder,
        env={**os.environ, **(program.variables or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        start_new_session=sys.platform != "win32",
        creationflags=NEW_GROUP,
        pass_fds=held,
    )


def _lines(process: subprocess.Popen[str], *, on_tick: Callable[[], None]) -> Iterator[str]:
    """Give lines as they come, and call ``on_tick`` while none do.

    A blocked read cannot be interrupted on every system, so a thread of its own reads. It is left behind
    when a service that the program started keeps the output open: that never ends.
    """
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    reader = threading.Thread(target=_read, args=(process, lines), daemon=True)
    reader.start()
    while True:
        has_exited = process.poll() is not None
        try:
            line = lines.get(timeout=TICK_S)
        except queue.Empty:
            if has_exited:
                return
            on_tick()
            continue
        if line is None:
            return
        yield line


def _read(process: subprocess.Popen[str], lines: queue.SimpleQueue[str | None]) -> None:
    assert process.stdout is not None
    with process.stdout as output:
        for line in output:
            lines.put(line.rstrip("\r\n"))
    lines.put(None)


def _end(process: subprocess.Popen[str]) -> None:
    """End the program's whole group: compilers that it started must not write on behind our back."""
    _signal(process, force=False)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(TERMINATE_GRACE_S)
    _signal(process, force=True)
    process.wait()


def _signal(process: subprocess.Popen[str], *, force: bool) -> None:
    if sys.platform == "win32":
        force_words = ["/F"] if force else []
        subprocess.run(
            ["taskkill", "/T", *force_words, "/PID", str(process.pid)], capture_output=True, check=False
        )
        return
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL if force else signal.SIGTERM)
