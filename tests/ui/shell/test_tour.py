"""The tour of the first start: three steps, each can be skipped, all of it by the keyboard."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from fakes.client import AppClient
from fireside.core.hardware import Hardware, Processor, RuntimeInUse
from fireside.core.runtime import BUILT_IN
from fireside.ui.page import Page
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.shell.tour_sheet import STEPS, TourSheet
from fireside.ui.widgets.page_scroll import PageScroll


@pytest.fixture
def tour(window: MainWindow) -> TourSheet:
    window.command_controller.show_tour()
    sheet = window.findChild(TourSheet)
    assert sheet is not None
    return sheet


def is_over(window: MainWindow) -> bool:
    sheet = window.findChild(TourSheet)
    return sheet is None or not sheet.isVisible()


def test_enter_leads_through_all_steps_to_the_chat(window: MainWindow, tour: TourSheet) -> None:
    seen = []
    for _ in STEPS:
        seen.append(tour.step)
        QTest.keyClick(tour, Qt.Key.Key_Return)
    assert tuple(seen) == STEPS
    assert is_over(window)
    assert window.page is Page.CHAT


def test_it_does_not_come_between_the_user_and_a_message(window: MainWindow) -> None:
    QTest.keyClicks(window.chat.composer.editor, "H")
    window.command_controller.show_tour()
    assert window.findChild(TourSheet) is None


def test_escape_skips_all_of_it(window: MainWindow, tour: TourSheet) -> None:
    QTest.keyClick(tour, Qt.Key.Key_Escape)
    assert is_over(window)


def test_hardware_is_requested_once_and_not_before_its_step(
    client: AppClient, tour: TourSheet, settled: Callable[[], None]
) -> None:
    assert client.called("hardware.hardware") == []
    tour.next.click()
    settled()
    assert "GPU" in tour.computer.text() or tour.computer.text()
    assert tour.computer.isVisible()
    tour.next.click()
    tour.back.click()
    settled()
    assert len(client.called("hardware.hardware")) == 1


def test_a_graphics_card_that_is_not_used_leads_to_the_runtimes(
    window: MainWindow, tour: TourSheet, settled: Callable[[], None]
) -> None:
    tour.next.click()
    settled()
    assert not tour.hardware.isVisible()
    words = "RTX 4090 is not used: the current llama.cpp build does not support it."
    tour.show_computer(
        Hardware(
            system="Linux",
            processor=Processor(name="a processor", n_cores=2, n_threads=4, features=()),
            memory_total_bytes=16 * 10**9,
            memory_available_bytes=8 * 10**9,
            devices=(),
            runtime=RuntimeInUse(name=BUILT_IN, llama_cpp="1", backends=("CPU",)),
            problems=(words,),
        )
    )
    assert words in tour.computer.text()
    tour.hardware.click()
    assert window.page is Page.HARDWARE


def test_the_button_of_a_step_runs_its_command(window: MainWindow, tour: TourSheet) -> None:
    tour.next.click()
    button = next(each for each in tour.findChildren(type(tour.next)) if each.text() == "Find models")
    button.click()
    assert window.page is Page.DISCOVER
    assert is_over(window)


def test_contents_that_do_not_fit_are_scrolled(window: MainWindow, settled: Callable[[], None]) -> None:
    window.resize(640, 600)
    window.context.theme.set_text_size(28)
    window.command_controller.show_tour()
    sheet = window.findChild(TourSheet)
    assert sheet is not None
    for _ in STEPS:
        settled()
        page = next(page for page in sheet.findChildren(PageScroll) if page.isVisible())
        content = page.widget()
        assert content is not None
        layout = content.layout()
        assert layout is not None
        assert content.height() >= layout.totalHeightForWidth(content.width())
        sheet.next.click()
