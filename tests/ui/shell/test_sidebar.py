"""The list of chats by mouse and keyboard."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient
from fakes.window import router_calls, window_context
from fireside.core.ids import ConversationId
from fireside.ui.page import Page
from fireside.ui.sidebar import Sidebar
from fireside.ui.sidebar.groups import GroupHeading
from fireside.ui.sidebar.model import ROW_ROLE, ConversationModel
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import Theme, ThemeChoice
from fireside.ui.window_context import WindowContext

NOON = datetime(2026, 11, 21, 12, 0).astimezone()


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def context(qtbot: QtBot, client: AppClient, tasks: TaskRunner) -> WindowContext:
    window = QWidget()
    qtbot.addWidget(window)
    return window_context(client, tasks=tasks, window=window)


@pytest.fixture
def sidebar(qtbot: QtBot, context: WindowContext, clock: Clock) -> Sidebar:
    sidebar = Sidebar(context, now=clock)
    qtbot.addWidget(sidebar)
    sidebar.resize(272, 700)
    sidebar.show()
    qtbot.waitExposed(sidebar)
    return sidebar


def fill(sidebar: Sidebar, *titles: str, hours: float = 1) -> AppClient:
    """Fill the sidebar with chats, the newest first."""
    client = sidebar._context.client
    assert isinstance(client, AppClient)
    for index, title in enumerate(titles):
        client.add_conversation(title, updated_at=NOON.timestamp() - 3600 * hours * (index + 1))
    sidebar.set_conversations(tuple(client.summaries.values()))
    return client


def row_texts(model: ConversationModel) -> list[str]:
    return [str(model.index(row).data()) for row in range(model.rowCount())]


def select(sidebar: Sidebar, number: int) -> None:
    sidebar.list.show_current(ConversationId(number))
    sidebar.list.setFocus()


def test_chats_are_listed_under_their_headings(sidebar: Sidebar) -> None:
    fill(sidebar, "One", "Two", hours=10)
    assert row_texts(sidebar.model) == ["Today", "One", "Yesterday", "Two"]


def test_headings_move_on_after_midnight(sidebar: Sidebar, clock: Clock) -> None:
    fill(sidebar, "One")
    assert row_texts(sidebar.model) == ["Today", "One"]
    clock.now += timedelta(hours=13)
    sidebar._midnight_timer.timeout.emit()
    assert row_texts(sidebar.model) == ["Yesterday", "One"]


def test_a_timer_waits_for_midnight_and_is_set_again(sidebar: Sidebar, clock: Clock) -> None:
    remaining_ms = sidebar._midnight_timer.interval()
    assert 11 * 3600_000 < remaining_ms <= 13 * 3600_000
    clock.now += timedelta(hours=12, seconds=1)
    sidebar.regroup()
    assert sidebar._midnight_timer.isActive()
    assert sidebar._midnight_timer.interval() > 20 * 3600_000


def test_a_hostile_title_is_shown_as_it_is(sidebar: Sidebar) -> None:
    fill(sidebar, "<img src=x onerror=alert(1)>&amp;\n\u202eevil")
    assert row_texts(sidebar.model)[1] == "<img src=x onerror=alert(1)>&amp; evil"
    tooltip = sidebar.model.index(1).data(Qt.ItemDataRole.ToolTipRole)
    assert "<img" not in tooltip
    assert "&lt;img" in tooltip


def test_arrow_keys_skip_headings_and_enter_opens(sidebar: Sidebar, context: WindowContext) -> None:
    fill(sidebar, "One", "Two", "Three", hours=20)
    select(sidebar, 1)
    QTest.keyClick(sidebar.list, Qt.Key.Key_Down)
    assert sidebar.model.id_at(sidebar.list.currentIndex()) == 2
    QTest.keyClick(sidebar.list, Qt.Key.Key_Return)
    assert router_calls(context) == [("open_chat", 2)]


def test_focus_from_the_keyboard_lands_on_a_chat_and_not_on_a_heading(sidebar: Sidebar) -> None:
    fill(sidebar, "One")
    QTest.keyClick(sidebar.filter, Qt.Key.Key_Down)
    assert sidebar.model.id_at(sidebar.list.currentIndex()) == 1


def test_a_click_opens_and_a_click_on_a_heading_does_not(sidebar: Sidebar, context: WindowContext) -> None:
    fill(sidebar, "One")
    for row in (0, 1):
        at = sidebar.list.visualRect(sidebar.model.index(row)).center()
        QTest.mouseClick(sidebar.list.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert router_calls(context) == [("open_chat", 1)]


def test_f2_renames_in_place(qtbot: QtBot, sidebar: Sidebar, client: AppClient) -> None:
    fill(sidebar, "One")
    select(sidebar, 1)
    QTest.keyClick(sidebar.list, Qt.Key.Key_F2)
    editor = sidebar.list.findChild(QLineEdit)
    assert editor is not None
    assert (editor.text(), editor.accessibleName()) == ("One", "Chat name")
    QTest.keyClicks(editor, "Better <b>name</b>")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: client.summaries[ConversationId(1)].title == "Better <b>name</b>")
    assert row_texts(sidebar.model) == ["Today", "One"], "the row waits for the store"


@pytest.mark.parametrize("typed", ["", "   ", "One"])
def test_an_empty_or_unchanged_name_is_not_requested(sidebar: Sidebar, tasks: TaskRunner, typed: str) -> None:
    fill(sidebar, "One")
    sidebar.model.setData(sidebar.model.index(1), typed)
    assert tasks.n_running == 0


def test_delete_deletes_the_current_chat(qtbot: QtBot, sidebar: Sidebar, client: AppClient) -> None:
    fill(sidebar, "One", "Two")
    select(sidebar, 2)
    QTest.keyClick(sidebar.list, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: ConversationId(2) not in client.summaries)


def test_escape_goes_from_the_list_to_the_search(sidebar: Sidebar) -> None:
    fill(sidebar, "One")
    select(sidebar, 1)
    QTest.keyClick(sidebar.list, Qt.Key.Key_Escape)
    assert sidebar.filter.hasFocus()


def test_search_results_replace_the_list_until_escape(sidebar: Sidebar) -> None:
    fill(sidebar, "Bread", "Rope")
    QTest.keyClicks(sidebar.filter, "rop")
    assert sidebar.search.isVisible()
    QTest.keyClick(sidebar.filter, Qt.Key.Key_Escape)
    assert sidebar.list.isVisible()
    assert row_texts(sidebar.model) == ["Today", "Bread", "Rope"]


def test_an_empty_list_says_so(sidebar: Sidebar) -> None:
    assert sidebar._empty_label.text() == ""  # the chats were not read yet
    sidebar.set_conversations(())
    assert sidebar._empty_label.isVisible()
    assert sidebar._empty_label.text() == "No chats yet"


def test_the_current_chat_stays_current_when_others_move(sidebar: Sidebar) -> None:
    client = fill(sidebar, "One", "Two", "Three")
    select(sidebar, 2)
    newer = client.add_conversation("Four", updated_at=NOON.timestamp())
    sidebar.model.update(client.summaries[newer])
    assert sidebar.model.id_at(sidebar.list.currentIndex()) == 2
    sidebar.model.remove(ConversationId(1))
    assert sidebar.model.id_at(sidebar.list.currentIndex()) == 2


def test_the_current_chat_stays_current_when_it_moves_to_the_top(sidebar: Sidebar) -> None:
    client = fill(sidebar, "One", "Two", "Three")
    select(sidebar, 3)
    touched = msgspec.structs.replace(client.summaries[ConversationId(3)], updated_at=NOON.timestamp())
    sidebar.model.update(touched)
    assert sidebar.model.displayed_ids[0] == 3
    assert sidebar.model.id_at(sidebar.list.currentIndex()) == 3


@pytest.mark.parametrize("pinned", [False, True])
def test_the_menu_pins_or_unpins(qtbot: QtBot, sidebar: Sidebar, client: AppClient, pinned: bool) -> None:
    number = client.add_conversation("One", updated_at=NOON.timestamp(), pinned=pinned)
    sidebar.set_conversations(tuple(client.summaries.values()))
    menu = sidebar.list.show_menu(number, at=sidebar.list.rect().center())
    word = "Unpin" if pinned else "Pin"
    action = next(action for action in menu.actions() if action.text() == word)
    action.trigger()
    qtbot.waitUntil(lambda: client.summaries[number].pinned is not pinned)
    menu.close()


def test_the_more_button_of_a_row_opens_its_menu(sidebar: Sidebar) -> None:
    fill(sidebar, "One")
    row = sidebar.list.visualRect(sidebar.model.index_of(ConversationId(1)))
    at = QPoint(sidebar.list.width() - 22, row.center().y())
    QTest.mouseClick(sidebar.list.viewport(), Qt.MouseButton.LeftButton, pos=at)
    menus = [menu for menu in sidebar.list.findChildren(QMenu) if menu.isVisible()]
    assert [menu.actions()[0].text() for menu in menus] == ["Open"]
    assert sidebar.model.active is None
    menus[0].close()


def test_tooltips_follow_changed_shortcuts(sidebar: Sidebar, context: WindowContext) -> None:
    button = sidebar.page_button(Page.SETTINGS)
    assert ">Ctrl+,<" in button.toolTip()
    context.commands.set_shortcuts(Page.SETTINGS, ["Ctrl+Alt+S"])
    assert ">Ctrl+Alt+S<" in button.toolTip()
    assert button.accessibleName() == "Settings"


def test_one_row_is_marked_wherever_the_window_is(sidebar: Sidebar) -> None:
    fill(sidebar, "One")
    rows = {sidebar.page_button(page) for page in Page if page is not Page.CHAT} | {sidebar.new_chat}

    def marked() -> list[str]:
        names = [row.accessibleName() for row in rows if row.isChecked()]
        return [*names, *(["One"] if sidebar.model.active is not None else [])]

    assert marked() == ["New chat"]
    for active in (None, ConversationId(1)):
        sidebar.set_active(active)
        for page in Page:
            sidebar.set_page(page)
            assert len(marked()) == 1, page
            assert sidebar.list.currentIndex().isValid() is (page is Page.CHAT and active is not None)
    sidebar.set_page(Page.DISCOVER)
    assert marked() == ["Models"]
    sidebar.set_page(Page.CHAT)
    assert marked() == ["One"]
    sidebar.new_chat.click()
    assert marked() == ["One"], "where the window is decides, not the click"


def test_downloads_have_a_row_while_their_page_is_open(sidebar: Sidebar) -> None:
    assert not sidebar.downloads.isVisible()
    sidebar.set_page(Page.DOWNLOADS)
    assert sidebar.downloads.isVisible()
    sidebar.set_page(Page.CHAT)
    assert not sidebar.downloads.isVisible()


def test_in_a_low_window_the_pages_share_one_row(sidebar: Sidebar) -> None:
    rows = [sidebar.page_button(page) for page in (Page.MODELS, Page.DOCUMENTS, Page.TOOLS)]
    assert len({row.y() for row in rows}) == 3
    sidebar.resize(272, 400)
    QApplication.processEvents()
    assert len({row.y() for row in rows}) == 1
    assert [row.text() for row in rows] == ["", "", ""]
    assert [row.accessibleName() for row in rows] == ["Models", "Documents", "Tools"]
    assert "Models   Ctrl+M" in rows[0].toolTip()
    sidebar.resize(272, 700)
    assert [row.text().strip() for row in rows] == ["Models", "Documents", "Tools"]


def test_a_right_click_beside_the_chats_opens_the_menu_of_the_list(sidebar: Sidebar) -> None:
    fill(sidebar, "One", "Two")
    at = QPoint(40, sidebar.list.height() - 10)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, sidebar.list.mapToGlobal(at))
    QApplication.sendEvent(sidebar.list.viewport(), event)
    (menu,) = [menu for menu in sidebar.findChildren(QMenu) if menu.isVisible()]
    texts = [action.text() for action in menu.actions() if not action.isSeparator()]
    assert texts == [
        *("New chat", "Temporary chat", "New folder", "Select all chats"),
        *("Import chats…", "Export all chats…", "Backups…"),
        *("Sort by", "Last used", "Created", "Name"),
    ]
    menu.actions()[texts.index("Select all chats") + 1].trigger()
    QApplication.processEvents()
    assert sidebar.list.selected_ids == (ConversationId(1), ConversationId(2))
    menu.close()


def test_the_menu_key_opens_the_menu_of_the_current_chat(qtbot: QtBot, sidebar: Sidebar) -> None:
    fill(sidebar, "One")
    select(sidebar, 1)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(0, 0), QPoint(0, 0))
    QApplication.sendEvent(sidebar.list, event)
    qtbot.waitUntil(lambda: any(menu.isVisible() for menu in sidebar.list.findChildren(QMenu)))
    for menu in sidebar.list.findChildren(QMenu):
        menu.close()


def test_with_ten_thousand_chats_one_change_moves_one_row(sidebar: Sidebar) -> None:
    client = AppClient()
    for number in range(10_000):
        client.add_conversation(f"Chat {number}", updated_at=NOON.timestamp() - number * 600)
    sidebar.set_conversations(tuple(client.summaries.values()))
    assert len(sidebar.model.displayed_ids) == 10_000
    moved: list[int] = []
    sidebar.model.rowsInserted.connect(lambda _parent, first, last: moved.append(last - first + 1))
    added = client.add_conversation("New", updated_at=NOON.timestamp() + 1)
    sidebar.model.update(client.summaries[added])
    assert moved == [1]


def test_the_accessible_text_says_that_a_chat_is_pinned(sidebar: Sidebar) -> None:
    client = AppClient()
    client.add_conversation("One", updated_at=NOON.timestamp(), pinned=True)
    sidebar.set_conversations(tuple(client.summaries.values()))
    assert sidebar.model.index(1).data(Qt.ItemDataRole.AccessibleTextRole) == "One, pinned"


def test_headings_cannot_be_selected(sidebar: Sidebar) -> None:
    fill(sidebar, "One")
    heading = sidebar.model.index(0)
    assert isinstance(heading.data(ROW_ROLE), GroupHeading)
    assert sidebar.model.flags(heading) == Qt.ItemFlag.NoItemFlags


def test_the_list_has_the_colours_of_the_current_scheme(sidebar: Sidebar, theme: Theme) -> None:
    fill(sidebar, "One")
    theme.set_choice(ThemeChoice.LIGHT)
    light = lightness(sidebar)
    theme.set_choice(ThemeChoice.DARK)
    assert lightness(sidebar) < light


def lightness(sidebar: Sidebar) -> int:
    """Return the lightness of the middle of the sidebar."""
    image = sidebar.grab().toImage()
    return image.pixelColor(image.width() // 2, image.height() // 2).lightness()
