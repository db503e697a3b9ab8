"""Memory bars: each part has a holder, and all parts together are the total."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fakes.devices import GIB, device
from fireside.core.hardware import DeviceReading, MemoryBreakdown, MemorySource
from fireside.core.status import DeviceKind, MemoryReport
from fireside.services.machine.hardware_report import (
    HeldByModel,
    ProcessMemory,
    is_on,
    measure_process,
    memory_bars,
)


def report(buffer: str, n_bytes: int) -> MemoryReport:
    return MemoryReport(buffer=buffer, weights_bytes=n_bytes, kv_bytes=0, compute_bytes=0)


def reading(name: str = "CUDA0", *, kind: DeviceKind = DeviceKind.GPU, same_as: str = "") -> DeviceReading:
    return DeviceReading(
        device=device(name, kind=kind), source=MemorySource.NVML, same_as=same_as, temperature_c=50, load=0.1
    )


def model(name: str = "Qwen", *, private: int = 0, mapped: int = 0, **on: int) -> HeldByModel:
    return HeldByModel(
        name=name,
        process=ProcessMemory(private_bytes=private, mapped_bytes=mapped),
        reports=tuple(report(buffer, n_bytes) for buffer, n_bytes in on.items()),
    )


def bars(*models: HeldByModel, readings: tuple[DeviceReading, ...] = ()) -> tuple[MemoryBreakdown, ...]:
    return memory_bars(
        total_bytes=16 * GIB,
        available_bytes=10 * GIB,
        this_program=ProcessMemory(private_bytes=GIB // 4, mapped_bytes=GIB),
        models=models,
        readings=readings,
    )


def holders(bar: MemoryBreakdown) -> dict[str, int]:
    return {holder.name: holder.n_bytes for holder in bar.holders}


def test_mapped_pages_belong_to_the_model_and_are_not_free() -> None:
    (host,) = bars(model(private=GIB, mapped=4 * GIB))
    assert host.free_bytes == 6 * GIB
    assert holders(host) == {
        "Qwen": 5 * GIB,
        "Fireside": GIB // 4,
        "Other programs and the system": 16 * GIB - 6 * GIB - 5 * GIB - GIB // 4,
    }


def test_a_card_lists_its_holders() -> None:
    _, card = bars(model(CUDA0=GIB, CUDA_Host=7), readings=(reading(),))
    assert (card.device, card.free_bytes, card.total_bytes) == ("CUDA0", 10 * GIB, 12 * GIB)
    assert holders(card) == {"Qwen": GIB, "Other programs": GIB}
    assert (card.temperature_c, card.load) == (50, 0.1)


def test_a_card_listed_twice_has_one_bar() -> None:
    result = bars(readings=(reading(), reading("Vulkan0", same_as="CUDA0")))
    assert [bar.device for bar in result] == ["CPU", "CUDA0"]


def test_an_integrated_gpu_uses_system_memory() -> None:
    (host,) = bars(model(private=GIB, Vulkan0=2 * GIB), readings=(reading("Vulkan0", kind=DeviceKind.IGPU),))
    assert holders(host)["Qwen"] == 3 * GIB


def test_a_runner_that_cannot_be_measured_counts_by_its_reports() -> None:
    unmeasured = HeldByModel(name="Qwen", process=None, reports=(report("CPU", 3), report("CPU_REPACK", 4)))
    assert holders(bars(unmeasured)[0])["Qwen"] == 7


def test_a_device_name_that_is_the_start_of_another_is_not_that_one() -> None:
    assert is_on(report("CUDA1", 1), "CUDA1")
    assert is_on(report("CUDA1_Split", 1), "CUDA1")
    assert is_on(report("RPC0[127.0.0.1:5000]", 1), "RPC0")
    assert not is_on(report("CUDA10", 1), "CUDA1")
    assert not is_on(report("CPU", 1), "CUDA1")


sizes = st.integers(min_value=0, max_value=32 * GIB)


@given(st.lists(st.tuples(sizes, sizes, sizes), max_size=4))
def test_the_holders_and_the_free_memory_add_up_to_the_total(
    sizes_by_model: list[tuple[int, int, int]],
) -> None:
    models = [
        model(f"M{number}", private=private, mapped=mapped, CUDA0=on_card)
        for number, (private, mapped, on_card) in enumerate(sizes_by_model)
    ]
    for bar in bars(*models, readings=(reading(),)):
        held = sum(holders(bar).values())
        assert 0 <= bar.free_bytes <= bar.total_bytes
        assert held + bar.free_bytes == bar.total_bytes or (held > bar.total_bytes and not bar.free_bytes)
        assert all(n_bytes > 0 for n_bytes in holders(bar).values())


def test_this_process_can_be_measured_and_an_ended_one_cannot() -> None:
    own = measure_process()
    assert own is not None
    assert own.private_bytes > 1 << 20
    assert measure_process(2**22 + 12345) is None
