"""The local API over a scripted engine."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fakes.api_place import ApiPlace, api_place


@pytest.fixture
async def place(tmp_path: Path, starter_model_path: Path) -> AsyncIterator[ApiPlace]:
    """A server that wants no token; its engine answers “Hi”, or what ``place.engine.script`` is set to."""
    async with api_place(tmp_path, starter=starter_model_path) as place:
        yield place
