"""The last lines of a runner's log."""

from __future__ import annotations

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fireside.engine.processes.runner_process import MAX_LINE_BYTES, MAX_LINES, LogTail
from fireside.wire.runner_modes import NOTE


def tail_of(*chunks: bytes) -> tuple[str, ...]:
    tail = LogTail(logger=logging.getLogger("test"), pid=1)
    for chunk in chunks:
        tail.feed(chunk)
    tail.end()
    return tail.lines


def test_lines_are_found_across_chunks() -> None:
    assert tail_of(b"one\ntw", b"o\nthree") == ("one", "two", "three")


def test_only_the_last_lines_are_kept() -> None:
    lines = tail_of(b"".join(b"%d\n" % number for number in range(1000)))
    assert (len(lines), lines[0], lines[-1]) == (MAX_LINES, "800", "999")


def test_a_line_without_end_takes_bounded_memory() -> None:
    lines = tail_of(*[b"x" * 100_000] * 30)
    assert len(lines) == MAX_LINES
    assert all(len(line) <= MAX_LINE_BYTES for line in lines)


def test_control_characters_and_invalid_utf8_are_replaced() -> None:
    assert tail_of(b"a\x1b[2Jb\xff\r\n") == ("a�[2Jb�",)


def test_lines_go_to_logging(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="test"):
        tail_of(b"hello\n")
    assert caplog.messages == ["runner 1: hello"]


@given(content=st.binary(max_size=400), cut=st.integers(0, 400))
def test_the_chunk_boundaries_do_not_matter(content: bytes, cut: int) -> None:
    assert tail_of(content[:cut], content[cut:]) == tail_of(content)


def test_a_note_is_in_the_log_of_the_program(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        tail_of(b"for developers\n", f"{NOTE}not enforced: /x\n".encode())
    assert caplog.messages == ["runner 1: not enforced: /x"]
