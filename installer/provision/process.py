"""Run a program: its output goes to a log and a callback, and all its processes end with this one."""

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
    """A program to run. ``variables`` are added to the environment; ``failed`` is the sentence of a
    failure."""

    command: Sequence[str | Path]
    log: Path
    failed: str
    advice: str
    folder: Path | None = None
    variables: Mapping[str, str] | None = None
    held_file: int | None = None
    """A file descriptor that stays open while the program runs, even if this process is killed."""


def run_program(
    program: Program,
    *,
    on_line: Callable[[str], None] = lambda _: None,
    on_tick: Callable[[], None] = lambda: None,
) -> None:
    """Run a program to its end. Raises SetupFailure with its last lines if its exit status is not 0.

    ``on_line`` gets each line of output, ``on_tick`` is called while there is none. An interruption ends the
    program and all processes that it started.
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
        [str(argument) for argument in program.command],
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
    """Yield lines as they arrive, and call ``on_tick`` while there are none.

    A thread reads, since not every system can interrupt a blocked read. The thread is abandoned if a service
    that the program started keeps the output open.
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
    """End the process group: compilers that the program started must not keep writing files."""
    _signal(process, force=False)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(TERMINATE_GRACE_S)
    _signal(process, force=True)
    process.wait()


def _signal(process: subprocess.Popen[str], *, force: bool) -> None:
    if sys.platform == "win32":
        force_flag = ["/F"] if force else []
        subprocess.run(
            ["taskkill", "/T", *force_flag, "/PID", str(process.pid)], capture_output=True, check=False
        )
        return
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL if force else signal.SIGTERM)
