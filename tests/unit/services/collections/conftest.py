"""Fixtures of the collection tests."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fakes.collections_harness import CollectionsHarness


@pytest.fixture
async def harness(tmp_path: Path) -> AsyncIterator[CollectionsHarness]:
    made = CollectionsHarness(tmp_path)
    yield made
    await made.service.close()
