"""The local API over a scripted engine."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fakes.api_harness import OPEN, ApiHarness, api_harness
from fireside.api.options import ApiOptions


@pytest.fixture
def options() -> ApiOptions:
    """How ``place`` serves; parametrised where a test wants something else than no token."""
    return OPEN


@pytest.fixture
async def harness(tmp_path: Path, starter_model_path: Path, options: ApiOptions) -> AsyncIterator[ApiHarness]:
    """A server whose engine answers “Hi”, or what ``place.engine.script`` is set to."""
    async with api_harness(tmp_path, starter=starter_model_path, options=options) as place:
        yield place
