"""Read what Linux reports about AMD and Intel cards under ``/sys/class/drm``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from fireside.core.hardware import MemorySource
from fireside.engine.devices.card import Card, normalized_pci_address

DRM_FOLDER: Final = Path("/sys/class/drm")

_CARD: Final = re.compile(r"card[0-9]+")
_MEMORY_FILES: Final = (
    # amdgpu: used and total
    ("device/mem_info_vram_total", "device/mem_info_vram_used", False),
    # i915 with dedicated memory: available and total
    ("lmem_total_bytes", "lmem_avail_bytes", True),
)
_MAX_FILE_BYTES: Final = 4096


class DrmFolder:
    """A ``CardSource``. Cards with NVIDIA's own driver report only their PCI address here."""

    def __init__(self, folder: Path = DRM_FOLDER) -> None:
        self._folder = folder

    def cards(self) -> tuple[Card, ...]:
        """Measure every card; see ``CardSource``."""
        try:
            names = sorted(path.name for path in self._folder.iterdir() if _CARD.fullmatch(path.name))
        except OSError:
            return ()
        return tuple(card for name in names if (card := self._card(self._folder / name)) is not None)

    def problem(self) -> str:
        """Return an empty text: a system without this folder has no such cards."""
        return ""

    def _card(self, folder: Path) -> Card | None:
        device = folder / "device"
        pci_address = normalized_pci_address(_pci_slot(device))
        if not pci_address:
            # A display link or a virtual screen: it cannot compute.
            return None
        free_bytes, total_bytes = _memory(folder)
        busy = _number(device / "gpu_busy_percent")
        return Card(
            source=MemorySource.SYSFS,
            pci_address=pci_address,
            name=_read(device / "product_name"),
            free_bytes=free_bytes,
            total_bytes=total_bytes,
            temperature_c=_temperature(device),
            load=min(100, busy) / 100 if busy is not None else None,
            drives_display=self._drives_display(folder.name),
            driver=_driver(device),
        )

    def _drives_display(self, card: str) -> bool:
        outputs = self._folder.glob(f"{card}-*/enabled")
        return any(_read(output) == "enabled" for output in outputs)


def _pci_slot(device: Path) -> str:
    """Return the PCI address that the kernel writes into ``uevent``."""
    for line in _read(device / "uevent").splitlines():
        name, _, value = line.partition("=")
        if name == "PCI_SLOT_NAME":
            return value
    return ""


def _memory(folder: Path) -> tuple[int | None, int | None]:
    for total_file, other_file, is_free in _MEMORY_FILES:
        total, other = _number(folder / total_file), _number(folder / other_file)
        if total is not None and other is not None:
            return max(0, min(total, other if is_free else total - other)), total
    return None, None


def _temperature(device: Path) -> float | None:
    """Return the highest measured temperature, in degrees Celsius."""
    millidegrees = [
        number
        for file in device.glob("hwmon/hwmon*/temp*_input")
        if (number := _number(file)) is not None and 0 < number < 150_000
    ]
    return max(millidegrees) / 1000 if millidegrees else None


def _driver(device: Path) -> str:
    """Return the name of the kernel's driver, with its version where the module reports one."""
    try:
        name = (device / "driver").resolve(strict=True).name
    except OSError:
        return ""
    version = _read(device / "driver" / "module" / "version")
    return f"{name} {version}".strip()


def _number(file: Path) -> int | None:
    text = _read(file)
    return int(text) if text.isascii() and text.isdecimal() else None


def _read(file: Path) -> str:
    """Return the text of a small file, stripped; empty where it cannot be read.

    Reading some files of a card that sleeps or hangs fails with an error.
    """
    try:
        with file.open("rb") as stream:
            return stream.read(_MAX_FILE_BYTES).decode("utf-8", "replace").strip()
    except OSError:
        return ""
