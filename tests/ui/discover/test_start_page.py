"""The suggested models of the start page."""

from __future__ import annotations

import asyncio

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.fake_hub import FakeHub, Fault, Where
from fakes.fake_machine import GIB
from fakes.hub_models import REPO, SMALL, catalogue_model
from fakes.model_entries import entry_of, starter_spec
from fakes.visible_text import words_of
from fireside.core.discovery import FitEstimate
from fireside.core.errors import FiresideError, HubOffline
from fireside.core.fit import Placement, SpeedRange
from fireside.core.hub import DownloadProgressed
from fireside.core.ids import ModelId
from fireside.core.options import Purpose
from fireside.settings.values import AppLayer
from fireside.ui.discover import DiscoverController, DiscoverPage
from fireside.ui.discover.availability import catalogue_key
from fireside.ui.discover.discover_page import View
from fireside.ui.discover.start_page import CatalogueCard
from fireside.ui.models_view import ModelsView
from fireside.ui.page import Page
from fireside.ui.window_context import HUB_ACCESS_ROW

NAME = f"{REPO}:Q4_K_M"
ID = ModelId(NAME)
GATED = {"X-Error-Code": "GatedRepo"}


@pytest.fixture
def card(visible_controller: DiscoverController, page: DiscoverPage) -> CatalogueCard:
    return page.start.cards[0]


def button_words(card: CatalogueCard) -> list[str]:
    return [button.text().strip() for button in card.offer.buttons]


def test_a_card_shows_the_facts(card: CatalogueCard, page: DiscoverPage) -> None:
    text = words_of(card)
    for fact in ("Qwen3 8B", "Alibaba", "can think before", "8.19B parameters", "5.0 GB", "Apache 2.0"):
        assert fact in text
    assert "Vision" not in text
    assert "Vision" in words_of(page.start.cards[1])
    assert "Small" in words_of(page.start.cards[1])


def test_the_start_page_sends_no_request(card: CatalogueCard, hub: FakeHub) -> None:
    assert card.isVisible()
    assert hub.seen == []


def test_cards_stay_when_the_page_is_shown_again_unless_they_fit_otherwise(
    card: CatalogueCard, page: DiscoverPage, client: AppClient
) -> None:
    page.hide()
    page.show()
    settled()
    assert page.start.cards[0] is card
    client.machine.memory_free_bytes = GIB
    page.hide()
    page.show()
    settled()
    assert "Does not fit" in page.start.cards[0].outlook.words.text()


def test_a_click_opens_the_models_page(card: CatalogueCard, page: DiscoverPage, client: AppClient) -> None:
    QTest.mouseClick(card, Qt.MouseButton.LeftButton, pos=QPoint(30, 20))
    settled()
    assert page.view is View.MODEL
    assert client.called("hub.model") == [(REPO,)]


def test_a_press_released_elsewhere_opens_nothing(card: CatalogueCard, page: DiscoverPage) -> None:
    QTest.mousePress(card, Qt.MouseButton.LeftButton, pos=QPoint(30, 20))
    QTest.mouseRelease(card, Qt.MouseButton.LeftButton, pos=QPoint(-50, -50))
    assert page.view is View.START


def test_a_click_beside_the_button_opens_nothing(card: CatalogueCard, page: DiscoverPage) -> None:
    QTest.mouseClick(card.offer, Qt.MouseButton.LeftButton, pos=QPoint(1, 1))
    assert page.view is View.START


def test_download_requests_the_suggested_quant_once(
    card: CatalogueCard, client: AppClient, hub: FakeHub
) -> None:
    hub.plan(Fault.STALL)
    client.hold("hub.download_named")
    card.offer.buttons[0].click()
    assert button_words(card) == ["Loading…"]
    card.offer.buttons[0].click()
    client.release("hub.download_named")
    settled()
    assert client.called("hub.download_named") == [(NAME,)]
    assert card.offer.status_text.text() == "0%"


def test_a_card_follows_its_download(qtbot: QtBot, card: CatalogueCard, hub: FakeHub) -> None:
    hub.plan(Fault.STALL, after=SMALL["Q4_K_M"] // 2)
    card.offer.buttons[0].click()
    settled()
    qtbot.waitUntil(lambda: card.offer.status_text.text() == "50%")
    assert card.offer.bar.isVisible()
    hub.release()
    qtbot.waitUntil(lambda: button_words(card) == ["Chat"])


def test_a_running_download_links_to_the_downloads(
    card: CatalogueCard, router_calls: list[tuple[object, ...]], hub: FakeHub
) -> None:
    hub.plan(Fault.STALL)
    card.offer.buttons[0].click()
    settled()
    card.offer.buttons[0].click()
    assert router_calls[-1] == ("show_page", Page.DOWNLOADS)


def test_a_paused_download_can_be_resumed(
    qtbot: QtBot, card: CatalogueCard, client: AppClient, hub: FakeHub
) -> None:
    hub.plan(Fault.STALL)
    card.offer.buttons[0].click()
    settled()
    [download] = client.app.downloads.downloads
    client.wait_until(asyncio.ensure_future(client.downloads.pause(download.id)).done)
    assert button_words(card) == ["Resume"]
    assert not card.offer.note.isVisible()
    card.offer.buttons[0].click()
    qtbot.waitUntil(lambda: button_words(card) == ["Chat"])


def test_a_failed_download_can_be_retried(qtbot: QtBot, card: CatalogueCard, hub: FakeHub) -> None:
    hub.plan(Fault.STATUS, where=Where.HEAD, status=403)
    card.offer.buttons[0].click()
    settled()
    qtbot.waitUntil(lambda: button_words(card) == ["Try again"])
    assert card.offer.note.isVisible()
    card.offer.buttons[0].click()
    settled()
    assert not card.offer.note.isVisible()
    qtbot.waitUntil(lambda: button_words(card) == ["Chat"])


def test_a_model_of_the_library_offers_the_chat(
    card: CatalogueCard, router_calls: list[tuple[object, ...]], models: ModelsView
) -> None:
    spec = msgspec.structs.replace(starter_spec(), id=ID, quantization="Q4_K_M")
    models.set_entries([entry_of(spec)])
    card.offer.buttons[0].click()
    assert router_calls[-1] == ("use_model", ID)


def test_a_model_that_cannot_chat_links_to_the_library(
    card: CatalogueCard, router_calls: list[tuple[object, ...]], models: ModelsView
) -> None:
    spec = msgspec.structs.replace(starter_spec(), id=ID, quantization="Q4_K_M", purpose=Purpose.EMBED)
    models.set_entries([entry_of(spec)])
    assert card.offer.status_text.text() == "Downloaded"
    card.offer.buttons[0].click()
    assert router_calls[-1] == ("show_page", Page.MODELS)


def test_offline_the_cards_show_why_nothing_is_downloaded(
    client: AppClient,
    card: CatalogueCard,
    page: DiscoverPage,
    router_calls: list[tuple[object, ...]],
    visible_controller: DiscoverController,
) -> None:
    visible_controller._tasks.run(client.settings.change(AppLayer(), key="hub.offline", value=True))
    settled()
    assert page.notices.texts[0].startswith("Offline mode is on")
    card.offer.buttons[0].click()
    settled()
    assert card.isVisible()
    assert card.offer.note.message.text() == HubOffline().sentence()
    card.offer.note.buttons[0].click()
    assert router_calls[-1] == ("show_setting", HUB_ACCESS_ROW)
    visible_controller._tasks.run(client.settings.change(AppLayer(), key="hub.offline", value=False))
    settled()
    assert not card.offer.note.isVisible()
    assert not page.notices.has("offline")


def test_a_gated_model_leads_to_its_page_and_to_the_settings(card: CatalogueCard, hub: FakeHub) -> None:
    hub.plan(Fault.STATUS, where=Where.API, status=401, headers=GATED)
    card.offer.buttons[0].click()
    settled()
    assert [b.text() for b in card.offer.note.buttons] == ["Open licence page", "Open settings"]
    assert button_words(card) == ["Download"]


def test_errors_are_cleared_when_the_page_is_shown_again(
    card: CatalogueCard, page: DiscoverPage, hub: FakeHub
) -> None:
    hub.plan(Fault.STATUS, where=Where.API, status=401, headers=GATED)
    card.offer.buttons[0].click()
    settled()
    assert card.offer.note.isVisible()
    page.hide()
    page.show()
    settled()
    assert not card.offer.note.isVisible()


def test_progress_takes_no_focus(qtbot: QtBot, card: CatalogueCard, client: AppClient, hub: FakeHub) -> None:
    hub.plan(Fault.STALL)
    card.offer.buttons[0].setFocus()
    QTest.keyClick(card.offer.buttons[0], Qt.Key.Key_Space)
    settled()
    assert card.offer.buttons[0].hasFocus(), "the button that took its place"
    button = card.offer.buttons[0]
    qtbot.waitUntil(lambda: any(isinstance(event, DownloadProgressed) for event in client.seen))
    assert card.offer.buttons[0] is button


def test_a_hidden_page_is_updated_when_it_is_shown(
    card: CatalogueCard, page: DiscoverPage, models: ModelsView
) -> None:
    page.hide()
    spec = msgspec.structs.replace(starter_spec(), id=ID, quantization="Q4_K_M")
    models.set_entries([entry_of(spec)])
    assert button_words(card) == ["Download"]
    page.show()
    settled()
    assert button_words(card) == ["Chat"]


def test_hostile_text_is_shown_literally(
    visible_controller: DiscoverController, page: DiscoverPage, errors: list[FiresideError]
) -> None:
    hostile = "<b>x</b>&amp;\u202e"
    page.start.set_models([msgspec.structs.replace(catalogue_model(), name=hostile, about=hostile)])
    for label in page.start.cards[0].findChildren(QLabel):
        assert label.textFormat() is Qt.TextFormat.PlainText
    assert not errors


def test_cards_have_two_columns_in_a_wide_window(
    qtbot: QtBot, card: CatalogueCard, page: DiscoverPage
) -> None:
    page.start.set_models([catalogue_model(), catalogue_model("a/b", name="Other")])
    first, second = page.start.cards
    qtbot.waitUntil(lambda: first.y() == second.y() and first.x() < second.x())
    page.resize(560, 800)
    qtbot.waitUntil(lambda: first.x() == second.x() and first.y() < second.y())


def test_each_card_shows_its_fit(card: CatalogueCard) -> None:
    settled()
    assert card.outlook.words.text() == "Slow (about 2 tokens/s)"
    assert "tokens/s" in card.accessibleDescription()


def test_the_model_for_this_computer_stands_out(page: DiscoverPage, card: CatalogueCard) -> None:
    assert [each.offer.buttons[0].property("kind") for each in page.start.cards] == ["primary", None]
    words = words_of(page.start)
    assert words.index("For this computer") < words.index("Qwen3 8B") < words.index("Run slowly here")


def test_what_does_not_fit_right_now_is_apart_from_what_never_fits(
    card: CatalogueCard, page: DiscoverPage
) -> None:
    assert card.isVisible()
    models = [catalogue_model(f"a/{name}-GGUF", name=name) for name in ("now", "never")]
    estimates = {
        catalogue_key(model): FitEstimate(where=where, n_bytes=1, speed=None, obstacle=f"{where}.")
        for model, where in zip(models, (Placement.NOT_NOW, Placement.NOWHERE), strict=True)
    }
    page.start.set_models(models, estimates=estimates)
    words = words_of(page.start)
    assert "Do not fit right now" in words
    assert "No model of our list fits" in words
    assert "Too large for this computer" in words
    roles = [each.outlook.words.property("role") for each in page.start.cards]
    assert roles == ["warning", "error"]


def test_nothing_moves_when_a_verdict_arrives(page: DiscoverPage) -> None:
    page.start.set_models([catalogue_model()])
    settled()
    [card] = page.start.cards
    before = card.offer.pos()
    card.show_outlook(FitEstimate(where=Placement.PROCESSOR, n_bytes=1, speed=SpeedRange(low=5, high=9)))
    settled()
    assert card.offer.pos() == before


def test_a_file_of_this_computer_can_be_added(card: CatalogueCard, page: DiscoverPage) -> None:
    assert card.isVisible()
    page.start.add_own.click()
    [dialog] = page.findChildren(QFileDialog)
    assert dialog.isVisible()
    dialog.reject()
