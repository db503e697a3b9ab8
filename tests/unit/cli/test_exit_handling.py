"""How a command ends when it cannot end by itself."""

from __future__ import annotations

import errno
import io
import sys
from collections.abc import Callable

import pytest

from fireside.cli.exit_handling import BROKEN_PIPE, INTERRUPTED, status_of


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
