"""Each request about exports, imports and backups reaches the service that it is for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import pytest

from fireside.bridge.thread_transfer_client import ThreadTransferClient
from fireside.core.ids import ConversationId
from fireside.core.transfer import ExportFormat

ID = ConversationId(3)


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


CLIENT = ThreadTransferClient(ask, publish=lambda _event: None)


@pytest.mark.parametrize(
    ("request_", "reached"),
    [
        (
            lambda: CLIENT.export((ID,), form=ExportFormat.HTML, target="x"),
            ("transfer.export", (ID,), ExportFormat.HTML, "x"),
        ),
        (lambda: CLIENT.import_files(["a"]), ("transfer.import_files", ["a"])),
        (lambda: CLIENT.holds_conversations(["a"]), ("transfer.holds_conversations", ["a"])),
        (lambda: CLIENT.backups(), ("backups.state",)),
        (lambda: CLIENT.back_up(), ("backups.back_up",)),
        (lambda: CLIENT.restore_backup("p"), ("backups.restore", "p")),
    ],
)
def test_what_is_asked_comes_back_from_its_service(
    request_: Callable[[], Awaitable[object]], reached: tuple[object, ...]
) -> None:
    async def story() -> None:
        assert await request_() == reached

    asyncio.run(story())
