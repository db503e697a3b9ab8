"""Cycles are collected on the GUI thread, in whichever thread they were created."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from fireside.bridge.garbage import (
    FULL_EVERY,
    IDLE_CHECKS,
    YOUNG_OBJECTS,
    GuiGarbageCollector,
    memory_trimmer,
)


class Cycle:
    def __init__(self, collected_in: list[str]) -> None:
        self.myself = self
        weakref.finalize(self, lambda: collected_in.append(threading.current_thread().name))


@pytest.fixture
def collector(qtbot: QtBot) -> Iterator[GuiGarbageCollector]:
    made = GuiGarbageCollector()
    yield made
    made.close()


def make_cycles_elsewhere(collected_in: list[str]) -> None:
    def work() -> None:
        for _ in range(2 * YOUNG_OBJECTS):
            Cycle(collected_in)

    thread = threading.Thread(target=work, name="elsewhere")
    thread.start()
    thread.join()


def test_a_thread_that_allocates_does_not_collect(collector: GuiGarbageCollector) -> None:
    collected_in: list[str] = []
    make_cycles_elsewhere(collected_in)
    assert collected_in == []


def test_the_gui_thread_collects_what_others_left(collector: GuiGarbageCollector) -> None:
    collected_in: list[str] = []
    make_cycles_elsewhere(collected_in)
    collector.collect_if_due()
    assert len(collected_in) == 2 * YOUNG_OBJECTS
    assert set(collected_in) == {"MainThread"}


def test_memory_is_returned_while_the_window_is_idle(qtbot: QtBot) -> None:
    given: list[int] = []
    collector = GuiGarbageCollector(trim=lambda: given.append(1))
    try:
        for _ in range(IDLE_CHECKS - 1):
            collector.collect_if_due()
        many: list[list[int]] = [[] for _ in range(2 * YOUNG_OBJECTS)]
        collector.collect_if_due()
        assert not given
        del many
        for _ in range(IDLE_CHECKS):
            collector.collect_if_due()
        assert given == [1]
        for _ in range(FULL_EVERY):
            collector.collect_if_due()
        assert given == [1, 1]
    finally:
        collector.close()


def test_there_is_a_way_to_give_memory_back_on_every_system() -> None:
    memory_trimmer()()


def test_python_collects_by_itself_again_afterwards(qtbot: QtBot) -> None:
    GuiGarbageCollector().close()
    assert gc.isenabled()
