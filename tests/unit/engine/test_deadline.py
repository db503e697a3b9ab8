"""A deadline does not count delays of this program."""

from __future__ import annotations

from fakes.fake_clock import FakeClock
from fireside.engine.watchdog import Deadline


def test_a_deadline_fires_once_with_its_limit() -> None:
    clock, over = FakeClock(), list[float]()
    Deadline(clock=clock, limit_s=2.0, on_timeout=over.append)
    clock.advance(1.9)
    assert over == []
    clock.advance(0.2)
    clock.advance(9.0)
    assert over == [2.0]


def test_a_cancelled_deadline_does_not_fire() -> None:
    clock, over = FakeClock(), list[float]()
    Deadline(clock=clock, limit_s=2.0, on_timeout=over.append).cancel()
    clock.advance(9.0)
    assert (over, clock.n_timers) == ([], 0)


def test_a_late_timer_restarts_the_deadline() -> None:
    clock, over = FakeClock(), list[float]()
    Deadline(clock=clock, limit_s=2.0, on_timeout=over.append)
    clock.jump(60.0)
    assert over == []
    clock.advance(2.0)
    assert over == [2.0]
