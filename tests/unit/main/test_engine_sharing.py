"""Which engine is used by windows, servers, terminal chats and commands, in any order of their starts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fakes.engine_harness import EngineHarness, a_request, end_of
from fireside.core.generation import Finished
from fireside.engine.sharing import joined_engine
from fireside.main.build import EngineSharing, ProgramLifetime, share_engine


class User:
    """One user's programs."""

    def __init__(self, data_folder: Path) -> None:
        self._data_folder = data_folder
        self.programs: list[EngineHarness] = []
        self.said: list[str] = []

    async def starts(self, stays: ProgramLifetime) -> EngineHarness:
        """Return a program that has found its engine."""
        program = EngineHarness()
        self.programs.append(program)
        sharing = EngineSharing(name=stays.name, lifetime=stays, warn=self.said.append)
        await share_engine(program.engine, sharing, data_folder=self._data_folder)
        return program

    async def window(self) -> EngineHarness:
        return await self.starts(ProgramLifetime.LONG)

    async def chat(self) -> EngineHarness:
        return await self.starts(ProgramLifetime.FOR_A_CHAT)

    async def command(self) -> EngineHarness:
        return await self.starts(ProgramLifetime.FOR_A_COMMAND)

    async def n_runners(self) -> list[int]:
        """Have every program ask something and return how many runners each has."""
        for program in self.programs:
            assert isinstance(await end_of(program.engine.generate(a_request(1))), Finished)
        return [len(program.spawner.runners) for program in self.programs]


@pytest.fixture
async def user(own_home: Path, tmp_path: Path) -> AsyncIterator[User]:
    user = User(tmp_path)
    yield user
    for program in reversed(user.programs):
        await program.engine.close()


async def test_chats_without_a_window_load_a_model_once_and_commands_use_it(user: User) -> None:
    await user.chat()
    await user.chat()
    await user.command()
    assert await user.n_runners() == [1, 0, 0]
    assert user.said == []


async def test_a_command_is_nothing_that_others_rely_on(user: User) -> None:
    await user.command()
    await user.command()
    assert await user.n_runners() == [1, 1]


async def test_a_chat_that_ends_leaves_its_place_to_the_next(user: User) -> None:
    first, second = await user.chat(), await user.chat()
    assert await user.n_runners() == [1, 0]
    await first.engine.close()
    user.programs.remove(first)
    while second.engine._server is None:  # noqa: ASYNC110 - nothing tells
        await asyncio.sleep(0)
    await user.command()
    assert await user.n_runners() == [1, 0]


async def test_a_window_relies_on_no_chat_and_later_chats_use_it(user: User) -> None:
    await user.chat()
    await user.window()
    await user.chat()
    assert await user.n_runners() == [1, 1, 0]


async def test_chats_that_lose_their_window_share_again(user: User) -> None:
    window = await user.window()
    chats = [await user.chat(), await user.chat()]
    assert await user.n_runners() == [1, 0, 0]
    await window.engine.close()
    user.programs.remove(window)
    while not all(chat.engine._server or chat.engine._engine is not chat.engine._own for chat in chats):  # noqa: ASYNC110
        await asyncio.sleep(0)
    assert sorted(await user.n_runners()) == [0, 1]


async def test_an_unresponsive_engine_is_reported(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    await user.window()
    monkeypatch.setattr(joined_engine, "_ANSWER_LIMIT_S", 0.0)
    await user.command()
    await user.chat()
    assert await user.n_runners() == [1, 1, 1]
    assert [line.partition(",")[0] for line in user.said] == ["Fireside is running but does not answer"] * 2
