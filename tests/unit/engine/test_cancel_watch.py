"""A runner that ignores a Cancel is killed; one that cannot react yet is waited for."""

from __future__ import annotations

from fakes.fake_clock import FakeClock
from fireside.engine.watchdog import CancelWatch

LIMIT_S = 2.0


class Watched:
    def __init__(self) -> None:
        self.clock = FakeClock()
        self.used_s: float | None = 0.0
        self.deaf: list[float] = []
        self.n_busy = 0
        self.watch = CancelWatch(
            clock=self.clock,
            limit_s=LIMIT_S,
            cpu_s=lambda: self.used_s,
            on_unresponsive=self.deaf.append,
            on_busy=self._note_busy,
        )

    def _note_busy(self) -> None:
        self.n_busy += 1

    def works(self, s: float, *, reports: bool = False, computes: bool = True) -> None:
        for _ in range(round(s / 0.5)):
            if computes and self.used_s is not None:
                self.used_s += 0.4
            if reports:
                self.watch.note_report()
            self.clock.advance(0.5)


def test_an_idle_runner_is_unresponsive_once() -> None:
    watched = Watched()
    watched.clock.advance(1.9)
    assert watched.deaf == []
    watched.clock.advance(9.0)
    assert watched.deaf == [LIMIT_S]


def test_a_runner_without_measurable_activity_has_the_time_limit() -> None:
    watched = Watched()
    watched.used_s = None
    watched.clock.advance(LIMIT_S)
    assert watched.deaf == [LIMIT_S]


def test_a_computing_runner_without_reports_is_waited_for() -> None:
    watched = Watched()
    watched.works(600.0)
    assert watched.deaf == []
    assert watched.n_busy > 100
    watched.clock.advance(LIMIT_S + 1.0)
    assert watched.deaf == [LIMIT_S]


def test_a_runner_that_keeps_reporting_steps_is_unresponsive() -> None:
    watched = Watched()
    watched.works(1.0, reports=True)
    watched.works(10.0)  # that step was the last but one
    assert watched.deaf == []
    watched.works(5.0, reports=True)
    assert watched.deaf == [LIMIT_S]


def test_a_late_check_does_not_count() -> None:
    watched = Watched()
    watched.clock.advance(1.0)
    watched.clock.jump(3600.0)
    assert watched.deaf == []
    watched.clock.advance(LIMIT_S)
    assert watched.deaf == [LIMIT_S]


def test_the_end_of_the_request_stops_the_checks() -> None:
    watched = Watched()
    watched.watch.cancel()
    watched.clock.advance(9.0)
    assert (watched.deaf, watched.clock.n_timers) == ([], 0)
