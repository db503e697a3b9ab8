"""Hop from the GUI thread to the engine thread's loop and back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Protocol, TypeVar

from fireside.bridge.engine_thread import EngineThread
from fireside.chat.app import App

T = TypeVar("T")


class Ask(Protocol):
    """Runs ``call`` with the app on its own loop and returns what it returns. GUI thread only."""

    async def __call__(self, call: Callable[[App], Coroutine[object, object, T]], /) -> T: ...


def asking(thread: EngineThread[App]) -> Ask:
    """Return what asks the app that lives on ``thread``. Cancelling the wait cancels the call."""

    async def ask(call: Callable[[App], Coroutine[object, object, T]], /) -> T:
        return await asyncio.wrap_future(thread.submit(call))

    return ask
