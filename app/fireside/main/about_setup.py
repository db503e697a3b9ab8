"""Build the parts that know the installed version, and the clients of its releases."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from fireside import __version__
from fireside.core.about import PackageKind
from fireside.core.i18n import tr_noop
from fireside.hub.connection_log import ConnectionLog
from fireside.hub.http_client import Route
from fireside.main.startup_context import StartupContext
from fireside.services.about_service import AboutParts
from fireside.updates.build import BuildInfo, read_build_info
from fireside.updates.release_client import ReleaseClient
from fireside.updates.release_repository import ReleaseRepository
from fireside.updates.runtime_downloads import RuntimeDownloads
from fireside.updates.trial import run_self_test
from fireside.updates.updater import Updater
from fireside.updates.version_folders import find_version_folders

_SEEN = "releases-seen.json"
_DOWNLOADS = ".downloads"


def build_about(context: StartupContext, *, route: Callable[[], Route], log: ConnectionLog) -> AboutParts:
    """Return the parts of the about service."""
    build = _build()
    return AboutParts(
        build=build,
        version=__version__,
        tree=Path(sys.prefix),
        data_folder=context.paths.data_folder,
        updater=_updater(build, route=route, log=log),
    )


def build_runtime_downloads(
    context: StartupContext, *, route: Callable[[], Route], log: ConnectionLog
) -> RuntimeDownloads | None:
    """Return the downloads of builds of llama.cpp; ``None`` for a build without an address of releases."""
    build = _build()
    if not build.is_published:
        return None
    client = ReleaseClient(route=route, log=log, why=tr_noop("Runtime of Fireside"))
    releases = ReleaseRepository(
        build.address, keys=build.public_keys, client=client, seen=context.paths.data_folder / _SEEN
    )
    return RuntimeDownloads(releases, folder=context.paths.runtimes_folder / _DOWNLOADS)


def _build() -> BuildInfo:
    return read_build_info(Path(sys.prefix), package=Path(__file__).resolve().parents[1])


def _updater(build: BuildInfo, *, route: Callable[[], Route], log: ConnectionLog) -> Updater | None:
    folders = find_version_folders(Path(sys.prefix))
    if folders is None or build.kind is not PackageKind.FOLDERS or not build.is_published:
        return None
    client = ReleaseClient(route=route, log=log, why=tr_noop("Update of Fireside"))
    releases = ReleaseRepository(build.address, keys=build.public_keys, client=client, seen=folders.seen)
    return Updater(folders, releases=releases, running=__version__, trial=run_self_test)
