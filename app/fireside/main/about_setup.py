"""Build what knows this copy of the program, and what updates it where it may do so itself."""

from __future__ import annotations

import sys
from pathlib import Path

from fireside import __version__
from fireside.core.about import PackageKind
from fireside.hub.connection_log import ConnectionLog
from fireside.hub.http_client import Route
from fireside.main.startup_context import StartupContext
from fireside.services.about_service import AboutParts
from fireside.services.hub_access import HubAccess
from fireside.updates.build import Build, read_build
from fireside.updates.release_client import ReleaseClient
from fireside.updates.trial import start_and_answer
from fireside.updates.updater import Updater
from fireside.updates.version_folders import folders_around


def build_about(context: StartupContext, access: HubAccess, *, log: ConnectionLog) -> AboutParts:
    """Return what is known of this copy."""
    tree = Path(sys.prefix)
    build = read_build(tree, package=Path(__file__).resolve().parents[1])
    return AboutParts(
        build=build,
        version=__version__,
        tree=tree,
        data_folder=context.paths.data_folder,
        updater=_updater(build, tree, access, log=log),
    )


def _updater(build: Build, tree: Path, access: HubAccess, *, log: ConnectionLog) -> Updater | None:
    folders = folders_around(tree)
    if folders is None or build.kind is not PackageKind.FOLDERS or not build.is_published:
        return None

    def route() -> Route:
        options = access.options
        return Route(proxy=options.proxy, ca_file=options.ca_file, is_offline=options.is_offline)

    return Updater(
        folders,
        address=build.address,
        keys=build.public_keys,
        running=__version__,
        client=ReleaseClient(route=route, log=log),
        trial=start_and_answer,
    )
