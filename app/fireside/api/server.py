"""The server of the local API: its sockets, its access policy, its end."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import socket
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from fireside.api.access import AccessPolicy, host_names
from fireside.api.activity import ApiActivity
from fireside.api.api_service import ApiService
from fireside.api.connection import (
    H11_MAX_HEAD_BYTES,
    BoundedReader,
    ClientConnection,
    ConnectionLimits,
    Connections,
)
from fireside.api.device_gate import MAX_OPEN, DeviceGate
from fireside.api.devices import DeviceListener, DeviceOptions
from fireside.api.http_app import ApiAccess, HttpApp
from fireside.api.http_error import http_error_of
from fireside.api.options import LOOPBACK, ApiOptions
from fireside.api.routes import Routes
from fireside.api.sessions import SessionOwners
from fireside.core.errors import FiresideError
from fireside.core.i18n import Phrase, tr_noop
from fireside.core.ids import ModelId
from fireside.core.local_api import ApiCall, ApiFailure, DevicesStatus
from fireside.core.os_errors import render_os_error
from fireside.services.collections.collection_service import CollectionService
from fireside.services.service_context import ServiceContext
from fireside.settings.api_tokens import USUAL_SCOPES, ApiTokens, Client

if TYPE_CHECKING:
    from asyncio import Server

    from uvicorn.protocols.http.h11_impl import H11Protocol

_OWNER_ONLY_UMASK: Final = 0o077
_BACKLOG: Final = 64


def listen_at(path: Path) -> socket.socket:
    """Return a socket that listens at ``path``; a stale socket of a killed server is replaced. Blocks.

    Raises ``api_not_started``.
    """
    if sys.platform == "win32":
        raise FiresideError.of("api_not_started", reason=tr_noop("This system has no Unix sockets."))
    if _is_stale(path, family=socket.AF_UNIX):
        path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    previous_umask = os.umask(_OWNER_ONLY_UMASK)
    try:
        listener.bind(str(path))
        listener.listen(_BACKLOG)
        listener.setblocking(False)
    except OSError as exc:
        listener.close()
        raise FiresideError.of("api_not_started", reason=render_os_error(exc)) from exc
    finally:
        os.umask(previous_umask)
    return listener


def _is_stale(path: Path, *, family: int) -> bool:
    """Whether ``path`` is a socket of ``family`` at which no program listens."""
    try:
        if not stat.S_ISSOCK(path.lstat().st_mode):
            return False
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.connect(str(path))
    except ConnectionRefusedError:
        return True
    except OSError:
        return False
    return False


log = logging.getLogger(__name__)

_LOOPBACK_IPV6: Final = "::1"
_LOCAL_NAMES: Final = ("localhost", LOOPBACK, _LOOPBACK_IPV6)
_STOP_S: Final = 2.0
_STORE_SEEN_S: Final = 60.0


class ApiServer:
    """Serves until ``stop``. On the engine's loop."""

    def __init__(
        self,
        services: ServiceContext,
        options: ApiOptions,
        *,
        collections: CollectionService,
        tokens: ApiTokens,
        forget: Callable[[str], None],
        limits: ConnectionLimits | None = None,
        devices: DeviceOptions | None = None,
    ) -> None:
        """``forget`` deletes the cache files of a session's owner; it blocks. Without ``devices`` only this
        computer is served."""
        self._options = options
        self._tokens = tokens
        self._owners = SessionOwners(forget)
        self._limits = limits or ConnectionLimits()
        self._servers: list[Server] = []
        self._port = options.port
        self._activity = ApiActivity()
        self._service = ApiService(
            services,
            options,
            collections=collections,
            owners=self._owners,
            activity=self._activity,
        )
        self._gate = DeviceGate(time.monotonic)
        self._known: frozenset[str] = frozenset()
        """Ids of the tokens as of the last look."""
        self._stored_seen_at = time.monotonic()
        access = ApiAccess(
            policy=self._policy,
            tokens=tokens,
            max_requests_per_client=options.max_requests_per_client,
        )
        self._apps = [HttpApp(Routes(self._service), access, self._activity)]
        self._connections = [Connections(self._limits, _http_maker(self._apps[0], self._limits))]
        self._devices = None if devices is None else self._device_listener(devices, access)

    @property
    def address(self) -> str:
        """The URL of the running server, without a path; of a Unix socket, ``unix:`` and its path. Empty if
        only other devices are served."""
        if not self._options.serves_here:
            return ""
        if self._options.socket:
            return f"unix:{self._options.socket}"
        host = self._options.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self._port}"

    def devices(self) -> DevicesStatus:
        """Return what other devices find of this computer."""
        return DevicesStatus() if self._devices is None else self._devices.status()

    @property
    def device_pem(self) -> str:
        """The certificate that other devices may install; empty without one."""
        return "" if self._devices is None else self._devices.pem

    def calls(self) -> tuple[ApiCall, ...]:
        """Return the running requests."""
        return tuple(running.snapshot() for running in self._activity.running)

    def failures(self) -> tuple[ApiFailure, ...]:
        """Return the latest errors, the newest last."""
        return tuple(self._activity.recent_errors)

    async def start(self) -> None:
        """Listen. Raises ``api_not_started``."""
        if not self._options.is_loopback and not (self._options.needs_token and self._tokens.all()):
            raise FiresideError.of(
                "api_not_started",
                reason=tr_noop("Other computers could use it: add an access token and require it first."),
            )
        if self._devices is not None:
            await self._devices.start()
        if not self._options.serves_here:
            return
        loop = asyncio.get_running_loop()

        def connection() -> ClientConnection:
            return ClientConnection(self._connections[0])

        if self._options.socket:
            listener = await asyncio.to_thread(listen_at, Path(self._options.socket))
            self._servers.append(await loop.create_unix_server(connection, sock=listener))
        else:
            for listener in self._listeners():
                self._servers.append(await loop.create_server(connection, sock=listener))
        log.info("the local API listens at %s", self.address)

    async def load(self, name: str, *, n_ctx: int) -> tuple[ModelId, int]:
        """Load a model for a client that this program starts, with a context of ``n_ctx`` tokens if it can
        have that; an empty name is the model in use. Return its id and context length.

        Raises ``HttpError``.
        """
        spec = await self._service.find(name)
        client = Client(id="", name="", scopes=USUAL_SCOPES)
        await self._service.load(spec, client, keep_alive_s=msgspec.UNSET, n_ctx=n_ctx)
        return spec.id, await self._service.n_ctx(spec)

    async def stop(self) -> None:
        """Refuse new connections, end running requests with an error, and close all within 2 s."""
        for server in self._servers:
            server.close()
        if self._devices is not None:
            await self._devices.stop()
        for app in self._apps:
            app.close()
        await self._service.responses.close()
        for each in self._open_connections():
            each.shutdown()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_STOP_S):
                for connections in self._connections:
                    await connections.all_closed.wait()
        for each in self._open_connections():
            each.abort()
        await asyncio.to_thread(self._clean_up)

    async def end_client(self, token_id: str) -> None:
        """End all that runs for a token that was revoked, and forget its responses."""
        revoked = FiresideError.of("device_revoked")
        for app in self._apps:
            app.end_client(token_id, http_error_of(revoked))
        await self._service.responses.forget(token_id)

    def _open_connections(self) -> list[ClientConnection]:
        return [each for connections in self._connections for each in connections.open]

    def _device_listener(self, options: DeviceOptions, access: ApiAccess) -> DeviceListener:
        access = msgspec.structs.replace(
            access, policy=self._device_policy, is_network=True, on_refused=self._gate.fail
        )
        limits = msgspec.structs.replace(self._limits, max_connections=MAX_OPEN)
        app = HttpApp(Routes(self._service), access, self._activity)
        connections = Connections(limits, _http_maker(app, limits))
        self._apps.append(app)
        self._connections.append(connections)
        return DeviceListener(options, connections, self._gate, listen=_listen, on_look=self._look_at_tokens)

    async def _look_at_tokens(self) -> None:
        """End what runs for tokens that another process revoked, and store when devices came."""
        known = frozenset(token.id for token in self._tokens.all())
        revoked, self._known = self._known - known, known
        for token_id in revoked:
            await self.end_client(token_id)
        if time.monotonic() - self._stored_seen_at > _STORE_SEEN_S:
            self._stored_seen_at = time.monotonic()
            await asyncio.to_thread(self._tokens.store_seen)

    def _listeners(self) -> list[socket.socket]:
        """Return listening sockets: for loopback IPv4 and IPv6, since “localhost” may mean either."""
        host = self._options.host
        try:
            first = _listen(LOOPBACK if host == "localhost" else host, self._port)
        except OSError as exc:
            if exc.errno != errno.EADDRINUSE:
                raise FiresideError.of("api_not_started", reason=render_os_error(exc)) from exc
            in_use = Phrase(
                tr_noop("Port {port} is in use by another program. Choose another port."),
                {"port": str(self._port)},
            )
            raise FiresideError.of("api_not_started", reason=in_use) from exc
        self._port = first.getsockname()[1]
        if host not in (LOOPBACK, "localhost"):
            return [first]
        try:
            return [first, _listen(_LOOPBACK_IPV6, self._port)]
        except OSError:
            return [first]

    def _policy(self) -> AccessPolicy:
        options = self._options
        return AccessPolicy(
            hosts=host_names((*_LOCAL_NAMES, options.host, *options.hosts), port=self._port)
            # Over a Unix socket clients send no port.
            | (frozenset({"localhost"}) if options.socket else frozenset()),
            origins=frozenset(options.origins),
            needs_token=options.needs_token,
        )

    def _device_policy(self) -> AccessPolicy:
        options, devices = self._options, self._devices
        assert devices is not None
        return AccessPolicy(
            hosts=host_names(options.hosts, port=devices.port),
            origins=frozenset(options.origins),
            is_own_host=devices.is_own_host,
        )

    def _clean_up(self) -> None:
        self._tokens.store_seen()
        if self._options.socket:
            with contextlib.suppress(OSError):
                Path(self._options.socket).unlink()
        self._owners.clear()


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # otherwise Windows shares a port that is in use
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind((host, port))
        listener.listen(_BACKLOG)
        listener.setblocking(False)
    except BaseException:
        listener.close()
        raise
    return listener


def _http_maker(app: HttpApp, limits: ConnectionLimits) -> Callable[[BoundedReader], H11Protocol]:
    # Importing uvicorn takes 0.1 s.
    from uvicorn.config import Config
    from uvicorn.protocols.http.h11_impl import H11Protocol
    from uvicorn.server import ServerState

    config = Config(
        app=app,
        http=H11Protocol,
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=int(limits.keep_alive_s),
        h11_max_incomplete_event_size=H11_MAX_HEAD_BYTES,
    )
    config.load()
    state = ServerState()

    def make(reader: BoundedReader) -> H11Protocol:
        http = H11Protocol(config=config, server_state=state, app_state={})
        http.conn = reader
        return http

    return make
