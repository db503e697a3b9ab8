"""Model cards, shown safely."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
import shiboken6
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTextBrowser
from pytestqt.qtbot import QtBot

from fireside.ui.chat.answer.tables import TableView
from fireside.ui.discover.readme import ReadmeView
from fireside.ui.widgets.page_scroll import PageScroll

ShowCard = Callable[[str], ReadmeView]


@pytest.fixture
def links() -> list[str]:
    """The addresses that the view asked to open."""
    return []


@pytest.fixture
def show_card(qtbot: QtBot, links: list[str]) -> Iterator[ShowCard]:
    """Show a card in a scrolling page, and wait until it is laid out."""
    shown: list[PageScroll] = []

    def show(card: str) -> ReadmeView:
        scroll = PageScroll()
        shown.append(scroll)
        view = ReadmeView(links.append)
        scroll.setWidget(view)
        scroll.resize(700, 500)
        scroll.show()
        qtbot.waitExposed(scroll)
        view.set_card(card)
        qtbot.waitUntil(lambda: view.is_complete)
        return view

    yield show
    for scroll in shown:
        shiboken6.delete(scroll)


def test_markdown_and_html_are_shown_as_text(show_card: ShowCard) -> None:
    view = show_card("# Title\n\nA <b>bold</b> word<br>and `code`.\n\n```py\nx = '<b>'\n```\n")
    assert view.texts == ("Title\nA bold word\nand code.", "x = '<b>'")


@pytest.mark.parametrize(
    ("card", "text"),
    [
        ("![a logo](https://x.example/y.png)", "[image: a logo, x.example]"),
        ('<img src="https://x.example/y.png" alt="a logo">', "[image: a logo]"),
    ],
)
def test_an_image_is_named_and_not_fetched(show_card: ShowCard, card: str, text: str) -> None:
    view = show_card(card)
    assert view.texts == (text,)
    assert "<img" not in view.findChildren(QTextBrowser)[0].toHtml()


def test_a_link_is_reported_and_not_followed(show_card: ShowCard, links: list[str]) -> None:
    view = show_card("[a place](https://x.example/y) and more")
    browser = view.findChildren(QTextBrowser)[0]
    QTest.mouseClick(browser.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(15, 10))
    assert links == ["https://x.example/y"]


def test_a_link_can_be_followed_by_the_keyboard(show_card: ShowCard, links: list[str]) -> None:
    view = show_card("Words.\n\n[a place](https://x.example/y)")
    browser = view.findChildren(QTextBrowser)[0]
    browser.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(browser, Qt.Key.Key_Tab)
    QTest.keyClick(browser, Qt.Key.Key_Return)
    assert links == ["https://x.example/y"]


@pytest.mark.parametrize("address", ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x"])
def test_other_kinds_of_links_are_no_links(show_card: ShowCard, address: str) -> None:
    view = show_card(f'[x]({address}) <a href="{address}">y</a>')
    assert all("href" not in browser.toHtml() for browser in view.findChildren(QTextBrowser))


def test_text_without_links_takes_no_tab_focus(show_card: ShowCard) -> None:
    view = show_card("Only words.")
    assert view.findChildren(QTextBrowser)[0].focusPolicy() is Qt.FocusPolicy.ClickFocus


@pytest.mark.parametrize("modifier", [Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier])
def test_the_wheel_scrolls_the_page_and_zooms_nothing(
    qtbot: QtBot, show_card: ShowCard, modifier: Qt.KeyboardModifier
) -> None:
    view = show_card("\n\n".join(f"Paragraph {n} with some words." for n in range(80)))
    browser = view.findChildren(QTextBrowser)[0]
    size = browser.font().pixelSize()
    window = view.window()
    assert isinstance(window, PageScroll)
    QTest.wheelEvent(window.windowHandle(), QPointF(50, 100), QPoint(0, -120), QPoint(), modifier)
    qtbot.waitUntil(lambda: window.verticalScrollBar().value() > 0)
    assert browser.font().pixelSize() == size


def test_a_huge_card_is_shown_in_part(qtbot: QtBot, show_card: ShowCard) -> None:
    card = "\n\n".join(f"Paragraph {n} with some words to read." for n in range(4000))
    view = show_card(card)
    n_shown = sum(map(len, view.texts))
    assert n_shown < 60_000
    assert view.more.isVisible()
    view.more.click()
    qtbot.waitUntil(lambda: view.is_complete)
    assert sum(map(len, view.texts)) > 2 * n_shown


def test_another_card_takes_the_place_of_one_that_is_being_laid_out(
    qtbot: QtBot, show_card: ShowCard
) -> None:
    view = show_card("one " * 5000)
    view.set_card("two")
    qtbot.waitUntil(lambda: view.is_complete)
    assert view.texts == ("two",)
    assert not view.more.isVisible()


def test_a_wide_table_scrolls_by_itself(qtbot: QtBot, show_card: ShowCard) -> None:
    head = "|" + "|".join(f"column{n}" for n in range(40)) + "|"
    view = show_card(f"{head}\n|{'-|' * 40}\n|{'unbreakable|' * 40}\n")
    assert view.width() <= 700
    [table] = view.findChildren(TableView)
    window = view.window()
    assert isinstance(window, PageScroll)
    QTest.wheelEvent(window.windowHandle(), QPointF(60, 20), QPoint(-120, 0), QPoint())
    qtbot.waitUntil(lambda: table.horizontalScrollBar().value() > 0)


@pytest.mark.parametrize(
    "card",
    ["", "   \n", "<!-- only a comment -->", "\u202e\u0000\ufffd", "[" * 5000, "> " * 2000, "|" * 3000],
)
def test_any_card_can_be_shown(show_card: ShowCard, card: str) -> None:
    assert show_card(card).height() >= 1
