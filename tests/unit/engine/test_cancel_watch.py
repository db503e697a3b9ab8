"""A runner that does not obey a Cancel is given up; one that cannot yet is waited for."""

from __future__ import annotations

from fakes.fake_clock import FakeClock
from fireside.engine.cancel_watch import CancelWatch

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


def test_one_that_does_nothing_is_given_up_once() -> None:
    watched = Watched()
    watched.clock.advance(1.9)
    assert watched.deaf == []
    watched.clock.advance(9.0)
    assert watched.deaf == [LIMIT_S]


def test_one_whose_work_cannot_be_told_has_the_limit() -> None:
    watched = Watched()
    watched.used_s = None
    watched.clock.advance(LIMIT_S)
    assert watched.deaf == [LIMIT_S]


def test_one_that_computes_and_says_nothing_is_waited_for_however_long() -> None:
    watched = Watched()
    watched.works(600.0)
    assert watched.deaf == []
    assert watched.n_busy > 100
    watched.clock.advance(LIMIT_S + 1.0)
    assert watched.deaf == [LIMIT_S]


def test_one_that_goes_on_to_report_steps_does_not_listen() -> None:
    watched = Watched()
    watched.works(1.0, reports=True)
    watched.works(10.0)  # that step was the last but one
    assert watched.deaf == []
    watched.works(5.0, reports=True)
    assert watched.deaf == [LIMIT_S]


def test_a_look_that_comes_late_says_nothing() -> None:
    watched = Watched()
    watched.clock.advance(1.0)
    watched.clock.jump(3600.0)
    assert watched.deaf == []
    watched.clock.advance(LIMIT_S)
    assert watched.deaf == [LIMIT_S]


def test_the_end_of_the_request_ends_it() -> None:
    watched = Watched()
    watched.watch.cancel()
    watched.clock.advance(9.0)
    assert (watched.deaf, watched.clock.n_timers) == ([], 0)
