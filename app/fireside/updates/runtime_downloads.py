"""Download builds of llama.cpp that the release repository offers for this computer."""

from __future__ import annotations

import shutil
from pathlib import Path

from fireside.core.errors import RuntimeBuildError
from fireside.core.runtime import this_platform
from fireside.files.private_files import make_private_folder
from fireside.hub.cancel_token import CancelToken
from fireside.updates.manifest import PublishedRuntime
from fireside.updates.release_repository import OnProgress, ReleaseRepository


class RuntimeDownloads:
    """Downloads runtimes. Blocks; one call at a time, any thread. Raises ``UpdateError`` or ``Stopped``."""

    def __init__(self, releases: ReleaseRepository, *, folder: Path) -> None:
        """``folder`` is for downloaded archives; it is created with the first."""
        self._releases = releases
        self._folder = folder

    def available(self, cancel: CancelToken) -> tuple[PublishedRuntime, ...]:
        """Return the runtimes for this computer."""
        return self._releases.manifest(cancel).runtimes.get(this_platform(), ())

    def fetch(self, name: str, cancel: CancelToken, on_progress: OnProgress) -> Path:
        """Download and verify the archive of a runtime, and return its path, valid until ``clean_up``.

        The manifest is fetched again, since a runtime may have been withdrawn. A partial download is resumed.
        Raises ``runtime_not_found`` if it is no longer offered, and ``OSError``.
        """
        for runtime in self.available(cancel):
            if runtime.name == name:
                archive = self._folder / runtime.sha256 / f"{name}.tar.xz"
                make_private_folder(archive.parent)
                self._releases.fetch([(runtime, archive)], cancel, on_progress)
                return archive
        raise RuntimeBuildError.of("runtime_not_found", name=name)

    def clean_up(self) -> None:
        """Delete all archives, also partial ones."""
        shutil.rmtree(self._folder, ignore_errors=True)
