"""Devices are matched with cards by PCI address or name, and measured by the most reliable source."""

from __future__ import annotations

import msgspec
import pytest

from fakes.devices import GIB, FakeCards, card, device, device_memory, processor
from fireside.core.hardware import DeviceReading, MemorySource
from fireside.core.status import Device, DeviceKind
from fireside.engine.devices.card import Card
from fireside.engine.devices.device_matching import read_devices, unused_cards, usable_devices

FIRST_ADDRESS = "0000:01:00.0"
SECOND_ADDRESS = "0000:02:00.0"


def readings(*devices: Device, cards: tuple[Card, ...] = ()) -> tuple[DeviceReading, ...]:
    return read_devices(devices, cards, available_bytes=8 * GIB)


def test_a_card_is_matched_by_its_pci_address() -> None:
    (reading,) = readings(
        device(device_id=FIRST_ADDRESS),
        cards=(
            card(SECOND_ADDRESS, free_bytes=1),
            card(FIRST_ADDRESS, free_bytes=5 * GIB, temperature_c=50, load=0.5, driver="550"),
        ),
    )
    assert reading.device.free_bytes == 5 * GIB
    assert (reading.source, reading.temperature_c, reading.load) == (MemorySource.NVML, 50, 0.5)
    assert reading.driver == "550"


def test_other_sources_add_what_the_most_reliable_one_does_not_report() -> None:
    (reading,) = readings(
        device(device_id=FIRST_ADDRESS),
        cards=(
            card(FIRST_ADDRESS, free_bytes=5 * GIB),
            card(FIRST_ADDRESS, source=MemorySource.SYSFS, free_bytes=7 * GIB, temperature_c=44),
        ),
    )
    assert (reading.device.free_bytes, reading.source) == (5 * GIB, MemorySource.NVML)
    assert reading.temperature_c == 44


def test_a_device_without_an_address_is_matched_by_its_name() -> None:
    (reading,) = readings(
        device("Vulkan0", "AMD Radeon RX 7600 (RADV NAVI33)", total_bytes=8 * GIB),
        cards=(card(SECOND_ADDRESS, "Radeon RX 7600", free_bytes=3 * GIB, total_bytes=8 * GIB),),
    )
    assert reading.device.free_bytes == 3 * GIB


def test_cards_with_the_same_name_and_no_address_are_not_matched() -> None:
    both = readings(
        device("Vulkan0"),
        device("Vulkan1"),
        cards=(card(FIRST_ADDRESS, free_bytes=1), card(SECOND_ADDRESS, free_bytes=2)),
    )
    assert {reading.source for reading in both} == {MemorySource.BACKEND}
    (one,) = readings(
        device("Vulkan0"), cards=(card(FIRST_ADDRESS, free_bytes=1), card(SECOND_ADDRESS, free_bytes=2))
    )
    assert one.source is MemorySource.BACKEND


def test_a_slice_of_a_card_keeps_the_memory_of_the_backend() -> None:
    (reading,) = readings(
        device(device_id=FIRST_ADDRESS, free_bytes=2 * GIB, total_bytes=3 * GIB),
        cards=(card(FIRST_ADDRESS, load=0.5),),
    )
    assert (reading.device.free_bytes, reading.source) == (2 * GIB, MemorySource.BACKEND)
    assert reading.load == 0.5


def test_a_source_without_memory_leaves_it_to_the_backend() -> None:
    (reading,) = readings(
        device(device_id=FIRST_ADDRESS), cards=(card(FIRST_ADDRESS, free_bytes=None, temperature_c=40),)
    )
    assert (reading.device.free_bytes, reading.source) == (10 * GIB, MemorySource.BACKEND)
    assert reading.temperature_c == 40


def test_an_integrated_gpu_has_no_more_than_the_available_memory() -> None:
    (reading,) = readings(
        device(
            "Vulkan0", "AMD Radeon 780M", kind=DeviceKind.IGPU, free_bytes=30 * GIB, device_id=FIRST_ADDRESS
        ),
        cards=(card(FIRST_ADDRESS, "", source=MemorySource.SYSFS, free_bytes=1, temperature_c=60),),
    )
    assert reading.device.free_bytes == 8 * GIB
    assert reading.temperature_c == 60


def test_a_card_of_two_backends_is_used_once() -> None:
    devices = (
        device("CUDA0", device_id=FIRST_ADDRESS),
        device("Vulkan0", device_id=FIRST_ADDRESS.upper()),
        processor(),
    )
    found = readings(*devices, cards=(card(FIRST_ADDRESS, free_bytes=4 * GIB),))
    assert [reading.same_as for reading in found] == ["", "CUDA0"]
    assert [reading.device.free_bytes for reading in found] == [4 * GIB, 4 * GIB]
    assert [each.name for each in usable_devices(devices, found)] == ["CUDA0", "CPU"]


def test_duplicates_without_an_address_are_paired_one_to_one() -> None:
    found = readings(device("CUDA0"), device("CUDA1"), device("Vulkan0"), device("Vulkan1"))
    assert [reading.same_as for reading in found] == ["", "", "CUDA0", "CUDA1"]


def test_duplicates_of_three_backends_refer_to_the_first() -> None:
    found = readings(device("CUDA0"), device("Vulkan0"), device("OpenCL0"))
    assert [reading.same_as for reading in found] == ["", "CUDA0", "CUDA0"]


@pytest.mark.parametrize(
    "other",
    [
        device("CUDA1", device_id=SECOND_ADDRESS),
        device("Vulkan0", device_id=SECOND_ADDRESS),
        device("Vulkan0", "Intel UHD Graphics", kind=DeviceKind.IGPU),
        device("Vulkan0", "llvmpipe"),
    ],
)
def test_another_device_is_no_duplicate(other: Device) -> None:
    assert [reading.same_as for reading in readings(device(device_id=FIRST_ADDRESS), other)] == ["", ""]


def test_a_card_that_no_backend_lists_is_unused() -> None:
    cards = (
        card(FIRST_ADDRESS),
        card(SECOND_ADDRESS, "Radeon RX 7600"),
        card("0000:09:00.0", "Screen", total_bytes=None),
    )
    found = readings(device(device_id=FIRST_ADDRESS), cards=cards)
    assert [each.name for each in unused_cards(found, cards)] == ["Radeon RX 7600"]


def test_an_unused_card_of_two_sources_is_returned_once() -> None:
    cards = (
        card(FIRST_ADDRESS),
        card(SECOND_ADDRESS),
        card("", source=MemorySource.DXGI),  # DXGI reports no PCI addresses
        card("", source=MemorySource.DXGI),
        card("", "Radeon RX 7600", source=MemorySource.DXGI),
    )
    unused = unused_cards((), cards)
    assert [each.pci_address for each in unused] == [FIRST_ADDRESS, SECOND_ADDRESS, ""]
    assert unused[-1].name == "Radeon RX 7600"


def test_an_unused_card_is_found_though_it_and_the_device_have_no_address() -> None:
    cards = (card("", "Radeon RX 7600", source=MemorySource.DXGI),)
    assert unused_cards(readings(device("Vulkan0")), cards) == cards


def test_memory_is_measured_anew_each_time() -> None:
    source = FakeCards(card(FIRST_ADDRESS, free_bytes=5 * GIB))
    memory = device_memory(source)
    devices = (device(device_id=FIRST_ADDRESS), processor())
    assert [each.free_bytes for each in memory.measured(devices)] == [5 * GIB, 10 * GIB]
    source.reported = (card(FIRST_ADDRESS, free_bytes=GIB),)
    assert memory.measured(devices)[0].free_bytes == GIB


def test_the_problems_of_sources_are_returned() -> None:
    assert device_memory(FakeCards(), FakeCards(problem="Restart.")).problems() == ("Restart.",)


def test_the_device_that_drives_the_display_is_remembered() -> None:
    driving = msgspec.structs.replace(card(SECOND_ADDRESS), drives_display=True)
    other = msgspec.structs.replace(card(FIRST_ADDRESS), drives_display=False)
    source = FakeCards(other, driving)
    memory = device_memory(source)
    devices = (device("CUDA0", device_id=FIRST_ADDRESS), device("CUDA1", device_id=SECOND_ADDRESS))
    assert memory.display_device is None
    memory.read(devices)
    assert memory.display_device == "CUDA1"
    source.reported = (other,)
    memory.read(devices)
    assert memory.display_device == ""
    source.reported = (card(FIRST_ADDRESS),)
    memory.read(devices)
    assert memory.display_device is None


def test_free_memory_contains_only_devices_that_a_driver_measures() -> None:
    memory = device_memory(FakeCards(card(FIRST_ADDRESS, free_bytes=5 * GIB)))
    assert memory.free_memory(
        (device("CUDA0", device_id=FIRST_ADDRESS), device("RPC0", "somewhere else"))
    ) == {"CUDA0": 5 * GIB}
