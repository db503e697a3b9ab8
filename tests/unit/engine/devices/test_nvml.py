"""NVML is called as its header declares, and no failure of it breaks the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from fakes.native_libraries import NativeLibraries
from fireside.core.hardware import MemorySource
from fireside.engine.devices.nvml import Nvml, nvml_libraries


@pytest.fixture
def nvml(libraries: NativeLibraries) -> Nvml:
    return Nvml(("/nowhere/libnvidia-ml.so.1", libraries.make("fake_nvml")))


def test_each_card_reports_memory_load_and_temperature(nvml: Nvml) -> None:
    first, second = nvml.cards()
    assert (first.source, first.name, first.pci_address) == (
        MemorySource.NVML,
        "NVIDIA GeForce RTX 3060",
        "0000:01:00.0",
    )
    assert (first.free_bytes, first.total_bytes) == (6700, 12000)
    assert (first.temperature_c, first.load, first.drives_display) == (41.0, 0.25, True)
    assert first.driver == "550.54.14"
    assert second.pci_address == "0000:0a:00.0"
    assert (second.temperature_c, second.load, second.drives_display) == (67.0, None, False)
    assert nvml.problem() == ""


def test_an_older_driver_is_queried_with_the_older_function(libraries: NativeLibraries) -> None:
    cards = Nvml((libraries.make("fake_nvml", "-DOLD"),)).cards()
    assert [card.free_bytes for card in cards] == [7000, 7000]


def test_without_the_library_there_are_no_cards_and_no_problem(tmp_path: Path) -> None:
    nvml = Nvml((str(tmp_path / "libnvidia-ml.so.1"),))
    assert nvml.cards() == ()
    assert nvml.problem() == ""


def test_a_library_without_the_functions_is_ignored(libraries: NativeLibraries) -> None:
    assert Nvml((libraries.make("fake_dxgi"),)).cards() == ()


@pytest.mark.parametrize(("status", "text"), [(18, "Restart the computer."), (9, "not running")])
def test_a_driver_that_does_not_run_is_reported_as_a_problem(
    nvml: Nvml, monkeypatch: pytest.MonkeyPatch, status: int, text: str
) -> None:
    monkeypatch.setenv("FAKE_NVML_INIT", str(status))
    assert nvml.cards() == ()
    assert text in nvml.problem()


def test_a_driver_that_comes_back_is_queried_again(nvml: Nvml, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_NVML_COUNT", "1")
    assert nvml.cards() == ()
    monkeypatch.delenv("FAKE_NVML_COUNT")
    assert len(nvml.cards()) == 2


def test_a_card_that_is_lost_leaves_the_others(nvml: Nvml, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_NVML_LOST", "0")
    assert [card.pci_address for card in nvml.cards()] == ["0000:0a:00.0"]


def test_the_number_of_cards_is_bounded(nvml: Nvml, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_NVML_CARDS", "1000000000")
    assert len(nvml.cards()) == 64


def test_the_library_has_a_location_on_each_system() -> None:
    assert nvml_libraries({})
