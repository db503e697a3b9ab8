"""A command ends at the first Ctrl+C, and cleans up undisturbed."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from fireside.cli.exit_handling import SingleInterrupt


@pytest.fixture(autouse=True)
def _signal_as_before() -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)


def test_the_first_interrupt_is_raised_and_later_ones_are_ignored() -> None:
    with SingleInterrupt():
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
    signal.raise_signal(signal.SIGINT)


def test_an_interrupt_that_was_discarded_is_raised_at_the_next_check() -> None:
    with SingleInterrupt() as interrupt:
        interrupt.check()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            interrupt.check()


def test_without_an_interrupt_the_handler_is_restored() -> None:
    before = signal.getsignal(signal.SIGINT)
    with SingleInterrupt():
        assert signal.getsignal(signal.SIGINT) != before
    assert signal.getsignal(signal.SIGINT) == before


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with SingleInterrupt() as interrupt:
        signal.raise_signal(signal.SIGINT)
        interrupt.check()
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
