"""Who may connect to the network's listener, over time."""

from __future__ import annotations

from fireside.api.device_gate import BLOCK_S, MAX_FAILURES, MAX_OPEN, MAX_OPEN_EACH, DeviceGate


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_so_many_at_once_and_so_fast() -> None:
    clock = Clock()
    gate = DeviceGate(clock)
    assert sum(gate.admit("a") for _ in range(200)) == MAX_OPEN_EACH
    for _ in range(MAX_OPEN_EACH):
        gate.leave("a")
    n_more = 0
    while gate.admit("a"):
        gate.leave("a")
        n_more += 1
    assert n_more < MAX_OPEN_EACH  # its burst is spent, at once or one after the other
    assert gate.admit("b")
    clock.now += 1
    assert gate.admit("a")


def test_all_together_are_bounded() -> None:
    clock = Clock()
    gate = DeviceGate(clock)
    n_admitted = 0
    for number in range(2000):
        n_admitted += gate.admit(f"10.0.{number // 250}.{number % 250}")
        clock.now += 0.1
    assert n_admitted == gate.n_open == MAX_OPEN


def test_failures_block_for_a_while_and_fade() -> None:
    clock = Clock()
    gate = DeviceGate(clock)
    for _ in range(MAX_FAILURES):
        assert gate.admit("a")
        gate.leave("a")
        gate.fail("a")
    assert not gate.admit("a")
    assert gate.admit("b")
    clock.now += BLOCK_S
    assert gate.admit("a")
    for _ in range(MAX_FAILURES):  # one in a while is a device that was revoked
        gate.fail("b")
        clock.now += BLOCK_S / 2
    assert gate.admit("b")
