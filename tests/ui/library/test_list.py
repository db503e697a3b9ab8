"""The table and the cards: what they show, and what keys, clicks and menus do."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMenu
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.fake_hub import FakeHub
from fakes.library_files import FILE, REPO, newer_qwen_repo
from fakes.library_models import (
    BROKEN_PATH,
    BROKEN_REASON,
    EMBED_PATH,
    GEMMA_PATH,
    QWEN_ID,
    QWEN_PATH,
    library_entry,
    one_of_each,
)
from fakes.model_entries import loaded_state, starter_spec
from fireside.core.hub import CheckProgressed
from fireside.core.ids import ModelId
from fireside.core.model import ModelEntry
from fireside.core.status import LoadingModel, ModelStatus
from fireside.settings.window_state import LibraryViewState
from fireside.ui.library.columns import Column
from fireside.ui.library.library_page import LibraryPage
from fireside.ui.library.list_page import ModelCards
from fireside.ui.library.model_delegate import Part
from fireside.ui.library.rows import size_text
from fireside.ui.library.table import ModelTable
from fireside.ui.library.toolbar import ListLayout
from fireside.ui.models_view import ModelsView
from fireside.ui.page import Page
from fireside.ui.theme import Theme

VIEWS = pytest.mark.parametrize("view", ListLayout)


def shown_paths(page: LibraryPage) -> list[str]:
    return [row.entry.path for row in page.list.model.rows]


def show(page: LibraryPage, view: ListLayout, *, path: str = QWEN_PATH) -> ModelTable | ModelCards:
    """Bring a view to the front with the keyboard focus on ``path``."""
    page.list.show_view(view)
    page.list.show_path(path)
    page.list.focus_list()
    return page.list.current_view


def index_of(page: LibraryPage, path: str) -> QModelIndex:
    return page.list.model.index_of(path)


def part(page: LibraryPage, path: str, which: Part) -> QPoint:
    view = page.list.current_view
    return view.input._delegate.parts(index_of(page, path))[which].center()


def menu_of(page: LibraryPage, path: str) -> dict[str, QAction]:
    menu = page.list.current_view.input.show_menu(index_of(page, path), at=QPoint(5, 5))
    assert menu is not None
    actions = {action.text(): action for action in menu.actions() if action.text()}
    menu.hide()
    return actions


def choose(qtbot: QtBot, page: LibraryPage, path: str, label: str) -> None:
    action = menu_of(page, path)[label]
    action.trigger()
    QApplication.processEvents()


# What is shown


def test_every_file_is_listed_with_the_unreadable_one_last(page: LibraryPage) -> None:
    assert shown_paths(page) == [GEMMA_PATH, EMBED_PATH, QWEN_PATH, BROKEN_PATH]


def test_a_cell_says_its_column(page: LibraryPage) -> None:
    model = page.list.model
    row = index_of(page, QWEN_PATH).row()
    cells = [model.index(row, int(column)).data() for column in Column]
    assert cells == [
        "Qwen3 8B",
        "Q4_K_M",
        "5.0 GB",
        "8.19B",
        "40k",
        "9 Sep 2001",
        "Verified",
        "Library and 1 more",
        "",
        "",
    ]


def test_a_screen_reader_hears_a_line_as_a_sentence(page: LibraryPage) -> None:
    accessible_text = index_of(page, BROKEN_PATH).data(Qt.ItemDataRole.AccessibleTextRole)
    assert accessible_text == f"half.gguf, unusable: {BROKEN_REASON}, 1.2 MB, in: Library"


def test_the_head_says_by_what_the_list_is_sorted(page: LibraryPage) -> None:
    accessible_text = page.list.model.headerData(
        int(Column.NAME), Qt.Orientation.Horizontal, Qt.ItemDataRole.AccessibleTextRole
    )
    assert accessible_text == "Name, sorted ascending"


@VIEWS
def test_a_line_follows_the_models_state(page: LibraryPage, models: ModelsView, view: ListLayout) -> None:
    list_view = show(page, view)
    before = list_view.grab().toImage()
    models.set_status(ModelStatus(model_id=QWEN_ID, state=LoadingModel(fraction=0.3)))
    assert "Loading 30%" in index_of(page, QWEN_PATH).data(Qt.ItemDataRole.AccessibleTextRole)
    assert list_view.grab().toImage() != before


@VIEWS
def test_the_reason_of_an_unreadable_file_is_painted(
    page: LibraryPage, client: AppClient, view: ListLayout
) -> None:
    list_view = show(page, view)
    before = list_view.grab().toImage()
    client.set_models(
        [
            msgspec.structs.replace(entry, problem="It is empty.") if entry.problem else entry
            for entry in client.entries
        ]
    )
    assert list_view.grab().toImage() != before


def test_a_check_shows_in_its_line(page: LibraryPage, client: AppClient) -> None:
    client.publish(CheckProgressed(path=QWEN_PATH, n_bytes=1, size_bytes=4))
    index = index_of(page, QWEN_PATH)
    assert index.siblingAtColumn(int(Column.CHECKED)).data() == "Verifying 25%"


def test_the_summary_counts_files_and_bytes(page: LibraryPage, qtbot: QtBot) -> None:
    assert page.list.summary.text() == "4 models, 8.1 GB"
    page.list.toolbar.filter.setText("qwen")
    qtbot.waitUntil(lambda: page.list.summary.text() == "1 of 4 models, 5.0 GB")


def test_what_is_on_a_drive_that_is_not_connected_is_not_counted(
    page: LibraryPage, client: AppClient, qtbot: QtBot
) -> None:
    folder = msgspec.structs.replace(
        library_entry("models", path="/media/models", size_bytes=0),
        spec=None,
        problem="Away.",
        is_disconnected=True,
    )
    client.set_models((*client.entries, folder))
    qtbot.waitUntil(lambda: page.list.model.rowCount() == 5)
    assert page.list.summary.text() == "4 models, 8.1 GB"
    assert size_text(page.list.model.rows[-1]) == ""


@VIEWS
def test_hostile_names_are_painted_without_harm(
    page: LibraryPage, client: AppClient, view: ListLayout
) -> None:
    names = ("<b>x</b>&amp;\u202e", "W" * 5000, "نموذج عربي", "\x00\n", "👩‍👩‍👧‍👦" * 30)
    client.set_models([library_entry(name, path=f"/m/{n}") for n, name in enumerate(names)])
    list_view = show(page, view, path="/m/0")
    list_view.grab()
    tip = index_of(page, "/m/0").data(Qt.ItemDataRole.ToolTipRole)
    assert "<b>" not in tip


@pytest.mark.parametrize("px", [13, 20])
@VIEWS
def test_nothing_is_wider_than_a_narrow_page(
    page: LibraryPage, theme: Theme, px: int, view: ListLayout
) -> None:
    theme.set_text_size(px)
    page.resize(424, 600)
    show(page, view).grab()
    assert page.width() <= 424 * max(1, px / 14)
    list_view = page.list.current_view
    assert list_view.horizontalScrollBar().maximum() == 0


def test_the_least_important_columns_go_first(page: LibraryPage) -> None:
    table = page.list.table
    wide = table.visible_columns()
    page.resize(700, 600)
    assert Column.WHERE in wide
    assert Column.WHERE not in table.visible_columns()
    assert {Column.NAME, Column.SIZE} <= set(table.visible_columns())


def test_cards_stand_beside_each_other_as_there_is_room(page: LibraryPage) -> None:
    cards = show(page, ListLayout.CARDS)
    assert isinstance(cards, ModelCards)
    first, second = (cards.visualRect(page.list.model.index(row, 0)) for row in (0, 1))
    assert first.top() == second.top()
    page.resize(424, 600)
    first, second = (cards.visualRect(page.list.model.index(row, 0)) for row in (0, 1))
    assert first.left() == second.left()


# Keys


@VIEWS
def test_enter_opens_the_model(page: LibraryPage, view: ListLayout) -> None:
    QTest.keyClick(show(page, view), Qt.Key.Key_Return)
    assert page.detail.isVisible()
    assert page.detail.path == QWEN_PATH


@VIEWS
def test_control_and_enter_uses_it_in_the_chat(
    page: LibraryPage, asked: list[tuple[object, ...]], view: ListLayout
) -> None:
    QTest.keyClick(show(page, view), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert asked == [("use_model", QWEN_ID)]


def test_a_model_that_cannot_chat_is_not_used_in_one(
    page: LibraryPage, asked: list[tuple[object, ...]]
) -> None:
    view = show(page, ListLayout.TABLE, path=EMBED_PATH)
    QTest.keyClick(view, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert asked == []


@VIEWS
def test_space_marks_and_unmarks_a_favourite(page: LibraryPage, client: AppClient, view: ListLayout) -> None:
    QTest.keyClick(show(page, view), Qt.Key.Key_Space)
    settled()
    QTest.keyClick(show(page, view), Qt.Key.Key_Space)
    settled()
    assert client.called("models.set_favourite") == [(QWEN_ID, False), (QWEN_ID, True)]


@VIEWS
def test_delete_asks_what_that_would_do(page: LibraryPage, client: AppClient, view: ListLayout) -> None:
    QTest.keyClick(show(page, view), Qt.Key.Key_Delete)
    settled()
    assert client.called("models.removal") == [(QWEN_PATH,)]
    assert client.called("models.remove") == []


def test_delete_leaves_files_of_other_applications_alone(page: LibraryPage, client: AppClient) -> None:
    QTest.keyClick(show(page, ListLayout.TABLE, path=GEMMA_PATH), Qt.Key.Key_Delete)
    settled()
    assert client.called("models.removal") == []


def editor_of(page: LibraryPage) -> QLineEdit:
    return next(
        field
        for field in page.list.current_view.findChildren(QLineEdit)
        if field.accessibleName() == "Model name"
    )


@VIEWS
def test_f2_renames_in_place(qtbot: QtBot, page: LibraryPage, client: AppClient, view: ListLayout) -> None:
    QTest.keyClick(show(page, view), Qt.Key.Key_F2)
    editor = editor_of(page)
    editor.setText("My Qwen")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: client.called("models.rename") == [(QWEN_ID, "My Qwen")])
    settled()
    assert index_of(page, QWEN_PATH).data() == "My Qwen"


@VIEWS
def test_escape_leaves_the_name_as_it_was(page: LibraryPage, client: AppClient, view: ListLayout) -> None:
    QTest.keyClick(show(page, view), Qt.Key.Key_F2)
    editor = editor_of(page)
    editor.setText("My Qwen")
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    settled()
    assert client.called("models.rename") == []


@VIEWS
def test_what_is_being_typed_stays_while_the_line_changes(
    page: LibraryPage, models: ModelsView, view: ListLayout
) -> None:
    QTest.keyClick(show(page, view), Qt.Key.Key_F2)
    editor = editor_of(page)
    QTest.keyClicks(editor, "My Qwen")
    models.set_status(ModelStatus(model_id=QWEN_ID, state=LoadingModel(fraction=0.3)))
    assert editor.text() == "My Qwen"


def test_f2_is_taken_from_the_windows_own_shortcut(page: LibraryPage) -> None:
    view = show(page, ListLayout.TABLE)
    event = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_F2, Qt.KeyboardModifier.NoModifier)
    event.ignore()
    QApplication.sendEvent(view, event)
    assert event.isAccepted()


def test_arrows_go_from_line_to_line(page: LibraryPage) -> None:
    view = show(page, ListLayout.TABLE, path=GEMMA_PATH)
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.currentIndex() == index_of(page, EMBED_PATH)


def test_right_goes_to_the_card_beside(page: LibraryPage) -> None:
    view = show(page, ListLayout.CARDS, path=GEMMA_PATH)
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert view.currentIndex() == index_of(page, EMBED_PATH)


def test_typing_in_the_list_goes_to_the_filter(page: LibraryPage) -> None:
    QTest.keyClicks(show(page, ListLayout.TABLE), "q")
    assert page.list.toolbar.filter.text() == "q"
    assert page.list.toolbar.filter.hasFocus()


def test_control_and_f_goes_to_the_filter(page: LibraryPage) -> None:
    QTest.keyClick(show(page, ListLayout.TABLE), Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert page.list.toolbar.filter.hasFocus()


def test_down_in_the_filter_goes_to_the_list(page: LibraryPage) -> None:
    page.list.toolbar.filter.setFocus()
    QTest.keyClick(page.list.toolbar.filter, Qt.Key.Key_Down)
    assert page.list.table.hasFocus()


def test_escape_clears_the_filter(qtbot: QtBot, page: LibraryPage) -> None:
    page.list.toolbar.filter.setText("qwen")
    QTest.keyClick(page.list.toolbar.filter, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: len(shown_paths(page)) == 4)


# The mouse


@VIEWS
def test_a_click_opens_the_model(page: LibraryPage, view: ListLayout) -> None:
    list_view = show(page, view, path=GEMMA_PATH)
    position = list_view.visualRect(index_of(page, QWEN_PATH)).center()
    QTest.mouseClick(list_view.viewport(), Qt.MouseButton.LeftButton, pos=position)
    assert page.detail.path == QWEN_PATH


@VIEWS
def test_a_click_on_the_star_marks_a_favourite(
    page: LibraryPage, client: AppClient, view: ListLayout
) -> None:
    list_view = show(page, view, path=QWEN_PATH)
    position = part(page, GEMMA_PATH, Part.STAR)
    QTest.mouseClick(list_view.viewport(), Qt.MouseButton.LeftButton, pos=position)
    settled()
    assert client.called("models.set_favourite") == [(GEMMA_PATH, True)]
    assert not page.detail.isVisible()


@VIEWS
def test_a_click_on_the_bubble_uses_the_model(
    page: LibraryPage, asked: list[tuple[object, ...]], view: ListLayout
) -> None:
    list_view = show(page, view)
    position = part(page, QWEN_PATH, Part.CHAT)
    QTest.mouseClick(list_view.viewport(), Qt.MouseButton.LeftButton, pos=position)
    assert asked == [("use_model", QWEN_ID)]


@VIEWS
def test_a_click_on_the_dots_opens_the_menu(page: LibraryPage, view: ListLayout) -> None:
    list_view = show(page, view)
    position = part(page, QWEN_PATH, Part.MORE)
    QTest.mouseClick(list_view.viewport(), Qt.MouseButton.LeftButton, pos=position)
    menus = [menu for menu in list_view.findChildren(QMenu) if menu.isVisible()]
    assert len(menus) == 1
    menus[0].close()


def test_a_press_that_is_released_elsewhere_does_nothing(page: LibraryPage) -> None:
    list_view = show(page, ListLayout.TABLE)
    first, second = (list_view.visualRect(index_of(page, path)).center() for path in (QWEN_PATH, GEMMA_PATH))
    QTest.mousePress(list_view.viewport(), Qt.MouseButton.LeftButton, pos=first)
    QTest.mouseRelease(list_view.viewport(), Qt.MouseButton.LeftButton, pos=second)
    assert not page.detail.isVisible()


# The menu


def test_a_models_menu_has_everything_that_can_be_done(page: LibraryPage) -> None:
    assert list(menu_of(page, QWEN_PATH)) == [
        "Open",
        "Use in chat",
        "Load",
        "Model settings",
        "Rename",
        "Remove from favourites",
        "Verify file",
        "Show in folder",
        "Copy path",
        "Delete…",
    ]


def test_a_loaded_model_can_be_unloaded(page: LibraryPage, models: ModelsView) -> None:
    models.set_status(ModelStatus(model_id=QWEN_ID, state=loaded_state(starter_spec())))
    actions = menu_of(page, QWEN_PATH)
    assert "Unload" in actions
    assert "Load" not in actions
    models.set_status(ModelStatus(model_id=QWEN_ID, state=LoadingModel(fraction=0.3)))
    actions = menu_of(page, QWEN_PATH)
    assert "Cancel loading" in actions
    assert "Load" not in actions


def test_a_file_of_another_application_cannot_be_deleted(page: LibraryPage) -> None:
    assert not {"Delete…", "Remove from list…"} & set(menu_of(page, GEMMA_PATH))


def test_an_added_file_is_only_taken_off_the_list(page: LibraryPage) -> None:
    actions = menu_of(page, EMBED_PATH)
    assert "Remove from list…" in actions
    assert "Delete…" not in actions


def test_an_unreadable_file_offers_only_what_makes_sense(page: LibraryPage) -> None:
    assert list(menu_of(page, BROKEN_PATH)) == [
        "Open",
        "Verify file",
        "Show in folder",
        "Copy path",
        "Delete…",
    ]


def test_show_in_folder_hands_over_the_path(qtbot: QtBot, page: LibraryPage, revealed: list[str]) -> None:
    choose(qtbot, page, QWEN_PATH, "Show in folder")
    assert revealed == [QWEN_PATH]


def test_the_path_can_be_copied(qtbot: QtBot, page: LibraryPage) -> None:
    choose(qtbot, page, QWEN_PATH, "Copy path")
    assert QApplication.clipboard().text() == QWEN_PATH


@pytest.mark.parametrize(
    ("label", "action"), [("Load", "load_model"), ("Model settings", "show_model_settings")]
)
def test_what_the_window_does_is_told_to_it(
    qtbot: QtBot, page: LibraryPage, asked: list[tuple[object, ...]], label: str, action: str
) -> None:
    choose(qtbot, page, QWEN_PATH, label)
    qtbot.waitUntil(lambda: asked == [(action, QWEN_ID)])


def test_the_menu_key_opens_the_menu_of_the_current_line(page: LibraryPage) -> None:
    list_view = show(page, ListLayout.TABLE)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(1, 1), QPoint(1, 1))
    QApplication.sendEvent(list_view.viewport(), event)
    menus = [menu for menu in list_view.findChildren(QMenu) if menu.isVisible()]
    assert len(menus) == 1
    menus[0].close()


# Order


def test_a_click_on_a_columns_head_sorts_by_it_and_again_turns_it_round(page: LibraryPage) -> None:
    head = page.list.table.header()
    position = QPoint(head.sectionPosition(int(Column.SIZE)) + 20, head.height() // 2)
    QTest.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=position)
    assert shown_paths(page)[0] == QWEN_PATH
    QTest.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=position)
    assert shown_paths(page)[0] == EMBED_PATH


def test_keys_in_the_head_sort(page: LibraryPage) -> None:
    head = page.list.table.header()
    head.setFocus()
    for _ in range(2):
        QTest.keyClick(head, Qt.Key.Key_Right)
    assert page.list.model.order.column is Column.SIZE
    assert page.list.model.order.descending
    QTest.keyClick(head, Qt.Key.Key_Space)
    assert not page.list.model.order.descending


def test_the_list_of_orders_sorts_the_cards_too(page: LibraryPage) -> None:
    show(page, ListLayout.CARDS)
    tools = page.list.toolbar
    tools.sort.activated.emit(int(Column.CONTEXT))
    assert shown_paths(page)[0] == GEMMA_PATH
    tools.direction.click()
    assert shown_paths(page)[0] == EMBED_PATH


def test_the_keyboards_place_stays_on_its_model(page: LibraryPage) -> None:
    view = show(page, ListLayout.TABLE)
    page.list.toolbar.sort.activated.emit(int(Column.SIZE))
    assert view.currentIndex() == index_of(page, QWEN_PATH)
    page.list.show_view(ListLayout.CARDS)
    assert page.list.cards.currentIndex() == index_of(page, QWEN_PATH)


def test_the_look_of_the_list_is_told_and_restored(page: LibraryPage) -> None:
    look = LibraryViewState(view="cards", column="used", descending=True)
    page.restore(look)
    assert page.view_state == look
    assert page.list.cards.isVisible()


def test_a_look_that_is_not_known_is_the_usual_one(page: LibraryPage) -> None:
    page.restore(LibraryViewState(view="mosaic", column="actions"))
    assert page.view_state == LibraryViewState()


# Filters


def test_the_filter_narrows_the_list(qtbot: QtBot, page: LibraryPage) -> None:
    QTest.keyClicks(page.list.toolbar.filter, "qwen")
    qtbot.waitUntil(lambda: shown_paths(page) == [QWEN_PATH])


def test_a_quick_filter_says_how_many_it_leaves(page: LibraryPage) -> None:
    chips = {chip.accessibleName(): chip for chip in page.list.toolbar.chips.values() if chip.isVisible()}
    assert list(chips) == ["Favourites 1", "With problems 1", "Vision 1", "Embeddings 1"]
    QTest.mouseClick(chips["Vision 1"], Qt.MouseButton.LeftButton)
    assert shown_paths(page) == [GEMMA_PATH]


def test_a_place_can_be_chosen(page: LibraryPage) -> None:
    source = page.list.toolbar.source
    source.setCurrentIndex(source.findText("Ollama"))
    source.activated.emit(source.currentIndex())
    assert shown_paths(page) == [GEMMA_PATH]


def test_a_tag_can_be_chosen(page: LibraryPage) -> None:
    tag = page.list.toolbar.tag
    tag.setCurrentIndex(tag.findText("fast"))
    tag.activated.emit(tag.currentIndex())
    assert shown_paths(page) == [QWEN_PATH]


def test_a_model_that_is_loaded_appears_under_loaded(
    qtbot: QtBot, page: LibraryPage, client: AppClient
) -> None:
    client.set_state(QWEN_ID, loaded_state(starter_spec()))
    chip = next(iter(page.list.toolbar.chips.values()))
    loaded = next(c for c in page.list.toolbar.chips.values() if c is not chip)
    qtbot.waitUntil(loaded.isVisible)
    loaded.click()
    assert shown_paths(page) == [QWEN_PATH]
    client.set_state(ModelId(GEMMA_PATH), loaded_state(starter_spec()))
    assert shown_paths(page) == [GEMMA_PATH, QWEN_PATH]


def test_clearing_the_filters_shows_everything_again(qtbot: QtBot, page: LibraryPage) -> None:
    page.list.toolbar.filter.setText("nothing has this")
    qtbot.waitUntil(page.list.no_match.isVisible)
    page.list.clear.click()
    assert len(shown_paths(page)) == 4
    assert page.list.table.isVisible()


# Many, few, none


def test_an_empty_library_explains_itself(
    page: LibraryPage, client: AppClient, asked: list[tuple[object, ...]]
) -> None:
    client.set_models([])
    assert page.list.empty.isVisible()
    page.list.toolbar.discover.click()
    assert asked == [("show_page", Page.DISCOVER)]


@VIEWS
def test_two_thousand_files_are_there_at_once(page: LibraryPage, client: AppClient, view: ListLayout) -> None:
    show(page, view)
    client.set_models([library_entry(f"Model {n:04}", path=f"/m/{n}") for n in range(2000)])
    assert page.list.model.rowCount() == 2000
    view_shown = page.list.current_view
    view_shown.scrollToBottom()
    last = page.list.model.index(1999, 0)
    assert view_shown.viewport().rect().intersects(view_shown.visualRect(last))


def test_the_list_stays_where_it_is_when_only_facts_change(page: LibraryPage, client: AppClient) -> None:
    entries: list[ModelEntry] = [library_entry(f"Model {n:04}", path=f"/m/{n}") for n in range(300)]
    client.set_models(entries)
    bar = page.list.table.verticalScrollBar()
    page.list.table.scrollTo(page.list.model.index(150, 0))
    before = bar.value()
    client.set_models([msgspec.structs.replace(entry, sha256="ab" * 32) for entry in entries])
    assert bar.value() == before > 0


# Adding


@pytest.mark.parametrize("which", ["choose_files", "choose_folder"])
def test_adding_opens_a_dialog_that_does_not_block(page: LibraryPage, client: AppClient, which: str) -> None:
    dialog: QFileDialog = getattr(page.list, which)()
    if which == "choose_files":
        dialog.filesSelected.emit(["/m/new.gguf"])
    else:
        dialog.fileSelected.emit("/m/new.gguf")
    settled()
    dialog.close()
    assert client.called("models.add") == [(("/m/new.gguf",),)]


def test_newer_versions_are_marked_and_can_be_downloaded(
    qtbot: QtBot, page: LibraryPage, client: AppClient, hub: FakeHub
) -> None:
    hub.repos[REPO] = newer_qwen_repo()
    page.list.find_updates.click()
    settled()
    choose(qtbot, page, QWEN_PATH, "Download update")
    settled()
    assert client.called("hub.download_named") == [(f"{REPO}/{FILE}",)]


def test_each_line_of_a_list_of_each_kind_can_be_opened(page: LibraryPage) -> None:
    for entry in one_of_each():
        page.show_model(entry.path)
        assert page.detail.path == entry.path
        page.show_list()
