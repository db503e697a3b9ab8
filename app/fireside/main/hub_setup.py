"""Build the parts that use the network: the hub, other engines, MCP servers, the web."""

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
from fireside.settings.secrets import SecretFile, Secrets
from fireside.settings.servers_file import SERVERS_NAME, ServersFile

if TYPE_CHECKING:
    from fireside.services.tool_servers.running_servers import HostParts

_SERVER_FOLDERS = "mcp"


def build_secrets(context: StartupContext, *, redaction: Redaction) -> Secrets:
    """Return the stored secrets; ``redaction`` receives each of them."""
    file = SecretFile(context.paths.secrets_file, on_damaged=context.problems.add)
    return Secrets(file=file, environ=os.environ, redaction=redaction)


def build_access(context: StartupContext, secrets: Secrets, *, log: ConnectionLog | None = None) -> HubAccess:
    """Return the access to the hub, with the settings in force."""
    return HubAccess(settings=context.settings, token=HubToken(secrets), log=log)


def build_engines(
    context: StartupContext, access: HubAccess, secrets: Secrets, *, log: ConnectionLog, is_owner: bool
) -> EngineParts:
    """Return the parts of other engines, which use the same route as the hub."""
    file = EnginesFile(context.paths.data_folder / ENGINES_NAME, on_damaged=context.problems.add)
    return EngineParts(file=file, secrets=secrets, route=route_of(access), log=log, is_owner=is_owner)


def build_tool_servers(context: StartupContext, access: HubAccess, secrets: Secrets) -> ToolServerParts:
    """Return the parts of MCP servers; remote ones use the same route as the hub."""

    def host() -> HostParts:
        from fireside.services.tool_servers.running_servers import HostParts
        from fireside.tool_host.host_messages import host_command

        return HostParts(command=host_command(), environment=base_environment())

    return ToolServerParts(
        file=ServersFile(context.paths.data_folder / SERVERS_NAME, on_damaged=context.problems.add),
        secrets=secrets,
        folder=context.paths.data_folder / _SERVER_FOLDERS,
        environ=os.environ,
        host=host,
        route=route_of(access),
    )


def build_web(access: HubAccess, secrets: Secrets, *, log: ConnectionLog) -> WebParts:
    """Return the parts of web access, which uses the same route as the hub."""
    return WebParts(route=route_of(access), log=log, secrets=secrets)


def route_of(access: HubAccess) -> Callable[[], Route]:
    """Return a function for the route in force: proxy, certificates, offline mode."""

    def route() -> Route:
        options = access.options
        return Route(proxy=options.proxy, ca_file=options.ca_file, is_offline=options.is_offline)

    return route
