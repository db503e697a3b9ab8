"""A hub on loopback, and a place to fetch from it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.fake_hub import FakeHub, fake_hub, gguf_bytes
from fakes.hub_place import BLOCK, HubPlace


@pytest.fixture
def hub() -> Iterator[FakeHub]:
    with fake_hub() as hub:
        yield hub


@pytest.fixture
def place(hub: FakeHub, tmp_path: Path) -> Iterator[HubPlace]:
    """A file of eleven blocks, the last of them short."""
    place = HubPlace(hub, tmp_path / "models", content=gguf_bytes(10 * BLOCK + 777))
    yield place
    place.session.close()
