"""Folders, archive, colours, several chats at once, by mouse and keyboard."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.local_app import done
from fireside.core.chat import Colour
from fireside.core.errors import StorageFull
from fireside.core.events import ConversationChanged
from fireside.core.ids import ConversationId, FolderId
from fireside.settings.window_state import WindowState
from fireside.ui.commands import Command
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.sidebar.groups import (
    ArchiveRow,
    ConversationRow,
    EmptyFolderRow,
    FolderRow,
    GroupHeading,
    Sort,
)

ShowWindow = Callable[..., MainWindow]
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
LEFT = Qt.MouseButton.LeftButton


def add(client: AppClient, *titles: str) -> list[ConversationId]:
    """Store chats, the most recently used first."""
    return [client.add_conversation(title, updated_at=1e9 - index) for index, title in enumerate(titles)]


def put_in(client: AppClient, conversation_id: ConversationId, folder_id: FolderId) -> None:
    done(client.store.conversations.move_to_folder([conversation_id], folder_id=folder_id))


def row_texts(window: MainWindow) -> list[str]:
    """Return the labels of the rows, without the headings of dates."""
    lines = []
    for row in window.sidebar.model.rows:
        match row:
            case FolderRow(folder=folder, n_chats=n):
                lines.append(f"[{folder.name} {n}]")
            case ArchiveRow(n_chats=n):
                lines.append(f"[Archive {n}]")
            case ConversationRow(summary=summary, is_inside=is_inside):
                lines.append(f"{'- ' * is_inside}{summary.title}")
            case GroupHeading():
                pass
    return lines


def at(window: MainWindow, label: str, *, fraction: float = 0.5) -> QPoint:
    """Return a point on the row with this label, at a ``fraction`` of its height."""
    model, view = window.sidebar.model, window.sidebar.list
    for number in range(model.rowCount()):
        if model.index(number).data() == label:
            rect = view.visualRect(model.index(number))
            return QPoint(40, rect.top() + round(rect.height() * fraction))
    raise LookupError(label)


def click(qtbot: QtBot, window: MainWindow, label: str, *, keys: Qt.KeyboardModifier | None = None) -> None:
    QTest.mouseClick(
        window.sidebar.list.viewport(),
        LEFT,
        keys or Qt.KeyboardModifier.NoModifier,
        at(window, label),
    )


def drag_to(qtbot: QtBot, window: MainWindow, label: str, to: QPoint) -> None:
    """Drag a row to a point without releasing it."""
    viewport, start = window.sidebar.list.viewport(), at(window, label)
    QTest.mousePress(viewport, LEFT, pos=start)
    for step in (start + QPoint(0, 20), to):
        move = QMouseEvent(
            QMouseEvent.Type.MouseMove,
            QPointF(step),
            QPointF(viewport.mapToGlobal(step)),
            Qt.MouseButton.NoButton,
            LEFT,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(viewport, move)


def drag(qtbot: QtBot, window: MainWindow, label: str, to: QPoint) -> None:
    """Drag a row to a point and release it."""
    drag_to(qtbot, window, label, to)
    QTest.mouseRelease(window.sidebar.list.viewport(), LEFT, pos=to)


def choose(menu: QMenu, *labels: str) -> None:
    """Trigger an entry of a menu or, with several labels, of its submenus."""
    actions = menu.actions()
    action: QAction | None = None
    for label in labels:
        action = next(action for action in actions if action.text().split("  ")[0] == label)
        submenu = action.menu()
        actions = submenu.actions() if isinstance(submenu, QMenu) else []
    assert action is not None
    action.trigger()
    menu.close()


def menu_of(window: MainWindow, conversation_id: ConversationId) -> QMenu:
    return window.sidebar.list.show_menu(conversation_id, at=QPoint(5, 5))


# Folders


def test_a_new_folder_is_created_and_its_name_edited(
    qtbot: QtBot, client: AppClient, window: MainWindow
) -> None:
    menu = window.sidebar.open_list_menu()
    choose(menu, "New folder")
    qtbot.waitUntil(lambda: window.sidebar.list.findChild(QLineEdit) is not None)
    editor = window.sidebar.list.findChild(QLineEdit)
    assert editor is not None
    assert editor.accessibleName() == "Folder name"
    QTest.keyClicks(editor, "Work & play")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: row_texts(window) == ["[Work & play 0]"])
    assert client.folders_kept[0].name == "Work & play"


def test_a_click_closes_a_folder_and_opens_it(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow
) -> None:
    (bread,) = add(client, "Bread")
    put_in(client, bread, client.add_folder("Work"))
    window = show_window()
    assert row_texts(window) == ["[Work 1]", "- Bread"]
    click(qtbot, window, "Work")
    settled()
    assert row_texts(window) == ["[Work 1]"]
    click(qtbot, window, "Work")
    settled()
    assert row_texts(window) == ["[Work 1]", "- Bread"]
    assert window.chat.conversation_id is None, "a folder is no chat"


def test_arrow_keys_open_and_close_a_folder_and_lead_out_of_it(
    client: AppClient, show_window: ShowWindow
) -> None:
    (bread,) = add(client, "Bread")
    work = client.add_folder("Work")
    put_in(client, bread, work)
    window = show_window()
    view = window.sidebar.list
    view.show_current(bread)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Left)
    assert view.currentIndex() == window.sidebar.model.folder_index(work)
    QTest.keyClick(view, Qt.Key.Key_Left)
    settled()
    assert client.called("folders.open_folder") == [(work, False)]
    QTest.keyClick(view, Qt.Key.Key_Right)
    settled()
    assert client.called("folders.open_folder") == [(work, False), (work, True)]
    assert view.currentIndex() == window.sidebar.model.folder_index(work)


def test_a_folder_is_moved_with_the_keyboard(client: AppClient, show_window: ShowWindow) -> None:
    for name in "abc":
        client.add_folder(name)
    window = show_window()
    view = window.sidebar.list
    view.setFocus()
    view.setCurrentIndex(window.sidebar.model.folder_index(FolderId(1)))
    for _ in range(2):
        QTest.keyClick(view, Qt.Key.Key_Down, CONTROL | SHIFT)
        settled()
    assert row_texts(window) == ["[b 0]", "[c 0]", "[a 0]"]
    QTest.keyClick(view, Qt.Key.Key_Down, CONTROL | SHIFT)
    settled()
    assert len(client.called("folders.move_folder")) == 2, "below the last there is no place"


def test_undo_restores_a_folder_with_its_chats(client: AppClient, show_window: ShowWindow) -> None:
    (bread,) = add(client, "Bread")
    work = client.add_folder("Work", colour=Colour.RED)
    client.add_folder("Home")
    put_in(client, bread, work)
    window = show_window()
    window.sidebar.list.setFocus()
    window.sidebar.list.setCurrentIndex(window.sidebar.model.folder_index(work))
    QTest.keyClick(window.sidebar.list, Qt.Key.Key_Delete)
    settled()
    assert row_texts(window) == ["[Home 0]", "Bread"]
    assert window.toast.text == "Folder “Work” deleted; its chat was kept"
    window.sidebar.folders.undo()
    settled()
    assert row_texts(window) == ["[Work 1]", "- Bread", "[Home 0]"]
    assert window.sidebar.model.folders[0].colour is Colour.RED


def test_a_folder_that_cannot_be_created_shows_the_error(client: AppClient, window: MainWindow) -> None:
    client.fail("folders.create_folder", StorageFull(path="chats.db"))
    window.sidebar.folders.create_folder()
    settled()
    assert window.banners.findChildren(QWidget)
    assert row_texts(window) == []


# Dragging


def test_a_chat_is_dragged_into_a_folder_and_out_again(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow
) -> None:
    add(client, "Bread", "Rope")
    client.add_folder("Work")
    window = show_window()
    drag(qtbot, window, "Bread", at(window, "Work"))
    settled()
    assert row_texts(window) == ["[Work 1]", "- Bread", "Rope"]
    assert window.toast.text == "“Bread” moved to “Work”"
    drag(qtbot, window, "Bread", at(window, "Rope"))
    settled()
    assert row_texts(window) == ["[Work 0]", "Bread", "Rope"]
    window.sidebar.folders.undo()
    settled()
    assert row_texts(window) == ["[Work 1]", "- Bread", "Rope"]


@pytest.mark.parametrize("given_up", [False, True])
def test_a_dragged_chat_is_not_selected(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow, given_up: bool
) -> None:
    bread, _, sea = add(client, "Bread", "Rope", "Sea")
    client.add_folder("Work")
    window = show_window(state=WindowState(last_conversation=bread))
    settled()
    drag_to(qtbot, window, "Rope", at(window, "Work"))
    if given_up:
        QTest.keyClick(window.sidebar.list, Qt.Key.Key_Escape)
    QTest.mouseRelease(window.sidebar.list.viewport(), LEFT, pos=at(window, "Work"))
    settled()
    click(qtbot, window, "Sea", keys=CONTROL)
    assert set(window.sidebar.list.selected_ids) == {bread, sea}


def test_the_drop_target_is_marked_until_escape(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow
) -> None:
    add(client, "Bread")
    work = client.add_folder("Work")
    window = show_window()
    view = window.sidebar.list
    drag_to(qtbot, window, "Bread", at(window, "Work"))
    assert view.is_dragging
    assert view.drop_mark == view.visualRect(window.sidebar.model.folder_index(work))
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert not view.is_dragging
    assert view.drop_mark is None
    QTest.mouseRelease(view.viewport(), LEFT, pos=at(window, "Work"))
    settled()
    assert client.asked("folders") == []
    assert window.chat.conversation_id is None


def test_a_chat_dropped_among_the_pinned_is_pinned_and_taken_out_of_its_folder(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow
) -> None:
    bread, rope, sea = add(client, "Bread", "Rope", "Sea")
    work = client.add_folder("Work")
    window = show_window()
    window.sidebar.folders.toggle_pin(bread)
    settled()
    drag(qtbot, window, "Rope", at(window, "Pinned"))
    settled()
    assert client.summaries[rope].pinned
    drag(qtbot, window, "Sea", at(window, "Work"))
    settled()
    assert client.summaries[sea].folder_id == work
    drag(qtbot, window, "Sea", at(window, "Bread"))
    settled()
    assert client.summaries[sea].pinned
    assert client.summaries[sea].folder_id is None


def test_selected_chats_are_dragged_together(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow
) -> None:
    add(client, "Bread", "Rope", "Sea")
    client.add_folder("Work")
    window = show_window()
    click(qtbot, window, "Bread")
    click(qtbot, window, "Sea", keys=CONTROL)
    drag(qtbot, window, "Sea", at(window, "Work"))
    settled()
    assert row_texts(window) == ["[Work 2]", "- Bread", "- Sea", "Rope"]


def test_an_unselected_chat_is_dragged_alone(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow
) -> None:
    add(client, "Bread", "Rope", "Sea")
    client.add_folder("Work")
    window = show_window()
    window.sidebar.list.select_ids([ConversationId(1), ConversationId(2)])
    drag(qtbot, window, "Sea", at(window, "Work"))
    settled()
    assert row_texts(window) == ["[Work 1]", "- Sea", "Bread", "Rope"]


def test_a_folder_is_dragged_between_others(qtbot: QtBot, client: AppClient, show_window: ShowWindow) -> None:
    for name in ("One", "Two", "Three"):
        client.add_folder(name)
    window = show_window()
    drag(qtbot, window, "Three", at(window, "One", fraction=0.2))
    settled()
    assert row_texts(window) == ["[Three 0]", "[One 0]", "[Two 0]"]
    drag(qtbot, window, "Three", at(window, "Two", fraction=0.8))
    settled()
    assert row_texts(window) == ["[One 0]", "[Two 0]", "[Three 0]"]
    drag(qtbot, window, "Two", at(window, "Two", fraction=0.8))
    settled()
    assert len(client.called("folders.move_folder")) == 2, "to its own place it need not go"


def test_a_drop_outside_of_the_list_changes_nothing(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow
) -> None:
    add(client, "Bread")
    client.add_folder("Work")
    window = show_window()
    drag(qtbot, window, "Bread", QPoint(2_000, 30))
    settled()
    assert client.asked("folders") == []


def test_a_click_on_a_selected_chat_opens_it_and_clears_the_selection(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow
) -> None:
    ids = add(client, "Bread", "Rope")
    window = show_window()
    window.sidebar.list.select_ids(ids)
    click(qtbot, window, "Rope")
    settled()
    assert window.sidebar.list.selected_ids == ()
    assert window.chat.conversation_id == ids[1]


# Archive


def test_a_chat_is_archived_and_unarchived(qtbot: QtBot, client: AppClient, show_window: ShowWindow) -> None:
    (bread, _rope) = add(client, "Bread", "Rope")
    window = show_window()
    choose(menu_of(window, bread), "Archive")
    qtbot.waitUntil(lambda: row_texts(window) == ["Rope", "[Archive 1]"])
    settled()
    assert window.toast.text == "“Bread” archived"
    click(qtbot, window, "Archive")
    assert row_texts(window) == ["Rope", "[Archive 1]", "- Bread"]
    click(qtbot, window, "Bread")
    settled()
    assert window.chat.conversation_id == bread, "it can be read where it is"
    choose(menu_of(window, bread), "Unarchive")
    qtbot.waitUntil(lambda: row_texts(window) == ["Bread", "Rope"])


def test_a_chat_is_dropped_on_the_archive_and_from_it_into_a_folder(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow
) -> None:
    bread, rope = add(client, "Bread", "Rope")
    done(client.store.conversations.set_archived([rope], archived=True))
    work = client.add_folder("Work")
    window = show_window()
    drag(qtbot, window, "Bread", at(window, "Archive"))
    settled()
    assert row_texts(window) == ["[Work 0]", "[Archive 2]"]
    click(qtbot, window, "Archive")
    drag(qtbot, window, "Bread", at(window, "Work"))
    settled()
    assert row_texts(window) == ["[Work 1]", "- Bread", "[Archive 1]", "- Rope"]
    assert (client.summaries[bread].folder_id, client.summaries[bread].archived) == (work, False)


def test_commands_archive_the_open_chat_and_create_a_folder(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow
) -> None:
    (bread,) = add(client, "Bread")
    window = show_window(state=WindowState(last_conversation=bread))
    archive = window.commands.actions[Command.ARCHIVE_CHAT]
    assert archive.text() == "Archive chat"
    archive.trigger()
    settled()
    assert row_texts(window) == ["[Archive 1]"]
    assert archive.text() == "Unarchive chat"
    archive.trigger()
    settled()
    assert row_texts(window) == ["Bread"]
    window.commands.actions[Command.NEW_FOLDER].trigger()
    qtbot.waitUntil(lambda: row_texts(window) == ["[New folder 0]", "Bread"])


def test_the_heading_of_the_chats_creates_a_folder(qtbot: QtBot, show_window: ShowWindow) -> None:
    window = show_window()
    for n in (1, 2):
        QTest.mouseClick(window.sidebar.new_folder_button, LEFT)

        def has_one_more(n: int = n) -> bool:
            return len(window.sidebar.model.folders) == n

        qtbot.waitUntil(has_one_more)


def test_an_empty_folder_says_what_belongs_in_it_and_takes_it(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow
) -> None:
    (bread,) = add(client, "Bread")
    work = client.add_folder("Work")
    window = show_window()
    drag(qtbot, window, "Bread", at(window, "Drag chats here"))
    settled()
    assert client.summaries[bread].folder_id == work
    assert not any(isinstance(row, EmptyFolderRow) for row in window.sidebar.model.rows)


# Colours


@pytest.mark.parametrize("colour", [None, *Colour])
def test_each_colour_can_be_chosen_by_name(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow, colour: Colour | None
) -> None:
    (bread,) = add(client, "Bread")
    before = Colour.RED if colour is not Colour.RED else None
    done(client.store.conversations.set_colour([bread], colour=before))
    window = show_window()
    choose(menu_of(window, bread), "Colour", "No colour" if colour is None else colour.value.capitalize())
    expected = "Bread" if colour is None else f"Bread, {colour.value}"
    index = window.sidebar.model.index_of(bread)
    qtbot.waitUntil(lambda: index.data(Qt.ItemDataRole.AccessibleTextRole) == expected)
    assert client.summaries[bread].colour is colour


# Several at once


def test_control_and_shift_select_several_and_escape_clears(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow
) -> None:
    ids = add(client, "Bread", "Rope", "Sea", "Tea")
    window = show_window()
    bar, view = window.sidebar.selection_bar, window.sidebar.list
    click(qtbot, window, "Bread")
    settled()
    assert not bar.isVisible(), "one chat is opened, not chosen"
    click(qtbot, window, "Tea", keys=SHIFT)
    assert view.selected_ids == tuple(ids)
    click(qtbot, window, "Rope", keys=CONTROL)
    assert view.selected_ids == (ids[0], ids[2], ids[3])
    assert bar.isVisible()
    assert bar.count.text() == "3 chats"
    assert window.chat.conversation_id == ids[0], "choosing opens nothing"
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert list(view.selected_ids) == []
    assert not bar.isVisible()


def test_the_keyboard_selects_several(client: AppClient, show_window: ShowWindow) -> None:
    ids = add(client, "Bread", "Rope", "Sea")
    window = show_window()
    view = window.sidebar.list
    view.show_current(ids[0])
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Down, SHIFT)
    assert view.selected_ids == (ids[0], ids[1])
    QTest.keyClick(view, Qt.Key.Key_A, CONTROL)
    assert view.selected_ids == tuple(ids)


def test_selected_chats_are_deleted_and_restored_together(client: AppClient, show_window: ShowWindow) -> None:
    ids = add(client, "Bread", "Rope", "Sea")
    window = show_window()
    window.sidebar.list.select_ids(ids[:2])
    window.sidebar.list.setFocus()
    QTest.keyClick(window.sidebar.list, Qt.Key.Key_Delete)
    settled()
    assert row_texts(window) == ["Sea"]
    assert client.called("folders.delete_conversations") == [((ids[0], ids[1]),)]
    assert window.toast.text == "2 chats deleted"
    assert not window.sidebar.selection_bar.isVisible()
    window.toast.hide_now()
    window.sidebar.folders.undo()
    settled()
    assert row_texts(window) == ["Bread", "Rope", "Sea"]


def test_the_selection_bar_moves_and_archives(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow
) -> None:
    ids = add(client, "Bread", "Rope", "Sea")
    client.add_folder("Work")
    window = show_window()
    bar = window.sidebar.selection_bar
    window.sidebar.list.select_ids(ids[:2])
    choose(bar.open_move_menu(), "Work")
    qtbot.waitUntil(lambda: row_texts(window) == ["[Work 2]", "- Bread", "- Rope", "Sea"])
    settled()
    assert window.sidebar.list.selected_ids == (ids[0], ids[1]), "they stay chosen where they are now"
    QTest.mouseClick(bar.archive_button, LEFT)
    settled()
    assert row_texts(window) == ["[Work 0]", "Sea", "[Archive 2]"]
    assert not bar.isVisible()


def test_the_selection_survives_changes_of_chats(client: AppClient, show_window: ShowWindow) -> None:
    ids = add(client, "Bread", "Rope", "Sea")
    window = show_window()
    window.sidebar.list.select_ids([ids[0], ids[2]])
    touched = msgspec.structs.replace(client.summaries[ids[2]], updated_at=2e9)
    client.publish(ConversationChanged(summary=touched))
    assert row_texts(window) == ["Sea", "Bread", "Rope"]
    assert set(window.sidebar.list.selected_ids) == {ids[0], ids[2]}


def test_a_hundred_changes_in_a_frame_regroup_once(client: AppClient, show_window: ShowWindow) -> None:
    ids = add(client, *(f"Chat {number}" for number in range(100)))
    work = client.add_folder("Work")
    window = show_window()
    n_times: list[int] = []
    window.sidebar.model.regrouped.connect(lambda: n_times.append(1))
    for id_ in ids:
        put_in(client, id_, work)
    client.publish(*(ConversationChanged(summary=client.summaries[id_]) for id_ in ids))
    assert len(n_times) == 1
    assert row_texts(window)[0] == "[Work 100]"


# Order


def test_the_sort_order_is_selected_and_remembered(
    qtbot: QtBot, client: AppClient, show_window: ShowWindow
) -> None:
    add(client, "b", "C", "a")
    window = show_window()
    menu = window.sidebar.open_list_menu()
    choose(menu, "Name")
    qtbot.waitUntil(lambda: row_texts(window) == ["a", "b", "C"])
    assert window.window_state().chat_order == "name"
    again = show_window(state=WindowState(chat_order="name"))
    assert row_texts(again) == ["a", "b", "C"]
    assert show_window(state=WindowState(chat_order="?")).sidebar.model.sort_order is Sort.USED
