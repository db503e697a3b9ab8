"""The hardware page: devices, memory, texts, and when it sends requests."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
import shiboken6
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.fake_machine import CARD, GIB
from fakes.model_entries import STARTER_ID, loaded_state, starter_spec
from fakes.window import window_context
from fireside.core.errors import RunnerError
from fireside.core.hardware import (
    DeviceReading,
    Hardware,
    MemoryBreakdown,
    MemoryHolder,
    MemorySource,
    Processor,
    RuntimeInUse,
)
from fireside.core.status import DeviceKind, MemoryReport
from fireside.ui.hardware.hardware_page import HardwareController, HardwarePage
from fireside.ui.hardware.hardware_text import condition_text, device_facts, hardware_report, summary_text
from fireside.ui.tasks import TaskRunner
from fireside.ui.widgets.memory_bar import Hue

READING = DeviceReading(
    device=CARD,
    source=MemorySource.SYSFS,
    temperature_c=46.0,
    load=0.07,
    drives_display=True,
    driver="radv 24.2",
)
COMPUTER = Hardware(
    system="Linux 6.8",
    processor=Processor(name="AMD Ryzen 5 5600", n_cores=6, n_threads=12, features=("AVX2", "FMA")),
    memory_total_bytes=16 * GIB,
    memory_available_bytes=12 * GIB,
    devices=(READING,),
    runtime=RuntimeInUse(name="Vulkan", llama_cpp="b6700", backends=("Vulkan", "CPU")),
)
OTHERS = MemoryHolder(name="Other programs", n_bytes=GIB)
OWN, ON_CARD = (
    MemoryBreakdown(
        device="CPU", description="RAM", total_bytes=16 * GIB, free_bytes=12 * GIB, holders=(OTHERS,)
    ),
    MemoryBreakdown(
        device=CARD.name,
        description=CARD.description,
        total_bytes=8 * GIB,
        free_bytes=7 * GIB,
        holders=(OTHERS,),
    ),
)


@pytest.fixture
def page(qtbot: QtBot, tasks: TaskRunner, client: AppClient) -> Iterator[HardwarePage]:
    """The page, not yet shown."""
    window = QWidget()
    qtbot.addWidget(window)
    hardware_page = HardwarePage(window_context(client, tasks=tasks, window=window), parent=window)
    window.resize(900, 800)
    hardware_page.resize(900, 800)
    yield hardware_page
    shiboken6.delete(window)


@pytest.fixture
def controller(page: HardwarePage) -> HardwareController:
    return page.controller


@pytest.fixture
def visible_page(qtbot: QtBot, page: HardwarePage, controller: HardwareController) -> HardwarePage:
    page.window().show()
    qtbot.waitExposed(page.window())
    settled()
    return page


def texts(page: HardwarePage) -> list[str]:
    return [label.text() for label in page.findChildren(QLabel) if label.isVisibleTo(page) and label.text()]


def top_of(page: HardwarePage, text: str) -> int:
    """Return how far from the top a line stands."""
    labels = [label for label in page.findChildren(QLabel) if label.text() == text and label.isVisible()]
    return labels[-1].mapTo(page, QPoint(0, 0)).y()


def show_computer(page: HardwarePage, hardware: Hardware) -> list[str]:
    page.show_hardware(hardware)
    return texts(page)


def test_the_page_shows_devices_memory_and_build(page: HardwarePage) -> None:
    displayed = show_computer(page, COMPUTER)
    for expected in (
        "Radeon RX 7600",
        "Vulkan (Vulkan0)",
        "radv 24.2",
        "AMD Ryzen 5 5600",
        "Cores",
        "6",
        "Threads",
        "12",
        "AVX2",
        "In use: llama.cpp b6700 (Vulkan, CPU)",
        "Linux 6.8",
    ):
        assert expected in displayed
    assert page.summary.text() == "Radeon RX 7600 · 6 cores, 12 threads · 17.2 GB of memory"


def test_the_summary_is_whole_however_narrow_the_page_is(visible_page: HardwarePage) -> None:
    visible_page.resize(360, 500)
    QApplication.processEvents()
    summary = visible_page.summary
    assert summary.height() >= summary.heightForWidth(summary.width()) > summary.fontMetrics().height() * 1.5
    assert summary.text().endswith("GB of memory")


def test_each_memory_is_a_bar_that_says_who_takes_what(
    qtbot: QtBot, visible_page: HardwarePage, client: AppClient
) -> None:
    own, card = visible_page.memory.rows
    assert own.bar.accessibleName().startswith("RAM: ")
    assert any(line.startswith("Fireside: ") for line in own.legend.lines)
    assert card.state.text() == "7.5 GB free of 8.6 GB · 46 °C · 7% busy"
    ready = loaded_state(starter_spec())
    held = MemoryReport(buffer=CARD.name, weights_bytes=5 * GIB, kv_bytes=0, compute_bytes=0)
    loaded = msgspec.structs.replace(ready.loaded, memory=(held,))
    client.set_state(STARTER_ID, msgspec.structs.replace(ready, loaded=loaded))
    client.machine.card_free_bytes = 2 * GIB
    # The page asks again by itself.
    qtbot.waitUntil(lambda: len(card.bar.segments) == 2)
    assert card.bar.segments[0].hue is Hue.FIRST
    assert list(card.legend.lines) == ["SmolLM2 135M Instruct: 5.4 GB", "Other programs: 1.1 GB"]


def test_a_model_has_one_colour_in_all_bars(page: HardwarePage) -> None:
    first = MemoryHolder(name="A", n_bytes=GIB, is_model=True)
    second = MemoryHolder(name="B", n_bytes=GIB, is_model=True)
    page.show_bars(
        (
            msgspec.structs.replace(OWN, holders=(first, second)),
            msgspec.structs.replace(ON_CARD, holders=(second, first)),
        )
    )
    hues = [{segment.label: segment.hue for segment in row.bar.segments} for row in page.memory.rows]
    assert hues[0] == hues[1]
    assert hues[0]["A"] is not hues[0]["B"]


def test_nothing_is_asked_while_the_page_cannot_be_seen(
    visible_page: HardwarePage, controller: HardwareController, client: AppClient
) -> None:
    assert controller.is_running
    visible_page.hide()
    settled()
    assert not controller.is_running
    n_requests = len(client.called("hardware.hardware"))
    visible_page.show()
    settled()
    assert controller.is_running
    assert len(client.called("hardware.hardware")) == n_requests + 1


def test_an_answer_that_comes_too_late_asks_for_no_other(
    qtbot: QtBot, page: HardwarePage, controller: HardwareController, client: AppClient
) -> None:
    client.hold("hardware.memory_bars")
    page.window().show()
    qtbot.waitUntil(lambda: bool(client.called("hardware.memory_bars")))
    page.hide()
    client.release("hardware.memory_bars")
    settled()
    assert not controller.is_running


def test_a_computer_without_a_card_is_told_calmly(page: HardwarePage) -> None:
    displayed = show_computer(page, msgspec.structs.replace(COMPUTER, devices=()))
    assert any("run on the CPU" in text for text in displayed)
    assert any("A Vulkan build works with most GPUs." in text for text in displayed)
    assert page.summary.text().startswith("No GPU")


def test_devices_that_could_not_be_listed_are_unknown_and_not_missing(page: HardwarePage) -> None:
    runtime = msgspec.structs.replace(COMPUTER.runtime, llama_cpp="", backends=())
    displayed = show_computer(page, msgspec.structs.replace(COMPUTER, devices=(), runtime=runtime))
    assert any("could not be detected" in text for text in displayed)
    assert not any("No GPU" in text for text in displayed)


def test_problems_come_first_and_go(qtbot: QtBot, visible_page: HardwarePage) -> None:
    problem = "Restart the computer."
    visible_page.show_hardware(msgspec.structs.replace(COMPUTER, problems=(problem,)))
    qtbot.waitUntil(lambda: problem in texts(visible_page))
    qtbot.waitUntil(lambda: 0 < top_of(visible_page, problem) < top_of(visible_page, "Radeon RX 7600"))
    visible_page.show_hardware(COMPUTER)
    assert problem not in texts(visible_page)


def test_a_failure_is_said_with_a_way_to_try_again(
    qtbot: QtBot, page: HardwarePage, controller: HardwareController, client: AppClient
) -> None:
    client.fail("hardware.hardware", RunnerError.of("runner_start_failed", reason="it is gone."))
    page.window().show()
    qtbot.waitExposed(page.window())
    settled()
    (notice,) = page.notices.texts
    assert "it is gone." in notice
    QTest.mouseClick(page.refresh, Qt.MouseButton.LeftButton)
    settled()
    assert page.notices.texts == ()
    assert "Radeon RX 7600" in texts(page)


def test_looking_again_asks_anew(qtbot: QtBot, visible_page: HardwarePage, client: AppClient) -> None:
    n_requests = len(client.called("hardware.hardware"))
    client.hold("hardware.hardware")
    for _ in range(3):
        QTest.mouseClick(visible_page.refresh, Qt.MouseButton.LeftButton)
    client.release("hardware.hardware")
    settled()
    assert len(client.called("hardware.hardware")) == n_requests + 1


def test_everything_can_be_copied_as_text(visible_page: HardwarePage) -> None:
    visible_page.show_hardware(COMPUTER)
    visible_page.show_bars((OWN, ON_CARD))
    QTest.mouseClick(visible_page.copy, Qt.MouseButton.LeftButton)
    text = QGuiApplication.clipboard().text()
    assert text == hardware_report(COMPUTER, (OWN, ON_CARD))
    for expected in ("Radeon RX 7600", "AVX2", "46 °C · 7% busy", "12.9 GB free of 17.2 GB", "b6700"):
        assert expected in text


def test_nothing_can_be_copied_before_it_is_known(page: HardwarePage) -> None:
    assert not page.copy.isEnabled()


def test_a_card_that_is_listed_twice_is_told_to_be_one(page: HardwarePage) -> None:
    twin = msgspec.structs.replace(
        READING, device=msgspec.structs.replace(READING.device, name="CUDA0"), same_as="Vulkan0"
    )
    both = msgspec.structs.replace(COMPUTER, devices=(READING, twin))
    displayed = show_computer(page, both)
    assert "Same GPU as Vulkan0; used once." in displayed
    assert page.summary.text().startswith("Radeon RX 7600 ·")


def test_integrated_graphics_say_whose_memory_they_have() -> None:
    shared = msgspec.structs.replace(
        READING, device=msgspec.structs.replace(READING.device, kind=DeviceKind.IGPU)
    )
    assert ("Memory", "8.6 GB shared with the system") in device_facts(shared)


def test_several_cards_are_counted() -> None:
    summary = summary_text(msgspec.structs.replace(COMPUTER, devices=(READING, READING)))
    assert summary.startswith("2 GPUs ·")


@pytest.mark.parametrize(
    ("temperature_c", "load", "text"),
    [(None, None, ""), (46.4, None, "46 °C"), (None, 0.071, "7% busy"), (90.0, 1.0, "90 °C · 100% busy")],
)
def test_what_is_not_known_is_not_said(temperature_c: float | None, load: float | None, text: str) -> None:
    assert condition_text(temperature_c=temperature_c, load=load) == text


def test_names_that_drivers_give_are_shown_as_text(page: HardwarePage) -> None:
    hostile = msgspec.structs.replace(
        READING, device=msgspec.structs.replace(READING.device, description="<b>Card</b>\n\u202efdp")
    )
    displayed = show_computer(page, msgspec.structs.replace(COMPUTER, devices=(hostile,)))
    assert "<b>Card</b> fdp" in displayed
