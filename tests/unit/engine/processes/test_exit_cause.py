"""The cause of a runner's exit, for the user."""

from __future__ import annotations

import pytest

from fireside.core.i18n import render
from fireside.engine.processes.runner_process import MemoryAtEnd
from fireside.engine.processes.runner_process import exit_cause as found_cause

ENOUGH = MemoryAtEnd(free_bytes=23_000_000_000, n_kills=0)
ASSERT_LINE = "/build/ggml.c:123: GGML_ASSERT(n_outputs_max <= cparams.n_outputs_max) failed"


def exit_cause(status: int, *, last_lines: tuple[str, ...], windows: bool, memory: MemoryAtEnd) -> str:
    """Return the cause as it is read."""
    return render(found_cause(status, last_lines=last_lines, windows=windows, memory=memory))


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (-11, "SIGSEGV"),
        (-7, "the model file was changed"),
        (-4, "another CPU"),
        (-8, "SIGFPE"),
        (-6, "llama.cpp aborted"),
        (-15, "killed by another program"),
        (-200, "signal 200"),
        (0, "unexpectedly"),
        (1, "code 1"),
    ],
)
def test_a_posix_status_has_a_cause(status: int, text: str) -> None:
    cause = exit_cause(status, last_lines=(), windows=False, memory=ENOUGH)
    assert text in cause
    assert cause.endswith(".")


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (0xC0000005, "access violation"),
        (0xC0000005 - 2**32, "access violation"),
        (0xC000001D, "another CPU"),
        (0xC0000017, "out of memory"),
        (0xC0000409, "aborted"),
        (0xC0000135, "library"),
        (0xC0001234, "0xC0001234"),
        (1, "code 1"),
    ],
)
def test_a_windows_status_has_a_cause(status: int, text: str) -> None:
    cause = exit_cause(status, last_lines=(), windows=True, memory=ENOUGH)
    assert text in cause
    assert cause.endswith(".")


def test_an_abort_quotes_the_assert() -> None:
    lines = ("loading", ASSERT_LINE, "something after it")
    assert f"“{ASSERT_LINE}”" in exit_cause(-6, last_lines=lines, windows=False, memory=ENOUGH)
    assert f"“{ASSERT_LINE}”" in exit_cause(3, last_lines=lines, windows=True, memory=ENOUGH)


def test_the_last_assert_is_quoted() -> None:
    lines = ("GGML_ASSERT(first)", "GGML_ASSERT(second)")
    assert "second" in exit_cause(-6, last_lines=lines, windows=False, memory=ENOUGH)


@pytest.mark.parametrize(
    ("status", "line"),
    [
        (-6, "/build/ggml.c:1644: GGML_ASSERT(ctx->mem_buffer != NULL) failed"),
        (-6, "  what():  std::bad_alloc"),
        (-11, "ggml_aligned_malloc: insufficient memory (attempted to allocate 180.00 MB)"),
        (1, "RuntimeError: can't start new thread"),
        (1, "ImportError: libggml.so: failed to map segment from shared object"),
        (2, "MemoryError"),
    ],
)
def test_short_memory_is_named(status: int, line: str) -> None:
    lines = ("loading", line, "  ")
    for windows in (False, True):
        assert exit_cause(status, last_lines=lines, windows=windows, memory=ENOUGH) == "out of memory."


def test_a_kill_and_what_runs_without_are_no_short_memory() -> None:
    pinned = "ggml_cuda_host_malloc: failed to allocate 8.00 MiB of pinned memory: out of range"
    assert "llama.cpp aborted" in exit_cause(-6, last_lines=(pinned,), windows=False, memory=ENOUGH)


def test_an_exit_code_quotes_the_last_line_with_text() -> None:
    assert "“out of luck”" in exit_cause(1, last_lines=("out of luck", "  "), windows=False, memory=ENOUGH)


def test_a_long_line_is_shortened() -> None:
    cause = exit_cause(1, last_lines=("x" * 5000,), windows=False, memory=ENOUGH)
    assert len(cause) < 400
    assert "…" in cause


def killed(*, n_kills: int | None, free_bytes: int = 23_000_000_000) -> str:
    memory = MemoryAtEnd(free_bytes=free_bytes, n_kills=n_kills)
    return exit_cause(-9, last_lines=(), windows=False, memory=memory)


def test_a_kill_is_attributed_to_memory_only_after_an_oom_kill() -> None:
    assert "out of memory: it has killed a program for that" in killed(n_kills=1)
    assert "out of memory" not in killed(n_kills=0)
    assert "Not for lack of memory; 23.0 GB free" in killed(n_kills=0)


def test_without_oom_counts_a_kill_names_the_free_memory() -> None:
    assert "out of memory" not in killed(n_kills=None)
    assert "120 MB of memory free" in killed(n_kills=None, free_bytes=120_000_000)
