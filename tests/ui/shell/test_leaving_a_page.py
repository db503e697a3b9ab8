"""Escape returns from a page to the chat, unless the page handles it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fakes.client import settled
from fakes.window import page_of
from fireside.ui.discover.discover_page import View
from fireside.ui.page import Page
from fireside.ui.shell.main_window import MainWindow


def escape(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Escape)


def test_escape_returns_to_the_chat_with_the_focus_in_the_message_field(
    qtbot: QtBot, window: MainWindow
) -> None:
    for page in [page for page in Page if page is not Page.CHAT]:
        window.show_page(page)
        shown = window.navigation.stack.currentWidget()
        assert shown is not None
        shown.setFocus()
        escape(qtbot, window)
        assert page_of(window) is Page.CHAT, page
        assert window.chat.composer.editor.hasFocus(), page
        settled()


def test_escape_first_clears_a_search_for_settings(qtbot: QtBot, window: MainWindow) -> None:
    window.show_page(Page.SETTINGS)
    window.pages.settings.filter.setFocus()
    QTest.keyClicks(window.pages.settings.filter, "theme")
    escape(qtbot, window)
    assert window.page is Page.SETTINGS
    assert window.pages.settings.filter.text() == ""
    escape(qtbot, window)
    assert page_of(window) is Page.CHAT
    settled()


def test_the_discover_page_keeps_its_state_while_a_model_page_is_open(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.show_page(Page.DISCOVER)
    settled()
    page = window.pages.discover
    bar = page.start.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    page.search.focus_field()
    qtbot.waitUntil(page.search.field.hasFocus)
    page.show_view(View.MODEL)
    page.go_back()
    assert bar.value() == 0
    assert page.search.field.hasFocus()
