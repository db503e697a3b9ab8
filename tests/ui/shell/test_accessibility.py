"""Every focusable widget has a name and is reachable by keyboard."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QStackedWidget, QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.model_entries import STARTER_ID, broken_entry, loaded_state, starter_spec
from fakes.window import RESOURCES
from fireside.core.errors import StorageFull
from fireside.core.events import StorageFailed
from fireside.settings.window_state import WindowState
from fireside.ui.page import Page
from fireside.ui.shell.about_sheet import AboutSheet, read_about
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.shortcuts import ShortcutsSheet


@pytest.fixture
def full(client: AppClient, show_window: Callable[..., MainWindow]) -> MainWindow:
    """A window with something everywhere."""
    chat = client.add_conversation("Bread", turns=("Why?", "Because `x`.\n\n```python\n1\n```\n"))
    client.add_conversation("Rope", pinned=True)
    client.add_entries(broken_entry(path="/m/bad.gguf", problem="It is empty."))
    client.states[STARTER_ID] = loaded_state(starter_spec())
    window = show_window(state=WindowState(last_conversation=chat))
    client.publish(StorageFailed(error=StorageFull(path="/x").info()))
    for page in (Page.SETTINGS, Page.DOCUMENTS):
        window.show_page(page)
        settled()
    window.show_page(Page.CHAT)
    return window


def focusable(root: QWidget) -> Iterator[QWidget]:
    for widget in [root, *root.findChildren(QWidget)]:
        is_inner = widget.objectName().startswith("qt_") or widget.focusProxy() is not None
        if widget.focusPolicy() is not Qt.FocusPolicy.NoFocus and not is_inner and not is_off(widget, root):
            yield widget


def is_off(widget: QWidget, root: QWidget) -> bool:
    """A part that hides itself gets its words when it is shown; a page behind another has them now."""
    while widget is not root:
        around = widget.parentWidget()
        assert around is not None
        if widget.isHidden() and not isinstance(around, QStackedWidget):
            return True
        widget = around
    return False


def name_of(widget: QWidget) -> str:
    """What a screen reader says first."""
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name) if interface is not None else ""


def nameless(root: QWidget) -> list[str]:
    return [
        f"{type(widget).__name__} {widget.objectName()} in {type(widget.parentWidget()).__name__}"
        for widget in focusable(root)
        if not name_of(widget).strip()
    ]


def test_everything_that_takes_the_keyboard_has_a_name(full: MainWindow) -> None:
    assert len(list(focusable(full))) > 60
    assert nameless(full) == []


@pytest.mark.parametrize("sheet", ["shortcuts", "about"])
def test_everything_in_a_sheet_has_a_name(full: MainWindow, sheet: str) -> None:
    made = (
        ShortcutsSheet(full.shortcuts, parent=full)
        if sheet == "shortcuts"
        else AboutSheet(read_about(RESOURCES, version="0.1.0"), parent=full)
    )
    made.open()
    assert nameless(made) == []
    made.close()


def test_everything_in_the_picker_has_a_name(full: MainWindow) -> None:
    full.header.open_picker()
    assert nameless(full.header.popup) == []
    full.header.popup.hide()


def test_no_button_is_only_for_the_mouse(full: MainWindow) -> None:
    mouse_only = [
        type(button).__name__ + " " + name_of(button)
        for button in full.findChildren(QAbstractButton)
        if button.focusPolicy() is Qt.FocusPolicy.NoFocus
        and not button.objectName().startswith("qt_")
        # The little buttons inside a line of text have a key of their own.
        and not isinstance(button.parentWidget(), QLineEdit)
        # Of exclusive buttons Tab reaches the one taken and arrow keys the others.
        and button.group() is None
    ]
    assert mouse_only == []


def test_tab_cycles_through_each_page(qtbot: QtBot, full: MainWindow) -> None:
    own: dict[Page, Callable[[], QWidget]] = {
        Page.CHAT: lambda: full.header.pill,
        Page.DISCOVER: lambda: full.sidebar.page_button(Page.DISCOVER),
        Page.MODELS: lambda: full.pages.library.list.toolbar.add_file,
        Page.DOCUMENTS: lambda: full.pages.documents.empty_new,
        Page.PROJECTS: lambda: full.pages.projects.empty_new,
        Page.MEMORY: lambda: full.pages.memory.search,
        Page.SKILLS: lambda: full.pages.skills.search,
        Page.DOWNLOADS: lambda: full.pages.downloads.empty_discover,
        Page.TOOLS: lambda: full.pages.tools.add,
        Page.HARDWARE: lambda: full.pages.hardware.refresh,
        Page.SETTINGS: lambda: full.pages.settings.filter,
    }
    assert own.keys() == set(Page)
    for page, part in own.items():
        full.show_page(page)
        full.activateWindow()
        qtbot.waitUntil(full.isActiveWindow)
        start = full.sidebar.new_chat
        start.setFocus(Qt.FocusReason.TabFocusReason)
        visited: set[QWidget] = set()
        for _ in range(400):
            focused = QApplication.focusWidget()
            assert focused is not None
            if focused in visited:
                break
            visited.add(focused)
            full.focusNextChild()
        assert QApplication.focusWidget() is start, page
        assert {full.sidebar.filter, full.sidebar.list, full.header.more, part()} <= visited, page


def test_no_label_reads_markup(full: MainWindow) -> None:
    readers = [
        label.text()
        for label in full.findChildren(QLabel)
        if label.textFormat() is not Qt.TextFormat.PlainText and label.text()
    ]
    assert readers == []


def test_the_keyboard_focus_is_visible_on_each_kind_of_button(qtbot: QtBot, full: MainWindow) -> None:
    full.activateWindow()
    qtbot.waitUntil(full.isActiveWindow)
    window = full.windowHandle()
    assert window is not None
    # A click in an earlier test may have been the last that was used.
    QTest.keyClick(window, Qt.Key.Key_F6)
    for widget in (full.sidebar.new_chat, full.sidebar.hide_button, full.header.pill, full.header.more):
        full.sidebar.filter.setFocus(Qt.FocusReason.TabFocusReason)
        before = widget.grab().toImage()
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        assert widget.grab().toImage() != before, name_of(widget)
