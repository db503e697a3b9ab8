"""Loads that took more than was predicted, and memory that others took since."""

from __future__ import annotations

from fireside.core.ids import ModelId
from fireside.core.options import LoadOptions
from fireside.core.plan import DeviceBudget, LoadRecord, MemoryKind, MemoryUse
from fireside.core.shortfall import (
    NOTICEABLE_BYTES,
    Pace,
    memory_taken_by_others,
    shortfalls,
    slowdown_message,
)

GIB = 1 << 30


def use(device: str, kind: MemoryKind, n_bytes: int) -> MemoryUse:
    return MemoryUse(device=device, kind=kind, n_bytes=n_bytes)


def record(*, predicted: tuple[MemoryUse, ...], measured: tuple[MemoryUse, ...]) -> LoadRecord:
    return LoadRecord(
        model_id=ModelId("m"),
        loaded_at=0,
        options=LoadOptions(),
        predicted=predicted,
        measured=measured,
        rss_bytes=0,
        load_s=0,
    )


def test_more_memory_than_predicted_is_a_shortfall() -> None:
    predicted = (use("GPU0", MemoryKind.COMPUTE, GIB),)
    measured = (use("GPU0", MemoryKind.COMPUTE, 3 * GIB // 2),)
    (shortfall,) = shortfalls(record(predicted=predicted, measured=measured))
    assert (shortfall.device, shortfall.n_bytes) == ("GPU0", GIB // 2)
    assert shortfall.text.startswith("The model uses 537 MB more of GPU0 than predicted.")


def test_small_excesses_and_less_memory_are_no_shortfall() -> None:
    predicted = (use("GPU0", MemoryKind.COMPUTE, GIB),)
    for n_bytes in (0, GIB, GIB + NOTICEABLE_BYTES):
        measured = (use("GPU0", MemoryKind.COMPUTE, n_bytes),)
        assert shortfalls(record(predicted=predicted, measured=measured)) == ()


def test_mapped_pages_of_the_file_are_not_compared() -> None:
    measured = (use("CPU", MemoryKind.WEIGHTS, 5 * GIB),)
    assert shortfalls(record(predicted=(), measured=measured)) == ()


def budget(*, free_bytes: int) -> DeviceBudget:
    return DeviceBudget(
        device="GPU0", description="", total_bytes=8 * GIB, free_bytes=free_bytes, margin_bytes=GIB
    )


def test_memory_taken_by_other_programs_is_recognised() -> None:
    before, own = (budget(free_bytes=7 * GIB),), {"GPU0": 5 * GIB}
    assert memory_taken_by_others(before, (budget(free_bytes=2 * GIB),), own_bytes=own) == ()
    (shortfall,) = memory_taken_by_others(before, (budget(free_bytes=GIB // 2),), own_bytes=own)
    assert shortfall.n_bytes == 3 * GIB // 2
    assert "Other programs took 1.6 GB of GPU0" in shortfall.text


def test_a_speed_is_compared_with_answers_of_similar_context() -> None:
    usual = [Pace(tokens_per_s=20.0, n_context=500)] * 3
    assert slowdown_message(Pace(tokens_per_s=4.9, n_context=500), usual=usual)
    assert not slowdown_message(Pace(tokens_per_s=5.1, n_context=500), usual=usual)
    assert not slowdown_message(Pace(tokens_per_s=1.0, n_context=4000), usual=usual)
    assert not slowdown_message(Pace(tokens_per_s=1.0, n_context=500), usual=usual[:2])
