"""Match the devices that llama.cpp lists with the cards that drivers and the system report (no I/O)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from fireside.core.hardware import DeviceReading, MemorySource
from fireside.core.status import Device, DeviceKind
from fireside.engine.devices.card import Card, normalized_pci_address

_SAME_SIZE: Final = 0.1
"""Fraction by which two reports of one card's total memory may differ: drivers reserve a part of it."""
_NOISE: Final = re.compile(r"\([^)]*\)|\b(?:nvidia|amd|intel|graphics)\b")
"""Parts of a card's name that some sources include and others omit."""
_NO_LETTERS: Final = re.compile(r"[^a-z0-9]+")
TAKES_LAYERS: Final = (DeviceKind.GPU, DeviceKind.IGPU)


def read_devices(
    devices: Sequence[Device], cards: Sequence[Card], *, available_bytes: int
) -> tuple[DeviceReading, ...]:
    """Return each device that can take layers, with its memory by the most reliable source.

    A card that two backends list appears twice; the second has ``same_as`` set, since llama.cpp skips it too.

    Args:
        cards: reported by all sources, the most reliable source first.
        available_bytes: available system memory, which integrated devices share.
    """
    can_take = [device for device in devices if device.kind in TAKES_LAYERS]
    duplicates = _duplicates(can_take)
    by_device = _cards_of(can_take, cards, duplicates=duplicates)
    return tuple(
        _reading(
            device,
            by_device.get(device.name, ()),
            same_as=duplicates.get(device.name, ""),
            available_bytes=available_bytes,
        )
        for device in can_take
    )


def usable_devices(devices: Sequence[Device], readings: Sequence[DeviceReading]) -> tuple[Device, ...]:
    """Return ``devices`` with the memory from ``readings``, each physical card once."""
    by_name = {reading.device.name: reading for reading in readings}
    return tuple(
        by_name[device.name].device if device.name in by_name else device
        for device in devices
        if device.name not in by_name or not by_name[device.name].same_as
    )


def unused_cards(readings: Sequence[DeviceReading], cards: Sequence[Card]) -> tuple[Card, ...]:
    """Return cards with dedicated memory that no backend of llama.cpp lists, each physical card once.

    Args:
        cards: reported by all sources, the most reliable source first.
    """
    addresses = {normalized_pci_address(reading.device.device_id) for reading in readings} - {""}
    names = {_plain(reading.device.description) for reading in readings}
    unused: list[Card] = []
    for card in cards:
        is_listed = card.pci_address in addresses or (card.name and _plain(card.name) in names)
        if card.total_bytes and not is_listed and not any(_is_reported_by(card, other) for other in unused):
            unused.append(card)
    return tuple(unused)


def _is_reported_by(card: Card, other: Card) -> bool:
    """Return whether ``other`` is the same card, as another source reports it; DXGI knows no PCI address."""
    if card.source is other.source:
        return False
    if card.pci_address and other.pci_address:
        return card.pci_address == other.pci_address
    return bool(card.name) and _plain(card.name) == _plain(other.name)


def _duplicates(devices: Sequence[Device]) -> dict[str, str]:
    """Map each device that an earlier backend already listed to the name of that first device."""
    duplicates: dict[str, str] = {}
    for number, device in enumerate(devices):
        for earlier in devices[:number]:
            taken = (earlier.name, device.backend)
            is_free = all(
                (first, other.backend) != taken
                for other in devices[:number]
                if (first := duplicates.get(other.name)) is not None
            )
            if earlier.name not in duplicates and is_free and _is_same(earlier, device):
                duplicates[device.name] = earlier.name
                break
    return duplicates


def _is_same(one: Device, other: Device) -> bool:
    if one.backend == other.backend or one.kind is not other.kind:
        return False
    addresses = normalized_pci_address(one.device_id), normalized_pci_address(other.device_id)
    if all(addresses):
        return addresses[0] == addresses[1]
    return bool(_plain(one.description)) and _plain(one.description) == _plain(other.description)


def _cards_of(
    devices: Sequence[Device], cards: Sequence[Card], *, duplicates: Mapping[str, str]
) -> dict[str, tuple[Card, ...]]:
    """Return what each source reports about a device, the most reliable source first.

    Matched by PCI address; a device without one by its name, if no other device or card has that name.
    """
    by_device: dict[str, tuple[Card, ...]] = {}
    unique = [device for device in devices if device.name not in duplicates]
    for device in unique:
        address = normalized_pci_address(device.device_id)
        matches = [card for card in cards if address and card.pci_address == address]
        if (
            not matches
            and sum(_plain(each.description) == _plain(device.description) for each in unique) == 1
        ):
            named = [card for card in cards if card.name and _plain(card.name) == _plain(device.description)]
            matches = named if len({card.source for card in named}) == len(named) else []
        by_device[device.name] = tuple(matches)
    for name, same_as in duplicates.items():
        by_device[name] = by_device.get(same_as, ())
    return by_device


def _reading(device: Device, cards: Sequence[Card], *, same_as: str, available_bytes: int) -> DeviceReading:
    source = MemorySource.BACKEND
    free_bytes, total_bytes = device.free_bytes, device.total_bytes
    if device.kind is DeviceKind.IGPU:
        # It uses system memory, of which the backend may report more than is available.
        free_bytes = min(free_bytes, available_bytes)
    else:
        for card in cards:
            if card.free_bytes is not None and _is_same_size(card.total_bytes, device.total_bytes):
                free_bytes, source = min(card.free_bytes, total_bytes), card.source
                break
    return DeviceReading(
        device=msgspec.structs.replace(device, free_bytes=free_bytes),
        source=source,
        temperature_c=next((card.temperature_c for card in cards if card.temperature_c is not None), None),
        load=next((card.load for card in cards if card.load is not None), None),
        drives_display=next((card.drives_display for card in cards if card.drives_display is not None), None),
        driver=next((card.driver for card in cards if card.driver), ""),
        same_as=same_as,
    )


def _is_same_size(one: int | None, other: int) -> bool:
    """Return whether two sizes describe the same memory: a slice of a card is not the whole card."""
    return one is not None and abs(one - other) <= _SAME_SIZE * max(one, other, 1)


def _plain(name: str) -> str:
    return _NO_LETTERS.sub("", _NOISE.sub(" ", name.lower()))
