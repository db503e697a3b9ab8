"""Check for a newer version, download it, test it and activate it."""

from __future__ import annotations

import lzma
from collections.abc import Callable, Sequence
from pathlib import Path

from fireside.core.about import Release, UpdateStep
from fireside.core.errors import UpdateError
from fireside.core.i18n import tr_noop
from fireside.core.os_errors import render_os_error
from fireside.core.runtime import this_platform
from fireside.files.private_files import make_private_folder
from fireside.hub.cancel_token import CancelToken
from fireside.updates.manifest import Layer, Manifest, numbers
from fireside.updates.release_repository import ReleaseRepository
from fireside.updates.tree_layers import missing_layers, reuse_layer, unpack
from fireside.updates.trial import RunTrial
from fireside.updates.version_folders import VersionFolders

Report = Callable[[UpdateStep, float | None], None]
"""Called with the current step and its progress, 0 to 1, or ``None`` if that is not known. Any thread."""


class Updater:
    """Updates the program. Blocks; one call at a time, any thread.

    Whenever the program is killed, the current version stays active until another has passed its test, and a
    partial download is resumed. Raises ``UpdateError`` or ``Stopped``.
    """

    def __init__(
        self, folders: VersionFolders, *, releases: ReleaseRepository, running: str, trial: RunTrial
    ) -> None:
        """``running`` is the version of this process."""
        self.folders = folders
        self._releases = releases
        self._running = running
        self._trial = trial

    def check(self, cancel: CancelToken) -> Release | None:
        """Return the newest release; ``None`` if this version is up to date."""
        manifest = self._releases.manifest(cancel)
        if numbers(manifest.version) <= numbers(self._running):
            return None
        return Release(
            version=manifest.version,
            released=manifest.released,
            notes=manifest.notes,
            n_bytes=sum(layer.n_bytes for layer in self._missing(self._layers(manifest), cancel)),
        )

    def install(self, cancel: CancelToken, report: Report) -> str:
        """Download, test and activate the newest version for the next start, and return it.

        The manifest is fetched again, since a release may have been withdrawn.
        """
        manifest = self._releases.manifest(cancel)
        layers = self._layers(manifest)
        if numbers(manifest.version) <= numbers(self._running):
            raise UpdateError.of(
                "update_unavailable",
                version=manifest.version,
                reason=tr_noop("it is not newer than this one."),
            )
        try:
            missing = self._missing(layers, cancel)
            make_private_folder(self.folders.downloads)
            self._releases.fetch(
                [(layer, self._archive(layer)) for layer in missing],
                cancel,
                lambda fraction: report(UpdateStep.DOWNLOADING, fraction),
            )
            report(UpdateStep.UNPACKING, None)
            tree = self._assemble(manifest.version, layers, missing, cancel)
            report(UpdateStep.TESTING, None)
            self._trial(tree, manifest.version, cancel)
            self.folders.commit(manifest.version)
            self.folders.activate(manifest.version)
            self.folders.clean_up(running=self._running)
        except OSError as exc:
            raise self._unwritable(exc) from exc
        return manifest.version

    def roll_back(self) -> str:
        """Activate the previous version for the next start, and return it."""
        try:
            return self.folders.roll_back()
        except OSError as exc:
            raise self._unwritable(exc) from exc

    def _layers(self, manifest: Manifest) -> tuple[Layer, ...]:
        layers = manifest.targets.get(this_platform())
        if layers is None:
            raise UpdateError.of(
                "update_unavailable",
                version=manifest.version,
                reason=tr_noop("there is none for this kind of computer."),
            )
        return layers

    def _missing(self, layers: Sequence[Layer], cancel: CancelToken) -> tuple[Layer, ...]:
        return missing_layers(layers, tree=self.folders.tree(self._running), cancel=cancel)

    def _assemble(
        self, version: str, layers: Sequence[Layer], missing: Sequence[Layer], cancel: CancelToken
    ) -> Path:
        part = self.folders.create_partial(version)
        for layer in layers:
            cancel.check()
            if layer in missing:
                try:
                    unpack(self._archive(layer), target=part / layer.path, cancel=cancel)
                except lzma.LZMAError as exc:
                    raise UpdateError.of("update_damaged", name=layer.name) from exc
            else:
                reuse_layer(layer, layers, source=self.folders.tree(self._running), target=part)
        return part

    def _unwritable(self, exc: OSError) -> UpdateError:
        path = str(exc.filename or self.folders.root)
        return UpdateError.of("update_unwritable", path=path, reason=f"{render_os_error(exc)}.")

    def _archive(self, layer: Layer) -> Path:
        return self.folders.downloads / layer.sha256
