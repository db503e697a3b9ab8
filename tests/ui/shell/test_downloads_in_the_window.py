"""From finding a model to downloading it and chatting, in one window."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.downloads import download_of
from fakes.fake_hub import FakeHub, Fault
from fakes.hub_with_model import REPO, SMALL, stock
from fakes.library_harness import LibraryHarness, Trash
from fakes.pointer import click
from fakes.window import WindowLog, page_of
from fireside.core.errors import HubOffline
from fireside.core.hub import DownloadsChanged, DownloadState
from fireside.settings.values import AppLayer
from fireside.ui.downloads.download_row import DownloadRow
from fireside.ui.page import Page
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.start import OfferCard

ShowWindow = Callable[..., MainWindow]


@pytest.fixture
def client(loop: asyncio.AbstractEventLoop, hub: FakeHub, tmp_path: Path) -> AppClient:
    """A client of a hub that holds a small model."""
    stock(hub)
    return AppClient(models=LibraryHarness(root=tmp_path, trash=Trash(tmp_path)).library(), hub=hub.endpoint)


def fetch(window: MainWindow) -> None:
    """Begin to download the model."""
    window.context.tasks.run(window.context.client.hub.download_named(f"{REPO}:Q4_K_M"))


def row_of(window: MainWindow, download_id: str) -> DownloadRow:
    row = window.pages.downloads.queue.row(download_id)
    assert row is not None
    return row


def test_the_queue_of_the_last_run_is_shown_at_once(client: AppClient, show_window: ShowWindow) -> None:
    client.keep_downloads(download_of("a", state=DownloadState.QUEUED))
    window = show_window()
    assert [row.download.id for row in window.pages.downloads.queue.rows] == ["a"]
    assert window.toast.text == "Interrupted downloads resume"


def test_a_download_is_shown_progresses_and_its_model_can_chat(
    qtbot: QtBot, hub: FakeHub, window: MainWindow, log: WindowLog
) -> None:
    half = len(hub.repos[REPO].files[SMALL]) // 2
    hub.plan(Fault.STALL, after=half, n_before=1)  # the first is what the page says
    fetch(window)
    qtbot.waitUntil(lambda: 0 < (window.sidebar.downloads.percent or 0) <= 50)
    hub.release()
    qtbot.waitUntil(lambda: window.toast.text == "tiny is ready")
    assert log.taskbar.shown[-1] is None
    window.toast.trigger_action()
    settled()
    assert window.page is Page.CHAT
    assert window.conversations.model_id == f"{REPO}:Q4_K_M"


def test_chat_on_a_finished_line_leads_to_the_chat(
    qtbot: QtBot, client: AppClient, window: MainWindow, log: WindowLog
) -> None:
    fetch(window)
    settled()
    (download,) = client.app.downloads.downloads
    qtbot.waitUntil(lambda: row_of(window, download.id).download.state is DownloadState.DONE)
    window.show_page(Page.DOWNLOADS)
    click(row_of(window, download.id).show_file)
    assert log.revealed == [str(client.library.folder / REPO / SMALL)]
    click(row_of(window, download.id).chat)
    settled()
    assert window.page is Page.CHAT
    assert window.conversations.model_id == f"{REPO}:Q4_K_M"


def test_each_empty_state_leads_to_the_models_of_the_hub(window: MainWindow) -> None:
    offer = window.chat.start.findChild(OfferCard)
    assert isinstance(offer, OfferCard)
    for leave, find in ((Page.DOWNLOADS, window.pages.downloads.empty_discover), (Page.CHAT, offer.others)):
        window.show_page(leave)
        click(find)
        assert window.page is Page.DISCOVER


def test_the_page_to_find_models_leads_to_the_downloads_and_the_library(window: MainWindow) -> None:
    window.show_page(Page.DISCOVER)
    window.pages.discover_controller.open_downloads()
    assert window.page is Page.DOWNLOADS
    window.pages.discover_controller.router.show_page(Page.MODELS)
    assert page_of(window) is Page.MODELS


def test_a_failure_for_being_offline_leads_to_the_switch(client: AppClient, window: MainWindow) -> None:
    client.publish(
        DownloadsChanged(downloads=(download_of("a", state=DownloadState.FAILED, error=HubOffline().info()),))
    )
    window.show_page(Page.DOWNLOADS)
    click(row_of(window, "a").recovery.settings)
    settled()
    assert window.page is Page.SETTINGS
    assert window.pages.settings.list.row("hub.offline").editor.fields()[0].hasFocus()


def test_a_full_disk_leads_to_the_librarys_disk_use(client: AppClient, window: MainWindow) -> None:
    client.publish(DownloadsChanged(downloads=(download_of("a", state=DownloadState.WAITING_FOR_SPACE),)))
    window.show_page(Page.DOWNLOADS)
    click(row_of(window, "a").recovery.free_space)
    settled()
    assert window.page is Page.MODELS
    assert client.called("models.disk_use") == [()]


def test_the_page_to_find_models_hears_of_the_offline_switch(client: AppClient, window: MainWindow) -> None:
    window.show_page(Page.DISCOVER)
    settled()
    assert window.pages.discover.notices.texts == ()
    client.layers[AppLayer()] = {"hub.offline": True}
    window.context.tasks.run(client.settings.change(AppLayer(), key="hub.offline", value=True))
    settled()
    assert len(window.pages.discover.notices.texts) == 1


def test_closing_while_downloads_run_asks_nothing(
    client: AppClient, window: MainWindow, log: WindowLog
) -> None:
    client.publish(DownloadsChanged(downloads=(download_of("a"),)))
    window.close()
    assert len(log.closed) == 1
    assert log.taskbar.shown[-1] is None


@pytest.mark.parametrize("page", [Page.CHAT, Page.SETTINGS])
def test_a_failed_download_is_reported_on_every_page(
    client: AppClient, window: MainWindow, page: Page
) -> None:
    begun = download_of("a")
    client.publish(DownloadsChanged(downloads=(begun,)))
    window.show_page(page)
    client.publish(DownloadsChanged(downloads=(download_of("a", state=DownloadState.FAILED),)))
    assert window.toast.text == "Download of a failed"
    window.toast.trigger_action()
    assert window.page is Page.DOWNLOADS


def test_a_toast_moves_above_the_composer_when_the_chat_is_shown(qtbot: QtBot, window: MainWindow) -> None:
    window.show_page(Page.DOWNLOADS)
    window.toast.show_message("Something happened.")
    low = window.toast.geometry().bottom()
    window.show_page(Page.CHAT)
    composer = window.chat.composer
    qtbot.waitUntil(lambda: window.toast.geometry().bottom() < low)
    assert window.toast.geometry().bottom() < composer.mapTo(window.right, composer.rect().topLeft()).y()


def test_a_toast_covers_no_message_that_was_just_read(qtbot: QtBot, window: MainWindow) -> None:
    window.show_page(Page.CHAT)
    window.toast.show_message("Exported.")
    pane = window.chat.stack
    top = pane.mapTo(window.right, pane.rect().topLeft()).y()
    qtbot.waitUntil(lambda: window.toast.isVisible())
    assert top <= window.toast.geometry().top()
    assert window.toast.geometry().bottom() < top + pane.height() / 3


def test_a_toast_is_below_the_search_in_a_chat(client: AppClient, window: MainWindow) -> None:
    window.conversations.open(client.add_conversation("Bread", turns=("Why?", "Because.")))
    settled()
    window.toast.show_message("Exported.")
    window.chat.transcript.finder.open()
    bar = window.chat.transcript.finder.bar
    assert window.toast.geometry().top() > bar.mapTo(window.right, bar.rect().bottomLeft()).y()
    free = window.toast.geometry().top()
    window.chat.transcript.finder.close()
    assert window.toast.geometry().top() < free
