"""Build what leads out of this computer: the access to the hub, and other engines."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from fireside.hub.connection_log import ConnectionLog
from fireside.hub.http_client import Route
from fireside.main.runtime_setup import base_environment
from fireside.main.startup_context import StartupContext
from fireside.services.engines import EngineParts
from fireside.services.hub_access import HubAccess, HubToken
from fireside.services.tool_servers.server_launches import ToolServerParts
from fireside.services.web_access import WebParts
from fireside.settings.engines_file import ENGINES_NAME, EnginesFile
from fireside.settings.redaction import Redaction
from fireside.settings.secret_file import SecretFile
from fireside.settings.secrets import Secrets
from fireside.settings.servers_file import SERVERS_NAME, ServersFile

if TYPE_CHECKING:
    from fireside.services.tool_servers.running_servers import HostParts

_SERVER_FOLDERS = "mcp"


def build_secrets(context: StartupContext, *, redaction: Redaction) -> Secrets:
    """Return the secrets, where the user keeps them; ``redaction`` learns of each."""
    return Secrets(file=SecretFile(context.paths.secrets_file), environ=os.environ, redaction=redaction)


def build_access(context: StartupContext, secrets: Secrets, *, log: ConnectionLog | None = None) -> HubAccess:
    """Return the access to the hub, with the settings in force."""
    return HubAccess(settings=context.settings, token=HubToken(secrets), log=log)


def build_engines(
    context: StartupContext, access: HubAccess, secrets: Secrets, *, log: ConnectionLog, is_owner: bool
) -> EngineParts:
    """Return what other engines need. They are reached as the hub is: proxy, certificates, offline mode."""

    file = EnginesFile(context.paths.data_folder / ENGINES_NAME)
    return EngineParts(file=file, secrets=secrets, route=route_of(access), log=log, is_owner=is_owner)


def build_tool_servers(context: StartupContext, access: HubAccess, secrets: Secrets) -> ToolServerParts:
    """Return what MCP servers need. Those behind an address are reached as the hub is."""

    def host() -> HostParts:
        from fireside.services.tool_servers.running_servers import HostParts
        from fireside.tool_host.host_messages import host_command

        return HostParts(command=host_command(), environment=base_environment())

    return ToolServerParts(
        file=ServersFile(context.paths.data_folder / SERVERS_NAME),
        secrets=secrets,
        folder=context.paths.data_folder / _SERVER_FOLDERS,
        environ=os.environ,
        host=host,
        route=route_of(access),
    )


def build_web(access: HubAccess, secrets: Secrets, *, log: ConnectionLog) -> WebParts:
    """Return how tools reach the web: as the hub is."""
    return WebParts(route=route_of(access), log=log, secrets=secrets)


def route_of(access: HubAccess) -> Callable[[], Route]:
    """Return the way out as the settings have it: proxy, certificates, offline mode."""

    def route() -> Route:
        options = access.options
        return Route(proxy=options.proxy, ca_file=options.ca_file, is_offline=options.is_offline)

    return route
