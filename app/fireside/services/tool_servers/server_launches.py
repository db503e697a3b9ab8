"""Build the launch of an MCP server: its command or address, with stored secrets filled in."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from fireside.core.errors import SecretsError, ToolServerError
from fireside.core.secret_location import SecretLocation
from fireside.core.tool_servers import NewServer, ServerFacts, ToolServer, starts_container
from fireside.hub.http_client import Route
from fireside.settings.secret import Secret
from fireside.settings.secrets import KeepIn, SecretRequester, Secrets
from fireside.settings.servers_file import ServersFile, value_name

if TYPE_CHECKING:
    from fireside.services.tool_servers.running_servers import HostParts
    from fireside.tool_host.host_messages import HttpLaunch, StdioLaunch

log = logging.getLogger(__name__)

SIGN_IN: Final = "sign-in"
"""Name of the stored sign-in among the values of a server."""


class ToolServerParts(msgspec.Struct, frozen=True, kw_only=True):
    """What the composition root provides for MCP servers."""

    file: ServersFile
    secrets: Secrets
    folder: Path
    """Holds a folder for each server, its home."""
    environ: Mapping[str, str]
    host: Callable[[], HostParts]
    """Returns how the tool host is started."""
    route: Callable[[], Route]
    """Returns the network route of the current settings."""

    @property
    def bundles(self) -> Path:
        """Holds a folder for each unpacked bundle; no server has its name."""
        return self.folder / ".bundles"


class ServerLaunches:
    """Builds launches and stores the values that they need. Lives on the engine's loop."""

    def __init__(self, parts: ToolServerParts) -> None:
        self._parts = parts
        self._signed_in: dict[str, str] = {}
        """Cached sign-ins by server; empty for a server that has none."""

    async def facts(self, server: ToolServer) -> ServerFacts:
        """Return what identifies a server now."""
        from fireside.services.tool_servers.program_files import content_hash

        if server.url:
            return server.facts(executable="")
        executable = await asyncio.to_thread(content_hash, server.command, cwd=server.cwd)
        return server.facts(executable=executable)

    async def launch(self, server: ToolServer, *, may_sign_in: bool = False) -> StdioLaunch | HttpLaunch:
        """Return the launch of a server. Raises ``ToolServerError``."""
        from fireside.settings.server_shapes import INPUT
        from fireside.tool_host.host_messages import HttpLaunch, StdioLaunch

        values = {name: await self._value(server, name) for name in _values_of(server)}

        def filled(text: str) -> str:
            return INPUT.sub(lambda match: values[match[1]], text)

        if server.url:
            route = self._parts.route()
            if route.is_offline and not server.is_on_this_computer:
                raise ToolServerError.of("tool_server_offline", name=server.name)
            return HttpLaunch(
                url=server.url,
                headers={name: filled(value) for name, value in server.headers.items()},
                proxy="" if server.is_on_this_computer else route.proxy,
                ca_file=route.ca_file,
                sign_in=await self._sign_in_of(server.name),
                may_sign_in=may_sign_in,
            )
        from fireside.services.tool_servers.program_files import program_files, server_environment

        # An unconfined server finds the user's settings as other programs do.
        is_confined = sys.platform == "linux" and not starts_container(server.command)
        home = self._parts.folder / server.name
        await asyncio.to_thread((home / "tmp").mkdir, parents=True, exist_ok=True, mode=0o700)
        own = {name: filled(value) for name, value in server.env.items()}
        files = await asyncio.to_thread(program_files, server.command, cwd=server.cwd)
        bundle = (server.cwd,) if Path(server.cwd).parent == self._parts.bundles else ()
        return StdioLaunch(
            command=tuple(map(filled, server.command)),
            cwd=server.cwd or str(home),
            environment=server_environment(
                self._parts.environ,
                own=own,
                home=home if is_confined else None,
                is_offline=is_confined and not server.grants.network,
            ),
            readable=(*files, *bundle, *server.grants.readable),
            writable=(str(home), *server.grants.writable),
            network=server.grants.network,
            without_sandbox=server.grants.without_sandbox,
            is_confined=is_confined,
        )

    async def store_values(self, server: ToolServer, new: NewServer, *, location: KeepIn) -> None:
        """Store the values that a new server needs at its start. Raises ``SecretsError``."""
        from fireside.settings.server_shapes import INPUT

        def filled(text: str) -> str:
            return INPUT.sub(lambda match: new.inputs.get(match[1], match[0]), text)

        argument_values = {name: new.inputs[name] for name in _values_of(server) if name in new.inputs}
        own = {name: filled(value) for name, value in (*new.env.items(), *new.headers.items())}
        for name, value in {**argument_values, **own}.items():
            await self._parts.secrets.store(value_name(server.name, name), Secret(value), location=location)

    async def delete_values(self, server: ToolServer) -> None:
        """Delete all that was stored for a server."""
        for name in _values_of(server):
            await self._parts.secrets.forget(value_name(server.name, name))
        if server.url:
            await self.sign_out(server.name)

    # Sign-ins

    def is_signed_in(self, name: str) -> bool:
        """Whether the user is signed in to a server, as far as this run has looked."""
        return bool(self._signed_in.get(name))

    async def store_sign_in(self, name: str, text: str) -> None:
        """Store a sign-in; for this run only where the keyring refuses it."""
        self._signed_in[name] = text
        try:
            await self._parts.secrets.store(
                value_name(name, SIGN_IN), Secret(text), location=SecretLocation.KEYRING
            )
        except SecretsError as exc:
            log.warning("a sign-in holds for this run alone: %s", exc)

    async def sign_out(self, name: str) -> None:
        """Delete the stored sign-in."""
        self._signed_in.pop(name, None)
        await self._parts.secrets.forget(value_name(name, SIGN_IN))

    async def _sign_in_of(self, name: str) -> str:
        if name not in self._signed_in:
            stored = await self._parts.secrets.find(
                value_name(name, SIGN_IN), requester=SecretRequester.CLICK
            )
            self._signed_in[name] = "" if stored is None else stored.secret.reveal()
        return self._signed_in[name]

    async def _value(self, server: ToolServer, name: str) -> str:
        stored = await self._parts.secrets.find(
            value_name(server.name, name), requester=SecretRequester.CLICK
        )
        if stored is None:
            raise ToolServerError.of("tool_server_value_missing", name=server.name, value=name)
        return stored.secret.reveal()


def _values_of(server: ToolServer) -> tuple[str, ...]:
    """Return the names of the values that a server needs at its start."""
    from fireside.settings.server_shapes import INPUT

    texts = (*server.command, *server.env.values(), *server.headers.values())
    return tuple(dict.fromkeys(name for text in texts for name in INPUT.findall(text)))
