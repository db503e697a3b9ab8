"""A citation opens its document beside the chat, in the place of the chat settings, and gives all back."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.passages import sent, with_passages
from fakes.pdf_files import pdf_file
from fakes.stored_messages import Messages
from fakes.widgets import focused
from fireside.ui.chat.answer.sources import SourcesView
from fireside.ui.documents.reader import MarkedPassage, Reader
from fireside.ui.shell.main_window import MainWindow

WIDE, LEAST = (1400, 800), (640, 600)


@pytest.fixture
def sources(qtbot: QtBot, client: AppClient, window: MainWindow) -> list[QPushButton]:
    """The buttons of the sources of an answer in the chat in front."""
    messages = Messages()
    chat = client.add_conversation("The pump")
    question = with_passages(messages.user("What does it need?"), sent())
    answer = messages.answer("Oil every spring [1], a belt [2].")
    client.keep_messages(chat, [question, answer])
    window.resize(*WIDE)
    window.context.router.open_chat(chat)
    qtbot.waitUntil(lambda: window.findChild(SourcesView) is not None)
    settled()
    view = window.findChild(SourcesView)
    assert isinstance(view, SourcesView)
    return view.buttons


def opened(window: MainWindow, button: QPushButton, *, by: Qt.Key = Qt.Key.Key_Return) -> Reader:
    """Open a source by the keyboard."""
    button.setFocus()
    QTest.keyClick(button, by)
    reader = window.chat_area.shown
    assert isinstance(reader, Reader)
    return reader


def test_a_source_opens_beside_the_chat_and_escape_leads_back(
    window: MainWindow, sources: list[QPushButton]
) -> None:
    reader = opened(window, sources[1])
    settled()
    assert reader.name.text() == "manual.pdf"
    assert reader.position.text() == "[2] · 2 of 2"
    assert window.chat.width() + reader.width() == window.chat_area.width()
    assert reader.isAncestorOf(focused())
    assert not reader.back.isVisible()
    QTest.keyClick(focused(), Qt.Key.Key_Escape)
    assert window.chat_area.shown is None
    assert window.chat.width() == window.chat_area.width()
    assert focused() is sources[1]


def test_it_takes_the_place_of_the_settings_and_gives_it_back(
    window: MainWindow, sources: list[QPushButton]
) -> None:
    window.chat_area.open()
    reader = opened(window, sources[0])
    assert not window.chat_area.is_open
    assert not window.header.parameters.isChecked()
    reader.close_button.click()
    assert window.chat_area.is_open
    assert window.header.parameters.isChecked()
    opened(window, sources[0])
    window.context.router.toggle_chat_settings()
    assert window.chat_area.is_open
    assert not reader.isVisible()


def test_in_the_least_window_it_covers_the_chat_with_a_way_back(
    window: MainWindow, sources: list[QPushButton]
) -> None:
    window.resize(*LEAST)
    settled()
    reader = opened(window, sources[0])
    settled()
    assert reader.geometry() == window.chat_area.rect()
    assert reader.back.isVisible()
    assert not window.chat_area.veil.isVisible()
    assert not window.chat_area.edge.isVisible()
    reader.back.click()
    assert window.chat_area.shown is None


def test_a_page_that_arrives_in_the_least_window_does_not_close_it(
    qtbot: QtBot, client: AppClient, window: MainWindow, tmp_path: Path
) -> None:
    (tmp_path / "manual.pdf").write_bytes(pdf_file([["The pump needs oil every spring."]]))
    made = client.result(client.collections.create(name="House", roots=[str(tmp_path)]))
    client.wait_until(lambda: client.result(client.collections.state(made.id)).n_searchable == 1)
    found = client.result(client.collections.search("oil", collection_ids=[made.id])).passages
    window.resize(*LEAST)
    settled()
    window.chat.focus_composer()
    window._read([MarkedPassage(each) for each in found], 0)
    reader = window.chat_area.reader
    qtbot.waitUntil(reader.pages.isVisible)
    assert window.chat_area.shown is reader
    assert reader.isAncestorOf(focused())


def test_another_chat_closes_it(window: MainWindow, sources: list[QPushButton]) -> None:
    opened(window, sources[0])
    window.context.router.new_chat()
    settled()
    assert window.chat_area.shown is None
