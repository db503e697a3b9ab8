"""The quick question: the card, its tray entry, and whether its chat stays."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from fakes.client import AppClient
from fakes.model_entries import STARTER_ID, loaded_state, starter_spec
from fakes.window import WindowLog, build_windows
from fireside.core.events import ModelStatusChanged
from fireside.core.ids import ConversationId
from fireside.core.status import ModelStatus
from fireside.settings.values import AppLayer
from fireside.settings.window_state import WindowState
from fireside.ui.commands import Command
from fireside.ui.quick import QuickController
from fireside.ui.quick.card import QuickCard
from fireside.ui.shell.tray import Tray, TrayController
from fireside.ui.shell.windows import Windows
from fireside.ui.theme import Theme

KEY = "window.keep_in_tray"


@pytest.fixture
def windows(
    qapp: QApplication, qtbot: QtBot, client: AppClient, loop: asyncio.AbstractEventLoop, log: WindowLog
) -> Iterator[Windows]:
    made = build_windows(client, loop=loop, state=WindowState(), log=log)
    made.show()
    qtbot.waitUntil(lambda: n_running(made) == 0)
    first = made.all
    yield made
    made.program.tasks.cancel_all()
    for window in {*first, *made.all}:  # also those that a test has closed
        window.context.tasks.cancel_all()
        shiboken6.delete(window)
    shiboken6.delete(made)
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def quick(qtbot: QtBot, windows: Windows) -> Iterator[QuickController]:
    controller = QuickController(windows)
    yield controller
    card = controller.card
    controller.close()
    qtbot.waitUntil(lambda: n_running(windows) == 0)
    if card is not None and shiboken6.isValid(card):
        shiboken6.delete(card)


def n_running(windows: Windows) -> int:
    return windows.program.tasks.n_running + sum(window.context.tasks.n_running for window in windows.all)


def open_card(windows: Windows, quick: QuickController) -> QuickCard:
    windows.front.commands.actions[Command.QUICK_QUESTION].trigger()
    assert quick.card is not None
    return quick.card


def ask(qtbot: QtBot, client: AppClient, card: QuickCard, text: str) -> ConversationId:
    QTest.keyClicks(card.pane.composer.editor, text)
    QTest.keyClick(card.pane.composer.editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: card.pane.conversation_id is not None)
    assert card.pane.conversation_id is not None
    return card.pane.conversation_id


def test_the_card_is_a_field_first_and_grows_with_the_answer(
    qtbot: QtBot, client: AppClient, windows: Windows, quick: QuickController
) -> None:
    card = open_card(windows, quick)
    assert card.isVisible()
    assert card.model_name.text() != ""
    low = card.height()
    assert low < 240
    chat = ask(qtbot, client, card, "Why is bread brown?")
    client.stream(chat, text="Maillard.")
    client.finish(chat)
    assert card.pane.transcript.entries[-1].message.message.text == "Maillard."
    assert card.height() > low
    QTest.mouseClick(card.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "Maillard."


def test_escape_closes_the_card_and_the_chat_stays(
    qtbot: QtBot, client: AppClient, windows: Windows, quick: QuickController
) -> None:
    card = open_card(windows, quick)
    chat = ask(qtbot, client, card, "Why?")
    QTest.keyClick(card.pane.composer.editor, Qt.Key.Key_Escape)
    assert not card.isVisible()
    qtbot.waitUntil(lambda: n_running(windows) == 0)
    assert windows.front.sidebar.model.summary(chat) is not None
    assert windows.front.conversations.conversation_id is None
    again = open_card(windows, quick)
    assert again.pane.conversation_id is None
    assert again.pane.transcript.entries == []


def test_do_not_keep_deletes_it_when_the_card_closes(
    qtbot: QtBot, client: AppClient, windows: Windows, quick: QuickController
) -> None:
    card = open_card(windows, quick)
    chat = ask(qtbot, client, card, "Why?")
    QTest.mouseClick(card.discard_button, Qt.MouseButton.LeftButton)
    QTest.mouseClick(card.close_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: n_running(windows) == 0)
    assert windows.front.sidebar.model.summary(chat) is None
    assert client.called("folders.delete_conversations") == [((chat,),)]


def test_open_in_fireside_continues_the_chat_in_the_window(
    qtbot: QtBot, client: AppClient, windows: Windows, quick: QuickController
) -> None:
    card = open_card(windows, quick)
    chat = ask(qtbot, client, card, "Why?")
    card.discard_button.setChecked(True)
    QTest.mouseClick(card.open_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: n_running(windows) == 0)
    assert windows.front.conversations.conversation_id == chat
    assert not card.isVisible()


def test_the_draft_of_the_windows_new_chat_is_still_stored(
    qtbot: QtBot, client: AppClient, windows: Windows, quick: QuickController
) -> None:
    QTest.keyClicks(windows.front.chat.composer.editor, "half a thought")
    windows.front.chat.composer.flush_draft()
    card = open_card(windows, quick)
    assert card.pane.composer.text() == ""
    ask(qtbot, client, card, "Why?")
    qtbot.waitUntil(lambda: n_running(windows) == 0)
    assert client.new_texts() == ["half a thought"]
    assert windows.front.chat.composer.text() == "half a thought"


@pytest.fixture
def tray(windows: Windows, theme: Theme, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tray]:
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: True))
    made = Tray(icon=theme.icon("info"), parent=windows)
    yield made
    made.close()


@pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)
def test_with_the_setting_the_last_window_hides_and_the_tray_leads_back(
    qtbot: QtBot, client: AppClient, windows: Windows, quick: QuickController, tray: Tray, log: WindowLog
) -> None:
    controller = TrayController(windows, tray=tray, open_quick_question=quick.open)
    controller.refresh()
    qtbot.waitUntil(lambda: n_running(windows) == 0)
    assert tray.menu is None
    windows.program.tasks.run(client.settings.change(AppLayer(), key=KEY, value=True))
    qtbot.waitUntil(lambda: n_running(windows) == 0 and tray.menu is not None)
    assert tray.menu is not None
    text = {action.text(): action for action in tray.menu.actions()}
    assert list(text) == ["Show Fireside", "New chat", "Quick question…", "", "Quit"]
    assert "fireside ask-window" in text["Quick question…"].toolTip()
    assert tray.menu.toolTipsVisible()
    windows.hides_on_close = lambda: True  # this platform has no tray that could be seen
    window = windows.front
    window.close()
    assert not window.isVisible()
    text["Quick question…"].trigger()
    assert quick.card is not None
    assert quick.card.isVisible()
    assert not window.isVisible()
    quick.card.close()
    assert log.closed == []
    text["New chat"].trigger()
    assert window.isVisible()
    text["Quit"].trigger()
    assert len(log.closed) == 1


def test_the_tray_says_what_runs(
    qtbot: QtBot, client: AppClient, windows: Windows, quick: QuickController, tray: Tray
) -> None:
    TrayController(windows, tray=tray, open_quick_question=quick.open)
    assert tray.tooltip == "Fireside"
    client.publish(
        ModelStatusChanged(status=ModelStatus(model_id=STARTER_ID, state=loaded_state(starter_spec())))
    )
    assert tray.tooltip.startswith("Fireside: ")
    assert tray.tooltip.endswith(" loaded")
    windows.program.tasks.run(client.generations.send(None, text="Why?", model_id=STARTER_ID))
    qtbot.waitUntil(lambda: n_running(windows) == 0)
    assert tray.tooltip == "Fireside: generating 1 answer"


def test_without_a_tray_the_setting_changes_nothing_and_closing_ends(
    qtbot: QtBot,
    client: AppClient,
    windows: Windows,
    theme: Theme,
    log: WindowLog,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: False))
    tray = Tray(icon=theme.icon("info"), parent=windows)
    client.layers[AppLayer()] = {KEY: True}
    controller = TrayController(windows, tray=tray, open_quick_question=lambda: None)
    controller.refresh()
    qtbot.waitUntil(lambda: n_running(windows) == 0)
    assert not tray.is_visible
    windows.front.close()
    assert len(log.closed) == 1
