"""JSON a line, as Ollama streams it, bounded."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator

from fireside.remote.sse import MOST_BYTES, EventTooLong


async def lines_of(chunks: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    """Give each line as it comes in; empty ones are passed over.

    Raises ``EventTooLong``, and what ``chunks`` raises.
    """
    rest = b""
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        if len(rest) > MOST_BYTES:
            raise EventTooLong
        for line in lines:
            if line.strip():
                yield line
    if rest.strip():
        yield rest
