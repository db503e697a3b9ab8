"""Split a stream of server-sent events into their data, of bounded size."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from typing import Final

MAX_EVENT_BYTES: Final = 8 * 1024 * 1024
"""Limit of one event; a chunk of an answer has some hundred bytes."""


class EventTooLong(Exception):
    """An event is longer than any that an inference server sends."""


async def sse_data(chunks: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    """Yield the data of each event as it arrives; comments, names and empty events are skipped.

    Raises ``EventTooLong``, and what ``chunks`` raises.
    """
    rest = b""
    data: list[bytes] = []
    n_data = 0
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for raw_line in lines:
            line = raw_line.removesuffix(b"\r")
            if line.startswith(b"data:"):
                data.append(line[5:].removeprefix(b" "))
                n_data += len(line)
            elif not line and data:
                yield b"\n".join(data)
                data, n_data = [], 0
        if n_data + len(rest) > MAX_EVENT_BYTES:
            raise EventTooLong
    if rest.startswith(b"data:"):
        data.append(rest[5:].removeprefix(b" "))
    if data:
        yield b"\n".join(data)
