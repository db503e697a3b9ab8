"""A notification for a long answer, only while the window is inactive."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QSystemTrayIcon, QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.fake_clock import ManualClock
from fakes.model_entries import STARTER_ID
from fakes.window import WindowLog
from fireside.core.errors import StorageFull
from fireside.core.generation import FinishReason
from fireside.core.ids import ConversationId
from fireside.settings.values import AppLayer
from fireside.ui.shell.answer_notes import LONG_S
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.shell.tray import Tray
from fireside.ui.theme import Theme

KEY = "chat.notify_when_done"
NOTE = "Fireside: Answer ready in “Bread & <b>butter</b>”"


@pytest.fixture
def seconds(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> ManualClock:
    made = ManualClock(100.0)
    monkeypatch.setattr(window.answer_notifier, "_clock", made)
    return made


@pytest.fixture
def away(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program's window is in front."""
    monkeypatch.setattr(window, "isActiveWindow", lambda: False)


@pytest.fixture
def answering(client: AppClient, window: MainWindow, seconds: ManualClock) -> ConversationId:
    """A conversation whose answer has been written for as long as makes it a long one."""
    chat = client.add_conversation("Bread & <b>butter</b>")
    window.context.tasks.run(client.generations.send(chat, text="Why?", model_id=STARTER_ID))
    settled()
    seconds.now += LONG_S
    return chat


@pytest.mark.usefixtures("away")
def test_a_long_answer_is_notified(client: AppClient, log: WindowLog, answering: ConversationId) -> None:
    client.finish(answering)
    assert log.notifier.shown[-1] == NOTE


def test_nothing_is_notified_while_the_window_is_active(
    client: AppClient,
    log: WindowLog,
    window: MainWindow,
    answering: ConversationId,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(window, "isActiveWindow", lambda: True)
    client.finish(answering)
    assert NOTE not in log.notifier.shown


@pytest.mark.usefixtures("away")
def test_a_short_answer_is_not_notified(
    client: AppClient, log: WindowLog, answering: ConversationId, seconds: ManualClock
) -> None:
    seconds.now -= 0.1
    client.finish(answering)
    assert NOTE not in log.notifier.shown


@pytest.mark.usefixtures("away")
def test_a_stopped_answer_is_not_notified(
    client: AppClient, log: WindowLog, answering: ConversationId
) -> None:
    client.finish(answering, reason=FinishReason.CANCELLED)
    assert NOTE not in log.notifier.shown


@pytest.mark.usefixtures("away")
def test_a_failed_answer_is_not_notified(
    client: AppClient, log: WindowLog, answering: ConversationId
) -> None:
    client.finish(answering, error=StorageFull(path="/x").info())
    assert NOTE not in log.notifier.shown


@pytest.mark.usefixtures("away")
def test_nothing_is_notified_if_turned_off(
    client: AppClient, log: WindowLog, window: MainWindow, answering: ConversationId
) -> None:
    window.context.tasks.run(client.settings.change(AppLayer(), key=KEY, value=False))
    settled()
    client.finish(answering)
    assert NOTE not in log.notifier.shown


def test_the_notification_is_withdrawn_when_the_window_is_activated(
    qtbot: QtBot, log: WindowLog, window: MainWindow
) -> None:
    other = QWidget()
    qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    qtbot.waitUntil(other.isActiveWindow)
    log.notifier.shown.clear()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    assert None in log.notifier.shown


def test_without_a_tray_nothing_is_shown_and_nothing_breaks(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: False))
    notifier = Tray(icon=window.windowIcon(), parent=window)
    notifier.show(title="Fireside", text="x")
    notifier.clear()
    assert notifier.findChildren(QSystemTrayIcon) == []


@pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)
def test_a_click_on_the_note_asks_for_the_window(
    window: MainWindow, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: True))
    monkeypatch.setattr(QSystemTrayIcon, "supportsMessages", staticmethod(lambda: True))
    monkeypatch.setattr(QSystemTrayIcon, "showMessage", lambda _self, *parts: shown.append(parts[1]))
    notifier = Tray(icon=theme.icon("info"), parent=window)
    requests: list[str] = []
    notifier.show_requested.connect(lambda: requests.append("show"))
    notifier.show(title="Fireside", text="Done.")
    (tray,) = notifier.findChildren(QSystemTrayIcon)
    tray.messageClicked.emit()
    assert shown == ["Done."]
    assert requests == ["show"]
    notifier.clear()
