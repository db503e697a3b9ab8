"""The pages around models: finding them, downloads in every state, the library and the page of one model."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from fakes.fake_hub import FakeHub, Fault, Where
from fireside.bridge.client import EngineClient
from fireside.core.events import AppEvent
from fireside.core.hub import Download, DownloadId, DownloadsChanged, DownloadState
from fireside.settings.values import AppLayer
from fireside.ui.page import Page
from fireside.ui.shell.main_window import MainWindow
from tools.screenshots.shelves import DAMAGED, FAMILY, LOST

Picture = Callable[[str], Awaitable[None]]
"""Takes both pictures of what the window shows now, under a name."""

_SPEED_KB = 3_000
_SOON_S = 1.5
_FOREVER = 10_000


async def take_models(window: MainWindow, client: EngineClient, *, hub: FakeHub, picture: Picture) -> None:
    """Go from the first look at the hub to a library with downloads in it."""
    await _discover(window, picture=picture)
    await _download_one(client)
    await _downloads(window, client, hub=hub, picture=picture)
    window.show_page(Page.MODELS)
    await asyncio.sleep(_SOON_S)
    await picture("models")
    fetched = next(entry for entry in window.models.entries if entry.origin is not None)
    window.pages.library.show_model(fetched.path)
    await asyncio.sleep(_SOON_S)
    await picture("model-detail")
    window.pages.library.show_list()


async def _discover(window: MainWindow, *, picture: Picture) -> None:
    window.show_page(Page.DISCOVER)
    await asyncio.sleep(_SOON_S)
    await picture("find-models")
    page = window.pages.discover
    page.search.field.setText("instruct")
    await asyncio.sleep(2 * _SOON_S)
    await picture("search")
    window.pages.discover_controller.open_model(FAMILY)
    await asyncio.sleep(3 * _SOON_S)
    await picture("model-page")


async def _download_one(client: EngineClient) -> None:
    done = await client.hub.download_named(f"{FAMILY}:Q4_K_M")
    await _until(client, done, DownloadState.DONE)


async def _downloads(window: MainWindow, client: EngineClient, *, hub: FakeHub, picture: Picture) -> None:
    """One that runs, one that is paused, one that failed, one that waits for the network."""
    await client.settings.change(AppLayer(), key="hub.downloads_at_once", value=3)
    hub.plan(Fault.WRONG_BYTES, where=Where.CONTENT, times=_FOREVER)
    failed = await client.hub.download_named(f"{DAMAGED}:Q4_K_M")
    await _until(client, failed, DownloadState.FAILED)
    hub.stop_repeating(Fault.WRONG_BYTES)
    await client.settings.change(AppLayer(), key="hub.speed_limit_kb", value=_SPEED_KB)
    paused = await client.hub.download_named(f"{FAMILY}:Q6_K")
    await asyncio.sleep(2 * _SOON_S)
    await client.downloads.pause(paused)
    running = await client.hub.download_named(f"{FAMILY}:Q8_0")
    await asyncio.sleep(4 * _SOON_S)
    hub.plan(Fault.RESET, where=Where.CONTENT, times=_FOREVER)
    waiting = await client.hub.download_named(f"{LOST}:Q4_K_M")
    await _until(client, waiting, DownloadState.WAITING_FOR_NETWORK)
    window.show_page(Page.DOWNLOADS)
    await asyncio.sleep(_SOON_S)
    await picture("downloads")
    for download in (running, waiting, paused, failed):
        await client.downloads.cancel(download)


async def _until(client: EngineClient, download_id: DownloadId, state: DownloadState) -> None:
    """Wait until a download is in ``state``."""
    reached = asyncio.Event()

    def look(downloads: Sequence[Download]) -> None:
        if any(download.id == download_id and download.state is state for download in downloads):
            reached.set()

    def on_frame(events: tuple[AppEvent, ...]) -> None:
        for event in events:
            if isinstance(event, DownloadsChanged):
                look(event.downloads)

    client.frame.connect(on_frame)
    look((await client.snapshot()).downloads)
    await reached.wait()
    client.frame.disconnect(on_frame)
