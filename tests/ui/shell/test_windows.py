"""Several windows on one engine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fakes.client import AppClient
from fakes.model_entries import STARTER_ID
from fakes.window import WindowLog, build_windows
from fireside.core.ids import ConversationId, DraftId
from fireside.core.preset import SYSTEM_PROMPT_KEY
from fireside.settings.window_state import OtherWindow, WindowState
from fireside.ui.commands import COMMANDS, Command
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.shell.temporary_sheet import TemporarySheet
from fireside.ui.shell.windows import Ending, Windows
from fireside.ui.taskbar import TaskbarProgress
from fireside.ui.theme import Theme, ThemeChoice

ShowWindows = Callable[..., Windows]


@pytest.fixture
def show_windows(
    qapp: QApplication, qtbot: QtBot, client: AppClient, loop: asyncio.AbstractEventLoop, log: WindowLog
) -> Iterator[ShowWindows]:
    made: list[Windows] = []

    def show(state: WindowState | None = None) -> Windows:
        windows = build_windows(client, loop=loop, state=state or WindowState(), log=log)
        made.append(windows)
        windows.show()
        settle(qtbot, windows)
        return windows

    yield show
    for windows in made:
        windows.program.tasks.cancel_all()
        for window in windows.all:
            window.context.tasks.cancel_all()
            shiboken6.delete(window)
        shiboken6.delete(windows)
    # Also those that a test closed: each makes every change of the look slower for all tests behind it.
    for widget in qapp.topLevelWidgets():
        if shiboken6.isValid(widget) and isinstance(widget, MainWindow):
            shiboken6.delete(widget)
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def settle(qtbot: QtBot, windows: Windows) -> None:
    qtbot.waitUntil(
        lambda: (
            windows.program.tasks.n_running == 0
            and all(window.context.tasks.n_running == 0 for window in windows.all)
        )
    )


def newest(windows: Windows) -> MainWindow:
    return max(windows.all, key=lambda window: window.number)


def press(window: MainWindow, command: Command) -> None:
    window.commands.actions[command].trigger()


def titles(window: MainWindow) -> list[str]:
    model = window.sidebar.model
    found = (model.summary(conversation_id) for conversation_id in model.displayed_ids)
    return [summary.title for summary in found if summary is not None]


def test_a_key_opens_another_window_with_a_new_chat(qtbot: QtBot, show_windows: ShowWindows) -> None:
    windows = show_windows()
    first = windows.front
    first.resize(700, 600)
    first.activateWindow()
    qtbot.waitUntil(first.isActiveWindow)
    keys = next(spec.keys[0] for spec in COMMANDS if spec.command is Command.NEW_WINDOW)
    assert keys == "Ctrl+Shift+N"
    QTest.keyClick(
        first, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    settle(qtbot, windows)
    assert len(windows.all) == 2
    second = newest(windows)
    assert second is not first
    assert second.isVisible()
    assert second.conversations.conversation_id is None
    assert second.size() == first.size()


@pytest.mark.parametrize("corner", ["maximised", "far"])
def test_another_window_is_completely_on_the_screen(
    qtbot: QtBot, show_windows: ShowWindows, corner: str
) -> None:
    windows = show_windows()
    room = windows.front.screen().availableGeometry()
    windows.front.move(room.bottomRight())
    if corner == "maximised":
        windows.front.showMaximized()
        qtbot.waitUntil(windows.front.isMaximized)
    second = windows.open_new()
    settle(qtbot, windows)
    assert room.contains(second.frameGeometry())
    assert not second.isMaximized()


def test_a_middle_click_opens_a_chat_in_a_window_of_its_own(
    qtbot: QtBot, client: AppClient, show_windows: ShowWindows
) -> None:
    bread = client.add_conversation("Bread", turns=("Why?", "Because."))
    windows = show_windows()
    first = windows.front
    view = first.sidebar.list
    at = view.visualRect(first.sidebar.model.index_of(bread)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.MiddleButton, pos=at)
    settle(qtbot, windows)
    assert newest(windows).conversations.conversation_id == bread
    assert first.conversations.conversation_id is None
    assert first.sidebar.list.selected_ids == ()


def test_the_menu_of_a_chat_opens_it_in_a_new_window(
    qtbot: QtBot, client: AppClient, show_windows: ShowWindows
) -> None:
    bread = client.add_conversation("Bread", turns=("Why?", "Because."))
    windows = show_windows()
    menu = windows.front.sidebar.list.show_menu(bread, at=QPoint(4, 4))
    (action,) = (each for each in menu.actions() if each.text() == "Open in new window")
    action.trigger()
    menu.close()
    qtbot.waitUntil(lambda: len(windows.all) == 2)
    settle(qtbot, windows)
    assert newest(windows).conversations.conversation_id == bread


def test_events_reach_every_window(qtbot: QtBot, client: AppClient, show_windows: ShowWindows) -> None:
    bread = client.add_conversation("Bread", turns=("Why?", "Because."))
    windows = show_windows(WindowState(last_conversation=bread))
    first = windows.front
    second = windows.open_new(bread)
    settle(qtbot, windows)
    first.sidebar.folders.rename(bread, "Loaf")
    settle(qtbot, windows)
    assert titles(first) == titles(second) == ["Loaf"]
    assert second.windowTitle() == "Loaf"
    first.context.tasks.run(client.generations.send(bread, text="And rye?", model_id=STARTER_ID))
    settle(qtbot, windows)
    assert all(window.chat.transcript.entries[-1].is_running for window in (first, second))
    client.stream(bread, text="Sour")
    client.finish(bread)
    for window in (first, second):
        assert window.chat.transcript.entries[-1].message.message.text == "Sour"
    first.sidebar.folders.delete((bread,))
    settle(qtbot, windows)
    assert titles(second) == []
    assert second.conversations.conversation_id is None


def test_a_draft_stays_in_its_window_and_the_other_window_shows_a_note(
    qtbot: QtBot, client: AppClient, show_windows: ShowWindows
) -> None:
    bread = client.add_conversation("Bread", turns=("Why?", "Because."))
    windows = show_windows(WindowState(last_conversation=bread))
    first = windows.front
    second = windows.open_new(bread)
    settle(qtbot, windows)
    QTest.keyClicks(first.chat.composer.editor, "one")
    first.chat.composer.flush_draft()
    assert not second.toast.isVisible()
    QTest.keyClicks(second.chat.composer.editor, "two")
    second.chat.composer.flush_draft()
    settle(qtbot, windows)
    assert first.chat.composer.text() == "one"
    assert first.toast.isVisible()
    assert client.draft(bread) == "two"


def test_closing_one_window_keeps_the_others_and_the_theme_still_changes(
    qtbot: QtBot, qapp: QApplication, log: WindowLog, theme: Theme, show_windows: ShowWindows
) -> None:
    windows = show_windows()
    first = windows.front
    second = windows.open_new()
    settle(qtbot, windows)
    second.close()
    qtbot.waitUntil(lambda: windows.program.tasks.n_running == 0)
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not shiboken6.isValid(second)
    assert windows.all == (first,)
    assert log.closed == []
    theme.set_choice(ThemeChoice.DARK)
    first.conversations.new_chat()
    assert first.isVisible()


def test_closing_the_last_window_ends_the_program(log: WindowLog, show_windows: ShowWindows) -> None:
    windows = show_windows()
    windows.front.close()
    assert len(log.closed) == 1
    assert log.closed[0].others == ()


def test_quitting_remembers_every_window_and_the_next_start_opens_them(
    qtbot: QtBot, client: AppClient, log: WindowLog, show_windows: ShowWindows
) -> None:
    bread, rope = (client.add_conversation(title, turns=("Why?", "So.")) for title in ("Bread", "Rope"))
    windows = show_windows(WindowState(last_conversation=bread))
    windows.open_new(rope).resize(700, 650)
    settle(qtbot, windows)
    press(windows.front, Command.QUIT)
    (state,) = log.closed
    assert {state.last_conversation, *(other.last_conversation for other in state.others)} == {bread, rope}
    again = show_windows(state)
    opened: list[ConversationId | None] = [window.conversations.conversation_id for window in again.all]
    assert opened == [state.last_conversation, state.others[0].last_conversation]
    assert (700, 650) in {(window.width(), window.height()) for window in again.all}


@pytest.mark.parametrize("is_asked", [False, True], ids=["not asked", "asked before"])
def test_an_idle_lock_asks_nobody_about_temporary_chats(
    qtbot: QtBot, client: AppClient, log: WindowLog, show_windows: ShowWindows, is_asked: bool
) -> None:
    """Nobody is there to answer. A question that stands since the user asked to lock does not stop it."""
    windows = show_windows()
    window = windows.front
    press(window, Command.TEMPORARY_CHAT)
    settle(qtbot, windows)
    window.chat.send_controller.send("Why?")
    settle(qtbot, windows)
    open_id = window.conversations.conversation_id
    assert open_id is not None
    client.stream(open_id, text="Because.")
    client.finish(open_id)
    settle(qtbot, windows)
    assert window.conversations.has_unkept
    windows.open_new()
    settle(qtbot, windows)
    if is_asked:
        windows.lock()
        assert window.findChildren(TemporarySheet)
        assert log.closed == []
    windows.lock_unasked()
    settle(qtbot, windows)
    assert windows.all == ()
    assert len(log.closed) == 1
    assert windows.ending is Ending.LOCK
    assert not any(sheet.isVisible() for sheet in window.findChildren(TemporarySheet))
    assert client.conversations_kept == ()


def test_the_taskbar_hears_of_progress_once(qtbot: QtBot, log: WindowLog, show_windows: ShowWindows) -> None:
    windows = show_windows()
    first = windows.front
    second = windows.open_new()
    settle(qtbot, windows)
    progress = TaskbarProgress(percent=3, n_downloads=1)
    for window in (first, second):
        window.taskbar.show(progress)
    assert log.taskbar.shown == [progress]
    first.close()
    second.taskbar.show(progress)
    assert log.taskbar.shown == [progress, progress]


def test_a_window_kept_in_the_tray_is_hidden_and_restored(log: WindowLog, show_windows: ShowWindows) -> None:
    windows = show_windows(WindowState(others=(OtherWindow(),)))
    windows.hides_on_close = lambda: True
    windows.all[1].close()
    assert len(windows.all) == 1
    window = windows.front
    window.close()
    assert not window.isVisible()
    assert log.closed == []
    assert windows.raise_front() is window
    assert window.isVisible()
    windows.quit()
    assert len(log.closed) == 1


def write_in(windows: Windows, window: MainWindow, text: str, *, qtbot: QtBot) -> None:
    QTest.keyClicks(window.chat.composer.editor, text)
    window.chat.composer.flush_draft()
    settle(qtbot, windows)


def test_each_window_keeps_its_own_new_chat_and_has_it_again_after_a_restart(
    qtbot: QtBot, client: AppClient, show_windows: ShowWindows
) -> None:
    windows = show_windows()
    first = windows.front
    second = windows.open_new()
    settle(qtbot, windows)
    write_in(windows, first, "one", qtbot=qtbot)
    write_in(windows, second, "two", qtbot=qtbot)
    assert sorted(client.new_texts()) == ["one", "two"]
    assert not first.toast.isVisible()
    state = windows.state()
    again = show_windows(state)
    written = {window.conversations.draft_id: window.chat.composer.text() for window in again.all}
    assert written == {first.conversations.draft_id: "one", second.conversations.draft_id: "two"}


def test_what_a_new_chat_sets_itself_is_there_after_a_restart(
    qtbot: QtBot, client: AppClient, show_windows: ShowWindows
) -> None:
    windows = show_windows()
    windows.front.presets.settings.change({SYSTEM_PROMPT_KEY: "Be brief."})
    settle(qtbot, windows)
    again = show_windows(windows.state()).front
    assert again.presets.settings.own == {SYSTEM_PROMPT_KEY: "Be brief."}
    write_in(windows, again, "Why?", qtbot=qtbot)
    QTest.keyClick(again.chat.composer.editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: again.chat.conversation_id is not None)
    settle(qtbot, windows)
    assert show_windows().front.presets.settings.own == {}


def test_the_draft_of_a_closed_window_is_resumed_by_the_next_new_chat(
    qtbot: QtBot, client: AppClient, show_windows: ShowWindows
) -> None:
    bread = client.add_conversation("Bread", turns=("Why?", "Because."))
    windows = show_windows()
    first = windows.front
    second = windows.open_new()
    settle(qtbot, windows)
    write_in(windows, first, "one", qtbot=qtbot)
    write_in(windows, second, "two", qtbot=qtbot)
    second.close()
    qtbot.waitUntil(lambda: windows.program.tasks.n_running == 0)
    assert first.chat.composer.text() == "one"
    QTest.keyClick(first.chat.composer.editor, Qt.Key.Key_Return)
    settle(qtbot, windows)
    first.conversations.open(bread)
    settle(qtbot, windows)
    first.conversations.new_chat()
    assert first.chat.composer.text() == "two"
    assert first.toast.text == "Unsent draft from before"
    assert client.new_texts() == ["two"]


def test_without_a_window_state_stored_drafts_are_resumed_one_after_the_other(
    qtbot: QtBot, client: AppClient, show_windows: ShowWindows
) -> None:
    for place, text in (("a", "older"), ("b", "newer")):
        client.keep_draft(DraftId(place), text=text)
    windows = show_windows()
    window = windows.front
    assert window.chat.composer.text() == "newer"
    QTest.keyClick(window.chat.composer.editor, Qt.Key.Key_Return)
    settle(qtbot, windows)
    window.conversations.new_chat()
    assert window.chat.composer.text() == "older"
    assert client.new_texts() == ["older"]
