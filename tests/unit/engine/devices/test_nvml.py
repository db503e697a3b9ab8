"""NVIDIA's library is asked as its header says, and nothing it may do breaks the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from fakes.native_libraries import NativeLibraries
from fireside.core.hardware import MemorySource
from fireside.engine.devices.nvml import Nvml, nvml_libraries


@pytest.fixture
def nvml(libraries: NativeLibraries) -> Nvml:
    return Nvml(("/nowhere/libnvidia-ml.so.1", libraries.make("fake_nvml")))


def test_each_card_says_how_it_is_doing(nvml: Nvml) -> None:
    first, second = nvml.cards()
    assert (first.source, first.name, first.place) == (
        MemorySource.NVML,
        "NVIDIA GeForce RTX 3060",
        "0000:01:00.0",
    )
    assert (first.free_bytes, first.total_bytes) == (6700, 12000)
    assert (first.temperature_c, first.load, first.drives_display) == (41.0, 0.25, True)
    assert first.driver == "550.54.14"
    assert second.place == "0000:0a:00.0"
    assert (second.temperature_c, second.load, second.drives_display) == (67.0, None, False)
    assert nvml.problem() == ""


def test_an_older_driver_is_asked_in_the_older_way(libraries: NativeLibraries) -> None:
    cards = Nvml((libraries.make("fake_nvml", "-DOLD"),)).cards()
    assert [card.free_bytes for card in cards] == [7000, 7000]


def test_without_the_library_there_are_no_cards_and_no_complaint(tmp_path: Path) -> None:
    nvml = Nvml((str(tmp_path / "libnvidia-ml.so.1"),))
    assert nvml.cards() == ()
    assert nvml.problem() == ""


def test_a_library_that_is_something_else_is_passed_over(libraries: NativeLibraries) -> None:
    assert Nvml((libraries.make("fake_dxgi"),)).cards() == ()


@pytest.mark.parametrize(("status", "words"), [(18, "Restart the computer."), (9, "not running")])
def test_a_driver_that_does_not_run_is_a_problem_in_words(
    nvml: Nvml, monkeypatch: pytest.MonkeyPatch, status: int, words: str
) -> None:
    monkeypatch.setenv("FAKE_NVML_INIT", str(status))
    assert nvml.cards() == ()
    assert words in nvml.problem()


def test_a_driver_that_comes_back_is_asked_again(nvml: Nvml, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_NVML_COUNT", "1")
    assert nvml.cards() == ()
    monkeypatch.delenv("FAKE_NVML_COUNT")
    assert len(nvml.cards()) == 2


def test_a_card_that_is_lost_leaves_the_others(nvml: Nvml, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_NVML_LOST", "0")
    assert [card.place for card in nvml.cards()] == ["0000:0a:00.0"]


def test_a_number_of_cards_out_of_all_reason_is_bounded(nvml: Nvml, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_NVML_CARDS", "1000000000")
    assert len(nvml.cards()) == 64


def test_a_system_has_a_place_for_the_library() -> None:
    assert nvml_libraries({})
