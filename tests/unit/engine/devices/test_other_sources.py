"""The card sources of Linux (sysfs), Windows (DXGI) and macOS (Metal), against their documentation."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from fakes.native_libraries import NativeLibraries
from fireside.core.hardware import MemorySource
from fireside.engine.devices.card import normalized_pci_address
from fireside.engine.devices.dxgi import Dxgi
from fireside.engine.devices.metal import Metal
from fireside.engine.devices.sysfs import DrmFolder


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n", encoding="utf-8")


@pytest.fixture
def drm(tmp_path: Path) -> Path:
    """An AMD card that drives the display, an Intel card, a virtual display."""
    driver = tmp_path / "drivers" / "amdgpu"
    write(driver, {"module/version": "6.8.5"})
    folder = tmp_path / "drm"
    write(
        folder,
        {
            "card0/device/uevent": "DRIVER=amdgpu\nPCI_SLOT_NAME=0000:03:00.0",
            "card0/device/mem_info_vram_total": "8573157376",
            "card0/device/mem_info_vram_used": "1073741824",
            "card0/device/gpu_busy_percent": "7",
            "card0/device/hwmon/hwmon3/temp1_input": "46000",
            "card0/device/hwmon/hwmon3/temp2_input": "51000",
            "card0/device/product_name": "Radeon RX 7600",
            "card0-DP-1/enabled": "disabled",
            "card0-HDMI-A-1/enabled": "enabled",
            "card1/device/uevent": "PCI_SLOT_NAME=0000:0a:00.0",
            "card1/lmem_total_bytes": "16000",
            "card1/lmem_avail_bytes": "15000",
            "card1-DP-2/enabled": "disabled",
            "card2/device/uevent": "DRIVER=virtual",
            "renderD128/device/uevent": "PCI_SLOT_NAME=0000:03:00.0",
            "version": "drm 1.1.0",
        },
    )
    (folder / "card0" / "device" / "driver").symlink_to(driver)
    return folder


def test_an_amd_card_reports_memory_load_and_temperature(drm: Path) -> None:
    card = DrmFolder(drm).cards()[0]
    assert (card.source, card.pci_address, card.name) == (
        MemorySource.SYSFS,
        "0000:03:00.0",
        "Radeon RX 7600",
    )
    assert (card.free_bytes, card.total_bytes) == (8573157376 - 1073741824, 8573157376)
    assert (card.temperature_c, card.load, card.drives_display) == (51.0, 0.07, True)
    assert card.driver == "amdgpu 6.8.5"


def test_an_intel_card_reports_available_memory(drm: Path) -> None:
    _, card = DrmFolder(drm).cards()
    assert (card.pci_address, card.free_bytes, card.total_bytes) == ("0000:0a:00.0", 15000, 16000)
    assert (card.temperature_c, card.load, card.drives_display) == (None, None, False)


@pytest.mark.parametrize("text", ["", "-1", "lots", "9" * 5000, "0x10", "٣"])
def test_an_invalid_number_is_ignored(drm: Path, text: str) -> None:
    (drm / "card0/device/mem_info_vram_used").write_text(text, encoding="utf-8")
    card = DrmFolder(drm).cards()[0]
    assert card.free_bytes is None or card.free_bytes == 0


def test_a_card_with_missing_files_is_still_reported(drm: Path) -> None:
    for file in ("mem_info_vram_total", "gpu_busy_percent", "hwmon/hwmon3/temp1_input"):
        (drm / "card0/device" / file).unlink()
    card = DrmFolder(drm).cards()[0]
    assert (card.free_bytes, card.total_bytes, card.load, card.temperature_c) == (None, None, None, 51.0)


def test_a_system_without_the_folder_has_no_cards(tmp_path: Path) -> None:
    assert DrmFolder(tmp_path / "none").cards() == ()
    assert DrmFolder(tmp_path / "none").problem() == ""


def test_dxgi_reports_the_budget_of_a_program(libraries: NativeLibraries) -> None:
    library = libraries.make("fake_dxgi")
    (card,) = Dxgi(library).cards()
    assert (card.source, card.name) == (MemorySource.DXGI, "Radeon RX 7600")
    assert (card.free_bytes, card.total_bytes) == (6500, 8000)
    assert ctypes.CDLL(library).references() == 0


def test_metal_reports_the_recommended_memory_of_the_gpu(libraries: NativeLibraries) -> None:
    library = libraries.make("fake_metal")
    plenty = Metal(metal=library, objective_c=library, available_bytes=lambda: 90_000)
    (card,) = plenty.cards()
    assert (card.source, card.name) == (MemorySource.METAL, "Apple M2")
    assert (card.free_bytes, card.total_bytes) == (11000, 11000)
    scarce = Metal(metal=library, objective_c=library, available_bytes=lambda: 4_000)
    assert scarce.cards()[0].free_bytes == 4_000
    assert ctypes.CDLL(library).references() == 0


def test_sources_of_other_systems_report_no_cards(tmp_path: Path) -> None:
    nowhere = str(tmp_path / "library")
    assert Dxgi(nowhere).cards() == ()
    assert Metal(metal=nowhere, objective_c=nowhere, available_bytes=lambda: 0).cards() == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("00000000:0A:00.0", "0000:0a:00.0"),
        ("0000:01:00.0", "0000:01:00.0"),
        ("01:00.0", "0000:01:00.0"),
        ("", ""),
        ("GPU-1234", ""),
        ("0000:01:00", ""),
    ],
)
def test_pci_addresses_are_normalized(text: str, expected: str) -> None:
    assert normalized_pci_address(text) == expected
