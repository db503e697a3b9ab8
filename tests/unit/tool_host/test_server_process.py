"""Lines that a server writes to its standard output."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from fireside.core.tool_servers import Sandbox
from fireside.tool_host.host_messages import MAX_LINE_BYTES
from fireside.tool_host.server_process import LineTooLong, ServerProcess


def server_that_wrote(output: bytes) -> ServerProcess:
    stdout = asyncio.StreamReader()
    stdout.feed_data(output)
    stdout.feed_eof()
    process: Any = SimpleNamespace(stdout=stdout)
    return ServerProcess(process, link=None, sandbox=Sandbox.NONE)


async def test_lines_are_returned_one_by_one_and_the_last_needs_no_end() -> None:
    server = server_that_wrote(b"one\ntwo\n\nthree")
    assert [await server.read_line() for _ in range(4)] == [b"one", b"two", b"three", b""]


async def test_thousands_of_empty_lines_are_skipped() -> None:
    assert await server_that_wrote(b"\n" * 20_000 + b"one\n").read_line() == b"one"


async def test_a_line_that_is_too_long_is_discarded() -> None:
    with pytest.raises(LineTooLong):
        await server_that_wrote(b"x" * (MAX_LINE_BYTES + 200_000)).read_line()
