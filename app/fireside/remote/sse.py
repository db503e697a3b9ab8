"""Split a stream of server-sent events into their data, of bounded size."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from typing import Final

MAX_EVENT_BYTES: Final = 8 * 1024 * 1024
"""Limit of one event; a chunk of an answer has some hundred bytes."""
_NEXT_EVENT: Final = (b"{", b"[DONE]")


class EventTooLong(Exception):
    """An event is longer than any that an inference server sends."""


async def sse_data(chunks: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    """Yield the data of each event as it arrives; comments, names and empty events are skipped.

    A stream without the empty lines between events is read as well: a JSON object that follows another one
    begins an event.

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
                value = line[5:].removeprefix(b" ")
                if data and data[-1].endswith(b"}") and value.startswith(_NEXT_EVENT):
                    yield b"\n".join(data)
                    data, n_data = [], 0
                data.append(value)
                n_data += len(line)
            elif not line and data:
                yield b"\n".join(data)
                data, n_data = [], 0
        if n_data + len(rest) > MAX_EVENT_BYTES:
            raise EventTooLong
    if rest.startswith(b"data:"):
        value = rest[5:].removeprefix(b" ")
        if data and data[-1].endswith(b"}") and value.startswith(_NEXT_EVENT):
            yield b"\n".join(data)
            data = []
        data.append(value)
    if data:
        yield b"\n".join(data)
