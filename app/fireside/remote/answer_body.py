"""Split the body of an answer into events, by what it is and not by what was asked for."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Final

import msgspec

from fireside.remote.error_response import is_page

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


_MAX_PAGE_BYTES: Final = 64 * 1024
_BLANK: Final = b"\xef\xbb\xbf \t\r\n"


class WebPageSent(Exception):
    """A web page was sent in place of an answer; ``content`` is its beginning."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.content = content


class AnswerBody:
    """The body of one response. ``beginning`` is what arrived first, to quote it if it holds no answer."""

    def __init__(self, chunks: AsyncIterator[bytes]) -> None:
        self._chunks = chunks
        self.beginning = b""

    async def events(self) -> AsyncGenerator[bytes, None]:
        """Yield each event as it arrives: of server-sent events, of JSON lines, or one JSON document.

        Raises ``WebPageSent``, ``EventTooLong``, and what the chunks raise.
        """
        async for chunk in self._chunks:
            self.beginning += chunk
            if self.beginning.lstrip(_BLANK):
                break
        start = self.beginning.lstrip(_BLANK)
        if is_page(start):
            raise WebPageSent(await self._page())
        split = _documents if start[:1] in (b"{", b"[") else sse_data
        async with aclosing(split(self._rest(start))) as events:
            async for event in events:
                yield event

    async def _rest(self, start: bytes) -> AsyncGenerator[bytes, None]:
        yield start
        async for chunk in self._chunks:
            yield chunk

    async def _page(self) -> bytes:
        page = self.beginning
        async for chunk in self._chunks:
            page += chunk
            if len(page) > _MAX_PAGE_BYTES:
                break
        return page[:_MAX_PAGE_BYTES]


async def _documents(chunks: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    """Yield JSON documents: one a line, or a single one over many lines; of a list each element."""
    rest = b""
    is_lines = False
    async for chunk in chunks:
        rest += chunk
        # The first line tells: one that is a document by itself is followed by others.
        is_lines = is_lines or (rest.partition(b"\n")[0].rstrip().endswith(b"}") and b"\n" in rest)
        if is_lines:
            *lines, rest = rest.split(b"\n")
            for line in lines:
                if line.strip():
                    yield line
        if len(rest) > MAX_EVENT_BYTES:
            raise EventTooLong
    for document in _elements(rest):
        yield document


def _elements(text: bytes) -> list[bytes]:
    if not text.strip():
        return []
    try:
        if text.lstrip().startswith(b"["):
            return [bytes(each) for each in msgspec.json.decode(text, type=list[msgspec.Raw])]
        msgspec.json.decode(text, type=msgspec.Raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return [line for line in text.split(b"\n") if line.strip()]
    return [text]
