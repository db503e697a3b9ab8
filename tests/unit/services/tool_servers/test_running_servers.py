"""Calls of MCP servers without a tool host."""

from __future__ import annotations

import asyncio

import pytest

from fireside.core.errors import InvalidText
from fireside.services.tool_servers import running_servers
from fireside.services.tool_servers.running_servers import HostLink, HostParts, RunningServers
from fireside.tool_host.host_messages import CallTool, Command, StopServer
from fireside.wire.frames import FrameTooLarge, encode_frame


class FullLink:
    """A host link that refuses calls, as if their frames were too large."""

    def __init__(self) -> None:
        self.stopped = asyncio.Event()

    def send(self, command: Command) -> None:
        encode_frame(command)
        if isinstance(command, CallTool):
            raise FrameTooLarge(n_bytes=2, limit_bytes=1)
        if isinstance(command, StopServer):
            self.stopped.set()


@pytest.fixture
def link(monkeypatch: pytest.MonkeyPatch) -> FullLink:
    link = FullLink()

    async def start(*_command: object, **_options: object) -> FullLink:
        return link

    monkeypatch.setattr(HostLink, "start", start)
    return link


@pytest.fixture
def servers(link: FullLink) -> RunningServers:
    return RunningServers(
        HostParts(command=(), environment={}),
        on_change=lambda _: None,
        on_lists=lambda _: None,
        on_sign_in=lambda _name, _text: None,
    )


async def test_a_call_that_cannot_be_sent_does_not_keep_its_server_running(
    servers: RunningServers, link: FullLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_servers, "_IDLE_S", 0.0)
    with pytest.raises(FrameTooLarge):
        await servers.call("fake", "echo", "{}")
    async with asyncio.timeout(5):
        await link.stopped.wait()


async def test_an_argument_that_is_no_unicode_is_an_error_for_the_user(servers: RunningServers) -> None:
    with pytest.raises(InvalidText):
        await servers.fill_prompt("fake", "greet", {"name": "\udcff"})
