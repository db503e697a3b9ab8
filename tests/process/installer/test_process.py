"""Programs that set-up runs: their log, their failure, and their end when we are stopped."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from provision.failure import SetupFailure
from provision.file_lock import file_lock
from provision.process import TAIL_LINES, Program, run_program


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], Program]:
    def make(code: str) -> Program:
        return Program(
            command=[sys.executable, "-u", "-c", code],
            log=tmp_path / "logs" / "step.log",
            failed="It did not work.",
            advice="Try again.",
        )

    return make


def until(path: Path) -> str:
    """Return code that goes on when ``path`` is made."""
    return f"import os, time\nwhile not os.path.exists({str(path)!r}): time.sleep(0.01)"


def test_what_a_program_says_is_logged_and_watched(program: Callable[[str], Program]) -> None:
    seen: list[str] = []
    run_program(program("print('one'); import sys; print('zwölf', file=sys.stderr)"), on_line=seen.append)
    assert seen == ["one", "zwölf"]


def test_a_failure_shows_the_last_lines_and_where_all_of_them_are(
    program: Callable[[str], Program],
) -> None:
    with pytest.raises(SetupFailure) as caught:
        run_program(program("[print(i) for i in range(100)]; raise SystemExit(2)"))
    assert caught.value.tail == tuple(str(n) for n in range(100 - TAIL_LINES, 100))
    assert caught.value.log is not None
    assert "\n0\n" in caught.value.log.read_text("utf-8")


def test_output_that_is_no_text_does_not_stop_a_step(program: Callable[[str], Program]) -> None:
    run_program(program(r"import sys; sys.stdout.buffer.write(b'\xff\xfe\n')"))


def test_a_silent_program_is_given_ticks(program: Callable[[str], Program], tmp_path: Path) -> None:
    released = tmp_path / "go"
    run_program(program(until(released)), on_tick=released.touch)


def test_an_interruption_ends_the_program_and_what_it_started(program: Callable[[str], Program]) -> None:
    family = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "print(child.pid)\n"
        "time.sleep(600)"
    )
    pids: list[int] = []

    def interrupt(line: str) -> None:
        pids.append(int(line))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_program(program(family), on_line=interrupt)
    grandchild = [psutil.Process(pid) for pid in pids if psutil.pid_exists(pid)]
    _, left = psutil.wait_procs(grandchild, timeout=10)
    # Where nothing reaps orphans (a container without init) an ended one stays in the list.
    assert [process for process in left if process.status() != psutil.STATUS_ZOMBIE] == []


@pytest.mark.skipif(sys.platform == "win32", reason="services are started otherwise there")
def test_a_service_that_a_package_started_does_not_hold_set_up(program: Callable[[str], Program]) -> None:
    start = (
        "import subprocess, sys\n"
        "service = [sys.executable, '-c', 'import time; time.sleep(600)']\n"
        "print(subprocess.Popen(service, start_new_session=True).pid)"
    )
    pids: list[int] = []
    run_program(program(start), on_line=lambda line: pids.append(int(line)))
    service = psutil.Process(pids[0])
    assert service.is_running()
    service.kill()


def test_a_second_set_up_waits_for_the_first(tmp_path: Path) -> None:
    waiting = threading.Event()
    order: list[str] = []

    def second() -> None:
        with file_lock(tmp_path / "lock", on_wait=waiting.set):
            order.append("second")

    thread = threading.Thread(target=second)
    with file_lock(tmp_path / "lock", on_wait=lambda: None):
        thread.start()
        assert waiting.wait(10)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def test_the_lock_of_a_set_up_that_died_lasts_as_long_as_its_compiler(
    program: Callable[[str], Program], tmp_path: Path
) -> None:
    """A killed set-up leaves its compiler at work; the next one must not compile into the same folder."""
    if sys.platform == "win32":
        pytest.skip("a file is not handed to a child there")
    import fcntl

    ours, theirs = (os.open(tmp_path / "lock", os.O_RDWR | os.O_CREAT) for _ in range(2))
    fcntl.flock(ours, fcntl.LOCK_EX)
    released, refused = tmp_path / "go", []

    def die(_: str) -> None:
        os.close(ours)  # as the system does for a process that was killed
        try:
            fcntl.flock(theirs, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            refused.append(True)
        released.touch()

    compiler = f"print('compiling')\n{until(released)}"
    run_program(replace(program(compiler), held_file=ours), on_line=die)
    os.close(theirs)
    assert refused == [True]
