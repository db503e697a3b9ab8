"""Fetch a published build of llama.cpp into a folder, with the program's own checks of what it downloads.

Run by the checkout's Python, which has the program's packages. Arguments: the folder, which exists and is
empty, the version of llama-cpp-python, the backend (``cpu``), the address of the releases, and their public
keys. Prints ``fraction NUMBER`` as it goes on; what fails ends it with a sentence and status 1.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fireside.core.errors import FiresideError
from fireside.engine.runtimes.archive_extraction import unpack
from fireside.engine.runtimes.manifest import changed_file, check_libraries, read_manifest
from fireside.hub.cancel_token import CancelToken
from fireside.hub.connection_log import ConnectionLog
from fireside.hub.http_client import Route
from fireside.updates.build import BuildInfo
from fireside.updates.release_client import ReleaseClient
from fireside.updates.release_repository import ReleaseRepository
from fireside.updates.runtime_downloads import RuntimeDownloads


def main(folder: Path, binding: str, backend: str, address: str, *keys: str) -> str:
    """Fetch the smallest build that has ``backend``; return why there is none."""
    build = BuildInfo(address=address, keys=keys)
    if not build.is_published:
        return "The address of the releases cannot be used."
    client = ReleaseClient(route=Route, log=ConnectionLog(), why="Runtime of Fireside")
    seen = folder.with_name("releases-seen.json")
    releases = ReleaseRepository(address, keys=build.public_keys, client=client, seen=seen)
    downloads = RuntimeDownloads(releases, folder=folder.with_name("downloads"))
    offers = downloads.available(CancelToken())
    fitting = [offer for offer in offers if backend in (name.lower() for name in offer.backends)]
    if not fitting:
        return f"The releases have no build for this computer with {backend}."
    offer = min(fitting, key=lambda offer: offer.n_bytes)
    archive = downloads.fetch(offer.name, CancelToken(), _print_fraction)
    unpack(archive, target=folder, on_progress=lambda _done, _total: None)
    manifest = read_manifest(folder)
    if manifest is None or manifest.binding != binding:
        return f"“{offer.name}” is not for llama-cpp-python {binding}."
    check_libraries(folder, source=offer.name)
    if (name := changed_file(folder, manifest)) is not None:
        return f"“{name}” is not the file that was published."
    downloads.clean_up()
    return ""


def _print_fraction(part: float) -> None:
    sys.stdout.write(f"fraction {part}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        sys.exit(main(Path(sys.argv[1]), *sys.argv[2:]) or None)
    except (FiresideError, OSError) as exc:
        sys.exit(str(exc))
