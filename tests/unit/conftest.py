"""What tests of one module at a time share."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fakes.app_place import Place, Run, Scenario, app_place
from fakes.engine import Script
from fireside.storage.store import MEMORY, Store


@pytest.fixture
async def store() -> AsyncIterator[Store]:
    """An empty database in memory."""
    async with await Store.open(MEMORY, clock=time.time) as store:
        yield store


@pytest.fixture
async def place(tmp_path: Path, starter_model_path: Path) -> AsyncIterator[Place]:
    """An app whose engine answers “Hi”, or what ``place.engine.script`` is set to."""
    async with app_place(tmp_path, starter=starter_model_path) as place:
        yield place


@pytest.fixture
def run(tmp_path: Path, starter_model_path: Path) -> Run:
    """Return what runs a scenario in an app of its own, in a loop of its own."""

    def in_place(script: Script, scenario: Scenario) -> None:
        async def inner() -> None:
            async with app_place(tmp_path, starter=starter_model_path, script=script) as place:
                await scenario(place)

        asyncio.run(inner())

    return in_place
