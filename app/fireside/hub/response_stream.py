"""The content of a file as it arrives; another thread can interrupt it."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from typing import Protocol


class NetworkStream(Protocol):
    """What the HTTP library exposes of its connection."""

    def get_extra_info(self, info: str, /) -> object:
        """Return a property of the connection; ``None`` if it has none."""


class ResponseStream:
    """Bytes of a file from ``first_byte`` on. One thread reads; any may interrupt."""

    def __init__(
        self, *, first_byte: int, host: str, stream: NetworkStream | None, chunks: Iterator[bytes]
    ) -> None:
        self.first_byte = first_byte
        self.host = host
        """Who sends it, for the user."""
        self._chunks = chunks
        self._socket = None if stream is None else stream.get_extra_info("socket")

    def __iter__(self) -> Iterator[bytes]:
        """Yield chunks as they arrive. Raises ``HubUnreachable`` if the connection ends early."""
        return self._chunks

    def interrupt(self) -> None:
        """Unblock the reader."""
        if isinstance(self._socket, socket.socket):
            with contextlib.suppress(OSError):
                # ``shutdown`` of the SSL socket would change state that the reading thread uses.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
