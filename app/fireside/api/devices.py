"""The listener for other devices of the local network: TLS, addresses that change, and who may connect."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
import logging
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from fireside.api.certificate import DeviceCertificate, is_on_local_network
from fireside.api.connection import ClientConnection, Connections
from fireside.api.device_gate import DeviceGate
from fireside.core.errors import ErrorInfo, FiresideError
from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.core.local_api import DeviceAddress, DevicesStatus
from fireside.core.os_errors import render_os_error
from fireside.remote.nearby import Announcer

log = logging.getLogger(__name__)

LOOK_S: Final = 3.0
"""Between two looks at the addresses, and at tokens that another process revoked."""
_HANDSHAKE_S: Final = 5.0
_CLOSING_S: Final = 2.0
_BACKLOG: Final = 32
_PAUSE_S: Final = 1.0
_RENEW_S: Final = 30 * 86_400.0
_RESERVED: Final = ("192.0.2.1", 9)
"""No computer has this address (RFC 5737). Nothing is sent to it."""


def network_addresses() -> tuple[DeviceAddress, ...]:
    """Return this computer's addresses on local networks, that of the default route first. Blocks."""
    import psutil

    up = {name for name, stats in psutil.net_if_stats().items() if stats.isup}
    found = [
        DeviceAddress(interface=name, address=entry.address)
        for name, entries in psutil.net_if_addrs().items()
        for entry in entries
        if name in up and entry.family in (socket.AF_INET, socket.AF_INET6) and _is_offered(entry.address)
    ]
    first = _address_of_default_route()
    return tuple(sorted(found, key=lambda each: (each.address != first, ":" in each.address, each.interface)))


def _is_offered(address: str) -> bool:
    return is_on_local_network(address) and not ipaddress.ip_address(address).is_loopback


def _address_of_default_route() -> str:
    """Return the address that the system would send from; connecting a datagram socket sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(_RESERVED)
        return str(probe.getsockname()[0])
    return ""


class DeviceOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Where and as what the listener is known."""

    port: int
    folder: Path
    """Of the certificates."""
    host_name: str
    find_addresses: Callable[[], Sequence[DeviceAddress]] = network_addresses
    """Blocks."""
    announces: bool = True
    look_s: float = LOOK_S


class DeviceListener:
    """Listens at each address of the local network until ``stop``. On the engine's loop.

    Args:
        listen: returns a listening socket for a host and port. Raises ``OSError``.
        on_look: called every few seconds.
    """

    def __init__(
        self,
        options: DeviceOptions,
        connections: Connections,
        gate: DeviceGate,
        *,
        listen: Callable[[str, int], socket.socket],
        on_look: Callable[[], Awaitable[None]],
    ) -> None:
        self._options = options
        self._connections = connections
        self._gate = gate
        self._listen = listen
        self._on_look = on_look
        self._port = options.port
        self._certificate: DeviceCertificate | None = None
        self._context: ssl.SSLContext | None = None
        self._signed_at = 0.0
        self._addresses: tuple[DeviceAddress, ...] = ()
        self._accepting: dict[str, tuple[socket.socket, asyncio.Task[None]]] = {}
        self._handshakes: set[asyncio.Task[None]] = set()
        self._announcer: Announcer | None = None
        self._problem: ErrorInfo | None = None
        self._watching: asyncio.Task[None] | None = None

    @property
    def port(self) -> int:
        """The port at which it listens; 0 before there is one."""
        return self._port

    def status(self) -> DevicesStatus:
        """Return what the user sees of it."""
        certificate = self._certificate
        return DevicesStatus(
            is_on=True,
            port=self._port,
            addresses=tuple(each for each in self._addresses if each.address in self._accepting),
            names=certificate.names[:1] if certificate is not None else (),
            fingerprint=certificate.fingerprint if certificate is not None else "",
            is_announced=self._announcer is not None,
            problem=self._problem,
        )

    def is_own_host(self, host: str) -> bool:
        """Whether ``host``, a value of ``Host``, is an address, or a name that the certificate has. A name of
        somebody else's could lead a web page here."""
        name = host.rpartition(":")[0] if host.rpartition("]")[2].count(":") == 1 else host
        if self._certificate is not None and name in self._certificate.names:
            return True
        with contextlib.suppress(ValueError):
            return bool(ipaddress.ip_address(name.strip("[]")))
        return False

    @property
    def pem(self) -> str:
        """The certificate that devices may install; empty before there is one."""
        return "" if self._certificate is None else self._certificate.pem

    async def start(self) -> None:
        """Make or read the certificate, and listen. What fails is part of ``status``."""
        try:
            await asyncio.to_thread(self._prepare)
        except OSError as exc:
            self._problem = _not_started(render_os_error(exc))
            return
        await self._look()
        self._watching = asyncio.create_task(self._watch(), name="addresses for other devices")

    async def stop(self) -> None:
        """Refuse new connections, and take back the announcement."""
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.wait({self._watching})
        for address in tuple(self._accepting):
            await self._close(address)
        for task in tuple(self._handshakes):
            task.cancel()
        if self._handshakes:
            await asyncio.wait(self._handshakes)
        await self._announce(())

    def _prepare(self) -> None:
        options = self._options
        self._certificate = DeviceCertificate(options.folder, host_name=options.host_name)
        self._context = self._certificate.make_context()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(self._options.look_s)
            try:
                await self._look()
                await self._on_look()
            except Exception:
                log.exception("the addresses for other devices could not be followed")

    async def _look(self) -> None:
        """Listen at the addresses that there are now, with a certificate for them."""
        assert self._certificate is not None
        assert self._context is not None
        addresses = tuple(await asyncio.to_thread(self._options.find_addresses))
        now = asyncio.get_running_loop().time()
        is_new = addresses != self._addresses
        if is_new or not self._signed_at or now - self._signed_at > _RENEW_S:
            names = [each.address for each in addresses]
            await asyncio.to_thread(self._certificate.sign_for, names, self._context)
            self._signed_at, self._addresses = now, addresses
        for gone in self._accepting.keys() - {each.address for each in addresses}:
            await self._close(gone)
        self._problem = None
        for each in addresses:
            if each.address not in self._accepting:
                self._open(each.address, self._context)
        if is_new:
            await self._announce([each.address for each in addresses if each.address in self._accepting])

    def _open(self, address: str, context: ssl.SSLContext) -> None:
        try:
            listener = self._listen(address, self._port)
        except OSError as exc:
            if exc.errno == errno.EADDRNOTAVAIL:  # it went away meanwhile
                return
            in_use = Phrase(
                tr_noop("Port {port} is in use by another program. Choose another port."),
                {"port": str(self._port)},
            )
            self._problem = _not_started(in_use if exc.errno == errno.EADDRINUSE else render_os_error(exc))
            return
        self._port = listener.getsockname()[1]
        task = asyncio.create_task(self._accept(listener, context), name=f"devices at {address}")
        self._accepting[address] = (listener, task)
        log.info("other devices may connect to %s, port %s", address, self._port)

    async def _close(self, address: str) -> None:
        listener, task = self._accepting.pop(address)
        task.cancel()
        await asyncio.wait({task})
        listener.close()

    async def _accept(self, listener: socket.socket, context: ssl.SSLContext) -> None:
        """Accept connections that the gate admits, before anything is spent on their handshake."""
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, (peer, *_) = await loop.sock_accept(listener)
            except OSError as exc:  # too many open files, or a connection that is gone already
                log.warning("no connection was accepted: %r", exc)
                await asyncio.sleep(_PAUSE_S)
                continue
            if not self._gate.admit(peer):
                connection.close()
                continue
            task = asyncio.create_task(self._greet(connection, peer, context), name="handshake")
            self._handshakes.add(task)
            task.add_done_callback(self._handshakes.discard)

    async def _greet(self, connection: socket.socket, peer: str, context: ssl.SSLContext) -> None:
        left = _Once(lambda: self._gate.leave(peer))
        try:
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: _DeviceConnection(self._connections, on_lost=left),
                connection,
                ssl=context,
                ssl_handshake_timeout=_HANDSHAKE_S,
                ssl_shutdown_timeout=_CLOSING_S,
            )
        except (OSError, ssl.SSLError) as exc:
            log.debug("no handshake with %s: %r", peer, exc)
            self._gate.fail(peer)
            left()
        except BaseException:
            left()
            raise

    async def _announce(self, addresses: Sequence[str]) -> None:
        """Announce these addresses in place of those before."""
        if self._announcer is not None:
            announcer, self._announcer = self._announcer, None
            await announcer.close()
        if addresses and self._options.announces and self._certificate is not None:
            announcer = Announcer(
                self._options.host_name,
                addresses=addresses,
                port=self._port,
                fingerprint=self._certificate.fingerprint,
            )
            try:
                await announcer.start()
            except OSError as exc:  # devices still connect by address
                log.warning("this computer is not announced: %r", exc)
                await announcer.close()
            else:
                self._announcer = announcer


class _Once:
    """Calls a function once, however often it is called."""

    def __init__(self, act: Callable[[], None]) -> None:
        self._act: Iterator[Callable[[], None]] = iter((act,))

    def __call__(self) -> None:
        for act in self._act:
            act()


class _DeviceConnection(ClientConnection):
    """Tells when it is closed."""

    def __init__(self, connections: Connections, *, on_lost: Callable[[], None]) -> None:
        super().__init__(connections)
        self._on_lost = on_lost

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._on_lost()


def _not_started(reason: Translatable) -> ErrorInfo:
    return FiresideError.of("devices_not_served", reason=reason).info()
