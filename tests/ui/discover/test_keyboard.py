"""The discover page by keyboard and screen reader."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from fakes.client import AppClient, settled
from fakes.hub_models import OTHER, REPO
from fireside.ui.discover import DiscoverController, DiscoverPage
from fireside.ui.discover.discover_page import View


@pytest.fixture(autouse=True)
def _with_controller(visible_controller: DiscoverController) -> None:
    """Every test needs the page with its controller."""


@pytest.fixture
def results(page: DiscoverPage) -> DiscoverPage:
    """The page with the results of a search."""
    QTest.keyClicks(page.search.field, "qwen")
    QTest.keyClick(page.search.field, Qt.Key.Key_Return)
    settled()
    return page


def focus() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def test_the_search_field_has_the_initial_focus(page: DiscoverPage) -> None:
    page.focus_main_control()
    assert page.search.field.hasFocus()


def test_arrows_go_through_the_results_and_enter_opens_one(results: DiscoverPage, client: AppClient) -> None:
    QTest.keyClick(results.search.field, Qt.Key.Key_Down)
    assert results.results.list.hasFocus()
    assert results.results.list.currentIndex().row() == 0
    QTest.keyClick(results.results.list, Qt.Key.Key_Down)
    QTest.keyClick(results.results.list, Qt.Key.Key_Return)
    settled()
    assert results.view is View.MODEL
    assert client.called("hub.model") == [(OTHER,)]


def test_arrow_up_on_the_first_result_focuses_the_search_field(results: DiscoverPage) -> None:
    QTest.keyClick(results.search.field, Qt.Key.Key_Down)
    QTest.keyClick(results.results.list, Qt.Key.Key_Up)
    assert results.search.field.hasFocus()


@pytest.mark.parametrize(
    ("key", "modifier"),
    [
        (Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier),
    ],
)
def test_leaving_a_model_returns_to_the_result_it_was_opened_from(
    results: DiscoverPage, key: Qt.Key, modifier: Qt.KeyboardModifier
) -> None:
    QTest.keyClick(results.search.field, Qt.Key.Key_Down)
    QTest.keyClick(results.results.list, Qt.Key.Key_Return)
    settled()
    assert results.model_page.isAncestorOf(focus())
    QTest.keyClick(focus(), key, modifier)
    assert results.view is View.RESULTS
    assert results.results.list.hasFocus()
    assert results.results.list.currentIndex().row() == 0


def test_leaving_a_model_opened_by_name_focuses_the_search_field(page: DiscoverPage) -> None:
    page.start.cards[0].setFocus()
    page.focus_main_control()
    QTest.keyClicks(page.search.field, f"{REPO}:Q4_K_M")
    QTest.keyClick(page.search.field, Qt.Key.Key_Return)
    settled()
    QTest.keyClick(focus(), Qt.Key.Key_Escape)
    assert page.search.field.hasFocus()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_a_card_opened_by_keyboard_regains_the_focus(
    page: DiscoverPage, client: AppClient, key: Qt.Key
) -> None:
    page.focus_main_control()
    QTest.keyClick(page.search.field, Qt.Key.Key_Down)
    card = page.start.cards[0]
    assert card.hasFocus()
    QTest.keyClick(card, key)
    settled()
    assert client.called("hub.model") == [(REPO,)]
    QTest.keyClick(focus(), Qt.Key.Key_Escape)
    assert card.hasFocus()


def test_every_focusable_widget_has_an_accessible_name(
    page: DiscoverPage, visible_controller: DiscoverController
) -> None:
    visible_controller.open_model(REPO)
    settled()
    for widget in page.findChildren(QWidget):
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and not widget.objectName().startswith("qt_"):
            text = widget.text() if isinstance(widget, QAbstractButton) else ""
            assert widget.accessibleName() or text, repr(widget)


def test_a_result_has_all_facts_as_accessible_text(results: DiscoverPage) -> None:
    index = results.results.model.index(0)
    accessible_text = index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert accessible_text.startswith("Qwen3-8B by bartowski, 8.19B parameters")
    assert accessible_text.endswith("updated 3 days ago.")


def test_both_themes_and_sizes_draw_the_results(results: DiscoverPage) -> None:
    for width in (424, 700, 1400):
        results.resize(width, 700)
        assert not results.grab().isNull()
