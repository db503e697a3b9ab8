"""Progress of the compilation."""

from __future__ import annotations

import pytest

from provision.ninja_progress import BuildProgress, read_progress


@pytest.mark.parametrize(
    ("line", "progress"),
    [
        ("[53/156] Building CXX object ggml.cpp.o", BuildProgress(n_done=53, n_total=156)),
        ("  [1/2] cd /tmp && c++ -o x", BuildProgress(n_done=1, n_total=2)),
        ("-- Detecting C compiler ABI info", None),
        ("warning: see [3/4] of the manual", None),
        ("[0/0] nothing", None),
        ("[7/3] more than all", BuildProgress(n_done=3, n_total=3)),
    ],
)
def test_ninjas_count_is_read_and_nothing_else_is(line: str, progress: BuildProgress | None) -> None:
    assert read_progress(line) == progress


def test_the_fraction_is_of_the_whole() -> None:
    assert BuildProgress(n_done=39, n_total=156).fraction == 0.25
