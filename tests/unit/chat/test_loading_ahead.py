"""The window preloads a model at its first start; commands do not."""

from __future__ import annotations

import asyncio
from pathlib import Path

from fakes.app_harness import app_harness


def loaded_by_the_start(folder: Path, starter: Path, *, goes_on: bool) -> int:
    async def inner() -> int:
        async with app_harness(folder, starter=starter, goes_on=goes_on) as place:
            if place.app._preload is not None:
                await place.app.snapshot()
                await place.app._preload
            return len(place.engine.loaded)

    return asyncio.run(inner())


def test_the_window_loads_the_first_model_on_its_first_start(
    tmp_path: Path, starter_model_path: Path
) -> None:
    assert loaded_by_the_start(tmp_path, starter_model_path, goes_on=True) == 1


def test_a_command_preloads_nothing(tmp_path: Path, starter_model_path: Path) -> None:
    assert loaded_by_the_start(tmp_path, starter_model_path, goes_on=False) == 0


async def test_the_model_used_last_is_loaded_where_the_user_wants_that(
    tmp_path: Path, starter_model_path: Path
) -> None:
    async def begin_again(*, wanted: bool) -> int:
        environ = {"FIRESIDE_ENGINE_LOAD_LAST_MODEL": "true"} if wanted else {}
        async with app_harness(
            tmp_path, starter=starter_model_path, database=tmp_path / "chats.db", environ=environ
        ) as place:
            if place.app._preload is not None:
                await place.app.models.rescan()
                assert place.engine.loaded == {}, "the window comes first"
                await place.app.snapshot()
                await place.app._preload
            return len(place.engine.loaded)

    async with app_harness(tmp_path, starter=starter_model_path, database=tmp_path / "chats.db") as place:
        sent = await place.app.generations.send(None, text="Why?", model_id=place.model_id)
        await place.settled(sent)
        await place.until_so(lambda: place.app.models.last_used() is not None)
    assert await begin_again(wanted=False) == 0
    assert await begin_again(wanted=True) == 1
