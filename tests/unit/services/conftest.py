"""Fixtures: a whole app with a hub on loopback."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from fakes.app_harness import AppHarness, app_harness
from fakes.fake_hub import FakeHub, fake_hub
from fakes.hub_with_model import hub_settings, stock


@pytest.fixture
def hub() -> Iterator[FakeHub]:
    """A hub with a model."""
    with fake_hub() as hub:
        stock(hub)
        yield hub


@pytest.fixture
async def harness(tmp_path: Path, starter_model_path: Path, hub: FakeHub) -> AsyncIterator[AppHarness]:
    """An app that uses ``hub``."""
    async with app_harness(tmp_path, starter=starter_model_path, environ=hub_settings(hub)) as place:
        yield place
        hub.release()
