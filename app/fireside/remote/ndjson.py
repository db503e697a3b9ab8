"""Split an NDJSON stream, as Ollama sends it, into lines of bounded size."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator

from fireside.remote.sse import MAX_EVENT_BYTES, EventTooLong


async def ndjson_lines(chunks: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    """Yield each line as it arrives; empty lines are skipped.

    Raises ``EventTooLong``, and what ``chunks`` raises.
    """
    rest = b""
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        if len(rest) > MAX_EVENT_BYTES:
            raise EventTooLong
        for line in lines:
            if line.strip():
                yield line
    if rest.strip():
        yield rest
