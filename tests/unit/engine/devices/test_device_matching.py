"""A card is known by its place or its name, counted once, and measured by who knows it best."""

from __future__ import annotations

import msgspec
import pytest

from fakes.devices import GIB, FakeCards, card, device, device_memory, processor
from fireside.core.hardware import DeviceReading, MemorySource
from fireside.core.status import Device, DeviceKind
from fireside.engine.devices.card import Card
from fireside.engine.devices.device_matching import read_devices, unused_cards, usable_devices

HERE = "0000:01:00.0"
THERE = "0000:02:00.0"


def readings(*devices: Device, cards: tuple[Card, ...] = ()) -> tuple[DeviceReading, ...]:
    return read_devices(devices, cards, available_bytes=8 * GIB)


def test_a_card_is_measured_by_the_source_that_knows_its_place() -> None:
    (reading,) = readings(
        device(device_id=HERE),
        cards=(
            card(THERE, free_bytes=1),
            card(HERE, free_bytes=5 * GIB, temperature_c=50, load=0.5, driver="550"),
        ),
    )
    assert reading.device.free_bytes == 5 * GIB
    assert (reading.source, reading.temperature_c, reading.load) == (MemorySource.NVML, 50, 0.5)
    assert reading.driver == "550"


def test_the_most_reliable_source_counts_and_the_others_fill_the_gaps() -> None:
    (reading,) = readings(
        device(device_id=HERE),
        cards=(
            card(HERE, free_bytes=5 * GIB),
            card(HERE, source=MemorySource.SYSFS, free_bytes=7 * GIB, temperature_c=44),
        ),
    )
    assert (reading.device.free_bytes, reading.source) == (5 * GIB, MemorySource.NVML)
    assert reading.temperature_c == 44


def test_a_device_without_a_place_is_known_by_its_name() -> None:
    (reading,) = readings(
        device("Vulkan0", "AMD Radeon RX 7600 (RADV NAVI33)", total_bytes=8 * GIB),
        cards=(card(THERE, "Radeon RX 7600", free_bytes=3 * GIB, total_bytes=8 * GIB),),
    )
    assert reading.device.free_bytes == 3 * GIB


def test_two_cards_of_one_name_are_not_guessed_at() -> None:
    both = readings(
        device("Vulkan0"), device("Vulkan1"), cards=(card(HERE, free_bytes=1), card(THERE, free_bytes=2))
    )
    assert {reading.source for reading in both} == {MemorySource.BACKEND}
    (one,) = readings(device("Vulkan0"), cards=(card(HERE, free_bytes=1), card(THERE, free_bytes=2)))
    assert one.source is MemorySource.BACKEND


def test_a_slice_of_a_card_is_not_the_card() -> None:
    (reading,) = readings(
        device(device_id=HERE, free_bytes=2 * GIB, total_bytes=3 * GIB), cards=(card(HERE, load=0.5),)
    )
    assert (reading.device.free_bytes, reading.source) == (2 * GIB, MemorySource.BACKEND)
    assert reading.load == 0.5


def test_a_source_that_does_not_know_the_memory_leaves_it_to_the_backend() -> None:
    (reading,) = readings(device(device_id=HERE), cards=(card(HERE, free_bytes=None, temperature_c=40),))
    assert (reading.device.free_bytes, reading.source) == (10 * GIB, MemorySource.BACKEND)
    assert reading.temperature_c == 40


def test_integrated_graphics_have_no_more_than_the_computer() -> None:
    (reading,) = readings(
        device("Vulkan0", "AMD Radeon 780M", kind=DeviceKind.IGPU, free_bytes=30 * GIB, device_id=HERE),
        cards=(card(HERE, "", source=MemorySource.SYSFS, free_bytes=1, temperature_c=60),),
    )
    assert reading.device.free_bytes == 8 * GIB
    assert reading.temperature_c == 60


def test_a_card_under_two_backends_is_there_once() -> None:
    devices = (device("CUDA0", device_id=HERE), device("Vulkan0", device_id=HERE.upper()), processor())
    found = readings(*devices, cards=(card(HERE, free_bytes=4 * GIB),))
    assert [reading.same_as for reading in found] == ["", "CUDA0"]
    assert [reading.device.free_bytes for reading in found] == [4 * GIB, 4 * GIB]
    assert [each.name for each in usable_devices(devices, found)] == ["CUDA0", "CPU"]


def test_twins_without_a_place_are_paired_one_to_one() -> None:
    found = readings(device("CUDA0"), device("CUDA1"), device("Vulkan0"), device("Vulkan1"))
    assert [reading.same_as for reading in found] == ["", "", "CUDA0", "CUDA1"]


def test_three_backends_all_lead_to_the_first() -> None:
    found = readings(device("CUDA0"), device("Vulkan0"), device("OpenCL0"))
    assert [reading.same_as for reading in found] == ["", "CUDA0", "CUDA0"]


@pytest.mark.parametrize(
    "other",
    [
        device("CUDA1", device_id=THERE),
        device("Vulkan0", device_id=THERE),
        device("Vulkan0", "Intel UHD Graphics", kind=DeviceKind.IGPU),
        device("Vulkan0", "llvmpipe"),
    ],
)
def test_another_device_is_no_twin(other: Device) -> None:
    assert [reading.same_as for reading in readings(device(device_id=HERE), other)] == ["", ""]


def test_a_card_that_no_backend_lists_is_noticed() -> None:
    cards = (card(HERE), card(THERE, "Radeon RX 7600"), card("0000:09:00.0", "Screen", total_bytes=None))
    found = readings(device(device_id=HERE), cards=cards)
    assert [each.name for each in unused_cards(found, cards)] == ["Radeon RX 7600"]


def test_memory_is_measured_anew_each_time() -> None:
    source = FakeCards(card(HERE, free_bytes=5 * GIB))
    memory = device_memory(source)
    devices = (device(device_id=HERE), processor())
    assert [each.free_bytes for each in memory.measured(devices)] == [5 * GIB, 10 * GIB]
    source.now = (card(HERE, free_bytes=GIB),)
    assert memory.measured(devices)[0].free_bytes == GIB


def test_what_a_source_complains_of_is_told() -> None:
    assert device_memory(FakeCards(), FakeCards(problem="Restart.")).problems() == ("Restart.",)


def test_the_device_that_draws_the_desktop_is_remembered() -> None:
    drawing = msgspec.structs.replace(card(THERE), drives_display=True)
    other = msgspec.structs.replace(card(HERE), drives_display=False)
    source = FakeCards(other, drawing)
    memory = device_memory(source)
    devices = (device("CUDA0", device_id=HERE), device("CUDA1", device_id=THERE))
    assert memory.drawing is None
    memory.read(devices)
    assert memory.drawing == "CUDA1"
    source.now = (other,)
    memory.read(devices)
    assert memory.drawing == ""
    source.now = (card(HERE),)
    memory.read(devices)
    assert memory.drawing is None


def test_only_what_a_driver_tells_counts_as_free_without_a_runner() -> None:
    memory = device_memory(FakeCards(card(HERE, free_bytes=5 * GIB)))
    assert memory.free_memory((device("CUDA0", device_id=HERE), device("RPC0", "somewhere else"))) == {
        "CUDA0": 5 * GIB
    }
