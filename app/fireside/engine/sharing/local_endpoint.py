"""Where programs of one user find the engine that runs: who holds the place, and connections to it.

Elsewhere than on Windows it is a Unix domain socket in a folder of this user alone, and the system tells both
ends which user the other is. asyncio has no such sockets on Windows, and its named pipes are neither
documented nor closed to others' eyes; there it is a port of the loopback, and both ends prove that they have
read a secret from a file of this user alone.
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
from fireside.files.private_files import PRIVATE_FILE
from fireside.files.socket_peer import is_own_user

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_LOOPBACK: Final = "127.0.0.1"
_NONCE_BYTES: Final = 32
_PROOF: Final = "sha256"
_PROOF_BYTES: Final = 32
_PROOF_LIMIT_S: Final = 5.0

Connection: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Serve: TypeAlias = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class LocalEndpoint(Protocol):
    """A place that one program listens at and others of the same user connect to. On one loop."""

    async def listen(self, serve: Serve) -> asyncio.Server:
        """Take connections of this user from now on. Only for who holds the place. Raises ``OSError``."""

    async def connect(self) -> Connection | None:
        """Return a connection to the listening program; ``None`` where there is none, or not of this user."""

    def remove(self) -> None:
        """Take away what shows others the way here."""


class PlaceLock:
    """At most one process holds it; the system lets it go when that process ends, however it does."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def take(self) -> bool:
        """Hold it from now on; ``False`` if another does. Raises ``OSError``."""
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
        try:
            if sys.platform == "win32":
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            return False
        self._descriptor = descriptor
        return True

    def release(self) -> None:
        """Let it go; does nothing where it is not held. The file stays: without it two could hold it."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


class _Address(msgspec.Struct, frozen=True, kw_only=True):
    port: int
    secret: bytes


class LoopbackEndpoint:
    """A port of the loopback, which every user can reach, and a secret that only one can read.

    Each end proves with a fresh number of the other that it has the secret, which is never sent.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    async def listen(self, serve: Serve) -> asyncio.Server:
        secret = secrets.token_bytes(_NONCE_BYTES)

        async def admit(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if await _proven(reader, writer, secret, ours=b"host", theirs=b"user"):
                await serve(reader, writer)
            else:
                await _hang_up(writer)

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
            address = msgspec.json.decode(self._path.read_bytes(), type=_Address)
            reader, writer = await asyncio.open_connection(_LOOPBACK, address.port)
        except (OSError, msgspec.MsgspecError):
            return None
        try:
            is_ours = await _proven(reader, writer, address.secret, ours=b"user", theirs=b"host")
        except BaseException:
            writer.transport.abort()
            raise
        if is_ours:
            return reader, writer
        await _hang_up(writer)
        return None

    def remove(self) -> None:
        with contextlib.suppress(OSError):
            self._path.unlink()


if sys.platform == "win32":
    _SystemEndpoint = LoopbackEndpoint
else:

    class UnixEndpoint:
        """A socket file, reachable for this user alone."""

        def __init__(self, path: Path) -> None:
            self._path = path

        async def listen(self, serve: Serve) -> asyncio.Server:
            async def admit(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                if is_own_user(writer.get_extra_info("socket")):
                    await serve(reader, writer)
                else:
                    await _hang_up(writer)

            self.remove()  # left by a program that was killed
            listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                listening.bind(str(self._path))
                self._path.chmod(PRIVATE_FILE)
                return await asyncio.start_unix_server(admit, sock=listening)
            except BaseException:
                listening.close()
                raise

        async def connect(self) -> Connection | None:
            try:
                # Looked at before the other end hears anything, and asked of the system behind that.
                if self._path.lstat().st_uid != os.getuid():
                    return None
                reader, writer = await asyncio.open_unix_connection(str(self._path))
            except OSError:
                return None
            if is_own_user(writer.get_extra_info("socket")):
                return reader, writer
            await _hang_up(writer)
            return None

        def remove(self) -> None:
            with contextlib.suppress(OSError):
                self._path.unlink()

    _SystemEndpoint = UnixEndpoint


def local_endpoint(path: Path) -> LocalEndpoint:
    """Return what this system has."""
    return _SystemEndpoint(path)


async def _hang_up(writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()
    with contextlib.suppress(OSError):
        await writer.wait_closed()


async def _proven(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, secret: bytes, *, ours: bytes, theirs: bytes
) -> bool:
    """Show the other end that we know the secret, and return whether it does; both do the same."""
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
