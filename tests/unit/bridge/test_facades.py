"""Each request of the window reaches the service that it is for, with what it was given."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import pytest

from fakes.hub_models import REPO, hub_model
from fireside.bridge.thread_hub_client import ThreadHubClient
from fireside.bridge.thread_library_client import ThreadLibraryClient
from fireside.bridge.thread_runtime_client import ThreadRuntimeClient
from fireside.core.discovery import ModelQuery, TokenPlace
from fireside.core.hub import DownloadId
from fireside.core.ids import ModelId

ID = DownloadId("d")
MODEL = ModelId("m")
PAGE = hub_model()


class Service:
    """Stands for the app and everything in it: says which method was called, with what."""

    def __init__(self, name: str = "") -> None:
        self._name = name

    def __getattr__(self, name: str) -> Service:
        return Service(f"{self._name}.{name}".removeprefix("."))

    async def __call__(self, *given: object, **named: object) -> tuple[object, ...]:
        return (self._name, *given, *named.values())


async def ask(call: Callable[[Any], Coroutine[object, object, Any]], /) -> Any:
    return await call(Service())


HUB = ThreadHubClient(ask)
LIBRARY = ThreadLibraryClient(ask)
RUNTIMES = ThreadRuntimeClient(ask)


@pytest.mark.parametrize(
    ("request_", "reached"),
    [
        (lambda: HUB.catalogue(), ("hub.catalogue",)),
        (lambda: HUB.search(ModelQuery(), page="2"), ("hub.search", ModelQuery(), "2")),
        (lambda: HUB.model(REPO), ("hub.model", REPO)),
        (lambda: HUB.advise(PAGE), ("hub.advise", PAGE)),
        (lambda: HUB.download(PAGE, path="x"), ("hub.download", PAGE, "x")),
        (lambda: HUB.download_named(REPO), ("hub.download_named", REPO)),
        (lambda: HUB.test_hub(), ("hub.test",)),
        (lambda: HUB.keep_token("t", place=TokenPlace.FILE), ("token.keep", "t", TokenPlace.FILE)),
        (lambda: HUB.token_place(), ("token.place",)),
        (lambda: LIBRARY.removal("p"), ("models.removal", "p")),
        (lambda: LIBRARY.model_detail("p"), ("models.detail", "p")),
        (lambda: LIBRARY.disk_use(), ("models.disk_use",)),
        (lambda: LIBRARY.find_updates(), ("hub.find_updates",)),
        (lambda: RUNTIMES.runtimes(), ("runtimes.choice",)),
        (lambda: RUNTIMES.add_runtime("p"), ("runtimes.add", "p")),
        (lambda: RUNTIMES.test_runtime("r"), ("runtimes.test", "r")),
        (lambda: RUNTIMES.roll_back_runtime(model_id=MODEL), ("runtimes.roll_back", MODEL)),
    ],
)
def test_what_is_asked_comes_back_from_its_service(
    request_: Callable[[], Awaitable[object]], reached: tuple[object, ...]
) -> None:
    async def story() -> None:
        assert await request_() == reached

    asyncio.run(story())


@pytest.mark.parametrize(
    ("request_", "reached"),
    [
        (lambda hub, _: hub.pause_download(ID), ("downloads.pause", ID)),
        (lambda hub, _: hub.resume_download(ID), ("downloads.resume", ID)),
        (lambda hub, _: hub.cancel_download(ID), ("downloads.cancel", ID)),
        (lambda hub, _: hub.move_download(ID, position=3), ("downloads.move", ID, 3)),
        (lambda hub, _: hub.clear_done_downloads(), ("downloads.clear_done",)),
        (lambda hub, _: hub.forget_token(), ("token.forget",)),
        (lambda _, library: library.rename_model(MODEL, name="n"), ("models.rename", MODEL, "n")),
        (lambda _, library: library.tag_model(MODEL, tags=["t"]), ("models.tag", MODEL, ["t"])),
        (
            lambda _, library: library.mark_favourite(MODEL, favourite=True),
            ("models.mark_favourite", MODEL, True),
        ),
        (lambda _, library: library.check_model("p", repair=True), ("verification.begin", "p", True)),
        (lambda _, library: library.cancel_check("p"), ("verification.cancel", "p")),
        (lambda _, library: library.move_library("f"), ("library_move.begin", "f")),
        (lambda _, library: library.cancel_move(), ("library_move.cancel",)),
    ],
)
def test_what_is_told_reaches_its_service(
    request_: Callable[[ThreadHubClient, ThreadLibraryClient], Awaitable[None]], reached: tuple[object, ...]
) -> None:
    seen: list[object] = []

    async def listening(call: Callable[[Any], Coroutine[object, object, Any]], /) -> Any:
        seen.append(await call(Service()))

    async def story() -> None:
        await request_(ThreadHubClient(listening), ThreadLibraryClient(listening))

    asyncio.run(story())
    assert seen == [reached]
