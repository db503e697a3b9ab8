"""Find a newer version, fetch it, try it and have it be the one that starts."""

from __future__ import annotations

import lzma
from collections.abc import Callable, Sequence
from pathlib import Path

from fireside.core.about import Release, UpdateStep
from fireside.core.errors import UpdateDamaged, UpdateUnavailable, UpdateUnwritable
from fireside.core.i18n import tr_noop
from fireside.core.os_errors import render_os_error
from fireside.files.private_files import make_private_folder
from fireside.hub.cancel_token import CancelToken
from fireside.updates.manifest import Layer, Manifest, numbers, this_target
from fireside.updates.release_address import ReleaseAddress
from fireside.updates.tree_layers import missing_layers, take_over, unpack
from fireside.updates.trial import Trial
from fireside.updates.version_folders import VersionFolders

Report = Callable[[UpdateStep, float | None], None]
"""Hears what is being done and how much of that, 0 to 1, where it is known. Any thread."""


class Updater:
    """Blocks; one call at a time, from any thread.

    Whatever happens, and whenever the program is killed: the version in use stays the one that starts until
    another has proven itself, and what was fetched is gone on from. Raises ``UpdateError`` or ``Stopped``.
    """

    def __init__(
        self, folders: VersionFolders, *, releases: ReleaseAddress, running: str, trial: Trial
    ) -> None:
        """``running`` is this version."""
        self.folders = folders
        self._releases = releases
        self._running = running
        self._trial = trial

    def look(self, cancel: CancelToken) -> Release | None:
        """Ask for the newest version; ``None`` where this is it."""
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
        """Have the newest version be the one that starts next, and return it.

        It is asked for anew: what was found before may have been withdrawn.
        """
        manifest = self._releases.manifest(cancel)
        layers = self._layers(manifest)
        if numbers(manifest.version) <= numbers(self._running):
            raise UpdateUnavailable(
                version=manifest.version, reason=tr_noop("it is not newer than this one.")
            )
        try:
            missing = self._missing(layers, cancel)
            make_private_folder(self.folders.downloads)
            self._releases.fetch(
                [(layer, self._archive(layer)) for layer in missing],
                cancel,
                lambda share: report(UpdateStep.DOWNLOADING, share),
            )
            report(UpdateStep.UNPACKING, None)
            tree = self._put_together(manifest.version, layers, missing, cancel)
            report(UpdateStep.TESTING, None)
            self._trial(tree, version=manifest.version, cancel=cancel)
            self.folders.adopt(manifest.version)
            self.folders.switch(manifest.version)
            self.folders.sweep(running=self._running)
        except OSError as exc:
            raise self._unwritable(exc) from exc
        return manifest.version

    def go_back(self) -> str:
        """Have the next start use the version before, and return it."""
        try:
            return self.folders.go_back()
        except OSError as exc:
            raise self._unwritable(exc) from exc

    def _layers(self, manifest: Manifest) -> tuple[Layer, ...]:
        layers = manifest.targets.get(this_target())
        if layers is None:
            raise UpdateUnavailable(
                version=manifest.version, reason=tr_noop("there is none for this kind of computer.")
            )
        return layers

    def _missing(self, layers: Sequence[Layer], cancel: CancelToken) -> tuple[Layer, ...]:
        return missing_layers(layers, tree=self.folders.tree(self._running), cancel=cancel)

    def _put_together(
        self, version: str, layers: Sequence[Layer], missing: Sequence[Layer], cancel: CancelToken
    ) -> Path:
        part = self.folders.begin(version)
        for layer in layers:
            cancel.check()
            if layer in missing:
                try:
                    unpack(self._archive(layer), target=part / layer.path, cancel=cancel)
                except lzma.LZMAError as exc:
                    raise UpdateDamaged(name=layer.name) from exc
            else:
                take_over(layer, layers, source=self.folders.tree(self._running), target=part)
        return part

    def _unwritable(self, exc: OSError) -> UpdateUnwritable:
        path = str(exc.filename or self.folders.root)
        return UpdateUnwritable(path=path, reason=f"{render_os_error(exc)}.")

    def _archive(self, layer: Layer) -> Path:
        return self.folders.downloads / layer.sha256
