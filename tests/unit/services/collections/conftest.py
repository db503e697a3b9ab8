"""What tests of collections share."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from fakes.shelf import Play, Scenario, Shelf


@pytest.fixture
def play(tmp_path: Path) -> Play:
    def run(scenario: Scenario) -> None:
        async def body() -> None:
            shelf = Shelf(tmp_path)
            try:
                await scenario(shelf)
            finally:
                await shelf.service.close()

        asyncio.run(body())

    return run
