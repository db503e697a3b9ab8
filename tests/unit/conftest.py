"""What tests of one module at a time share."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fakes.app_harness import AppHarness, app_harness
from fireside.storage.store import MEMORY, Store


@pytest.fixture
async def store() -> AsyncIterator[Store]:
    """An empty database in memory."""
    async with await Store.open(MEMORY, clock=time.time) as store:
        yield store


@pytest.fixture
async def harness(tmp_path: Path, starter_model_path: Path) -> AsyncIterator[AppHarness]:
    """An app whose engine answers “Hi”, or what ``place.engine.script`` is set to."""
    async with app_harness(tmp_path, starter=starter_model_path) as place:
        yield place
