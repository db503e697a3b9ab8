"""The page of one model: facts, files, advice, actions."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
import pytest
import shiboken6
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QTextBrowser
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.fake_hub import FakeHub, Fault, Where
from fakes.hub_models import OTHER, PROJECTOR, QUANTS, REPO, SIZES, SMALL, hub_repo
from fakes.model_entries import entry_of, starter_spec
from fakes.visible_text import words_of
from fireside.core.errors import HubNotFound
from fireside.core.ids import ModelId
from fireside.core.library import ModelOrigin
from fireside.ui.chat.answer.tables import TableView
from fireside.ui.discover import DiscoverController, DiscoverPage
from fireside.ui.discover.discover_page import View
from fireside.ui.discover.model_page import ReadmeView
from fireside.ui.discover.quant_table import QuantRow
from fireside.ui.models_view import ModelsView
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


OpenModel = Callable[..., None]


def rows(page: DiscoverPage) -> tuple[QuantRow, ...]:
    assert page.model_page.table is not None
    return page.model_page.table.rows


def button_words(row: QuantRow) -> list[str]:
    return [button.text().strip() for button in row.offer.buttons]


def test_each_row_shows_description_fit_and_memory(
    qtbot: QtBot, page: DiscoverPage, hub: FakeHub, open_model: OpenModel
) -> None:
    hub.repos[REPO] = hub_repo(sizes=SIZES)
    open_model()
    # Qt shows what is added to a layout with the next turn of the event loop.
    qtbot.waitUntil(lambda: "tokens/s" in words_of(rows(page)[1]))
    text = words_of(rows(page)[1])
    for fact in (
        "Q4_K_M",
        "4-bit, good balance",
        "Slow (about 2 tokens/s)",
        "5.0 GB",
        "GB of memory",
        "Recommended",
    ):
        assert fact in text
    assert rows(page)[1].mark.text() == "Recommended"
    qtbot.waitUntil(lambda: "Does not fit" in words_of(rows(page)[-1]))
    assert "2 files" in words_of(rows(page)[-1])


def test_the_advice_is_above_the_rows_with_its_reason(page: DiscoverPage, open_model: OpenModel) -> None:
    open_model()
    table = page.model_page.table
    assert table is not None
    assert table.advice.message.text().startswith(
        "Recommended for this computer: Q4_K_M (4-bit, good balance)."
    )
    assert table.advice.details.text().endswith(" download  ·  calculated for a context of 512 tokens")
    assert [row.mark.isVisible() for row in table.rows] == [False, True, False, False]


def test_the_rows_are_shown_before_the_advice(
    page: DiscoverPage, visible_controller: DiscoverController, client: AppClient, qtbot: QtBot
) -> None:
    client.hold("hub.advise")
    visible_controller.open_model(REPO)
    qtbot.waitUntil(lambda: bool(client.called("hub.advise")))
    table = page.model_page.table
    assert table is not None
    assert table.advice.message.text() == "Checking what fits this computer…"
    rows(page)[0].offer.buttons[0].click()
    qtbot.waitUntil(lambda: bool(client.app.downloads.downloads))
    client.release("hub.advise")
    settled()
    assert "Recommended" in table.advice.message.text()


def test_without_advice_everything_can_be_downloaded(
    page: DiscoverPage, hub: FakeHub, open_model: OpenModel
) -> None:
    hub.plan(Fault.STATUS, where=Where.HEAD, status=500)
    open_model()
    table = page.model_page.table
    assert table is not None
    assert "Could not check" in table.advice.message.text()
    assert button_words(rows(page)[0]) == ["Download"]
    table.advice.again.click()
    settled()
    assert "Recommended" in table.advice.message.text()
    assert not table.advice.again.isVisible()


def test_without_access_no_row_is_recommended(
    page: DiscoverPage, hub: FakeHub, open_model: OpenModel
) -> None:
    hub.repos[REPO] = hub_repo(is_gated=True)
    open_model()
    table = page.model_page.table
    assert table is not None
    assert "Needs access" in table.advice.accessibleName()
    assert "can be downloaded" not in table.advice.accessibleName()


def test_without_a_fit_no_row_is_marked(page: DiscoverPage, hub: FakeHub, open_model: OpenModel) -> None:
    hub.repos[REPO] = hub_repo(sizes={"Q8_0": SIZES["Q8_0"], "BF16": SIZES["BF16"]})
    open_model()
    assert not any(row.mark.isVisible() for row in rows(page))
    table = page.model_page.table
    assert table is not None
    assert table.advice.message.text().startswith("Does not fit this computer: needs ")


def test_download_requests_this_row(
    page: DiscoverPage, client: AppClient, hub: FakeHub, open_model: OpenModel
) -> None:
    open_model()
    hub.plan(Fault.STALL)
    row = rows(page)[2]
    row.offer.buttons[0].click()
    settled()
    [(model, path)] = client.called("hub.download")
    assert path == QUANTS[2].path
    assert model == page.model_page.model
    assert row.offer.status_text.text() == "0%"
    assert button_words(rows(page)[1]) == ["Download"]


def test_a_row_follows_its_download(
    qtbot: QtBot, page: DiscoverPage, hub: FakeHub, open_model: OpenModel
) -> None:
    open_model()
    hub.plan(Fault.STALL, n_before=1)
    row = rows(page)[3]
    row.offer.buttons[0].click()
    settled()
    qtbot.waitUntil(lambda: row.offer.status_text.text() == "50%")
    hub.release()
    qtbot.waitUntil(lambda: button_words(row) == ["Chat"])


@pytest.mark.parametrize("at", [0, 1])
def test_rows_do_not_move_during_a_download(
    qtbot: QtBot, page: DiscoverPage, hub: FakeHub, open_model: OpenModel, at: int
) -> None:
    def places() -> list[tuple[int, int]]:
        QApplication.processEvents()
        return [(row.mapTo(page, QPoint(0, 0)).y(), row.height()) for row in rows(page)]

    open_model()
    before = places()
    hub.plan(Fault.STALL)
    rows(page)[at].offer.buttons[0].click()
    assert places() == before
    settled()
    assert rows(page)[at].offer.status_text.text() == "0%"
    assert places() == before
    hub.release()
    qtbot.waitUntil(lambda: button_words(rows(page)[at]) == ["Chat"])
    assert places() == before


def test_a_newer_version_is_offered_beside_the_chat(
    page: DiscoverPage,
    router_calls: list[tuple[object, ...]],
    client: AppClient,
    hub: FakeHub,
    models: ModelsView,
    open_model: OpenModel,
) -> None:
    spec = msgspec.structs.replace(starter_spec(), id=ModelId("x"))
    origin = ModelOrigin(repo=REPO, commit="b" * 40, path=QUANTS[1].path, digest="0" * 64, downloaded_at="")
    models.set_entries([msgspec.structs.replace(entry_of(spec), origin=origin)])
    open_model()
    hub.plan(Fault.STALL)
    row = rows(page)[1]
    assert button_words(row) == ["Update", "Chat"]
    row.offer.buttons[1].click()
    assert router_calls[-1] == ("use_model", "x")
    row.offer.buttons[0].click()
    settled()
    assert len(client.called("hub.download")) == 1


def test_the_recommended_file_can_be_downloaded_from_the_advice(
    page: DiscoverPage, client: AppClient, hub: FakeHub, open_model: OpenModel
) -> None:
    open_model()
    hub.plan(Fault.STALL)
    table = page.model_page.table
    assert table is not None
    table.advice.offer.buttons[0].click()
    settled()
    [(_, path)] = client.called("hub.download")
    assert path == QUANTS[1].path
    assert table.advice.offer.status_text.text() == "0%"
    assert rows(page)[1].offer.status_text.text() == "0%"


def test_the_advice_offers_no_download_before_it_is_known(
    page: DiscoverPage, hub: FakeHub, open_model: OpenModel
) -> None:
    hub.plan(Fault.STATUS, where=Where.HEAD, status=500)
    open_model()
    table = page.model_page.table
    assert table is not None
    assert not table.advice.offer.isVisible()


def test_the_requested_row_is_marked(page: DiscoverPage, open_model: OpenModel) -> None:
    open_model(f"{REPO}:Q8_0")
    assert rows(page)[2].mark.text() == "Requested"
    assert rows(page)[1].mark.text() == "Recommended"


def test_the_projector_is_shown_with_its_size(
    page: DiscoverPage, hub: FakeHub, open_model: OpenModel
) -> None:
    hub.repos[REPO] = hub_repo(projector_bytes=PROJECTOR.size_bytes)
    open_model()
    assert "with projector, 850" in words_of(page.model_page.table)


def test_draft_heads_in_their_own_file_are_shown_with_their_size(
    page: DiscoverPage, hub: FakeHub, open_model: OpenModel
) -> None:
    hub.repos[REPO] = hub_repo(heads_bytes=12_000_000)
    open_model()
    words = words_of(page.model_page.table)
    assert "with draft heads (MTP), 12.0 MB" in words
    assert "Each includes draft heads (MTP, 12.0 MB)" in words


def test_a_repository_without_models_requests_no_advice(
    page: DiscoverPage, client: AppClient, hub: FakeHub, open_model: OpenModel
) -> None:
    hub.repos[REPO] = hub_repo(sizes={})
    open_model()
    assert "No GGUF files" in words_of(page.model_page.table)
    assert not client.called("hub.advise")


def test_hundreds_of_rows_are_shown_in_portions(
    page: DiscoverPage, hub: FakeHub, open_model: OpenModel
) -> None:
    hub.repos[REPO] = hub_repo(sizes={f"Q4_{n}": SMALL["Q2_K"] + n for n in range(150)})
    open_model()
    table = page.model_page.table
    assert table is not None
    assert len(table.rows) == 60
    assert table.more.text() == "Show 90 more"
    table.more.click()
    assert len(table.rows) == 150
    assert not table.more.isVisible()


def test_a_missing_model_is_reported_with_a_way_back(page: DiscoverPage, open_model: OpenModel) -> None:
    open_model("no/such")
    note = page.model_page.state.note
    assert note is not None
    assert note.text == HubNotFound(what="no/such").sentence()
    page.model_page.state.buttons[-1].click()
    assert page.view is View.START


def test_a_failure_can_be_tried_again(page: DiscoverPage, hub: FakeHub, open_model: OpenModel) -> None:
    hub.plan(Fault.RESET, where=Where.API)
    open_model()
    assert [b.text() for b in page.model_page.state.buttons] == ["Try again", "Add a file you have…", "Back"]
    note = page.model_page.state.note
    assert note is not None
    assert note.title == "Qwen3 8B", "what the catalogue knows is shown"
    assert "A good all-rounder" in note.text
    assert "Apache 2.0" in note.text
    page.model_page.state.buttons[0].click()
    settled()
    assert page.model_page.state.note is None
    assert page.model_page.model is not None


def test_a_gated_page_leads_to_the_licence_and_to_the_settings(
    page: DiscoverPage, hub: FakeHub, open_model: OpenModel
) -> None:
    hub.plan(Fault.STATUS, where=Where.API, status=401, headers={"X-Error-Code": "GatedRepo"})
    open_model()
    text = [b.text() for b in page.model_page.state.buttons]
    assert text == ["Open licence page", "Open settings", "Back"]


def test_a_failed_page_is_retried_after_the_settings(
    page: DiscoverPage, hub: FakeHub, open_model: OpenModel
) -> None:
    hub.plan(Fault.STATUS, where=Where.API, status=401, headers={"X-Error-Code": "GatedRepo"})
    open_model()
    assert page.model_page.model is None
    page.hide()
    page.show()
    settled()
    assert page.model_page.model is not None


def test_the_back_button_of_the_mouse_goes_back(page: DiscoverPage, open_model: OpenModel) -> None:
    open_model()
    QTest.mouseClick(rows(page)[0], Qt.MouseButton.BackButton)
    assert page.view is View.START


def test_the_model_opened_last_is_shown(
    page: DiscoverPage, visible_controller: DiscoverController, client: AppClient
) -> None:
    client.hold("hub.model")
    visible_controller.open_model(REPO)
    visible_controller.open_model(OTHER)
    client.release("hub.model")
    settled()
    assert page.model_page.model is not None
    assert page.model_page.model.repo == OTHER


def test_a_late_page_is_not_shown_after_going_back(
    page: DiscoverPage, visible_controller: DiscoverController, client: AppClient
) -> None:
    client.hold("hub.model")
    visible_controller.open_model(REPO)
    page.model_page.back.click()
    client.release("hub.model")
    settled()
    assert page.view is View.START
    assert page.model_page.model is None


def test_a_hostile_page_is_shown_as_text(page: DiscoverPage, hub: FakeHub, open_model: OpenModel) -> None:
    hostile = "<b>x</b>&amp;\u202e" + "y" * 3000
    header = {"total": 1, "architecture": hostile, "context_length": 512}
    card = {"license": "other", "license_name": hostile, "base_model": hostile}
    hub.repos[REPO] = hub_repo(sizes={hostile[:200]: SMALL["Q2_K"]}, header=header, card=card)
    open_model()
    for label in page.findChildren(QLabel):
        assert label.textFormat() is Qt.TextFormat.PlainText
        assert "<b>" not in label.toolTip()
    content = page.model_page._scroll.widget()
    assert content is not None
    QApplication.processEvents()
    assert content.width() <= page.width(), "long words make nothing wider"


def test_a_narrow_page_needs_no_scrolling_sideways(page: DiscoverPage, open_model: OpenModel) -> None:
    page.resize(424, 700)
    open_model()
    QApplication.processEvents()
    viewport = page.model_page._scroll.viewport()
    widget = page.model_page._scroll.widget()
    assert widget is not None
    assert widget.width() <= viewport.width()
    for row in rows(page):
        assert row.mapTo(viewport, row.rect().topRight()).x() <= viewport.width()


def test_a_row_has_accessible_sentences(page: DiscoverPage, open_model: OpenModel) -> None:
    open_model()
    row = rows(page)[1]
    assert row.accessible_text.startswith(
        "Q4_K_M, Recommended. 4-bit, good balance. 262 kB. Runs on the CPU. About "
    )
    assert row.offer.buttons[0].accessibleDescription() == row.accessible_text
    assert row.offer.buttons[0].accessibleName() == "Download Qwen3-8B Q4_K_M"
