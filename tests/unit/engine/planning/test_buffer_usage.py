"""Mapped buffers are counted without overlap, and buffers belong to devices."""

from __future__ import annotations

import pytest

from fireside.core.model import LayerLayout, ModelLayout
from fireside.core.status import MemoryReport
from fireside.engine.planning.buffer_usage import buffer_usage, bytes_by_device, without_overlap

TIED = ModelLayout(
    layers=(LayerLayout(weights_bytes=10), LayerLayout(weights_bytes=10)),
    input_bytes=30,
    output_bytes=1,
    tied_bytes=30,
)


def report(buffer: str, n_bytes: int) -> MemoryReport:
    return MemoryReport(buffer=buffer, weights_bytes=n_bytes, kv_bytes=5, compute_bytes=6)


def mapped_bytes(*reports: MemoryReport, layout: ModelLayout | None = TIED) -> int:
    result = without_overlap(reports, layout=layout, devices=("GPU0",))
    assert [each.buffer for each in result] == [each.buffer for each in reports]
    assert all(each.kv_bytes == 5 for each in result)
    return result[0].weights_bytes


@pytest.mark.parametrize("n_layers_bytes", [0, 10, 20])
def test_a_tied_embedding_on_the_gpu_counts_in_ram_too(n_layers_bytes: int) -> None:
    on_gpu = 30 + 1 + n_layers_bytes
    assert mapped_bytes(report("CPU_Mapped", 51), report("GPU0", on_gpu)) == 50 - n_layers_bytes


@pytest.mark.parametrize(
    ("reported", "counted"),
    [
        pytest.param({"CPU_Mapped": 51}, 51, id="without others it is the whole file"),
        pytest.param({"CPU_Mapped": 51, "CPU_REPACK": 20}, 31, id="repacked weights count once"),
        pytest.param({"CPU_Mapped": 51, "CPU_REPACK": 50}, 31, id="a repacked tied embedding counts twice"),
        pytest.param({"CPU_Mapped": 30, "CPU": 0}, 30, id="never more than was reported"),
        pytest.param({"CPU_Mapped": 51, "draft CPU_Mapped": 20}, 51, id="auxiliary models do not reduce it"),
    ],
)
def test_a_mapped_buffer_counts_without_what_lies_elsewhere(reported: dict[str, int], counted: int) -> None:
    assert mapped_bytes(*(report(buffer, n) for buffer, n in reported.items())) == counted


def test_without_a_layout_the_reports_stay_unchanged() -> None:
    assert mapped_bytes(report("CPU_Mapped", 51), report("CPU_REPACK", 20), layout=None) == 51


def test_with_tensor_parallelism_each_gpu_has_its_part() -> None:
    uses = buffer_usage([report("Meta()", 40), report("CPU", 2)], devices=("CPU", "GPU0", "GPU1"))
    assert bytes_by_device(uses) == {"GPU0": 51, "GPU1": 51, "CPU": 13}
