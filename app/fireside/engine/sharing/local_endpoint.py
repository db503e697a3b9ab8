"""The local endpoint at which one program listens and others of the same user connect, and its lock.

On Linux and macOS it is a Unix domain socket in a folder of this user alone, and the system tells both ends
which user the other is. asyncio has no such sockets on Windows, and its named pipes are neither documented
nor restricted to one user; there it is a loopback port, and both ends prove that they have read a secret from
a file of this user alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import os
import secrets
import socket
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, Protocol, TypeAlias

import msgspec

from fireside.files.atomic_replace import replace_file
from fireside.files.file_lock import lock_file
from fireside.files.json_file import JsonFile
from fireside.files.private_files import PRIVATE_FILE
from fireside.files.socket_peer import is_own_user
from fireside.wire.frame_channel import Connection

_LOOPBACK: Final = "127.0.0.1"
_NONCE_BYTES: Final = 32
_PROOF: Final = "sha256"
_PROOF_BYTES: Final = 32
_PROOF_LIMIT_S: Final = 5.0
_ADDRESS_LIMIT: Final = 1_000

Serve: TypeAlias = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class LocalEndpoint(Protocol):
    """Where one program listens and others of the same user connect. On one loop."""

    async def listen(self, serve: Serve) -> asyncio.Server:
        """Accept connections of this user from now on. Only while holding the lock. Raises ``OSError``."""

    async def connect(self) -> Connection | None:
        """Connect to the listening program; ``None`` if there is none, or it is another user's."""

    def remove(self) -> None:
        """Delete the endpoint's file."""


class EngineLock:
    """A file lock that at most one process holds; the system releases it when that process ends."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def acquire(self) -> bool:
        """Try to acquire the lock; return False if another process holds it. Raises ``OSError``."""
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
        if not lock_file(descriptor):
            os.close(descriptor)
            return False
        self._descriptor = descriptor
        return True

    def release(self) -> None:
        """Release the lock, if it is held. The file stays: if it were deleted, two could hold it."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


class _Address(msgspec.Struct, frozen=True, kw_only=True):
    port: int
    secret: bytes


class LoopbackEndpoint:
    """A loopback port, which every user can reach, and a secret file that only one can read.

    Each end proves with an HMAC over the other's nonce that it has the secret, which is never sent.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    async def listen(self, serve: Serve) -> asyncio.Server:
        secret = secrets.token_bytes(_NONCE_BYTES)

        async def admit(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if await _authenticated(reader, writer, secret, ours=b"host", theirs=b"user"):
                await serve(reader, writer)
            else:
                await _abort_connection(writer)

        server = await asyncio.start_server(admit, _LOOPBACK, 0)
        try:
            port = server.sockets[0].getsockname()[1]
            replace_file(self._path, msgspec.json.encode(_Address(port=port, secret=secret)))
        except BaseException:
            server.close()
            raise
        return server

    async def connect(self) -> Connection | None:
        try:
            address = JsonFile(self._path, _Address, limit=_ADDRESS_LIMIT).read()
            if address is None:
                return None
            reader, writer = await asyncio.open_connection(_LOOPBACK, address.port)
        except (OSError, OverflowError):  # the latter for a number that is no port
            return None
        try:
            is_ours = await _authenticated(reader, writer, address.secret, ours=b"user", theirs=b"host")
        except BaseException:
            writer.transport.abort()
            raise
        if is_ours:
            return reader, writer
        await _abort_connection(writer)
        return None

    def remove(self) -> None:
        with contextlib.suppress(OSError):
            self._path.unlink()


if sys.platform == "win32":
    _SystemEndpoint = LoopbackEndpoint
else:

    class UnixEndpoint:
        """A Unix domain socket, which only this user can reach."""

        def __init__(self, path: Path) -> None:
            self._path = path

        async def listen(self, serve: Serve) -> asyncio.Server:
            async def admit(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                if is_own_user(writer.get_extra_info("socket")):
                    await serve(reader, writer)
                else:
                    await _abort_connection(writer)

            self.remove()  # left by a program that was killed
            sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                sock.bind(str(self._path))
                self._path.chmod(PRIVATE_FILE)
                return await asyncio.start_unix_server(admit, sock=sock)
            except BaseException:
                sock.close()
                raise

        async def connect(self) -> Connection | None:
            try:
                # The file's owner is checked before anything is sent, the peer's user after connecting.
                if self._path.lstat().st_uid != os.getuid():
                    return None
                reader, writer = await asyncio.open_unix_connection(str(self._path))
            except OSError:
                return None
            if is_own_user(writer.get_extra_info("socket")):
                return reader, writer
            await _abort_connection(writer)
            return None

        def remove(self) -> None:
            with contextlib.suppress(OSError):
                self._path.unlink()

    _SystemEndpoint = UnixEndpoint


def local_endpoint(path: Path) -> LocalEndpoint:
    """Return the kind of endpoint that this system has."""
    return _SystemEndpoint(path)


async def _abort_connection(writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()
    with contextlib.suppress(OSError):
        await writer.wait_closed()


async def _authenticated(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, secret: bytes, *, ours: bytes, theirs: bytes
) -> bool:
    """Prove to the other end that we know the secret, and return whether it does; both do the same."""
    own_nonce = secrets.token_bytes(_NONCE_BYTES)
    try:
        async with asyncio.timeout(_PROOF_LIMIT_S):
            writer.write(own_nonce)
            nonce = await reader.readexactly(_NONCE_BYTES)
            writer.write(hmac.digest(secret, ours + nonce + own_nonce, _PROOF))
            proof = await reader.readexactly(_PROOF_BYTES)
    except (TimeoutError, OSError, EOFError):
        return False
    return hmac.compare_digest(proof, hmac.digest(secret, theirs + own_nonce + nonce, _PROOF))
