"""How a command ends when it cannot end by itself: at the first Ctrl+C, cleaning up undisturbed."""

from __future__ import annotations

import errno
import io
import signal
import sys
from collections.abc import Callable, Iterator

import pytest

from fireside.cli.exit_handling import BROKEN_PIPE, INTERRUPTED, SingleInterrupt, status_of


def raises(error: BaseException) -> Callable[[], int]:
    def run() -> int:
        raise error

    return run


class Full(io.StringIO):
    """A file on a full disk: the last of it cannot be written."""

    def flush(self) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_the_exit_status_of_a_command_is_returned() -> None:
    assert status_of(lambda: 7) == 7


def test_an_interrupt_has_the_status_that_shells_expect(capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(raises(KeyboardInterrupt())) == INTERRUPTED
    assert capsys.readouterr().err == ""


def test_a_reader_that_has_seen_enough_is_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(raises(BrokenPipeError(errno.EPIPE, "Broken pipe"))) == BROKEN_PIPE
    assert capsys.readouterr().err == ""


def test_a_full_disk_is_reported_even_at_the_last_flush(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", Full())
    assert status_of(lambda: 0) == 1
    assert "No space left on device" in capsys.readouterr().err


def test_an_error_that_nobody_foresaw_keeps_its_stack() -> None:
    with pytest.raises(PermissionError):
        status_of(raises(PermissionError(errno.EACCES, "Permission denied")))


def test_closed_streams_stand_open_to_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    opened: list[io.TextIOBase] = []

    def run() -> int:
        opened.extend([sys.stdin, sys.stdout, sys.stderr])  # type: ignore[list-item]
        assert sys.stdin.read() == ""
        return sys.stdout.write("nobody") - len("nobody") + sys.stderr.write("") * 0

    assert status_of(run) == 0
    for stream in opened:
        stream.close()


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
