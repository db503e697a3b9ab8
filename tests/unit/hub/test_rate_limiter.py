"""All transfers share one speed limit; speed is measured over the last seconds."""

from __future__ import annotations

import pytest

from fakes.fake_clock import ManualClock
from fireside.hub.cancel_token import CancelToken, Stopped
from fireside.hub.rate_limiter import RateLimiter, SpeedMeter


class WaitingToken(CancelToken):
    """Advances the clock instead of waiting."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__()
        self._clock = clock

    def wait(self, seconds: float) -> None:
        self.check()
        self._clock.now += seconds


def test_a_limit_is_shared_by_all_transfers() -> None:
    clock = ManualClock(100.0)
    limiter = RateLimiter(limit=lambda: 1000.0, clock=clock)
    tokens = [WaitingToken(clock) for _ in range(2)]
    for number in range(100):
        limiter.throttle(100, cancel=tokens[number % 2])
    assert clock.now - 100.0 == pytest.approx(10.0, abs=0.5)


def test_without_a_limit_there_is_no_wait() -> None:
    clock = ManualClock(100.0)
    RateLimiter(limit=lambda: None, clock=clock).throttle(10**12, cancel=WaitingToken(clock))
    assert clock.now == 100.0


def test_a_lifted_limit_applies_at_once() -> None:
    clock = ManualClock(100.0)
    limits = [10.0]
    limiter = RateLimiter(limit=lambda: limits[0] if limits else None, clock=clock)
    limiter.throttle(100, cancel=WaitingToken(clock))
    limits.clear()
    before = clock.now
    limiter.throttle(10**9, cancel=WaitingToken(clock))
    assert clock.now == before


def test_a_throttled_transfer_can_be_stopped() -> None:
    cancel = CancelToken()
    cancel.stop()
    with pytest.raises(Stopped):
        RateLimiter(limit=lambda: 1.0, clock=ManualClock(100.0)).throttle(1000, cancel=cancel)


def fill(meter: SpeedMeter, clock: ManualClock, *, seconds: int, bytes_per_s: int) -> int:
    n_bytes = 0
    for _ in range(seconds * 4):
        clock.now += 0.25
        n_bytes += bytes_per_s // 4
        meter.update(n_bytes)
    return n_bytes


def test_speed_is_that_of_the_last_seconds() -> None:
    clock = ManualClock(100.0)
    meter = SpeedMeter(clock=clock)
    n_bytes = fill(meter, clock, seconds=30, bytes_per_s=4000)
    assert meter.bytes_per_s == pytest.approx(4000, rel=0.05)
    assert meter.seconds_left(40_000) == pytest.approx(10.0, rel=0.05)
    for _ in range(60):
        clock.now += 0.25
        meter.update(n_bytes)
    assert meter.bytes_per_s == 0.0


def test_a_stalled_download_has_no_time_left() -> None:
    clock = ManualClock(100.0)
    meter = SpeedMeter(clock=clock)
    fill(meter, clock, seconds=5, bytes_per_s=4000)
    assert not meter.is_stalled
    clock.now += 11
    assert meter.is_stalled
    assert meter.seconds_left(1000) is None


def test_a_new_download_has_no_speed() -> None:
    meter = SpeedMeter(clock=ManualClock(100.0))
    assert (meter.bytes_per_s, meter.seconds_left(10)) == (0.0, None)
