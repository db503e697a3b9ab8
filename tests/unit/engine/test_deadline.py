"""A deadline forgives what this program itself was late with."""

from __future__ import annotations

from fakes.fake_clock import FakeClock
from fireside.engine.runner_handshake import Deadline


def test_it_comes_once_and_says_how_long_it_was() -> None:
    clock, over = FakeClock(), list[float]()
    Deadline(clock=clock, limit_s=2.0, on_timeout=over.append)
    clock.advance(1.9)
    assert over == []
    clock.advance(0.2)
    clock.advance(9.0)
    assert over == [2.0]


def test_what_is_in_time_is_not_given_up() -> None:
    clock, over = FakeClock(), list[float]()
    Deadline(clock=clock, limit_s=2.0, on_timeout=over.append).cancel()
    clock.advance(9.0)
    assert (over, clock.n_timers) == ([], 0)


def test_a_timer_that_comes_late_begins_anew() -> None:
    clock, over = FakeClock(), list[float]()
    Deadline(clock=clock, limit_s=2.0, on_timeout=over.append)
    clock.jump(60.0)
    assert over == []
    clock.advance(2.0)
    assert over == [2.0]
