"""A newcomer's first model: one is named, downloaded in place when asked, and used when it arrives."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.fake_hub import FakeHub, Fault
from fakes.hub_models import catalogue_model, write_catalogue
from fakes.hub_with_model import REPO, SMALL, stock
from fakes.library_harness import LibraryHarness, Trash
from fakes.model_entries import entry_of, starter_spec
from fakes.pointer import click
from fakes.window import build_window
from fireside.core.errors import HubOffline
from fireside.core.hub import DownloadState
from fireside.ui import models_view
from fireside.ui.page import Page
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.start import OfferCard
from fireside.ui.tasks import TaskRunner

ShowWindow = Callable[..., MainWindow]


@pytest.fixture
def client(loop: asyncio.AbstractEventLoop, hub: FakeHub, tmp_path: Path) -> AppClient:
    """A client without a model, of a hub that holds the only one of the catalogue."""
    stock(hub)
    return AppClient(
        models=LibraryHarness(root=tmp_path, trash=Trash(tmp_path)).library(),
        hub=hub.endpoint,
        catalogue=write_catalogue(tmp_path / "catalogue.json", catalogue_model(REPO, name="Tiny")),
    )


def card_of(window: MainWindow) -> OfferCard:
    card = window.chat.start.findChild(OfferCard)
    assert isinstance(card, OfferCard)
    return card


@pytest.fixture
def card(window: MainWindow) -> OfferCard:
    settled()
    return card_of(window)


def test_one_model_is_named_with_its_size_and_nothing_leaves(card: OfferCard, hub: FakeHub) -> None:
    assert card.isVisible()
    assert card.title.text() == "Tiny suits this computer"
    assert card.download.text() == "Download Tiny (5.0 GB)"
    assert "About 7 minutes at 100 Mbit/s" in card.facts.text()
    assert "Apache 2.0" in card.facts.text()
    assert hub.seen == []


def test_the_model_arrives_in_the_chat_that_was_begun(
    qtbot: QtBot, hub: FakeHub, window: MainWindow, card: OfferCard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models_view, "SMALL_MODEL_PARAMS", 1000)  # that of the hub is a tiny one
    hub.plan(Fault.STALL, after=len(hub.repos[REPO].files[SMALL]) // 2, n_before=1)
    click(card.download)
    qtbot.waitUntil(lambda: card.bar.isVisible() and card.bar.value() > 0)
    assert not card.download.isVisible()
    assert window.focusWidget() is window.chat.composer.editor
    QTest.keyClicks(window.chat.composer.editor, "Kept")
    hub.release()
    qtbot.waitUntil(lambda: window.conversations.model_id == f"{REPO}:Q4_K_M")
    settled()
    assert not card.isVisible()
    assert window.chat.composer.text() == "Kept"
    assert window.chat.composer.reason_not_to_send() == ""
    assert window.focusWidget() is window.chat.composer.editor


def test_no_model_is_chosen_for_a_chat_that_is_read_meanwhile(
    qtbot: QtBot, window: MainWindow, card: OfferCard, client: AppClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen: list[str] = []
    monkeypatch.setattr(window.conversations, "choose_model", chosen.append)
    made = client.add_conversation("A chat", turns=("Why?", "Because."))
    window.conversations.open(made)
    settled()
    card.download.click()
    qtbot.waitUntil(lambda: [each.state for each in window.downloads_view.downloads] == [DownloadState.DONE])
    settled()
    assert chosen == []


def test_a_download_can_be_cancelled_and_begun_again(
    qtbot: QtBot, hub: FakeHub, window: MainWindow, card: OfferCard
) -> None:
    hub.plan(Fault.STALL, after=1000, n_before=1)
    click(card.download)
    qtbot.waitUntil(lambda: bool(window.downloads_view.downloads))
    click(card.cancel)
    qtbot.waitUntil(lambda: card.download.isVisible() and not card.bar.isVisible())
    assert window.downloads_view.downloads == ()
    hub.release()


def test_what_keeps_it_from_beginning_is_said_beside_other_ways(
    client: AppClient, window: MainWindow, card: OfferCard
) -> None:
    client.fail("hub.download_named", HubOffline())
    click(card.download)
    settled()
    assert card.problem.text() == HubOffline().sentence()
    assert card.download.isVisible()
    assert card.download.isEnabled()
    assert card.add_file.isVisible()
    click(card.others)
    assert window.page is Page.DISCOVER


def test_where_no_model_fits_that_is_said(client: AppClient, show_window: ShowWindow) -> None:
    client.machine.memory_free_bytes = 10_000_000
    card = card_of(show_window())
    settled()
    assert "No model of our list fits" in card.title.text()
    assert not card.download.isVisible()
    assert card.others.isVisible()


def test_who_has_a_model_to_work_with_gets_no_offer(qtbot: QtBot, tasks: TaskRunner) -> None:
    large = replace(starter_spec(), n_params=8_000_000_000)
    window = build_window(AppClient(models=[entry_of(large)]), tasks=tasks)
    qtbot.addWidget(window)
    window.show()
    settled()
    assert window.models.is_known
    assert window.chat.start.findChild(OfferCard) is None
    assert "sky is blue" in window.chat.start.suggestions[0]
