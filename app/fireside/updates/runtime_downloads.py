"""Builds of llama.cpp that the release address offers for this computer, beside the one in the program."""

from __future__ import annotations

import shutil
from pathlib import Path

from fireside.core.errors import RuntimeNotFound
from fireside.files.private_files import make_private_folder
from fireside.hub.cancel_token import CancelToken
from fireside.updates.manifest import PublishedRuntime, this_target
from fireside.updates.release_address import OnShare, ReleaseAddress


class RuntimeDownloads:
    """Blocks; one call at a time, from any thread. Raises ``UpdateError`` or ``Stopped``."""

    def __init__(self, releases: ReleaseAddress, *, folder: Path) -> None:
        """``folder`` is for archives on their way, and made when there is one."""
        self._releases = releases
        self._folder = folder

    def look(self, cancel: CancelToken) -> tuple[PublishedRuntime, ...]:
        """Return what is offered now."""
        return self._releases.manifest(cancel).runtimes.get(this_target(), ())

    def fetch(self, name: str, cancel: CancelToken, on_share: OnShare) -> Path:
        """Return the archive of a runtime, whole and checked; until ``sweep`` it lies on the disk.

        The address is asked anew: what was found before may have been withdrawn. What came before is gone
        on from. Raises ``RuntimeNotFound`` where it is not offered any more, and ``OSError``.
        """
        for runtime in self.look(cancel):
            if runtime.name == name:
                archive = self._folder / runtime.sha256 / f"{name}.tar.xz"
                make_private_folder(archive.parent)
                self._releases.fetch([(runtime, archive)], cancel, on_share)
                return archive
        raise RuntimeNotFound(name=name)

    def sweep(self) -> None:
        """Remove archives, also those that came in part."""
        shutil.rmtree(self._folder, ignore_errors=True)
