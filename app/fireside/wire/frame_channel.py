"""Messages in frames over a pair of asyncio streams: to a child process, or to another program."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final, Generic, TypeAlias, TypeVar

import msgspec

from fireside.wire.frames import MAX_FRAME_BYTES, FrameError, FrameSplitter, decode_body, encode_frame

_READ_BYTES: Final = 256 * 1024
_CLOSE_LIMIT_S: Final = 1.0

Message = TypeVar("Message")
Connection: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class FrameChannel(Generic[Message]):
    """Sends and receives messages.

    Args:
        decoder: decodes the messages of the other end.
        limit_bytes: longer messages of the other end are refused.
        send_limit_bytes: longer messages to the other end are refused.
    """

    def __init__(
        self,
        connection: Connection,
        *,
        decoder: msgspec.msgpack.Decoder[Message],
        limit_bytes: int = MAX_FRAME_BYTES,
        send_limit_bytes: int = MAX_FRAME_BYTES,
    ) -> None:
        self.problem: FrameError | None = None
        """What was wrong with the last message received, so that ``receive`` returned ``None``."""
        self._reader, self._writer = connection
        self._send_limit_bytes = send_limit_bytes
        self._splitter = FrameSplitter(limit_bytes=limit_bytes)
        self._bodies: deque[bytes] = deque()
        self._decoder = decoder
        self._drain_lock = asyncio.Lock()

    def send(self, message: msgspec.Struct) -> None:
        """Send without waiting. Does nothing once the connection is closed. Raises ``FrameError``."""
        frame = encode_frame(message, limit_bytes=self._send_limit_bytes)
        if not self._writer.is_closing():
            self._writer.write(frame)

    async def send_and_drain(self, message: msgspec.Struct) -> None:
        """Send, and wait until the write buffer has space again.

        Raises ``FrameError``, and ``ConnectionError`` once the connection is closed.
        """
        self.send(message)
        async with self._drain_lock:
            await self._writer.drain()

    async def receive(self) -> Message | None:
        """Return the next message; ``None`` once the connection is closed or sends an invalid message."""
        try:
            while not self._bodies:
                chunk = await self._reader.read(_READ_BYTES)
                if not chunk:
                    return None
                self._bodies.extend(self._splitter.feed(chunk))
            return decode_body(self._bodies.popleft(), decoder=self._decoder)
        except FrameError as exc:
            self.problem = exc
        except OSError:
            pass
        return None

    def close_output(self) -> None:
        """Let the other end see the end of its input, after what was sent. Idempotent."""
        self._writer.close()

    def abort(self) -> None:
        """Close the connection at once; ``receive`` returns ``None``."""
        self._writer.transport.abort()

    async def close(self) -> None:
        """Flush and close; what the other end does not read within a second is dropped."""
        self._writer.close()
        try:
            async with asyncio.timeout(_CLOSE_LIMIT_S):
                await self._writer.wait_closed()
        except (TimeoutError, OSError):
            self.abort()
