"""Send and receive the messages of one connection between programs that share an engine."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final, Generic, TypeVar

import msgspec

from fireside.engine.sharing.local_endpoint import Connection
from fireside.wire.codec import FrameError, FrameSplitter, decode_body, encode_frame

_READ_BYTES: Final = 256 * 1024
_CLOSE_LIMIT_S: Final = 1.0

Message = TypeVar("Message")


class FrameChannel(Generic[Message]):
    """Both ways of one connection. Frames are those of the runner's wire, with its bounds.

    Args:
        decoder: reads what the other end says.
    """

    def __init__(self, connection: Connection, *, decoder: msgspec.msgpack.Decoder[Message]) -> None:
        self._reader, self._writer = connection
        self._splitter = FrameSplitter()
        self._bodies: deque[bytes] = deque()
        self._decoder = decoder
        self._turn = asyncio.Lock()

    def send(self, message: msgspec.Struct) -> None:
        """Send without waiting. Does nothing once the other end has gone. Raises ``FrameError``."""
        frame = encode_frame(message)
        if not self._writer.is_closing():
            self._writer.write(frame)

    async def send_slowly(self, message: msgspec.Struct) -> None:
        """Send, and return when the other end has read enough for more.

        Raises ``FrameError``, and ``ConnectionError`` once the other end has gone.
        """
        self.send(message)
        async with self._turn:
            await self._writer.drain()

    async def receive(self) -> Message | None:
        """Return the next message; ``None`` once the other end has gone or sends what is none."""
        while not self._bodies:
            try:
                chunk = await self._reader.read(_READ_BYTES)
                if not chunk:
                    return None
                self._bodies.extend(self._splitter.feed(chunk))
            except (OSError, FrameError):
                return None
        try:
            return decode_body(self._bodies.popleft(), decoder=self._decoder)
        except FrameError:
            return None

    def abort(self) -> None:
        """Go at once. What is being received ends."""
        self._writer.transport.abort()

    async def close(self) -> None:
        """Send what was said, and go; what the other end does not read within a moment is dropped."""
        self._writer.close()
        try:
            async with asyncio.timeout(_CLOSE_LIMIT_S):
                await self._writer.wait_closed()
        except (TimeoutError, OSError):
            self.abort()
