"""The whole window: actions of the user and their effects."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.model_entries import STARTER_ID, entry_of, loaded_state, starter_spec
from fakes.window import RESOURCES, WindowLog, build_window, page_of
from fireside.core.chat import Conversation
from fireside.core.errors import (
    LoadError,
    NextStep,
    RecordNotFound,
    SettingsUnwritable,
    StorageError,
    StorageFull,
    StorageUnwritable,
)
from fireside.core.events import ConversationChanged, LibraryChanged, StorageFailed, StorageRecovered
from fireside.core.for_window import for_window
from fireside.core.ids import ConversationId, ModelId
from fireside.core.runtime import RuntimesChanged
from fireside.core.status import Broken
from fireside.settings.values import AppLayer
from fireside.settings.window_state import LibraryViewState, WindowState
from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.chat.transcript.conversation_find import FindBar
from fireside.ui.commands import COMMANDS, COMPACT_MENUS, MENUS, PRIMARY_GROUPS, Command
from fireside.ui.discover.discover_page import View
from fireside.ui.library.toolbar import ListLayout
from fireside.ui.page import PAGES, Page
from fireside.ui.settings.scope import Scope
from fireside.ui.shell.about_sheet import AboutSheet, read_about
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.shortcuts import ShortcutsSheet
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import MESSAGE_PX, Scheme, Theme, ThemeChoice
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.search_field import SearchField

ShowWindow = Callable[..., MainWindow]
FIRST = ConversationId(1)
OTHER = msgspec.structs.replace(starter_spec(), id=ModelId("other"), name="Other", path="/m/other.gguf")


def press(qtbot: QtBot, window: MainWindow, keys: str) -> None:
    """Press a shortcut wherever the focus is."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keySequence(QApplication.focusWidget() or window, keys)


def run(window: MainWindow, command: Command) -> None:
    window.commands.actions[command].trigger()


def add_chats(client: AppClient, *titles: str) -> list[ConversationId]:
    return [client.add_conversation(title, turns=(f"About {title}?", f"{title}.")) for title in titles]


# Start


def test_the_first_start_shows_a_new_chat_with_the_starter_model(window: MainWindow) -> None:
    assert window.page is Page.CHAT
    assert window.chat.conversation_id is None
    assert window.header.pill.name.text() == "SmolLM2 135M Instruct"
    assert window.chat.composer.editor.hasFocus()


def test_the_chat_that_was_open_last_is_open_again(client: AppClient, show_window: ShowWindow) -> None:
    bread, _rope = add_chats(client, "Bread", "Rope")
    window = show_window(state=WindowState(last_conversation=bread))
    assert window.chat.conversation_id == bread
    assert window.windowTitle() == "Bread"
    assert window.sidebar.model.active == bread


@pytest.fixture
def long_wait(qtbot: QtBot, client: AppClient, tasks: TaskRunner) -> Callable[[], MainWindow]:
    """Show a window whose last chat is still being read."""

    def show() -> MainWindow:
        client.hold("conversations.open")
        window = build_window(client, tasks=tasks, state=WindowState(last_conversation=FIRST))
        qtbot.addWidget(window)
        window.show()
        qtbot.waitUntil(lambda: window.sidebar.model.active == FIRST)
        return window

    add_chats(client, "Bread", "Rope")
    return show


def test_nothing_of_another_chat_is_shown_until_the_last_one_is_read(
    client: AppClient, long_wait: Callable[[], MainWindow]
) -> None:
    window = long_wait()
    for _ in range(2):
        assert not window.chat.empty.isVisible()
        assert not window.chat.start.isVisible()
        assert not window.header.pill.isVisible()
        client.publish(LibraryChanged(entries=client.entries))
        QApplication.processEvents()
    client.release("conversations.open")
    settled()
    assert window.chat.transcript.isVisible()
    assert window.header.pill.isVisible()
    assert window.windowTitle() == "Bread"


def test_what_is_typed_before_the_last_chat_is_read_is_for_that_chat(
    client: AppClient, long_wait: Callable[[], MainWindow]
) -> None:
    window = long_wait()
    QTest.keyClicks(window.chat.composer.editor, "and butter")
    QTest.keyClick(window.chat.composer.editor, Qt.Key.Key_Return)
    assert client.called("generations.send") == []
    assert not window.header.popup.isVisible()
    client.release("conversations.open")
    settled()
    assert window.chat.composer.text() == "and butter"
    window.conversations.new_chat()
    settled()
    assert window.chat.composer.text() == ""
    assert client.opened(FIRST).draft == "and butter"


def test_a_new_chat_ends_the_wait_for_the_last_one(
    client: AppClient, long_wait: Callable[[], MainWindow]
) -> None:
    window = long_wait()
    run(window, Command.NEW_CHAT)
    client.release("conversations.open")
    settled()
    assert window.chat.empty.isVisible()


@pytest.mark.parametrize("request_name", ["conversations.open", "snapshot"])
def test_a_failure_ends_the_wait_for_the_last_chat(
    client: AppClient, show_window: ShowWindow, request_name: str
) -> None:
    (bread,) = add_chats(client, "Bread")
    client.fail(request_name, StorageFull(path="/x"))
    window = show_window(state=WindowState(last_conversation=bread))
    assert window.chat.empty.isVisible()
    assert window.banners.texts == (StorageFull(path="/x").sentence(),)


def test_a_missing_last_chat_opens_a_new_one(show_window: ShowWindow) -> None:
    window = show_window(state=WindowState(last_conversation=ConversationId(99)))
    assert window.chat.conversation_id is None
    assert window.banners.texts == ()


def test_a_failed_start_is_reported_in_the_window(client: AppClient, show_window: ShowWindow) -> None:
    client.fail("snapshot", StorageFull(path="/x"))
    assert show_window().banners.texts == (StorageFull(path="/x").sentence(),)


def test_the_settings_dress_the_window(client: AppClient, show_window: ShowWindow, theme: Theme) -> None:
    client.layers[AppLayer()] = {"appearance.theme": "dark", "appearance.text_size": 18}
    show_window()
    assert theme.scheme is Scheme.DARK
    assert theme.scaled(14) == 18


# Conversations


def test_a_click_in_the_sidebar_opens_a_chat(client: AppClient, show_window: ShowWindow) -> None:
    bread, rope = add_chats(client, "Bread", "Rope")
    window = show_window()
    window.router.open_chat(rope)
    settled()
    assert window.chat.conversation_id == rope
    window.router.open_chat(bread)
    settled()
    assert window.chat.conversation_id == bread
    assert window.sidebar.model.active == bread


def test_of_two_quick_clicks_the_second_wins(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    gates: dict[ConversationId, asyncio.Future[None]] = {}
    open_conversation = client.app.conversations.open

    @for_window
    async def open_late(conversation_id: ConversationId) -> Conversation:
        await gates.setdefault(conversation_id, asyncio.get_running_loop().create_future())
        return await open_conversation(conversation_id)

    monkeypatch.setattr(client.app.conversations, "open", open_late)
    bread, rope = add_chats(client, "Bread", "Rope")
    window = show_window()
    window.conversations.open(bread)
    qtbot.waitUntil(lambda: bread in gates)
    window.conversations.open(rope)
    qtbot.waitUntil(lambda: rope in gates)
    qtbot.waitUntil(gates[bread].cancelled)  # the first is not waited for any more
    gates[rope].set_result(None)
    qtbot.waitUntil(lambda: window.chat.conversation_id == rope)
    settled()
    assert window.chat.conversation_id == rope
    assert window.conversations.conversation_id == rope


def test_a_chat_that_cannot_be_opened_is_reported_and_the_other_stays_open(
    client: AppClient, show_window: ShowWindow
) -> None:
    bread, rope = add_chats(client, "Bread", "Rope")
    window = show_window(state=WindowState(last_conversation=bread))
    client.fail("conversations.open", RecordNotFound(what="conversation", id=rope))
    window.conversations.open(rope)
    settled()
    assert window.chat.conversation_id == bread
    assert window.sidebar.model.active == bread
    assert window.banners.texts == ("This conversation no longer exists.",)


def test_sending_creates_a_chat_and_the_sidebar_marks_it(client: AppClient, window: MainWindow) -> None:
    window.chat.composer.send_requested.emit("Hello")
    settled()
    (created,) = client.summaries
    assert window.conversations.conversation_id == created
    assert window.sidebar.model.active == created
    assert window.windowTitle() == "Hello"


def test_the_draft_of_the_new_chat_is_restored_after_another_chat(
    client: AppClient, show_window: ShowWindow
) -> None:
    (bread,) = add_chats(client, "Bread")
    window = show_window()
    window.chat.composer.set_text("half a thought")
    window.conversations.open(bread)
    settled()
    assert window.chat.composer.text() == ""
    window.conversations.new_chat()
    assert window.chat.composer.text() == "half a thought"


def test_delete_offers_undo_and_undo_brings_the_chat_back(client: AppClient, show_window: ShowWindow) -> None:
    bread, _rope = add_chats(client, "Bread", "Rope")
    window = show_window(state=WindowState(last_conversation=bread))
    window.sidebar.folders.delete((bread,))
    settled()
    assert window.toast.isVisible()
    assert window.toast.text == "“Bread” deleted"
    assert bread not in window.sidebar.model.displayed_ids
    assert window.chat.conversation_id is None
    window.toast.trigger_action()
    settled()
    assert bread in window.sidebar.model.displayed_ids
    assert window.chat.conversation_id == bread


def test_a_long_title_leaves_room_for_what_became_of_its_chat(
    client: AppClient, show_window: ShowWindow
) -> None:
    (bread,) = add_chats(client, "Write a haiku about tea and a table with three teas, please")
    window = show_window(state=WindowState(last_conversation=bread))
    window.sidebar.folders.delete((bread,))
    settled()
    assert window.toast.text == "“Write a haiku about tea and a t…” deleted"


def test_ctrl_z_in_an_empty_message_field_brings_a_deleted_chat_back(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow
) -> None:
    (bread,) = add_chats(client, "Bread")
    window = show_window(state=WindowState(last_conversation=bread))
    run(window, Command.DELETE_CHAT)
    settled()
    assert window.chat.composer.editor.hasFocus()
    press(qtbot, window, "Ctrl+Z")
    settled()
    assert bread in window.sidebar.model.displayed_ids


def test_ctrl_z_undoes_even_after_the_note_has_closed(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow
) -> None:
    bread, rope = add_chats(client, "Bread", "Rope")
    window = show_window()
    window.sidebar.list.setFocus()
    for gone in (bread, rope):
        window.sidebar.folders.delete((gone,))
        settled()
    window.toast.hide_now()
    named = []
    for _ in range(2):
        named.append(window.commands.label(Command.UNDO_DELETE))
        press(qtbot, window, "Ctrl+Z")
        settled()
    named.append(window.commands.label(Command.UNDO_DELETE))
    assert named == ["Restore “Rope”", "Restore “Bread”", "Undo delete"]
    assert set(window.sidebar.model.displayed_ids) == {bread, rope}


def test_the_undo_note_goes_by_itself(qtbot: QtBot, client: AppClient, show_window: ShowWindow) -> None:
    (bread,) = add_chats(client, "Bread")
    window = show_window()
    window.sidebar.folders.delete((bread,))
    settled()
    assert window.toast._timer.interval() == 8000
    window.toast._timer.timeout.emit()
    assert not window.toast.isVisible()


def test_a_delete_that_fails_keeps_the_chat_and_says_why(client: AppClient, show_window: ShowWindow) -> None:
    (bread,) = add_chats(client, "Bread")
    window = show_window()
    client.fail("folders.delete_conversations", StorageFull(path="/x"))
    window.sidebar.folders.delete((bread,))
    settled()
    assert bread in window.sidebar.model.displayed_ids
    assert not window.toast.isVisible()
    assert window.banners.texts == (StorageFull(path="/x").sentence(),)


def test_f2_renames_the_open_chat_and_the_title_follows(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow
) -> None:
    (bread,) = add_chats(client, "Bread")
    window = show_window(state=WindowState(last_conversation=bread))
    run(window, Command.RENAME_CHAT)
    editor = window.sidebar.list.findChild(QLineEdit)
    assert editor is not None
    QTest.keyClicks(editor, "Sourdough")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: client.called("conversations.rename") == [(bread, "Sourdough")])
    settled()
    assert window.windowTitle() == "Sourdough"


def test_a_hostile_title_does_not_act_in_the_window_title(client: AppClient, show_window: ShowWindow) -> None:
    (bread,) = add_chats(client, "<b>x</b>")
    window = show_window(state=WindowState(last_conversation=bread))
    assert window.windowTitle() == "<b>x</b>"


def test_pin_moves_the_chat_up(client: AppClient, show_window: ShowWindow) -> None:
    bread, _rope = add_chats(client, "Bread", "Rope")
    window = show_window(state=WindowState(last_conversation=bread))
    assert window.commands.label(Command.PIN_CHAT) == "Pin chat"
    run(window, Command.PIN_CHAT)
    settled()
    assert window.sidebar.model.displayed_ids[0] == bread
    assert window.commands.label(Command.PIN_CHAT) == "Unpin chat"
    run(window, Command.PIN_CHAT)
    settled()
    assert client.called("conversations.set_pinned")[-1:] == [(bread, False)]


def test_the_chat_below_and_above_are_a_key_away(client: AppClient, show_window: ShowWindow) -> None:
    add_chats(client, "Bread", "Rope", "Salt")
    window = show_window()
    order = window.sidebar.model.displayed_ids
    for step, expected in ((1, 0), (1, 1), (1, 2), (1, 2), (-1, 1)):
        run(window, Command.NEXT_CHAT if step > 0 else Command.PREVIOUS_CHAT)
        settled()
        assert window.chat.conversation_id == order[expected]


def test_the_last_answer_is_copied(client: AppClient, show_window: ShowWindow) -> None:
    (bread,) = add_chats(client, "Bread")
    window = show_window(state=WindowState(last_conversation=bread))
    run(window, Command.COPY_ANSWER)
    assert QGuiApplication.clipboard().text() == "Bread."
    assert window.toast.text == "Answer copied"


def test_a_chat_without_an_answer_says_that_there_is_none_to_copy(show_window: ShowWindow) -> None:
    QGuiApplication.clipboard().setText("kept")
    window = show_window()
    run(window, Command.COPY_ANSWER)
    assert window.toast.text == "No answer to copy"
    assert QGuiApplication.clipboard().text() == "kept"


@pytest.mark.parametrize(
    "command",
    [
        Command.RENAME_CHAT,
        Command.PIN_CHAT,
        Command.ARCHIVE_CHAT,
        Command.DELETE_CHAT,
        Command.FIND_HERE,
        Command.EDIT_LAST,
        Command.DELETE_LAST,
        Command.ANSWER_AGAIN,
        Command.CONTINUE_ANSWER,
        Command.BRANCHES,
    ],
)
def test_commands_without_effect_in_a_new_chat_say_so(show_window: ShowWindow, command: Command) -> None:
    window = show_window()
    window.commands.actions[Command.NEW_CHAT].trigger()
    window.commands.actions[command].trigger()
    assert window.toast.text == "This chat is empty"


# Models


def test_choosing_a_model_remembers_it_and_loads_it(client: AppClient, show_window: ShowWindow) -> None:
    (bread,) = add_chats(client, "Bread")
    client.add_entries(entry_of(OTHER))
    window = show_window(state=WindowState(last_conversation=bread))
    window.router.choose_model("other")
    settled()
    assert client.called("conversations.choose_model") == [(bread, "other")]
    assert client.called("models.load") == [("other", bread)]
    assert window.header.pill.name.text() == "Other"
    assert window.conversations.model_id == "other"


def test_a_model_that_is_ready_is_not_loaded_again_when_chosen(
    client: AppClient, show_window: ShowWindow
) -> None:
    client.states[STARTER_ID] = loaded_state(starter_spec())
    window = show_window()
    window.router.choose_model(STARTER_ID)
    settled()
    assert client.called("models.load") == []


def test_a_failed_load_is_shown_at_the_model_and_not_twice(client: AppClient, window: MainWindow) -> None:
    client.fail_load(LoadError.of("load_failed", model="SmolLM2", reason="the file is too old."))
    window.router.load_model(STARTER_ID)
    settled()
    assert "the file is too old." in window.header.facts.text()
    assert window.banners.texts == ()
    window.header.retry.click()
    settled()
    assert window.header.pill.dot.tint == "ok"


def test_a_model_that_leaves_the_library_is_replaced_by_another(
    client: AppClient, show_window: ShowWindow
) -> None:
    client.add_entries(entry_of(OTHER))
    window = show_window()
    client.set_models([entry_of(OTHER)])
    assert window.conversations.model_id == "other"
    client.set_models([])
    assert window.conversations.model_id is None
    assert window.header.pill.name.text() == "Choose model"


def test_use_in_chat_leads_back_to_the_chat_with_that_model(
    client: AppClient, show_window: ShowWindow
) -> None:
    client.add_entries(entry_of(OTHER))
    window = show_window()
    window.show_page(Page.MODELS)
    window.pages.library.controller.router.use_model("other")
    settled()
    assert window.page is Page.CHAT
    assert window.conversations.model_id == "other"


def test_the_settings_of_a_model_are_opened_from_the_library(
    client: AppClient, show_window: ShowWindow
) -> None:
    client.add_entries(entry_of(OTHER))
    window = show_window()
    window.pages.library.controller.router.show_model_settings("other")
    settled()
    assert window.page is Page.SETTINGS
    assert window.pages.settings.scope is Scope.MODEL
    assert client.called("settings.resolved")[-2] == ("other", None)


def test_the_look_of_the_library_is_remembered(show_window: ShowWindow) -> None:
    look = LibraryViewState(view="cards", column="size", descending=True)
    window = show_window(state=WindowState(library=look))
    assert window.pages.library.list.view is ListLayout.CARDS
    assert window.window_state().library == look


def drop(window: MainWindow, *paths: str) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(path) for path in paths])
    kind = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    enter = QDragEnterEvent(QPointF(50, 50).toPoint(), *kind)
    QApplication.sendEvent(window, enter)
    if enter.isAccepted():
        QApplication.sendEvent(window, QDropEvent(QPointF(50, 50), *kind))


def test_a_model_file_dropped_anywhere_is_added(client: AppClient, window: MainWindow) -> None:
    drop(window, "/downloads/new.GGUF")
    settled()
    assert client.called("models.add") == [(("/downloads/new.GGUF",),)]
    assert window.page is Page.MODELS
    assert not window.drop.isVisible()


def test_a_picture_dropped_on_the_window_is_not_taken_for_a_model(
    client: AppClient, window: MainWindow
) -> None:
    drop(window, "/pictures/cat.jpg")
    settled()
    assert client.called("models.add") == []


# Pages, keys, sheets


@pytest.mark.parametrize(
    ("keys", "page"),
    [
        ("Ctrl+D", Page.DISCOVER),
        ("Ctrl+M", Page.MODELS),
        ("Ctrl+Shift+O", Page.DOCUMENTS),
        ("Ctrl+Shift+D", Page.DOWNLOADS),
        ("Ctrl+Shift+H", Page.HARDWARE),
        ("Ctrl+,", Page.SETTINGS),
    ],
)
def test_a_key_leads_to_each_page(qtbot: QtBot, window: MainWindow, keys: str, page: Page) -> None:
    press(qtbot, window, keys)
    assert window.page is page


def test_the_rows_of_the_sidebar_lead_to_their_pages_and_back(qtbot: QtBot, window: MainWindow) -> None:
    window.show_page(Page.DOWNLOADS)  # or it has no row
    for page in [page for page, spec in PAGES.items() if spec.parent is None]:
        button = window.sidebar.page_button(page)
        if button.isChecked():
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
            assert page_of(window) is Page.CHAT
            window.show_page(page)
            continue
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        assert page_of(window) is page
        assert button.isChecked()
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        assert page_of(window) is Page.CHAT


def test_the_window_is_named_after_its_page(client: AppClient, show_window: ShowWindow) -> None:
    (bread,) = add_chats(client, "Bread")
    window = show_window(state=WindowState(last_conversation=bread))
    settled()
    window.show_page(Page.MODELS)
    assert window.windowTitle() == "Models"
    window.show_page(Page.CHAT)
    assert window.windowTitle() == "Bread"
    window.conversations.new_chat()
    assert window.windowTitle() == "Fireside"


def test_the_window_is_named_after_the_model_or_collection_that_a_page_shows(
    client: AppClient, window: MainWindow
) -> None:
    window.show_page(Page.MODELS)
    library = window.pages.library
    library.show_model(client.entries[0].path)
    assert window.windowTitle() == starter_spec().name
    library.show_list()
    assert window.windowTitle() == "Models"
    house = client.result(client.collections.create(name="House"))
    window.show_page(Page.DOCUMENTS)
    settled()
    window.pages.documents.open_collection(house.id)
    assert window.windowTitle() == "House"
    window.pages.documents.show_all()
    assert window.windowTitle() == "Documents"
    window.show_page(Page.DISCOVER)
    window.pages.discover.model_page.show_loading("Qwen3 8B")
    window.pages.discover.show_view(View.MODEL)
    assert window.windowTitle() == "Qwen3 8B"


def test_the_title_of_a_page_below_another_leads_up(window: MainWindow) -> None:
    for page, parent in [(page, spec.parent) for page, spec in PAGES.items() if spec.parent]:
        window.show_page(page)
        assert window.header.crumb.accessibleName() == window.header.crumb.text().split("  ")[0]
        window.header.crumb.click()
        assert page_of(window) is parent
        assert not window.header.crumb.isVisible()


def test_the_same_key_leads_back(qtbot: QtBot, window: MainWindow) -> None:
    press(qtbot, window, "Ctrl+,")
    press(qtbot, window, "Ctrl+,")
    assert window.page is Page.CHAT


def test_keys_reach_search_composer_and_picker(qtbot: QtBot, window: MainWindow) -> None:
    press(qtbot, window, "Ctrl+Shift+F")
    assert window.sidebar.filter.hasFocus()
    press(qtbot, window, "Ctrl+L")
    assert window.chat.composer.editor.hasFocus()
    press(qtbot, window, "Ctrl+J")
    assert window.header.popup.isVisible()
    window.header.popup.hide()


@pytest.mark.parametrize("page", [Page.SETTINGS, Page.MODELS, Page.DISCOVER])
def test_the_key_that_finds_searches_the_page_in_front(qtbot: QtBot, window: MainWindow, page: Page) -> None:
    window.show_page(page)
    settled()
    window.sidebar.filter.setFocus()
    press(qtbot, window, "Ctrl+F")
    assert window.page is page
    field = window.focusWidget()
    assert isinstance(field, SearchField)
    assert field is not window.sidebar.filter


def test_the_sidebar_is_toggled_and_shown_by_a_search(qtbot: QtBot, window: MainWindow) -> None:
    press(qtbot, window, "Ctrl+B")
    assert not window.sidebar.isVisible()
    assert window.header.sidebar_button.isVisible()
    press(qtbot, window, "Ctrl+Shift+F")
    assert window.sidebar.isVisible()
    assert not window.header.sidebar_button.isVisible()


def test_a_shortcut_searches_the_open_chat(qtbot: QtBot, client: AppClient, show_window: ShowWindow) -> None:
    (bread,) = add_chats(client, "Bread")
    window = show_window(state=WindowState(last_conversation=bread))
    press(qtbot, window, "Ctrl+F")
    bar = window.findChild(FindBar)
    assert bar is not None
    QTest.keyClicks(bar.field, "bread")
    qtbot.waitUntil(lambda: bar.count.text().endswith(" of 2"))
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not bar.isVisible()


def test_no_two_commands_share_a_key() -> None:
    keys = [key for spec in COMMANDS for key in spec.keys]
    assert len(keys) == len(set(keys))


def test_every_command_has_an_action_in_a_menu(window: MainWindow) -> None:
    assert {spec.command for spec in COMMANDS} == {*Command, *PAGES}
    assert set(window.commands.actions) == {*Command, *PAGES}
    listed = [
        command for groups in (PRIMARY_GROUPS, *MENUS.values()) for group in groups for command in group
    ]
    assert sorted(listed) == sorted([*Command, *PAGES])


def test_no_menu_has_more_than_a_dozen_lines_or_menus_below_its_menus(window: MainWindow) -> None:
    compact, bar = QMenu(), QMenu()
    window.commands.add_compact_menu(compact)
    window.commands.add_menus(bar.addMenu)
    inner = [below for menu in (compact, bar) for line in menu.actions() if (below := line.menu())]
    assert len(inner) == len(COMPACT_MENUS) + len(MENUS)
    for each in (compact, *inner):
        assert isinstance(each, QMenu)
        assert len([line for line in each.actions() if not line.isSeparator()]) <= 12
        assert any(line.isSeparator() for line in each.actions())
        assert each is compact or not any(line.menu() for line in each.actions())


def test_the_shortcut_sheet_lists_every_key(window: MainWindow) -> None:
    run(window, Command.SHORTCUTS)
    sheet = window.findChild(ShortcutsSheet)
    assert sheet is not None
    told = {words for words, _keys in sheet.lines}
    assert {spec.label for spec in COMMANDS if spec.keys} <= told
    sheet.close()


def test_about_shows_version_and_licences(window: MainWindow) -> None:
    run(window, Command.ABOUT)
    sheet = window.findChild(AboutSheet)
    assert sheet is not None
    about = read_about(RESOURCES, version="0.1.0")
    assert about.version == "0.1.0"
    for name in ("llama.cpp", "SIL OPEN FONT LICENSE", "Lucide", "Apache License 2.0"):
        assert name in about.licences
    assert not sheet.changes.toPlainText().startswith("Changelog")  # but with the latest version
    sheet.close()


def test_the_text_grows_by_a_key_up_to_its_bound_and_returns(
    qtbot: QtBot, client: AppClient, window: MainWindow, theme: Theme
) -> None:
    for _ in range(3):  # pressed faster than the window is laid out
        run(window, Command.LARGER_TEXT)
    qtbot.waitUntil(lambda: client.layers[AppLayer()].get("appearance.text_size") == 17)
    assert theme.scaled(14) == 17
    for _ in range(40):
        run(window, Command.LARGER_TEXT)
    qtbot.waitUntil(lambda: client.layers[AppLayer()].get("appearance.text_size") == 32)
    settled()
    assert theme.scaled(14) == 32
    assert window.banners.texts == ()
    run(window, Command.USUAL_TEXT)
    settled()
    assert theme.scaled(14) == 14


def test_the_message_field_has_the_chosen_text_size_from_the_start(
    client: AppClient, show_window: Callable[[], MainWindow]
) -> None:
    client.layers[AppLayer()] = {"appearance.text_size": 28}
    editor = show_window().chat.composer.editor
    assert editor.font().pixelSize() == 2 * MESSAGE_PX
    assert editor.viewport().font().pixelSize() == 2 * MESSAGE_PX


def test_icons_grow_with_the_text_and_never_shrink(
    client: AppClient, window: MainWindow, theme: Theme
) -> None:
    window.conversations.open(client.add_conversation("Tides", turns=("Why?", "The moon.")))
    window.router.toggle_chat_settings()

    def sizes() -> dict[QAbstractButton, int]:
        return {
            button: button.icon().actualSize(button.iconSize()).width()
            for button in window.findChildren(QAbstractButton)
            if button.isVisible() and not button.icon().isNull()
        }

    usual: dict[QAbstractButton, int] = {}
    for text_px, share in ((14, 1), (10, 1), (28, 2), (14, 1)):
        theme.set_text_size(text_px)  # once for all pages: each change styles the whole window
        for page in Page:
            window.show_page(page)
            settled()
            now = sizes()
            known = now.keys() & usual.keys()
            assert {button: now[button] for button in known} == {b: share * usual[b] for b in known}, page
            if text_px == 14:
                usual |= now
            assert known or text_px == 14, page


def test_the_theme_changes_while_the_window_is_open(
    client: AppClient, window: MainWindow, theme: Theme
) -> None:
    window.show_page(Page.SETTINGS)
    settled()
    window.pages.settings.list.row("appearance.theme").editor.edited.emit("dark")
    settled()
    assert theme.scheme is Scheme.DARK
    assert window.grab().toImage().pixelColor(700, 300).lightness() < 60


def test_the_settings_open_with_what_holds_everywhere(window: MainWindow) -> None:
    window.router.show_model_settings(STARTER_ID)
    settled()
    assert window.pages.settings.segments.selected_key == Scope.MODEL
    window.show_page(Page.CHAT)
    window.show_page(Page.SETTINGS)
    settled()
    assert window.pages.settings.segments.selected_key == Scope.EVERYWHERE


def test_reload_now_loads_the_model_with_the_chats_settings(
    client: AppClient, show_window: ShowWindow
) -> None:
    (bread,) = add_chats(client, "Bread")
    client.states[STARTER_ID] = loaded_state(starter_spec())
    window = show_window(state=WindowState(last_conversation=bread))
    window.show_page(Page.SETTINGS)
    settled()
    window.router.load_model(STARTER_ID)
    settled()
    assert client.called("models.load") == [(STARTER_ID, bread)]


@pytest.mark.parametrize(
    ("step", "page"),
    [
        (NextStep.OPEN_MODEL_SETTINGS, Page.SETTINGS),
        (NextStep.OPEN_SETTINGS, Page.SETTINGS),
        (NextStep.NEW_CHAT, Page.CHAT),
        (NextStep.RETRY, Page.CHAT),
    ],
)
def test_each_next_step_leads_somewhere(window: MainWindow, step: NextStep, page: Page) -> None:
    window.chat.step_requested.emit(step)
    assert window.page is page


# Notices


def button_of(window: MainWindow, words: str) -> Button:
    return next(b for b in window.banners.findChildren(Button) if b.accessibleName() == words)


def test_a_temporary_session_is_reported_and_another_folder_offered(
    client: AppClient, show_window: ShowWindow, tmp_path: Path
) -> None:
    client.set_problem(StorageUnwritable(path="/data", reason="it is read-only.").info())
    window = show_window()
    (text,) = window.banners.texts
    assert "/data" in text
    assert "chats are not saved" in text
    assert button_of(window, "Choose folder…").isVisible()
    dialog = window.notices.choose_data_folder()
    dialog.fileSelected.emit(str(tmp_path))
    dialog.close()
    settled()
    assert client.called("settings.change") == [(AppLayer(), "folders.data", str(tmp_path))]
    (text,) = window.banners.texts
    assert str(tmp_path) in text


def test_chats_that_can_only_be_read_are_shown_with_another_folder_offered(
    client: AppClient, show_window: ShowWindow
) -> None:
    client.set_problem(
        StorageError.of("storage_write_protected", path="/data", reason="it is read-only.").info()
    )
    window = show_window()
    (text,) = window.banners.texts
    assert "read and export" in text
    assert button_of(window, "Choose folder…").isVisible()


def test_a_full_disk_is_reported_until_saving_works_again(client: AppClient, window: MainWindow) -> None:
    client.publish(StorageFailed(error=StorageFull(path="/x").info()))
    client.publish(StorageFailed(error=StorageFull(path="/x").info()))
    assert window.banners.texts == (StorageFull(path="/x").sentence(),)
    client.publish(StorageRecovered())
    assert list(window.banners.texts) == []
    assert window.toast.text == "Saving works again"


def test_a_problem_with_the_settings_leads_to_them(client: AppClient, show_window: ShowWindow) -> None:
    client.set_problem(SettingsUnwritable(path="/x", reason="it is read-only.").info())
    window = show_window()
    button_of(window, "Open settings").click()
    assert window.page is Page.SETTINGS


def test_a_notice_can_be_closed(client: AppClient, window: MainWindow) -> None:
    client.publish(StorageFailed(error=StorageFull(path="/x").info()))
    next(b for b in window.banners.findChildren(type(window.header.more)) if b.isVisible()).click()
    assert window.banners.texts == ()
    assert not window.banners.isVisible()


def test_a_hostile_error_is_shown_as_text(client: AppClient, window: MainWindow) -> None:
    client.set_state(
        STARTER_ID, Broken(error=LoadError.of("load_failed", model="<img src=x>", reason="<b>no</b>").info())
    )
    assert window.header.facts.text().startswith("Loading <img src=x>")
    assert "<img" not in window.header.facts.toolTip()


# End


def test_closing_hands_over_what_to_remember(
    client: AppClient, show_window: ShowWindow, log: WindowLog
) -> None:
    (bread,) = add_chats(client, "Bread")
    window = show_window(state=WindowState(last_conversation=bread))
    window.close()
    (state,) = log.closed
    assert state.last_conversation == bread
    assert state.geometry
    assert state.sidebar_width == window.sidebar.width()


def test_closing_keeps_the_draft(client: AppClient, window: MainWindow) -> None:
    window.chat.composer.editor.insertPlainText("not sent yet")
    window.close()
    settled()
    assert client.new_texts() == ["not sent yet"]


def test_the_next_window_is_as_large_and_its_sidebar_as_hidden_as_the_last(
    qtbot: QtBot, show_window: ShowWindow, log: WindowLog
) -> None:
    first = show_window()
    first.resize(900, 640)
    first.navigation.toggle_sidebar()
    first.close()
    kept = log.closed[0]
    assert kept.sidebar_width == 0
    second = show_window(state=kept)
    assert not second.sidebar.isVisible()
    assert second.header.sidebar_button.isVisible()


def test_events_of_unknown_conversations_only_add_them(client: AppClient, window: MainWindow) -> None:
    made = client.add_conversation("From elsewhere")
    client.publish(ConversationChanged(summary=client.summaries[made]))
    assert window.sidebar.model.displayed_ids == (made,)
    assert window.chat.conversation_id is None


def test_the_smallest_window_holds_every_page(window: MainWindow) -> None:
    for page in Page:
        window.resize(1180, 800)
        window.show_page(page)
        settled()
        window.resize(640, 480)
        window.navigation.show_sidebar()
        assert window.width() == 640, page
        assert window.right.width() <= 640 - window.sidebar.width(), page


def test_a_switch_of_the_theme_reaches_every_surface(window: MainWindow, theme: Theme) -> None:
    for choice in (ThemeChoice.DARK, ThemeChoice.LIGHT, ThemeChoice.DARK, ThemeChoice.LIGHT):
        theme.set_choice(choice)
        for widget, token in ((window.sidebar.new_chat, "selected"), (window.header.pill, "card2")):
            picture = widget.grab().toImage()
            # Within the edge, above the words.
            assert picture.pixelColor(picture.width() // 2, 3) == theme.colour(token), (choice, token)


def test_there_is_a_way_to_do_each_command(window: MainWindow) -> None:
    assert window.command_controller._handlers.keys() == {*Command, *PAGES}


def test_a_runtime_that_was_given_up_is_told_wherever_one_is(client: AppClient, window: MainWindow) -> None:
    client.publish(RuntimesChanged(note="“vulkan” is not used any more."))
    assert window.toast.text == "“vulkan” is not used any more."
    assert "hardware" not in vars(window.pages)


def test_each_page_is_made_when_it_is_wanted_and_is_kept(window: MainWindow) -> None:
    made = {name for name, page in vars(window.pages).items() if isinstance(page, QWidget)}
    assert made == set()
    for page in PAGES:
        window.show_page(page)
        settled()
        shown = window.navigation.stack.currentWidget()
        assert shown in vars(window.pages).values()


def test_each_message_action_is_done_by_a_feature(window: MainWindow) -> None:
    done = window.chat.transcript.message_actions._handlers.keys()
    assert set(MessageAction) - done <= {MessageAction.READ_ALOUD}  # which needs a voice
