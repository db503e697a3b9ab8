"""Build what uses the network: the hub, other engines, MCP servers, the web, releases."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fireside import __version__
from fireside.core.about import PackageKind
from fireside.core.i18n import tr_noop
from fireside.hub.connection_log import ConnectionLog
from fireside.hub.http_client import Route
from fireside.main.startup_context import StartupContext, base_environment
from fireside.services.engines import EngineParts
from fireside.services.hub_access import HubAccess, HubToken
from fireside.services.tool_servers.server_launches import ToolServerParts
from fireside.services.web_access import WebParts
from fireside.settings.engines_file import ENGINES_NAME, EnginesFile
from fireside.settings.paths import resources_folder
from fireside.settings.redaction import Redaction
from fireside.settings.secrets import SecretFile, Secrets
from fireside.settings.servers_file import SERVERS_NAME, ServersFile

if TYPE_CHECKING:  # searching on the hub needs no releases
    from fireside.services.about_service import AboutParts
    from fireside.services.tool_servers.running_servers import HostParts
    from fireside.updates.build import BuildInfo
    from fireside.updates.component_store import ComponentStore
    from fireside.updates.runtime_downloads import RuntimeDownloads
    from fireside.updates.updater import Updater


_SERVER_FOLDERS = "mcp"
_SEEN = "releases-seen.json"
_DOWNLOADS = ".downloads"
_COMPONENTS = "components"


@dataclass(frozen=True, kw_only=True)
class Network:
    """What has access to the hub, other engines, Fireside's releases, MCP servers, and the web."""

    secrets: Secrets
    access: HubAccess
    engines: EngineParts | None
    about: AboutParts
    downloads: RuntimeDownloads | None
    components: ComponentStore
    servers: ToolServerParts
    web: WebParts


def build_network(
    context: StartupContext, redaction: Redaction, *, is_owner: bool, with_engines: bool
) -> Network:
    """Return all that uses the network, with one route and one log of connections. The owner of the data
    manages other engines; others use them ``with_engines``."""
    secrets, log = build_secrets(context, redaction=redaction), ConnectionLog()
    access = build_access(context, secrets, log=log)
    engines = None
    if is_owner or with_engines:
        engines = build_engines(context, access, secrets, log=log, is_owner=is_owner)
    return Network(
        secrets=secrets,
        access=access,
        engines=engines,
        about=build_about(context, access, log=log),
        downloads=build_runtime_downloads(context, access, log=log),
        components=build_components(context, access, log=log),
        servers=build_tool_servers(context, access, secrets),
        web=build_web(access, secrets, log=log),
    )


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
    return EngineParts(
        file=file,
        secrets=secrets,
        route=route_of(access),
        log=log,
        on_problem=context.problems.add,
        is_owner=is_owner,
    )


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


def build_about(context: StartupContext, access: HubAccess, *, log: ConnectionLog) -> AboutParts:
    """Return the parts of the about service."""
    from fireside.services.about_service import AboutParts

    build = _build()
    return AboutParts(
        build=build,
        version=__version__,
        tree=Path(sys.prefix),
        data_folder=context.paths.data_folder,
        updater=_updater(build, route=route_of(access), log=log),
    )


def build_runtime_downloads(
    context: StartupContext, access: HubAccess, *, log: ConnectionLog
) -> RuntimeDownloads | None:
    """Return the downloads of builds of llama.cpp; ``None`` for a build without an address of releases."""
    from fireside.updates.release_client import ReleaseClient
    from fireside.updates.release_repository import ReleaseRepository
    from fireside.updates.runtime_downloads import RuntimeDownloads

    build = _build()
    if not build.is_published:
        return None
    client = ReleaseClient(route=route_of(access), log=log, why=tr_noop("Runtime of Fireside"))
    releases = ReleaseRepository(
        build.address, keys=build.public_keys, client=client, seen=context.paths.data_folder / _SEEN
    )
    return RuntimeDownloads(releases, folder=context.paths.runtimes_folder / _DOWNLOADS)


def build_components(context: StartupContext, access: HubAccess, *, log: ConnectionLog) -> ComponentStore:
    """Return the components, which use the same route as the hub."""
    from fireside.updates.component_store import LIST_NAME, ComponentStore
    from fireside.updates.release_client import ReleaseClient

    return ComponentStore(
        context.paths.data_folder / _COMPONENTS,
        listed=resources_folder() / LIST_NAME,
        client=ReleaseClient(route=route_of(access), log=log, why=tr_noop("Component of Fireside")),
        index=lambda: access.options.package_index,
    )


def _build() -> BuildInfo:
    from fireside.updates.build import read_build_info

    return read_build_info(Path(sys.prefix), package=Path(__file__).resolve().parents[1])


def _updater(build: BuildInfo, *, route: Callable[[], Route], log: ConnectionLog) -> Updater | None:
    from fireside.updates.release_client import ReleaseClient
    from fireside.updates.release_repository import ReleaseRepository
    from fireside.updates.trial import run_self_test
    from fireside.updates.updater import Updater
    from fireside.updates.version_folders import find_version_folders

    folders = find_version_folders(Path(sys.prefix))
    if folders is None or build.kind is not PackageKind.FOLDERS or not build.is_published:
        return None
    client = ReleaseClient(route=route, log=log, why=tr_noop("Update of Fireside"))
    releases = ReleaseRepository(build.address, keys=build.public_keys, client=client, seen=folders.seen)
    return Updater(folders, releases=releases, running=__version__, trial=run_self_test)
