"""Every part of a memory has an owner, and all of it together is the memory."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fakes.devices import GIB, device
from fireside.core.hardware import DeviceReading, MemoryBar, MemorySource
from fireside.core.status import DeviceKind, MemoryReport
from fireside.engine.devices.memory_breakdown import HeldByModel, is_on, memory_bars
from fireside.engine.devices.process_memory import ProcessMemory, measure_process


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


def bars(*models: HeldByModel, readings: tuple[DeviceReading, ...] = ()) -> tuple[MemoryBar, ...]:
    return memory_bars(
        total_bytes=16 * GIB,
        available_bytes=10 * GIB,
        this_program=ProcessMemory(private_bytes=GIB // 4, mapped_bytes=GIB),
        models=models,
        readings=readings,
    )


def holders(bar: MemoryBar) -> dict[str, int]:
    return {holder.name: holder.n_bytes for holder in bar.holders}


def test_what_a_model_maps_is_the_models_and_not_free() -> None:
    (own,) = bars(model(private=GIB, mapped=4 * GIB))
    assert own.free_bytes == 6 * GIB
    assert holders(own) == {
        "Qwen": 5 * GIB,
        "Fireside": GIB // 4,
        "Other programs and the system": 16 * GIB - 6 * GIB - 5 * GIB - GIB // 4,
    }


def test_a_card_says_who_takes_it() -> None:
    _, card = bars(model(CUDA0=GIB, CUDA_Host=7), readings=(reading(),))
    assert (card.device, card.free_bytes, card.total_bytes) == ("CUDA0", 10 * GIB, 12 * GIB)
    assert holders(card) == {"Qwen": GIB, "Other programs": GIB}
    assert (card.temperature_c, card.load) == (50, 0.1)


def test_a_card_that_is_listed_twice_has_one_bar() -> None:
    found = bars(readings=(reading(), reading("Vulkan0", same_as="CUDA0")))
    assert [bar.device for bar in found] == ["CPU", "CUDA0"]


def test_integrated_graphics_take_of_the_computers_own() -> None:
    (own,) = bars(model(private=GIB, Vulkan0=2 * GIB), readings=(reading("Vulkan0", kind=DeviceKind.IGPU),))
    assert holders(own)["Qwen"] == 3 * GIB


def test_a_runner_that_cannot_be_measured_counts_with_what_it_said() -> None:
    unmeasured = HeldByModel(name="Qwen", process=None, reports=(report("CPU", 3), report("CPU_REPACK", 4)))
    assert holders(bars(unmeasured)[0])["Qwen"] == 7


def test_a_device_is_told_from_one_whose_name_begins_like_it() -> None:
    assert is_on(report("CUDA1", 1), "CUDA1")
    assert is_on(report("CUDA1_Split", 1), "CUDA1")
    assert is_on(report("RPC0[127.0.0.1:5000]", 1), "RPC0")
    assert not is_on(report("CUDA10", 1), "CUDA1")
    assert not is_on(report("CPU", 1), "CUDA1")


sizes = st.integers(min_value=0, max_value=32 * GIB)


@given(st.lists(st.tuples(sizes, sizes, sizes), max_size=4))
def test_all_of_a_memory_belongs_to_somebody(taken: list[tuple[int, int, int]]) -> None:
    models = [
        model(f"M{number}", private=private, mapped=mapped, CUDA0=on_card)
        for number, (private, mapped, on_card) in enumerate(taken)
    ]
    for bar in bars(*models, readings=(reading(),)):
        held = sum(holders(bar).values())
        assert 0 <= bar.free_bytes <= bar.total_bytes
        assert held + bar.free_bytes == bar.total_bytes or (held > bar.total_bytes and not bar.free_bytes)
        assert all(n_bytes > 0 for n_bytes in holders(bar).values())


def test_this_process_can_be_measured_and_one_that_is_gone_not() -> None:
    here = measure_process()
    assert here is not None
    assert here.private_bytes > 1 << 20
    assert measure_process(2**22 + 12345) is None
