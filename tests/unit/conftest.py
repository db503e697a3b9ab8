"""What tests of one module at a time share."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from fakes.app_place import Run, Scenario, app_place
from fakes.engine import Script


@pytest.fixture
def run(tmp_path: Path, starter_model_path: Path) -> Run:
    """Return what runs a scenario in an app of its own, in a loop of its own."""

    def in_place(script: Script, scenario: Scenario) -> None:
        async def inner() -> None:
            async with app_place(tmp_path, starter=starter_model_path, script=script) as place:
                await scenario(place)

        asyncio.run(inner())

    return in_place
