"""A whole app with a hub on loopback."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from fakes.app_place import HubScenario, RunWithHub, app_place
from fakes.fake_hub import fake_hub
from fakes.hub_shelf import hub_settings, stock


@pytest.fixture
def run_with_hub(tmp_path: Path, starter_model_path: Path) -> RunWithHub:
    """Return what runs a scenario in an app of its own, with a model on the hub."""

    def in_place(scenario: HubScenario, /, **environ: str) -> None:
        async def inner() -> None:
            with fake_hub() as hub:
                stock(hub)
                settings = {**hub_settings(hub), **environ}
                async with app_place(tmp_path, starter=starter_model_path, environ=settings) as place:
                    try:
                        await scenario(place, hub)
                    finally:
                        hub.release()

        asyncio.run(inner())

    return in_place
