"""Fixtures: a hub on loopback, and a library folder to download into."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.fake_hub import TOKEN, FakeHub, fake_hub, gguf_bytes
from fakes.hub_harness import BLOCK, HubHarness
from fakes.search_corpus import fill_shelf
from fireside.hub.http_client import Timeouts
from fireside.hub.hub_session import HubSession


@pytest.fixture
def hub() -> Iterator[FakeHub]:
    with fake_hub() as hub:
        yield hub


@pytest.fixture
def shelf(hub: FakeHub) -> FakeHub:
    """A hub with some models on it."""
    fill_shelf(hub)
    return hub


@pytest.fixture
def session(hub: FakeHub) -> Iterator[HubSession]:
    """A session without a token."""
    session = HubSession(endpoint=hub.endpoint, timeouts=Timeouts(connect_s=5.0, read_s=5.0))
    yield session
    session.close()


@pytest.fixture
def with_token(hub: FakeHub) -> Iterator[HubSession]:
    session = HubSession(endpoint=hub.endpoint, token=lambda _: TOKEN)
    yield session
    session.close()


@pytest.fixture
def harness(hub: FakeHub, tmp_path: Path) -> Iterator[HubHarness]:
    """A repository with a file of eleven blocks, the last one shorter."""
    harness = HubHarness(hub, tmp_path / "models", content=gguf_bytes(10 * BLOCK + 777))
    yield harness
    harness.session.close()
