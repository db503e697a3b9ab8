"""Server-sent events, as servers of models send them: the data of each, bounded."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from typing import Final

MOST_BYTES: Final = 8 * 1024 * 1024
"""Of one event; a piece of an answer has some hundred."""


class EventTooLong(Exception):
    """An event is longer than any that a server of models sends."""


async def events_of(chunks: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    """Give the data of each event as it comes in; comments, names and empty events are passed over.

    Raises ``EventTooLong``, and what ``chunks`` raises.
    """
    rest = b""
    data: list[bytes] = []
    n_data = 0
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for each in lines:
            line = each.removesuffix(b"\r")
            if line.startswith(b"data:"):
                data.append(line[5:].removeprefix(b" "))
                n_data += len(line)
            elif not line and data:
                yield b"\n".join(data)
                data, n_data = [], 0
        if n_data + len(rest) > MOST_BYTES:
            raise EventTooLong
    if rest.startswith(b"data:"):
        data.append(rest[5:].removeprefix(b" "))
    if data:
        yield b"\n".join(data)
