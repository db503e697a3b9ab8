"""One tool host for all tests of a module that do not ask how it starts: its library is slow to import."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest

from fakes.local_app import InlineExecutor
from fakes.tool_servers_harness import ToolServersHarness, open_servers


@pytest.fixture(scope="module")
async def lasting(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ToolServersHarness]:
    """A place whose tool host runs."""
    folder = tmp_path_factory.mktemp("servers")
    # Threads that wait for more to do would count as left running.
    asyncio.get_running_loop().set_default_executor(InlineExecutor())
    # What a module begins with is not yet a home of a test's own.
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        async with open_servers(folder) as place:
            await place.add()
            await place.servers.test("fake")
            await place.servers.remove("fake")
            yield place


@pytest.fixture
async def harness(lasting: ToolServersHarness) -> AsyncIterator[ToolServersHarness]:
    """Servers of a tool host that other tests share; they have gone in the end, and what is known of them."""
    yield lasting
    for info in await lasting.servers.servers():
        await lasting.servers.remove(info.server.name)
    assert lasting.servers._running is not None
    lasting.servers._running._servers.clear()
    lasting.events.clear()


@pytest.fixture
async def anew(tmp_path: Path) -> AsyncIterator[ToolServersHarness]:
    """Servers in a folder of their own, whose tool host has not started."""
    async with open_servers(tmp_path) as place:
        yield place


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
