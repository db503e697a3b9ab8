"""One tool host for all tests that do not ask how it starts: its library takes a second to import."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from types import ModuleType

import pytest

from fakes.local_app import InlineExecutor
from fakes.tool_servers_place import ServersPlace, open_servers

Scenario = Callable[[ServersPlace], Awaitable[None]]
Play = Callable[[Scenario], None]


@pytest.fixture(scope="session")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[asyncio.Runner, ServersPlace]]:
    """A loop, and a place on it whose tool host runs."""
    folder = tmp_path_factory.mktemp("servers")
    # What a session begins with is not yet a home of the tests' own.
    with pytest.MonkeyPatch.context() as patch, asyncio.Runner() as runner:
        patch.setenv("HOME", str(folder))
        # Threads that wait for more to do would count as left running.
        runner.get_loop().set_default_executor(InlineExecutor())
        stack = AsyncExitStack()
        place = runner.run(stack.enter_async_context(open_servers(folder)))
        runner.run(_begin(place))
        yield runner, place
        runner.run(stack.aclose())


async def _begin(place: ServersPlace) -> None:
    await place.add()
    await place.servers.test("fake")
    await place.servers.remove("fake")


@pytest.fixture
def play(lasting: tuple[asyncio.Runner, ServersPlace]) -> Iterator[Play]:
    """Run a scenario over servers; they have gone, and what was known of them, when the test ends."""
    runner, place = lasting

    async def forget() -> None:
        for info in await place.servers.servers():
            await place.servers.remove(info.server.name)

    yield lambda scenario: runner.run(_awaited(scenario(place)))
    runner.run(forget())
    assert place.servers._running is not None
    place.servers._running._servers.clear()
    place.events.clear()


@pytest.fixture
def play_anew(tmp_path: Path) -> Play:
    """Run a scenario over servers in a folder of their own, whose tool host has not started."""

    async def played(scenario: Scenario) -> None:
        async with open_servers(tmp_path) as place:
            await scenario(place)

    return lambda scenario: asyncio.run(played(scenario))


@contextmanager
def listening(server: ModuleType) -> Iterator[str]:
    """Start a server behind an address that says its port; gives the address."""
    assert server.__file__ is not None
    with subprocess.Popen(
        [sys.executable, "-P", server.__file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
        process.stdin.close()


async def _awaited(scenario: Awaitable[None]) -> None:
    await scenario
