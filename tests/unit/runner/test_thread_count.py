"""The number of threads adapts to cores that other programs keep busy."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import ExitStack

import pytest

from fireside.runner.llama import CoreTimes, ThreadCount, core_times

STEP_S = 0.2


class Machine:
    """Tells what a system would, after each step."""

    def __init__(self) -> None:
        self.times = CoreTimes(0.0, 0.0, 0.0)

    def step(self, threads: ThreadCount, *, waited: float = 0.0, idle: float = 0.0) -> int:
        """Compute a step in which threads waited for cores, and cores were idle, for such shares of it."""
        at_s, waited_s, idle_s = self.times
        self.times = CoreTimes(at_s + STEP_S, waited_s + waited * STEP_S, idle_s + idle * STEP_S)
        before = threads.n
        assert threads.add_step(STEP_S) == (threads.n != before)
        return threads.n

    def read(self) -> CoreTimes:
        return self.times


@pytest.fixture
def machine() -> Machine:
    return Machine()


def test_all_configured_threads_compute_on_an_idle_machine(machine: Machine) -> None:
    threads = ThreadCount(2, read=machine.read)

    assert [machine.step(threads), machine.step(threads, waited=0.3), machine.step(threads, idle=1)] == [
        2,
        2,
        2,
    ]


@pytest.mark.parametrize(
    ("n_most", "waited", "n"), [(2, 0.93, 1), (8, 0.5, 7), (8, 0.05, 8), (8, 4.0, 4), (4, 16.0, 1)]
)
def test_threads_that_wait_for_cores_are_removed(
    machine: Machine, n_most: int, waited: float, n: int
) -> None:
    assert machine.step(ThreadCount(n_most, read=machine.read), waited=waited) == n


def test_threads_are_added_when_cores_are_idle(machine: Machine) -> None:
    threads = ThreadCount(8, read=machine.read)
    machine.step(threads, waited=4)

    assert [machine.step(threads, idle=idle) for idle in (0.0, 0.5, 0.7, 2.0, 8.0)] == [4, 4, 5, 7, 8]


def test_at_least_one_thread_computes(machine: Machine) -> None:
    threads = ThreadCount(2, read=machine.read)

    assert [machine.step(threads, waited=1) for _ in range(3)] == [1, 1, 1]


def test_short_steps_are_measured_together(machine: Machine) -> None:
    threads = ThreadCount(2, read=machine.read)
    machine.times = CoreTimes(0.06, 0.09, 0.0)

    assert not threads.add_step(0.06)
    assert threads.add_step(0.06)


def test_waiting_time_of_an_ended_thread_is_not_negative(machine: Machine) -> None:
    threads = ThreadCount(2, read=machine.read)
    machine.step(threads, waited=0.2)

    assert machine.step(threads, waited=-0.2) == 2


def test_all_threads_compute_without_counters() -> None:
    threads = ThreadCount(8, read=lambda: None)

    assert not threads.add_step(STEP_S)
    assert threads.n == 8


@pytest.mark.skipif(sys.platform != "linux", reason="no other system tells")
def test_system_counters_show_that_a_thread_waits_for_a_core() -> None:
    before = core_times()
    assert before is not None
    with ExitStack() as stack:
        for _ in range(2 * (os.cpu_count() or 1)):
            load = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            stack.callback(load.wait)
            stack.callback(load.kill)
        ends = time.monotonic() + 60
        while (now := core_times()) and now.waited_s < before.waited_s + 0.01 and time.monotonic() < ends:
            pass
    assert now is not None
    assert now.waited_s >= before.waited_s + 0.01
    assert now.idle_s >= before.idle_s
